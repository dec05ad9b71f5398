// Integer overflow. The middle of two numbers, as it stood in many libraries for binary search: the sum of the two does not fit
// into an `int` if both are large, although the result would. Signed overflow is undefined behaviour in C, so the addition is what
// is reported, not the assertion. `low + (high - low) / 2` repairs it, and Lariat proves that.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int middle(int low, int high) {
  return (low + high) / 2;
}

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low < 0 || low > high) return 0;
  int m = middle(low, high);
  assert(low <= m && m <= high);
  return 0;
}
