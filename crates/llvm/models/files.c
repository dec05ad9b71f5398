/* sys/stat.h, fcntl.h, sys/ioctl.h, termios.h, unistd.h: what is asked of files and terminals. Every operation may
   fail. */

static int lariat_files_failed(void) {
  int code = __VERIFIER_nondet_int();
  __VERIFIER_assume(code > 0 && code < 134);
  *__errno_location() = code;
  return -1;
}

/* No descriptor is negative: -1 and EBADF then. */
static _Bool lariat_files_bad(int fd) {
  if (fd < 0) *__errno_location() = 9;
  return fd < 0;
}

static int lariat_files_status(void) { return __VERIFIER_nondet_bool() ? 0 : lariat_files_failed(); }

struct lariat_files_time { long sec, nsec; };

/* `struct stat` of this data model. */
#if __LP64__
struct lariat_stat {
  unsigned long dev, ino, nlink;
  unsigned mode, uid, gid, pad;
  unsigned long rdev;
  long size, blksize, blocks;
  struct lariat_files_time atime, mtime, ctime;
  long reserved[3];
};
#define lariat_stat64 lariat_stat
#else
struct lariat_stat {
  unsigned long long dev;
  unsigned short pad1;
  unsigned long ino;
  unsigned mode;
  unsigned nlink, uid, gid;
  unsigned long long rdev;
  unsigned short pad2;
  long size, blksize, blocks;
  struct lariat_files_time atime, mtime, ctime;
  unsigned long reserved[2];
};
struct lariat_stat64 {
  unsigned long long dev;
  unsigned pad1;
  unsigned long ino;
  unsigned mode;
  unsigned nlink, uid, gid;
  unsigned long long rdev;
  unsigned pad2;
  long long size;
  long blksize;
  long long blocks;
  struct lariat_files_time atime, mtime, ctime;
  unsigned long long ino64;
};
#endif

static _Bool lariat_files_is_time(struct lariat_files_time at) { return at.nsec >= 0 && at.nsec < 1000000000; }

#define LARIAT_STAT(suffix)                                                                        \
  static int lariat_files_stat##suffix(struct lariat_stat##suffix *to) {                           \
    if (__VERIFIER_nondet_bool()) return lariat_files_failed();                                    \
    __VERIFIER_nondet_memory(to, sizeof *to);                                                      \
    __VERIFIER_assume(to->size >= 0 && to->blksize > 0 && to->blocks >= 0 && to->mode < 0x10000 && \
                      lariat_files_is_time(to->atime) && lariat_files_is_time(to->mtime) &&        \
                      lariat_files_is_time(to->ctime));                                            \
    return 0;                                                                                      \
  }                                                                                                \
  MODEL int stat##suffix(const char *restrict path, struct lariat_stat##suffix *restrict to) {     \
    (void)path;                                                            \
    return lariat_files_stat##suffix(to);                                                          \
  }                                                                                                \
  MODEL int lstat##suffix(const char *restrict path, struct lariat_stat##suffix *restrict to) {    \
    (void)path;                                                            \
    return lariat_files_stat##suffix(to);                                                          \
  }                                                                                                \
  MODEL int fstat##suffix(int fd, struct lariat_stat##suffix *to) {                                \
    return lariat_files_bad(fd) ? -1 : lariat_files_stat##suffix(to);                              \
  }                                                                                                \
  MODEL int fstatat##suffix(int fd, const char *restrict path, struct lariat_stat##suffix *restrict to, int flags) { \
    (void)fd, (void)path, (void)flags;                                     \
    return lariat_files_stat##suffix(to);                                                          \
  }

LARIAT_STAT()
LARIAT_STAT(64)

/* The names of older headers. */
MODEL int __xstat(int version, const char *path, struct lariat_stat *to) {
  (void)version, (void)path;
  return lariat_files_stat(to);
}

MODEL int __lxstat(int version, const char *path, struct lariat_stat *to) {
  (void)version, (void)path;
  return lariat_files_stat(to);
}

MODEL int __fxstat(int version, int fd, struct lariat_stat *to) {
  (void)version;
  return lariat_files_bad(fd) ? -1 : lariat_files_stat(to);
}

