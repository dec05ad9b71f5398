// LP64: deref

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static void swap_unsigned(unsigned *a, unsigned *b) {
  unsigned t = *a;
  *a = *b;
  *b = t;
}

#include "trees.h"


#include "calls.h"

static unsigned a1[1] = {61};
static unsigned *g2 = &a1[0];
static unsigned char a3[3] = {79, 8, 17};
static unsigned char *g4 = &a3[2];
static unsigned *p5;
static unsigned char *p8;
static unsigned *p9;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  mix(calls[1](sum, 417u));
  p5 = a1 + 0;
  struct tree *t6 = NULL;
  t6 = insert(t6, 13);
  mix(sum_tree(t6));
  drop_tree(t6);
  for (int i = 0; i <= 1; i++) mix((unsigned)(g2[i]));
  unsigned **pp7 = &p5;
  *pp7 = *pp7 + 0;
  (*pp7)[0] = (*pp7)[0];
  p8 = &a3[1];
  mix((unsigned)(g2[0]));
  p9 = &a1[0];
  swap_unsigned(p9, p9);
  for (int i = 0; i < 1; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 3; i++) mix((unsigned)(*(&a3[i])));
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
