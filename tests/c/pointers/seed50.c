// ILP32: deref

#include "prelude.h"


#include "trees.h"

static short *p2;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  unsigned a1[4] = {10, 68, 40, 28};
  p2 = malloc(3 * sizeof(short));
  for (int i = 0; i < 3; i++) p2[i] = in1 + 16;
  free(p2 + 0);
  if (in0 == 2) {
    mix((unsigned)(*p2));
  }
  struct tree *t3 = NULL;
  t3 = insert(t3, 17);
  mix(sum_tree(t3));
  drop_tree(t3);
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a1[i])));
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
