// ILP32: safe

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static void advance_struct_pair(struct pair **p, int n) { *p += n; }
static unsigned total_struct_pair(const struct pair *p, int n) {
  unsigned s = 0;
  for (int i = 0; i < n; i++) s += hash_pair(&(p[i]));
  return s;
}

#include "calls.h"

static unsigned *p5;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  struct pair a1[4] = {{41, {2, 1}, NULL}, {2, {8, 1}, NULL}, {31, {5, 1}, NULL}, {4, {3, 1}, NULL}};
  struct pair *p2 = NULL;
  p2 = a1 + 2;
  p2[0].a = -66;
  if (in0 == 2) {
    int *p3;
    {
      int a4[2] = {1, 2};
      p3 = a4;
      mix((unsigned)p3[1]);
    }
    mix((unsigned)*p3);
  }
  p5 = calloc(5, sizeof(unsigned));
  mix(calls[0](sum, 508u));
  advance_struct_pair(&p2, -2);
  p5[4] = 14;
  p2[2].a = 10;
  mix(hash_pair(&(p2[2])));
  (p2 + 1)->b[1] = 97;
  struct pair **pp6 = &p2;
  *pp6 = *pp6 + 2;
  (*pp6)[0] = (*pp6)[0];
  p5 = (unsigned *)((uintptr_t)p5 + (uintptr_t)(3 * (long)sizeof(unsigned)));
  for (size_t i = 0; i < 2 * sizeof(unsigned); i++) mix(((unsigned char *)p5)[i]);
  mix(total_struct_pair(p2, 2));
  p5[0] = 53;
  for (int i = 0; i < 4; i++) mix(hash_pair(&(*(&a1[i]))));
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&(p5 - 3)[i])));
  free(p5 - 3);
}

static const unsigned expected[1] = {906814366u};
int main(void) {
  int in0 = 0, in1 = 0;
  run(in0, in1);
  if (sum != expected[in0 * 1 + in1]) reach_error();
  return 0;
}
