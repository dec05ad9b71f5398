/* math.h: functions on the parts of floats, and remainders: exact, with errno as glibc sets it. */

#define LARIAT_FLOATS(REAL, BITS, WIDTH, DIGITS, suffix)                                                     \
  enum { LARIAT_BIAS##suffix = (1 << (WIDTH - DIGITS - 1)) - 1, LARIAT_TOP##suffix = 2 * LARIAT_BIAS##suffix + 1 }; \
                                                                                                             \
  static BITS lariat_bits##suffix(REAL x) {                                                                  \
    union { REAL real; BITS bits; } u;                                                                       \
    u.real = x;                                                                                              \
    return u.bits;                                                                                           \
  }                                                                                                          \
  static REAL lariat_real##suffix(BITS bits) {                                                               \
    union { BITS bits; REAL real; } u;                                                                       \
    u.bits = bits;                                                                                           \
    return u.real;                                                                                           \
  }                                                                                                          \
  /* A float is an exponent, 0 for those below the normal ones, and a fraction; both of its magnitude. */    \
  static int lariat_exponent##suffix(REAL x) {                                                               \
    return (int)(lariat_bits##suffix(x) >> (DIGITS - 1)) & LARIAT_TOP##suffix;                               \
  }                                                                                                          \
  static BITS lariat_fraction##suffix(REAL x) { return lariat_bits##suffix(x) & (((BITS)1 << (DIGITS - 1)) - 1); } \
  static BITS lariat_sign##suffix(REAL x) { return lariat_bits##suffix(x) & (BITS)1 << (WIDTH - 1); }        \
  static _Bool lariat_is_finite##suffix(REAL x) { return x - x == 0; }                                       \
                                                                                                             \
  /* The digits of a finite number that is not zero as an integer with the highest bit set, and the exponent \
     of the lowest one. */                                                                                   \
  static BITS lariat_digits##suffix(REAL x, int *exponent) {                                                 \
    int e = lariat_exponent##suffix(x);                                                                      \
    BITS m = lariat_fraction##suffix(x);                                                                     \
    if (e) {                                                                                                 \
      m |= (BITS)1 << (DIGITS - 1);                                                                          \
    } else {                                                                                                 \
      int zeros = __builtin_clzll(m) - (64 - DIGITS);                                                        \
      m <<= zeros;                                                                                           \
      e = 1 - zeros;                                                                                         \
    }                                                                                                        \
    *exponent = e - LARIAT_BIAS##suffix - (DIGITS - 1);                                                      \
    return m;                                                                                                \
  }                                                                                                          \
                                                                                                             \
  /* `m` times 2 to the power of `e`, where that is a float: `m` has at most as many digits. */              \
  static REAL lariat_compose##suffix(BITS m, int e) {                                                        \
    if (!m) return 0;                                                                                        \
    int zeros = __builtin_clzll(m) - (64 - DIGITS);                                                          \
    m <<= zeros;                                                                                             \
    e += DIGITS - 1 + LARIAT_BIAS##suffix - zeros;                                                           \
    if (e < 1) return lariat_real##suffix(m >> (1 - e));                                                     \
    return lariat_real##suffix(((BITS)e << (DIGITS - 1)) | (m & (((BITS)1 << (DIGITS - 1)) - 1)));           \
  }                                                                                                          \
                                                                                                             \
  /* The magnitude of the remainder of a division towards zero, and the last bits of the quotient. */        \
  static REAL lariat_divide##suffix(REAL x, REAL y, unsigned *quotient) {                                    \
    x = __builtin_fabs##suffix(x);                                                                           \
    y = __builtin_fabs##suffix(y);                                                                           \
    *quotient = 0;                                                                                           \
    if (x < y) return x;                                                                                     \
    int ex, ey;                                                                                              \
    BITS mx = lariat_digits##suffix(x, &ex), my = lariat_digits##suffix(y, &ey);                             \
    unsigned q = 0;                                                                                          \
    for (int i = ex - ey;; i--) {                                                                            \
      q <<= 1;                                                                                               \
      if (mx >= my) {                                                                                        \
        mx -= my;                                                                                            \
        q |= 1;                                                                                              \
      }                                                                                                      \
      if (i == 0) break;                                                                                     \
      mx <<= 1;                                                                                              \
    }                                                                                                        \
    *quotient = q;                                                                                           \
    return lariat_compose##suffix(mx, ey);                                                                   \
  }                                                                                                          \
                                                                                                             \
  static REAL lariat_not_a_number##suffix(REAL x, REAL y) {                                                  \
    if (x == x && y == y) *__errno_location() = 33;                                                          \
    return (x * y) / (x * y);                                                                                \
  }                                                                                                          \
                                                                                                             \
  MODEL REAL fmod##suffix(REAL x, REAL y) {                                                                  \
    if (y == 0 || y != y || !lariat_is_finite##suffix(x)) return lariat_not_a_number##suffix(x, y);          \
    unsigned q;                                                                                              \
    return __builtin_copysign##suffix(lariat_divide##suffix(x, y, &q), x);                                   \
  }                                                                                                          \
                                                                                                             \
  /* To the nearest quotient, the even one of two. */                                                        \
  static REAL lariat_nearest##suffix(REAL x, REAL y, unsigned *quotient) {                                   \
    REAL r = lariat_divide##suffix(x, y, quotient);                                                          \
    y = __builtin_fabs##suffix(y);                                                                           \
    /* y - r is exact where r is at least half of y. */                                                      \
    REAL other = y - r;                                                                                      \
    if (lariat_is_finite##suffix(y) && (r > other || (r == other && *quotient % 2))) {                       \
      r = -other;                                                                                            \
      ++*quotient;                                                                                           \
    }                                                                                                        \
    return lariat_sign##suffix(x) ? -r : r;                                                                  \
  }                                                                                                          \
                                                                                                             \
  MODEL REAL remainder##suffix(REAL x, REAL y) {                                                             \
    if (y == 0 || y != y || !lariat_is_finite##suffix(x)) return lariat_not_a_number##suffix(x, y);          \
    unsigned q;                                                                                              \
    REAL r = lariat_nearest##suffix(x, y, &q);                                                               \
    return r == 0 ? __builtin_copysign##suffix(0, x) : r;                                                    \
  }                                                                                                          \
  MODEL REAL drem##suffix(REAL x, REAL y) {                                                                  \
    if (y == 0 || y != y || !lariat_is_finite##suffix(x)) return lariat_not_a_number##suffix(x, y);          \
    unsigned q;                                                                                              \
    REAL r = lariat_nearest##suffix(x, y, &q);                                                               \
    return r == 0 ? __builtin_copysign##suffix(0, x) : r;                                                    \
  }                                                                                                          \
                                                                                                             \
  /* C asks for three bits of the quotient; glibc gives these. */                                            \
  MODEL REAL remquo##suffix(REAL x, REAL y, int *quotient) {                                                 \
    if (y == 0 || y != y || !lariat_is_finite##suffix(x)) return (x * y) / (x * y);                          \
    unsigned q;                                                                                              \
    REAL r = lariat_nearest##suffix(x, y, &q);                                                               \
    *quotient = lariat_sign##suffix(x) != lariat_sign##suffix(y) ? -(int)(q & 7) : (int)(q & 7);             \
    return r == 0 ? __builtin_copysign##suffix(0, x) : r;                                                    \
  }                                                                                                          \
                                                                                                             \
  MODEL REAL nextafter##suffix(REAL x, REAL y) {                                                             \
    if (x != x || y != y) return x + y;                                                                      \
    if (x == y) return y;                                                                                    \
    REAL next;                                                                                               \
    if (x == 0) {                                                                                            \
      next = lariat_real##suffix(lariat_sign##suffix(y) | 1);                                                \
    } else {                                                                                                 \
      BITS bits = lariat_bits##suffix(x);                                                                    \
      next = lariat_real##suffix((x < y) == (x > 0) ? bits + 1 : bits - 1);                                  \
    }                                                                                                        \
    int e = lariat_exponent##suffix(next);                                                                   \
    if (e == 0 || e == LARIAT_TOP##suffix) *__errno_location() = 34;                                         \
    return next;                                                                                             \
  }                                                                                                          \
                                                                                                             \
  MODEL REAL frexp##suffix(REAL x, int *exponent) {                                                          \
    *exponent = 0;                                                                                           \
    if (x == 0 || !lariat_is_finite##suffix(x)) return x + x;                                                \
    int e;                                                                                                   \
    BITS m = lariat_digits##suffix(x, &e);                                                                   \
    *exponent = e + DIGITS;                                                                                  \
    return __builtin_copysign##suffix(lariat_compose##suffix(m, -DIGITS), x);                                \
  }                                                                                                          \
                                                                                                             \
  /* One rounding at most, as the rounding mode has it: the last product. */                                 \
  static REAL lariat_scale##suffix(REAL x, long n) {                                                         \
    if (x == 0 || !lariat_is_finite##suffix(x)) return x + x;                                                \
    int e;                                                                                                   \
    BITS m = lariat_digits##suffix(x, &e);                                                                   \
    if (n > 4 * LARIAT_TOP##suffix) n = 4 * LARIAT_TOP##suffix;                                              \
    if (n < -4 * LARIAT_TOP##suffix) n = -4 * LARIAT_TOP##suffix;                                            \
    long at = n + e + DIGITS - 1;                                                                            \
    REAL one = __builtin_copysign##suffix(lariat_compose##suffix(m, 1 - DIGITS), x);                         \
    REAL result;                                                                                             \
    if (at > LARIAT_BIAS##suffix) {                                                                          \
      REAL large = lariat_compose##suffix(1, LARIAT_BIAS##suffix);                                           \
      result = one * large * large;                                                                          \
    } else if (at >= 1 - LARIAT_BIAS##suffix) {                                                              \
      return one * lariat_compose##suffix(1, (int)at);                                                       \
    } else if (at >= 1 - LARIAT_BIAS##suffix - DIGITS) {                                                     \
      REAL least = lariat_compose##suffix(1, 1 - LARIAT_BIAS##suffix);                                       \
      result = one * lariat_compose##suffix(1, (int)at + LARIAT_BIAS##suffix - 1) * least;                   \
      if (result != 0) return result;                                                                        \
    } else {                                                                                                 \
      REAL least = lariat_compose##suffix(1, 1 - LARIAT_BIAS##suffix);                                       \
      result = one * least * least;                                                                          \
    }                                                                                                        \
    if (result == 0 || !lariat_is_finite##suffix(result)) *__errno_location() = 34;                          \
    return result;                                                                                           \
  }                                                                                                          \
  MODEL REAL ldexp##suffix(REAL x, int n) { return lariat_scale##suffix(x, n); }                             \
  MODEL REAL scalbn##suffix(REAL x, int n) { return lariat_scale##suffix(x, n); }                            \
  MODEL REAL scalbln##suffix(REAL x, long n) { return lariat_scale##suffix(x, n); }                          \
                                                                                                             \
  MODEL int ilogb##suffix(REAL x) {                                                                          \
    if (x == 0 || !lariat_is_finite##suffix(x)) {                                                            \
      *__errno_location() = 33;                                                                              \
      return x == 0 || x != x ? -INT_MAX - 1 : INT_MAX;                                                      \
    }                                                                                                        \
    int e;                                                                                                   \
    (void)lariat_digits##suffix(x, &e);                                                                      \
    return e + DIGITS - 1;                                                                                   \
  }                                                                                                          \
  MODEL REAL logb##suffix(REAL x) {                                                                          \
    if (x == 0) {                                                                                            \
      *__errno_location() = 34;                                                                              \
      return -1 / __builtin_fabs##suffix(x);                                                                 \
    }                                                                                                        \
    if (!lariat_is_finite##suffix(x)) return x * x;                                                          \
    int e;                                                                                                   \
    (void)lariat_digits##suffix(x, &e);                                                                      \
    return (REAL)(e + DIGITS - 1);                                                                           \
  }                                                                                                          \
                                                                                                             \
  MODEL REAL significand##suffix(REAL x) {                                                                   \
    if (x == 0 || !lariat_is_finite##suffix(x)) return x + x;                                                \
    int e;                                                                                                   \
    BITS m = lariat_digits##suffix(x, &e);                                                                   \
    return __builtin_copysign##suffix(lariat_compose##suffix(m, 1 - DIGITS), x);                             \
  }                                                                                                          \
                                                                                                             \
  /* The digits in the text become the payload: hexadecimal, octal or decimal, if all of them are. */        \
  MODEL REAL nan##suffix(const char *text) {                                                                 \
    unsigned long long payload = 0;                                                                          \
    unsigned base = 10;                                                                                      \
    if (text[0] == '0') base = text[1] == 'x' || text[1] == 'X' ? 16 : 8;                                    \
    for (size_t i = base == 16 ? 2 : 0; text[i]; i++) {                                                      \
      char c = text[i];                                                                                      \
      unsigned d = c >= '0' && c <= '9' ? (unsigned)(c - '0')                                                \
                   : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)                                         \
                   : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10) : 16;                                   \
      if (d >= base) {                                                                                       \
        payload = 0;                                                                                         \
        break;                                                                                               \
      }                                                                                                      \
      if (payload > ((unsigned long long)-1 - d) / base) {                                                   \
        /* More than any payload: all bits. */                                                               \
        payload = (unsigned long long)-1;                                                                    \
        for (; text[i]; i++) {}                                                                              \
        break;                                                                                               \
      }                                                                                                      \
      payload = payload * base + d;                                                                          \
    }                                                                                                        \
    BITS quiet = (BITS)LARIAT_TOP##suffix << (DIGITS - 1) | (BITS)1 << (DIGITS - 2);                         \
    return lariat_real##suffix(quiet | ((BITS)payload & (((BITS)1 << (DIGITS - 2)) - 1)));                   \
  }

LARIAT_FLOATS(double, unsigned long long, 64, 53, )
LARIAT_FLOATS(float, unsigned, 32, 24, f)

/* strings.h: the number of the lowest bit that is set. */
MODEL int ffs(int x) { return x ? __builtin_ctz((unsigned)x) + 1 : 0; }
MODEL int ffsl(long x) { return x ? __builtin_ctzl((unsigned long)x) + 1 : 0; }
MODEL int ffsll(long long x) { return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0; }
