// natively: assert
typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
void abort(void);
static void check(int c) { if (!c) { reach_error(); abort(); } }

static int sink;
static u8 f3(u8 n) { return n < 1 ? n : (u8)(f3(n - 1) + 7); }

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 g1 = in0, h2 = (in0 < 3 ? in0 : 3);
  while (h2) { u8 r = g1 % h2; g1 = h2; h2 = r; }
  u8 s4 = f3(g1 & 15);
  check(s4 >= 0 && s4 <= 20);
  return 0;
}
