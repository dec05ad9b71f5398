/* unistd.h, sys/types.h: who the process is. Numbers are any, and stay what they are. */

static int lariat_process;

static int lariat_process_own(void) {
  if (!lariat_process) {
    int pid = __VERIFIER_nondet_int();
    __VERIFIER_assume(pid > 0);
    lariat_process = pid;
  }
  return lariat_process;
}

MODEL int getpid(void) { return lariat_process_own(); }

/* The parent may end, and another process takes its place. */
MODEL int getppid(void) {
  int pid = __VERIFIER_nondet_int();
  __VERIFIER_assume(pid >= 0);
  return pid;
}

/* Users and groups: any, until they are set. */
enum { LARIAT_REAL_USER, LARIAT_EFFECTIVE_USER, LARIAT_REAL_GROUP, LARIAT_EFFECTIVE_GROUP, LARIAT_IDS };
static unsigned lariat_ids[LARIAT_IDS];
static _Bool lariat_ids_known[LARIAT_IDS];

static unsigned lariat_process_id(int kind) {
  if (!lariat_ids_known[kind]) {
    lariat_ids[kind] = __VERIFIER_nondet_uint();
    lariat_ids_known[kind] = 1;
  }
  return lariat_ids[kind];
}

static int lariat_process_failed(void) {
  *__errno_location() = __VERIFIER_nondet_bool() ? 1 : __VERIFIER_nondet_bool() ? 11 : 22;
  return -1;
}

/* Fails, or sets the effective one; whether the real one, too, depends on who the user is. */
static int lariat_process_set(int kind, unsigned id) {
  if (__VERIFIER_nondet_bool()) return lariat_process_failed();
  lariat_ids[kind + 1] = id;
  lariat_ids_known[kind + 1] = 1;
  if (__VERIFIER_nondet_bool()) {
    lariat_ids[kind] = id;
    lariat_ids_known[kind] = 1;
  }
  return 0;
}

MODEL unsigned getuid(void) { return lariat_process_id(LARIAT_REAL_USER); }
MODEL unsigned geteuid(void) { return lariat_process_id(LARIAT_EFFECTIVE_USER); }
MODEL unsigned getgid(void) { return lariat_process_id(LARIAT_REAL_GROUP); }
MODEL unsigned getegid(void) { return lariat_process_id(LARIAT_EFFECTIVE_GROUP); }
MODEL int setuid(unsigned id) { return lariat_process_set(LARIAT_REAL_USER, id); }
MODEL int setgid(unsigned id) { return lariat_process_set(LARIAT_REAL_GROUP, id); }
MODEL int seteuid(unsigned id) { return lariat_process_set(LARIAT_REAL_USER, id); }
MODEL int setegid(unsigned id) { return lariat_process_set(LARIAT_REAL_GROUP, id); }

/* Fails, or changes any of them. */
static int lariat_process_exchange(int kind) {
  if (__VERIFIER_nondet_bool()) return lariat_process_failed();
  lariat_ids_known[kind] = lariat_ids_known[kind + 1] = 0;
  return 0;
}

MODEL int setreuid(unsigned real, unsigned effective) {
  (void)real, (void)effective;
  return lariat_process_exchange(LARIAT_REAL_USER);
}

MODEL int setregid(unsigned real, unsigned effective) {
  (void)real, (void)effective;
  return lariat_process_exchange(LARIAT_REAL_GROUP);
}

MODEL int setresuid(unsigned real, unsigned effective, unsigned saved) {
  (void)real, (void)effective, (void)saved;
  return lariat_process_exchange(LARIAT_REAL_USER);
}

MODEL int setresgid(unsigned real, unsigned effective, unsigned saved) {
  (void)real, (void)effective, (void)saved;
  return lariat_process_exchange(LARIAT_REAL_GROUP);
}

/* The program goes on in another process. */
MODEL int daemon(int keep_directory, int keep_streams) {
  (void)keep_directory, (void)keep_streams;
  if (__VERIFIER_nondet_bool()) {
    __lariat_set_errno(1);
    return -1;
  }
  lariat_process = 0;
  return 0;
}
