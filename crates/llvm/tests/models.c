/* Runs the models beside the functions of the C library on random arguments. The models come with the
   prefix `model_`. Every buffer is exactly as large as it must be, so that a sanitizer sees each byte
   that is touched without need. */

#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
#include <arpa/inet.h>
#include "models.h"

/* The same prototypes for the models. */
DECLARE(strlen) DECLARE(strnlen) DECLARE(strcpy) DECLARE(stpcpy) DECLARE(strncpy) DECLARE(stpncpy)
DECLARE(strcat) DECLARE(strncat) DECLARE(strcmp) DECLARE(strcoll) DECLARE(strncmp)
DECLARE(strverscmp) DECLARE(mbstowcs) DECLARE(wcstombs) DECLARE(strcasecmp) DECLARE(strncasecmp) DECLARE(strspn) DECLARE(strcspn)
DECLARE(strtok_r) DECLARE(strtok) DECLARE(strsep) DECLARE(strdup) DECLARE(strndup) DECLARE(memcmp)
DECLARE(memccpy) DECLARE(mempcpy) DECLARE(bzero) DECLARE(swab) DECLARE(memmem)
extern char *model_strchr(const char *, int), *model_strrchr(const char *, int);
extern char *model_strchrnul(const char *, int), *model_index(const char *, int), *model_rindex(const char *, int);
extern char *model_strstr(const char *, const char *), *model_strcasestr(const char *, const char *);
extern char *model_strpbrk(const char *, const char *);
extern void *model_memchr(const void *, int, size_t), *model_memrchr(const void *, int, size_t);
extern void *model_rawmemchr(const void *, int);
extern size_t model_strlcpy(char *, const char *, size_t), model_strlcat(char *, const char *, size_t);
DECLARE(wcslen) DECLARE(wcsnlen) DECLARE(wcscpy) DECLARE(wcsncpy) DECLARE(wcscat) DECLARE(wcsncat) DECLARE(wcscmp)
DECLARE(wcsncmp) DECLARE(wmemset) DECLARE(wmemcpy) DECLARE(wmemmove) DECLARE(wmemcmp)
extern wchar_t *model_wcschr(const wchar_t *, wchar_t), *model_wcsrchr(const wchar_t *, wchar_t);
extern wchar_t *model_wcsstr(const wchar_t *, const wchar_t *), *model_wmemchr(const wchar_t *, wchar_t, size_t);
DECLARE(isupper) DECLARE(islower) DECLARE(isalpha) DECLARE(isdigit) DECLARE(isxdigit) DECLARE(isspace)
DECLARE(isprint) DECLARE(isgraph) DECLARE(isblank) DECLARE(iscntrl) DECLARE(ispunct) DECLARE(isalnum)
DECLARE(isascii) DECLARE(toascii) DECLARE(tolower) DECLARE(toupper)
DECLARE(__ctype_b_loc) DECLARE(__ctype_tolower_loc) DECLARE(__ctype_toupper_loc)
DECLARE(iswupper) DECLARE(iswlower) DECLARE(iswalpha) DECLARE(iswdigit) DECLARE(iswxdigit) DECLARE(iswspace)
DECLARE(iswprint) DECLARE(iswgraph) DECLARE(iswblank) DECLARE(iswcntrl) DECLARE(iswpunct) DECLARE(iswalnum)
DECLARE(towlower) DECLARE(towupper)
DECLARE(__errno_location) DECLARE(abs) DECLARE(labs) DECLARE(llabs) DECLARE(imaxabs) DECLARE(div) DECLARE(ldiv)
DECLARE(lldiv) DECLARE(imaxdiv) DECLARE(rand) DECLARE(getenv) DECLARE(setenv) DECLARE(unsetenv) DECLARE(putenv) DECLARE(clearenv)
DECLARE(atoi) DECLARE(atol) DECLARE(atoll)
extern char **model_environ;
DECLARE(qsort) DECLARE(lfind)
extern void *model_bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
extern long model_strtol(const char *, char **, int), model___isoc23_strtol(const char *, char **, int);
extern long long model_strtoll(const char *, char **, int);
extern unsigned long model_strtoul(const char *, char **, int), model___isoc23_strtoul(const char *, char **, int);
extern unsigned long long model_strtoull(const char *, char **, int);
/* The library's own functions by their names: headers may rename them. */
extern long plain_strtol(const char *, char **, int) __asm__("strtol");
extern long long plain_strtoll(const char *, char **, int) __asm__("strtoll");
extern unsigned long plain_strtoul(const char *, char **, int) __asm__("strtoul");
extern unsigned long long plain_strtoull(const char *, char **, int) __asm__("strtoull");
DECLARE(snprintf) DECLARE(sprintf) DECLARE(vsnprintf) DECLARE(asprintf)
DECLARE(swprintf)
extern int model_sscanf(const char *, const char *, ...);
extern int plain_sscanf(const char *, const char *, ...) __asm__("__isoc99_sscanf");
extern int model_scanf(const char *, ...);
DECLARE(fgets) DECLARE(fread) DECLARE(getline) DECLARE(fgetc)
DECLARE(htons) DECLARE(ntohs) DECLARE(htonl) DECLARE(ntohl) DECLARE(read)
DECLARE(lround) DECLARE(lrint) DECLARE(modf) DECLARE(fdim) DECLARE(lroundf) DECLARE(modff)

