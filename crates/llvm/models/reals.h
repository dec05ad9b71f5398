/* Functions on the parts of floats, and remainders, for one type of floats: exact, with errno as glibc sets it.

   LARIAT_REAL     the type
   LARIAT_BITS     the unsigned integers of its width
   LARIAT_WIDTH    its width, without the first digit
   LARIAT_DIGITS   the digits of its fraction, with the first one
   LARIAT_EXTENDED the first digit is stored, too
   LARIAT_F(name)  a name with the suffix of the type */

#define LARIAT_BIAS ((1 << (LARIAT_WIDTH - LARIAT_DIGITS - 1)) - 1)
#define LARIAT_TOP (2 * LARIAT_BIAS + 1)

#ifdef LARIAT_EXTENDED
/* All digits are stored, the first one, too. */
union LARIAT_F(lariat_parts) {
  LARIAT_REAL real;
  struct { LARIAT_BITS digits; unsigned short top; } parts;
};
static LARIAT_REAL LARIAT_F(lariat_real)(unsigned top, LARIAT_BITS digits) {
  union LARIAT_F(lariat_parts) u;
  u.parts.digits = digits;
  u.parts.top = (unsigned short)top;
  return u.real;
}
static int LARIAT_F(lariat_exponent)(LARIAT_REAL x) {
  union LARIAT_F(lariat_parts) u = {x};
  return u.parts.top & LARIAT_TOP;
}
static unsigned LARIAT_F(lariat_sign)(LARIAT_REAL x) {
  union LARIAT_F(lariat_parts) u = {x};
  return u.parts.top & ~LARIAT_TOP;
}
static LARIAT_BITS LARIAT_F(lariat_fraction)(LARIAT_REAL x) {
  union LARIAT_F(lariat_parts) u = {x};
  return u.parts.digits;
}
#define LARIAT_FIRST_DIGIT 0
static LARIAT_REAL LARIAT_F(lariat_join)(int e, LARIAT_BITS m) { return LARIAT_F(lariat_real)((unsigned)e, m); }
/* The next one in magnitude, or the one before. */
static LARIAT_REAL LARIAT_F(lariat_step)(LARIAT_REAL x, _Bool up) {
  const LARIAT_BITS first = (LARIAT_BITS)1 << (LARIAT_DIGITS - 1);
  union LARIAT_F(lariat_parts) u = {x};
  if (up) {
    u.parts.digits++;
    if (u.parts.digits == 0) {
      u.parts.digits = first;
      u.parts.top++;
    } else if (u.parts.digits == first) {
      u.parts.top++;
    }
  } else {
    u.parts.digits--;
    if (u.parts.digits == first - 1 && u.parts.top & LARIAT_TOP) {
      u.parts.top--;
      if (u.parts.top & LARIAT_TOP) u.parts.digits |= first;
    }
  }
  return u.real;
}
static LARIAT_REAL LARIAT_F(lariat_least)(LARIAT_REAL like) { return LARIAT_F(lariat_real)(LARIAT_F(lariat_sign)(like), 1); }
#else
static LARIAT_BITS LARIAT_F(lariat_bits)(LARIAT_REAL x) {
  union { LARIAT_REAL real; LARIAT_BITS bits; } u;
  u.real = x;
  return u.bits;
}
static LARIAT_REAL LARIAT_F(lariat_real)(LARIAT_BITS bits) {
  union { LARIAT_BITS bits; LARIAT_REAL real; } u;
  u.bits = bits;
  return u.real;
}
/* A float is an exponent, 0 for those below the normal ones, and a fraction; both of its magnitude. */
static int LARIAT_F(lariat_exponent)(LARIAT_REAL x) {
  return (int)(LARIAT_F(lariat_bits)(x) >> (LARIAT_DIGITS - 1)) & LARIAT_TOP;
}
static LARIAT_BITS LARIAT_F(lariat_fraction)(LARIAT_REAL x) { return LARIAT_F(lariat_bits)(x) & (((LARIAT_BITS)1 << (LARIAT_DIGITS - 1)) - 1); }
static LARIAT_BITS LARIAT_F(lariat_sign)(LARIAT_REAL x) { return LARIAT_F(lariat_bits)(x) & (LARIAT_BITS)1 << (LARIAT_WIDTH - 1); }
#define LARIAT_FIRST_DIGIT ((LARIAT_BITS)1 << (LARIAT_DIGITS - 1))
static LARIAT_REAL LARIAT_F(lariat_join)(int e, LARIAT_BITS m) {
  return LARIAT_F(lariat_real)(((LARIAT_BITS)e << (LARIAT_DIGITS - 1)) | (m & (LARIAT_FIRST_DIGIT - 1)));
}
/* The next one in magnitude, or the one before. */
static LARIAT_REAL LARIAT_F(lariat_step)(LARIAT_REAL x, _Bool up) {
  LARIAT_BITS bits = LARIAT_F(lariat_bits)(x);
  return LARIAT_F(lariat_real)(up ? bits + 1 : bits - 1);
}
static LARIAT_REAL LARIAT_F(lariat_least)(LARIAT_REAL like) { return LARIAT_F(lariat_real)(LARIAT_F(lariat_sign)(like) | 1); }
#endif
static _Bool LARIAT_F(lariat_is_finite)(LARIAT_REAL x) { return x - x == 0; }

