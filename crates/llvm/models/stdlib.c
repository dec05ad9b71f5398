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

/* Any number of the range: RAND_MAX is 2^31 - 1 in glibc. Who sets the seed again may count on the same numbers: of that,
   nothing is known. */
struct lariat_stdlib_sequence {
  _Bool used, again;
};
static struct lariat_stdlib_sequence lariat_stdlib_plain, lariat_stdlib_long;

static void lariat_stdlib_seed(struct lariat_stdlib_sequence *s) {
  if (s->used) s->again = 1;
}

static void lariat_stdlib_next(struct lariat_stdlib_sequence *s) {
  s->used = 1;
  if (s->again) __lariat_approximate("a sequence of random numbers behind another one");
}

MODEL void srand(unsigned seed) {
  (void)seed;
  lariat_stdlib_seed(&lariat_stdlib_plain);
}

MODEL void srandom(unsigned seed) {
  (void)seed;
  lariat_stdlib_seed(&lariat_stdlib_plain);
}

MODEL void srand48(long seed) {
  (void)seed;
  lariat_stdlib_seed(&lariat_stdlib_long);
}

MODEL int rand(void) {
  lariat_stdlib_next(&lariat_stdlib_plain);
  return (int)(__VERIFIER_nondet_uint() & 0x7fffffff);
}

MODEL long random(void) {
  lariat_stdlib_next(&lariat_stdlib_plain);
  return (long)(__VERIFIER_nondet_uint() & 0x7fffffff);
}

/* As glibc computes it. */
static unsigned lariat_stdlib_step(unsigned *seed) {
  *seed = *seed * 1103515245 + 12345;
  return *seed / 65536;
}

MODEL int rand_r(unsigned *seed) {
  unsigned result = lariat_stdlib_step(seed) % 2048;
  result = result << 10 ^ lariat_stdlib_step(seed) % 1024;
  return (int)(result << 10 ^ lariat_stdlib_step(seed) % 1024);
}

MODEL unsigned arc4random_uniform(unsigned bound) {
  unsigned x = __VERIFIER_nondet_uint();
  __VERIFIER_assume(bound < 2 ? x == 0 : x < bound);
  return x;
}

MODEL double drand48(void) {
  lariat_stdlib_next(&lariat_stdlib_long);
  double x = __VERIFIER_nondet_double();
  __VERIFIER_assume(x >= 0 && x < 1);
  return x;
}

MODEL long lrand48(void) {
  lariat_stdlib_next(&lariat_stdlib_long);
  return (long)(__VERIFIER_nondet_uint() & 0x7fffffff);
}

MODEL long mrand48(void) {
  lariat_stdlib_next(&lariat_stdlib_long);
  return __VERIFIER_nondet_int();
}

/* The same, of numbers that the program keeps: what becomes of them is any, too. */
static void lariat_stdlib_turn(unsigned short *state) {
  for (int i = 0; i < 3; i++) state[i] = (unsigned short)__VERIFIER_nondet_short();
}

MODEL double erand48(unsigned short *state) {
  lariat_stdlib_turn(state);
  double x = __VERIFIER_nondet_double();
  __VERIFIER_assume(x >= 0 && x < 1);
  return x;
}

MODEL long nrand48(unsigned short *state) {
  lariat_stdlib_turn(state);
  return (long)(__VERIFIER_nondet_uint() & 0x7fffffff);
}

MODEL long jrand48(unsigned short *state) {
  lariat_stdlib_turn(state);
  return __VERIFIER_nondet_int();
}

MODEL int random_r(void *state, int *to) {
  (void)state;
  *to = (int)(__VERIFIER_nondet_uint() & 0x7fffffff);
  return 0;
}

MODEL void arc4random_buf(void *to, size_t size) {
  LARIAT_BLOCK(0, size);
  __VERIFIER_nondet_memory(to, size);
}

/* The digits of numbers to the base 64, the last one first. */
static int lariat_stdlib_digit(char c) {
  if (c == '.' || c == '/') return c - '.';
  if (c >= '0' && c <= '9') return c - '0' + 2;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 12;
  if (c >= 'a' && c <= 'z') return c - 'a' + 38;
  return -1;
}

MODEL long a64l(const char *s) {
  unsigned value = 0;
  for (int i = 0; i < 6; i++) {
    int digit = lariat_stdlib_digit(s[i]);
    if (digit < 0) break;
    value |= (unsigned)digit << 6 * i;
  }
  return (long)value;
}

MODEL char *l64a(long n) {
  static char text[7];
  unsigned value = (unsigned)n;
  int i = 0;
  for (; value; value >>= 6) text[i++] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[value & 63];
  text[i] = 0;
  return text;
}