/* A new string of exactly its size over a small alphabet. */
static char *text(const char *alphabet, unsigned max) {
  unsigned n = below(max + 1), m = (unsigned)strlen(alphabet);
  char *s = malloc(n + 1);
  for (unsigned i = 0; i < n; i++) s[i] = alphabet[below(m)];
  s[n] = 0;
  return s;
}

static char *copy(const char *s, size_t size) {
  char *t = malloc(size ? size : 1);
  memcpy(t, s, size);
  return t;
}

static void strings(void) {
  const char *alphabet = below(2) ? "ab" : "aAbB\x80\xff,;";
  char *a = text(alphabet, 7), *b = text(alphabet, 3);
  size_t la = strlen(a), lb = strlen(b), n = below(9);
  int c = below(4) ? alphabet[below((unsigned)strlen(alphabet))] : 0;
  if (below(2)) c += 256;
  SAME(model_strlen(a), la);
  SAME(model_strnlen(a, n), strnlen(a, n));
  SAME(model_strcmp(a, b), (unsigned char)a[0] == (unsigned char)b[0] ? model_strcmp(a, b) : (unsigned char)a[0] - (unsigned char)b[0]);
  SAME(sign(model_strcmp(a, b)), sign(strcmp(a, b)));
  SAME(sign(model_strcoll(a, b)), sign(strcoll(a, b)));
  SAME(sign(model_strncmp(a, b, n)), sign(strncmp(a, b, n)));
  SAME(sign(model_strcasecmp(a, b)), sign(strcasecmp(a, b)));
  SAME(sign(model_strncasecmp(a, b, n)), sign(strncasecmp(a, b, n)));
  SAME(sign(model_strverscmp(a, b)), sign(strverscmp(a, b)));
  SAME(model_strspn(a, b), strspn(a, b));
  SAME(model_strcspn(a, b), strcspn(a, b));
  TRUE(model_strchr(a, c) == strchr(a, c));
  TRUE(model_index(a, c) == strchr(a, c));
  TRUE(model_strrchr(a, c) == strrchr(a, c));
  TRUE(model_rindex(a, c) == strrchr(a, c));
  TRUE(model_strchrnul(a, c) == strchrnul(a, c));
  TRUE(model_strstr(a, b) == strstr(a, b));
  TRUE(model_strcasestr(a, b) == strcasestr(a, b));
  TRUE(model_strpbrk(a, b) == strpbrk(a, b));

  char *x = malloc(la + 1), *y = malloc(la + 1);
  TRUE(model_strcpy(x, a) == x);
  SAME(memcmp(x, a, la + 1), 0);
  TRUE(model_stpcpy(y, a) == y + la);
  SAME(memcmp(y, a, la + 1), 0);
  free(x), free(y);

  x = calloc(n + 1, 1), y = calloc(n + 1, 1);
  memset(x, 'z', n), memset(y, 'z', n);
  TRUE(model_strncpy(x, a, n) == x);
  strncpy(y, a, n);
  SAME(memcmp(x, y, n), 0);
  memset(x, 'z', n), memset(y, 'z', n);
  SAME(model_stpncpy(x, a, n) - x, stpncpy(y, a, n) - y);
  SAME(memcmp(x, y, n), 0);
  memset(x, 'z', n + 1);
  SAME(model_strlcpy(x, a, n), la);
  if (n > 0) {
    size_t k = la < n - 1 ? la : n - 1;
    SAME(memcmp(x, a, k), 0);
    SAME(x[k], 0);
  }
  SAME(x[n], 'z');
  free(x), free(y);

  x = malloc(la + lb + 1), y = malloc(la + lb + 1);
  strcpy(x, a), strcpy(y, a);
  TRUE(model_strcat(x, b) == x);
  SAME(memcmp(x, strcat(y, b), la + lb + 1), 0);
  free(x), free(y);
  size_t k = strnlen(b, n);
  x = malloc(la + k + 1), y = malloc(la + k + 1);
  strcpy(x, a), strcpy(y, a);
  TRUE(model_strncat(x, b, n) == x);
  SAME(memcmp(x, strncat(y, b, n), la + k + 1), 0);
  free(x), free(y);
  size_t room = la + 1 + below(4);
  x = malloc(room);
  strcpy(x, a);
  SAME(model_strlcat(x, b, room), la + lb);
  SAME(strlen(x), la + lb < room ? la + lb : room - 1);
  SAME(memcmp(x, a, la), 0);
  SAME(memcmp(x + la, b, strlen(x) - la), 0);
  free(x);

  x = copy(a, la + 1), y = copy(a, la + 1);
  char *s = x, *t = y, *restx, *resty;
  for (;; s = t = NULL) {
    char *p = model_strtok_r(s, b, &restx), *q = strtok_r(t, b, &resty);
    SAME(p ? p - x : -1, q ? q - y : -1);
    SAME(memcmp(x, y, la + 1), 0);
    if (!p) break;
  }
  memcpy(x, a, la + 1), memcpy(y, a, la + 1);
  for (s = x, t = y;; s = t = NULL) {
    char *p = model_strtok(s, b), *q = strtok(t, b);
    SAME(p ? p - x : -1, q ? q - y : -1);
    SAME(memcmp(x, y, la + 1), 0);
    if (!p) break;
  }
  memcpy(x, a, la + 1), memcpy(y, a, la + 1);
  for (s = x, t = y;;) {
    char *p = model_strsep(&s, b), *q = strsep(&t, b);
    SAME(p ? p - x : -1, q ? q - y : -1);
    SAME(memcmp(x, y, la + 1), 0);
    if (!p) break;
  }
  free(x), free(y);
  x = model_strdup(a), y = model_strndup(a, n);
  SAME(strcmp(x, a), 0);
  SAME(strlen(y), strnlen(a, n));
  SAME(strncmp(y, a, strlen(y)), 0);
  free(x), free(y);
  free(a), free(b);
}

