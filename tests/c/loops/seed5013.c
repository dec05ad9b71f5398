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
static u8 a3[1];
static u8 f1(u8 n) { return n > 100 ? n - 2 : f1(n + 45); }

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 s2 = f1(in0 & 255);
  u8 j5 = (u8)5 >> 5;
  a3[j5] = (s2 < 10 ? s2 : 10);
  int s4 = a3[j5];
  u8 x6 = s2;
  int st7 = 0;
  while (x6) { switch (st7) { case 0: st7 = x6 > 3 ? 2 : 0; break; case 1: st7 = x6 > 100 ? 2 : 1; break; default: break; } x6 /= 3; }
  check(st7 >= 2 && st7 <= 1);
  sink = (st7) * 1073741823;
  check(st7 <= 2);
  return 0;
}
