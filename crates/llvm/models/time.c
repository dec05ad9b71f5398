/* time.h, sys/time.h: any time. */

typedef long lariat_time_t;

struct lariat_tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

struct lariat_timespec {
  lariat_time_t tv_sec;
  long tv_nsec;
};

struct lariat_timeval {
  lariat_time_t tv_sec;
  long tv_usec;
};

MODEL lariat_time_t time(lariat_time_t *to) {
  lariat_time_t now = __VERIFIER_nondet_long();
  if (to) *to = now;
  return now;
}

static void lariat_time_fill(struct lariat_tm *to) {
  to->tm_sec = __VERIFIER_nondet_int();
  to->tm_min = __VERIFIER_nondet_int();
  to->tm_hour = __VERIFIER_nondet_int();
  to->tm_mday = __VERIFIER_nondet_int();
  to->tm_mon = __VERIFIER_nondet_int();
  to->tm_year = __VERIFIER_nondet_int();
  to->tm_wday = __VERIFIER_nondet_int();
  to->tm_yday = __VERIFIER_nondet_int();
  to->tm_isdst = __VERIFIER_nondet_int();
  to->tm_gmtoff = __VERIFIER_nondet_int();
  to->tm_zone = "UTC";
  __VERIFIER_assume(to->tm_sec >= 0 && to->tm_sec <= 60 && to->tm_min >= 0 && to->tm_min < 60 &&
                    to->tm_hour >= 0 && to->tm_hour < 24 && to->tm_mday >= 1 && to->tm_mday <= 31 &&
                    to->tm_mon >= 0 && to->tm_mon < 12 && to->tm_wday >= 0 && to->tm_wday < 7 &&
                    to->tm_yday >= 0 && to->tm_yday < 366 && to->tm_isdst >= -1 && to->tm_isdst <= 1);
}

static struct lariat_tm lariat_time_shared;

static struct lariat_tm *lariat_time_broken(struct lariat_tm *to) {
  if (__VERIFIER_nondet_bool()) {
    __lariat_set_errno(1);
    return NULL;
  }
  lariat_time_fill(to);
  return to;
}

MODEL struct lariat_tm *localtime(const lariat_time_t *at) {
  (void)*at;
  return lariat_time_broken(&lariat_time_shared);
}

MODEL struct lariat_tm *gmtime(const lariat_time_t *at) {
  (void)*at;
  return lariat_time_broken(&lariat_time_shared);
}

MODEL struct lariat_tm *localtime_r(const lariat_time_t *restrict at, struct lariat_tm *restrict to) {
  (void)*at;
  return lariat_time_broken(to);
}

MODEL struct lariat_tm *gmtime_r(const lariat_time_t *restrict at, struct lariat_tm *restrict to) {
  (void)*at;
  return lariat_time_broken(to);
}

static lariat_time_t lariat_time_number(struct lariat_tm *at) {
  if (__VERIFIER_nondet_bool()) {
    __lariat_set_errno(1);
    return -1;
  }
  lariat_time_fill(at);
  return __VERIFIER_nondet_long();
}

MODEL lariat_time_t mktime(struct lariat_tm *at) { return lariat_time_number(at); }
MODEL lariat_time_t timegm(struct lariat_tm *at) { return lariat_time_number(at); }
MODEL lariat_time_t timelocal(struct lariat_tm *at) { return lariat_time_number(at); }

MODEL int gettimeofday(struct lariat_timeval *restrict to, void *restrict zone) {
  (void)zone;
  to->tv_sec = __VERIFIER_nondet_long();
  to->tv_usec = __VERIFIER_nondet_long();
  __VERIFIER_assume(to->tv_usec >= 0 && to->tv_usec < 1000000);
  return 0;
}

static void lariat_time_any(struct lariat_timespec *to) {
  to->tv_sec = __VERIFIER_nondet_long();
  to->tv_nsec = __VERIFIER_nondet_long();
  __VERIFIER_assume(to->tv_nsec >= 0 && to->tv_nsec < 1000000000);
}

MODEL int clock_gettime(int clock, struct lariat_timespec *to) {
  (void)clock;
  if (__VERIFIER_nondet_bool()) {
    __lariat_set_errno(1);
    return -1;
  }
  lariat_time_any(to);
  return 0;
}

MODEL int clock_getres(int clock, struct lariat_timespec *to) {
  (void)clock;
  if (__VERIFIER_nondet_bool()) {
    __lariat_set_errno(1);
    return -1;
  }
  if (to) {
    lariat_time_any(to);
    __VERIFIER_assume(to->tv_sec >= 0);
  }
  return 0;
}

MODEL int timespec_get(struct lariat_timespec *to, int base) {
  if (base <= 0 || __VERIFIER_nondet_bool()) return 0;
  lariat_time_any(to);
  return base;
}

MODEL int timespec_getres(struct lariat_timespec *to, int base) {
  if (base <= 0 || __VERIFIER_nondet_bool()) return 0;
  if (to) {
    lariat_time_any(to);
    __VERIFIER_assume(to->tv_sec >= 0);
  }
  return base;
}

MODEL int nanosleep(const struct lariat_timespec *asked, struct lariat_timespec *left) {
  if (!__VERIFIER_nondet_bool()) return 0;
  __lariat_set_errno(1);
  if (left) {
    left->tv_sec = __VERIFIER_nondet_long();
    left->tv_nsec = __VERIFIER_nondet_long();
    __VERIFIER_assume(left->tv_sec >= 0 && left->tv_sec <= asked->tv_sec && left->tv_nsec >= 0 &&
                      left->tv_nsec < 1000000000);
  }
  return -1;
}

MODEL double difftime(lariat_time_t end, lariat_time_t start) { return (double)end - (double)start; }
