/* stdio.h, unistd.h, sys/stat.h, sys/socket.h: what succeeds or fails, without any other effect that a program sees. */

static int lariat_status_failed(int result) {
  int code = __VERIFIER_nondet_int();
  __VERIFIER_assume(code > 0 && code < 134);
  *__errno_location() = code;
  return result;
}

#define LARIAT_UNUSED __attribute__((unused))

/* 0, or -1 and an error. */
#define LARIAT_STATUS(name, ...) \
  MODEL int name(__VA_ARGS__) { return __VERIFIER_nondet_bool() ? 0 : lariat_status_failed(-1); }

LARIAT_STATUS(fsync, LARIAT_UNUSED int fd)
LARIAT_STATUS(fdatasync, LARIAT_UNUSED int fd)
LARIAT_STATUS(fchmod, LARIAT_UNUSED int fd, LARIAT_UNUSED unsigned mode)
LARIAT_STATUS(fchown, LARIAT_UNUSED int fd, LARIAT_UNUSED unsigned user, LARIAT_UNUSED unsigned group)
LARIAT_STATUS(fchdir, LARIAT_UNUSED int fd)
LARIAT_STATUS(shutdown, LARIAT_UNUSED int fd, LARIAT_UNUSED int how)
LARIAT_STATUS(setsockopt, LARIAT_UNUSED int fd, LARIAT_UNUSED int level, LARIAT_UNUSED int name, LARIAT_UNUSED const void *value, LARIAT_UNUSED unsigned size)

/* The same, with a path. */
#define LARIAT_PATH(name, ...)                                                    \
  MODEL int name(const char *path, ##__VA_ARGS__) {                               \
    (void)*(const volatile char *)path;                                           \
    return __VERIFIER_nondet_bool() ? 0 : lariat_status_failed(-1);               \
  }

LARIAT_PATH(remove)
LARIAT_PATH(rmdir)
LARIAT_PATH(mkdir, LARIAT_UNUSED unsigned mode)
LARIAT_PATH(mkfifo, LARIAT_UNUSED unsigned mode)
LARIAT_PATH(chmod, LARIAT_UNUSED unsigned mode)
LARIAT_PATH(chown, LARIAT_UNUSED unsigned user, LARIAT_UNUSED unsigned group)
LARIAT_PATH(lchown, LARIAT_UNUSED unsigned user, LARIAT_UNUSED unsigned group)
LARIAT_PATH(chdir)
LARIAT_PATH(truncate, LARIAT_UNUSED long size)
LARIAT_PATH(link, LARIAT_UNUSED const char *other)
LARIAT_PATH(symlink, LARIAT_UNUSED const char *other)
LARIAT_PATH(rename, LARIAT_UNUSED const char *other)

/* A number that is not negative, or -1 and an error. */
MODEL long ftell(void *stream) {
  (void)stream;
  long at = __VERIFIER_nondet_long();
  return at < 0 ? lariat_status_failed(-1) : at;
}

MODEL long ftello(void *stream) {
  (void)stream;
  long at = __VERIFIER_nondet_long();
  return at < 0 ? lariat_status_failed(-1) : at;
}

MODEL int fileno(void *stream) {
  (void)stream;
  int fd = __VERIFIER_nondet_int();
  return fd < 0 ? lariat_status_failed(-1) : fd;
}

MODEL int fileno_unlocked(void *stream) {
  (void)stream;
  int fd = __VERIFIER_nondet_int();
  return fd < 0 ? lariat_status_failed(-1) : fd;
}

MODEL unsigned umask(unsigned mask) {
  static unsigned current;
  static _Bool known;
  unsigned old = known ? current : __VERIFIER_nondet_uint() & 0777;
  current = mask & 0777;
  known = 1;
  return old;
}

MODEL long clock(void) {
  long now = __VERIFIER_nondet_long();
  __VERIFIER_assume(now >= -1);
  return now;
}
