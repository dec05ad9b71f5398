/* Runs the models of functions on floats beside the functions of the C library. The models come with the prefix
   `model_`. */

#define _GNU_SOURCE
#include <complex.h>
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <strings.h>
#include "models.h"

DECLARE(fmod) DECLARE(remainder) DECLARE(drem) DECLARE(remquo) DECLARE(nextafter) DECLARE(frexp) DECLARE(ldexp)
DECLARE(scalbn) DECLARE(scalbln) DECLARE(ilogb) DECLARE(logb) DECLARE(nan) DECLARE(hypot)
DECLARE(fmodf) DECLARE(remainderf) DECLARE(dremf) DECLARE(remquof) DECLARE(nextafterf) DECLARE(frexpf) DECLARE(ldexpf)
DECLARE(scalbnf) DECLARE(scalblnf) DECLARE(ilogbf) DECLARE(logbf) DECLARE(nanf) DECLARE(hypotf)
DECLARE(fmodl) DECLARE(remainderl) DECLARE(dreml) DECLARE(remquol) DECLARE(nextafterl) DECLARE(frexpl) DECLARE(ldexpl)
DECLARE(scalbnl) DECLARE(scalblnl) DECLARE(ilogbl) DECLARE(logbl) DECLARE(nanl) DECLARE(hypotl)
DECLARE(strtod) DECLARE(strtof) DECLARE(strtold) DECLARE(atof)
DECLARE(ffs) DECLARE(ffsl) DECLARE(ffsll)
DECLARE(cabs) DECLARE(cabsf) DECLARE(creal) DECLARE(conj) DECLARE(cproj) DECLARE(cimagf)
DECLARE(__errno_location)
extern double _Complex __muldc3(double, double, double, double), __divdc3(double, double, double, double);
extern float _Complex __mulsc3(float, float, float, float), __divsc3(float, float, float, float);
DECLARE(__muldc3) DECLARE(__divdc3) DECLARE(__mulsc3) DECLARE(__divsc3)

/* Floats of all kinds; often simple ones, and pairs that are close. */
static double last;
static double real(void) {
  static const double special[] = {0, 1, 0.5, 3, 10, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, INFINITY, NAN, 1e300, 0x0.8p-1022, 5, 12};
  union { unsigned long long bits; double real; } u;
  switch (below(5)) {
    case 0: u.bits = any(); break;
    case 1: u.real = special[below(14)]; break;
    case 2: u.real = last, u.bits += below(5) - 2; break;
    case 3: u.real = (double)(int)below(4000) / 16; break;
    default: u.real = ldexp((double)(any() >> 11), (int)below(200) - 150);
  }
  if (below(2)) u.real = -u.real;
  return last = u.real != u.real ? u.real + 1 : u.real; /* quiet */
}
static float last_float;
static float realf(void) {
  union { unsigned bits; float real; } u;
  switch (below(4)) {
    case 0: u.bits = (unsigned)any(); break;
    case 1: u.real = (float)real(); break;
    case 2: u.real = last_float, u.bits += below(5) - 2; break;
    default: u.real = (float)(int)below(4000) / 16;
  }
  return last_float = u.real != u.real ? u.real + 1 : u.real;
}

static long double last_long;
static long double reall(void) {
  union { struct { unsigned long long digits; unsigned short top; } parts; long double real; } u = {.real = 0};
  switch (below(5)) {
    case 0:
      /* Numbers have their first digit, but for the smallest. */
      u.parts.top = (unsigned short)any();
      u.parts.digits = u.parts.top & 0x7fff ? any() | 1ull << 63 : any() >> 1;
      break;
    case 1: u.real = real(); break;
    case 2: u.real = nextafterl(last_long, below(2) ? -1 : 1e10L); break;
    case 3: u.real = (long double)(int)below(4000) / 16; break;
    default: u.real = ldexpl((long double)any(), (int)below(200) - 150 - (below(8) ? 0 : 16300));
  }
  return last_long = u.real != u.real ? u.real + 1 : u.real;
}

/* The same value; of those that are no numbers, any. */
static _Bool same(long double a, long double b) { return a != a ? b != b : a == b && signbit(a) == signbit(b); }

#define FLOAT(call, ...)                                                                    \
  do {                                                                                      \
    errno = *model___errno_location() = 0;                                                  \
    approximated = 0;                                                                       \
    long double p_ = model_##call, q_ = call;                                               \
    if (!approximated && (!same(p_, q_) || *model___errno_location() != errno)) {           \
      printf("%s is %La (errno %d), the library says %La (errno %d); x = %La, y = %La, n = %d\n", #call, p_, \
             *model___errno_location(), q_, errno, (long double)x, (long double)y, n);      \
      exit(1);                                                                              \
    }                                                                                       \
  } while (0)

