// LP64: safe

#include "prelude.h"

static void drop_unsigned_char(unsigned char **p) {
  free(*p);
  *p = NULL;
}
static void drop_long_long(long long **p) {
  free(*p);
  *p = NULL;
}

#include "lists.h"

static int a3[1] = {92};
static int *g4 = &a3[0];
static unsigned char *p6;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  short a1[4] = {72, 7, 95, 67};
  struct node *list2 = NULL;
  list2 = push(list2, 5);
  short *p5 = NULL;
  p5 = malloc(2 * sizeof(short));
  memset(p5, 184, 2 * sizeof(short));
  p6 = calloc(5, sizeof(unsigned char));
  for (size_t i = 0; i < 2 * sizeof(short); i++) mix(((unsigned char *)p5)[i]);
  long long *p7 = NULL;
  p7 = malloc(5 * sizeof(long long));
  memset(p7, 23, 5 * sizeof(long long));
  free(p5 + 0);
  unsigned short *p8 = NULL;
  p8 = malloc(4 * sizeof(unsigned short));
  memset(p8, 198, 4 * sizeof(unsigned short));
  memmove(p7, p7, 2 * sizeof *p7);
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 1; i++) mix((unsigned)(*(&a3[i])));
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&(p6 + 0)[i])));
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&(p7 + 0)[i])));
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&(p8 + 0)[i])));
  drop_unsigned_char(&p6);
  drop_long_long(&p7);
  free(p8 + 0);
  mix(count(list2));
  drop_list(list2);
}

static const unsigned expected[3] = {3102277067u, 3102277067u, 3102277067u};
int main(void) {
  int in0 = 0, in1 = 0;
  in0 = __VERIFIER_nondet_int();
  if (in0 < 0 || in0 >= 3) return 0;
  run(in0, in1);
  if (sum != expected[in0 * 1 + in1]) reach_error();
  return 0;
}
