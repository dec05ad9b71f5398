/* Binary search in a constant table. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
enum { COUNT = sizeof primes / sizeof primes[0] };

static int find(int key) {
  int low = 0, high = COUNT - 1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (primes[middle] == key) return middle;
    if (primes[middle] < key)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}

int main(void) {
  int key = __VERIFIER_nondet_int();
  int at = find(key);
  if (at >= 0) {
    if (primes[at] != key) reach_error();
  } else {
    for (int i = 0; i < COUNT; i++)
      if (primes[i] == key) reach_error();
  }
  return 0;
}
