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
static s16 a2[5];

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 in1 = __VERIFIER_nondet_uchar() & 255;
  s16 s1 = 0;
  for (u8 i = 0; i < 6; i++)
    for (u8 j = 0; j < 3; j++) { s1 ^= in1; }
  for (u8 i = 0; i < 9; i++) { a2[i / 2] = (u8)(i * 0); }
  s16 s3 = 0;
  for (int i = 0; i < 9; i++) { s3 ^= a2[i / 2]; }
  check(s3 >= 0);
  sink = (s3) * 2147483647;
  check(s3 <= 0);
  return 0;
}
