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
  s8 s2 = 1;
  for (int i1 = 0; i1 < in0; i1 += 1) {
    if ((in0 >> 2) > (0 == i1)) s2++;
    if (s2 & 1) s2 += 3; else s2 >>= 1;
  }
  check(s2 <= 28);
  check(s2 >= 1 && s2 <= 27);
  return 0;
}
