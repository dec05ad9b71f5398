/* string.h, strings.h: strings of characters. All loops stop where the standard stops reading, so an
   invalid argument shows as an invalid access here. */

MODEL size_t strlen(const char *s) {
  size_t n = lariat_string_length(s, (size_t)-1);
  LARIAT_STRING(0, n + 1);
  return n;
}

MODEL size_t strnlen(const char *s, size_t max) {
  size_t n = lariat_string_length(s, max);
  LARIAT_STRING(0, n < max ? n + 1 : n);
  return n;
}

/* Two strings that are copied, from the first argument to the second. */
#define LARIAT_COPIED(to, n, from, m) \
  do {                                \
    LARIAT_APART(to, n, from, m);     \
    LARIAT_STRING(0, n);              \
    LARIAT_STRING(1, m);              \
  } while (0)

/* Returns the length. */
static size_t lariat_string_copy(char *restrict to, const char *restrict from) {
  if (lariat_string_bound(from)) {
    size_t n = lariat_string_length(from, (size_t)-1);
    for (size_t i = 0; i <= n; i++) to[i] = __lariat_peek(from + i);
    __lariat_known_string(to, n);
    LARIAT_COPIED(to, n + 1, from, n + 1);
    return n;
  }
  for (size_t i = 0;; i++) {
    char c = from[i];
    to[i] = c;
    if (!c) {
      LARIAT_COPIED(to, i + 1, from, i + 1);
      return i;
    }
  }
}

MODEL char *strcpy(char *restrict to, const char *restrict from) {
  lariat_string_copy(to, from);
  return to;
}

MODEL char *stpcpy(char *restrict to, const char *restrict from) { return to + lariat_string_copy(to, from); }

/* Returns the length without padding. */
static size_t lariat_string_pad(char *restrict to, const char *restrict from, size_t n) {
  size_t i = 0;
  for (; i < n; i++) {
    char c = from[i];
    to[i] = c;
    if (!c) break;
  }
  size_t length = i;
  for (; i < n; i++) to[i] = 0;
  LARIAT_COPIED(to, n, from, length < n ? length + 1 : n);
  return length;
}

MODEL char *strncpy(char *restrict to, const char *restrict from, size_t n) {
  lariat_string_pad(to, from, n);
  return to;
}

MODEL char *stpncpy(char *restrict to, const char *restrict from, size_t n) {
  return to + lariat_string_pad(to, from, n);
}

/* Text whose bytes compare as the locale orders it: in "C", the text itself. What is stored where it does not fit is left open; here, a
   part of it. */
static size_t lariat_string_ordered(char *restrict to, const char *restrict from, size_t size) {
  size_t i = 0;
  for (; from[i]; i++)
    if (i < size) to[i] = from[i];
  if (i < size) to[i] = 0;
  LARIAT_COPIED(to, i < size ? i + 1 : size, from, i + 1);
  return i;
}

MODEL size_t strxfrm(char *restrict to, const char *restrict from, size_t size) { return lariat_string_ordered(to, from, size); }

MODEL size_t strxfrm_l(char *restrict to, const char *restrict from, size_t size, void *locale) {
  (void)locale;
  return lariat_string_ordered(to, from, size);
}

MODEL size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
  size_t i = 0;
  if (size > 0) {
    for (; i < size - 1 && from[i]; i++) to[i] = from[i];
    to[i] = 0;
  }
  size_t copied = size > 0 ? i + 1 : 0;
  while (from[i]) i++;
  LARIAT_COPIED(to, copied, from, i + 1);
  return i;
}

MODEL char *strcat(char *restrict to, const char *restrict from) {
  size_t end = 0;
  while (to[end]) end++;
  for (size_t i = 0;; i++) {
    char c = from[i];
    to[end + i] = c;
    if (!c) {
      LARIAT_COPIED(to, end + i + 1, from, i + 1);
      return to;
    }
  }
}

