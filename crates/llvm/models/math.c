/* math.h: what can be said exactly with the operations that LLVM itself has. */

#define LARIAT_REAL(type, suffix)                                                                \
  MODEL int __isnan##suffix(type x) { return x != x; }                                           \
  MODEL int isnan##suffix(type x) { return x != x; }                                             \
  MODEL int __isinf##suffix(type x) {                                                            \
    return x == (type)__builtin_inf() ? 1 : x == -(type)__builtin_inf() ? -1 : 0;                \
  }                                                                                              \
  MODEL int isinf##suffix(type x) {                                                              \
    return x == (type)__builtin_inf() ? 1 : x == -(type)__builtin_inf() ? -1 : 0;                \
  }                                                                                              \
  MODEL int __finite##suffix(type x) { return x - x == 0; }                                      \
  MODEL int finite##suffix(type x) { return x - x == 0; }                                        \
  MODEL int __signbit##suffix(type x) { return __builtin_copysign##suffix(1, x) < 0; }           \
  MODEL type fdim##suffix(type x, type y) { return x != x || y != y ? x + y : x > y ? x - y : 0; } \
  MODEL type modf##suffix(type x, type *whole) {                                                 \
    *whole = __builtin_trunc##suffix(x);                                                         \
    return __builtin_copysign##suffix(x - x != 0 && x == x ? 0 : x - *whole, x);                 \
  }                                                                                              \
  MODEL long lround##suffix(type x) { return (long)__builtin_round##suffix(x); }                 \
  MODEL long long llround##suffix(type x) { return (long long)__builtin_round##suffix(x); }      \
  MODEL long lrint##suffix(type x) { return (long)__builtin_rint##suffix(x); }                   \
  MODEL long long llrint##suffix(type x) { return (long long)__builtin_rint##suffix(x); }

LARIAT_REAL(double, )
LARIAT_REAL(float, f)
LARIAT_REAL(long double, l)

/* 0: not a number, 1: infinite, 2: zero, 3: subnormal, 4: normal. */
#define LARIAT_FPCLASSIFY(type, suffix, least)                                            \
  MODEL int __fpclassify##suffix(type x) {                                                \
    return x != x ? 0 : x - x != 0 ? 1 : x == 0 ? 2 : x < least && x > -least ? 3 : 4;    \
  }

LARIAT_FPCLASSIFY(double, , __DBL_MIN__)
LARIAT_FPCLASSIFY(float, f, __FLT_MIN__)
LARIAT_FPCLASSIFY(long double, l, __LDBL_MIN__)

MODEL double sqrt(double x) { return __builtin_elementwise_sqrt(x); }
MODEL float sqrtf(float x) { return __builtin_elementwise_sqrt(x); }