static void blocks(void) {
  char *a = text("ab\x80", 6), *b = text("ab\x80", 6);
  size_t la = strlen(a), lb = strlen(b), n = la < lb ? la : lb;
  char *x = copy(a, la), *y = copy(b, lb);
  int c = "ab\x80z"[below(4)];
  SAME(sign(model_memcmp(x, y, n)), sign(memcmp(x, y, n)));
  TRUE(model_memchr(x, c, la) == memchr(x, c, la));
  TRUE(model_memrchr(x, c, la) == memrchr(x, c, la));
  if (memchr(x, c, la)) TRUE(model_rawmemchr(x, c) == memchr(x, c, la));
  TRUE(model_memmem(x, la, y, lb) == memmem(x, la, y, lb));
  char *p = malloc(la + 1), *q = malloc(la + 1);
  memset(p, 'z', la + 1), memset(q, 'z', la + 1);
  char *e = model_memccpy(p, x, c, la), *f = memccpy(q, x, c, la);
  SAME(e ? e - p : -1, f ? f - q : -1);
  SAME(memcmp(p, q, la + 1), 0);
  TRUE(model_mempcpy(p, x, la) == p + la);
  SAME(memcmp(p, x, la), 0);
  model_swab(x, p, (long)la), swab(x, q, (long)la);
  SAME(memcmp(p, q, la & ~(size_t)1), 0);
  model_bzero(p, la);
  for (size_t i = 0; i < la; i++) SAME(p[i], 0);
  free(p), free(q), free(x), free(y), free(a), free(b);
}

