/* unistd.h, sys/wait.h: processes. After a fork the program goes on twice: what is checked is checked in both. Children
   do anything, and end at any time. */

static int lariat_fork_failed(void) {
  __lariat_set_errno(1);
  return -1;
}

static int lariat_fork_number(void) {
  int pid = __VERIFIER_nondet_int();
  __VERIFIER_assume(pid > 0);
  return pid;
}

static int lariat_fork(void) {
  if (__VERIFIER_nondet_bool()) return lariat_fork_failed();
  if (__VERIFIER_nondet_bool()) {
    lariat_process = 0;
    return 0;
  }
  int own = lariat_process_own(), child = lariat_fork_number();
  __VERIFIER_assume(child != own);
  return child;
}

MODEL int fork(void) { return lariat_fork(); }
MODEL int vfork(void) { return lariat_fork(); }

/* What has become of a child: how it ended, was stopped or goes on. */
static void lariat_fork_status(int *status) {
  if (!status) return;
  int any = __VERIFIER_nondet_int();
  __VERIFIER_assume(any >= 0 && any <= 0xffff);
  *status = any;
}

static int lariat_fork_wait(int which, int *status, int options) {
  if (__VERIFIER_nondet_bool()) return lariat_fork_failed();
  if (options & 1 && __VERIFIER_nondet_bool()) return 0; /* WNOHANG */
  lariat_fork_status(status);
  return which > 0 ? which : lariat_fork_number();
}

struct lariat_usage {
  struct { long sec, usec; } user, system;
  long rest[14];
};

static void lariat_fork_usage(struct lariat_usage *usage) {
  if (!usage) return;
  __VERIFIER_nondet_memory(usage, sizeof *usage);
  __VERIFIER_assume(usage->user.sec >= 0 && usage->user.usec >= 0 && usage->user.usec < 1000000 && usage->system.sec >= 0 &&
                    usage->system.usec >= 0 && usage->system.usec < 1000000);
}

MODEL int wait(int *status) { return lariat_fork_wait(-1, status, 0); }
MODEL int waitpid(int which, int *status, int options) { return lariat_fork_wait(which, status, options); }

MODEL int wait3(int *status, int options, struct lariat_usage *usage) {
  int child = lariat_fork_wait(-1, status, options);
  if (child > 0) lariat_fork_usage(usage);
  return child;
}

MODEL int wait4(int which, int *status, int options, struct lariat_usage *usage) {
  int child = lariat_fork_wait(which, status, options);
  if (child > 0) lariat_fork_usage(usage);
  return child;
}

MODEL int getrusage(int who, struct lariat_usage *usage) {
  (void)who;
  if (__VERIFIER_nondet_bool()) return lariat_fork_failed();
  lariat_fork_usage(usage);
  return 0;
}

#define LARIAT_GETRLIMIT(suffix, type)                                        \
  MODEL int getrlimit##suffix(int what, type *limits) {                       \
    (void)what;                                                               \
    if (__VERIFIER_nondet_bool()) return lariat_fork_failed();                \
    __VERIFIER_nondet_memory(limits, 2 * sizeof *limits);                     \
    __VERIFIER_assume(limits[0] <= limits[1]);                                \
    return 0;                                                                 \
  }

LARIAT_GETRLIMIT(, unsigned long)
LARIAT_GETRLIMIT(64, unsigned long long)

/* Ticks of the clock. */
MODEL long times(long *used) {
  if (__VERIFIER_nondet_bool()) return lariat_fork_failed();
  if (!used) return __VERIFIER_nondet_long();
  __VERIFIER_nondet_memory(used, 4 * sizeof *used);
  __VERIFIER_assume(used[0] >= 0 && used[1] >= 0 && used[2] >= 0 && used[3] >= 0);
  return __VERIFIER_nondet_long();
}

/* Timers: what is left of them is any time; that they do not ring is what is assumed of signals. */
struct lariat_itimer { long numbers[4]; };

static void lariat_fork_timer(struct lariat_itimer *to) {
  __VERIFIER_nondet_memory(to, sizeof *to);
  for (int i = 0; i < 4; i++) __VERIFIER_assume(to->numbers[i] >= 0 && (i % 2 == 0 || to->numbers[i] < 1000000));
}

MODEL int getitimer(int which, struct lariat_itimer *to) {
  if (which < 0 || which > 2) {
    *__errno_location() = 22;
    return -1;
  }
  lariat_fork_timer(to);
  return 0;
}

MODEL int setitimer(int which, const struct lariat_itimer *restrict new, struct lariat_itimer *restrict old) {
  if (which < 0 || which > 2 || __VERIFIER_nondet_bool()) {
    *__errno_location() = 22;
    return -1;
  }
  if (new) (void)*(const volatile long *)&new->numbers[3];
  if (old) lariat_fork_timer(old);
  return 0;
}
