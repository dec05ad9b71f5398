/* ctype.h and the classes of wctype.h in the C locale. A true answer is the bit that glibc returns;
   arguments outside `unsigned char` and EOF, which C leaves undefined, are in no class. */

#define LARIAT_CLASS(name, bit, condition)                         \
  MODEL int name(int c) { return (condition) ? (bit) : 0; }        \
  MODEL int name##_l(int c, void *locale) {                        \
    (void)locale;                                                  \
    return (condition) ? (bit) : 0;                                \
  }

#define LARIAT_UPPER (c >= 'A' && c <= 'Z')
#define LARIAT_LOWER (c >= 'a' && c <= 'z')
#define LARIAT_DIGIT (c >= '0' && c <= '9')
#define LARIAT_HEX (LARIAT_DIGIT || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'))
#define LARIAT_GRAPH (c > ' ' && c < 127)
#define LARIAT_ALPHA (LARIAT_UPPER || LARIAT_LOWER)

LARIAT_CLASS(isupper, 0x100, LARIAT_UPPER)
LARIAT_CLASS(islower, 0x200, LARIAT_LOWER)
LARIAT_CLASS(isalpha, 0x400, LARIAT_ALPHA)
LARIAT_CLASS(isdigit, 0x800, LARIAT_DIGIT)
LARIAT_CLASS(isxdigit, 0x1000, LARIAT_HEX)
LARIAT_CLASS(isspace, 0x2000, c == ' ' || (c >= '\t' && c <= '\r'))
LARIAT_CLASS(isprint, 0x4000, c >= ' ' && c < 127)
LARIAT_CLASS(isgraph, 0x8000, LARIAT_GRAPH)
LARIAT_CLASS(isblank, 1, c == ' ' || c == '\t')
LARIAT_CLASS(iscntrl, 2, (c >= 0 && c < ' ') || c == 127)
LARIAT_CLASS(ispunct, 4, LARIAT_GRAPH && !LARIAT_ALPHA && !LARIAT_DIGIT)
LARIAT_CLASS(isalnum, 8, LARIAT_ALPHA || LARIAT_DIGIT)

MODEL int isascii(int c) { return (c & ~127) == 0; }
MODEL int toascii(int c) { return c & 127; }
MODEL int tolower(int c) { return LARIAT_UPPER ? c + ('a' - 'A') : c; }
MODEL int toupper(int c) { return LARIAT_LOWER ? c - ('a' - 'A') : c; }

MODEL int tolower_l(int c, void *locale) {
  (void)locale;
  return LARIAT_UPPER ? c + ('a' - 'A') : c;
}

MODEL int toupper_l(int c, void *locale) {
  (void)locale;
  return LARIAT_LOWER ? c - ('a' - 'A') : c;
}
