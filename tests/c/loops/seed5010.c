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
static s8 a1[8];

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  for (u8 i = 0; i < (in0 & 7); i++) { a1[i + 1] = (in0 ^ i); }
  u8 s2 = 0;
  for (int i = 0; i < (in0 & 7); i++) { s2 += a1[i + 1]; }
  check(s2 >= 0 && s2 <= 255);
  check(s2 <= 255);
  return 0;
}
