/* Formatted output into memory, for one kind of characters. Of `long double` those are covered that are a `double`, of the other kind of
   characters those of ASCII; the digits of addresses are any.

   LARIAT_FORMAT       the name of the function
   LARIAT_CHAR         its characters
   LARIAT_OWN(length)  whether `%c` and `%s` of this length mean such characters
   LARIAT_OTHER        the other kind of characters
   LARIAT_OTHERS(length)  whether `%c` and `%s` of this length mean those

   `target` is the number of the argument that is written, `argument` that of the first variable one. */

#ifndef LARIAT_FORMAT_COUNT
#define LARIAT_FORMAT_COUNT
/* How many decimal digits a number has; 0 has none. */
static size_t lariat_format_count(unsigned long long v) {
  return (size_t)(v >= 1) + (v >= 10) + (v >= 100) + (v >= 1000) + (v >= 10000) + (v >= 100000) + (v >= 1000000) +
         (v >= 10000000) + (v >= 100000000) + (v >= 1000000000) + (v >= 10000000000) + (v >= 100000000000) +
         (v >= 1000000000000) + (v >= 10000000000000) + (v >= 100000000000000) + (v >= 1000000000000000) +
         (v >= 10000000000000000) + (v >= 100000000000000000) + (v >= 1000000000000000000) +
         (v >= 10000000000000000000u);
}
#endif

