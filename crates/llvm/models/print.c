/* stdio.h: output. Nothing is written; what is printed is read, up to its end. Linked only where reads are
   checked, and called only for formats with strings. */

/* The number of the argument is there for those who ask how far it is read. */
static void lariat_print_text(const char *s, size_t most, int argument) {
  size_t k = 0;
#ifndef LARIAT_STRINGS
  k = __lariat_room(s);
  if (LARIAT_ENDS(s, k)) return;
  k = 0;
#endif
  while (k < most && s[k]) k++;
  LARIAT_STRING(argument, k < most ? k + 1 : k);
}

static void lariat_print_wide(const wchar_t *s, size_t most, int argument) {
  size_t k = 0;
  while (k < most && s[k]) k++;
  LARIAT_STRING(argument, (k < most ? k + 1 : k) * sizeof(wchar_t));
}

#define LARIAT_PRINT(NAME, CHAR)                                                       \
  static void NAME(const CHAR *f, __builtin_va_list args, int argument) {              \
    for (; *f; f++) {                                                                  \
      if (*f != '%') continue;                                                         \
      f++;                                                                             \
      while (*f == '-' || *f == '+' || *f == ' ' || *f == '#' || *f == '0') f++;       \
      if (*f == '*') {                                                                 \
        (void)__builtin_va_arg(args, int);                                             \
        argument++;                                                                    \
        f++;                                                                           \
      }                                                                                \
      while (*f >= '0' && *f <= '9') f++;                                              \
      size_t most = (size_t)-1;                                                        \
      if (*f == '.') {                                                                 \
        f++;                                                                           \
        if (*f == '*') {                                                               \
          int precision = __builtin_va_arg(args, int);                                 \
          if (precision >= 0) most = (size_t)precision;                                \
          argument++;                                                                  \
          f++;                                                                         \
        } else {                                                                       \
          for (most = 0; *f >= '0' && *f <= '9'; f++) most = most * 10 + (size_t)(*f - '0'); \
        }                                                                              \
      }                                                                                \
      int length = 0;                                                                  \
      while (*f == 'h') f++;                                                           \
      if (*f == 'l') {                                                                 \
        length = 1;                                                                    \
        if (*++f == 'l') length = 2, f++;                                              \
      } else if (*f == 'j' || *f == 'q') {                                             \
        length = 2;                                                                    \
        f++;                                                                           \
      } else if (*f == 'z' || *f == 't') {                                             \
        length = sizeof(size_t) > sizeof(int) ? 1 : 0;                                 \
        f++;                                                                           \
      }                                                                                \
      if (*f == 's' && length == 0) {                                                  \
        lariat_print_text(__builtin_va_arg(args, const char *), most, argument);       \
      } else if (*f == 's' || *f == 'S') {                                             \
        lariat_print_wide(__builtin_va_arg(args, const wchar_t *), most, argument);    \
      } else if (*f == 'd' || *f == 'i' || *f == 'u' || *f == 'x' || *f == 'X' || *f == 'o' || *f == 'c') { \
        if (length == 2)                                                               \
          (void)__builtin_va_arg(args, long long);                                     \
        else if (length == 1)                                                          \
          (void)__builtin_va_arg(args, long);                                          \
        else                                                                           \
          (void)__builtin_va_arg(args, int);                                           \
      } else if (*f == 'p') {                                                          \
        (void)__builtin_va_arg(args, void *);                                          \
      } else if (*f == 'f' || *f == 'F' || *f == 'e' || *f == 'E' || *f == 'g' || *f == 'G' || *f == 'a' || *f == 'A') { \
        (void)__builtin_va_arg(args, double);                                          \
      } else if (*f != '%' && *f != 'm') {                                             \
        __lariat_unsupported("a conversion of formatted output");                      \
        return;                                                                        \
      }                                                                                \
      if (*f != '%' && *f != 'm') argument++;                                          \
    }                                                                                  \
  }

LARIAT_PRINT(lariat_print, char)
LARIAT_PRINT(lariat_wprint, wchar_t)

