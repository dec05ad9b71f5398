// LP64: deref

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }

#include "calls.h"

static unsigned *p3;
static int *gone(int x) {
  int slot[2] = {x, x};
  int *p = slot;
  return p + 1;
}
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  signed char a1[2] = {91, 2};
  signed char a2[4] = {62, 68, 38, 97};
  mix(calls[in0](sum, 656u));
  p3 = calloc(3, sizeof(unsigned));
  union { unsigned word; unsigned short half[2]; unsigned char byte[4]; } u4;
  u4.word = 4147567637u;
  u4.half[1] ^= 39110;
  u4.byte[0] += (unsigned char)70;
  mix(u4.word);
  free(p3 + 0);
  int *p5 = gone(3);
  mix((unsigned)*p5);
  for (int i = 0; i < 2; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a2[i])));
}

#ifdef NATIVE
extern unsigned result;
#define main program
#endif
int main(void) {
  int in0 = 0, in1 = 0;
  in0 = __VERIFIER_nondet_int();
  if (in0 < 0 || in0 >= 3) return 0;
  run(in0, in1);
#ifdef NATIVE
  result = sum;
#endif
  return 0;
}