/* The digits of a finite number that is not zero as an integer with the highest bit set, and the exponent
   of the lowest one. */
static LARIAT_BITS LARIAT_F(lariat_digits)(LARIAT_REAL x, int *exponent) {
  int e = LARIAT_F(lariat_exponent)(x);
  LARIAT_BITS m = LARIAT_F(lariat_fraction)(x);
  if (e) {
    m |= LARIAT_FIRST_DIGIT;
  } else {
    int zeros = __builtin_clzll(m) - (64 - LARIAT_DIGITS);
    m <<= zeros;
    e = 1 - zeros;
  }
  *exponent = e - LARIAT_BIAS - (LARIAT_DIGITS - 1);
  return m;
}

/* `m` times 2 to the power of `e`, where that is a float: `m` has at most as many digits. */
static LARIAT_REAL LARIAT_F(lariat_compose)(LARIAT_BITS m, int e) {
  if (!m) return 0;
  int zeros = __builtin_clzll(m) - (64 - LARIAT_DIGITS);
  m <<= zeros;
  e += LARIAT_DIGITS - 1 + LARIAT_BIAS - zeros;
  if (e < 1) return LARIAT_F(lariat_join)(0, m >> (1 - e));
  return LARIAT_F(lariat_join)(e, m);
}

/* The magnitude of the remainder of a division towards zero, and the last three bits of the quotient. */
static LARIAT_REAL LARIAT_F(lariat_divide)(LARIAT_REAL x, LARIAT_REAL y, unsigned *quotient) {
  x = LARIAT_F(__builtin_fabs)(x);
  y = LARIAT_F(__builtin_fabs)(y);
  *quotient = 0;
  if (x < y) return x;
  int ex, ey;
  LARIAT_BITS mx = LARIAT_F(lariat_digits)(x, &ex), my = LARIAT_F(lariat_digits)(y, &ey);
  unsigned q = 0;
  /* Only where the digits fill the integer, one may go over. */
  _Bool over = 0;
  for (int i = ex - ey;; i--) {
    q <<= 1;
    if (over || mx >= my) {
      mx -= my;
      q |= 1;
    }
    if (i == 0) break;
    over = LARIAT_DIGITS == 64 && mx >> (LARIAT_DIGITS - 1);
    mx <<= 1;
  }
  *quotient = q & 7;
  return LARIAT_F(lariat_compose)(mx, ey);
}

static LARIAT_REAL LARIAT_F(lariat_not_a_number)(LARIAT_REAL x, LARIAT_REAL y) {
  if (x == x && y == y) *__errno_location() = 33;
  return (x * y) / (x * y);
}

MODEL LARIAT_REAL LARIAT_F(fmod)(LARIAT_REAL x, LARIAT_REAL y) {
  if (y == 0 || y != y || !LARIAT_F(lariat_is_finite)(x)) return LARIAT_F(lariat_not_a_number)(x, y);
  unsigned q;
  return LARIAT_F(__builtin_copysign)(LARIAT_F(lariat_divide)(x, y, &q), x);
}

