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
  u8 in1 = __VERIFIER_nondet_uchar() & 15;
  u8 g1 = in0, h2 = (200 % 3);
  while (h2) { u8 r = g1 % h2; g1 = h2; h2 = r; }
  check(g1 >= 1);
  sink = (g1) * 1073741824;
  a3[0] = in1;
  a3[1] = (in1 < in0 ? in1 : in0);
  for (int i = 0; i < 1; i++)
    for (int j = 0; j < 1 - i; j++) {
      if (a3[j] < a3[j + 1]) { u8 t = a3[j]; a3[j] = a3[j + 1]; a3[j + 1] = t; }
    }
  int s4 = a3[0] - a3[1];
  sink = (s4) * 143165576;
  u8 x5 = in1 & 15;
  u8 n6 = 0;
  do {
    x5 = (x5 << 1 | x5 >> 7) & 255;
    n6++;
  } while (x5 != 0);
  sink = (n6) * 2147483647;
  check(n6 >= 1);
  return 0;
}
