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
static u8 a4[2];

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 x1 = (0 >> 2);
  int n2 = 0;
  while (x1) { n2 += x1 & 1; x1 /= 2; }
  check(n2 <= 0);
  sink = (n2) * 2147483647;
  s8 s3 = 0;
  for (u8 i = 0; i < 2; i++)
    for (u8 j = 0; j < 3; j++) { s3 += i; }
  check(s3 >= 3);
  u8 j6 = 0;
  int s5 = 0;
  for (u8 i = 0; i < (in0 & 15); i++) { a4[j6] = i; s5 += a4[j6]; j6 = (j6 + 1) % 2; }
  check(j6 >= 0);
  sink = (j6) * 2147483647;
  check(j6 <= 1);
  return 0;
}
