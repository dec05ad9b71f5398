// ILP32: free

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static unsigned total_int(const int *p, int n) {
  unsigned s = 0;
  for (int i = 0; i < n; i++) s += (unsigned)(p[i]);
  return s;
}

#include "lists.h"

static int a2[3] = {95, 77, 39};
static int *g3 = &a2[0];
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  struct pair a1[1] = {{42, {4, 1}, NULL}};
  struct node *list4 = NULL;
  list4 = push(list4, 0);
  list4 = push(list4, 2);
  memmove(g3, g3, 2 * sizeof *g3);
  mix(total_int(g3, 3));
  free(g3);
  g3 = (int *)((uintptr_t)g3 + (uintptr_t)(1 * (long)sizeof(int)));
  struct pair *p5 = NULL;
  p5 = malloc(1 * sizeof(struct pair));
  for (int i = 0; i < 1; i++) p5[i] = (struct pair){1, {7, 1}, NULL};
  g3[0] = -64;
  mix(count(list4));
  g3[-1] ^= -75;
  mix((unsigned)(g3[1]));
  for (int i = 0; i < 1; i++) mix(hash_pair(&(*(&a1[i]))));
  for (int i = 0; i < 3; i++) mix((unsigned)(*(&a2[i])));
  for (int i = 0; i < 1; i++) mix(hash_pair(&(*(&(p5 + 0)[i]))));
  free(p5 + 0);
  mix(count(list4));
  drop_list(list4);
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
