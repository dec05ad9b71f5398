// A memory leak. The function returns early where the input is wrong, and forgets the block that it has allocated before. Lariat
// reports blocks that nothing leads to any more when the program ends. Leaks are a part of the property `memsafety`.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int sum_of_squares(int n) {
  int *squares = malloc(4 * sizeof *squares);
  if (squares == NULL) return -1;
  if (n < 0 || n > 4) return -1;
  int sum = 0;
  for (int i = 0; i < n; i++) squares[i] = i * i;
  for (int i = 0; i < n; i++) sum += squares[i];
  free(squares);
  return sum;
}

int main(void) {
  return sum_of_squares(__VERIFIER_nondet_int()) > 14;
}
