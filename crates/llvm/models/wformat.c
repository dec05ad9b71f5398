/* wchar.h: formatted output of wide characters into memory.

   Microsoft's functions of the old days take no size, their characters have 16 bits, and `%c` and `%s` mean wide
   characters. A program that declares them so means these. */

#include "decimal.h"

#ifdef LARIAT_UNSIZED
typedef unsigned short lariat_wide;
#define LARIAT_OWN(length) ((length) == 0 || (length) == 1)
#define LARIAT_OTHERS(length) ((length) == -1)
#define LARIAT_SIZE
#define LARIAT_LIMIT (size_t)-1
#define LARIAT_FIRST 2
#define LARIAT_RESULT(n) (n)
#else
typedef wchar_t lariat_wide;
#define LARIAT_OWN(length) ((length) == 1)
#define LARIAT_OTHERS(length) ((length) == 0)
#define LARIAT_SIZE size_t size,
#define LARIAT_LIMIT size
#define LARIAT_FIRST 3
#define LARIAT_RESULT(n) ((n) < 0 || (size_t)(n) >= size ? -1 : (n))
#endif
#define LARIAT_FORMAT lariat_wide_format
#define LARIAT_CHAR lariat_wide
#define LARIAT_OTHER char
#include "format.h"

MODEL int vswprintf(lariat_wide *restrict to, LARIAT_SIZE const lariat_wide *restrict f, __builtin_va_list args) {
  int n = lariat_wide_format(to, LARIAT_LIMIT, f, args, 0, LARIAT_NOBODY);
  return LARIAT_RESULT(n);
}

MODEL int swprintf(lariat_wide *restrict to, LARIAT_SIZE const lariat_wide *restrict f, ...) {
  __builtin_va_list args;
  __builtin_va_start(args, f);
  int n = lariat_wide_format(to, LARIAT_LIMIT, f, args, 0, LARIAT_FIRST);
  __builtin_va_end(args);
  return LARIAT_RESULT(n);
}

#undef LARIAT_SIZE
#undef LARIAT_LIMIT
#undef LARIAT_FIRST
#undef LARIAT_RESULT
