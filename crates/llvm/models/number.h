/* Integers from text.

   LARIAT_CHAR       the characters
   LARIAT_NUMBER(x)  the names of what is defined here
*/

static _Bool LARIAT_NUMBER(space)(LARIAT_CHAR c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The value of a digit, at least 36 for other characters. */
static int LARIAT_NUMBER(digit)(LARIAT_CHAR c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 36;
}

/* What the text gives: the magnitude, its sign, and whether it is larger than `most` (`least` for
   negative numbers). `binary`: the prefix 0b of C23 counts. */
struct LARIAT_NUMBER(number) {
  unsigned long long value;
  _Bool negative, large;
};

static struct LARIAT_NUMBER(number) LARIAT_NUMBER(read)(const LARIAT_CHAR *s, LARIAT_CHAR **end, int base, _Bool binary,
                                               unsigned long long most, unsigned long long least) {
  struct LARIAT_NUMBER(number) r = {0, 0, 0};
  if (base < 0 || base == 1 || base > 36) {
    *__errno_location() = 22;
    return r;
  }
  size_t i = 0;
  while (LARIAT_NUMBER(space)(s[i])) i++;
  if (s[i] == '-' || s[i] == '+') {
    r.negative = s[i] == '-';
    i++;
  }
  if (s[i] == '0') {
    if ((base == 0 || base == 16) && (s[i + 1] == 'x' || s[i + 1] == 'X') &&
        LARIAT_NUMBER(digit)(s[i + 2]) < 16) {
      base = 16;
      i += 2;
    } else if (binary && (base == 0 || base == 2) && (s[i + 1] == 'b' || s[i + 1] == 'B') &&
               LARIAT_NUMBER(digit)(s[i + 2]) < 2) {
      base = 2;
      i += 2;
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0) base = 10;
  if (LARIAT_NUMBER(digit)(s[i]) >= base) {
    r.negative = 0;
    LARIAT_STRING(0, (i + 1) * sizeof(LARIAT_CHAR));
    if (end) *end = (LARIAT_CHAR *)s;
    return r;
  }
  unsigned long long limit = r.negative ? least : most;
  unsigned long long cut = limit / (unsigned)base, last = limit % (unsigned)base;
  for (;; i++) {
    int digit = LARIAT_NUMBER(digit)(s[i]);
    if (digit >= base) break;
    if (r.value > cut || (r.value == cut && (unsigned)digit > last)) r.large = 1;
    if (!r.large) r.value = r.value * (unsigned)base + (unsigned)digit;
  }
  LARIAT_STRING(0, (i + 1) * sizeof(LARIAT_CHAR));
  if (r.large) {
    *__errno_location() = 34;
    r.value = limit;
  }
  if (end) *end = (LARIAT_CHAR *)(s + i);
  return r;
}

#define LARIAT_SIGNED(name, type, most, binary)                                                     \
  MODEL type name(const LARIAT_CHAR *restrict s, LARIAT_CHAR **restrict end, int base) {            \
    unsigned long long top = most;                                                                  \
    struct LARIAT_NUMBER(number) r = LARIAT_NUMBER(read)(s, end, base, binary, top, top + 1);       \
    if (!r.negative) return (type)r.value;                                                          \
    return r.value > top ? -(type)top - 1 : -(type)r.value;                                         \
  }

#define LARIAT_SIGNED_L(name, type, most)                                                           \
  MODEL type name(const LARIAT_CHAR *restrict s, LARIAT_CHAR **restrict end, int base, void *locale) {\
    (void)locale;                                                                                   \
    unsigned long long top = most;                                                                  \
    struct LARIAT_NUMBER(number) r = LARIAT_NUMBER(read)(s, end, base, 0, top, top + 1);            \
    if (!r.negative) return (type)r.value;                                                          \
    return r.value > top ? -(type)top - 1 : -(type)r.value;                                         \
  }

#define LARIAT_UNSIGNED_L(name, type)                                                               \
  MODEL type name(const LARIAT_CHAR *restrict s, LARIAT_CHAR **restrict end, int base, void *locale) {\
    (void)locale;                                                                                   \
    unsigned long long top = (type)-1;                                                              \
    struct LARIAT_NUMBER(number) r = LARIAT_NUMBER(read)(s, end, base, 0, top, top);                \
    return r.negative && !r.large ? (type)0 - (type)r.value : (type)r.value;                        \
  }

#define LARIAT_UNSIGNED(name, type, binary)                                                         \
  MODEL type name(const LARIAT_CHAR *restrict s, LARIAT_CHAR **restrict end, int base) {            \
    unsigned long long top = (type)-1;                                                              \
    struct LARIAT_NUMBER(number) r = LARIAT_NUMBER(read)(s, end, base, binary, top, top);           \
    return r.negative && !r.large ? (type)0 - (type)r.value : (type)r.value;                        \
  }

