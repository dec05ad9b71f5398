// LP64: leak

#include "prelude.h"

static short *new_short(int n, short x) {
  short *p = malloc((size_t)n * sizeof *p);
  for (int i = 0; i < n; i++) p[i] = x;
  return p;
}
static unsigned short *at_unsigned_short(unsigned short *p, int i) { return &p[i]; }
static void drop_int(int **p) {
  free(*p);
  *p = NULL;
}

#include "lists.h"


#include "calls.h"

static unsigned short a3[1] = {10};
static short *p7;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  short a1[4] = {67, 45, 16, 92};
  unsigned char a2[3] = {1, 28, 79};
  unsigned a4[4] = {98, 7, 26, 4};
  mix(act((struct action){calls[in0], 36u}, sum & 255u));
  unsigned short *p5 = NULL;
  p5 = malloc(2 * sizeof(unsigned short));
  memset(p5, 83, 2 * sizeof(unsigned short));
  unsigned char *p6 = NULL;
  p6 = &a2[2];
  mix((unsigned)(p5[1]));
  p7 = new_short(5, -73);
  struct node *list8 = NULL;
  list8 = push(list8, 4);
  list8 = push(list8, 7);
  list8 = push(list8, 8);
  p5 = at_unsigned_short(p5, 0);
  memmove(p6, p6, 1 * sizeof *p6);
  mix((unsigned)(p7[3]));
  /* something will not be freed */
  mix((unsigned)(p6[0]));
  long long a9[4] = {24, 4, 9, 33};
  p5[1] ^= 27;
  int *p10 = NULL;
  p10 = calloc(2, sizeof(int));
  p10 += 0;
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 3; i++) mix((unsigned)(*(&a2[i])));
  for (int i = 0; i < 1; i++) mix((unsigned)(*(&a3[i])));
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a4[i])));
  for (int i = 0; i < 2; i++) mix((unsigned)(*(&(p5 + 0)[i])));
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&(p7 + 0)[i])));
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a9[i])));
  for (int i = 0; i < 2; i++) mix((unsigned)(*(&(p10 + 0)[i])));
  free(p7 + 0);
  drop_int(&p10);
  mix(count(list8));
  drop_list(list8);
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
