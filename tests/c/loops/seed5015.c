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
static u8 a2[1];

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u16 s1 = 0;
  for (u8 i = 0; i < 2; i++)
    for (u8 j = 0; j < i; j++) { s1 += i; }
  check(s1 >= 1);
  sink = (s1) * 2147483647;
  a2[0] = (3 * 5);
  a2[1] = (s1 & in0);
  for (int i = 0; i < 1; i++)
    for (int j = 0; j < 1 - i; j++) {
      if (a2[j] < a2[j + 1]) { u8 t = a2[j]; a2[j] = a2[j + 1]; a2[j + 1] = t; }
    }
  int s3 = a2[0] - a2[1];
  check(s3 >= 14 && s3 <= 15);
  check(s3 <= 15);
  return 0;
}
