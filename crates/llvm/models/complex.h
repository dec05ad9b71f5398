/* Complex numbers, for one type of floats: exact, but for magnitudes that are no floats, of which only the last digits
   differ between libraries.

   LARIAT_REAL     the type of the parts
   LARIAT_WIDE     a wider type for quotients, or the same
   LARIAT_F(name)  a name with the suffix of the type
   LARIAT_C3(op)   the name of what clang calls for an operation
   LARIAT_LIMIT(X) the limit of this name (MAX, MIN, EPSILON)
   LARIAT_ANY()    any value */

static LARIAT_REAL _Complex LARIAT_F(lariat_complex)(LARIAT_REAL x, LARIAT_REAL y) {
  union { LARIAT_REAL _Complex both; LARIAT_REAL parts[2]; } u;
  u.parts[0] = x;
  u.parts[1] = y;
  return u.both;
}
static _Bool LARIAT_F(lariat_infinite)(LARIAT_REAL x) { return x == x && x - x != x - x; }
static LARIAT_REAL LARIAT_F(lariat_unit)(LARIAT_REAL x) { return LARIAT_F(__builtin_copysign)(LARIAT_F(lariat_infinite)(x), x); }
static LARIAT_REAL LARIAT_F(lariat_zero)(LARIAT_REAL x) { return x != x ? LARIAT_F(__builtin_copysign)(0, x) : x; }
static const LARIAT_REAL LARIAT_F(lariat_infinity) = LARIAT_F(__builtin_inf)();

/* C11, annex G: a product with an infinite factor is infinite, whatever else is no number. */
MODEL LARIAT_REAL _Complex LARIAT_C3(mul)(LARIAT_REAL a, LARIAT_REAL b, LARIAT_REAL c, LARIAT_REAL d) {
  LARIAT_REAL x = a * c - b * d, y = a * d + b * c;
  if (x == x || y == y) return LARIAT_F(lariat_complex)(x, y);
  _Bool again = 0;
  if (LARIAT_F(lariat_infinite)(a) || LARIAT_F(lariat_infinite)(b)) {
    a = LARIAT_F(lariat_unit)(a), b = LARIAT_F(lariat_unit)(b);
    c = LARIAT_F(lariat_zero)(c), d = LARIAT_F(lariat_zero)(d);
    again = 1;
  }
  if (LARIAT_F(lariat_infinite)(c) || LARIAT_F(lariat_infinite)(d)) {
    c = LARIAT_F(lariat_unit)(c), d = LARIAT_F(lariat_unit)(d);
    a = LARIAT_F(lariat_zero)(a), b = LARIAT_F(lariat_zero)(b);
    again = 1;
  }
  if (!again && (LARIAT_F(lariat_infinite)(a * c) || LARIAT_F(lariat_infinite)(b * d) ||
                 LARIAT_F(lariat_infinite)(a * d) || LARIAT_F(lariat_infinite)(b * c))) {
    a = LARIAT_F(lariat_zero)(a), b = LARIAT_F(lariat_zero)(b);
    c = LARIAT_F(lariat_zero)(c), d = LARIAT_F(lariat_zero)(d);
    again = 1;
  }
  if (!again) return LARIAT_F(lariat_complex)(x, y);
  return LARIAT_F(lariat_complex)(LARIAT_F(lariat_infinity) * (a * c - b * d),
                                LARIAT_F(lariat_infinity) * (a * d + b * c));
}

/* Is the product without any rounding? (No part of it is so small that it would be lost.) */
static _Bool LARIAT_F(lariat_exact)(LARIAT_REAL x, LARIAT_REAL y) {
  LARIAT_REAL p = x * y;
  return x == 0 || y == 0 || (LARIAT_F(__builtin_fabs)(p) > (LARIAT_REAL)1e-20 && LARIAT_F(__builtin_fma)(x, y, -p) == 0);
}

/* Is x * c - y * d the number a, without any rounding? */
static _Bool LARIAT_F(lariat_is)(LARIAT_REAL x, LARIAT_REAL c, LARIAT_REAL y, LARIAT_REAL d, LARIAT_REAL a) {
  LARIAT_REAL p = x * c, q = y * d, s = p - q;
  return s == a && LARIAT_F(lariat_exact)(x, c) && LARIAT_F(lariat_exact)(y, d) && s + q == p && p - s == q;
}

/* The power of two by which the parts of a dividend (a, b) and of a divisor are scaled, of which c is the larger one. */
static LARIAT_REAL LARIAT_F(lariat_quotient_scale)(LARIAT_REAL a, LARIAT_REAL b, LARIAT_REAL c) {
  const LARIAT_REAL most = LARIAT_LIMIT(MAX) / 2, least = LARIAT_LIMIT(MIN), step = LARIAT_LIMIT(EPSILON), room = most * step;
  a = LARIAT_F(__builtin_fabs)(a), b = LARIAT_F(__builtin_fabs)(b), c = LARIAT_F(__builtin_fabs)(c);
  if (c >= most) return 0.5;
  if (c < step) return 1 / step;
  return c < room && ((a < least && b < room) || (b < least && a < room)) ? 1 / step : 1;
}

/* The sum a + b * (d / c), with the ratio of a divisor's parts, which would be lost if it is too small: then b / c comes first. */
static LARIAT_REAL LARIAT_F(lariat_smith)(LARIAT_REAL a, LARIAT_REAL b, LARIAT_REAL c, LARIAT_REAL d) {
  LARIAT_REAL ratio = d / c;
  return a + (LARIAT_F(__builtin_fabs)(ratio) > LARIAT_LIMIT(MIN) ? b * ratio : d * (b / c));
}

