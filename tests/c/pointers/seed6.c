// ILP32: free

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static unsigned walk_short(const short *p, const short *end) {
  unsigned s = 0;
  while (p != end) {
    s = s * 2u + (unsigned)(*p);
    p++;
  }
  return s;
}
static unsigned total_short(const short *p, int n) {
  unsigned s = 0;
  for (int i = 0; i < n; i++) s += (unsigned)(p[i]);
  return s;
}
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  short a1[5] = {97, 94, 47, 40, 98};
  short *p2 = NULL;
  p2 = &a1[4];
  short *p3 = NULL;
  p3 = a1 + 0;
  free(p2);
  mix(walk_short(p3, p3 + 5));
  mix(total_short(p2, 1));
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&a1[i])));
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
