// LP64: deref

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static void drop_signed_char(signed char **p) {
  free(*p);
  *p = NULL;
}

#include "lists.h"

static long long a1[5] = {82, 32, 86, 45, 90};
static long long *g2 = &a1[0];
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  signed char *p3 = NULL;
  p3 = malloc(1 * sizeof(signed char));
  memset(p3, 49, 1 * sizeof(signed char));
  drop_signed_char(&p3);
  g2[4] ^= 44;
  mix(g2 == g2);
  mix(g2 < g2);
  mix((unsigned)(g2 - g2));
  struct node *list4 = NULL;
  list4 = push(list4, 7);
  list4 = push(list4, 6);
  list4 = push(list4, 5);
  delete_value(&list4, 6);
  g2 = &a1[2];
  mix(g2 == g2);
  mix(g2 < g2);
  mix((unsigned)(g2 - g2));
  mix(g2 == g2);
  mix(g2 < g2);
  mix((unsigned)(g2 - g2));
  g2[1] = in0 + 55;
  for (struct node *n = list4; n->value >= 0; n = n->next) mix(1u);
  list4 = reverse(list4);
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&a1[i])));
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
