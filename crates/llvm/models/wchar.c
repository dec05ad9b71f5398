/* wchar.h: strings of wide characters. */

#define LARIAT_WIDE(argument, n) LARIAT_STRING(argument, (n) * sizeof(wchar_t))
#define LARIAT_WIDE_BLOCK(argument, n) LARIAT_BLOCK(argument, (n) * sizeof(wchar_t))
#define LARIAT_WIDE_COPIED(to, n, from, m)                                        \
  do {                                                                            \
    LARIAT_APART(to, (n) * sizeof(wchar_t), from, (m) * sizeof(wchar_t));         \
    LARIAT_WIDE(0, n);                                                            \
    LARIAT_WIDE(1, m);                                                            \
  } while (0)
#define LARIAT_WIDE_COMPARED(n) \
  do {                          \
    LARIAT_WIDE(0, n);          \
    LARIAT_WIDE(1, n);          \
  } while (0)

MODEL size_t wcslen(const wchar_t *s) {
  size_t n = 0;
  while (s[n]) n++;
  LARIAT_WIDE(0, n + 1);
  return n;
}

MODEL size_t wcsnlen(const wchar_t *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  LARIAT_WIDE(0, n < max ? n + 1 : n);
  return n;
}

MODEL wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
  for (size_t i = 0;; i++) {
    wchar_t c = from[i];
    to[i] = c;
    if (!c) {
      LARIAT_WIDE_COPIED(to, i + 1, from, i + 1);
      return to;
    }
  }
}

MODEL wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  size_t i = 0;
  for (; i < n; i++) {
    wchar_t c = from[i];
    to[i] = c;
    if (!c) break;
  }
  size_t length = i;
  for (; i < n; i++) to[i] = 0;
  LARIAT_WIDE_COPIED(to, n, from, length < n ? length + 1 : n);
  return to;
}

MODEL wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) {
  size_t end = 0;
  while (to[end]) end++;
  for (size_t i = 0;; i++) {
    wchar_t c = from[i];
    to[end + i] = c;
    if (!c) {
      LARIAT_WIDE_COPIED(to, end + i + 1, from, i + 1);
      return to;
    }
  }
}

MODEL wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  size_t end = 0;
  while (to[end]) end++;
  size_t i = 0;
  for (; i < n && from[i]; i++) to[end + i] = from[i];
  to[end + i] = 0;
  LARIAT_WIDE_COPIED(to, end + i + 1, from, i < n ? i + 1 : n);
  return to;
}

MODEL int wcscmp(const wchar_t *a, const wchar_t *b) {
  for (size_t i = 0;; i++) {
    wchar_t x = a[i], y = b[i];
    if (x != y || !x) {
      LARIAT_WIDE_COMPARED(i + 1);
      return x == y ? 0 : x < y ? -1 : 1;
    }
  }
}

MODEL int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    wchar_t x = a[i], y = b[i];
    if (x != y || !x) {
      LARIAT_WIDE_COMPARED(i + 1);
      return x == y ? 0 : x < y ? -1 : 1;
    }
  }
  LARIAT_WIDE_COMPARED(n);
  return 0;
}

MODEL wchar_t *wcschr(const wchar_t *s, wchar_t c) {
  for (size_t i = 0;; i++)
    if (s[i] == c || !s[i]) {
      LARIAT_WIDE(0, i + 1);
      return s[i] == c ? (wchar_t *)s + i : NULL;
    }
}

MODEL wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
  const wchar_t *last = NULL;
  for (size_t i = 0;; i++) {
    if (s[i] == c) last = s + i;
    if (!s[i]) {
      LARIAT_WIDE(0, i + 1);
      return (wchar_t *)last;
    }
  }
}

MODEL wchar_t *wcsstr(const wchar_t *s, const wchar_t *word) {
  for (size_t at = 0;; at++) {
    size_t i = 0;
    while (word[i] && s[at + i] == word[i]) i++;
    if (!word[i] || !s[at]) {
      LARIAT_WIDE(0, word[i] ? at + 1 : at + i);
      LARIAT_WIDE(1, i + 1);
      return word[i] ? NULL : (wchar_t *)s + at;
    }
  }
}

MODEL wchar_t *wmemset(wchar_t *s, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++) s[i] = c;
  LARIAT_WIDE_BLOCK(0, n);
  return s;
}

MODEL wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] = from[i];
  LARIAT_APART(to, n * sizeof(wchar_t), from, n * sizeof(wchar_t));
  LARIAT_WIDE_BLOCK(0, n);
  LARIAT_WIDE_BLOCK(1, n);
  return to;
}

MODEL wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
  LARIAT_WIDE_BLOCK(0, n);
  LARIAT_WIDE_BLOCK(1, n);
  if (to == from) return to;
  if (to < from)
    for (size_t i = 0; i < n; i++) to[i] = from[i];
  else
    while (n > 0) {
      n--;
      to[n] = from[n];
    }
  return to;
}

MODEL int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
  LARIAT_WIDE_BLOCK(0, n);
  LARIAT_WIDE_BLOCK(1, n);
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

MODEL wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (s[i] == c) {
      LARIAT_WIDE_BLOCK(0, i + 1);
      return (wchar_t *)(s + i);
    }
  LARIAT_WIDE_BLOCK(0, n);
  return NULL;
}
