// LP64: leak

#include "prelude.h"

static short *new_short(int n, short x) {
  short *p = malloc((size_t)n * sizeof *p);
  for (int i = 0; i < n; i++) p[i] = x;
  return p;
}
static void drop_short(short **p) {
  free(*p);
  *p = NULL;
}

#include "lists.h"

static unsigned *p8;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  long long a1[1] = {64};
  struct node *list2 = NULL;
  list2 = push(list2, 0);
  list2 = push(list2, 6);
  list2 = push(list2, 2);
  if (list2) list2 = list2->next;
  short *p3 = NULL;
  p3 = new_short(2, -89);
  memmove(p3, p3, 1 * sizeof *p3);
  drop_short(&p3);
  struct node *list4 = NULL;
  list4 = push(list4, 0);
  list4 = push(list4, 1);
  list4 = push(list4, 3);
  long long *p5 = NULL;
  p5 = &a1[0];
  for (size_t i = 0; i < 1 * sizeof(long long); i++) mix(((unsigned char *)p5)[i]);
  unsigned char *p6 = NULL;
  p6 = calloc(1, sizeof(unsigned char));
  p5 = &a1[0];
  unsigned *p7 = NULL;
  p7 = calloc(4, sizeof(unsigned));
  p8 = p7 + 2;
  for (int i = 0; i < 1; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 1; i++) mix((unsigned)(*(&(p6 + 0)[i])));
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&(p7 + 0)[i])));
  free(p6 + 0);
  free(p8 - 2);
  mix(count(list2));
  drop_list(list2);
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
  in1 = __VERIFIER_nondet_int();
  if (in1 < 0 || in1 >= 3) return 0;
  run(in0, in1);
#ifdef NATIVE
  result = sum;
#endif
  return 0;
}
