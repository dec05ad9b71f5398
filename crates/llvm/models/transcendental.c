/* math.h: functions that are exact at a few places only: zeros, infinities and what is no number. Elsewhere their
   results have a range and a sign, and no more is known of them. */

enum { LARIAT_EDOM = 33, LARIAT_ERANGE = 34 };

/* Where floats are not rounded to nearest, what is a little less than 1 may become the next float. */
#define LARIAT_ABOVE_ONE 0x1.000002p+0f

/* A result of a finite argument. One that is infinite is too large, and so may be the largest ones (where floats are rounded towards
   zero); one that is near 0 may be too small. */
#define LARIAT_SOME(type, any, name, fits)                                          \
  do {                                                                              \
    __lariat_approximate("the function " name);                                     \
    type r = any();                                                                 \
    __VERIFIER_assume(fits);                                                        \
    _Bool extreme = (r > -1e-37f && r < 1e-37f) || r < -1e38f || r > 1e38f;         \
    if (__builtin_isinf(r) || (extreme && __VERIFIER_nondet_bool()))                \
      __lariat_set_errno(-LARIAT_ERANGE);                                           \
    return r;                                                                       \
  } while (0)

/* The argument is outside of the domain, or no number. */
#define LARIAT_INVALID(x)                                \
  do {                                                   \
    if (__builtin_isnan(x)) return x + x;                \
    __lariat_set_errno(-LARIAT_EDOM);                    \
    double none = __builtin_nan("");                     \
    return __VERIFIER_nondet_bool() ? -none : none;      \
  } while (0)

#define LARIAT_POLE(value)               \
  do {                                   \
    __lariat_set_errno(-LARIAT_ERANGE);  \
    return value;                        \
  } while (0)

#define LARIAT_SIGN(x) ((x) < 0 ? r <= 0 : r >= 0)
#define LARIAT_WITHIN(low, high) (r >= (low) && r <= (high))
#define LARIAT_FINITE __builtin_isfinite(r)

#define LARIAT_EXPONENTIAL(type, any, name)                                                    \
  do {                                                                                         \
    if (x == 0) return 1;                                                                      \
    if (__builtin_isnan(x)) return x + x;                                                      \
    if (__builtin_isinf(x)) return x > 0 ? x : 0;                                              \
    LARIAT_SOME(type, any, name, x > 0 ? r >= 1 : LARIAT_WITHIN(0, LARIAT_ABOVE_ONE));         \
  } while (0)

#define LARIAT_LOGARITHM(type, any, name)                                                      \
  do {                                                                                         \
    if (x == 1) return 0;                                                                      \
    if (x == 0) LARIAT_POLE(-__builtin_inf());                                                 \
    if (!(x > 0)) LARIAT_INVALID(x);                                                           \
    if (__builtin_isinf(x)) return x;                                                          \
    LARIAT_SOME(type, any, name, LARIAT_FINITE && (x > 1 ? r >= 0 : r <= 0));                  \
  } while (0)