static int LARIAT_FORMAT(LARIAT_CHAR *to, size_t size, const LARIAT_CHAR *f, __builtin_va_list args, int target,
                         int argument) {
  size_t n = 0;
#define LARIAT_PUT(c)            \
  do {                           \
    LARIAT_CHAR put = (c);       \
    if (n + 1 < size) to[n] = put; \
    n++;                         \
  } while (0)
  for (; *f; f++) {
    if (*f != '%') {
      LARIAT_PUT(*f);
      continue;
    }
    f++;
    _Bool left = 0, plus = 0, space = 0, alternate = 0, zero = 0;
    for (;; f++) {
      if (*f == '-')
        left = 1;
      else if (*f == '+')
        plus = 1;
      else if (*f == ' ')
        space = 1;
      else if (*f == '#')
        alternate = 1;
      else if (*f == '0')
        zero = 1;
      else
        break;
    }
    size_t width = 0, precision = 0;
    _Bool precise = 0;
    if (*f == '*') {
      int w = __builtin_va_arg(args, int);
      argument++;
      if (w < 0) left = 1;
      width = w < 0 ? -(size_t)w : (size_t)w;
      f++;
    } else {
      for (; *f >= '0' && *f <= '9'; f++) width = width * 10 + (size_t)(*f - '0');
    }
    if (*f == '.') {
      f++;
      precise = 1;
      if (*f == '*') {
        int p = __builtin_va_arg(args, int);
        argument++;
        if (p < 0)
          precise = 0;
        else
          precision = (size_t)p;
        f++;
      } else {
        for (; *f >= '0' && *f <= '9'; f++) precision = precision * 10 + (size_t)(*f - '0');
      }
    }
    /* 0: int, 1: long, 2: long long, -1: short, -2: char, 3: as wide as a pointer, 4: long double. */
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
    } else if (*f == 'z' || *f == 't') {
      length = 3;
      f++;
    } else if (*f == 'L') {
      length = 4;
      f++;
    }

    if (*f == '%') {
      LARIAT_PUT('%');
    } else if (*f == 'c' && LARIAT_OWN(length)) {
      LARIAT_CHAR c = (LARIAT_CHAR)__builtin_va_arg(args, int);
      argument++;
      if (!left)
        for (size_t i = 1; i < width; i++) LARIAT_PUT(' ');
      LARIAT_PUT(c);
      if (left)
        for (size_t i = 1; i < width; i++) LARIAT_PUT(' ');
    } else if (*f == 's' && LARIAT_OWN(length)) {
      const LARIAT_CHAR *s = __builtin_va_arg(args, const LARIAT_CHAR *);
      size_t k = 0;
      while ((!precise || k < precision) && s[k]) k++;
      if (!left)
        for (size_t i = k; i < width; i++) LARIAT_PUT(' ');
      for (size_t i = 0; i < k; i++) LARIAT_PUT(s[i]);
      size_t read = (precise && k == precision ? k : k + 1) * sizeof(LARIAT_CHAR);
      LARIAT_STRING(argument, read);
      LARIAT_APART(to, (n < size ? n + 1 : size) * sizeof(LARIAT_CHAR), s, read);
      argument++;
      if (left)
        for (size_t i = k; i < width; i++) LARIAT_PUT(' ');
    } else if (*f == 'c' && LARIAT_OTHERS(length)) {
      unsigned c = (unsigned)__builtin_va_arg(args, int);
      argument++;
      if (c > 127) __lariat_unsupported("a wide character beyond ASCII in formatted output");
      if (!left)
        for (size_t i = 1; i < width; i++) LARIAT_PUT(' ');
      LARIAT_PUT((LARIAT_CHAR)c);
      if (left)
        for (size_t i = 1; i < width; i++) LARIAT_PUT(' ');
    } else if (*f == 's' && LARIAT_OTHERS(length)) {
      const LARIAT_OTHER *s = __builtin_va_arg(args, const LARIAT_OTHER *);
      size_t k = 0;
      while ((!precise || k < precision) && s[k]) {
        if (s[k] < 0 || s[k] > 127) __lariat_unsupported("a wide character beyond ASCII in formatted output");
        k++;
      }
      if (!left)
        for (size_t i = k; i < width; i++) LARIAT_PUT(' ');
      for (size_t i = 0; i < k; i++) LARIAT_PUT((LARIAT_CHAR)s[i]);
      LARIAT_STRING(argument, (precise && k == precision ? k : k + 1) * sizeof(LARIAT_OTHER));
      argument++;
      if (left)
        for (size_t i = k; i < width; i++) LARIAT_PUT(' ');
    } else if (length < 4 && (*f == 'd' || *f == 'i' || *f == 'u' || *f == 'x' || *f == 'X' || *f == 'o')) {
      _Bool is_signed = *f == 'd' || *f == 'i';
      unsigned long long value;
      if (is_signed) {
        long long v;
        if (length == 2)
          v = __builtin_va_arg(args, long long);
        else if (length == 1)
          v = __builtin_va_arg(args, long);
        else if (length == 3)
          v = __builtin_va_arg(args, ptrdiff_t);
        else
          v = __builtin_va_arg(args, int);
        if (length == -1) v = (short)v;
        if (length == -2) v = (signed char)v;
        value = (unsigned long long)v;
      } else {
        if (length == 2)
          value = __builtin_va_arg(args, unsigned long long);
        else if (length == 1)
          value = __builtin_va_arg(args, unsigned long);
        else if (length == 3)
          value = __builtin_va_arg(args, size_t);
        else
          value = __builtin_va_arg(args, unsigned);
        if (length == -1) value = (unsigned short)value;
        if (length == -2) value = (unsigned char)value;
      }
      argument++;
      _Bool negative = is_signed && value >> 63;
      if (negative) value = -value;
      unsigned base = *f == 'o' ? 8 : *f == 'x' || *f == 'X' ? 16 : 10;
      /* How many decimal digits there are is found without a division, and those of 32 bits without a loop. No division has a
         variable divisor. */
      enum { LARIAT_MOST = 22 };
      char digits[LARIAT_MOST];
      size_t count = 0;
      if (base == 10) {
        count = lariat_format_count(value);
        unsigned narrow = (unsigned)value;
        if (value == narrow) {
#define LARIAT_DIGIT(i) digits[i] = (char)('0' + narrow % 10), narrow /= 10
          LARIAT_DIGIT(0), LARIAT_DIGIT(1), LARIAT_DIGIT(2), LARIAT_DIGIT(3), LARIAT_DIGIT(4);
          LARIAT_DIGIT(5), LARIAT_DIGIT(6), LARIAT_DIGIT(7), LARIAT_DIGIT(8), LARIAT_DIGIT(9);
#undef LARIAT_DIGIT
        } else {
          unsigned long long rest = value;
          for (size_t i = 0; i < 20 && i < count; i++, rest /= 10) digits[i] = (char)('0' + rest % 10);
        }
      } else {
        unsigned shift = base == 8 ? 3 : 4;
        while (count < LARIAT_MOST && shift * count < 64 && value >> shift * count) count++;
        for (size_t i = 0; i < LARIAT_MOST && i < count; i++) {
          unsigned d = (unsigned)(value >> shift * i) & (base - 1);
          digits[i] = (char)(d < 10 ? '0' + d : (*f == 'X' ? 'A' : 'a') + (d - 10));
        }
      }
      if (!precise) precision = 1;
      if (alternate && base == 8 && precision <= count) precision = count + 1;
      size_t zeros = precision > count ? precision - count : 0;
      char sign = negative ? '-' : is_signed && plus ? '+' : is_signed && space ? ' ' : 0;
      _Bool prefix = alternate && base == 16 && value;
      size_t whole = zeros + count + (sign != 0) + (prefix ? 2 : 0);
      size_t pad = width > whole ? width - whole : 0;
      if (zero && !left && !precise) {
        zeros += pad;
        pad = 0;
      }
      if (!left)
        for (size_t i = 0; i < pad; i++) LARIAT_PUT(' ');
      if (sign) LARIAT_PUT(sign);
      if (prefix) {
        LARIAT_PUT('0');
        LARIAT_PUT(*f);
      }
      for (size_t i = 0; i < zeros; i++) LARIAT_PUT('0');
      for (size_t i = 0; i < LARIAT_MOST && i < count; i++) LARIAT_PUT(digits[count - 1 - i]);
      if (left)
        for (size_t i = 0; i < pad; i++) LARIAT_PUT(' ');
    } else if (*f == 'p' && length == 0) {
      void *p = __builtin_va_arg(args, void *);
      argument++;
      size_t count = 3;
      if (p) {
        __lariat_approximate("the digits of an address");
        count = __VERIFIER_nondet_ulong();
        __VERIFIER_assume(count >= 1 && count <= 2 * sizeof p);
      }
      char sign = p ? plus ? '+' : space ? ' ' : 0 : 0;
      size_t whole = count + 2 + (sign != 0);
      size_t pad = width > whole ? width - whole : 0;
      if (!left)
        for (size_t i = 0; i < pad; i++) LARIAT_PUT(' ');
      if (sign) LARIAT_PUT(sign);
      LARIAT_PUT(p ? '0' : '(');
      LARIAT_PUT(p ? 'x' : 'n');
      for (size_t i = 0; i < count; i++) {
        char digit = "il)"[i < 3 ? i : 0];
        if (p) {
          digit = __VERIFIER_nondet_char();
          __VERIFIER_assume((digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f'));
        }
        LARIAT_PUT(digit);
      }
      if (left)
        for (size_t i = 0; i < pad; i++) LARIAT_PUT(' ');
    } else if ((length == 0 || length == 1 || length == 4) &&
               (*f == 'f' || *f == 'F' || *f == 'e' || *f == 'E' || *f == 'g' || *f == 'G' || *f == 'a' || *f == 'A')) {
      double v;
      if (length == 4) {
        long double given = __builtin_va_arg(args, long double);
        v = (double)given;
        if (v != given && given == given) __lariat_unsupported("a conversion of a long double that is no double");
      } else {
        v = __builtin_va_arg(args, double);
      }
      argument++;
      char text[LARIAT_TEXT];
      int known = lariat_float_text(v, (char)*f, precise ? precision : 6, alternate, text);
      size_t count = known < 0 ? (size_t)-known : (size_t)known;
      char sign = lariat_float_bits(v) >> 63 ? '-' : plus ? '+' : space ? ' ' : 0;
      size_t whole = count + (sign != 0);
      size_t pad = width > whole ? width - whole : 0;
      _Bool zeros = zero && !left && (lariat_float_bits(v) >> 52 & 2047) != 2047;
      if (!left && !zeros)
        for (size_t i = 0; i < pad; i++) LARIAT_PUT(' ');
      if (sign) LARIAT_PUT(sign);
      if (zeros)
        for (size_t i = 0; i < pad; i++) LARIAT_PUT('0');
      for (size_t i = 0; i < count; i++) {
        char digit = known < 0 ? __VERIFIER_nondet_char() : text[i];
        if (known < 0) __VERIFIER_assume(digit >= '+' && digit <= 'x');
        LARIAT_PUT(digit);
      }
      if (left)
        for (size_t i = 0; i < pad; i++) LARIAT_PUT(' ');
    } else if (*f == 'n') {
      if (length == 2)
        *__builtin_va_arg(args, long long *) = (long long)n;
      else if (length == 1 || length == 3)
        *__builtin_va_arg(args, ptrdiff_t *) = (ptrdiff_t)n;
      else if (length == -1)
        *__builtin_va_arg(args, short *) = (short)n;
      else if (length == -2)
        *__builtin_va_arg(args, signed char *) = (signed char)n;
      else
        *__builtin_va_arg(args, int *) = (int)n;
      argument++;
    } else {
      __lariat_unsupported("a conversion of formatted output");
      return __VERIFIER_nondet_int();
    }
  }
#undef LARIAT_PUT
  if (size > 0) to[n < size ? n : size - 1] = 0;
  LARIAT_STRING(target, (n < size ? n + 1 : size) * sizeof(LARIAT_CHAR));
  return n > INT_MAX ? -1 : (int)n;
}

#undef LARIAT_FORMAT
#undef LARIAT_CHAR
#undef LARIAT_OWN
#undef LARIAT_OTHER
#undef LARIAT_OTHERS
