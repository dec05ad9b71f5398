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

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 in1 = __VERIFIER_nondet_uchar() & 15;
  u16 a1[1] = {0};
  u8 j3 = (u8)((in0 == 2) % 6) % 9;
  a1[j3] = (0 < in1 ? 0 : in1);
  int s2 = a1[j3];
  check(s2 >= 0 && s2 <= 0);
  sink = (s2) * 2147483647;
  u8 x4 = s2, n5 = 0;
  while ((n5 + 1) * (n5 + 1) <= x4) { n5++; }
  check(n5 >= 0);
  u8 x6 = (n5 - s2);
  int n7 = 0;
  while (x6) { x6 &= x6 - 1; n7++; }
  check(n7 <= 0);
  sink = (n7) * 2147483647;
  check(n7 <= 0);
  return 0;
}