static wchar_t *wide(unsigned max) {
  unsigned n = below(max + 1);
  wchar_t *s = malloc((n + 1) * sizeof *s);
  for (unsigned i = 0; i < n; i++) s[i] = L"abc\x7ffffff0"[below(4)];
  s[n] = 0;
  return s;
}

static void wides(void) {
  wchar_t *a = wide(6), *b = wide(3);
  size_t la = wcslen(a), lb = wcslen(b), n = below(8), m = la < lb ? la : lb;
  wchar_t c = L"abcd"[below(5)];
  SAME(model_wcslen(a), la);
  SAME(model_wcsnlen(a, n), wcsnlen(a, n));
  SAME(sign(model_wcscmp(a, b)), sign(wcscmp(a, b)));
  SAME(sign(model_wcsncmp(a, b, n)), sign(wcsncmp(a, b, n)));
  SAME(sign(model_wmemcmp(a, b, m)), sign(wmemcmp(a, b, m)));
  TRUE(model_wcschr(a, c) == wcschr(a, c));
  TRUE(model_wcsrchr(a, c) == wcsrchr(a, c));
  TRUE(model_wcsstr(a, b) == wcsstr(a, b));
  TRUE(model_wmemchr(a, c, la) == wmemchr(a, c, la));
  wchar_t *x = malloc((la + lb + 1) * sizeof *x), *y = malloc((la + lb + 1) * sizeof *x);
  model_wcscpy(x, a), wcscpy(y, a);
  model_wcscat(x, b), wcscat(y, b);
  SAME(wcscmp(x, y), 0);
  wcscpy(x, a), wcscpy(y, a);
  model_wcsncat(x, b, n), wcsncat(y, b, n);
  SAME(wcscmp(x, y), 0);
  model_wmemmove(x + 1, x, la), wmemmove(y + 1, y, la);
  SAME(la + lb > 0 && wmemcmp(x, y, la + (lb > 0)), 0);
  free(x), free(y);
  x = malloc((n + 1) * sizeof *x), y = malloc((n + 1) * sizeof *x);
  model_wcsncpy(x, a, n), wcsncpy(y, a, n);
  SAME(wmemcmp(x, y, n), 0);
  model_wmemset(x, c, n), wmemset(y, c, n);
  SAME(wmemcmp(x, y, n), 0);
  model_wmemcpy(x, a, n < la ? n : la), wmemcpy(y, a, n < la ? n : la);
  SAME(wmemcmp(x, y, n), 0);
  free(x), free(y), free(a), free(b);
}

static void characters(void) {
#define CLASS(name) SAME(model_##name(c), name(c));
  for (int c = -1; c < 256; c++) {
    CLASS(isupper) CLASS(islower) CLASS(isalpha) CLASS(isdigit) CLASS(isxdigit) CLASS(isspace) CLASS(isprint)
    CLASS(isgraph) CLASS(isblank) CLASS(iscntrl) CLASS(ispunct) CLASS(isalnum) CLASS(isascii) CLASS(toascii)
    CLASS(tolower) CLASS(toupper)
    SAME(model_toascii(c), toascii(c));
  }
#define WIDE(name) SAME(model_##name(c) != 0, name(c) != 0);
  for (wint_t c = 0; c < 256; c++) {
    WIDE(iswupper) WIDE(iswlower) WIDE(iswalpha) WIDE(iswdigit) WIDE(iswxdigit) WIDE(iswspace) WIDE(iswprint)
    WIDE(iswgraph) WIDE(iswblank) WIDE(iswcntrl) WIDE(iswpunct) WIDE(iswalnum)
    SAME(model_towlower(c), towlower(c));
    SAME(model_towupper(c), towupper(c));
  }
  for (int c = -128; c < 256; c++) {
    SAME((*model___ctype_b_loc())[c], (*__ctype_b_loc())[c]);
    SAME((*model___ctype_tolower_loc())[c], (*__ctype_tolower_loc())[c]);
    SAME((*model___ctype_toupper_loc())[c], (*__ctype_toupper_loc())[c]);
  }
}

