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
static u16 a1[1];

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 j3 = (u8)5 >> 4;
  a1[j3] = (in0 % 6);
  int s2 = a1[j3];
  check(s2 <= 5);
  u16 s5 = s2;
  for (int i4 = 28; i4 < 28 + 2; i4++) {
    s5 ^= (in0 & 10);
  }
  u8 x6 = s2, n7 = 0;
  while ((n7 + 1) * (n7 + 1) <= x6) { n7++; }
  sink = (n7) * 1073741823;
  check(n7 >= 0 && n7 <= 2);
  return 0;
}
