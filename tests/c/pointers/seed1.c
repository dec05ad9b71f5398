// LP64: safe

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static unsigned *at_unsigned(unsigned *p, int i) { return &p[i]; }
static unsigned *pick_unsigned(unsigned *a, unsigned *b, int first) { return first ? a : b; }
static void swap_signed_char(signed char *a, signed char *b) {
  signed char t = *a;
  *a = *b;
  *b = t;
}

#include "calls.h"

static int *p2;
static signed char a4[5] = {48, 87, 27, 54, 92};
static signed char *g5 = &a4[1];
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  int a1[1] = {97};
  p2 = a1 + 0;
  for (size_t i = 0; i < 1 * sizeof(int); i++) mix(((unsigned char *)p2)[i]);
  int **pp3 = &p2;
  *pp3 = *pp3 + 0;
  (*pp3)[0] = (*pp3)[0];
  union { unsigned word; unsigned short half[2]; unsigned char byte[4]; } u6;
  u6.word = 4033691631u;
  u6.half[0] ^= 45311;
  u6.byte[1] += (unsigned char)73;
  mix(u6.word);
  union { unsigned word; unsigned short half[2]; unsigned char byte[4]; } u7;
  u7.word = 4089858807u;
  u7.half[0] ^= 54549;
  u7.byte[0] += (unsigned char)-53;
  mix(u7.word);
  unsigned *p8 = NULL;
  p8 = malloc(5 * sizeof(unsigned));
  memset(p8, 97, 5 * sizeof(unsigned));
  p8 = at_unsigned(p8, 3);
  p2[0] = in0 + 90;
  p2[0] ^= in0 + 78;
  memmove(p2, p2, 1 * sizeof *p2);
  unsigned *p9 = NULL;
  p9 = pick_unsigned(p8, p8, in0 == 2);
  swap_signed_char(g5, g5);
  mix(act((struct action){calls[2], 70u}, sum & 255u));
  unsigned **pp10 = &p8;
  *pp10 = *pp10 + 1;
  (*pp10)[0] = (*pp10)[0];
  p8[0] = 49;
  g5[in0] = in0 + 86;
  free(p9 - 3);
  for (int i = 0; i < 1; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&a4[i])));
}

static const unsigned expected[3] = {147293993u, 147207977u, 952568553u};
int main(void) {
  int in0 = 0, in1 = 0;
  in0 = __VERIFIER_nondet_int();
  if (in0 < 0 || in0 >= 3) return 0;
  run(in0, in1);
  if (sum != expected[in0 * 1 + in1]) reach_error();
  return 0;
}
