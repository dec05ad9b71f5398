/* string.h, strings.h: strings of characters. All loops stop where the standard stops reading, so an
   invalid argument shows as an invalid access here. */

MODEL size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

MODEL size_t strnlen(const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  return n;
}

MODEL char *strcpy(char *restrict to, const char *restrict from) {
  for (size_t i = 0;; i++) {
    char c = from[i];
    to[i] = c;
    if (!c) return to;
  }
}

MODEL char *stpcpy(char *restrict to, const char *restrict from) {
  for (size_t i = 0;; i++) {
    char c = from[i];
    to[i] = c;
    if (!c) return to + i;
  }
}

MODEL char *strncpy(char *restrict to, const char *restrict from, size_t n) {
  size_t i = 0;
  for (; i < n; i++) {
    char c = from[i];
    to[i] = c;
    if (!c) break;
  }
  for (; i < n; i++) to[i] = 0;
  return to;
}

MODEL char *stpncpy(char *restrict to, const char *restrict from, size_t n) {
  size_t i = 0;
  for (; i < n; i++) {
    char c = from[i];
    to[i] = c;
    if (!c) break;
  }
  char *end = to + i;
  for (; i < n; i++) to[i] = 0;
  return end;
}

MODEL size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
  size_t i = 0;
  if (size > 0) {
    for (; i < size - 1 && from[i]; i++) to[i] = from[i];
    to[i] = 0;
  }
  while (from[i]) i++;
  return i;
}

MODEL char *strcat(char *restrict to, const char *restrict from) {
  size_t end = 0;
  while (to[end]) end++;
  for (size_t i = 0;; i++) {
    char c = from[i];
    to[end + i] = c;
    if (!c) return to;
  }
}

MODEL char *strncat(char *restrict to, const char *restrict from, size_t n) {
  size_t end = 0;
  while (to[end]) end++;
  size_t i = 0;
  for (; i < n && from[i]; i++) to[end + i] = from[i];
  to[end + i] = 0;
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
  while (from[i]) i++;
  return end + i;
}

/* The standard fixes the sign of a comparison only; the models return the difference of the first
   characters that differ, as the common libraries do. */
MODEL int strcmp(const char *a, const char *b) {
  for (size_t i = 0;; i++) {
    unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
    if (x != y || !x) return x - y;
  }
}

MODEL int strcoll(const char *a, const char *b) {
  for (size_t i = 0;; i++) {
    unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
    if (x != y || !x) return x - y;
  }
}

MODEL int strncmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
    if (x != y || !x) return x - y;
  }
  return 0;
}

static int lariat_string_lower(char c) {
  unsigned char u = (unsigned char)c;
  return u >= 'A' && u <= 'Z' ? u + ('a' - 'A') : u;
}

MODEL int strcasecmp(const char *a, const char *b) {
  for (size_t i = 0;; i++) {
    int x = lariat_string_lower(a[i]), y = lariat_string_lower(b[i]);
    if (x != y || !x) return x - y;
  }
}

MODEL int strncasecmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int x = lariat_string_lower(a[i]), y = lariat_string_lower(b[i]);
    if (x != y || !x) return x - y;
  }
  return 0;
}

MODEL char *strchr(const char *s, int c) {
  for (;; s++) {
    if (*s == (char)c) return (char *)s;
    if (!*s) return NULL;
  }
}

MODEL char *index(const char *s, int c) {
  for (;; s++) {
    if (*s == (char)c) return (char *)s;
    if (!*s) return NULL;
  }
}

MODEL char *strchrnul(const char *s, int c) {
  while (*s && *s != (char)c) s++;
  return (char *)s;
}

MODEL char *strrchr(const char *s, int c) {
  const char *last = NULL;
  for (;; s++) {
    if (*s == (char)c) last = s;
    if (!*s) return (char *)last;
  }
}

MODEL char *rindex(const char *s, int c) {
  const char *last = NULL;
  for (;; s++) {
    if (*s == (char)c) last = s;
    if (!*s) return (char *)last;
  }
}

MODEL char *strstr(const char *s, const char *word) {
  for (;; s++) {
    size_t i = 0;
    while (word[i] && s[i] == word[i]) i++;
    if (!word[i]) return (char *)s;
    if (!*s) return NULL;
  }
}

MODEL char *strcasestr(const char *s, const char *word) {
  for (;; s++) {
    size_t i = 0;
    while (word[i] && lariat_string_lower(s[i]) == lariat_string_lower(word[i])) i++;
    if (!word[i]) return (char *)s;
    if (!*s) return NULL;
  }
}

/* Is `c`, which is not 0, one of the characters of `set`? */
static _Bool lariat_string_in(char c, const char *set) {
  for (; *set; set++)
    if (*set == c) return 1;
  return 0;
}

MODEL size_t strspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && lariat_string_in(s[n], set)) n++;
  return n;
}

MODEL size_t strcspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && !lariat_string_in(s[n], set)) n++;
  return n;
}

MODEL char *strpbrk(const char *s, const char *set) {
  for (; *s; s++)
    if (lariat_string_in(*s, set)) return (char *)s;
  return NULL;
}

static char *lariat_string_token(char *s, const char *set, char **rest) {
  if (!s) s = *rest;
  if (!s) return NULL;
  while (*s && lariat_string_in(*s, set)) s++;
  if (!*s) {
    *rest = s;
    return NULL;
  }
  char *token = s;
  while (*s && !lariat_string_in(*s, set)) s++;
  if (*s) *s++ = 0;
  *rest = s;
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

/* With `room` at the destination; what needs more ends the program. */
void abort(void) __attribute__((noreturn));

static char *lariat_string_append(char *to, size_t at, const char *from, size_t most, size_t room) {
  for (size_t i = 0;; i++, at++) {
    if (at >= room) abort();
    to[at] = i < most ? from[i] : 0;
    if (!to[at]) return to + at;
  }
}

static size_t lariat_string_length(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

MODEL char *__stpcpy_chk(char *to, const char *from, size_t room) {
  return lariat_string_append(to, 0, from, (size_t)-1, room);
}

MODEL char *__strcpy_chk(char *to, const char *from, size_t room) {
  lariat_string_append(to, 0, from, (size_t)-1, room);
  return to;
}

MODEL char *__strcat_chk(char *to, const char *from, size_t room) {
  lariat_string_append(to, lariat_string_length(to), from, (size_t)-1, room);
  return to;
}

MODEL char *__strncat_chk(char *to, const char *from, size_t n, size_t room) {
  lariat_string_append(to, lariat_string_length(to), from, n, room);
  return to;
}

MODEL char *__strncpy_chk(char *to, const char *from, size_t n, size_t room) {
  if (n > room) abort();
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}