static void arithmetic(void) {
  long long a = (long long)any() >> below(64), b = (long long)any() >> below(64);
  if (a == LLONG_MIN || b == 0) return;
  if ((int)a != INT_MIN) {
    SAME(model_abs((int)a), abs((int)a));
    if ((int)b != 0) {
      div_t p = model_div((int)a, (int)b), q = div((int)a, (int)b);
      SAME(p.quot, q.quot);
      SAME(p.rem, q.rem);
    }
  }
  SAME(model_labs(a), labs(a));
  SAME(model_llabs(a), llabs(a));
  SAME(model_imaxabs(a), imaxabs(a));
  SAME(model_ldiv(a, b).rem, a % b);
  SAME(model_lldiv(a, b).quot, a / b);
  SAME(model_imaxdiv(a, b).quot, a / b);
  TRUE(model_rand() >= 0);
  SAME(model_htons((unsigned short)a), htons((unsigned short)a));
  SAME(model_ntohs((unsigned short)a), ntohs((unsigned short)a));
  SAME(model_htonl((unsigned)a), htonl((unsigned)a));
  SAME(model_ntohl((unsigned)a), ntohl((unsigned)a));
}

static char *numeral(void) {
  char s[80];
  int n = 0;
  for (unsigned i = below(3); i > 0; i--) s[n++] = " \t\v"[below(3)];
  if (below(2)) s[n++] = "+-"[below(2)];
  if (below(2)) n += sprintf(s + n, "%s", (const char *[]){"0x", "0X", "0", "0b", "0x0"}[below(5)]);
  switch (below(3)) {
    case 0:
      for (unsigned i = below(24); i > 0; i--) s[n++] = "0123456789abcdefxyz"[below(below(2) ? 10 : 19)];
      break;
    case 1:
      n += sprintf(s + n, "%llu", any() >> below(64));
      break;
    default:
      n += sprintf(s + n, "%llu", (2ull << (30 + below(2) + 32 * below(2))) - below(3));
  }
  if (below(2)) s[n++] = "gz- 9."[below(6)];
  s[n] = 0;
  return copy(s, (size_t)n + 1);
}

static void numbers(void) {
  char *s = numeral();
  int base = (int[]){0, 2, 8, 10, 16, 36, 10, 10, 37, 1, -1, 7}[below(12)];
  char *p, *q;
#define NUMBER(model, real)                    \
  p = q = NULL;                                \
  *model___errno_location() = errno = 7;       \
  SAME(model(s, &p, base), real(s, &q, base)); \
  TRUE(p == q || base < 0 || base == 1 || base > 36); \
  SAME(*model___errno_location(), errno);
  NUMBER(model_strtol, plain_strtol)
  NUMBER(model_strtoll, plain_strtoll)
  NUMBER(model_strtoul, plain_strtoul)
  NUMBER(model_strtoull, plain_strtoull)
#if __GLIBC_PREREQ(2, 38)
  NUMBER(model___isoc23_strtol, strtol)
  NUMBER(model___isoc23_strtoul, strtoul)
#endif
  SAME(model_strtol(s, NULL, 10), plain_strtol(s, NULL, 10));
  SAME(model_atoi(s), atoi(s));
  SAME(model_atol(s), atol(s));
  SAME(model_atoll(s), atoll(s));
  free(s);
}

