/* time.h: dates in the time zone of the machine, of which nothing is known: any date. */

static void lariat_local_fill(struct lariat_date *to) {
  lariat_zone_set();
  __VERIFIER_nondet_memory(to, __builtin_offsetof(struct lariat_date, tm_zone));
  __VERIFIER_assume(to->tm_sec >= 0 && to->tm_sec <= 60 && to->tm_min >= 0 && to->tm_min < 60 &&
                    to->tm_hour >= 0 && to->tm_hour < 24 && to->tm_mday >= 1 && to->tm_mday <= 31 &&
                    to->tm_mon >= 0 && to->tm_mon < 12 && to->tm_wday >= 0 && to->tm_wday < 7 &&
                    to->tm_yday >= 0 && to->tm_yday < 366 && to->tm_isdst >= 0 && to->tm_isdst <= 1 &&
                    to->tm_gmtoff > -100000 && to->tm_gmtoff < 100000);
  to->tm_zone = tzname[to->tm_isdst];
}

/* Fails only where the year does not fit. */
static struct lariat_date *lariat_local_time(const long *at, struct lariat_date *to) {
  long long seconds = *at, most = 67767976233532799;
  if ((seconds > most || seconds < -most) && __VERIFIER_nondet_bool()) {
    *__errno_location() = 75;
    return NULL;
  }
  lariat_local_fill(to);
  /* What the clock can say is between 1970 and 2262. */
  if (seconds >= 0 && seconds <= 9223372036) __VERIFIER_assume(to->tm_year >= 69 && to->tm_year <= 363);
  return to;
}

MODEL struct lariat_date *localtime(const long *at) { return lariat_local_time(at, &lariat_calendar_shared); }

MODEL struct lariat_date *localtime_r(const long *restrict at, struct lariat_date *restrict to) {
  return lariat_local_time(at, to);
}

static long lariat_local_number(struct lariat_date *at) {
  (void)*(const volatile int *)&at->tm_sec;
  if (__VERIFIER_nondet_bool()) {
    *__errno_location() = 75;
    return -1;
  }
  lariat_local_fill(at);
  return __VERIFIER_nondet_long();
}

MODEL long mktime(struct lariat_date *at) { return lariat_local_number(at); }
MODEL long timelocal(struct lariat_date *at) { return lariat_local_number(at); }

MODEL char *ctime(const long *at) {
  struct lariat_date *date = lariat_local_time(at, &lariat_calendar_shared);
  return date ? lariat_calendar_line(date, lariat_calendar_shared_line, sizeof lariat_calendar_shared_line) : NULL;
}

MODEL char *ctime_r(const long *restrict at, char *restrict to) {
  struct lariat_date date;
  return lariat_local_time(at, &date) ? lariat_calendar_line(&date, to, 26) : NULL;
}
