// natively: bounds
typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
void abort(void);
static void check(int c) { if (!c) { reach_error(); abort(); } }

static int sink;
static u8 f1(u8 n) { return n < 2 ? n : (u8)(f1(n - 2) + 9); }

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 s2 = f1(in0 & 255);
  check(s2 >= 0);
  u8 g3 = s2, h4 = (u16)(s2);
  while (h4) { u8 r = g3 % h4; g3 = h4; h4 = r; }
  check(g3 >= 0);
  s16 a5[16] = {0};
  for (u8 i = 0; i < 9; i++) { a5[i * 2] = s2; }
  int s6 = 0;
  for (int i = 0; i < 9; i++) { s6 += a5[i * 2]; }
  check(s6 >= 0);
  check(s6 >= 0 && s6 <= 2286);
  return 0;
}
