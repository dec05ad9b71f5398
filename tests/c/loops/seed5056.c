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
static s16 a5[5];

int main(void) {
  u8 in0 = __VERIFIER_nondet_uchar();
  s8 s2 = 0;
  for (int i1 = in0; i1 < in0 + 3; i1++) {
    s2++;
    if (s2 > 5) break;
  }
  sink = (s2) * 715827882;
  u8 g3 = in0, h4 = (5 % 6);
  while (h4) { u8 r = g3 % h4; g3 = h4; h4 = r; }
  sink = (g3) * 429496730;
  for (u8 i = 0; i < g3 % 7; i++) { a5[i] = (i + g3); }
  u16 s6 = 0;
  for (int i = 0; i < g3 % 7; i++) { s6 += a5[i]; }
  check(s6 >= 1);
  check(s6 >= 1);
  return 0;
}
