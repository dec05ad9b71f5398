// A function without a harness: `--entry add` starts in it, with any arguments. The result is the sum, or the nearest number that fits.
// The assertion compares with arithmetic that is wide enough, and the check for overflow is on, so `safe` says that no addition here overflows.
#include <assert.h>
#include <limits.h>

int add(int a, int b) {
  int sum;
  if (b > 0 && a > INT_MAX - b) sum = INT_MAX;
  else if (b < 0 && a < INT_MIN - b) sum = INT_MIN;
  else sum = a + b;
  long long exact = (long long)a + b;
  assert(exact > INT_MAX || exact < INT_MIN || sum == exact);
  return sum;
}
