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
  u8 s2 = 0;
  for (u8 i1 = 29 & 63; i1 > 0; i1--) {
    if (s2 > 54) break;
  }
  sink = (s2) * 2147483647;
  check(s2 <= 0);
  return 0;
}
