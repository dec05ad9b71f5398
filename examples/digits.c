// A proof with help. Two numbers are built digit by digit, the second one always `factor` times as large. That is an equation with a
// product of variables, which is hard to guess; stated at the loop, it is easy to check. The claim is not believed: if a round did not keep it, Lariat
// would say so, and use it no further.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned base = __VERIFIER_nondet_uint(), factor = __VERIFIER_nondet_uint();
  unsigned number = 0, multiple = 0;
  while (__VERIFIER_nondet_uint())
    __LARIAT_invariant(multiple == number * factor)
  {
    unsigned digit = __VERIFIER_nondet_uint();
    number = number * base + digit;
    multiple = multiple * base + digit * factor;
  }
  assert(multiple == number * factor);
  return 0;
}
