/* What the macros of glibc's ctype.h expand to: tables from -128 to 255 in the C locale. */

enum {
  LARIAT_T_UPPER = 0x100,
  LARIAT_T_LOWER = 0x200,
  LARIAT_T_ALPHA = 0x400,
  LARIAT_T_DIGIT = 0x800,
  LARIAT_T_XDIGIT = 0x1000,
  LARIAT_T_SPACE = 0x2000,
  LARIAT_T_PRINT = 0x4000,
  LARIAT_T_GRAPH = 0x8000,
  LARIAT_T_BLANK = 1,
  LARIAT_T_CNTRL = 2,
  LARIAT_T_PUNCT = 4,
  LARIAT_T_ALNUM = 8,
  LARIAT_T_SIGN = LARIAT_T_PRINT | LARIAT_T_GRAPH | LARIAT_T_PUNCT,
  LARIAT_T_WORD = LARIAT_T_PRINT | LARIAT_T_GRAPH | LARIAT_T_ALNUM,
  LARIAT_T_CAPITAL = LARIAT_T_WORD | LARIAT_T_ALPHA | LARIAT_T_UPPER,
  LARIAT_T_SMALL = LARIAT_T_WORD | LARIAT_T_ALPHA | LARIAT_T_LOWER,
};

#define LARIAT_AT(c) [128 + (c)]
#define LARIAT_RANGE(from, to) [128 + (from) ... 128 + (to)]

static const unsigned short lariat_ctype_class[384] = {
    LARIAT_RANGE(0, 8) = LARIAT_T_CNTRL,
    LARIAT_AT('\t') = LARIAT_T_CNTRL | LARIAT_T_SPACE | LARIAT_T_BLANK,
    LARIAT_RANGE('\n', '\r') = LARIAT_T_CNTRL | LARIAT_T_SPACE,
    LARIAT_RANGE(14, 31) = LARIAT_T_CNTRL,
    LARIAT_AT(' ') = LARIAT_T_SPACE | LARIAT_T_BLANK | LARIAT_T_PRINT,
    LARIAT_RANGE('!', '/') = LARIAT_T_SIGN,
    LARIAT_RANGE('0', '9') = LARIAT_T_WORD | LARIAT_T_DIGIT | LARIAT_T_XDIGIT,
    LARIAT_RANGE(':', '@') = LARIAT_T_SIGN,
    LARIAT_RANGE('A', 'F') = LARIAT_T_CAPITAL | LARIAT_T_XDIGIT,
    LARIAT_RANGE('G', 'Z') = LARIAT_T_CAPITAL,
    LARIAT_RANGE('[', '`') = LARIAT_T_SIGN,
    LARIAT_RANGE('a', 'f') = LARIAT_T_SMALL | LARIAT_T_XDIGIT,
    LARIAT_RANGE('g', 'z') = LARIAT_T_SMALL,
    LARIAT_RANGE('{', '~') = LARIAT_T_SIGN,
    LARIAT_AT(127) = LARIAT_T_CNTRL,
};

#define LARIAT_8(x) x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7
#define LARIAT_26(x) LARIAT_8(x), LARIAT_8(x + 8), LARIAT_8(x + 16), x + 24, x + 25
#define LARIAT_32(x) LARIAT_8(x), LARIAT_8(x + 8), LARIAT_8(x + 16), LARIAT_8(x + 24)
#define LARIAT_128(x) LARIAT_32(x), LARIAT_32(x + 32), LARIAT_32(x + 64), LARIAT_32(x + 96)

/* Below 0 stands what belongs to the same byte, except for EOF. */
#define LARIAT_NEGATIVE                                                                      \
  LARIAT_32(128), LARIAT_32(160), LARIAT_32(192), LARIAT_8(224), LARIAT_8(232), LARIAT_8(240), \
      248, 249, 250, 251, 252, 253, 254, EOF

static const int lariat_ctype_lower[384] = {
    LARIAT_NEGATIVE, LARIAT_32(0),   LARIAT_32(32),  64,
    LARIAT_26('a'),  91, 92, 93, 94, 95, 96, LARIAT_26('a'), 123, 124, 125, 126, 127,
    LARIAT_128(128),
};

static const int lariat_ctype_upper[384] = {
    LARIAT_NEGATIVE, LARIAT_32(0),   LARIAT_32(32),  64,
    LARIAT_26('A'),  91, 92, 93, 94, 95, 96, LARIAT_26('A'), 123, 124, 125, 126, 127,
    LARIAT_128(128),
};

static const unsigned short *lariat_ctype_class_at = lariat_ctype_class + 128;
static const int *lariat_ctype_lower_at = lariat_ctype_lower + 128;
static const int *lariat_ctype_upper_at = lariat_ctype_upper + 128;

MODEL const unsigned short **__ctype_b_loc(void) { return &lariat_ctype_class_at; }
MODEL const int **__ctype_tolower_loc(void) { return &lariat_ctype_lower_at; }
MODEL const int **__ctype_toupper_loc(void) { return &lariat_ctype_upper_at; }
MODEL size_t __ctype_get_mb_cur_max(void) { return 1; }
