// ILP32: safe

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static short *pick_short(short *a, short *b, int first) { return first ? a : b; }

#include "lists.h"


#include "calls.h"

static short a1[4] = {37, 3, 28, 14};
static short *p4;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  short *p2 = NULL;
  p2 = a1 + 3;
  union { unsigned word; unsigned short half[2]; unsigned char byte[4]; } u3;
  u3.word = 2877773253u;
  u3.half[1] ^= 9640;
  u3.byte[2] += (unsigned char)in1 + 28;
  mix(u3.word);
  p4 = &a1[2];
  struct node *list5 = NULL;
  list5 = push(list5, 0);
  list5 = push(list5, 5);
  p4[1] = -52;
  p2 += -3;
  memmove(p4, p2, 2 * sizeof *p4);
  short *p6 = NULL;
  p6 = pick_short(p4, p4, in0 == 1);
  mix(act((struct action){calls[1], 94u}, sum & 255u));
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a1[i])));
  mix(count(list5));
  drop_list(list5);
}

static const unsigned expected[9] = {1472446751u, 1472332063u, 1472348447u, 1472446751u, 1472332063u, 1472348447u, 1472446751u, 1472332063u, 1472348447u};
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
