/* stdio.h: formatted output into memory. */

#include "decimal.h"
#define LARIAT_FORMAT lariat_format
#define LARIAT_CHAR char
#define LARIAT_OWN(length) ((length) == 0)
#define LARIAT_OTHER wchar_t
#define LARIAT_OTHERS(length) ((length) == 1)
#include "format.h"

MODEL int vsnprintf(char *restrict to, size_t size, const char *restrict f, __builtin_va_list args) {
  return lariat_format(to, size, f, args, 0, LARIAT_NOBODY);
}

MODEL int vsprintf(char *restrict to, const char *restrict f, __builtin_va_list args) {
  return lariat_format(to, (size_t)-1, f, args, 0, LARIAT_NOBODY);
}

MODEL int snprintf(char *restrict to, size_t size, const char *restrict f, ...) {
  __builtin_va_list args;
  __builtin_va_start(args, f);
  int n = lariat_format(to, size, f, args, 0, 3);
  __builtin_va_end(args);
  return n;
}

MODEL int sprintf(char *restrict to, const char *restrict f, ...) {
  __builtin_va_list args;
  __builtin_va_start(args, f);
  int n = lariat_format(to, (size_t)-1, f, args, 0, 2);
  __builtin_va_end(args);
  return n;
}

static int lariat_format_new(char **to, const char *f, __builtin_va_list args, int argument) {
  __builtin_va_list again;
  __builtin_va_copy(again, args);
  int n = lariat_format(NULL, 0, f, again, LARIAT_NOBODY, argument);
  __builtin_va_end(again);
  if (n < 0) return n;
  *to = malloc((size_t)n + 1);
  return *to ? lariat_format(*to, (size_t)-1, f, args, LARIAT_NOBODY, argument) : -1;
}

MODEL int vasprintf(char **restrict to, const char *restrict f, __builtin_va_list args) {
  return lariat_format_new(to, f, args, LARIAT_NOBODY);
}

MODEL int asprintf(char **restrict to, const char *restrict f, ...) {
  __builtin_va_list args;
  __builtin_va_start(args, f);
  int n = lariat_format_new(to, f, args, 2);
  __builtin_va_end(args);
  return n;
}
