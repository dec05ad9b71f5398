/* time.h: the time zone. Which one it is, is not known before somebody asks; until then it is that of the start. */

static char lariat_zone_gmt[] = "GMT";
MODEL char *tzname[2] = {lariat_zone_gmt, lariat_zone_gmt};
MODEL int daylight;
MODEL long timezone;
static _Bool lariat_zone_known;

/* Three to six characters, at least: POSIX asks for three. */
static char *lariat_zone_name(void) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n >= 3 && n < 16);
  char *name = __lariat_outside(n + 1);
  name[n] = 0;
  __lariat_unknown_string(name, n);
  return name;
}

static void lariat_zone_set(void) {
  if (lariat_zone_known) return;
  lariat_zone_known = 1;
  tzname[0] = lariat_zone_name();
  tzname[1] = lariat_zone_name();
  daylight = __VERIFIER_nondet_bool();
  timezone = __VERIFIER_nondet_int();
  __VERIFIER_assume(timezone > -100000 && timezone < 100000);
}

/* The environment may have changed. */
MODEL void tzset(void) {
  lariat_zone_known = 0;
  lariat_zone_set();
}