/* A quotient as libgcc 12 computes it: floats in a wider type, other types by Smith's method as Baudin and Smith made it robust (A Robust
   Complex Division in Scilab, 2012). */
MODEL LARIAT_REAL _Complex LARIAT_C3(div)(LARIAT_REAL a, LARIAT_REAL b, LARIAT_REAL c, LARIAT_REAL d) {
  LARIAT_REAL x, y;
  if (sizeof(LARIAT_WIDE) > sizeof(LARIAT_REAL)) {
    LARIAT_WIDE divisor = (LARIAT_WIDE)c * c + (LARIAT_WIDE)d * d;
    x = (LARIAT_REAL)(((LARIAT_WIDE)a * c + (LARIAT_WIDE)b * d) / divisor);
    y = (LARIAT_REAL)(((LARIAT_WIDE)b * c - (LARIAT_WIDE)a * d) / divisor);
  } else {
    _Bool swapped = LARIAT_F(__builtin_fabs)(c) < LARIAT_F(__builtin_fabs)(d);
    LARIAT_REAL scale = LARIAT_F(lariat_quotient_scale)(a, b, swapped ? d : c);
    a *= scale, b *= scale, c *= scale, d *= scale;
    if (swapped) {
      LARIAT_REAL divisor = c * (c / d) + d;
      x = LARIAT_F(lariat_smith)(b, a, d, c) / divisor;
      y = LARIAT_F(lariat_smith)(-a, b, d, c) / divisor;
    } else {
      LARIAT_REAL divisor = d * (d / c) + c;
      x = LARIAT_F(lariat_smith)(a, b, c, d) / divisor;
      y = LARIAT_F(lariat_smith)(b, -a, c, d) / divisor;
    }
  }
  if (x == x || y == y) return LARIAT_F(lariat_complex)(x, y);
  /* C11, annex G: a quotient by zero is infinite, and so is one of an infinite number; one by an infinite number is zero. */
  if (c == 0 && d == 0 && (a == a || b == b)) {
    LARIAT_REAL sign = LARIAT_F(__builtin_copysign)(LARIAT_F(lariat_infinity), c);
    return LARIAT_F(lariat_complex)(sign * a, sign * b);
  }
  if ((LARIAT_F(lariat_infinite)(a) || LARIAT_F(lariat_infinite)(b)) && c - c == 0 && d - d == 0) {
    a = LARIAT_F(lariat_unit)(a), b = LARIAT_F(lariat_unit)(b);
    return LARIAT_F(lariat_complex)(LARIAT_F(lariat_infinity) * (a * c + b * d),
                                  LARIAT_F(lariat_infinity) * (b * c - a * d));
  }
  if ((LARIAT_F(lariat_infinite)(c) || LARIAT_F(lariat_infinite)(d)) && a - a == 0 && b - b == 0) {
    c = LARIAT_F(lariat_unit)(c), d = LARIAT_F(lariat_unit)(d);
    return LARIAT_F(lariat_complex)(0 * (a * c + b * d), 0 * (b * c - a * d));
  }
  return LARIAT_F(lariat_complex)(x, y);
}

MODEL LARIAT_REAL LARIAT_F(creal)(LARIAT_REAL _Complex z) { return __real__ z; }
MODEL LARIAT_REAL LARIAT_F(cimag)(LARIAT_REAL _Complex z) { return __imag__ z; }
MODEL LARIAT_REAL _Complex LARIAT_F(conj)(LARIAT_REAL _Complex z) { return LARIAT_F(lariat_complex)(__real__ z, -__imag__ z); }
MODEL LARIAT_REAL _Complex LARIAT_F(cproj)(LARIAT_REAL _Complex z) {
  if (!LARIAT_F(lariat_infinite)(__real__ z) && !LARIAT_F(lariat_infinite)(__imag__ z)) return z;
  return LARIAT_F(lariat_complex)(LARIAT_F(lariat_infinity), LARIAT_F(__builtin_copysign)(0, __imag__ z));
}

static LARIAT_REAL LARIAT_F(lariat_magnitude)(LARIAT_REAL x, LARIAT_REAL y) {
  if (LARIAT_F(lariat_infinite)(x) || LARIAT_F(lariat_infinite)(y)) return LARIAT_F(lariat_infinity);
  if (x != x || y != y) return x + y;
  x = LARIAT_F(__builtin_fabs)(x), y = LARIAT_F(__builtin_fabs)(y);
  if (x == 0 || y == 0) return x + y;
  LARIAT_REAL r = LARIAT_F(__builtin_sqrt)(x * x + y * y);
  /* r * r = x * x + y * y, without any rounding. */
  if (r - r == 0 && LARIAT_F(lariat_exact)(r, r) && LARIAT_F(lariat_is)(x, x, y, -y, r * r))
    return r;
  __lariat_approximate("the magnitude of a complex number");
  LARIAT_REAL any = LARIAT_ANY();
  __VERIFIER_assume(any >= x && any >= y && any <= x + y);
  if (any - any != 0 || __VERIFIER_nondet_bool()) *__errno_location() = 34;
  return any;
}
MODEL LARIAT_REAL LARIAT_F(cabs)(LARIAT_REAL _Complex z) { return LARIAT_F(lariat_magnitude)(__real__ z, __imag__ z); }
MODEL LARIAT_REAL LARIAT_F(hypot)(LARIAT_REAL x, LARIAT_REAL y) { return LARIAT_F(lariat_magnitude)(x, y); }

#undef LARIAT_REAL
#undef LARIAT_WIDE
#undef LARIAT_F
#undef LARIAT_C3
#undef LARIAT_LIMIT
#undef LARIAT_ANY
