/* stdio.h: formatted output of which the number of characters is used. It is what the format says, or a negative number. Nothing is
   written, so a conversion is its length: no digits are made but those of floats. Strings are read as output reads them. */

#include "decimal.h"

/* How many decimal digits a number has; 0 has none. */
static size_t lariat_counted_digits(unsigned long long v) {
  return (size_t)(v >= 1) + (v >= 10) + (v >= 100) + (v >= 1000) + (v >= 10000) + (v >= 100000) + (v >= 1000000) +
         (v >= 10000000) + (v >= 100000000) + (v >= 1000000000) + (v >= 10000000000) + (v >= 100000000000) +
         (v >= 1000000000000) + (v >= 10000000000000) + (v >= 100000000000000) + (v >= 1000000000000000) +
         (v >= 10000000000000000) + (v >= 100000000000000000) + (v >= 1000000000000000000) +
         (v >= 10000000000000000000u);
}

/* How many digits of so many bits. */
static size_t lariat_counted_groups(unsigned long long v, unsigned bits) {
  return v ? (63 - (unsigned)__builtin_clzll(v)) / bits + 1 : 0;
}

struct lariat_conversion {
  _Bool plus, space, alternate, precise;
  size_t width, precision;
  /* 0: int, 1: long, 2: long long, -1: short, -2: char, 3: as wide as a pointer, 4: long double. */
  int length;
};

/* The characters of an integer. */
static size_t lariat_counted_integer(unsigned long long value, char letter, const struct lariat_conversion *how) {
  _Bool is_signed = letter == 'd' || letter == 'i', negative = is_signed && value >> 63;
  if (negative) value = -value;
  size_t count = letter == 'o'                    ? lariat_counted_groups(value, 3)
                 : letter == 'x' || letter == 'X' ? lariat_counted_groups(value, 4)
                                                  : lariat_counted_digits(value);
  size_t least = how->precise ? how->precision : 1;
  if (letter == 'o' && how->alternate && least <= count) least = count + 1;
  size_t n = count < least ? least : count;
  if (negative || (is_signed && (how->plus || how->space))) n++;
  return n + (how->alternate && (letter == 'x' || letter == 'X') && value ? 2 : 0);
}