/* To the nearest quotient, the even one of two. */
static LARIAT_REAL LARIAT_F(lariat_nearest)(LARIAT_REAL x, LARIAT_REAL y, unsigned *quotient) {
  LARIAT_REAL r = LARIAT_F(lariat_divide)(x, y, quotient);
  y = LARIAT_F(__builtin_fabs)(y);
  /* y - r is exact where r is at least half of y. */
  LARIAT_REAL other = y - r;
  if (LARIAT_F(lariat_is_finite)(y) && (r > other || (r == other && *quotient % 2))) {
    r = -other;
    ++*quotient;
  }
  return LARIAT_F(lariat_sign)(x) ? -r : r;
}

MODEL LARIAT_REAL LARIAT_F(remainder)(LARIAT_REAL x, LARIAT_REAL y) {
  if (y == 0 || y != y || !LARIAT_F(lariat_is_finite)(x)) return LARIAT_F(lariat_not_a_number)(x, y);
  unsigned q;
  LARIAT_REAL r = LARIAT_F(lariat_nearest)(x, y, &q);
  return r == 0 ? LARIAT_F(__builtin_copysign)(0, x) : r;
}
MODEL LARIAT_REAL LARIAT_F(drem)(LARIAT_REAL x, LARIAT_REAL y) {
  if (y == 0 || y != y || !LARIAT_F(lariat_is_finite)(x)) return LARIAT_F(lariat_not_a_number)(x, y);
  unsigned q;
  LARIAT_REAL r = LARIAT_F(lariat_nearest)(x, y, &q);
  return r == 0 ? LARIAT_F(__builtin_copysign)(0, x) : r;
}

/* C asks for a quotient that is right in its last three bits; glibc gives one of at most 8. */
MODEL LARIAT_REAL LARIAT_F(remquo)(LARIAT_REAL x, LARIAT_REAL y, int *quotient) {
  if (y == 0 || y != y || !LARIAT_F(lariat_is_finite)(x)) return (x * y) / (x * y);
  unsigned q;
  LARIAT_REAL r = LARIAT_F(lariat_nearest)(x, y, &q);
  *quotient = LARIAT_F(lariat_sign)(x) != LARIAT_F(lariat_sign)(y) ? -(int)q : (int)q;
  return r == 0 ? LARIAT_F(__builtin_copysign)(0, x) : r;
}

MODEL LARIAT_REAL LARIAT_F(nextafter)(LARIAT_REAL x, LARIAT_REAL y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) return LARIAT_F(lariat_least)(y);
  LARIAT_REAL next = LARIAT_F(lariat_step)(x, (x < y) == (x > 0));
  int e = LARIAT_F(lariat_exponent)(next);
  if (e == 0 || e == LARIAT_TOP) *__errno_location() = 34;
  return next;
}

MODEL LARIAT_REAL LARIAT_F(frexp)(LARIAT_REAL x, int *exponent) {
  *exponent = 0;
  if (x == 0 || !LARIAT_F(lariat_is_finite)(x)) return x + x;
  int e;
  LARIAT_BITS m = LARIAT_F(lariat_digits)(x, &e);
  *exponent = e + LARIAT_DIGITS;
  return LARIAT_F(__builtin_copysign)(LARIAT_F(lariat_compose)(m, -LARIAT_DIGITS), x);
}

