// ILP32: safe

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static void advance_unsigned(unsigned **p, int n) { *p += n; }
static unsigned total_long_long(const long long *p, int n) {
  unsigned s = 0;
  for (int i = 0; i < n; i++) s += (unsigned)(p[i]);
  return s;
}

#include "lists.h"

static long long a1[3] = {54, 39, 43};
static long long *g2 = &a1[2];
static unsigned *p3;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  p3 = calloc(5, sizeof(unsigned));
  union { unsigned word; unsigned short half[2]; unsigned char byte[4]; } u4;
  u4.word = 262994761u;
  u4.half[1] ^= 7829;
  u4.byte[3] += (unsigned char)-58;
  mix(u4.word);
  advance_unsigned(&p3, 1);
  g2[0] = in0 + 46;
  mix(total_long_long(g2, 1));
  memmove(g2, g2, 1 * sizeof *g2);
  long long **pp5 = &g2;
  *pp5 = *pp5 + 0;
  (*pp5)[0] = (*pp5)[0];
  struct node *list6 = NULL;
  list6 = push(list6, 2);
  p3[2] = in0 + 66;
  p3[1] = 56;
  for (int i = 0; i < 3; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&(p3 - 1)[i])));
  free(p3 - 1);
  mix(count(list6));
  drop_list(list6);
}

static const unsigned expected[3] = {1832887254u, 759138262u, 3980164049u};
int main(void) {
  int in0 = 0, in1 = 0;
  in0 = __VERIFIER_nondet_int();
  if (in0 < 0 || in0 >= 3) return 0;
  run(in0, in1);
  if (sum != expected[in0 * 1 + in1]) reach_error();
  return 0;
}
