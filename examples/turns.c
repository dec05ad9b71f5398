// A proof about a loop that runs as often as an input says. Following the loop for some rounds proves nothing about later ones, so
// Lariat looks for an invariant: something that holds before the first round and that each round keeps.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), left = 0, right = 0;
  for (unsigned i = 0; i < n; i++) {
    if (left == right) left++;
    else right++;
  }
  assert(left == right || left == right + 1);
  return 0;
}
