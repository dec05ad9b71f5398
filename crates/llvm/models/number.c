/* stdlib.h: integers from text. */

static _Bool lariat_number_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The value of a digit, at least 36 for other characters. */
static int lariat_number_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 36;
}

/* What the text gives: the magnitude, its sign, and whether it is larger than `most` (`least` for
   negative numbers). `binary`: the prefix 0b of C23 counts. */
struct lariat_number {
  unsigned long long value;
  _Bool negative, large;
};

static struct lariat_number lariat_number_read(const char *s, char **end, int base, _Bool binary,
                                               unsigned long long most, unsigned long long least) {
  struct lariat_number r = {0, 0, 0};
  if (base < 0 || base == 1 || base > 36) {
    *__errno_location() = 22;
    return r;
  }
  size_t i = 0;
  while (lariat_number_space(s[i])) i++;
  if (s[i] == '-' || s[i] == '+') {
    r.negative = s[i] == '-';
    i++;
  }
  if (s[i] == '0') {
    if ((base == 0 || base == 16) && (s[i + 1] == 'x' || s[i + 1] == 'X') &&
        lariat_number_digit(s[i + 2]) < 16) {
      base = 16;
      i += 2;
    } else if (binary && (base == 0 || base == 2) && (s[i + 1] == 'b' || s[i + 1] == 'B') &&
               lariat_number_digit(s[i + 2]) < 2) {
      base = 2;
      i += 2;
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0) base = 10;
  if (lariat_number_digit(s[i]) >= base) {
    r.negative = 0;
    if (end) *end = (char *)s;
    return r;
  }
  unsigned long long limit = r.negative ? least : most;
  unsigned long long cut = limit / (unsigned)base, last = limit % (unsigned)base;
  for (;; i++) {
    int digit = lariat_number_digit(s[i]);
    if (digit >= base) break;
    if (r.value > cut || (r.value == cut && (unsigned)digit > last)) r.large = 1;
    if (!r.large) r.value = r.value * (unsigned)base + (unsigned)digit;
  }
  if (r.large) {
    *__errno_location() = 34;
    r.value = limit;
  }
  if (end) *end = (char *)(s + i);
  return r;
}

#define LARIAT_SIGNED(name, type, most, binary)                                            \
  MODEL type name(const char *restrict s, char **restrict end, int base) {                 \
    unsigned long long top = most;                                                         \
    struct lariat_number r = lariat_number_read(s, end, base, binary, top, top + 1);       \
    if (!r.negative) return (type)r.value;                                                 \
    return r.value > top ? -(type)top - 1 : -(type)r.value;                                \
  }

#define LARIAT_SIGNED_L(name, type, most)                                                  \
  MODEL type name(const char *restrict s, char **restrict end, int base, void *locale) {   \
    (void)locale;                                                                          \
    unsigned long long top = most;                                                         \
    struct lariat_number r = lariat_number_read(s, end, base, 0, top, top + 1);            \
    if (!r.negative) return (type)r.value;                                                 \
    return r.value > top ? -(type)top - 1 : -(type)r.value;                                \
  }

#define LARIAT_UNSIGNED_L(name, type)                                                      \
  MODEL type name(const char *restrict s, char **restrict end, int base, void *locale) {   \
    (void)locale;                                                                          \
    unsigned long long top = (type)-1;                                                     \
    struct lariat_number r = lariat_number_read(s, end, base, 0, top, top);                \
    return r.negative && !r.large ? (type)0 - (type)r.value : (type)r.value;               \
  }

#define LARIAT_UNSIGNED(name, type, binary)                                                \
  MODEL type name(const char *restrict s, char **restrict end, int base) {                 \
    unsigned long long top = (type)-1;                                                     \
    struct lariat_number r = lariat_number_read(s, end, base, binary, top, top);           \
    return r.negative && !r.large ? (type)0 - (type)r.value : (type)r.value;               \
  }

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
  struct lariat_number r = lariat_number_read(s, NULL, 10, 0, most, most + 1);
  if (!r.negative) return (long long)r.value;
  return r.value > most ? -(long long)most - 1 : -(long long)r.value;
}

MODEL int atoi(const char *s) { return (int)lariat_number_decimal(s, LONG_MAX); }
MODEL long atol(const char *s) { return (long)lariat_number_decimal(s, LONG_MAX); }
MODEL long long atoll(const char *s) { return lariat_number_decimal(s, LLONG_MAX); }