/* The number of characters that a format prints. */
static int lariat_count(const char *f, __builtin_va_list args, int argument) {
  size_t n = 0;
  for (; *f; f++) {
    if (*f != '%') {
      n++;
      continue;
    }
    f++;
    struct lariat_conversion how = {0};
    for (;; f++) {
      if (*f == '+')
        how.plus = 1;
      else if (*f == ' ')
        how.space = 1;
      else if (*f == '#')
        how.alternate = 1;
      else if (*f != '-' && *f != '0')
        break;
    }
    if (*f == '*') {
      int width = __builtin_va_arg(args, int);
      argument++;
      how.width = width < 0 ? -(size_t)width : (size_t)width;
      f++;
    } else {
      for (; *f >= '0' && *f <= '9'; f++) how.width = how.width * 10 + (size_t)(*f - '0');
    }
    if (*f == '.') {
      f++;
      how.precise = 1;
      if (*f == '*') {
        int precision = __builtin_va_arg(args, int);
        argument++;
        how.precise = precision >= 0;
        how.precision = (size_t)precision;
        f++;
      } else {
        for (; *f >= '0' && *f <= '9'; f++) how.precision = how.precision * 10 + (size_t)(*f - '0');
      }
    }
    if (*f == 'h') {
      how.length = -1;
      if (*++f == 'h') how.length = -2, f++;
    } else if (*f == 'l') {
      how.length = 1;
      if (*++f == 'l') how.length = 2, f++;
    } else if (*f == 'j' || *f == 'q') {
      how.length = 2;
      f++;
    } else if (*f == 'z' || *f == 't') {
      how.length = 3;
      f++;
    } else if (*f == 'L') {
      how.length = 4;
      f++;
    }

    size_t own = 0;
    if (*f == '%') {
      n++;
      continue;
    }
    if (*f == 'c' && how.length == 0) {
      (void)__builtin_va_arg(args, int);
      own = 1;
    } else if (*f == 's' && how.length == 0) {
      const char *s = __builtin_va_arg(args, const char *);
      while ((!how.precise || own < how.precision) && s[own]) own++;
      LARIAT_STRING(argument, how.precise && own == how.precision ? own : own + 1);
    } else if ((*f == 'd' || *f == 'i') && how.length < 4) {
      long long v;
      if (how.length == 2)
        v = __builtin_va_arg(args, long long);
      else if (how.length == 1)
        v = __builtin_va_arg(args, long);
      else if (how.length == 3)
        v = __builtin_va_arg(args, ptrdiff_t);
      else
        v = __builtin_va_arg(args, int);
      if (how.length == -1) v = (short)v;
      if (how.length == -2) v = (signed char)v;
      own = lariat_counted_integer((unsigned long long)v, *f, &how);
    } else if ((*f == 'u' || *f == 'x' || *f == 'X' || *f == 'o') && how.length < 4) {
      unsigned long long v;
      if (how.length == 2)
        v = __builtin_va_arg(args, unsigned long long);
      else if (how.length == 1)
        v = __builtin_va_arg(args, unsigned long);
      else if (how.length == 3)
        v = __builtin_va_arg(args, size_t);
      else
        v = __builtin_va_arg(args, unsigned);
      if (how.length == -1) v = (unsigned short)v;
      if (how.length == -2) v = (unsigned char)v;
      own = lariat_counted_integer(v, *f, &how);
    } else if (*f == 'p' && how.length == 0) {
      own = 5;
      if (__builtin_va_arg(args, void *)) {
        __lariat_approximate("the digits of an address");
        own = __VERIFIER_nondet_ulong();
        __VERIFIER_assume(own >= 3 && own <= 2 + 2 * sizeof(void *) + (how.plus || how.space));
      }
    } else if ((how.length == 0 || how.length == 1) &&
               (*f == 'f' || *f == 'F' || *f == 'e' || *f == 'E' || *f == 'g' || *f == 'G' || *f == 'a' || *f == 'A')) {
      double v = __builtin_va_arg(args, double);
      char text[LARIAT_TEXT];
      int known = lariat_float_text(v, *f, how.precise ? how.precision : 6, how.alternate, text);
      own = known < 0 ? (size_t)-known : (size_t)known;
      if (lariat_float_bits(v) >> 63 || how.plus || how.space) own++;
    } else if (*f == 'n') {
      if (how.length == 2)
        *__builtin_va_arg(args, long long *) = (long long)n;
      else if (how.length == 1 || how.length == 3)
        *__builtin_va_arg(args, ptrdiff_t *) = (ptrdiff_t)n;
      else if (how.length == -1)
        *__builtin_va_arg(args, short *) = (short)n;
      else if (how.length == -2)
        *__builtin_va_arg(args, signed char *) = (signed char)n;
      else
        *__builtin_va_arg(args, int *) = (int)n;
      argument++;
      continue;
    } else {
      __lariat_unsupported("a conversion of formatted output");
      return __VERIFIER_nondet_int();
    }
    argument++;
    n += own < how.width ? how.width : own;
  }
  return n > INT_MAX ? -1 : (int)n;
}

static int lariat_counted(const char *f, __builtin_va_list args, int argument) {
  int n = lariat_count(f, args, argument);
  if (__VERIFIER_nondet_bool()) return n;
  __lariat_set_errno(1);
  n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n < 0);
  return n;
}

#define LARIAT_COUNTED(NAME, FIRST, ...)                                       \
  MODEL int __lariat_counted_##NAME(__VA_ARGS__ const char *restrict f, ...) { \
    __builtin_va_list args;                                                    \
    __builtin_va_start(args, f);                                               \
    int n = lariat_counted(f, args, FIRST);                                    \
    __builtin_va_end(args);                                                    \
    return n; \
  }                                                                            \
  MODEL int __lariat_counted_v##NAME(__VA_ARGS__ const char *restrict f, __builtin_va_list args) { \
    return lariat_counted(f, args, LARIAT_NOBODY);                             \
  }

#define LARIAT_COUNTED_STREAM __attribute__((unused)) void *restrict stream,
#define LARIAT_COUNTED_NUMBER __attribute__((unused)) int number,

LARIAT_COUNTED(printf, 1)
LARIAT_COUNTED(fprintf, 2, LARIAT_COUNTED_STREAM)
LARIAT_COUNTED(dprintf, 2, LARIAT_COUNTED_NUMBER)
LARIAT_COUNTED(printf_chk, 2, LARIAT_COUNTED_NUMBER)
LARIAT_COUNTED(fprintf_chk, 3, LARIAT_COUNTED_STREAM LARIAT_COUNTED_NUMBER)
