/* poll.h, sys/select.h: which descriptors are ready: any of those that are asked for, or an error. */

static int lariat_poll_failed(void) {
  __lariat_set_errno(1);
  return -1;
}

struct lariat_pollfd {
  int fd;
  short events, revents;
};

/* Without a limit of time, something has happened. Errors and ends are reported without being asked for. */
static int lariat_poll(struct lariat_pollfd *all, unsigned long n, _Bool forever) {
  LARIAT_BLOCK(0, n * sizeof *all);
  if (__VERIFIER_nondet_bool()) return lariat_poll_failed();
  int ready = 0;
  for (unsigned long i = 0; i < n; i++) {
    short happened = __VERIFIER_nondet_short();
    __VERIFIER_assume((happened & ~(all[i].events | 0x38)) == 0 && (all[i].fd >= 0 || happened == 0));
    all[i].revents = happened;
    if (happened) ready++;
  }
  __VERIFIER_assume(ready > 0 || !forever);
  return ready;
}

MODEL int poll(struct lariat_pollfd *all, unsigned long n, int timeout) { return lariat_poll(all, n, timeout < 0); }

MODEL int __poll_chk(struct lariat_pollfd *all, unsigned long n, int timeout, size_t room) {
  (void)room;
  return lariat_poll(all, n, timeout < 0);
}

struct lariat_poll_time { long sec, part; };

MODEL int ppoll(struct lariat_pollfd *all, unsigned long n, const struct lariat_poll_time *timeout, const void *mask) {
  (void)mask;
  if (timeout) (void)*(const volatile long *)&timeout->sec;
  return lariat_poll(all, n, !timeout);
}

/* Sets of 1024 descriptors: of the first `n`, some of those that are in it stay. Returns how many. */
static int lariat_poll_some(unsigned long *set, int n) {
  int bits = 8 * (int)sizeof *set, ready = 0;
  if (!set) return 0;
  for (int i = 0; i * bits < n && i < 1024 / bits; i++) {
    unsigned long kept = __VERIFIER_nondet_ulong() & set[i];
    if (n - i * bits < bits) kept &= (1ul << (n - i * bits)) - 1;
    set[i] = kept;
    ready += __builtin_popcountl(kept);
  }
  return ready;
}

static int lariat_poll_select(int n, unsigned long *in, unsigned long *out, unsigned long *error, _Bool forever) {
  if (n < 0) {
    *__errno_location() = 22;
    return -1;
  }
  if (__VERIFIER_nondet_bool()) return lariat_poll_failed();
  int ready = lariat_poll_some(in, n) + lariat_poll_some(out, n) + lariat_poll_some(error, n);
  __VERIFIER_assume(ready > 0 || !forever);
  return ready;
}

/* The time that is left is stored, as Linux does it. */
MODEL int select(int n, unsigned long *in, unsigned long *out, unsigned long *error, struct lariat_poll_time *timeout) {
  if (timeout && (timeout->sec < 0 || timeout->part < 0)) {
    *__errno_location() = 22;
    return -1;
  }
  int ready = lariat_poll_select(n, in, out, error, !timeout);
  if (timeout) {
    long sec = __VERIFIER_nondet_long(), part = __VERIFIER_nondet_long();
    __VERIFIER_assume(sec >= 0 && (sec <= timeout->sec || timeout->part >= 1000000) && part >= 0 && part < 1000000);
    timeout->sec = sec;
    timeout->part = part;
  }
  return ready;
}

MODEL int pselect(int n, unsigned long *in, unsigned long *out, unsigned long *error, const struct lariat_poll_time *timeout,
                  const void *mask) {
  (void)mask;
  if (timeout) (void)*(const volatile long *)&timeout->sec;
  return lariat_poll_select(n, in, out, error, !timeout);
}
