/* math.h: sines and cosines at once. */

#define LARIAT_SINCOS(type, suffix, any)                                             \
  MODEL void sincos##suffix(type x, type *s, type *c) {                              \
    __lariat_approximate("the function sincos");                                     \
    type sine = any(), cosine = any();                                               \
    if (x - x == 0)                                                                  \
      __VERIFIER_assume(sine >= -1 && sine <= 1 && cosine >= -1 && cosine <= 1);     \
    else                                                                             \
      sine = cosine = x - x;                                                         \
    *s = sine;                                                                       \
    *c = cosine;                                                                     \
  }

LARIAT_SINCOS(double, , __VERIFIER_nondet_double)
LARIAT_SINCOS(float, f, __VERIFIER_nondet_float)
LARIAT_SINCOS(long double, l, __VERIFIER_nondet_longdouble)
