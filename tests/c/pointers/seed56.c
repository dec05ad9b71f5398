// ILP32: deref

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static long long a1[2] = {47, 79};
static long long *g2 = &a1[1];
static unsigned short a3[1] = {6};
static short a4[4] = {19, 49, 31, 23};
static short *g5 = &a4[1];
static unsigned short *p6;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  p6 = &a3[0];
  long long *p7 = NULL;
  p7 = &a1[1];
  memmove(g2, p7, 1 * sizeof *g2);
  memmove(g2, p7, 1 * sizeof *g2);
  memmove(p7, p7, 1 * sizeof *p7);
  memmove(g5, g5, 2 * sizeof *g5);
  for (int i = 0; i <= 1; i++) mix((unsigned)(p6[i]));
  int *p8 = NULL;
  p8 = calloc(5, sizeof(int));
  mix(p8 == p8);
  mix(p8 < p8);
  mix((unsigned)(p8 - p8));
  for (int i = 0; i < 2; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 1; i++) mix((unsigned)(*(&a3[i])));
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a4[i])));
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&(p8 + 0)[i])));
  free(p8 + 0);
}

#ifdef NATIVE
extern unsigned result;
#define main program
#endif
int main(void) {
  int in0 = 0, in1 = 0;
  run(in0, in1);
#ifdef NATIVE
  result = sum;
#endif
  return 0;
}
