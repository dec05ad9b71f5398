/* string.h, strings.h: blocks of memory. (memcpy, memmove and memset belong to the translation.) */

/* All bytes of both blocks have to be there, also behind the first ones that differ. */
static int lariat_memory_compare(const unsigned char *x, const unsigned char *y, size_t n) {
  __lariat_readable(x, n);
  __lariat_readable(y, n);
  LARIAT_BLOCK(0, n);
  LARIAT_BLOCK(1, n);
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

MODEL int memcmp(const void *a, const void *b, size_t n) { return lariat_memory_compare(a, b, n); }
MODEL int bcmp(const void *a, const void *b, size_t n) { return lariat_memory_compare(a, b, n); }

MODEL void *memchr(const void *block, int c, size_t n) {
  const unsigned char *s = block;
  for (size_t i = 0; i < n; i++)
    if (s[i] == (unsigned char)c) {
      LARIAT_BLOCK(0, i + 1);
      return (void *)(s + i);
    }
  LARIAT_BLOCK(0, n);
  return NULL;
}

MODEL void *rawmemchr(const void *block, int c) {
  const unsigned char *s = block;
  size_t i = 0;
  while (s[i] != (unsigned char)c) i++;
  LARIAT_BLOCK(0, i + 1);
  return (void *)(s + i);
}

MODEL void *memrchr(const void *block, int c, size_t n) {
  const unsigned char *s = block;
  LARIAT_BLOCK(0, n);
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
    if (u == (unsigned char)c) {
      LARIAT_APART(to, i + 1, from, i + 1);
      LARIAT_BLOCK(0, i + 1);
      LARIAT_BLOCK(1, i + 1);
      return x + i + 1;
    }
  }
  LARIAT_APART(to, n, from, n);
  LARIAT_BLOCK(0, n);
  LARIAT_BLOCK(1, n);
  return NULL;
}

MODEL void *memmem(const void *block, size_t n, const void *part, size_t m) {
  const unsigned char *s = block, *word = part;
  LARIAT_BLOCK(0, n);
  LARIAT_BLOCK(2, m);
  for (size_t at = 0; m <= n && at <= n - m; at++) {
    size_t i = 0;
    while (i < m && s[at + i] == word[i]) i++;
    if (i == m) return (void *)(s + at);
  }
  return NULL;
}

MODEL void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
  memcpy(to, from, n);
  LARIAT_BLOCK(0, n);
  LARIAT_BLOCK(1, n);
  return (char *)to + n;
}

MODEL void *__mempcpy(void *restrict to, const void *restrict from, size_t n) {
  memcpy(to, from, n);
  LARIAT_BLOCK(0, n);
  LARIAT_BLOCK(1, n);
  return (char *)to + n;
}

MODEL void bzero(void *block, size_t n) {
  memset(block, 0, n);
  LARIAT_BLOCK(0, n);
}

MODEL void explicit_bzero(void *block, size_t n) {
  memset(block, 0, n);
  LARIAT_BLOCK(0, n);
}

MODEL void swab(const void *restrict from, void *restrict to, long n) {
  const char *x = from;
  char *y = to;
  for (long i = 0; i + 1 < n; i += 2) {
    char c = x[i], d = x[i + 1];
    y[i] = d;
    y[i + 1] = c;
  }
  if (n > 1) {
    LARIAT_BLOCK(0, (size_t)n & ~(size_t)1);
    LARIAT_BLOCK(1, (size_t)n & ~(size_t)1);
  }
}

void *memmove(void *, const void *, size_t);

MODEL void bcopy(const void *from, void *to, size_t n) {
  memmove(to, from, n);
  LARIAT_BLOCK(0, n);
  LARIAT_BLOCK(1, n);
}

MODEL void *memfrob(void *block, size_t n) {
  unsigned char *s = block;
  for (size_t i = 0; i < n; i++) s[i] ^= 42;
  LARIAT_BLOCK(0, n);
  return block;
}