/* Pairs of key and mark: the mark shows which of the equal elements is where. */
struct pair { int key, mark; };
static int by_key(const void *a, const void *b) {
  const struct pair *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

static void sorting(void) {
  size_t n = below(7);
  struct pair *a = malloc(n * sizeof *a + 1), *b = malloc(n * sizeof *b + 1);
  unsigned marks = 0;
  for (size_t i = 0; i < n; i++) a[i] = b[i] = (struct pair){(int)below(5), (int)i};
  model_qsort(a, n, sizeof *a, by_key), qsort(b, n, sizeof *b, by_key);
  for (size_t i = 0; i < n; i++) {
    SAME(a[i].key, b[i].key);
    marks |= 1u << a[i].mark;
  }
  SAME(marks, (1u << n) - 1);
  struct pair key = {(int)below(6), 0};
  struct pair *p = model_bsearch(&key, a, n, sizeof *a, by_key), *q = bsearch(&key, a, n, sizeof *a, by_key);
  SAME(!p, !q);
  if (p) TRUE(p >= a && p < a + n && p->key == key.key);
  TRUE(model_lfind(&key, a, &n, sizeof *a, by_key) == lfind(&key, a, &n, sizeof *a, by_key));
  free(a), free(b);
}

static void wide_formats(void) {
  static const wchar_t *const with_number[] = {L"%d", L"<%5d>", L"%-4x|", L"%#o", L"%+.3i%%"};
  static const wchar_t *const with_text[] = {L"%ls", L"<%6ls>", L"%-3.2ls|"};
  size_t size = 1 + below(12);
  wchar_t *x = malloc(size * sizeof *x), *y = malloc(size * sizeof *y);
  int r, t;
  if (below(2)) {
    const wchar_t *f = with_number[below(5)];
    int v = (int)(any() >> below(64));
    r = model_swprintf(x, size, f, v);
    t = swprintf(y, size, f, v);
  } else {
    const wchar_t *f = with_text[below(3)], *s = &L"abcdef"[below(7)];
    r = model_swprintf(x, size, f, s);
    t = swprintf(y, size, f, s);
  }
  SAME(r < 0 ? -1 : r, t < 0 ? -1 : t);
  if (t >= 0) SAME(wcscmp(x, y), 0);
  free(x), free(y);
}

/* Any kind of number: of any magnitude, whole, with few digits, or close to where digits are rounded. */
static double real(void) {
  double v = (double)(any() >> below(64));
  switch (below(5)) {
  case 0: return -v;
  case 1: return v / (double)(1 + below(1000));
  case 2: return v / 1024 / 1024 / (double)(1u << below(31));
  case 3: return (double)(1 + below(2000)) / 2 / (double[]){1, 10, 100, 1000, 1e4, 1e5, 1e7, 1e9}[below(8)];
  default: return below(8) ? v * 1e-20 : below(2) ? 1 / 0.0 : 0.0;
  }
}

static void formats(void) {
  char f[64], *s = text("abc", 6);
  int n = sprintf(f, "<%%");
  for (unsigned i = below(3); i > 0; i--) f[n++] = "-+ #0"[below(5)];
  int width = (int)below(9) - 3, precision = (int)below(9) - 1;
  _Bool star = below(4) == 0, precise = below(2), stars = below(2);
  if (star)
    f[n++] = '*';
  else if (width > 0)
    n += sprintf(f + n, "%d", width);
  if (precise) n += stars ? sprintf(f + n, ".*") : sprintf(f + n, ".%d", precision < 0 ? 0 : precision);
  unsigned kind = below(6), size = below(20);
  unsigned long long v = any() >> below(64);
  if (below(8) == 0) v = 0;
  if (below(2)) v = -v;
  char *x = malloc(size + 1), *y = malloc(size + 1), *new = NULL;
  int r = 0, t = 0;
  const char *conversions = "diuxXo";
#define FORMAT(value)                                                                    \
  do {                                                                                   \
    char *full;                                                                          \
    sprintf(f + n, "%s>%%%%", end);                                                      \
    if (star && precise && stars) {                                                      \
      r = model_snprintf(x, size, f, width, precision, value);                           \
      t = snprintf(y, size, f, width, precision, value);                                 \
      model_asprintf(&new, f, width, precision, value);                                  \
      (void)!asprintf(&full, f, width, precision, value);                                \
    } else if (star || (precise && stars)) {                                             \
      r = model_snprintf(x, size, f, star ? width : precision, value);                   \
      t = snprintf(y, size, f, star ? width : precision, value);                         \
      model_asprintf(&new, f, star ? width : precision, value);                          \
      (void)!asprintf(&full, f, star ? width : precision, value);                        \
    } else {                                                                             \
      r = model_snprintf(x, size, f, value);                                             \
      t = snprintf(y, size, f, value);                                                   \
      model_asprintf(&new, f, value);                                                    \
      (void)!asprintf(&full, f, value);                                                  \
    }                                                                                    \
    if (r != t || strcmp(new, full)) printf("format %s: %s for %s\n", f, new, full);     \
    SAME(r, t);                                                                          \
    SAME(strcmp(new, full), 0);                                                          \
    if (size > 0) SAME(strcmp(x, y), 0);                                                 \
    free(full);                                                                          \
  } while (0)
  char end[8];
  char conversion = conversions[below(6)];
  if (kind == 0) {
    sprintf(end, "%s", "s");
    FORMAT(s);
  } else if (kind == 1) {
    sprintf(end, "%s", "c");
    FORMAT((int)conversion);
  } else if (kind == 2) {
    sprintf(end, "%s%c", (const char *[]){"", "h", "hh"}[below(3)], conversion);
    FORMAT((int)v);
  } else if (kind == 3) {
    sprintf(end, "%c", "feEgGF"[below(6)]);
    double d = real();
    approximated = 0;
    model_snprintf(NULL, 0, "%.40e", d);
    /* Where glibc departs from C, the model does not commit itself. */
    if (!approximated && !strchr(f, '#')) FORMAT(d);
  } else if (kind == 4) {
    int a = -1, b = -1;
    SAME(model_snprintf(x, size, "%s%d%n>%p", s, (int)v, &a, NULL), snprintf(y, size, "%s%d%n>%p", s, (int)v, &b, NULL));
    SAME(a, b);
    if (size > 0) SAME(strcmp(x, y), 0);
  } else {
    sprintf(end, "%s%c", (const char *[]){"l", "ll", "z", "j", "t"}[below(5)], conversion);
    FORMAT(v);
  }
  free(new), free(x), free(y), free(s);
}

struct read {
  long long whole;
  char word[16];
  int n;
};

/* Is there a prefix 0x without a digit? glibc departs from the standard there. */
static _Bool bare_prefix(const char *s) {
  for (; *s; s++)
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) return 1;
  return 0;
}

