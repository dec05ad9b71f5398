// LP64: safe

#include "prelude.h"

static void swap_signed_char(signed char *a, signed char *b) {
  signed char t = *a;
  *a = *b;
  *b = t;
}
static unsigned *pick_unsigned(unsigned *a, unsigned *b, int first) { return first ? a : b; }
static void swap_unsigned(unsigned *a, unsigned *b) {
  unsigned t = *a;
  *a = *b;
  *b = t;
}

#include "trees.h"

static unsigned a1[5] = {59, 99, 31, 83, 6};
static signed char a3[5] = {1, 93, 27, 52, 35};
static signed char *g4 = &a3[3];
static unsigned *p8;
static signed char *p9;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  signed char a2[3] = {31, 48, 69};
  union { unsigned word; unsigned short half[2]; unsigned char byte[4]; } u5;
  u5.word = 308944456u;
  u5.half[1] ^= 16606;
  u5.byte[1] += (unsigned char)-100;
  mix(u5.word);
  unsigned *p6 = NULL;
  p6 = &a1[1];
  g4 = (signed char *)((char *)g4 + 1 * (int)sizeof(signed char));
  swap_signed_char(g4, g4);
  struct tree *t7 = NULL;
  t7 = insert(t7, 9);
  t7 = insert(t7, 0);
  t7 = insert(t7, 11);
  t7 = insert(t7, 13);
  mix(sum_tree(t7));
  drop_tree(t7);
  p6 = &a1[2];
  mix((unsigned)(p6[1]));
  p8 = in0 == 2 ? p6 : p6;
  p9 = malloc(3 * sizeof(signed char));
  memset(p9, 187, 3 * sizeof(signed char));
  g4[-1] = 81;
  swap_unsigned(p6, p6);
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 3; i++) mix((unsigned)(*(&a2[i])));
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&a3[i])));
  for (int i = 0; i < 3; i++) mix((unsigned)(*(&(p9 + 0)[i])));
  free(p9 + 0);
}

static const unsigned expected[3] = {2233282614u, 2233282614u, 2233282614u};
int main(void) {
  int in0 = 0, in1 = 0;
  in0 = __VERIFIER_nondet_int();
  if (in0 < 0 || in0 >= 3) return 0;
  run(in0, in1);
  if (sum != expected[in0 * 1 + in1]) reach_error();
  return 0;
}
