/* stdio.h: streams and input without formats. What is read is any text, and any operation may fail. That streams are
   open, and that names and modes are strings, is checked at the calls. */

void *realloc(void *, size_t);

static void *lariat_stdio_open(void) {
  if (__VERIFIER_nondet_bool()) {
    __lariat_set_errno(1);
    return NULL;
  }
  return __lariat_outside(256);
}

/* A mode begins with one of three letters; others are an error. */
static _Bool lariat_stdio_mode(const char *mode) {
  if (*mode == 'r' || *mode == 'w' || *mode == 'a') return 1;
  __lariat_set_errno(-22); /* EINVAL */
  return 0;
}

MODEL void *fopen(const char *restrict path, const char *restrict mode) {
  (void)path;
  return lariat_stdio_mode(mode) ? lariat_stdio_open() : NULL;
}

MODEL void *fopen64(const char *restrict path, const char *restrict mode) {
  (void)path;
  return lariat_stdio_mode(mode) ? lariat_stdio_open() : NULL;
}

MODEL void *fdopen(int fd, const char *mode) {
  if (!lariat_stdio_mode(mode)) return NULL;
  if (fd >= 0) return lariat_stdio_open();
  __lariat_set_errno(-9); /* EBADF */
  return NULL;
}

MODEL void *popen(const char *command, const char *mode) {
  (void)command, (void)mode;
  return lariat_stdio_open();
}

static int lariat_stdio_status(void) {
  if (__VERIFIER_nondet_bool()) return 0;
  __lariat_set_errno(1);
  return EOF;
}

/* Also where this fails, the stream is closed. */
MODEL int fclose(void *stream) {
  __lariat_close(stream);
  return lariat_stdio_status();
}

/* The status of the command, or -1. */
MODEL int pclose(void *stream) {
  __lariat_close(stream);
  int status = __VERIFIER_nondet_int();
  __VERIFIER_assume(status >= -1);
  __lariat_set_errno(status == -1);
  return status;
}

MODEL void *tmpfile(void) { return lariat_stdio_open(); }
MODEL void *tmpfile64(void) { return lariat_stdio_open(); }

static void *lariat_stdio_reopen(const char *path, const char *mode, void *stream) {
  (void)path, (void)mode;
  if (__VERIFIER_nondet_bool()) return stream;
  __lariat_set_errno(1);
  return NULL;
}

MODEL void *freopen(const char *restrict path, const char *restrict mode, void *restrict stream) {
  return lariat_stdio_reopen(path, mode, stream);
}

MODEL void *freopen64(const char *restrict path, const char *restrict mode, void *restrict stream) {
  return lariat_stdio_reopen(path, mode, stream);
}

/* An error, or just the end of the file. */
static void lariat_stdio_end(void) { __lariat_set_errno(__VERIFIER_nondet_bool()); }

static int lariat_stdio_character(void) {
  if (__VERIFIER_nondet_bool()) {
    lariat_stdio_end();
    return EOF;
  }
  return __VERIFIER_nondet_uchar();
}

MODEL int fgetc(void *stream) {
  (void)stream;
  return lariat_stdio_character();
}

MODEL int fgetc_unlocked(void *stream) {
  (void)stream;
  return lariat_stdio_character();
}

MODEL int getc(void *stream) {
  (void)stream;
  return lariat_stdio_character();
}

MODEL int _IO_getc(void *stream) {
  (void)stream;
  return lariat_stdio_character();
}

MODEL int getc_unlocked(void *stream) {
  (void)stream;
  return lariat_stdio_character();
}

MODEL int getchar(void) { return lariat_stdio_character(); }
MODEL int getchar_unlocked(void) { return lariat_stdio_character(); }

MODEL int ungetc(int c, void *stream) {
  (void)stream;
  return c == EOF || __VERIFIER_nondet_bool() ? EOF : (unsigned char)c;
}

/* Any line: a newline ends it, and it may be cut by the buffer or by the end of the file. */
static char *lariat_stdio_line(char *s, int size) {
  if (size <= 0 || __VERIFIER_nondet_bool()) {
    lariat_stdio_end();
    return NULL;
  }
  int i = 0;
  while (i < size - 1) {
    char c = __VERIFIER_nondet_char();
    s[i++] = c;
    if (c == '\n' || __VERIFIER_nondet_bool()) break;
  }
  s[i] = 0;
  __lariat_unknown_string(s, (size_t)i);
  LARIAT_STRING(0, (size_t)i + 1);
  return s;
}

