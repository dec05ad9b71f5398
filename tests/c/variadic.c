/* The largest of a variable number of arguments. */
#include <assert.h>
#include <stdarg.h>

extern int __VERIFIER_nondet_int(void);

static int largest(int count, ...) {
  va_list args;
  va_start(args, count);
  int best = va_arg(args, int);
  for (int i = 1; i < count; i++) {
    int x = va_arg(args, int);
    if (x > best) best = x;
  }
  va_end(args);
  return best;
}

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  int c = __VERIFIER_nondet_int();
  int best = largest(3, a, b, c);
  assert(best >= a && best >= b && best >= c);
  assert(best == a || best == b || best == c);
  assert(largest(1, a) == a);
  return 0;
}