/* Descriptors. Of what has an effect on memory, only the commands that are named here are covered. */
static int lariat_files_fcntl(int command, int argument, void *lock) {
  switch (command) {
    case 0:      /* F_DUPFD */
    case 1030: { /* F_DUPFD_CLOEXEC */
      int fd = __VERIFIER_nondet_int();
      if (fd < 0) return lariat_files_failed();
      __VERIFIER_assume(fd >= argument);
      return fd;
    }
    case 1: /* F_GETFD */
      return __VERIFIER_nondet_bool() ? __VERIFIER_nondet_bool() : lariat_files_failed();
    case 3: { /* F_GETFL */
      int flags = __VERIFIER_nondet_int();
      return flags < 0 ? lariat_files_failed() : flags;
    }
    case 2:  /* F_SETFD */
    case 4:  /* F_SETFL */
    case 8:  /* F_SETOWN */
    case 10: /* F_SETSIG */
      return lariat_files_status();
    case 9: { /* F_GETOWN: negative for a group of processes */
      int owner = __VERIFIER_nondet_int();
      if (owner == -1) return lariat_files_failed();
      return owner;
    }
    case 5: /* F_GETLK */
      if (__VERIFIER_nondet_bool()) return lariat_files_failed();
      __VERIFIER_nondet_memory(lock, 2 * sizeof(short));
      __VERIFIER_nondet_memory((char *)lock + sizeof(long), 2 * sizeof(long) + sizeof(int));
      return 0;
    case 6: /* F_SETLK */
    case 7: /* F_SETLKW */
      return lariat_files_status();
    default:
      __lariat_unsupported("this command of fcntl");
      return -1;
  }
}

#define LARIAT_FCNTL(name)                                                          \
  MODEL int name(int fd, int command, ...) {                                        \
    if (lariat_files_bad(fd)) return -1;                                            \
    __builtin_va_list args;                                                         \
    __builtin_va_start(args, command);                                              \
    int argument = command == 0 || command == 1030 ? __builtin_va_arg(args, int) : 0; \
    void *lock = command >= 5 && command <= 7 ? __builtin_va_arg(args, void *) : NULL; \
    __builtin_va_end(args);                                                         \
    return lariat_files_fcntl(command, argument, lock);                             \
  }

LARIAT_FCNTL(fcntl)
LARIAT_FCNTL(fcntl64)

/* Terminals. */
struct lariat_termios {
  unsigned iflag, oflag, cflag, lflag;
  unsigned char line, characters[32];
  unsigned ispeed, ospeed;
};

MODEL int tcgetattr(int fd, struct lariat_termios *to) {
  if (lariat_files_bad(fd)) return -1;
  if (__VERIFIER_nondet_bool()) return lariat_files_failed();
  __VERIFIER_nondet_memory(to, sizeof *to);
  return 0;
}

MODEL int tcsetattr(int fd, int when, const struct lariat_termios *from) {
  (void)when, (void)*(const volatile unsigned *)&from->iflag;
  return lariat_files_bad(fd) ? -1 : lariat_files_status();
}

MODEL int isatty(int fd) {
  if (lariat_files_bad(fd)) return 0;
  if (__VERIFIER_nondet_bool()) return 1;
  (void)lariat_files_failed();
  return 0;
}

MODEL int ioctl(int fd, unsigned long request, ...) {
  size_t written = 0, read = 0;
  switch (request) {
    case 0x5401: written = 36; break; /* TCGETS */
    case 0x5402:                      /* TCSETS, TCSETSW, TCSETSF */
    case 0x5403:
    case 0x5404: read = 36; break;
    case 0x5413: written = 8; break; /* TIOCGWINSZ */
    case 0x5414: read = 8; break;    /* TIOCSWINSZ */
    case 0x540f:                     /* TIOCGPGRP */
    case 0x5411:                     /* TIOCOUTQ */
    case 0x541b: written = 4; break; /* FIONREAD */
    case 0x5410:                     /* TIOCSPGRP */
    case 0x5421: read = 4; break;    /* FIONBIO */
    case 0x5409:                     /* TCSBRK, TCXONC, TCFLSH, TIOCEXCL, TIOCNXCL, TIOCSCTTY, TIOCNOTTY */
    case 0x540a:
    case 0x540b:
    case 0x540c:
    case 0x540d:
    case 0x540e:
    case 0x5422:
    case 0x5450: /* FIONCLEX, FIOCLEX */
    case 0x5451: break;
    default: __lariat_unsupported("this request of ioctl"); return -1;
  }
  __builtin_va_list args;
  __builtin_va_start(args, request);
  char *argument = written || read ? __builtin_va_arg(args, char *) : NULL;
  __builtin_va_end(args);
  if (read) (void)*(const volatile char *)argument, (void)*(const volatile char *)(argument + read - 1);
  if (lariat_files_bad(fd)) return -1;
  if (__VERIFIER_nondet_bool()) return lariat_files_failed();
  if (written) __VERIFIER_nondet_memory(argument, written);
  return 0;
}