MODEL char *fgets(char *restrict s, int size, void *restrict stream) {
  (void)stream;
  return lariat_stdio_line(s, size);
}

MODEL char *fgets_unlocked(char *restrict s, int size, void *restrict stream) {
  (void)stream;
  return lariat_stdio_line(s, size);
}

MODEL char *gets(char *s) {
  if (__VERIFIER_nondet_bool()) {
    lariat_stdio_end();
    return NULL;
  }
  size_t i = 0;
  for (; __VERIFIER_nondet_bool(); i++) {
    char c = __VERIFIER_nondet_char();
    __VERIFIER_assume(c != '\n');
    s[i] = c;
  }
  s[i] = 0;
  __lariat_unknown_string(s, i);
  LARIAT_STRING(0, i + 1);
  return s;
}

/* Up to this character, or to the end of the file. */
static ptrdiff_t lariat_stdio_record(char **line, size_t *size, int end) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n > 0 && n < 0x7ffffff0);
  if (!*line || *size <= n) {
    char *space = realloc(*line, n + 1);
    if (!space) return -1;
    *line = space;
    *size = n + 1;
  }
  if (__VERIFIER_nondet_bool()) {
    lariat_stdio_end();
    return -1;
  }
  char *s = *line;
  for (size_t i = 0; i < n; i++) {
    char c = __VERIFIER_nondet_char();
    __VERIFIER_assume(c != (char)end || i == n - 1);
    s[i] = c;
  }
  s[n] = 0;
  __lariat_unknown_string(s, n);
  return (ptrdiff_t)n;
}

MODEL ptrdiff_t getline(char **restrict line, size_t *restrict size, void *restrict stream) {
  (void)stream;
  return lariat_stdio_record(line, size, '\n');
}

MODEL ptrdiff_t getdelim(char **restrict line, size_t *restrict size, int end, void *restrict stream) {
  (void)stream;
  return lariat_stdio_record(line, size, end);
}

MODEL ptrdiff_t __getdelim(char **restrict line, size_t *restrict size, int end, void *restrict stream) {
  (void)stream;
  return lariat_stdio_record(line, size, end);
}

/* A position, and the state of characters of several bytes. */
static int lariat_stdio_position(void *position, size_t bytes) {
  if (__VERIFIER_nondet_bool()) {
    __lariat_set_errno(1);
    return -1;
  }
  __VERIFIER_nondet_memory(position, bytes + 8);
  return 0;
}

MODEL int fgetpos(void *restrict stream, void *restrict position) {
  (void)stream;
  return lariat_stdio_position(position, sizeof(long));
}

MODEL int fgetpos64(void *restrict stream, void *restrict position) {
  (void)stream;
  return lariat_stdio_position(position, sizeof(long long));
}

static size_t lariat_stdio_read(void *block, size_t size, size_t count) {
  if (size == 0 || count == 0) return 0;
  LARIAT_BLOCK(0, size * count);
  size_t whole = __VERIFIER_nondet_ulong(), part = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(whole <= count && part < size && (whole < count || part == 0));
  char *s = block;
  for (size_t i = 0; i < whole * size + part; i++) s[i] = __VERIFIER_nondet_char();
  if (whole < count) lariat_stdio_end();
  return whole;
}

MODEL size_t fread(void *restrict block, size_t size, size_t count, void *restrict stream) {
  (void)stream;
  return lariat_stdio_read(block, size, count);
}

MODEL size_t fread_unlocked(void *restrict block, size_t size, size_t count, void *restrict stream) {
  (void)stream;
  return lariat_stdio_read(block, size, count);
}

static size_t lariat_stdio_write(const void *block, size_t size, size_t count) {
  if (size == 0) return 0;
  __lariat_readable(block, size * count);
  LARIAT_BLOCK(0, size * count);
  size_t whole = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(whole <= count);
  if (whole < count) __lariat_set_errno(1);
  return whole;
}

MODEL size_t fwrite(const void *restrict block, size_t size, size_t count, void *restrict stream) {
  (void)stream;
  return lariat_stdio_write(block, size, count);
}

MODEL size_t fwrite_unlocked(const void *restrict block, size_t size, size_t count, void *restrict stream) {
  (void)stream;
  return lariat_stdio_write(block, size, count);
}