MODEL char *strncat(char *restrict to, const char *restrict from, size_t n) {
  size_t end = 0;
  while (to[end]) end++;
  size_t i = 0;
  for (; i < n && from[i]; i++) to[end + i] = from[i];
  to[end + i] = 0;
  LARIAT_COPIED(to, end + i + 1, from, i < n ? i + 1 : n);
  return to;
}

MODEL size_t strlcat(char *restrict to, const char *restrict from, size_t size) {
  size_t end = 0;
  while (end < size && to[end]) end++;
  size_t i = 0;
  if (end < size) {
    for (; end + i < size - 1 && from[i]; i++) to[end + i] = from[i];
    to[end + i] = 0;
  }
  size_t used = end < size ? end + i + 1 : size;
  while (from[i]) i++;
  LARIAT_COPIED(to, used, from, i + 1);
  return end + i;
}

/* Two strings that are compared, up to here. */
#define LARIAT_COMPARED(n) \
  do {                     \
    LARIAT_STRING(0, n);   \
    LARIAT_STRING(1, n);   \
  } while (0)

/* The standard fixes the sign of a comparison only; the models return the difference of the first
   characters that differ, as the common libraries do. */
static int lariat_string_compare(const char *a, const char *b) {
  for (size_t i = 0;; i++) {
    unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
    if (x != y || !x) {
      LARIAT_COMPARED(i + 1);
      return x - y;
    }
  }
}

MODEL int strcmp(const char *a, const char *b) { return lariat_string_compare(a, b); }
MODEL int strcoll(const char *a, const char *b) { return lariat_string_compare(a, b); }

MODEL int strcoll_l(const char *a, const char *b, void *locale) {
  (void)locale;
  return lariat_string_compare(a, b);
}

MODEL int strncmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
    if (x != y || !x) {
      LARIAT_COMPARED(i + 1);
      return x - y;
    }
  }
  LARIAT_COMPARED(n);
  return 0;
}

static int lariat_string_lower(char c) {
  unsigned char u = (unsigned char)c;
  return u >= 'A' && u <= 'Z' ? u + ('a' - 'A') : u;
}

static int lariat_string_compare_letters(const char *a, const char *b) {
  for (size_t i = 0;; i++) {
    int x = lariat_string_lower(a[i]), y = lariat_string_lower(b[i]);
    if (x != y || !x) {
      LARIAT_COMPARED(i + 1);
      return x - y;
    }
  }
}

MODEL int strcasecmp(const char *a, const char *b) { return lariat_string_compare_letters(a, b); }

MODEL int strcasecmp_l(const char *a, const char *b, void *locale) {
  (void)locale;
  return lariat_string_compare_letters(a, b);
}

static int lariat_string_compare_some(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int x = lariat_string_lower(a[i]), y = lariat_string_lower(b[i]);
    if (x != y || !x) {
      LARIAT_COMPARED(i + 1);
      return x - y;
    }
  }
  LARIAT_COMPARED(n);
  return 0;
}

MODEL int strncasecmp(const char *a, const char *b, size_t n) { return lariat_string_compare_some(a, b, n); }

MODEL int strncasecmp_l(const char *a, const char *b, size_t n, void *locale) {
  (void)locale;
  return lariat_string_compare_some(a, b, n);
}

static char *lariat_string_first(const char *s, char c) {
  for (size_t i = 0;; i++)
    if (s[i] == c || !s[i]) {
      LARIAT_STRING(0, i + 1);
      return s[i] == c ? (char *)s + i : NULL;
    }
}

MODEL char *strchr(const char *s, int c) { return lariat_string_first(s, (char)c); }
MODEL char *index(const char *s, int c) { return lariat_string_first(s, (char)c); }

MODEL char *strchrnul(const char *s, int c) {
  size_t i = 0;
  while (s[i] && s[i] != (char)c) i++;
  LARIAT_STRING(0, i + 1);
  return (char *)s + i;
}

