// natively: overflow
typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
void abort(void);
static void check(int c) { if (!c) { reach_error(); abort(); } }

static int sink;
static u8 a3[2];

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  s16 a1[9] = {0};
  for (u8 i = 0; i < 9; i++) { a1[i] = (5 % 3); }
  u8 s2 = 0;
  for (int i = 0; i < 9; i++) { s2 ^= a1[i]; }
  check(s2 >= 2 && s2 <= 2);
  sink = (s2) * 1073741824;
  a3[0] = (200 + in0);
  a3[1] = (s2 == in0);
  for (int i = 0; i < 1; i++)
    for (int j = 0; j < 1 - i; j++) {
      if (a3[j] > a3[j + 1]) { u8 t = a3[j]; a3[j] = a3[j + 1]; a3[j + 1] = t; }
    }
  int s4 = a3[0] - a3[1];
  s8 s6 = s4;
  for (u16 i5 = 0; i5 < s2; i5 += 1) {
    s6 = s6 < 90 ? s6 + 1 : 0;
    if (s6 & 1) s6 += 3; else s6 >>= 1;
  }
  check(s6 >= -120);
  sink = (s6) * 17895697;
  check(s6 >= -120);
  return 0;
}
