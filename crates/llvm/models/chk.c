/* What -D_FORTIFY_SOURCE makes of blocks and strings: the last argument is the room there is. What would go beyond it is
   written, for those who check accesses, and then the program ends. */

void abort(void);
void *memmove(void *, const void *, size_t);

static void lariat_chk(size_t size, size_t room) {
  if (size > room) abort();
}

MODEL void *__memcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t room) {
  memcpy(to, from, n);
  LARIAT_BLOCK(0, n);
  LARIAT_BLOCK(1, n);
  lariat_chk(n, room);
  return to;
}

MODEL void *__memmove_chk(void *to, const void *from, size_t n, size_t room) {
  memmove(to, from, n);
  LARIAT_BLOCK(0, n);
  LARIAT_BLOCK(1, n);
  lariat_chk(n, room);
  return to;
}

MODEL void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t room) {
  memcpy(to, from, n);
  LARIAT_BLOCK(0, n);
  LARIAT_BLOCK(1, n);
  lariat_chk(n, room);
  return (char *)to + n;
}

MODEL void *__memset_chk(void *to, int c, size_t n, size_t room) {
  memset(to, c, n);
  LARIAT_BLOCK(0, n);
  lariat_chk(n, room);
  return to;
}

static size_t lariat_chk_copy(char *to, const char *from, size_t most, size_t before, size_t room) {
  size_t i = 0;
  for (; i < most && from[i]; i++) to[before + i] = from[i];
  to[before + i] = 0;
  LARIAT_APART(to, before + i + 1, from, i < most ? i + 1 : i);
  LARIAT_STRING(0, before + i + 1);
  LARIAT_STRING(1, i < most ? i + 1 : i);
  lariat_chk(before + i + 1, room);
  return before + i;
}

static size_t lariat_chk_length(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

MODEL char *__strcpy_chk(char *restrict to, const char *restrict from, size_t room) {
  lariat_chk_copy(to, from, (size_t)-1, 0, room);
  return to;
}

MODEL char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t room) {
  return to + lariat_chk_copy(to, from, (size_t)-1, 0, room);
}

MODEL char *__strcat_chk(char *restrict to, const char *restrict from, size_t room) {
  lariat_chk_copy(to, from, (size_t)-1, lariat_chk_length(to), room);
  return to;
}

MODEL char *__strncat_chk(char *restrict to, const char *restrict from, size_t n, size_t room) {
  lariat_chk_copy(to, from, n, lariat_chk_length(to), room);
  return to;
}

static size_t lariat_chk_pad(char *to, const char *from, size_t n, size_t room) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (size_t k = i; k < n; k++) to[k] = 0;
  LARIAT_APART(to, n, from, i < n ? i + 1 : n);
  LARIAT_STRING(0, n);
  LARIAT_STRING(1, i < n ? i + 1 : n);
  lariat_chk(n, room);
  return i;
}

MODEL char *__strncpy_chk(char *restrict to, const char *restrict from, size_t n, size_t room) {
  lariat_chk_pad(to, from, n, room);
  return to;
}

MODEL char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t n, size_t room) {
  return to + lariat_chk_pad(to, from, n, room);
}

MODEL int __vsprintf_chk(char *restrict to, int flag, size_t room, const char *restrict f, __builtin_va_list args) {
  (void)flag;
  int n = lariat_format(to, (size_t)-1, f, args, 0, LARIAT_NOBODY);
  if (n >= 0) lariat_chk((size_t)n + 1, room);
  return n;
}

MODEL int __vsnprintf_chk(char *restrict to, size_t size, int flag, size_t room, const char *restrict f,
                          __builtin_va_list args) {
  (void)flag;
  lariat_chk(size, room);
  return lariat_format(to, size, f, args, 0, LARIAT_NOBODY);
}

MODEL int __sprintf_chk(char *restrict to, int flag, size_t room, const char *restrict f, ...) {
  (void)flag;
  __builtin_va_list args;
  __builtin_va_start(args, f);
  int n = lariat_format(to, (size_t)-1, f, args, 0, 4);
  __builtin_va_end(args);
  if (n >= 0) lariat_chk((size_t)n + 1, room);
  return n;
}

MODEL int __snprintf_chk(char *restrict to, size_t size, int flag, size_t room, const char *restrict f, ...) {
  (void)flag;
  lariat_chk(size, room);
  __builtin_va_list args;
  __builtin_va_start(args, f);
  int n = lariat_format(to, size, f, args, 0, 5);
  __builtin_va_end(args);
  return n;
}
