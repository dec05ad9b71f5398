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
static u8 f4(u8 n) { if (n == 0) return 1; u8 r = f4(n / 2); return r + (n & 1); }

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  s16 s1 = 0;
  for (u8 i = 0; i < 2; i++)
    for (u8 j = 0; j < i; j++) { s1 += i * j; }
  check(s1 >= 0 && s1 <= 0);
  sink = (s1) * 2147483647;
  u16 s3 = s1;
  for (int i2 = in0; i2 < in0 + 3; i2++) {
    s3 = ((s3 >> 3) + (i2 % 9));
    s3 = s3 < 34 ? s3 + 1 : 0;
  }
  u8 s5 = f4(in0 & 31);
  check(s5 >= 1);
  sink = (s5) * 357913941;
  check(s5 >= 1 && s5 <= 6);
  return 0;
}
