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
  s16 a1[3] = {0};
  for (u8 i = 0; i < (in0 & 7); i++) { a1[i / 2] = (in0 >> 2); }
  s16 s2 = 0;
  for (int i = 0; i < (in0 & 7); i++) { s2 += a1[i / 2]; }
  u8 s3 = 0;
  for (u8 i = 0; i < 6; i++)
    for (u8 j = 0; j < i + 1; j++) { s3++; }
  check(s3 >= 21 && s3 <= 21);
  sink = (s3) * 102261126;
  check(s3 >= 21 && s3 <= 21);
  return 0;
}
