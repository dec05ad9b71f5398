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
static u8 f1(u8 n) { return n > 100 ? n - 3 : f1(n + 54); }

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  u8 s2 = f1(in0 & 31);
  u8 a3[5] = {0};
  u8 j5 = 0;
  int s4 = 0;
  for (u8 i = 0; i < (in0 & 15); i++) { a3[j5] = i; s4 += a3[j5]; j5 = (j5 + 4) % 6; }
  sink = (j5) * 536870912;
  check(j5 <= 4);
  return 0;
}