#define LARIAT_PRINTF(NAME, FIRST, CHAR, PRINT, ...)                 \
  MODEL int NAME(__VA_ARGS__ const CHAR *restrict f, ...) {   \
    __builtin_va_list args;                                   \
    __builtin_va_start(args, f);                              \
    PRINT(f, args, FIRST);                                    \
    __builtin_va_end(args);                                   \
    return 0;                                                 \
  }

#define LARIAT_MESSAGE(NAME, FIRST, ...)                             \
  MODEL void NAME(__VA_ARGS__ const char *f, ...) {           \
    __builtin_va_list args;                                   \
    __builtin_va_start(args, f);                              \
    if (f) lariat_print(f, args, FIRST);                      \
    __builtin_va_end(args);                                   \
  }

#define LARIAT_VPRINTF(NAME, CHAR, PRINT, ...)                                        \
  MODEL int NAME(__VA_ARGS__ const CHAR *restrict f, __builtin_va_list args) {        \
    PRINT(f, args, LARIAT_NOBODY);                                                    \
    return 0;                                                                         \
  }

#define LARIAT_STREAM __attribute__((unused)) void *restrict stream,
#define LARIAT_FD __attribute__((unused)) int fd,

LARIAT_PRINTF(printf, 1, char, lariat_print)
LARIAT_PRINTF(fprintf, 2, char, lariat_print, LARIAT_STREAM)
LARIAT_PRINTF(dprintf, 2, char, lariat_print, LARIAT_FD)
LARIAT_VPRINTF(vprintf, char, lariat_print)
LARIAT_VPRINTF(vfprintf, char, lariat_print, LARIAT_STREAM)
LARIAT_VPRINTF(vdprintf, char, lariat_print, LARIAT_FD)
LARIAT_PRINTF(__printf_chk, 2, char, lariat_print, LARIAT_FD)
LARIAT_PRINTF(__fprintf_chk, 3, char, lariat_print, LARIAT_STREAM LARIAT_FD)
LARIAT_VPRINTF(__vprintf_chk, char, lariat_print, LARIAT_FD)
LARIAT_VPRINTF(__vfprintf_chk, char, lariat_print, LARIAT_STREAM LARIAT_FD)
LARIAT_PRINTF(wprintf, 1, wchar_t, lariat_wprint)
LARIAT_PRINTF(fwprintf, 2, wchar_t, lariat_wprint, LARIAT_STREAM)
LARIAT_VPRINTF(vwprintf, wchar_t, lariat_wprint)
LARIAT_VPRINTF(vfwprintf, wchar_t, lariat_wprint, LARIAT_STREAM)

LARIAT_MESSAGE(syslog, 2, LARIAT_FD)
LARIAT_MESSAGE(warn, 1)
LARIAT_MESSAGE(warnx, 1)

MODEL void vsyslog(int priority, const char *f, __builtin_va_list args) {
  (void)priority;
  lariat_print(f, args, LARIAT_NOBODY);
}

MODEL void vwarn(const char *f, __builtin_va_list args) {
  if (f) lariat_print(f, args, LARIAT_NOBODY);
}

MODEL void vwarnx(const char *f, __builtin_va_list args) {
  if (f) lariat_print(f, args, LARIAT_NOBODY);
}

MODEL int puts(const char *s) {
  lariat_print_text(s, (size_t)-1, 0);
  return 0;
}

MODEL int fputs(const char *restrict s, void *restrict stream) {
  (void)stream;
  lariat_print_text(s, (size_t)-1, 0);
  return 0;
}

MODEL int fputs_unlocked(const char *restrict s, void *restrict stream) {
  (void)stream;
  lariat_print_text(s, (size_t)-1, 0);
  return 0;
}

MODEL int fputws(const wchar_t *restrict s, void *restrict stream) {
  (void)stream;
  lariat_print_wide(s, (size_t)-1, 0);
  return 0;
}

MODEL void perror(const char *s) {
  if (s) lariat_print_text(s, (size_t)-1, 0);
}
