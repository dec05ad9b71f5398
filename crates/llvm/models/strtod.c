/* stdlib.h: floats from text: decimal, hexadecimal, infinities and what is no number. Exact, in every rounding mode,
   but for `long double` beyond 10^250 and hexadecimal digits beyond the fifteenth. */

enum { LARIAT_STRTOD_DIGITS = 800 };

/* A decimal number: 0.d1d2d3… times 10 to the power of `point`. Digits beyond the room are only known not to be zero:
   no float needs as many to be told from its neighbours. */
struct lariat_decimal {
  unsigned char digits[LARIAT_STRTOD_DIGITS];
  int count;
  long point;
  _Bool more;
};

static _Bool lariat_strtod_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int lariat_strtod_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

/* How much of the word starts the text, in any case. */
static size_t lariat_strtod_word(const char *s, const char *word) {
  size_t n = 0;
  while (word[n] && (s[n] | 32) == word[n]) n++;
  return n;
}

/* What a text means: a number of `digits` (with `more` behind them that is not zero) times a power of 2 or 10, or one of
   the others. */
enum { LARIAT_NUMBER, LARIAT_INFINITY, LARIAT_NAN };
struct lariat_numeral {
  int kind;
  _Bool negative, hexadecimal, more;
  /* The first digits as an integer, how many they are, and the exponent of the last one of them. */
  unsigned long long digits;
  int count;
  long exponent;
  /* Where the digits are in the text, for numbers with more of them, and how many there are at most. */
  const char *text;
  size_t length;
  /* Of what is no number. */
  unsigned long long payload;
};

/* Reads as much as makes sense; returns its end, or null if nothing does. */
static const char *lariat_strtod_read(const char *s, struct lariat_numeral *n) {
  struct lariat_numeral none = {0};
  *n = none;
  while (lariat_strtod_space(*s)) s++;
  if (*s == '-' || *s == '+') {
    n->negative = *s == '-';
    s++;
  }
  if ((*s | 32) == 'i' && lariat_strtod_word(s, "infinity") >= 3) {
    n->kind = LARIAT_INFINITY;
    return s + (lariat_strtod_word(s, "infinity") == 8 ? 8 : 3);
  }
  if ((*s | 32) == 'n' && lariat_strtod_word(s, "nan") == 3) {
    n->kind = LARIAT_NAN;
    s += 3;
    if (*s != '(') return s;
    size_t i = 1;
    while ((s[i] >= '0' && s[i] <= '9') || ((s[i] | 32) >= 'a' && (s[i] | 32) <= 'z') || s[i] == '_') i++;
    if (s[i] != ')') return s;
    /* The payload, if all of it is a number. */
    unsigned base = s[1] != '0' ? 10 : (s[2] | 32) == 'x' ? 16 : 8;
    unsigned long long payload = 0;
    for (size_t k = base == 16 ? 3 : 1; k < i; k++) {
      unsigned d = (unsigned)lariat_strtod_digit(s[k]);
      if (d >= base) {
        payload = 0;
        break;
      }
      payload = payload > ((unsigned long long)-1 - d) / base ? (unsigned long long)-1 : payload * base + d;
    }
    n->payload = payload;
    return s + i + 1;
  }
  int base = 10;
  if (s[0] == '0' && (s[1] | 32) == 'x' &&
      (lariat_strtod_digit(s[2]) < 16 || (s[2] == '.' && lariat_strtod_digit(s[3]) < 16))) {
    base = 16;
    n->hexadecimal = 1;
    s += 2;
  }
  if (lariat_strtod_digit(*s) >= base && !(*s == '.' && lariat_strtod_digit(s[1]) < base)) return NULL;
  n->text = s;
  int room = base == 10 ? 19 : 15;
  _Bool fraction = 0;
  long exponent = 0;
  size_t i = 0;
  for (;; i++) {
    if (s[i] == '.' && !fraction) {
      fraction = 1;
      continue;
    }
    int d = lariat_strtod_digit(s[i]);
    if (d >= base) break;
    if (n->count < room) {
      n->digits = n->digits * (unsigned)base + (unsigned)d;
      if (n->digits) n->count++;
      exponent -= fraction;
    } else {
      n->more |= d != 0;
      exponent += !fraction;
    }
  }
  n->length = i;
  s += i;
  if (base == 16) exponent *= 4;
  if ((*s | 32) == (base == 16 ? 'p' : 'e')) {
    size_t k = 1;
    _Bool negative = s[k] == '-';
    if (s[k] == '-' || s[k] == '+') k++;
    if (s[k] >= '0' && s[k] <= '9') {
      long power = 0;
      for (; s[k] >= '0' && s[k] <= '9'; k++)
        if (power < 100000000) power = power * 10 + (s[k] - '0');
      exponent += negative ? -power : power;
      s += k;
    }
  }
  n->exponent = exponent;
  return s;
}

/* All digits of a decimal number. */
static void lariat_strtod_decimal(const struct lariat_numeral *n, struct lariat_decimal *d) {
  d->count = 0;
  d->more = 0;
  d->point = 0;
  /* The exponent is that of the last of the first digits: the point is so many digits further to the left. */
  long point = n->exponent + n->count;
  for (size_t i = 0; i < n->length; i++) {
    if (n->text[i] == '.') continue;
    unsigned char digit = (unsigned char)(n->text[i] - '0');
    if (d->count == 0 && digit == 0) continue;
    if (d->count < LARIAT_STRTOD_DIGITS)
      d->digits[d->count++] = digit;
    else
      d->more |= digit != 0;
  }
  d->point = point;
  while (d->count > 0 && d->digits[d->count - 1] == 0) d->count--;
}