/* One rounding at most, as the rounding mode has it: the last product. */
static LARIAT_REAL LARIAT_F(lariat_scale)(LARIAT_REAL x, long n) {
  if (x == 0 || !LARIAT_F(lariat_is_finite)(x)) return x + x;
  int e;
  LARIAT_BITS m = LARIAT_F(lariat_digits)(x, &e);
  if (n > 4 * LARIAT_TOP) n = 4 * LARIAT_TOP;
  if (n < -4 * LARIAT_TOP) n = -4 * LARIAT_TOP;
  long at = n + e + LARIAT_DIGITS - 1;
  LARIAT_REAL one = LARIAT_F(__builtin_copysign)(LARIAT_F(lariat_compose)(m, 1 - LARIAT_DIGITS), x);
  LARIAT_REAL result;
  if (at > LARIAT_BIAS) {
    LARIAT_REAL large = LARIAT_F(lariat_compose)(1, LARIAT_BIAS);
    result = one * large * large;
  } else if (at >= 1 - LARIAT_BIAS) {
    return one * LARIAT_F(lariat_compose)(1, (int)at);
  } else if (at >= 1 - LARIAT_BIAS - LARIAT_DIGITS) {
    LARIAT_REAL least = LARIAT_F(lariat_compose)(1, 1 - LARIAT_BIAS);
    result = one * LARIAT_F(lariat_compose)(1, (int)at + LARIAT_BIAS - 1) * least;
    if (result != 0) return result;
  } else {
    LARIAT_REAL least = LARIAT_F(lariat_compose)(1, 1 - LARIAT_BIAS);
    result = one * least * least;
  }
  if (result == 0 || !LARIAT_F(lariat_is_finite)(result)) *__errno_location() = 34;
  return result;
}
MODEL LARIAT_REAL LARIAT_F(ldexp)(LARIAT_REAL x, int n) { return LARIAT_F(lariat_scale)(x, n); }
MODEL LARIAT_REAL LARIAT_F(scalbn)(LARIAT_REAL x, int n) { return LARIAT_F(lariat_scale)(x, n); }
MODEL LARIAT_REAL LARIAT_F(scalbln)(LARIAT_REAL x, long n) { return LARIAT_F(lariat_scale)(x, n); }

MODEL int LARIAT_F(ilogb)(LARIAT_REAL x) {
  if (x == 0 || !LARIAT_F(lariat_is_finite)(x)) {
    *__errno_location() = 33;
    return x == 0 || x != x ? -INT_MAX - 1 : INT_MAX;
  }
  int e;
  (void)LARIAT_F(lariat_digits)(x, &e);
  return e + LARIAT_DIGITS - 1;
}
MODEL LARIAT_REAL LARIAT_F(logb)(LARIAT_REAL x) {
  if (x == 0) return -1 / LARIAT_F(__builtin_fabs)(x);
  if (!LARIAT_F(lariat_is_finite)(x)) return x * x;
  int e;
  (void)LARIAT_F(lariat_digits)(x, &e);
  return (LARIAT_REAL)(e + LARIAT_DIGITS - 1);
}

/* The digits in the text become the payload: hexadecimal, octal or decimal, if all of them are. */
MODEL LARIAT_REAL LARIAT_F(nan)(const char *text) {
  unsigned long long payload = 0;
  unsigned base = 10;
  if (text[0] == '0') base = text[1] == 'x' || text[1] == 'X' ? 16 : 8;
  for (size_t i = base == 16 ? 2 : 0; text[i]; i++) {
    char c = text[i];
    unsigned d = c >= '0' && c <= '9' ? (unsigned)(c - '0')
                 : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                 : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10) : 16;
    if (d >= base) {
      payload = 0;
      break;
    }
    if (payload > ((unsigned long long)-1 - d) / base) {
      /* More than any payload: all bits. */
      payload = (unsigned long long)-1;
      for (; text[i]; i++) {}
      break;
    }
    payload = payload * base + d;
  }
  LARIAT_BITS quiet = (LARIAT_BITS)3 << (LARIAT_DIGITS - 2);
  return LARIAT_F(lariat_join)(LARIAT_TOP, quiet | ((LARIAT_BITS)payload & (((LARIAT_BITS)1 << (LARIAT_DIGITS - 2)) - 1)));
}

MODEL LARIAT_REAL LARIAT_F(nexttoward)(LARIAT_REAL x, long double y) {
  if (x != x || y != y) return x + (LARIAT_REAL)y;
  if (x == y) return (LARIAT_REAL)y;
  if (x == 0) return LARIAT_F(lariat_least)(y < 0 ? -1 : 1);
  LARIAT_REAL next = LARIAT_F(lariat_step)(x, (x < y) == (x > 0));
  int e = LARIAT_F(lariat_exponent)(next);
  if (e == 0 || e == LARIAT_TOP) *__errno_location() = 34;
  return next;
}

#undef LARIAT_EXTENDED
#undef LARIAT_FIRST_DIGIT
#undef LARIAT_BIAS
#undef LARIAT_TOP
#undef LARIAT_REAL
#undef LARIAT_BITS
#undef LARIAT_WIDTH
#undef LARIAT_DIGITS
#undef LARIAT_F
