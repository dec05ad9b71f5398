/* wchar.h: strings of wide characters. */

MODEL size_t wcslen(const wchar_t *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

MODEL size_t wcsnlen(const wchar_t *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  return n;
}

MODEL wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
  for (size_t i = 0;; i++) {
    wchar_t c = from[i];
    to[i] = c;
    if (!c) return to;
  }
}

MODEL wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  size_t i = 0;
  for (; i < n; i++) {
    wchar_t c = from[i];
    to[i] = c;
    if (!c) break;
  }
  for (; i < n; i++) to[i] = 0;
  return to;
}

MODEL wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) {
  size_t end = 0;
  while (to[end]) end++;
  for (size_t i = 0;; i++) {
    wchar_t c = from[i];
    to[end + i] = c;
    if (!c) return to;
  }
}

MODEL wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  size_t end = 0;
  while (to[end]) end++;
  size_t i = 0;
  for (; i < n && from[i]; i++) to[end + i] = from[i];
  to[end + i] = 0;
  return to;
}

MODEL int wcscmp(const wchar_t *a, const wchar_t *b) {
  for (size_t i = 0;; i++) {
    wchar_t x = a[i], y = b[i];
    if (x != y) return x < y ? -1 : 1;
    if (!x) return 0;
  }
}

MODEL int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    wchar_t x = a[i], y = b[i];
    if (x != y) return x < y ? -1 : 1;
    if (!x) return 0;
  }
  return 0;
}

MODEL wchar_t *wcschr(const wchar_t *s, wchar_t c) {
  for (;; s++) {
    if (*s == c) return (wchar_t *)s;
    if (!*s) return NULL;
  }
}

MODEL wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
  const wchar_t *last = NULL;
  for (;; s++) {
    if (*s == c) last = s;
    if (!*s) return (wchar_t *)last;
  }
}

MODEL wchar_t *wcsstr(const wchar_t *s, const wchar_t *word) {
  for (;; s++) {
    size_t i = 0;
    while (word[i] && s[i] == word[i]) i++;
    if (!word[i]) return (wchar_t *)s;
    if (!*s) return NULL;
  }
}

MODEL wchar_t *wmemset(wchar_t *s, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++) s[i] = c;
  return s;
}

MODEL wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] = from[i];
  return to;
}

MODEL wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
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
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

MODEL wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (s[i] == c) return (wchar_t *)(s + i);
  return NULL;
}
