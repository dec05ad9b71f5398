/* unistd.h, sys/utsname.h, sys/sysinfo.h, sys/statvfs.h, sys/vfs.h, malloc.h: what is asked of the system: any answer of the right
   form, or an error. */

static int lariat_system_failed(void) {
  __lariat_set_errno(1);
  return -1;
}

/* Any text, in an array of so many bytes. */
static void lariat_system_text(char *to, size_t size) {
  __VERIFIER_nondet_memory(to, size);
  to[size - 1] = 0;
}

/* At most 64 characters. Where it does not fit, the text may have no terminator. */
static int lariat_system_name(char *to, size_t size) {
  LARIAT_BLOCK(0, size < 65 ? size : 65);
  if (__VERIFIER_nondet_bool()) {
    __VERIFIER_nondet_memory(to, size < 64 ? size : 64);
    return lariat_system_failed();
  }
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n <= 64);
  if (n >= size) return lariat_system_failed();
  __VERIFIER_nondet_memory(to, n);
  to[n] = 0;
  return 0;
}

MODEL int gethostname(char *to, size_t size) { return lariat_system_name(to, size); }
MODEL int getdomainname(char *to, size_t size) { return lariat_system_name(to, size); }

static int lariat_system_code(char *to, size_t size, int argument) {
  LARIAT_BLOCK(argument, size);
  if (size == 0 || __VERIFIER_nondet_bool()) {
    int code = __VERIFIER_nondet_int();
    __VERIFIER_assume(code > 0 && code < 134);
    return code;
  }
  lariat_system_text(to, size);
  return 0;
}

MODEL int getlogin_r(char *to, size_t size) { return lariat_system_code(to, size, 0); }

MODEL int ttyname_r(int fd, char *to, size_t size) {
  (void)fd;
  return lariat_system_code(to, size, 1);
}

struct lariat_utsname { char system[65], node[65], release[65], version[65], machine[65], domain[65]; };

MODEL int uname(struct lariat_utsname *to) {
  if (__VERIFIER_nondet_bool()) return lariat_system_failed();
  lariat_system_text(to->system, 65);
  lariat_system_text(to->node, 65);
  lariat_system_text(to->release, 65);
  lariat_system_text(to->version, 65);
  lariat_system_text(to->machine, 65);
  lariat_system_text(to->domain, 65);
  return 0;
}

static int lariat_system_any(void *to, size_t size) {
  if (__VERIFIER_nondet_bool()) return lariat_system_failed();
  __VERIFIER_nondet_memory(to, size);
  return 0;
}

#if __LP64__
enum { LARIAT_SYSINFO = 112, LARIAT_STATVFS = 112, LARIAT_STATFS = 120 };
#else
enum { LARIAT_SYSINFO = 64, LARIAT_STATVFS = 72, LARIAT_STATFS = 64 };
#endif

MODEL int sysinfo(void *to) { return lariat_system_any(to, LARIAT_SYSINFO); }

MODEL int statvfs(const char *restrict path, void *restrict to) {
  (void)path;
  return lariat_system_any(to, LARIAT_STATVFS);
}

MODEL int fstatvfs(int fd, void *to) {
  (void)fd;
  return lariat_system_any(to, LARIAT_STATVFS);
}

MODEL int statfs(const char *path, void *to) {
  (void)path;
  return lariat_system_any(to, LARIAT_STATFS);
}

MODEL int fstatfs(int fd, void *to) {
  (void)fd;
  return lariat_system_any(to, LARIAT_STATFS);
}

/* How many groups there are, or those that there are. */
MODEL int getgroups(int room, unsigned *to) {
  if (room < 0 || __VERIFIER_nondet_bool()) return lariat_system_failed();
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n <= 65536);
  if (room == 0) return n;
  if (n > room) return lariat_system_failed();
  __VERIFIER_nondet_memory(to, (size_t)n * sizeof *to);
  return n;
}

MODEL int getloadavg(double *to, int n) {
  if (__VERIFIER_nondet_bool()) return -1;
  if (n > 3) n = 3;
  for (int i = 0; i < n; i++) {
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= 0 && x < 1e9);
    to[i] = x;
  }
  return n;
}

/* At least as large as it was asked for. What is beyond belongs to nobody. */
MODEL size_t malloc_usable_size(void *block) {
  if (!block) return 0;
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n >= __lariat_room(block) && n <= LARIAT_LARGEST);
  return n;
}

/* What is typed: at most a line. */
MODEL char *getpass(const char *prompt) {
  (void)prompt;
  if (__VERIFIER_nondet_bool()) {
    __lariat_set_errno(1);
    return NULL;
  }
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 4096);
  char *text = __lariat_outside(n + 1);
  text[n] = 0;
  return text;
}

/* unistd.h: limits of the system. */
MODEL long sysconf(int name) {
  long n = __VERIFIER_nondet_long();
  switch (name) {
    case 2: return 100;   /* _SC_CLK_TCK */
    case 30: return 4096; /* _SC_PAGESIZE */
    case 180: return 64;  /* _SC_HOST_NAME_MAX */
    case 83:              /* _SC_NPROCESSORS_CONF, _SC_NPROCESSORS_ONLN, _SC_PHYS_PAGES */
    case 84:
    case 85: __VERIFIER_assume(n >= 1); return n;
    case 86: __VERIFIER_assume(n >= 0); return n; /* _SC_AVPHYS_PAGES */
    case 0:                                       /* _SC_ARG_MAX, _SC_CHILD_MAX, _SC_OPEN_MAX: -1 if there is no limit */
    case 1:
    case 4: __VERIFIER_assume(n == -1 || n >= 1); return n;
    default: break;
  }
  __lariat_approximate("this limit of sysconf");
  __VERIFIER_assume(n >= -1);
  return n;
}

/* Whether there is a shell; or the status of the command, or -1. */
MODEL int system(const char *command) {
  if (!command) return __VERIFIER_nondet_bool();
  int status = __VERIFIER_nondet_int();
  __VERIFIER_assume(status >= -1 && status <= 0xffff);
  __lariat_set_errno(status == -1);
  return status;
}
