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

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 in1 = __VERIFIER_nondet_uchar() & 15;
  s16 s2 = 1;
  for (s16 i1 = 0; i1 < in1; i1 += 2) {
    s2 ^= (i1 + 127);
    s2++;
  }
  check(s2 >= 1);
  sink = (s2) * 8421505;
  check(s2 <= 255);
  return 0;
}