static char *lariat_string_last(const char *s, char c) {
  const char *last = NULL;
  for (size_t i = 0;; i++) {
    if (s[i] == c) last = s + i;
    if (!s[i]) {
      LARIAT_STRING(0, i + 1);
      return (char *)last;
    }
  }
}

MODEL char *strrchr(const char *s, int c) { return lariat_string_last(s, (char)c); }
MODEL char *rindex(const char *s, int c) { return lariat_string_last(s, (char)c); }

/* The first place where all of a word stands. (Of the place, what was looked at; of the word, what was looked at last.) */
#define LARIAT_FIND(same)                               \
  for (size_t at = 0;; at++) {                          \
    size_t i = 0;                                       \
    while (word[i] && same(s[at + i], word[i])) i++;    \
    if (!word[i] || !s[at]) {                           \
      LARIAT_STRING(0, word[i] ? at + 1 : at + i);      \
      LARIAT_STRING(1, i + 1);                          \
      return word[i] ? NULL : (char *)s + at;           \
    }                                                   \
  }

#define LARIAT_SAME(x, y) ((x) == (y))
#define LARIAT_SAME_LETTER(x, y) (lariat_string_lower(x) == lariat_string_lower(y))

MODEL char *strstr(const char *s, const char *word) { LARIAT_FIND(LARIAT_SAME) }
MODEL char *strcasestr(const char *s, const char *word) { LARIAT_FIND(LARIAT_SAME_LETTER) }

/* Is `c`, which is not 0, one of the characters of `set`? */
static _Bool lariat_string_in(char c, const char *set) {
  for (; *set; set++)
    if (*set == c) return 1;
  return 0;
}

/* Says how far a set goes: to the end of the string, however much of it was looked at. */
static void lariat_string_set(const char *set) {
#ifdef LARIAT_STRINGS
  size_t n = 0;
  while (set[n]) n++;
  LARIAT_STRING(1, n + 1);
#else
  (void)set;
#endif
}

MODEL size_t strspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && lariat_string_in(s[n], set)) n++;
  lariat_string_set(set);
  LARIAT_STRING(0, n + 1);
  return n;
}

MODEL size_t strcspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && !lariat_string_in(s[n], set)) n++;
  lariat_string_set(set);
  LARIAT_STRING(0, n + 1);
  return n;
}

MODEL char *strpbrk(const char *s, const char *set) {
  lariat_string_set(set);
  for (size_t i = 0;; i++)
    if (!s[i] || lariat_string_in(s[i], set)) {
      LARIAT_STRING(0, i + 1);
      return s[i] ? (char *)s + i : NULL;
    }
}

static char *lariat_string_token(char *s, const char *set, char **rest) {
  lariat_string_set(set);
  if (!s) s = *rest;
  if (!s) return NULL;
  size_t i = 0;
  while (s[i] && lariat_string_in(s[i], set)) i++;
  if (!s[i]) {
    LARIAT_STRING(0, i + 1);
    *rest = s + i;
    return NULL;
  }
  char *token = s + i;
  while (s[i] && !lariat_string_in(s[i], set)) i++;
  LARIAT_STRING(0, i + 1);
  if (s[i]) s[i++] = 0;
  *rest = s + i;
  return token;
}

static char *lariat_string_rest;

MODEL char *strtok(char *restrict s, const char *restrict set) {
  return lariat_string_token(s, set, &lariat_string_rest);
}

MODEL char *strtok_r(char *restrict s, const char *restrict set, char **restrict rest) {
  return lariat_string_token(s, set, rest);
}

MODEL char *__strtok_r(char *restrict s, const char *restrict set, char **restrict rest) {
  return lariat_string_token(s, set, rest);
}

MODEL char *strsep(char **restrict rest, const char *restrict set) {
  char *token = *rest;
  lariat_string_set(set);
  if (!token) return NULL;
  char *s = token;
  while (*s && !lariat_string_in(*s, set)) s++;
  if (*s) {
    *s = 0;
    *rest = s + 1;
  } else {
    *rest = NULL;
  }
  return token;
}
