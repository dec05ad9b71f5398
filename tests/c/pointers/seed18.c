// ILP32: deref

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }

#include "lists.h"

static unsigned short *p5;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  unsigned short a1[4] = {23, 61, 37, 58};
  int *p2;
  {
    int a3[2] = {1, 2};
    p2 = a3;
    mix((unsigned)p2[1]);
  }
  mix((unsigned)*p2);
  union { unsigned word; unsigned short half[2]; unsigned char byte[4]; } u4;
  u4.word = 3043969411u;
  u4.half[0] ^= 36874;
  u4.byte[3] += (unsigned char)45;
  mix(u4.word);
  p5 = &a1[3];
  struct node *list6 = NULL;
  list6 = push(list6, 4);
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a1[i])));
  mix(count(list6));
  drop_list(list6);
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
