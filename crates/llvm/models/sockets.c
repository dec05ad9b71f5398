/* sys/socket.h, sys/uio.h: what sockets and descriptors are asked for: any answer, or an error. */

static int lariat_sockets_failed(void) {
  __lariat_set_errno(1);
  return -1;
}

/* An answer of unknown length, of which as much is stored as there is room for. */
static void lariat_sockets_answer(void *to, unsigned *size, unsigned most) {
  if (!to) return;
  unsigned room = *size, n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= most);
  __VERIFIER_nondet_memory(to, n < room ? n : room);
  *size = n;
}

static int lariat_sockets_name(void *address, unsigned *size) {
  if (__VERIFIER_nondet_bool()) return lariat_sockets_failed();
  lariat_sockets_answer(address, size, 128);
  return 0;
}

MODEL int getsockname(int fd, void *restrict address, unsigned *restrict size) {
  (void)fd;
  return lariat_sockets_name(address, size);
}

MODEL int getpeername(int fd, void *restrict address, unsigned *restrict size) {
  (void)fd;
  return lariat_sockets_name(address, size);
}

MODEL int accept4(int fd, void *restrict address, unsigned *restrict size, int flags) {
  (void)fd, (void)flags;
  if (__VERIFIER_nondet_bool()) return lariat_sockets_failed();
  lariat_sockets_answer(address, size, 128);
  int new = __VERIFIER_nondet_int();
  __VERIFIER_assume(new >= 0);
  return new;
}

/* What is stored is never longer than there is room for. */
MODEL int getsockopt(int fd, int level, int name, void *restrict to, unsigned *restrict size) {
  (void)fd, (void)level, (void)name;
  unsigned room = *size;
  if (__VERIFIER_nondet_bool()) return lariat_sockets_failed();
  lariat_sockets_answer(to, size, room);
  return 0;
}

static ptrdiff_t lariat_sockets_receive(void *to, size_t size) {
  LARIAT_BLOCK(1, size);
  if (__VERIFIER_nondet_bool()) return lariat_sockets_failed();
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n <= size && n <= LONG_MAX);
  __VERIFIER_nondet_memory(to, n);
  return (ptrdiff_t)n;
}

MODEL ptrdiff_t recvfrom(int fd, void *restrict to, size_t size, int flags, void *restrict address, unsigned *restrict length) {
  (void)fd, (void)flags;
  ptrdiff_t n = lariat_sockets_receive(to, size);
  if (n >= 0) lariat_sockets_answer(address, length, 128);
  return n;
}

MODEL ptrdiff_t pread(int fd, void *to, size_t size, long offset) {
  (void)fd, (void)offset;
  return lariat_sockets_receive(to, size);
}

MODEL ptrdiff_t pread64(int fd, void *to, size_t size, long long offset) {
  (void)fd, (void)offset;
  return lariat_sockets_receive(to, size);
}

/* Blocks are filled one after the other. */
struct lariat_iovec {
  void *to;
  size_t size;
};

MODEL ptrdiff_t readv(int fd, const struct lariat_iovec *blocks, int count) {
  (void)fd;
  if (count < 0 || __VERIFIER_nondet_bool()) return lariat_sockets_failed();
  ptrdiff_t all = 0;
  for (int i = 0; i < count; i++) {
    size_t n = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(n <= blocks[i].size && n <= (size_t)(LONG_MAX - all));
    __VERIFIER_nondet_memory(blocks[i].to, n);
    all += (ptrdiff_t)n;
    if (n < blocks[i].size) break;
  }
  return all;
}

static int lariat_sockets_pair(int fds[2]) {
  if (__VERIFIER_nondet_bool()) return lariat_sockets_failed();
  int one = __VERIFIER_nondet_int(), other = __VERIFIER_nondet_int();
  __VERIFIER_assume(one >= 0 && other >= 0 && one != other);
  fds[0] = one;
  fds[1] = other;
  return 0;
}

MODEL int socketpair(int domain, int type, int protocol, int fds[2]) {
  (void)domain, (void)type, (void)protocol;
  return lariat_sockets_pair(fds);
}

MODEL int pipe2(int fds[2], int flags) {
  (void)flags;
  return lariat_sockets_pair(fds);
}
