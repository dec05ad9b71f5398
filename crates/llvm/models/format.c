/* stdio.h: formatted output into memory. */

#define LARIAT_FORMAT lariat_format
#define LARIAT_CHAR char
#define LARIAT_OWN(length) ((length) == 0)
#include "format.h"

MODEL int vsnprintf(char *restrict to, size_t size, const char *restrict f, __builtin_va_list args) {
  return lariat_format(to, size, f, args);
}

MODEL int vsprintf(char *restrict to, const char *restrict f, __builtin_va_list args) {
  return lariat_format(to, (size_t)-1, f, args);
}

MODEL int snprintf(char *restrict to, size_t size, const char *restrict f, ...) {
  __builtin_va_list args;
  __builtin_va_start(args, f);
  int n = lariat_format(to, size, f, args);
  __builtin_va_end(args);
  return n;
}

MODEL int sprintf(char *restrict to, const char *restrict f, ...) {
  __builtin_va_list args;
  __builtin_va_start(args, f);
  int n = lariat_format(to, (size_t)-1, f, args);
  __builtin_va_end(args);
  return n;
}

static int lariat_format_new(char **to, const char *f, __builtin_va_list args) {
  __builtin_va_list again;
  __builtin_va_copy(again, args);
  int n = lariat_format(NULL, 0, f, again);
  __builtin_va_end(again);
  if (n < 0) return n;
  *to = malloc((size_t)n + 1);
  return *to ? lariat_format(*to, (size_t)-1, f, args) : -1;
}

MODEL int vasprintf(char **restrict to, const char *restrict f, __builtin_va_list args) {
  return lariat_format_new(to, f, args);
}

MODEL int asprintf(char **restrict to, const char *restrict f, ...) {
  __builtin_va_list args;
  __builtin_va_start(args, f);
  int n = lariat_format_new(to, f, args);
  __builtin_va_end(args);
  return n;
}

/* With `room` for the text; what needs more ends the program. */
void abort(void) __attribute__((noreturn));

static int lariat_format_checked(char *to, size_t size, size_t room, const char *f, __builtin_va_list args) {
  int n = lariat_format(to, size < room ? size : room, f, args);
  if (size > room && n >= 0 && (size_t)n >= room) abort();
  return n;
}

MODEL int __vsnprintf_chk(char *restrict to, size_t size, int flag, size_t room, const char *restrict f,
                          __builtin_va_list args) {
  (void)flag;
  if (size > room) abort();
  return lariat_format_checked(to, size, room, f, args);
}

MODEL int __vsprintf_chk(char *restrict to, int flag, size_t room, const char *restrict f, __builtin_va_list args) {
  (void)flag;
  return lariat_format_checked(to, (size_t)-1, room, f, args);
}

MODEL int __snprintf_chk(char *restrict to, size_t size, int flag, size_t room, const char *restrict f, ...) {
  (void)flag;
  if (size > room) abort();
  __builtin_va_list args;
  __builtin_va_start(args, f);
  int n = lariat_format_checked(to, size, room, f, args);
  __builtin_va_end(args);
  return n;
}

MODEL int __sprintf_chk(char *restrict to, int flag, size_t room, const char *restrict f, ...) {
  (void)flag;
  __builtin_va_list args;
  __builtin_va_start(args, f);
  int n = lariat_format_checked(to, (size_t)-1, room, f, args);
  __builtin_va_end(args);
  return n;
}
