// LP64: deref

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static unsigned short *new_unsigned_short(int n, unsigned short x) {
  unsigned short *p = malloc((size_t)n * sizeof *p);
  for (int i = 0; i < n; i++) p[i] = x;
  return p;
}
static void advance_unsigned_short(unsigned short **p, int n) { *p += n; }

#include "calls.h"

static int a1[3] = {62, 45, 45};
static int *g2 = &a1[1];
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  unsigned a3[2] = {80, 0};
  ((unsigned char *)(g2 + -1))[2] ^= 149;
  mix(g2 == g2);
  mix(g2 < g2);
  mix((unsigned)(g2 - g2));
  mix(act((struct action){calls[2], 91u}, sum & 255u));
  int *p4;
  {
    int a5[2] = {1, 2};
    p4 = a5;
    mix((unsigned)p4[1]);
  }
  mix((unsigned)*p4);
  mix(calls[in0](sum, 730u));
  unsigned short *p6 = NULL;
  p6 = new_unsigned_short(1, in0 + 4);
  advance_unsigned_short(&p6, 0);
  for (int i = 0; i < 3; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 2; i++) mix((unsigned)(*(&a3[i])));
  for (int i = 0; i < 1; i++) mix((unsigned)(*(&(p6 + 0)[i])));
  free(p6 + 0);
}

#ifdef NATIVE
extern unsigned result;
#define main program
#endif
int main(void) {
  int in0 = 0, in1 = 0;
  in0 = __VERIFIER_nondet_int();
  if (in0 < 0 || in0 >= 3) return 0;
  in1 = __VERIFIER_nondet_int();
  if (in1 < 0 || in1 >= 3) return 0;
  run(in0, in1);
#ifdef NATIVE
  result = sum;
#endif
  return 0;
}