/* Floats, alone and with something behind them, as wide as may be. */
static void float_scans(void) {
  char f[32], s[80];
  int width = below(3) ? 0 : (int)below(12), a = -1, b = -1;
  sprintf(f, width ? "%%%dlf%%n" : "%%lf%%n", width);
  sprintf(s, (const char *[]){"%g,", " %.3e", "%f+", "%a ", "%.0f", "-x%g", "%gg"}[below(7)], real());
  double x = 0, y = 0;
  may_be_unsupported = 1, unsupported = 0;
  int r = model_sscanf(s, f, &x, &a);
  may_be_unsupported = 0;
  if (unsupported) return;
  int t = plain_sscanf(s, f, &y, &b);
  if (r != t || a != b) printf("scan %s of %s\n", f, s);
  SAME(r, t);
  SAME(a, b);
  SAME(memcmp(&x, &y, sizeof x), 0);
}

static void scans(void) {
  static const char *const formats[] = {
      "%lld%n",      "%lld %15s%n", "%15s %lld%n",   "%3lld%n",   "%lli%n",       "%llx,%15s%n", "%llo%n",
      " %1c %lld%n", "%2lld:%3s%n", "%*d%lld%n",     "%llu%n",    "%15[a-c]%lld", "%15[^,],%lld", "%*s%lld%n",
      "%[]x]%n",     "x%lld%n",     "%%%lld%15s%n",  "%lld%%%15s", "%15[a-]%n",   "%*[ab]%15s%n", "%4lli%n",
  };
  const char *f = formats[below(sizeof formats / sizeof *formats)];
  char *s;
  switch (below(3)) {
    case 0: s = numeral(); break;
    case 1: s = text("ab,: x]-%", 10); break;
    default: s = text("0127 -+a%:,", 14);
  }
  if (bare_prefix(s)) {
    free(s);
    return;
  }
  struct read a, b;
  memset(&a, 'z', sizeof a), memset(&b, 'z', sizeof b);
  /* The word comes first in some formats. */
  const char *number = strstr(f, "ll"), *word = strchr(f, '1');
  if (word && word[1] != '5') word = NULL;
  if (!word) word = strstr(f, "3s");
  if (!word) word = strstr(f, "1c");
  if (!word) word = strstr(f, "[]x]");
  int r, t;
  if (word && (!number || word < number)) {
    r = model_sscanf(s, f, a.word, number ? (void *)&a.whole : (void *)&a.n, &a.n);
    t = plain_sscanf(s, f, b.word, number ? (void *)&b.whole : (void *)&b.n, &b.n);
  } else if (!number) {
    r = model_sscanf(s, f, a.word, &a.n), t = plain_sscanf(s, f, b.word, &b.n);
  } else if (word) {
    r = model_sscanf(s, f, &a.whole, a.word, &a.n), t = plain_sscanf(s, f, &b.whole, b.word, &b.n);
  } else {
    r = model_sscanf(s, f, &a.whole, &a.n), t = plain_sscanf(s, f, &b.whole, &b.n);
  }
  if (r != t || memcmp(&a, &b, sizeof a))
    printf("scan \"%s\" of \"%s\": %lld %.15s %d, library %lld %.15s %d\n", f, s, a.whole, a.word, a.n, b.whole,
           b.word, b.n);
  SAME(r, t);
  SAME(a.whole, b.whole);
  SAME(a.n, b.n);
  SAME(memcmp(a.word, b.word, sizeof a.word), 0);
  free(s);
}

