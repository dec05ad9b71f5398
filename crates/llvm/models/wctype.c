/* wctype.h in the C locale, where characters beyond ASCII are in no class. The value of a true answer
   is open in C and differs between libraries: here it is 1. */

#define LARIAT_WIDE(name, condition) \
  MODEL int name(wint_t c) { return condition; }

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

/* wchar.h: a state is a number of bytes and a character. */
MODEL int mbsinit(const void *state) { return !state || *(const int *)state == 0; }
