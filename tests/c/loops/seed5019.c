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
  u8 s2 = 0;
  for (int i1 = 0; i1 < in0; i1 += 1) {
    s2 = ((s2 | 127) == (in0 & 7));
  }
  check(s2 >= 0 && s2 <= 0);
  u8 x3 = s2 & 255;
  u8 n4 = 0;
  do {
    x3 += 3;
    n4++;
  } while (x3 != 0);
  check(n4 <= 0);
  s16 s6 = 1;
  for (u8 i5 = n4 & 63; i5 > 0; i5--) {
    s6 ^= n4;
    if (s6 > 22) break;
  }
  check(s6 >= 1 && s6 <= 1);
  check(s6 >= 1 && s6 <= 0);
  return 0;
}
