/* unistd.h, stdlib.h, stdio.h: names of files that the system makes: any text that fits. */

enum { LARIAT_PATH_MAX = 4096 };

static void *lariat_paths_failed(int code) {
  *__errno_location() = code;
  return NULL;
}

static void *lariat_paths_any_failure(void) {
  __lariat_set_errno(1);
  return NULL;
}

/* Any text of this length, at most, and not empty. */
static char *lariat_paths_text(char *to, size_t n) {
  __VERIFIER_nondet_memory(to, n);
  to[n] = 0;
  __VERIFIER_assume(to[0] != 0);
  return to;
}

static size_t lariat_paths_length(void) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n > 0 && n < LARIAT_PATH_MAX);
  return n;
}

/* Without a place for it, the library allocates one: as large as it is said to be, or as is needed. */
MODEL char *getcwd(char *to, size_t size) {
  if (to && size == 0) return lariat_paths_failed(22);
  if (__VERIFIER_nondet_bool()) return lariat_paths_any_failure();
  size_t n = lariat_paths_length();
  if (size && n >= size) return lariat_paths_failed(34);
  if (!to && size > LARIAT_LARGEST) return lariat_paths_failed(12);
  if (!to) to = malloc(size ? size : n + 1);
  return to ? lariat_paths_text(to, n) : NULL;
}

MODEL char *get_current_dir_name(void) {
  if (__VERIFIER_nondet_bool()) return lariat_paths_any_failure();
  size_t n = lariat_paths_length();
  char *to = malloc(n + 1);
  return to ? lariat_paths_text(to, n) : NULL;
}

MODEL char *getwd(char *to) {
  if (__VERIFIER_nondet_bool()) return lariat_paths_any_failure();
  return lariat_paths_text(to, lariat_paths_length());
}

/* There is no terminator. */
static ptrdiff_t lariat_paths_link(char *to, size_t size) {
  if (size == 0 || __VERIFIER_nondet_bool()) {
    __lariat_set_errno(1);
    return -1;
  }
  size_t n = lariat_paths_length();
  if (n > size) n = size;
  __VERIFIER_nondet_memory(to, n);
  return (ptrdiff_t)n;
}

MODEL ptrdiff_t readlink(const char *restrict path, char *restrict to, size_t size) {
  (void)path;
  return lariat_paths_link(to, size);
}

MODEL ptrdiff_t readlinkat(int fd, const char *restrict path, char *restrict to, size_t size) {
  (void)fd, (void)path;
  return lariat_paths_link(to, size);
}

MODEL char *realpath(const char *restrict path, char *restrict to) {
  if (!path) return lariat_paths_failed(22);
  if (__VERIFIER_nondet_bool()) {
    /* Where it failed. */
    if (to) lariat_paths_text(to, lariat_paths_length());
    return lariat_paths_any_failure();
  }
  size_t n = lariat_paths_length();
  if (!to) to = malloc(n + 1);
  return to ? lariat_paths_text(to, n) : NULL;
}

/* The six X before the suffix become letters and digits. */
static _Bool lariat_paths_unique(char *name, int suffix) {
  size_t n = 0;
  while (name[n]) n++;
  _Bool fits = suffix >= 0 && n >= (size_t)suffix + 6;
  for (int i = 1; i <= 6 && fits; i++) fits = name[n - (size_t)suffix - (size_t)i] == 'X';
  if (!fits) {
    *__errno_location() = 22;
    return 0;
  }
  char *place = name + (n - (size_t)suffix - 6);
  for (int i = 0; i < 6; i++) {
    char c = __VERIFIER_nondet_char();
    __VERIFIER_assume((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
    place[i] = c;
  }
  return 1;
}

static int lariat_paths_file(char *name, int suffix) {
  if (!lariat_paths_unique(name, suffix)) return -1;
  int fd = __VERIFIER_nondet_int();
  if (fd >= 0) return fd;
  __lariat_set_errno(1);
  return -1;
}

MODEL int mkstemp(char *name) { return lariat_paths_file(name, 0); }
MODEL int mkstemp64(char *name) { return lariat_paths_file(name, 0); }

MODEL int mkostemp(char *name, int flags) {
  (void)flags;
  return lariat_paths_file(name, 0);
}

MODEL int mkostemp64(char *name, int flags) {
  (void)flags;
  return lariat_paths_file(name, 0);
}

MODEL int mkstemps(char *name, int suffix) { return lariat_paths_file(name, suffix); }
MODEL int mkstemps64(char *name, int suffix) { return lariat_paths_file(name, suffix); }

MODEL char *mkdtemp(char *name) {
  if (!lariat_paths_unique(name, 0)) return NULL;
  return __VERIFIER_nondet_bool() ? name : lariat_paths_any_failure();
}

/* Where there is no such name, it becomes empty. */
MODEL char *mktemp(char *name) {
  if (!lariat_paths_unique(name, 0) || __VERIFIER_nondet_bool()) name[0] = 0;
  return name;
}

MODEL char *tmpnam(char *to) {
  static char own[20];
  if (__VERIFIER_nondet_bool()) return NULL;
  return lariat_paths_text(to ? to : own, 19);
}

MODEL char *tempnam(const char *directory, const char *prefix) {
  (void)directory, (void)prefix;
  if (__VERIFIER_nondet_bool()) return lariat_paths_any_failure();
  size_t n = lariat_paths_length();
  char *to = malloc(n + 1);
  return to ? lariat_paths_text(to, n) : NULL;
}
