/* stdio.h: memory of the program that streams use: their buffers, and streams in memory. Linked where a program hands some
   over; then each function that is given a stream says so first. The memory is there as long as the stream is open, and
   what it holds is any. */

enum { LARIAT_BACKED = 16 };

static struct {
  void *stream;
  /* Memory that is read, or changed, too. */
  char *memory;
  size_t size;
  _Bool changes;
  /* Where a text goes that grows. */
  char **text;
  size_t *length;
} lariat_backed[LARIAT_BACKED];
static int lariat_backed_count;

/* The text so far is in a block of its own, which the program frees when the stream is closed. */
static void lariat_backing_write(char **text, size_t *length) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 0x7ffffff0);
  char *block = realloc(*text, n + 1);
  if (!block) return;
  __VERIFIER_nondet_memory(block, n);
  block[n] = 0;
  *text = block;
  *length = n;
}

MODEL void __lariat_stream_used(void *stream) {
  for (int i = 0; i < lariat_backed_count; i++) {
    if (lariat_backed[i].stream != stream) continue;
    char *memory = lariat_backed[i].memory;
    size_t size = lariat_backed[i].size;
    if (memory && lariat_backed[i].changes)
      __VERIFIER_nondet_memory(memory, size);
    else if (memory)
      (void)*(const volatile char *)memory, (void)*(const volatile char *)(memory + (size - 1));
    if (lariat_backed[i].text) lariat_backing_write(lariat_backed[i].text, lariat_backed[i].length);
  }
}

static int lariat_backing_entry(void *stream) {
  for (int i = 0; i < lariat_backed_count; i++)
    if (lariat_backed[i].stream == stream) return i;
  if (lariat_backed_count == LARIAT_BACKED) __lariat_unsupported("memory of more than 16 streams");
  lariat_backed[lariat_backed_count].stream = stream;
  return lariat_backed_count++;
}

static void lariat_backing_set(void *stream, char *memory, size_t size, _Bool changes) {
  int i = lariat_backing_entry(stream);
  lariat_backed[i].memory = size ? memory : NULL;
  lariat_backed[i].size = size;
  lariat_backed[i].changes = changes;
  __lariat_stream_used(stream);
}

/* Without memory, the library takes its own, or keeps what it has. */
static int lariat_backing_buffer(void *stream, char *buffer, int mode, size_t size) {
  if (mode != 2 && buffer) lariat_backing_set(stream, buffer, size, 1);
  if (mode == 2) /* _IONBF */
    for (int i = 0; i < lariat_backed_count; i++)
      if (lariat_backed[i].stream == stream) lariat_backed[i].memory = NULL;
  return 0;
}

MODEL int setvbuf(void *restrict stream, char *restrict buffer, int mode, size_t size) {
  if (mode < 0 || mode > 2 || __VERIFIER_nondet_bool()) {
    __lariat_set_errno(__VERIFIER_nondet_bool());
    return EOF;
  }
  return lariat_backing_buffer(stream, buffer, mode, size);
}

/* BUFSIZ is 8192. */
MODEL void setbuf(void *restrict stream, char *restrict buffer) {
  lariat_backing_buffer(stream, buffer, buffer ? 0 : 2, 8192);
}

MODEL void setbuffer(void *stream, char *buffer, size_t size) { lariat_backing_buffer(stream, buffer, buffer ? 0 : 2, size); }

MODEL void *fmemopen(void *memory, size_t size, const char *mode) {
  void *stream = lariat_stdio_open();
  if (!stream) return NULL;
  __lariat_approximate("a stream in memory");
  _Bool changes = mode[0] != 'r';
  for (int i = 0; mode[i]; i++) changes |= mode[i] == '+';
  if (memory) lariat_backing_set(stream, memory, size, changes);
  return stream;
}

MODEL void *open_memstream(char **text, size_t *length) {
  void *stream = lariat_stdio_open();
  if (!stream) return NULL;
  __lariat_approximate("a stream in memory");
  *text = NULL;
  *length = 0;
  int i = lariat_backing_entry(stream);
  lariat_backed[i].text = text;
  lariat_backed[i].length = length;
  return stream;
}
