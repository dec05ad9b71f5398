// LP64: safe

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static struct pair *at_struct_pair(struct pair *p, int i) { return &p[i]; }
static struct pair a2[5] = {{32, {6, 1}, NULL}, {36, {5, 1}, NULL}, {39, {8, 1}, NULL}, {48, {6, 1}, NULL}, {25, {2, 1}, NULL}};
static struct pair *g3 = &a2[0];
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  unsigned a1[1] = {76};
  g3[1].a ^= 76;
  g3 += 3;
  signed char *p4 = NULL;
  p4 = calloc(2, sizeof(signed char));
  g3 = at_struct_pair(g3, 1);
  signed char *p5 = NULL;
  p5 = malloc(1 * sizeof(signed char));
  memset(p5, 169, 1 * sizeof(signed char));
  memmove(p4, p4, 1 * sizeof *p4);
  p5 = realloc(p5, 5 * sizeof *p5);
  for (int i = 1; i < 5; i++) p5[i] = -32;
  mix(p5 == p4);
  for (int i = 0; i < 1; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 5; i++) mix(hash_pair(&(*(&a2[i]))));
  for (int i = 0; i < 2; i++) mix((unsigned)(*(&(p4 + 0)[i])));
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&(p5 + 0)[i])));
  free(p4 + 0);
  free(p5 + 0);
}

static const unsigned expected[1] = {1171144092u};
int main(void) {
  int in0 = 0, in1 = 0;
  run(in0, in1);
  if (sum != expected[in0 * 1 + in1]) reach_error();
  return 0;
}
