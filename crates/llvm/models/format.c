/* stdio.h: formatted output into memory. Floating point, wide characters, pointers and `%n` are not
   covered. */

static int lariat_format(char *to, size_t size, const char *f, __builtin_va_list args) {
  size_t n = 0;
#define LARIAT_PUT(c)            \
  do {                           \
    char put = (c);              \
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
        if (p < 0)
          precise = 0;
        else
          precision = (size_t)p;
        f++;
      } else {
        for (; *f >= '0' && *f <= '9'; f++) precision = precision * 10 + (size_t)(*f - '0');
      }
    }
    /* 0: int, 1: long, 2: long long, -1: short, -2: char, 3: as wide as a pointer. */
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

    if (*f == '%') {
      LARIAT_PUT('%');
    } else if (*f == 'c' && length == 0) {
      char c = (char)__builtin_va_arg(args, int);
      if (!left)
        for (size_t i = 1; i < width; i++) LARIAT_PUT(' ');
      LARIAT_PUT(c);
      if (left)
        for (size_t i = 1; i < width; i++) LARIAT_PUT(' ');
    } else if (*f == 's' && length == 0) {
      const char *s = __builtin_va_arg(args, const char *);
      size_t k = 0;
      while ((!precise || k < precision) && s[k]) k++;
      if (!left)
        for (size_t i = k; i < width; i++) LARIAT_PUT(' ');
      for (size_t i = 0; i < k; i++) LARIAT_PUT(s[i]);
      if (left)
        for (size_t i = k; i < width; i++) LARIAT_PUT(' ');
    } else if (*f == 'd' || *f == 'i' || *f == 'u' || *f == 'x' || *f == 'X' || *f == 'o') {
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
      _Bool negative = is_signed && value >> 63;
      if (negative) value = -value;
      unsigned base = *f == 'o' ? 8 : *f == 'x' || *f == 'X' ? 16 : 10;
      char digits[24];
      size_t count = 0;
      for (unsigned long long rest = value; rest; rest /= base) {
        unsigned d = (unsigned)(rest % base);
        digits[count++] = (char)(d < 10 ? '0' + d : (*f == 'X' ? 'A' : 'a') + (d - 10));
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
      while (count > 0) LARIAT_PUT(digits[--count]);
      if (left)
        for (size_t i = 0; i < pad; i++) LARIAT_PUT(' ');
    } else {
      __lariat_unsupported("a conversion of formatted output");
      return __VERIFIER_nondet_int();
    }
  }
#undef LARIAT_PUT
  if (size > 0) to[n < size ? n : size - 1] = 0;
  return n > INT_MAX ? -1 : (int)n;
}

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
