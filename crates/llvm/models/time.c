/* time.h, sys/time.h: any time of the clock. */

typedef long lariat_time_t;

struct lariat_timespec {
  lariat_time_t tv_sec;
  long tv_nsec;
};

struct lariat_timeval {
  lariat_time_t tv_sec;
  long tv_usec;
};

/* The clock of Linux does not go back beyond 1970, and ends with nanoseconds in 63 bits. */
static lariat_time_t lariat_time_now(void) {
  lariat_time_t now = __VERIFIER_nondet_long();
  __VERIFIER_assume(now >= 0 && (long long)now <= 9223372036);
  return now;
}

MODEL lariat_time_t time(lariat_time_t *to) {
  lariat_time_t now = __VERIFIER_nondet_bool() ? -1 : lariat_time_now();
  if (to) *to = now;
  return now;
}

/* Time that is used up is never given back; but a number of 32 bits starts again from the smallest one. */
static long lariat_time_used;
MODEL long clock(void) {
  long now = __VERIFIER_nondet_long();
  if (sizeof(long) > 4) {
    __VERIFIER_assume(now == -1 || now >= lariat_time_used);
    if (now != -1) lariat_time_used = now;
  }
  return now;
}

MODEL int gettimeofday(struct lariat_timeval *restrict to, void *restrict zone) {
  (void)zone;
  if (!to) return 0;
  to->tv_sec = lariat_time_now();
  to->tv_usec = __VERIFIER_nondet_long();
  __VERIFIER_assume(to->tv_usec >= 0 && to->tv_usec < 1000000);
  return 0;
}

static void lariat_time_fill(struct lariat_timespec *to) {
  to->tv_sec = lariat_time_now();
  to->tv_nsec = __VERIFIER_nondet_long();
  __VERIFIER_assume(to->tv_nsec >= 0 && to->tv_nsec < 1000000000);
}

static struct lariat_timespec lariat_time_last;

/* The clocks that every Linux has do not fail. */
MODEL int clock_gettime(int clock, struct lariat_timespec *to) {
  if ((clock < 0 || clock > 7) && __VERIFIER_nondet_bool()) {
    *__errno_location() = 22;
    return -1;
  }
  lariat_time_fill(to);
  /* CLOCK_MONOTONIC is not set back. */
  if (clock == 1) {
    __VERIFIER_assume(to->tv_sec > lariat_time_last.tv_sec ||
                      (to->tv_sec == lariat_time_last.tv_sec && to->tv_nsec >= lariat_time_last.tv_nsec));
    lariat_time_last = *to;
  }
  return 0;
}

MODEL int clock_getres(int clock, struct lariat_timespec *to) {
  if ((clock < 0 || clock > 7) && __VERIFIER_nondet_bool()) {
    *__errno_location() = 22;
    return -1;
  }
  if (to) lariat_time_fill(to);
  return 0;
}

MODEL int timespec_get(struct lariat_timespec *to, int base) {
  if (base != 1) return 0;
  lariat_time_fill(to);
  return base;
}

MODEL int timespec_getres(struct lariat_timespec *to, int base) {
  if (base != 1) return 0;
  if (to) lariat_time_fill(to);
  return base;
}

/* Is this no time that one can wait for? */
static _Bool lariat_time_invalid(const struct lariat_timespec *asked) {
  return asked->tv_sec < 0 || asked->tv_nsec < 0 || asked->tv_nsec >= 1000000000;
}

MODEL int nanosleep(const struct lariat_timespec *asked, struct lariat_timespec *left) {
  if (lariat_time_invalid(asked)) {
    *__errno_location() = 22;
    return -1;
  }
  if (!__VERIFIER_nondet_bool()) return 0;
  *__errno_location() = 4;
  if (left) {
    left->tv_sec = __VERIFIER_nondet_long();
    left->tv_nsec = __VERIFIER_nondet_long();
    __VERIFIER_assume(left->tv_sec >= 0 && left->tv_sec <= asked->tv_sec && left->tv_nsec >= 0 &&
                      left->tv_nsec < 1000000000);
  }
  return -1;
}

/* Returns the number of an error. */
MODEL int clock_nanosleep(int clock, int flags, const struct lariat_timespec *asked, struct lariat_timespec *left) {
  lariat_time_t sec = asked->tv_sec;
  _Bool real = clock == 0 || clock == 1; /* CLOCK_REALTIME, CLOCK_MONOTONIC */
  if (real && lariat_time_invalid(asked)) return 22;
  if (!__VERIFIER_nondet_bool()) return 0;
  if (!real && __VERIFIER_nondet_bool()) return __VERIFIER_nondet_bool() ? 22 : 95;
  if (left && !(flags & 1)) {
    lariat_time_fill(left);
    __VERIFIER_assume(left->tv_sec <= sec);
  }
  return 4;
}

MODEL double difftime(lariat_time_t end, lariat_time_t start) {
  if (end >= start) return (double)((unsigned long)end - (unsigned long)start);
  return -(double)((unsigned long)start - (unsigned long)end);
}