#define REALS(type, suffix, make)                                                   \
  static void reals##suffix(void) {                                                 \
    type x = make(), y = make();                                                    \
    int n = (int)below(below(2) ? 400 : 5000), i = 7, j = 7;                        \
    if (below(2)) n = -n;                                                           \
    if (below(20) == 0) n = (int)any();                                             \
    FLOAT(fmod##suffix(x, y));                                                      \
    /* glibc has the wrong zero for some of the smallest divisors. */               \
    if (logbl(y) >= (sizeof y == 4 ? -125 : sizeof y == 8 ? -1021 : -16381)) {      \
      FLOAT(remainder##suffix(x, y));                                               \
      FLOAT(drem##suffix(x, y));                                                    \
    }                                                                               \
    int *at = &i;                                                                   \
    FLOAT(nextafter##suffix(x, y));                                                 \
    FLOAT(ldexp##suffix(x, n));                                                     \
    FLOAT(scalbn##suffix(x, n));                                                    \
    FLOAT(scalbln##suffix(x, n));                                                   \
    FLOAT(ilogb##suffix(x));                                                        \
    FLOAT(logb##suffix(x));                                                         \
    FLOAT(hypot##suffix(x, y));                                                     \
    FLOAT(frexp##suffix(x, at));                                                    \
    errno = *model___errno_location() = 0;                                          \
    i = j = 7;                                                                      \
    TRUE(same(model_remquo##suffix(x, y, &i), remquo##suffix(x, y, &j)));           \
    if (i != j) printf("%a %a\n", (double)x, (double)y);                            \
    SAME(i, j);                                                                     \
    i = j = 7;                                                                      \
    model_frexp##suffix(x, &i), frexp##suffix(x, &j);                               \
    SAME(i, j);                                                                     \
    static const char *const texts[] = {"", "1", "0x12", "077", "zz", "9", "0x", "12345678901234567890123", "08", "0xffffffffffffffffff"}; \
    const char *text = texts[below(10)];                                            \
    type p = model_nan##suffix(text), q = nan##suffix(text);                        \
    SAME(memcmp(&p, &q, sizeof p > 8 ? 10 : sizeof p), 0);                          \
  }
REALS(double, , real)
REALS(float, f, realf)
REALS(long double, l, reall)

#define PARTS(type, op, suffix)                                                                          \
  do {                                                                                                   \
    approximated = 0;                                                                                    \
    type _Complex p_ = model___##op(a, b, c, d), q_ = __##op(a, b, c, d);                                \
    if (approximated) break;                                                                             \
    _Bool infinite = isinf(creal(q_)) || isinf(cimag(q_));                                               \
    _Bool ok = infinite ? isinf(creal(p_)) || isinf(cimag(p_))                                           \
                        : (creal(p_) == creal(q_) || (isnan(creal(p_)) && isnan(creal(q_)))) &&          \
                              (cimag(p_) == cimag(q_) || (isnan(cimag(p_)) && isnan(cimag(q_))));        \
    if (!ok) {                                                                                           \
      printf("%s of %a %a %a %a is %a %a, the library says %a %a\n", #op, (double)a, (double)b, (double)c, \
             (double)d, (double)creal(p_), (double)cimag(p_), (double)creal(q_), (double)cimag(q_));      \
      exit(1);                                                                                           \
    }                                                                                                    \
  } while (0)

static void complexes(void) {
  {
    double a = real(), b = real(), c = real(), d = real();
    PARTS(double, muldc3, );
    PARTS(double, divdc3, );
    double complex z = __builtin_complex(a, b), p = model_conj(z), q = conj(z);
    TRUE(same(creal(p), creal(q)) && same(cimag(p), cimag(q)));
    p = model_cproj(z), q = cproj(z);
    TRUE(same(creal(p), creal(q)) && same(cimag(p), cimag(q)));
    TRUE(same(model_creal(z), creal(z)));
    approximated = 0;
    double r = model_cabs(z);
    TRUE(approximated || same(r, cabs(z)));
    a = (int)below(20) - 10, b = (int)below(20) - 10, c = (int)below(8) - 4, d = (int)below(8) - 4;
    PARTS(double, divdc3, );
    TRUE((approximated = 0, r = model_hypot(3 * a, 4 * a)) == 5 * fabs(a) && !approximated);
  }
  {
    float a = realf(), b = realf(), c = realf(), d = realf();
    PARTS(float, mulsc3, f);
    PARTS(float, divsc3, f);
    float complex z = __builtin_complex(a, b);
    TRUE(same(model_cimagf(z), cimagf(z)));
    approximated = 0;
    float r = model_cabsf(z);
    TRUE(approximated || same(r, cabsf(z)));
  }
}

/* Text that is a float, or nearly so: often half-way between two of them. */
static char *float_text(void) {
  char s[2000];
  int n = 0;
  for (unsigned i = below(3); i > 0; i--) s[n++] = " \t\n"[below(3)];
  if (below(3) == 0) s[n++] = "+-"[below(2)];
  switch (below(8)) {
    case 0: {
      static const char *const words[] = {"inf", "INF", "Infinity", "infinit", "in", "nan", "NaN(12)", "nan(0x1f)", "nan()", "nan(zz_)", "nan(", "nan(1", "na", ".", "", "e5", "0x", "0x.p1", "-", "0xg", "0x.8", "1e", "1e+", "1ex", "0x1p", "0x1p-", ".5", "5.", "1..2", "0e5", "0.0", "0x0p3"};
      n += sprintf(s + n, "%s", words[below(sizeof words / sizeof *words)]);
      break;
    }
    case 1: n += sprintf(s + n, "%.*e", (int)below(25), real()); break;
    case 2: n += sprintf(s + n, "%.*f", (int)below(8), (double)(int)below(100000) / 64); break;
    case 3: n += sprintf(s + n, "%a", real()); break;
    case 4: n += sprintf(s + n, "%.*f", (int)below(30), ldexp((double)(any() >> 11), -(int)below(120))); break;
    case 5: { /* Half-way, and next to it. */
      static char half[1500];
      long double x = below(3) ? (long double)ldexp((double)(any() >> 11 | 1ull << 52), -(int)below(600) + 200)
                               : (long double)ldexp((double)below(1000), -1074);
      long double h = x + ldexpl(1, !x || ilogbl(x) < -1022 ? -1075 : ilogbl(x) - 53);
      int m = sprintf(half, "%.1100Lf", h);
      while (m > 1 && half[m - 1] == '0') m--;
      half[m] = 0;
      n += sprintf(s + n, "%s", half);
      if (below(2)) n += sprintf(s + n, "%s", below(2) ? "0000000001" : "1");
      else if (below(2) && half[m - 1] == '5') s[n - 1] = '4';
      break;
    }
    case 6: n += sprintf(s + n, "%llu%s%llue%d", any(), below(2) ? "." : "", any() >> below(64), (int)below(800) - 420); break;
    default: n += sprintf(s + n, "0x%llx%s%llxp%d", any() >> below(64), below(2) ? "." : "", any() >> below(64), (int)below(2400) - 1250);
  }
  if (below(3) == 0) s[n++] = "x.e -5"[below(6)];
  s[n] = 0;
  char *t = malloc((size_t)n + 1);
  memcpy(t, s, (size_t)n + 1);
  return t;
}

static void texts(void) {
  static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  char *s = float_text(), *p, *q;
  fesetround(below(2) ? FE_TONEAREST : modes[below(4)]);
#define TEXT(type, name, size)                                                                     \
  do {                                                                                             \
    errno = *model___errno_location() = 7;                                                         \
    approximated = 0;                                                                              \
    type x = model_##name(s, &p), y = name(s, &q);                                                 \
    _Bool ok = p == q && (approximated || (!memcmp(&x, &y, size) && *model___errno_location() == errno)); \
    if (!ok)                                                                                       \
      printf("%s(\"%s\") in mode %d is %La, errno %d, %td read; the library says %La, errno %d, %td read\n", #name, s, \
             fegetround(), (long double)x, *model___errno_location(), p - s, (long double)y, errno, q - s); \
    TRUE(ok);                                                                                      \
  } while (0)
  TEXT(double, strtod, 8);
  TEXT(float, strtof, 4);
  TEXT(long double, strtold, 10);
  errno = 0;
  double x = model_atof(s), y = atof(s);
  SAME(memcmp(&x, &y, sizeof x), 0);
  fesetround(FE_TONEAREST);
  free(s);
}

static void bits(void) {
  long long v = (long long)(any() << below(64));
  if (below(8) == 0) v = 0;
  SAME(model_ffs((int)v), ffs((int)v));
  SAME(model_ffsl(v), ffsl(v));
  SAME(model_ffsll(v), ffsll(v));
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1000;
  for (int i = 0; i < rounds; i++) {
    reals();
    realsf();
    realsl();
    complexes();
    bits();
    texts();
  }
  free_outside();
  printf("%d rounds agree\n", rounds);
  return 0;
}
