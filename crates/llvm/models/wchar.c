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

/* Returns the length. */
static size_t lariat_wide_copy(wchar_t *restrict to, const wchar_t *restrict from) {
  for (size_t i = 0;; i++) {
    wchar_t c = from[i];
    to[i] = c;
    if (!c) {
      LARIAT_WIDE_COPIED(to, i + 1, from, i + 1);
      return i;
    }
  }
}

MODEL wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
  lariat_wide_copy(to, from);
  return to;
}

MODEL wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from) { return to + lariat_wide_copy(to, from); }

MODEL wchar_t *wcsdup(const wchar_t *s) {
  size_t n = 0;
  while (s[n]) n++;
  LARIAT_WIDE(0, n + 1);
  wchar_t *copy = malloc((n + 1) * sizeof *copy);
  if (!copy) return NULL;
  for (size_t i = 0; i <= n; i++) copy[i] = s[i];
  return copy;
}

/* Returns the length without padding. */
static size_t lariat_wide_pad(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  size_t i = 0;
  for (; i < n; i++) {
    wchar_t c = from[i];
    to[i] = c;
    if (!c) break;
  }
  size_t length = i;
  for (; i < n; i++) to[i] = 0;
  LARIAT_WIDE_COPIED(to, n, from, length < n ? length + 1 : n);
  return length;
}

MODEL wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  lariat_wide_pad(to, from, n);
  return to;
}

MODEL wchar_t *wcpncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  return to + lariat_wide_pad(to, from, n);
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

static int lariat_wide_compare(const wchar_t *a, const wchar_t *b) {
  for (size_t i = 0;; i++) {
    wchar_t x = a[i], y = b[i];
    if (x != y || !x) {
      LARIAT_WIDE_COMPARED(i + 1);
      return x == y ? 0 : x < y ? -1 : 1;
    }
  }
}

MODEL int wcscmp(const wchar_t *a, const wchar_t *b) { return lariat_wide_compare(a, b); }
MODEL int wcscoll(const wchar_t *a, const wchar_t *b) { return lariat_wide_compare(a, b); }

static wchar_t lariat_wide_lower(wchar_t c) { return c >= L'A' && c <= L'Z' ? c + (L'a' - L'A') : c; }

static int lariat_wide_letters(const wchar_t *a, const wchar_t *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    wchar_t x = lariat_wide_lower(a[i]), y = lariat_wide_lower(b[i]);
    if (x != y || !x) {
      LARIAT_WIDE_COMPARED(i + 1);
      return x == y ? 0 : x < y ? -1 : 1;
    }
  }
  LARIAT_WIDE_COMPARED(n);
  return 0;
}

MODEL int wcscasecmp(const wchar_t *a, const wchar_t *b) { return lariat_wide_letters(a, b, (size_t)-1); }
MODEL int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n) { return lariat_wide_letters(a, b, n); }

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

MODEL wchar_t *wcschrnul(const wchar_t *s, wchar_t c) {
  size_t i = 0;
  while (s[i] && s[i] != c) i++;
  LARIAT_WIDE(0, i + 1);
  return (wchar_t *)s + i;
}

/* Is `c`, which is not 0, one of the characters of `set`? */
static _Bool lariat_wide_in(wchar_t c, const wchar_t *set) {
  for (; *set; set++)
    if (*set == c) return 1;
  return 0;
}

/* How many characters from here on are in the set, or are not. */
static size_t lariat_wide_span(const wchar_t *s, const wchar_t *set, _Bool in) {
  size_t n = 0, m = 0;
  while (set[m]) m++;
  LARIAT_WIDE(1, m + 1);
  while (s[n] && lariat_wide_in(s[n], set) == in) n++;
  return n;
}

MODEL size_t wcsspn(const wchar_t *s, const wchar_t *set) {
  size_t n = lariat_wide_span(s, set, 1);
  LARIAT_WIDE(0, n + 1);
  return n;
}

MODEL size_t wcscspn(const wchar_t *s, const wchar_t *set) {
  size_t n = lariat_wide_span(s, set, 0);
  LARIAT_WIDE(0, n + 1);
  return n;
}

MODEL wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set) {
  size_t n = lariat_wide_span(s, set, 0);
  LARIAT_WIDE(0, n + 1);
  return s[n] ? (wchar_t *)s + n : NULL;
}

MODEL wchar_t *wcstok(wchar_t *restrict s, const wchar_t *restrict set, wchar_t **restrict rest) {
  if (!s) s = *rest;
  if (!s) return NULL;
  s += lariat_wide_span(s, set, 1);
  if (!*s) {
    *rest = NULL;
    return NULL;
  }
  size_t n = lariat_wide_span(s, set, 0);
  *rest = s[n] ? s + n + 1 : NULL;
  s[n] = 0;
  return s;
}

MODEL wchar_t *wmemset(wchar_t *s, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++) s[i] = c;
  LARIAT_WIDE_BLOCK(0, n);
  return s;
}

static void lariat_wide_block(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] = from[i];
  LARIAT_APART(to, n * sizeof(wchar_t), from, n * sizeof(wchar_t));
  LARIAT_WIDE_BLOCK(0, n);
  LARIAT_WIDE_BLOCK(1, n);
}

MODEL wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  lariat_wide_block(to, from, n);
  return to;
}

MODEL wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  lariat_wide_block(to, from, n);
  return to + n;
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
  __lariat_readable(a, n * sizeof(wchar_t));
  __lariat_readable(b, n * sizeof(wchar_t));
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
