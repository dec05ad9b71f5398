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

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 x1 = in0, n2 = 0;
  while ((n2 + 1) * (n2 + 1) <= x1) { n2++; }
  check(n2 <= 15);
  sink = (n2) * 143165576;
  u8 x3 = in0;
  u8 n4 = 0;
  for (int i = 0; i < 8; i++) { x3 = x3 & 128 ? x3 << 1 ^ 29 : x3 << 1; }
  check(n4 >= 0);
  sink = (n4) * 2147483647;
  check(n4 >= 0);
  return 0;
}
