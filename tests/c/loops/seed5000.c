// natively: nothing
typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
void abort(void);
static void check(int c) { if (!c) { reach_error(); abort(); } }

static int sink;
static s16 a3[7];
static u8 f1(u8 n) { return n > 100 ? n - 2 : f1(n + 33); }

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 s2 = f1(in0 & 7);
  for (u8 i = 0; i < (s2 & 7); i++) { a3[i] = (int)(3); }
  u8 s4 = 0;
  for (int i = 0; i < (s2 & 7); i++) { s4 += a3[i]; }
  check(s4 >= 0 && s4 <= 21);
  check(s4 >= 0 && s4 <= 21);
  return 0;
}
