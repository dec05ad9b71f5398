/* string.h: copies on the heap. */

static char *lariat_strdup_copy(const char *s, size_t n) {
  char *copy = malloc(n + 1);
  if (!copy) return NULL;
  for (size_t i = 0; i < n; i++) copy[i] = s[i];
  copy[n] = 0;
  if (lariat_string_bound(s)) __lariat_known_string(copy, n);
  return copy;
}

MODEL char *strdup(const char *s) {
  size_t n = lariat_string_length(s, (size_t)-1);
  LARIAT_STRING(0, n + 1);
  return lariat_strdup_copy(s, n);
}

MODEL char *__strdup(const char *s) {
  size_t n = lariat_string_length(s, (size_t)-1);
  LARIAT_STRING(0, n + 1);
  return lariat_strdup_copy(s, n);
}

MODEL char *strndup(const char *s, size_t max) {
  size_t n = lariat_string_length(s, max);
  LARIAT_STRING(0, n < max ? n + 1 : n);
  return lariat_strdup_copy(s, n);
}

MODEL char *__strndup(const char *s, size_t max) {
  size_t n = lariat_string_length(s, max);
  LARIAT_STRING(0, n < max ? n + 1 : n);
  return lariat_strdup_copy(s, n);
}
