/* wctype.h in the C locale, where characters beyond ASCII are in no class. The value of a true answer
   is open in C and differs between libraries: here it is 1. */

#define LARIAT_WIDE(name, condition)                      \
  MODEL int name(wint_t c) { return condition; }          \
  MODEL int name##_l(wint_t c, void *locale) {            \
    (void)locale;                                         \
    return condition;                                     \
  }

#define LARIAT_WUPPER (c >= L'A' && c <= L'Z')
#define LARIAT_WLOWER (c >= L'a' && c <= L'z')
#define LARIAT_WDIGIT (c >= L'0' && c <= L'9')
#define LARIAT_WGRAPH (c > L' ' && c < 127)
#define LARIAT_WALPHA (LARIAT_WUPPER || LARIAT_WLOWER)

LARIAT_WIDE(iswupper, LARIAT_WUPPER)
LARIAT_WIDE(iswlower, LARIAT_WLOWER)
LARIAT_WIDE(iswalpha, LARIAT_WALPHA)
LARIAT_WIDE(iswdigit, LARIAT_WDIGIT)
LARIAT_WIDE(iswxdigit, LARIAT_WDIGIT || (c >= L'A' && c <= L'F') || (c >= L'a' && c <= L'f'))
LARIAT_WIDE(iswspace, c == L' ' || (c >= L'\t' && c <= L'\r'))
LARIAT_WIDE(iswprint, c >= L' ' && c < 127)
LARIAT_WIDE(iswgraph, LARIAT_WGRAPH)
LARIAT_WIDE(iswblank, c == L' ' || c == L'\t')
LARIAT_WIDE(iswcntrl, c < L' ' || c == 127)
LARIAT_WIDE(iswpunct, LARIAT_WGRAPH && !LARIAT_WALPHA && !LARIAT_WDIGIT)
LARIAT_WIDE(iswalnum, LARIAT_WALPHA || LARIAT_WDIGIT)

MODEL wint_t towlower(wint_t c) { return LARIAT_WUPPER ? c + (L'a' - L'A') : c; }
MODEL wint_t towupper(wint_t c) { return LARIAT_WLOWER ? c - (L'a' - L'A') : c; }

MODEL wint_t towlower_l(wint_t c, void *locale) {
  (void)locale;
  return LARIAT_WUPPER ? c + (L'a' - L'A') : c;
}

MODEL wint_t towupper_l(wint_t c, void *locale) {
  (void)locale;
  return LARIAT_WLOWER ? c - (L'a' - L'A') : c;
}

/* Classes by their names: numbers from 1 on. */
static const char lariat_wide_classes[12][8] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                                "lower", "print", "punct", "space", "upper", "xdigit"};

static _Bool lariat_wide_same(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] && a[i] == b[i]) i++;
  return a[i] == b[i];
}

MODEL unsigned long wctype(const char *name) {
  for (unsigned long i = 0; i < 12; i++)
    if (lariat_wide_same(name, lariat_wide_classes[i])) return i + 1;
  return 0;
}

MODEL int iswctype(wint_t c, unsigned long which) {
  switch (which) {
    case 1: return LARIAT_WALPHA || LARIAT_WDIGIT;
    case 2: return LARIAT_WALPHA;
    case 3: return c == L' ' || c == L'\t';
    case 4: return c < L' ' || c == 127;
    case 5: return LARIAT_WDIGIT;
    case 6: return LARIAT_WGRAPH;
    case 7: return LARIAT_WLOWER;
    case 8: return c >= L' ' && c < 127;
    case 9: return LARIAT_WGRAPH && !LARIAT_WALPHA && !LARIAT_WDIGIT;
    case 10: return c == L' ' || (c >= L'\t' && c <= L'\r');
    case 11: return LARIAT_WUPPER;
    case 12: return LARIAT_WDIGIT || (c >= L'A' && c <= L'F') || (c >= L'a' && c <= L'f');
    default: return 0;
  }
}

/* wchar.h: a state is a number of bytes and a character. */
MODEL int mbsinit(const void *state) { return !state || *(const int *)state == 0; }
