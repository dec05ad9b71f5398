/* stdlib.h: integers from text. */

#define LARIAT_CHAR char
#define LARIAT_NUMBER(x) lariat_number_##x
#include "number.h"

LARIAT_SIGNED(strtol, long, LONG_MAX, 0)
LARIAT_SIGNED(strtoll, long long, LLONG_MAX, 0)
LARIAT_SIGNED(strtoimax, intmax_t, LLONG_MAX, 0)
LARIAT_SIGNED(strtoq, long long, LLONG_MAX, 0)
LARIAT_SIGNED(__isoc23_strtol, long, LONG_MAX, 1)
LARIAT_SIGNED(__isoc23_strtoll, long long, LLONG_MAX, 1)
LARIAT_SIGNED(__isoc23_strtoimax, intmax_t, LLONG_MAX, 1)
LARIAT_UNSIGNED(strtoul, unsigned long, 0)
LARIAT_UNSIGNED(strtoull, unsigned long long, 0)
LARIAT_UNSIGNED(strtoumax, uintmax_t, 0)
LARIAT_UNSIGNED(strtouq, unsigned long long, 0)
LARIAT_UNSIGNED(__isoc23_strtoul, unsigned long, 1)
LARIAT_UNSIGNED(__isoc23_strtoull, unsigned long long, 1)
LARIAT_UNSIGNED(__isoc23_strtoumax, uintmax_t, 1)

LARIAT_SIGNED_L(strtol_l, long, LONG_MAX)
LARIAT_SIGNED_L(strtoll_l, long long, LLONG_MAX)
LARIAT_UNSIGNED_L(strtoul_l, unsigned long)
LARIAT_UNSIGNED_L(strtoull_l, unsigned long long)

/* Where the number does not fit C leaves the behaviour of these undefined: they return the nearest
   `long`, cut to the type, as glibc does. */
static long long lariat_number_decimal(const char *s, unsigned long long most) {
  struct lariat_number_number r = lariat_number_read(s, NULL, 10, 0, most, most + 1);
  if (!r.negative) return (long long)r.value;
  return r.value > most ? -(long long)most - 1 : -(long long)r.value;
}

MODEL int atoi(const char *s) { return (int)lariat_number_decimal(s, LONG_MAX); }
MODEL long atol(const char *s) { return (long)lariat_number_decimal(s, LONG_MAX); }
MODEL long long atoll(const char *s) { return lariat_number_decimal(s, LLONG_MAX); }

#undef LARIAT_CHAR
#undef LARIAT_NUMBER
