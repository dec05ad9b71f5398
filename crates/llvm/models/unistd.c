/* unistd.h, fcntl.h, sys/socket.h, arpa/inet.h: the basics. Every operation may fail. */

static int lariat_unistd_failed(void) {
  __lariat_set_errno(1);
  return -1;
}

/* No descriptor is negative: -1 and EBADF then. */
static _Bool lariat_unistd_bad(int fd) {
  if (fd < 0) __lariat_set_errno(-9);
  return fd < 0;
}

/* 0, or -1 and any errno. */
static int lariat_unistd_status(void) {
  return __VERIFIER_nondet_bool() ? 0 : lariat_unistd_failed();
}

/* A descriptor, or -1 and any errno. */
static int lariat_unistd_open(void) {
  int fd = __VERIFIER_nondet_int();
  if (fd < 0) return lariat_unistd_failed();
  return fd;
}

/* How many bytes of `size`, or -1 and any errno. */
static ptrdiff_t lariat_unistd_some(size_t size) {
  if (__VERIFIER_nondet_bool()) return lariat_unistd_failed();
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n <= size && n <= LONG_MAX);
  return (ptrdiff_t)n;
}

static ptrdiff_t lariat_unistd_read(int fd, void *to, size_t size) {
  LARIAT_BLOCK(1, size);
  if (lariat_unistd_bad(fd)) return -1;
  ptrdiff_t n = lariat_unistd_some(size);
  char *bytes = to;
  for (ptrdiff_t i = 0; i < n; i++) bytes[i] = __VERIFIER_nondet_char();
  return n;
}

MODEL ptrdiff_t read(int fd, void *to, size_t size) {
  return lariat_unistd_read(fd, to, size);
}

MODEL ptrdiff_t recv(int fd, void *to, size_t size, int flags) {
  (void)flags;
  return lariat_unistd_read(fd, to, size);
}

static ptrdiff_t lariat_unistd_write(int fd, const void *from, size_t size) {
  __lariat_readable(from, size);
  LARIAT_BLOCK(1, size);
  if (lariat_unistd_bad(fd)) return -1;
  return lariat_unistd_some(size);
}

MODEL ptrdiff_t write(int fd, const void *from, size_t size) {
  return lariat_unistd_write(fd, from, size);
}

MODEL ptrdiff_t send(int fd, const void *from, size_t size, int flags) {
  (void)flags;
  return lariat_unistd_write(fd, from, size);
}

MODEL int open(const char *path, int flags, ...) {
  (void)path, (void)flags;
  return lariat_unistd_open();
}

MODEL int open64(const char *path, int flags, ...) {
  (void)path, (void)flags;
  return lariat_unistd_open();
}

MODEL int creat(const char *path, unsigned mode) {
  (void)path, (void)mode;
  return lariat_unistd_open();
}

MODEL int dup(int fd) {
  return lariat_unistd_bad(fd) ? -1 : lariat_unistd_open();
}

MODEL int dup2(int fd, int other) {
  if (lariat_unistd_bad(fd) || lariat_unistd_bad(other)) return -1;
  return __VERIFIER_nondet_bool() ? other : lariat_unistd_failed();
}

MODEL int pipe(int fds[2]) {
  if (__VERIFIER_nondet_bool()) return lariat_unistd_failed();
  int in = __VERIFIER_nondet_int(), out = __VERIFIER_nondet_int();
  __VERIFIER_assume(in >= 0 && out >= 0 && in != out);
  fds[0] = in;
  fds[1] = out;
  return 0;
}

MODEL int socket(int domain, int type, int protocol) {
  (void)domain, (void)type, (void)protocol;
  return lariat_unistd_open();
}

MODEL int bind(int fd, const void *address, unsigned size) {
  (void)address, (void)size;
  return lariat_unistd_bad(fd) ? -1 : lariat_unistd_status();
}

MODEL int connect(int fd, const void *address, unsigned size) {
  (void)address, (void)size;
  return lariat_unistd_bad(fd) ? -1 : lariat_unistd_status();
}

MODEL int listen(int fd, int backlog) {
  (void)backlog;
  return lariat_unistd_bad(fd) ? -1 : lariat_unistd_status();
}

MODEL int accept(int fd, void *address, unsigned *size) {
  if (lariat_unistd_bad(fd)) return -1;
  if (address) {
    unsigned room = *size, n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n <= 128);
    char *bytes = address;
    for (unsigned i = 0; i < n && i < room; i++) bytes[i] = __VERIFIER_nondet_char();
    *size = n;
  }
  return lariat_unistd_open();
}

MODEL int close(int fd) {
  return lariat_unistd_bad(fd) ? -1 : lariat_unistd_status();
}

MODEL int access(const char *path, int mode) {
  (void)path, (void)mode;
  return lariat_unistd_status();
}

MODEL int unlink(const char *path) {
  (void)path;
  return lariat_unistd_status();
}

MODEL int usleep(unsigned microseconds) {
  (void)microseconds;
  return lariat_unistd_status();
}

MODEL unsigned sleep(unsigned seconds) {
  unsigned left = __VERIFIER_nondet_uint();
  __VERIFIER_assume(left <= seconds);
  return left;
}

MODEL unsigned short htons(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
MODEL unsigned short ntohs(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
MODEL unsigned htonl(unsigned x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
MODEL unsigned ntohl(unsigned x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
