/* Fractions in lowest terms, by Euclid's algorithm. */
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct fraction {
  int top, bottom;
};

static int gcd(int a, int b) {
  if (b == 0) return a;
  return gcd(b, a % b);
}

static struct fraction reduce(struct fraction f) {
  int d = gcd(f.top, f.bottom);
  struct fraction r = {f.top / d, f.bottom / d};
  return r;
}

int main(void) {
  int top = __VERIFIER_nondet_uchar() & 3;
  int bottom = (__VERIFIER_nondet_uchar() & 3) + 1;
  struct fraction f = {top, bottom};
  struct fraction r = reduce(f);
  assert(r.top * bottom == top * r.bottom);
  assert(r.bottom > 0 && r.bottom <= bottom);
  if (top == bottom) assert(r.top == 1 && r.bottom == 1);
  return 0;
}
