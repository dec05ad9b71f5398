/* stdlib.h, inttypes.h: arithmetic and random numbers. The absolute value of the least number
   overflows, here as in C. */

MODEL int abs(int x) { return x < 0 ? -x : x; }
MODEL long labs(long x) { return x < 0 ? -x : x; }
MODEL long long llabs(long long x) { return x < 0 ? -x : x; }
MODEL intmax_t imaxabs(intmax_t x) { return x < 0 ? -x : x; }

struct lariat_div { int quot, rem; };
struct lariat_ldiv { long quot, rem; };
struct lariat_lldiv { long long quot, rem; };
struct lariat_imaxdiv { intmax_t quot, rem; };

MODEL struct lariat_div div(int a, int b) {
  struct lariat_div r = {a / b, a % b};
  return r;
}

MODEL struct lariat_ldiv ldiv(long a, long b) {
  struct lariat_ldiv r = {a / b, a % b};
  return r;
}

MODEL struct lariat_lldiv lldiv(long long a, long long b) {
  struct lariat_lldiv r = {a / b, a % b};
  return r;
}

MODEL struct lariat_imaxdiv imaxdiv(intmax_t a, intmax_t b) {
  struct lariat_imaxdiv r = {a / b, a % b};
  return r;
}

/* Any number of the range: RAND_MAX is 2^31 - 1 in glibc. */
MODEL int rand(void) { return (int)(__VERIFIER_nondet_uint() & 0x7fffffff); }
MODEL long random(void) { return (long)(__VERIFIER_nondet_uint() & 0x7fffffff); }

MODEL int rand_r(unsigned *seed) {
  *seed = __VERIFIER_nondet_uint();
  return (int)(__VERIFIER_nondet_uint() & 0x7fffffff);
}

MODEL unsigned arc4random_uniform(unsigned bound) {
  unsigned x = __VERIFIER_nondet_uint();
  __VERIFIER_assume(bound < 2 ? x == 0 : x < bound);
  return x;
}

MODEL double drand48(void) {
  double x = __VERIFIER_nondet_double();
  __VERIFIER_assume(x >= 0 && x < 1);
  return x;
}

MODEL long lrand48(void) { return (long)(__VERIFIER_nondet_uint() & 0x7fffffff); }
MODEL long mrand48(void) { return __VERIFIER_nondet_int(); }

/* The longest string that Linux passes to a program has 131071 characters. */
static char *lariat_stdlib_variable(void) {
  if (__VERIFIER_nondet_bool()) return NULL;
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 131072);
  char *value = __lariat_outside(n + 1);
  value[n] = 0;
  return value;
}

MODEL char *getenv(const char *name) {
  (void)name;
  return lariat_stdlib_variable();
}
MODEL char *secure_getenv(const char *name) {
  (void)name;
  return lariat_stdlib_variable();
}
