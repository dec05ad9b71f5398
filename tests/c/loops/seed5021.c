// natively: assert
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
  s16 s2 = in1;
  for (s16 i1 = in1 & 63; i1 > 0; i1--) {
    s2 = in0;
  }
  check(s2 >= 0);
  u8 x3 = in0;
  int st4 = 0;
  while (x3) { switch (st4) { case 0: st4 = x3 & 1 ? 2 : 1; break; case 1: st4 = x3 > 100 ? 1 : 0; break; default: break; } x3 --; }
  check(st4 <= 2);
  s8 a5[6] = {0};
  for (u8 i = 0; i < s2 % 6; i++) { a5[i + 1] = (s2 - s2); }
  s8 s6 = 0;
  for (int i = 0; i < s2 % 6; i++) { s6 ^= a5[i + 1]; }
  check(s6 >= 1 && s6 <= 0);
  return 0;
}