/* Input is any value: what is checked is that it is within what C promises. */
static void inputs(void) {
  int size = (int)below(6);
  char *s = malloc((size_t)size + 1);
  memset(s, 'z', (size_t)size + 1);
  char *r = model_fgets(s, size, NULL);
  SAME(s[size], 'z');
  if (r) {
    TRUE(r == s && memchr(s, 0, (size_t)size) != NULL);
  } else {
    for (int i = 0; i < size; i++) SAME(s[i], 'z');
  }
  int c = model_fgetc(NULL);
  TRUE(c >= -1 && c < 256);
  memset(s, 'z', (size_t)size + 1);
  assumed = 1;
  (void)c;
  char *word = malloc(4);
  memset(word, 'z', 4);
  int number = 5000, k = model_scanf("%2d %3s%*d", &number, word);
  TRUE(k >= -1 && k <= 2);
  if (assumed && k >= 1) TRUE(number > -10 && number < 100);
  if (k < 1) SAME(number, 5000);
  if (assumed && k == 2) TRUE(memchr(word, 0, 4) != NULL && strcspn(word, " \t\n\v\f\r") == strlen(word));
  free(word), free(s);
  assumed = 1;
}

/* Few changes after each other, since memory from outside is given out again. */
static void environment(void) {
  static const char *const names[] = {"A", "AB", "B", "", "A=", "B=x"};
  static char put[2][6];
  model_clearenv(), clearenv();
  TRUE(model_environ == NULL);
  for (int i = 0; i < 4; i++) {
    const char *name = names[below(6)];
    char *value = text("ab=", 3);
    int kind = (int)below(4), overwrite = (int)below(2), x = 0, y = 0;
    errno = 0, *model___errno_location() = 0;
    if (kind < 2) x = model_setenv(name, value, overwrite), y = setenv(name, value, overwrite);
    if (kind == 2) x = model_unsetenv(name), y = unsetenv(name);
    if (kind == 3) {
      char *s = put[below(2)];
      snprintf(s, sizeof put[0], "%s=%s", names[below(3)], "cd" + below(2));
      x = model_putenv(s), y = putenv(s);
    }
    SAME(x, y);
    SAME(*model___errno_location(), errno);
    for (int k = 0; k < 4; k++) {
      char *a = model_getenv(names[k]), *b = getenv(names[k]);
      TRUE((a == NULL) == (b == NULL) && (!a || strcmp(a, b) == 0));
    }
    free(value);
  }
  assumed = 1;
}

static void reals(void) {
  static const double special[] = {0.0, -0.0, 1.5, -2.5, 0.5, 1e300, 5e-324, 2.2250738585072014e-308, 1e-310, 3};
  double x = below(8) ? special[below(10)] : below(2) ? INFINITY : below(2) ? -INFINITY : NAN, y = special[below(10)];
  if (fabs(x) < 1e9) {
    SAME(model_lround(x), lround(x));
    SAME(model_lrint(x), lrint(x));
    SAME(model_lroundf((float)x), lroundf((float)x));
  }
  double i, j, p = model_modf(x, &i), q = modf(x, &j);
  TRUE(x != x || (memcmp(&p, &q, sizeof p) == 0 && memcmp(&i, &j, sizeof i) == 0));
  float fi, fj, fp = model_modff((float)x, &fi), fq = modff((float)x, &fj);
  TRUE(x != x || (memcmp(&fp, &fq, sizeof fp) == 0 && memcmp(&fi, &fj, sizeof fi) == 0));
  p = model_fdim(x, y), q = fdim(x, y);
  TRUE(x != x ? p != p : memcmp(&p, &q, sizeof p) == 0);
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1000;
  characters();
  for (int i = 0; i < rounds; i++) {
    strings();
    blocks();
    wides();
    arithmetic();
    numbers();
    sorting();
    formats(), wide_formats();
    scans();
    float_scans();
    inputs();
    environment();
    reals();
  }
  free_outside();
  printf("%d rounds agree\n", rounds);
  return 0;
}
