/* Arithmetic that stops at the ends of the range. */
#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

static int add(int a, int b) {
  if (b > 0 && a > INT_MAX - b) return INT_MAX;
  if (b < 0 && a < INT_MIN - b) return INT_MIN;
  return a + b;
}

static int negate(int a) {
  return a == INT_MIN ? INT_MAX : -a;
}

static int distance(int a, int b) {
  long long d = (long long)a - b;
  if (d < 0) d = -d;
  return d > INT_MAX ? INT_MAX : (int)d;
}

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  int s = add(a, b);
  if (b >= 0) assert(s >= a);
  if (b <= 0) assert(s <= a);
  assert(negate(negate(a)) == a || a == INT_MIN);
  assert(distance(a, b) >= 0);
  assert(distance(a, b) == distance(b, a));
  return 0;
}
