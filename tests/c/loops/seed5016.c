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
  u8 g1 = in1, h2 = (in0 < in1 ? in0 : in1);
  while (h2) { u8 r = g1 % h2; g1 = h2; h2 = r; }
  s8 s3 = 0;
  for (u8 i = 0; i < 6; i++)
    for (u8 j = 0; j < 3; j++) { s3 += i; }
  u8 a4[4] = {0};
  u8 j6 = 0;
  int s5 = 0;
  for (u8 i = 0; i < (g1 & 15); i++) { a4[j6] = i; s5 += a4[j6]; j6 = j6 == 4 ? 0 : j6 + 1; }
  check(j6 >= 0 && j6 <= 4);
  check(j6 >= 0);
  return 0;
}
