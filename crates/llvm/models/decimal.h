/* Decimal digits of floats, for formatted output. They are exact for zero and for magnitudes from 2^-75 up to 2^64, as
   far as digits are asked for that fit; of other numbers only the form of the text is known. */

#ifndef LARIAT_DECIMAL
#define LARIAT_DECIMAL

int fegetround(void);

/* Digits in front of the point and behind it. */
#define LARIAT_WHOLE 20
#define LARIAT_MOST_DIGITS 64
#define LARIAT_TEXT (LARIAT_WHOLE + LARIAT_MOST_DIGITS + 8)

/* A number from 0 on, in two parts: the units, and the fraction as 128 bits behind the point. */
struct lariat_fixed_point {
  unsigned long long whole, high, low;
};

/* The digits of a number, without leading zeros in front of the point: `whole` of them are there, `count` in all. What
   is behind them is 0, less than half a unit of the last one, half, or more. */
struct lariat_text_digits {
  char digit[LARIAT_WHOLE + LARIAT_MOST_DIGITS];
  int whole, count;
  enum { NOTHING, BELOW_HALF, HALF, ABOVE_HALF } rest;
};

static unsigned long long lariat_float_bits(double v) {
  union {
    double v;
    unsigned long long bits;
  } u = {v};
  return u.bits;
}

/* Whether a number has such a form, exactly. */
static _Bool lariat_fixed_point(unsigned long long bits, struct lariat_fixed_point *to) {
  unsigned long long fraction = bits & ((1ull << 52) - 1);
  int exponent = (int)(bits >> 52 & 2047);
  to->whole = to->high = to->low = 0;
  if (exponent == 0) return fraction == 0;
  unsigned long long m = fraction | 1ull << 52;
  int point = 1075 - exponent; /* The number is m / 2^point. */
  if (point < -11 || point > 128) return 0;
  if (point <= 0) {
    to->whole = m << -point;
  } else if (point < 64) {
    to->whole = m >> point;
    to->high = m << (64 - point);
  } else if (point == 64) {
    to->high = m;
  } else {
    to->high = point < 128 ? m >> (point - 64) : 0;
    to->low = m << (128 - point);
  }
  return 1;
}

/* Ten times the part behind the point of which this is a word: what goes over, with what came from below. */
static unsigned lariat_ten_times(unsigned long long *word, unsigned from_below) {
  unsigned long long low = (*word & 0xffffffffu) * 10 + from_below;
  unsigned long long high = (*word >> 32) * 10 + (low >> 32);
  *word = high << 32 | (low & 0xffffffffu);
  return (unsigned)(high >> 32);
}

/* As many digits behind the point as are asked for; or, if `significant` is not 0, as many as that from the first one
   that is not 0. 0 if there is no room. */
static _Bool lariat_text_digits(struct lariat_fixed_point v, int behind, int significant, struct lariat_text_digits *to) {
  char reversed[LARIAT_WHOLE];
  int n = 0;
  for (unsigned long long rest = v.whole; rest; rest /= 10) reversed[n++] = (char)(rest % 10);
  to->whole = n;
  to->count = 0;
  while (n > 0) to->digit[to->count++] = reversed[--n];
  int leading = 0; /* Zeros behind the point in front of the first other digit. */
  while (significant ? v.high || v.low ? to->count - leading < significant : 0 : to->count - to->whole < behind) {
    if (to->count - to->whole == LARIAT_MOST_DIGITS) return 0;
    unsigned carry = lariat_ten_times(&v.low, 0);
    char digit = (char)lariat_ten_times(&v.high, carry);
    if (to->count == leading && digit == 0) leading++;
    to->digit[to->count++] = digit;
  }
  unsigned long long half = 1ull << 63;
  if (v.high == 0 && v.low == 0)
    to->rest = NOTHING;
  else if (v.high < half)
    to->rest = BELOW_HALF;
  else
    to->rest = v.high == half && v.low == 0 ? HALF : ABOVE_HALF;
  return 1;
}

/* Rounds to the first `keep` digits, to nearest. Whether another digit comes in front of all: a 1, before zeros. */
static _Bool lariat_round_decimal(struct lariat_text_digits *d, int keep) {
  if (keep < d->count) {
    _Bool more = d->rest != NOTHING;
    for (int i = keep + 1; i < d->count; i++) more |= d->digit[i] != 0;
    char next = d->digit[keep];
    if (next == 0 && !more)
      d->rest = NOTHING;
    else if (next != 5)
      d->rest = next < 5 ? BELOW_HALF : ABOVE_HALF;
    else
      d->rest = more ? ABOVE_HALF : HALF;
    d->count = keep;
  }
  _Bool odd = keep > 0 && d->digit[keep - 1] & 1;
  if (d->rest != ABOVE_HALF && (d->rest != HALF || !odd)) return 0;
  for (int i = keep; i > 0; i--) {
    if (d->digit[i - 1] < 9) {
      d->digit[i - 1]++;
      return 0;
    }
    d->digit[i - 1] = 0;
  }
  return 1;
}

