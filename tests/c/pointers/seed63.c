// LP64: safe

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static signed char *new_signed_char(int n, signed char x) {
  signed char *p = malloc((size_t)n * sizeof *p);
  for (int i = 0; i < n; i++) p[i] = x;
  return p;
}
static void advance_short(short **p, int n) { *p += n; }

#include "calls.h"

static short a5[5] = {50, 56, 6, 47, 7};
static short *g6 = &a5[2];
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  struct pair a1[1] = {{47, {1, 1}, NULL}};
  unsigned char a2[2] = {9, 80};
  mix(act((struct action){calls[2], 29u}, sum & 255u));
  union { unsigned word; unsigned short half[2]; unsigned char byte[4]; } u3;
  u3.word = 2386545147u;
  u3.half[1] ^= 47317;
  u3.byte[3] += (unsigned char)79;
  mix(u3.word);
  signed char *p4 = NULL;
  p4 = new_signed_char(1, 92);
  g6[2] = in1 + 49;
  advance_short(&g6, 1);
  union { unsigned word; unsigned short half[2]; unsigned char byte[4]; } u7;
  u7.word = 1571224341u;
  u7.half[1] ^= 44686;
  u7.byte[1] += (unsigned char)in0 + 25;
  mix(u7.word);
  for (int i = 0; i < 1; i++) mix(hash_pair(&(*(&a1[i]))));
  for (int i = 0; i < 2; i++) mix((unsigned)(*(&a2[i])));
  for (int i = 0; i < 1; i++) mix((unsigned)(*(&(p4 + 0)[i])));
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&a5[i])));
  free(p4 + 0);
}

static const unsigned expected[9] = {2664560707u, 2664560704u, 2664560705u, 2666657859u, 2666657856u, 2666657857u, 2660366403u, 2660366400u, 2660366401u};
int main(void) {
  int in0 = 0, in1 = 0;
  in0 = __VERIFIER_nondet_int();
  if (in0 < 0 || in0 >= 3) return 0;
  in1 = __VERIFIER_nondet_int();
  if (in1 < 0 || in1 >= 3) return 0;
  run(in0, in1);
  if (sum != expected[in0 * 3 + in1]) reach_error();
  return 0;
}