#define LARIAT_TRANSCENDENTAL(type, s, any)                                                    \
  MODEL type sin##s(type x) {                                                                  \
    if (x == 0) return x;                                                                      \
    if (!__builtin_isfinite(x)) LARIAT_INVALID(x);                                             \
    LARIAT_SOME(type, any, "sin", LARIAT_WITHIN(-1, 1));                                       \
  }                                                                                            \
  MODEL type cos##s(type x) {                                                                  \
    if (x == 0) return 1;                                                                      \
    if (!__builtin_isfinite(x)) LARIAT_INVALID(x);                                             \
    LARIAT_SOME(type, any, "cos", LARIAT_WITHIN(-1, 1));                                       \
  }                                                                                            \
  MODEL type tan##s(type x) {                                                                  \
    if (x == 0) return x;                                                                      \
    if (!__builtin_isfinite(x)) LARIAT_INVALID(x);                                             \
    LARIAT_SOME(type, any, "tan", !__builtin_isnan(r));                                        \
  }                                                                                            \
  MODEL type asin##s(type x) {                                                                 \
    if (x == 0) return x;                                                                      \
    if (!(x >= -1 && x <= 1)) LARIAT_INVALID(x);                                               \
    LARIAT_SOME(type, any, "asin", LARIAT_WITHIN(-2, 2) && LARIAT_SIGN(x));                    \
  }                                                                                            \
  MODEL type acos##s(type x) {                                                                 \
    if (x == 1) return 0;                                                                      \
    if (!(x >= -1 && x <= 1)) LARIAT_INVALID(x);                                               \
    LARIAT_SOME(type, any, "acos", LARIAT_WITHIN(0, 4));                                       \
  }                                                                                            \
  MODEL type atan##s(type x) {                                                                 \
    if (x == 0) return x;                                                                      \
    if (__builtin_isnan(x)) return x + x;                                                      \
    LARIAT_SOME(type, any, "atan", LARIAT_WITHIN(-2, 2) && LARIAT_SIGN(x));                    \
  }                                                                                            \
  MODEL type atan2##s(type y, type x) {                                                        \
    if (__builtin_isnan(x) || __builtin_isnan(y)) return x + y;                                \
    if (y == 0 && x > 0) return y;                                                             \
    LARIAT_SOME(type, any, "atan2", LARIAT_WITHIN(-4, 4));                                     \
  }                                                                                            \
  MODEL type sinh##s(type x) {                                                                 \
    if (x == 0) return x;                                                                      \
    if (!__builtin_isfinite(x)) return x + x;                                                  \
    LARIAT_SOME(type, any, "sinh", LARIAT_SIGN(x));                                            \
  }                                                                                            \
  MODEL type cosh##s(type x) {                                                                 \
    if (x == 0) return 1;                                                                      \
    if (__builtin_isnan(x)) return x + x;                                                      \
    if (__builtin_isinf(x)) return __builtin_inf();                                            \
    LARIAT_SOME(type, any, "cosh", r >= 1);                                                    \
  }                                                                                            \
  MODEL type tanh##s(type x) {                                                                 \
    if (x == 0) return x;                                                                      \
    if (__builtin_isnan(x)) return x + x;                                                      \
    if (__builtin_isinf(x)) return x > 0 ? 1 : -1;                                             \
    LARIAT_SOME(type, any, "tanh", LARIAT_WITHIN(-1, 1) && LARIAT_SIGN(x));                    \
  }                                                                                            \
  MODEL type asinh##s(type x) {                                                                \
    if (x == 0) return x;                                                                      \
    if (!__builtin_isfinite(x)) return x + x;                                                  \
    LARIAT_SOME(type, any, "asinh", LARIAT_FINITE && LARIAT_SIGN(x));                          \
  }                                                                                            \
  MODEL type acosh##s(type x) {                                                                \
    if (x == 1) return 0;                                                                      \
    if (!(x > 1)) LARIAT_INVALID(x);                                                           \
    if (__builtin_isinf(x)) return x;                                                          \
    LARIAT_SOME(type, any, "acosh", LARIAT_FINITE && r >= 0);                                  \
  }                                                                                            \
  MODEL type atanh##s(type x) {                                                                \
    if (x == 0) return x;                                                                      \
    if (x == 1) LARIAT_POLE(__builtin_inf());                                                  \
    if (x == -1) LARIAT_POLE(-__builtin_inf());                                                \
    if (!(x > -1 && x < 1)) LARIAT_INVALID(x);                                                 \
    LARIAT_SOME(type, any, "atanh", LARIAT_FINITE && LARIAT_SIGN(x));                          \
  }                                                                                            \
  MODEL type exp##s(type x) { LARIAT_EXPONENTIAL(type, any, "exp"); }                          \
  MODEL type exp2##s(type x) { LARIAT_EXPONENTIAL(type, any, "exp2"); }                        \
  MODEL type exp10##s(type x) { LARIAT_EXPONENTIAL(type, any, "exp10"); }                      \
  MODEL type expm1##s(type x) {                                                                \
    if (x == 0) return x;                                                                      \
    if (__builtin_isnan(x)) return x + x;                                                      \
    if (__builtin_isinf(x)) return x > 0 ? x : -1;                                             \
    LARIAT_SOME(type, any, "expm1", r >= -LARIAT_ABOVE_ONE && LARIAT_SIGN(x));                 \
  }                                                                                            \
  MODEL type log##s(type x) { LARIAT_LOGARITHM(type, any, "log"); }                            \
  MODEL type log2##s(type x) { LARIAT_LOGARITHM(type, any, "log2"); }                          \
  MODEL type log10##s(type x) { LARIAT_LOGARITHM(type, any, "log10"); }                        \
  MODEL type log1p##s(type x) {                                                                \
    if (x == 0) return x;                                                                      \
    if (x == -1) LARIAT_POLE(-__builtin_inf());                                                \
    if (!(x > -1)) LARIAT_INVALID(x);                                                          \
    if (__builtin_isinf(x)) return x;                                                          \
    LARIAT_SOME(type, any, "log1p", LARIAT_FINITE && LARIAT_SIGN(x));                          \
  }                                                                                            \
  MODEL type cbrt##s(type x) {                                                                 \
    if (x == 0) return x;                                                                      \
    if (!__builtin_isfinite(x)) return x + x;                                                  \
    LARIAT_SOME(type, any, "cbrt", LARIAT_FINITE && LARIAT_SIGN(x));                           \
  }                                                                                            \
  MODEL type erf##s(type x) {                                                                  \
    if (x == 0) return x;                                                                      \
    if (__builtin_isnan(x)) return x + x;                                                      \
    if (__builtin_isinf(x)) return x > 0 ? 1 : -1;                                             \
    LARIAT_SOME(type, any, "erf", LARIAT_WITHIN(-1, 1) && LARIAT_SIGN(x));                     \
  }                                                                                            \
  MODEL type erfc##s(type x) {                                                                 \
    if (x == 0) return 1;                                                                      \
    if (__builtin_isnan(x)) return x + x;                                                      \
    if (__builtin_isinf(x)) return x > 0 ? 0 : 2;                                              \
    LARIAT_SOME(type, any, "erfc", LARIAT_WITHIN(0, 2));                                       \
  }                                                                                            \
  MODEL type pow##s(type x, type y) {                                                          \
    if (y == 0 || x == 1) return 1;                                                            \
    if (__builtin_isnan(x) || __builtin_isnan(y)) return x + y;                                \
    _Bool whole = __builtin_trunc##s(y) == y;                                                  \
    _Bool odd = whole && y > -0x1p63 && y < 0x1p63 && (long long)y & 1;                        \
    if (x == 0) {                                                                              \
      if (y < 0 && !__builtin_isinf(y)) __lariat_set_errno(-LARIAT_ERANGE);                    \
      type zero = odd ? x : 0;                                                                 \
      return y > 0 ? zero : 1 / zero;                                                          \
    }                                                                                          \
    if (__builtin_isinf(y)) {                                                                  \
      type size = __builtin_fabs##s(x);                                                        \
      return size == 1 ? 1 : (size > 1) == (y > 0) ? __builtin_fabs##s(y) : 0;                 \
    }                                                                                          \
    if (__builtin_isinf(x)) {                                                                  \
      type large = x > 0 || odd ? x : -x;                                                      \
      return y > 0 ? large : 1 / large;                                                        \
    }                                                                                          \
    if (x < 0 && !whole) LARIAT_INVALID(x);                                                    \
    LARIAT_SOME(type, any, "pow", x < 0 && odd ? r <= 0 : r >= 0);                             \
  }

LARIAT_TRANSCENDENTAL(double, , __VERIFIER_nondet_double)
LARIAT_TRANSCENDENTAL(float, f, __VERIFIER_nondet_float)
LARIAT_TRANSCENDENTAL(long double, l, __VERIFIER_nondet_longdouble)
