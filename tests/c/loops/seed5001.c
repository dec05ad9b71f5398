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
static u8 a1[1];
static s16 a3[4];

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 in1 = __VERIFIER_nondet_uchar() & 15;
  for (u8 i = 0; i < in0 % 4; i++) { a1[i / 2] = (in1 >> 3); }
  s16 s2 = 0;
  for (int i = 0; i < in0 % 4; i++) { s2 += a1[i / 2]; }
  check(s2 <= 3);
  for (u8 i = 0; i < (in0 & 7); i++) { a3[i / 2] = 128; }
  u8 s4 = 0;
  for (int i = 0; i < (in0 & 7); i++) { s4 |= a3[i / 2]; }
  check(s4 >= 0 && s4 <= 128);
  u8 g5 = s4, h6 = (in1 - in1);
  while (h6) { u8 r = g5 % h6; g5 = h6; h6 = r; }
  check(g5 <= 128);
  check(g5 >= 0 && g5 <= 128);
  return 0;
}
