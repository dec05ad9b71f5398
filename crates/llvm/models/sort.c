/* stdlib.h, search.h: sorting and searching. */

/* Insertion sort. C leaves open how elements that compare equal are ordered: an element may move past
   its equals or not, so every order is covered. (The sequence of comparisons is this one only.) */
MODEL void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *bytes = base;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0; j--) {
      char *x = bytes + (j - 1) * size, *y = bytes + j * size;
      int order = compare(x, y);
      if (order < 0 || (order == 0 && __VERIFIER_nondet_bool())) break;
      for (size_t k = 0; k < size; k++) {
        char c = x[k];
        x[k] = y[k];
        y[k] = c;
      }
    }
}

/* The same, with an argument for the comparison. */
MODEL void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *closure) {
  char *bytes = base;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0; j--) {
      char *x = bytes + (j - 1) * size, *y = bytes + j * size;
      int order = compare(x, y, closure);
      if (order < 0 || (order == 0 && __VERIFIER_nondet_bool())) break;
      for (size_t k = 0; k < size; k++) {
        char c = x[k];
        x[k] = y[k];
        y[k] = c;
      }
    }
}

MODEL void *bsearch(const void *key, const void *base, size_t count, size_t size,
                    int (*compare)(const void *, const void *)) {
  const char *bytes = base;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *x = bytes + middle * size;
    int order = compare(key, x);
    if (order == 0) return (void *)x;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

MODEL void *lfind(const void *key, const void *base, size_t *count, size_t size,
                  int (*compare)(const void *, const void *)) {
  const char *bytes = base;
  for (size_t i = 0; i < *count; i++) {
    const char *x = bytes + i * size;
    if (compare(key, x) == 0) return (void *)x;
  }
  return NULL;
}
