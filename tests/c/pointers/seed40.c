// ILP32: deref

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static int *at_int(int *p, int i) { return &p[i]; }
static int a1[2] = {97, 44};
static int *g2 = &a1[1];
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  int *p3 = NULL;
  p3 = &a1[0];
  p3 = at_int(p3, 0);
  int a4[2] = {0};
  memset(g2, 0, 1 * sizeof *a4 + 1);
  memmove(p3, p3, 1 * sizeof *p3);
  for (int i = 0; i < 2; i++) mix((unsigned)(*(&a1[i])));
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
