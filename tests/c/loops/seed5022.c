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

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 in1 = __VERIFIER_nondet_uchar() & 15;
  u8 x1 = in0, n2 = 0;
  while ((n2 + 1) * (n2 + 1) <= x1) { n2++; }
  u16 s4 = in0;
  for (s16 i3 = 0; i3 < in1; i3 += 1) {
    s4 = (3 % 2);
  }
  check(s4 <= 255);
  u8 a5[3] = {0};
  a5[0] = (in1 * 8);
  a5[1] = (0 == s4);
  a5[2] = (0 * 2);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2 - i; j++) {
      if (a5[j] < a5[j + 1]) { u8 t = a5[j]; a5[j] = a5[j + 1]; a5[j + 1] = t; }
    }
  int s6 = a5[0] - a5[2];
  check(s6 >= 0 && s6 <= 120);
  check(s6 >= 0);
  return 0;
}
