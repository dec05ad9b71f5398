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
static u8 a1[6];
static s8 a3[1];

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  for (u8 i = 0; i < 6; i++) { a1[i + 1] = (i / 6); }
  s16 s2 = 0;
  for (int i = 0; i < 6; i++) { s2 |= a1[i + 1]; }
  check(s2 >= 0);
  u8 j5 = (u8)(s2 / 2) >> 3;
  a3[j5] = s2;
  int s4 = a3[j5];
  check(s4 >= 0);
  check(s4 <= 0);
  return 0;
}
