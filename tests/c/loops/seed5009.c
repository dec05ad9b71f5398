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
static int a5[1];

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 in1 = __VERIFIER_nondet_uchar() & 15;
  u16 x1 = in0;
  u8 n2 = 0;
  for (int i = 0; i < 8; i++) { x1 = x1 & 128 ? x1 << 1 ^ 29 : x1 << 1; }
  check(n2 >= 0 && n2 <= 0);
  u8 x3 = n2, n4 = 0;
  while ((n4 + 1) * (n4 + 1) <= x3) { n4++; }
  for (u8 i = 0; i < n4 % 3; i++) { a5[i / 2] = (in0 | i); }
  s8 s6 = 0;
  for (int i = 0; i < n4 % 3; i++) { s6 += a5[i / 2]; }
  check(s6 >= 0);
  sink = (s6) * 2147483647;
  check(s6 >= 0);
  return 0;
}