/* Halves the number so many times, at most 59. */
static void lariat_strtod_halve(struct lariat_decimal *d, int times) {
  unsigned long long rest = 0, mask = (1ull << times) - 1;
  int from = 0, to = 0;
  for (; rest >> times == 0; from++) {
    if (from >= d->count && rest == 0) {
      d->count = 0;
      return;
    }
    rest = rest * 10 + (from < d->count ? d->digits[from] : 0);
  }
  d->point -= from - 1;
  while (from < d->count || rest) {
    unsigned char digit = (unsigned char)(rest >> times);
    rest = (rest & mask) * 10;
    if (to < LARIAT_STRTOD_DIGITS)
      d->digits[to++] = digit;
    else
      d->more |= digit != 0;
    if (from < d->count) rest += d->digits[from];
    from++;
  }
  d->count = to;
  while (d->count > 0 && d->digits[d->count - 1] == 0) d->count--;
}

/* Doubles it so many times, at most 59. */
static void lariat_strtod_double(struct lariat_decimal *d, int times) {
  unsigned long long carry = 0;
  /* How many digits there will be more: those of the carry. */
  for (int i = d->count - 1; i >= 0; i--) carry = (((unsigned long long)d->digits[i] << times) + carry) / 10;
  int longer = 0;
  for (unsigned long long c = carry; c; c /= 10) longer++;
  carry = 0;
  for (int i = d->count - 1; i >= 0; i--) {
    unsigned long long value = ((unsigned long long)d->digits[i] << times) + carry;
    carry = value / 10;
    unsigned char digit = (unsigned char)(value % 10);
    if (i + longer < LARIAT_STRTOD_DIGITS)
      d->digits[i + longer] = digit;
    else
      d->more |= digit != 0;
  }
  for (int i = longer - 1; i >= 0; i--) {
    d->digits[i] = (unsigned char)(carry % 10);
    carry /= 10;
  }
  d->count = d->count + longer < LARIAT_STRTOD_DIGITS ? d->count + longer : LARIAT_STRTOD_DIGITS;
  d->point += longer;
  while (d->count > 0 && d->digits[d->count - 1] == 0) d->count--;
}

/* A number that is not zero: an integer of 64 bits, the highest of which is set, with a part behind the point (in
   quarters: none, less than a half, a half, more), times a power of two. */
struct lariat_binary {
  unsigned long long digits;
  unsigned quarters;
  long exponent;
};

static unsigned lariat_strtod_quarters(const struct lariat_decimal *d, int from) {
  if (from >= d->count) return d->more;
  if (d->digits[from] != 5) return d->digits[from] < 5 ? 1 : 3;
  return d->count > from + 1 || d->more ? 3 : 2;
}

/* Neither too large nor too small by far. */
static struct lariat_binary lariat_strtod_binary(struct lariat_decimal *d) {
  struct lariat_binary b = {0, 0, -64};
  /* To less than 1, and then to at least a half. */
  while (d->point > 0) {
    int times = d->point > 18 ? 59 : d->point == 1 ? 1 : 3 * (int)(d->point - 1);
    lariat_strtod_halve(d, times);
    b.exponent += times;
  }
  while (d->point < 0 || d->digits[0] < 5) {
    int times = d->point < -18 ? 59 : d->point < 0 ? -3 * (int)d->point : 1;
    lariat_strtod_double(d, times);
    b.exponent -= times;
  }
  lariat_strtod_double(d, 32);
  lariat_strtod_double(d, 32);
  for (int i = 0; i < d->point; i++) b.digits = b.digits * 10 + (i < d->count ? d->digits[i] : 0);
  b.quarters = lariat_strtod_quarters(d, (int)d->point);
  return b;
}

/* What is no number: a payload and a sign. */
static double lariat_strtod_nan(unsigned long long payload, _Bool negative) {
  union { unsigned long long bits; double real; } u;
  u.bits = (unsigned long long)negative << 63 | 0x7ff8000000000000 | (payload & 0x7ffffffffffff);
  return u.real;
}

static float lariat_strtod_nanf(unsigned long long payload, _Bool negative) {
  union { unsigned bits; float real; } u;
  u.bits = (unsigned)negative << 31 | 0x7fc00000 | (unsigned)(payload & 0x3fffff);
  return u.real;
}

static long double lariat_strtod_nanl(unsigned long long payload, _Bool negative) {
  union { struct { unsigned long long digits; unsigned short rest; } bits; long double real; } u;
  u.real = 0;
  u.bits.digits = 0xc000000000000000 | (payload & 0x3fffffffffffffff);
  u.bits.rest = (unsigned short)(0x7fff | negative << 15);
  return u.real;
}

#define LARIAT_REAL double
#define LARIAT_F(name) name
#define LARIAT_STRTO strtod
#define LARIAT_DIGITS 53
#define LARIAT_LEAST -1074
#define LARIAT_EXACT_POWER 22
#define LARIAT_ANY() __VERIFIER_nondet_double()
#include "strtod.h"

MODEL double atof(const char *s) {
  char *rest;
  double value = lariat_strtod(s, &rest);
  LARIAT_STRING(0, (size_t)(rest - s) + 1);
  return value;
}

#define LARIAT_REAL float
#define LARIAT_F(name) name##f
#define LARIAT_STRTO strtof
#define LARIAT_DIGITS 24
#define LARIAT_LEAST -149
#define LARIAT_EXACT_POWER 10
#define LARIAT_ANY() __VERIFIER_nondet_float()
#include "strtod.h"

#define LARIAT_REAL long double
#define LARIAT_F(name) name##l
#define LARIAT_STRTO strtold
#define LARIAT_DIGITS 64
#define LARIAT_LEAST -16445
#define LARIAT_EXACT_POWER 27
#define LARIAT_LONG
#define LARIAT_ANY() __VERIFIER_nondet_longdouble()
#include "strtod.h"
