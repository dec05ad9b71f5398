/* wchar.h, inttypes.h: numbers from wide text. */

#define LARIAT_CHAR wchar_t
#define LARIAT_NUMBER(x) lariat_wnumber_##x
#include "number.h"

LARIAT_SIGNED(wcstol, long, LONG_MAX, 0)
LARIAT_SIGNED(wcstoll, long long, LLONG_MAX, 0)
LARIAT_SIGNED(wcstoimax, intmax_t, LLONG_MAX, 0)
LARIAT_SIGNED(wcstoq, long long, LLONG_MAX, 0)
LARIAT_SIGNED(__isoc23_wcstol, long, LONG_MAX, 1)
LARIAT_SIGNED(__isoc23_wcstoll, long long, LLONG_MAX, 1)
LARIAT_UNSIGNED(wcstoul, unsigned long, 0)
LARIAT_UNSIGNED(wcstoull, unsigned long long, 0)
LARIAT_UNSIGNED(wcstoumax, uintmax_t, 0)
LARIAT_UNSIGNED(wcstouq, unsigned long long, 0)
LARIAT_UNSIGNED(__isoc23_wcstoul, unsigned long, 1)
LARIAT_UNSIGNED(__isoc23_wcstoull, unsigned long long, 1)

#undef LARIAT_CHAR
#undef LARIAT_NUMBER

/* Numbers are made of ASCII: what comes before anything else, as a string of plain characters. */
static char *lariat_wnumber_plain(const wchar_t *s) {
  size_t n = 0;
  while (s[n] > 0 && s[n] < 128) n++;
  char *text = __lariat_outside(n + 1);
  for (size_t i = 0; i < n; i++) text[i] = (char)s[i];
  text[n] = 0;
  return text;
}

#define LARIAT_WIDE_REAL(name, type, plain)                           \
  MODEL type name(const wchar_t *restrict s, wchar_t **restrict end) { \
    char *text = lariat_wnumber_plain(s), *rest;                      \
    type value = plain(text, &rest);                                  \
    LARIAT_STRING(0, (size_t)(rest - text + 1) * sizeof(wchar_t));    \
    if (end) *end = (wchar_t *)s + (rest - text);                     \
    return value;                                                     \
  }

LARIAT_WIDE_REAL(wcstod, double, lariat_strtod)
LARIAT_WIDE_REAL(wcstof, float, lariat_strtodf)
LARIAT_WIDE_REAL(wcstold, long double, lariat_strtodl)
