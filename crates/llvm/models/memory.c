/* string.h, strings.h: blocks of memory. (memcpy, memmove and memset belong to the translation.) */

MODEL int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

MODEL int bcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

MODEL void *memchr(const void *block, int c, size_t n) {
  const unsigned char *s = block;
  for (size_t i = 0; i < n; i++)
    if (s[i] == (unsigned char)c) return (void *)(s + i);
  return NULL;
}

MODEL void *rawmemchr(const void *block, int c) {
  const unsigned char *s = block;
  while (*s != (unsigned char)c) s++;
  return (void *)s;
}

MODEL void *memrchr(const void *block, int c, size_t n) {
  const unsigned char *s = block;
  while (n > 0)
    if (s[--n] == (unsigned char)c) return (void *)(s + n);
  return NULL;
}

MODEL void *memccpy(void *restrict to, const void *restrict from, int c, size_t n) {
  unsigned char *x = to;
  const unsigned char *y = from;
  for (size_t i = 0; i < n; i++) {
    unsigned char u = y[i];
    x[i] = u;
    if (u == (unsigned char)c) return x + i + 1;
  }
  return NULL;
}

MODEL void *memmem(const void *block, size_t n, const void *part, size_t m) {
  const unsigned char *s = block, *word = part;
  for (size_t at = 0; m <= n && at <= n - m; at++) {
    size_t i = 0;
    while (i < m && s[at + i] == word[i]) i++;
    if (i == m) return (void *)(s + at);
  }
  return NULL;
}

MODEL void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
  memcpy(to, from, n);
  return (char *)to + n;
}

MODEL void *__mempcpy(void *restrict to, const void *restrict from, size_t n) {
  memcpy(to, from, n);
  return (char *)to + n;
}

MODEL void bzero(void *block, size_t n) { memset(block, 0, n); }

MODEL void explicit_bzero(void *block, size_t n) { memset(block, 0, n); }

MODEL void swab(const void *restrict from, void *restrict to, long n) {
  const char *x = from;
  char *y = to;
  for (long i = 0; i + 1 < n; i += 2) {
    char c = x[i], d = x[i + 1];
    y[i] = d;
    y[i + 1] = c;
  }
}

void *memmove(void *, const void *, size_t);

MODEL void bcopy(const void *from, void *to, size_t n) { memmove(to, from, n); }
