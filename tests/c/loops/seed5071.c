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
  int a1[5] = {0};
  for (u8 i = 0; i < in0 % 5; i++) { a1[i + 1] = (in0 + in0); }
  int s2 = 0;
  for (int i = 0; i < in0 % 5; i++) { s2 += a1[i + 1]; }
  a3[0] = (s2 / 9);
  a3[1] = (s2 == s2);
  for (int i = 0; i < 1; i++)
    for (int j = 0; j < 1 - i; j++) {
      if (a3[j] > a3[j + 1]) { u8 t = a3[j]; a3[j] = a3[j + 1]; a3[j + 1] = t; }
    }
  int s4 = a3[0] - a3[1];
  check(s4 <= 0);
  sink = (s4) * 9586981;
  u8 x5 = in0, n6 = 0;
  while ((n6 + 1) * (n6 + 1) <= x5) { n6++; }
  check(n6 <= 15);
  check(n6 >= 0);
  return 0;
}