/* `%f` of a number that is not negative, with so many digits behind the point. The length of the text, or -1. */
static int lariat_plain_text(struct lariat_fixed_point v, size_t precision, _Bool point, char *text) {
  struct lariat_text_digits d;
  if (precision > LARIAT_MOST_DIGITS || !lariat_text_digits(v, (int)precision, 0, &d)) return -1;
  _Bool carry = lariat_round_decimal(&d, d.count);
  int n = 0;
  if (carry)
    text[n++] = '1';
  else if (d.whole == 0)
    text[n++] = '0';
  for (int i = 0; i < d.count; i++) {
    if (i == d.whole) text[n++] = '.';
    text[n++] = (char)('0' + d.digit[i]);
  }
  if (point && precision == 0) text[n++] = '.';
  return n;
}

/* `%e`, or `%g` with `shortest`, of a number that is not negative. */
static int lariat_scientific_text(struct lariat_fixed_point v, size_t precision, _Bool point, _Bool shortest, char letter,
                                  char *text) {
  if (precision >= LARIAT_MOST_DIGITS) return -1;
  int significant = shortest ? precision ? (int)precision : 1 : (int)precision + 1;
  struct lariat_text_digits d;
  if (!lariat_text_digits(v, 0, significant, &d)) return -1;
  int leading = 0;
  while (leading < d.count && d.digit[leading] == 0) leading++;
  _Bool is_zero = leading == d.count;
  int keep = leading + significant;
  _Bool carry = lariat_round_decimal(&d, keep < d.count ? keep : d.count);
  /* A carry makes a digit in front of the first one, which may be one of the leading zeros. */
  _Bool inner = !is_zero && !carry && leading > 0 && d.digit[leading - 1] != 0;
  if (inner) leading--;
  /* glibc leaves zeros out here that C asks for. */
  if (shortest && point && (carry || inner)) return -1;
  int exponent = is_zero ? 0 : d.whole - leading - (carry ? 0 : 1);
  int from = carry ? leading - 1 : leading; /* Where the first digit is; in front of all, it is a 1. */
#define LARIAT_DIGIT(i) \
  (char)(is_zero || (i) >= significant || from + (i) >= d.count ? '0' : from + (i) < 0 ? '1' : '0' + d.digit[from + (i)])
  int shown = significant;
  if (shortest && !point)
    while (shown > 1 && LARIAT_DIGIT(shown - 1) == '0') shown--;
  int n = 0;
  if (shortest && exponent >= -4 && exponent < significant) {
    if (exponent < 0) {
      text[n++] = '0';
      text[n++] = '.';
      for (int i = -1; i > exponent; i--) text[n++] = '0';
    }
    for (int i = 0; i < shown || i <= exponent; i++) {
      text[n++] = LARIAT_DIGIT(i);
      if (i == exponent && (point || i + 1 < shown)) text[n++] = '.';
    }
    return n;
  }
  for (int i = 0; i < shown; i++) {
    text[n++] = LARIAT_DIGIT(i);
    if (i == 0 && (point || shown > 1)) text[n++] = '.';
  }
#undef LARIAT_DIGIT
  text[n++] = letter;
  text[n++] = exponent < 0 ? '-' : '+';
  if (exponent < 0) exponent = -exponent;
  text[n++] = (char)('0' + exponent / 10);
  text[n++] = (char)('0' + exponent % 10);
  return n;
}

/* The text of a number for a conversion, without its sign. If it is not known exactly, its length is negative, and the
   magnitude of that is any that it may have. */
static int lariat_float_text(double v, char conversion, size_t precision, _Bool point, char *text) {
  unsigned long long bits = lariat_float_bits(v) & ~(1ull << 63);
  _Bool large = conversion >= 'A' && conversion <= 'Z';
  char kind = large ? (char)(conversion - 'A' + 'a') : conversion;
  if (bits >= 2047ull << 52) {
    const char *name = bits > 2047ull << 52 ? large ? "NAN" : "nan" : large ? "INF" : "inf";
    for (int i = 0; i < 3; i++) text[i] = name[i];
    return 3;
  }
  struct lariat_fixed_point fixed;
  int n = -1;
  int exponent = (int)(bits >> 52) - 1023;
  /* Too small for the digits that are asked for. */
  _Bool tiny = kind == 'f' && bits && exponent < -75 && precision <= 20;
  if (kind != 'a' && fegetround() == 0 && lariat_fixed_point(tiny ? 947ull << 52 : bits, &fixed))
    n = kind == 'f' ? lariat_plain_text(fixed, precision, point, text)
                    : lariat_scientific_text(fixed, precision, point, kind == 'g', large ? 'E' : 'e', text);
  if (n >= 0) return n;
  __lariat_approximate("the digits of a float");
  int behind = precision > INT_MAX / 2 ? INT_MAX / 2 : (int)precision;
  int least = 1, most = behind + 24;
  if (kind == 'f') {
    /* The logarithm of 2 is between 1233 and 1234 parts of 4096. */
    int rest = 1 + behind + (behind > 0 || point);
    least = (exponent > 0 ? exponent * 1233 / 4096 : 0) + rest;
    most = (exponent > 0 ? (exponent + 1) * 1234 / 4096 : 0) + rest;
  } else if (kind == 'e') {
    least = 5 + behind;
    most = 7 + behind;
  }
  int length = __VERIFIER_nondet_int();
  __VERIFIER_assume(length >= least && length <= most);
  return -length;
}

#endif
