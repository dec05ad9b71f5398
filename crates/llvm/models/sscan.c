/* stdio.h: formatted input from strings. Pointers, wide characters, `i` with a binary prefix, `m`, and numbers that
   stop in the middle (`1e+`), of which libraries disagree, are not covered. */

static _Bool lariat_sscan_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static unsigned lariat_sscan_digit(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A' + 10);
  return 16;
}

static _Bool lariat_sscan_in(char c, const char *set) {
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

/* Whether the text of a float that ends here might go on, or might be the start of one. */
static _Bool lariat_sscan_unfinished(const char *text, const char *end) {
  char c = *end;
  if (end == text && (c == '+' || c == '-')) c = text[1];
  if (end == text) return c == '.' || c == 'i' || c == 'I' || c == 'n' || c == 'N';
  return c == 'e' || c == 'E' || c == 'p' || c == 'P' || c == 'x' || c == 'X' || c == 'i' || c == 'I' || c == '(';
}

/* `argument` is the number of the first variable argument. */
static int lariat_sscan(const char *s, const char *f, __builtin_va_list args, int argument) {
  int done = 0;
  size_t at = 0;
  for (; *f; f++) {
    if (lariat_sscan_space(*f)) {
      while (lariat_sscan_space(s[at])) at++;
      continue;
    }
    if (*f != '%') {
      if (!s[at]) return done ? done : EOF;
      if (s[at] != *f) return done;
      at++;
      continue;
    }
    f++;
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
    } else if (*f == 'j' || *f == 'q') {
      length = 2;
      f++;
    } else if (*f == 'L') {
      length = 4;
      f++;
    } else if (*f == 'z' || *f == 't') {
      length = 3;
      f++;
    }
    if (*f != 'c' && *f != '[' && *f != 'n')
      while (lariat_sscan_space(s[at])) at++;
    if (*f != 'n' && !s[at]) return done ? done : EOF;

    switch (*f) {
      case '%':
        if (s[at] != '%') return done;
        at++;
        continue;
      case 'n':
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o': {
        unsigned long long v = 0;
        if (length == 4) length = 2;
        if (*f == 'n') {
          v = at;
        } else {
          size_t end = width ? at + width : (size_t)-1;
          unsigned base = *f == 'o' ? 8 : *f == 'x' || *f == 'X' ? 16 : *f == 'i' ? 0 : 10;
          _Bool negative = s[at] == '-', digits = 0;
          if (s[at] == '-' || s[at] == '+') at++;
          if (at < end && s[at] == '0' && (base == 0 || base == 16)) {
            digits = 1;
            at++;
            if (at < end && (s[at] == 'x' || s[at] == 'X')) {
              digits = 0;
              base = 16;
              at++;
            } else if (base == 0) {
              base = 8;
            }
          }
          if (base == 0) base = 10;
          /* Too large numbers, which C leaves undefined, become the nearest number. */
          _Bool wide = length == 2 || (length != 0 && length != -1 && length != -2) || sizeof(long) == 8;
          unsigned long long top = wide ? LLONG_MAX : LONG_MAX;
          unsigned long long limit =
              *f == 'd' || *f == 'i' ? (negative ? top + 1 : top) : top * 2 + 1;
          _Bool large = 0;
          for (; at < end && lariat_sscan_digit(s[at]) < base; at++) {
            unsigned d = lariat_sscan_digit(s[at]);
            digits = 1;
            if (v > limit / base || (v == limit / base && d > limit % base)) large = 1;
            if (!large) v = v * base + d;
          }
          if (!digits) return done;
          if (large)
            v = *f == 'd' || *f == 'i' ? (negative ? -limit : limit) : limit;
          else if (negative)
            v = -v;
        }
        if (stored) {
          if (length == 2)
            *__builtin_va_arg(args, unsigned long long *) = v;
          else if (length == 1)
            *__builtin_va_arg(args, unsigned long *) = (unsigned long)v;
          else if (length == 3)
            *__builtin_va_arg(args, size_t *) = (size_t)v;
          else if (length == 0)
            *__builtin_va_arg(args, unsigned *) = (unsigned)v;
          else if (length == -1)
            *__builtin_va_arg(args, unsigned short *) = (unsigned short)v;
          else
            *__builtin_va_arg(args, unsigned char *) = (unsigned char)v;
        }
        if (stored && *f != 'n') done++;
        if (stored) argument++;
        continue;
      }
      case 'a':
      case 'A':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G': {
        char cut[64], *end;
        const char *text = s + at;
        if (width >= sizeof cut || (length != 0 && length != 1 && length != 4)) break;
        if (width) {
          size_t i = 0;
          for (; i < width && s[at + i]; i++) cut[i] = s[at + i];
          cut[i] = 0;
          text = cut;
        }
        float single = 0;
        double real = 0;
        long double wide = 0;
        if (length == 0)
          single = lariat_strtodf(text, &end);
        else if (length == 1)
          real = lariat_strtod(text, &end);
        else
          wide = lariat_strtodl(text, &end);
        if (lariat_sscan_unfinished(text, end)) break;
        if (end == text) return done;
        at += (size_t)(end - text);
        if (stored) {
          if (length == 0)
            *__builtin_va_arg(args, float *) = single;
          else if (length == 1)
            *__builtin_va_arg(args, double *) = real;
          else
            *__builtin_va_arg(args, long double *) = wide;
          done++;
          argument++;
        }
        continue;
      }
      case 'c': {
        if (length != 0) break;
        char *to = stored ? __builtin_va_arg(args, char *) : NULL;
        for (size_t i = 0; i < (width ? width : 1); i++) {
          if (!s[at]) return done ? done : EOF;
          if (to) to[i] = s[at];
          at++;
        }
        if (stored) {
          LARIAT_STRING(argument, width ? width : 1);
          done++;
          argument++;
        }
        continue;
      }
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
        char *to = stored ? __builtin_va_arg(args, char *) : NULL;
        size_t i = 0;
        for (; s[at] && (!width || i < width); i++) {
          if (set ? lariat_sscan_in(s[at], set) == inverted : lariat_sscan_space(s[at])) break;
          if (to) to[i] = s[at];
          at++;
        }
        if (i == 0) return done;
        if (to) to[i] = 0;
        if (stored) {
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

#define LARIAT_STRING_SCANNERS(prefix)                                                             \
  MODEL int prefix##sscanf(const char *restrict s, const char *restrict f, ...) {                  \
    __builtin_va_list args;                                                                        \
    __builtin_va_start(args, f);                                                                   \
    int n = lariat_sscan(s, f, args, 2);                                                           \
    __builtin_va_end(args);                                                                        \
    return n;                                                                                      \
  }                                                                                                \
  MODEL int prefix##vsscanf(const char *restrict s, const char *restrict f, __builtin_va_list args) { \
    return lariat_sscan(s, f, args, LARIAT_NOBODY);                                                \
  }

LARIAT_STRING_SCANNERS()
LARIAT_STRING_SCANNERS(__isoc99_)
LARIAT_STRING_SCANNERS(__isoc23_)
