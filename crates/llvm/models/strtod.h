/* Floats of one type from text.

   LARIAT_REAL         the type
   LARIAT_F(name)      a name with the suffix of the type
   LARIAT_STRTO        the name of the function
   LARIAT_DIGITS       the binary digits of a float
   LARIAT_LEAST        the exponent of the last digit of the smallest float
   LARIAT_EXACT_POWER  the largest power of ten that is a float
   LARIAT_LONG         whether it is the type with 64 digits
   LARIAT_ANY()        any value */

static LARIAT_REAL LARIAT_F(lariat_strtod_power)(LARIAT_REAL base, unsigned exponent) {
  LARIAT_REAL power = 1;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1) power *= base;
    if (exponent > 1) base *= base;
  }
  return power;
}

/* Only one of these operations rounds, as the rounding mode has it. */
static LARIAT_REAL LARIAT_F(lariat_strtod_round)(struct lariat_binary b, _Bool negative) {
  const LARIAT_REAL sign = negative ? -1 : 1, half = (LARIAT_REAL)(1ull << (LARIAT_DIGITS - 1));
  long last = b.exponent + 64 - LARIAT_DIGITS;
  _Bool tiny = last < LARIAT_LEAST;
  if (tiny) {
    /* The smallest float with all digits is no small one: is the number so close that it becomes that one? */
    const unsigned drop = 64 - LARIAT_DIGITS;
    unsigned long long rest = drop ? b.digits << (64 - drop) : 0;
    unsigned quarters = !drop ? b.quarters : (rest >> 63 << 1) | (rest << 1 != 0 || b.quarters);
    LARIAT_REAL rounded = sign * (LARIAT_REAL)(b.digits >> drop) + sign * (LARIAT_REAL)quarters / 4;
    tiny = last < LARIAT_LEAST - 1 || sign * rounded < half * 2;
    last = LARIAT_LEAST;
  }
  long drop = last - b.exponent;
  if (drop > 66) drop = 66;
  unsigned long long kept = drop < 64 ? b.digits >> drop : 0;
  unsigned quarters = b.quarters;
  if (drop > 0) {
    unsigned long long rest = drop < 64 ? b.digits << (64 - drop) : drop == 64 ? b.digits : 0;
    quarters = drop > 64 ? 1 : (unsigned)(rest >> 63) << 1 | (rest << 1 != 0 || b.quarters);
  }
  /* With an offset, a small number has as many digits as a large one. */
  LARIAT_REAL offset = kept >> (LARIAT_DIGITS - 1) ? 0 : half;
  LARIAT_REAL whole = sign * ((LARIAT_REAL)kept + offset) + sign * (LARIAT_REAL)quarters / 4 - sign * offset;
  if (whole == 0) whole = sign * 0;
  const long most = 3 - LARIAT_LEAST - LARIAT_DIGITS - LARIAT_DIGITS;
  if (last > most) last = most + 1;
  LARIAT_REAL result = last < 0 ? whole * LARIAT_F(lariat_strtod_power)((LARIAT_REAL)0.5, (unsigned)-last)
                                : whole * LARIAT_F(lariat_strtod_power)(2, (unsigned)last);
  if ((tiny && quarters) || last > most || result - result != 0) *__errno_location() = 34;
  return result;
}

static LARIAT_REAL LARIAT_F(lariat_strtod)(const char *s, char **end) {
  struct lariat_numeral n;
  const char *after = lariat_strtod_read(s, &n);
  if (end) *end = (char *)(after ? after : s);
  if (!after) return 0;
  const LARIAT_REAL sign = n.negative ? -1 : 1;
  if (n.kind == LARIAT_INFINITY) return sign * (LARIAT_REAL)__builtin_inff();
  if (n.kind == LARIAT_NAN) return LARIAT_F(lariat_strtod_nan)(n.payload, n.negative);
  if (n.digits == 0) return sign * 0;
  long point = n.exponent + n.count;
  if (!n.hexadecimal) {
    /* One operation with floats that are exact. */
    if (!n.more && n.digits >> (LARIAT_DIGITS - 1) <= 1 && n.exponent >= -LARIAT_EXACT_POWER &&
        n.exponent <= LARIAT_EXACT_POWER) {
      LARIAT_REAL whole = sign * (LARIAT_REAL)n.digits;
      if (n.exponent < 0) return whole / LARIAT_F(lariat_strtod_power)(10, (unsigned)-n.exponent);
      return whole * LARIAT_F(lariat_strtod_power)(10, (unsigned)n.exponent);
    }
#ifdef LARIAT_LONG
    if (point > 250 || point < -250) {
      __lariat_approximate("a long double from text");
      LARIAT_REAL any = LARIAT_ANY();
      __VERIFIER_assume(any == any && (n.negative ? any <= 0 : any >= 0));
      if (__VERIFIER_nondet_bool()) *__errno_location() = 34;
      return any;
    }
#endif
    struct lariat_binary b = {1ull << 63, 1, point < 0 ? -20000 : 20000};
    if (point >= -400 && point <= 400) {
      struct lariat_decimal d;
      lariat_strtod_decimal(&n, &d);
      b = lariat_strtod_binary(&d);
    }
    return LARIAT_F(lariat_strtod_round)(b, n.negative);
  }
#ifdef LARIAT_LONG
  if (n.more) {
    __lariat_approximate("a long double from text");
    LARIAT_REAL any = LARIAT_ANY();
    __VERIFIER_assume(any == any && (n.negative ? any <= 0 : any >= 0));
    return any;
  }
#endif
  int zeros = __builtin_clzll(n.digits);
  struct lariat_binary b = {n.digits << zeros, n.more, n.exponent - zeros};
  if (b.exponent > 20000) b.exponent = 20000;
  if (b.exponent < -20000) b.exponent = -20000;
  return LARIAT_F(lariat_strtod_round)(b, n.negative);
}

MODEL LARIAT_REAL LARIAT_STRTO(const char *restrict s, char **restrict end) {
  char *rest;
  LARIAT_REAL value = LARIAT_F(lariat_strtod)(s, &rest);
  LARIAT_STRING(0, (size_t)(rest - s) + 1);
  if (end) *end = rest;
  return value;
}

#undef LARIAT_REAL
#undef LARIAT_F
#undef LARIAT_STRTO
#undef LARIAT_DIGITS
#undef LARIAT_LEAST
#undef LARIAT_EXACT_POWER
#undef LARIAT_LONG
#undef LARIAT_ANY
