/* Insertion sort keeps the elements and orders them. */
#include <assert.h>

extern signed char __VERIFIER_nondet_char(void);

#define N 3

static void sort(signed char *a, int n) {
  for (int i = 1; i < n; i++) {
    signed char x = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > x) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = x;
  }
}

static int sum(const signed char *a, int n) {
  int total = 0;
  for (int i = 0; i < n; i++)
    total += a[i];
  return total;
}

int main(void) {
  signed char a[N];
  for (int i = 0; i < N; i++)
    a[i] = __VERIFIER_nondet_char();
  int before = sum(a, N);
  sort(a, N);
  for (int i = 0; i + 1 < N; i++)
    assert(a[i] <= a[i + 1]);
  assert(sum(a, N) == before);
  return 0;
}
