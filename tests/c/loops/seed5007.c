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
  u8 a1[3] = {0};
  a1[0] = 3;
  a1[1] = (255 == 7);
  a1[2] = (7 >> 1);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2 - i; j++) {
      if (a1[j] > a1[j + 1]) { u8 t = a1[j]; a1[j] = a1[j + 1]; a1[j + 1] = t; }
    }
  int s2 = a1[0] - a1[2];
  int s4 = 1;
  for (u8 i3 = s2 & 63; i3 > 0; i3--) {
    if (s4 & 1) s4 += 3; else s4 >>= 1;
    if (s4 > 11) break;
    check(s4 >= 1 && s4 <= 3);
  }
  check(s4 <= 4);
  check(s4 >= 4);
  return 0;
}
