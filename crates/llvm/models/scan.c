/* stdio.h: formatted input from streams: any text, so any value that a conversion can give, and input
   may end or fail to match anywhere. Pointers, wide characters, `m` and `long double` are not covered. */

static _Bool lariat_scan_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Is `c` in the set that starts at `set` (after the `[` and the `^`)? */
static _Bool lariat_scan_in(char c, const char *set) {
  for (size_t i = 0; i == 0 || set[i] != ']'; i++) {
    if (!set[i]) return 0;
    if (i > 0 && set[i] == '-' && set[i + 1] != ']') {
      if ((unsigned char)c >= (unsigned char)set[i - 1] && (unsigned char)c <= (unsigned char)set[i + 1]) return 1;
    } else if (set[i] == c) {
      return 1;
    }
  }
  return 0;
}

/* `argument` is the number of the first variable argument. */
static int lariat_scan(const char *f, __builtin_va_list args, int argument) {
  int done = 0;
  for (; *f; f++) {
    if (lariat_scan_space(*f)) continue;
    /* The end of the input, or text that does not match. */
    if (__VERIFIER_nondet_bool()) return done == 0 && __VERIFIER_nondet_bool() ? EOF : done;
    if (*f != '%') continue;
    f++;
    if (*f == '%') continue;
    _Bool stored = *f != '*';
    if (!stored) f++;
    size_t width = 0;
    for (; *f >= '0' && *f <= '9'; f++) width = width * 10 + (size_t)(*f - '0');
    int length = 0;
    if (*f == 'h') {
      length = -1;
      if (*++f == 'h') length = -2, f++;
    } else if (*f == 'l') {
      length = 1;
      if (*++f == 'l') length = 2, f++;
    } else if (*f == 'j') {
      length = 2;
      f++;
    } else if (*f == 'z' || *f == 't') {
      length = 3;
      f++;
    }

    switch (*f) {
      case 'n':
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o': {
        long long v = __VERIFIER_nondet_longlong();
        if (*f == 'n') {
          __VERIFIER_assume(v >= 0);
        } else if (width > 0 && width < 16) {
          /* So many digits, or a sign and one digit less. */
          unsigned base = *f == 'd' || *f == 'u' ? 10 : *f == 'o' ? 8 : 16;
          long long shorter = 1;
          for (size_t i = 1; i < width; i++) shorter *= base;
          __VERIFIER_assume(v > -shorter && v < shorter * base);
        }
        if (stored) {
          if (length == 2)
            *__builtin_va_arg(args, long long *) = v;
          else if (length == 1)
            *__builtin_va_arg(args, long *) = (long)v;
          else if (length == 3)
            *__builtin_va_arg(args, ptrdiff_t *) = (ptrdiff_t)v;
          else if (length == 0)
            *__builtin_va_arg(args, int *) = (int)v;
          else if (length == -1)
            *__builtin_va_arg(args, short *) = (short)v;
          else
            *__builtin_va_arg(args, signed char *) = (signed char)v;
        }
        if (stored && *f != 'n') done++;
        if (stored) argument++;
        continue;
      }
      case 'a':
      case 'e':
      case 'f':
      case 'g':
      case 'E':
      case 'F':
      case 'G':
        if (stored) {
          if (length == 1)
            *__builtin_va_arg(args, double *) = __VERIFIER_nondet_double();
          else
            *__builtin_va_arg(args, float *) = __VERIFIER_nondet_float();
          done++;
          argument++;
        }
        continue;
      case 'c':
        if (length != 0) break;
        if (stored) {
          char *to = __builtin_va_arg(args, char *);
          for (size_t i = 0; i < (width ? width : 1); i++) to[i] = __VERIFIER_nondet_char();
          LARIAT_STRING(argument, width ? width : 1);
          done++;
          argument++;
        }
        continue;
      case 's':
      case '[': {
        if (length != 0) break;
        const char *set = NULL;
        _Bool inverted = 0;
        if (*f == '[') {
          inverted = *++f == '^';
          if (inverted) f++;
          set = f;
          if (*f == ']') f++;
          while (*f && *f != ']') f++;
          if (!*f) return done;
        }
        if (stored) {
          char *to = __builtin_va_arg(args, char *);
          size_t i = 0;
          do {
            char c = __VERIFIER_nondet_char();
            __VERIFIER_assume(set ? lariat_scan_in(c, set) != inverted : !lariat_scan_space(c));
            to[i++] = c;
          } while ((!width || i < width) && __VERIFIER_nondet_bool());
          to[i] = 0;
          LARIAT_STRING(argument, i + 1);
          done++;
          argument++;
        }
        continue;
      }
      default:
        break;
    }
    __lariat_unsupported("a conversion of formatted input");
    return __VERIFIER_nondet_int();
  }
  return done;
}

#define LARIAT_SCANNERS(prefix)                                                                    \
  MODEL int prefix##scanf(const char *restrict f, ...) {                                           \
    __builtin_va_list args;                                                                        \
    __builtin_va_start(args, f);                                                                   \
    int n = lariat_scan(f, args, 1);                                                               \
    __builtin_va_end(args);                                                                        \
    return n;                                                                                      \
  }                                                                                                \
  MODEL int prefix##fscanf(void *restrict stream, const char *restrict f, ...) {                   \
    (void)stream;                                                                                  \
    __builtin_va_list args;                                                                        \
    __builtin_va_start(args, f);                                                                   \
    int n = lariat_scan(f, args, 2);                                                               \
    __builtin_va_end(args);                                                                        \
    return n;                                                                                      \
  }                                                                                                \
  MODEL int prefix##vscanf(const char *restrict f, __builtin_va_list args) {                       \
    return lariat_scan(f, args, LARIAT_NOBODY);                                                    \
  }                                                                                                \
  MODEL int prefix##vfscanf(void *restrict stream, const char *restrict f, __builtin_va_list args) { \
    (void)stream;                                                                                  \
    return lariat_scan(f, args, LARIAT_NOBODY);                                                    \
  }

LARIAT_SCANNERS()
LARIAT_SCANNERS(__isoc99_)
LARIAT_SCANNERS(__isoc23_)
