/* Averages of the readings that are valid; division only by what cannot be zero. */
#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

#define INVALID (-1)

static int average(const int *readings, int n) {
  int sum = 0, valid = 0;
  for (int i = 0; i < n; i++) {
    if (readings[i] < 0 || readings[i] > 1000) continue;
    sum += readings[i];
    valid++;
  }
  if (valid == 0) return INVALID;
  return sum / valid;
}

static int quotient(int a, int b) {
  if (b == 0) return 0;
  if (a == INT_MIN && b == -1) return INT_MAX;
  return a / b;
}

int main(void) {
  int readings[3];
  for (int i = 0; i < 3; i++)
    readings[i] = __VERIFIER_nondet_int();
  int mean = average(readings, 3);
  assert(mean >= INVALID && mean <= 1000);
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  int q = quotient(a, b);
  if (b == 1) assert(q == a);
  return 0;
}
