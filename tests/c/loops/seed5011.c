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
static s8 a1[3];
static u8 f4(u8 n) { if (n == 0) return 3; u8 r = f4(n / 2); return r + (n & 1); }

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 in1 = __VERIFIER_nondet_uchar() & 15;
  u8 j3 = (u8)(in0 % 9) % 3;
  a1[j3] = in0;
  while (j3 > 0) { j3--; a1[j3] += a1[j3 + 1]; }
  int s2 = a1[j3];
  u8 s5 = f4(in0 & 7);
  check(s5 <= 6);
  s8 x6 = s2 & 7;
  u16 n7 = 0;
  do {
    x6++;
    n7++;
  } while (x6 != 0 && n7 < 26);
  check(n7 >= 26);
  check(n7 >= 27 && n7 <= 26);
  return 0;
}
