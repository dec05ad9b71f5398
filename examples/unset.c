// A variable that is not always set. `largest` gets a value in the first round, but there may be no round. Reading it is not an error of
// every program (padding is copied all the time), so the property `uninit` has to be asked for.
#include <limits.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int largest_of(unsigned n) {
  int largest;
  for (unsigned i = 0; i < n; i++) {
    int value = __VERIFIER_nondet_int();
    if (i == 0 || value > largest) largest = value;
  }
  return largest;
}

int main(void) {
  return largest_of(__VERIFIER_nondet_uchar() % 3) == INT_MAX;
}
