/* math.h: what follows exactly from the operations that the translation knows. */

#define LARIAT_REAL(type, suffix)                                                                \
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
