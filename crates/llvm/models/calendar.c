/* time.h: dates as text, in the locale "C", and the calendar without a time zone: exact. */

struct lariat_date {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

static const char *const lariat_days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const lariat_months[] = {"January", "February", "March",     "April",   "May",      "June",
                                            "July",    "August",   "September", "October", "November", "December"};

/* Days since 1 January 1970 of a day of the Gregorian calendar; months from 0. The year starts in March, so that the
   day that is sometimes there is its last. */
static long long lariat_calendar_days(long long year, int month, long long day) {
  long long y = month < 2 ? year - 1 : year;
  int m = month < 2 ? month + 10 : month - 2;
  long long era = (y >= 0 ? y : y - 399) / 400;
  long long in_era = y - era * 400;
  long long in_year = (153 * m + 2) / 5 + day - 1;
  return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719468;
}

static _Bool lariat_calendar_leap(long long year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

/* Fills in the date; fails if the year does not fit. */
static _Bool lariat_calendar_fill(long long seconds, struct lariat_date *to) {
  long long days = seconds / 86400, rest = seconds % 86400;
  if (rest < 0) {
    rest += 86400;
    days--;
  }
  long long shifted = days + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  int in_era = (int)(shifted - era * 146097);
  int year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
  int in_year = in_era - (365 * year + year / 4 - year / 100), m = (5 * in_year + 2) / 153;
  long long whole = era * 400 + year + (m >= 10);
  if (whole - 1900 > INT_MAX || whole - 1900 < -(long long)INT_MAX - 1) return 0;
  to->tm_sec = (int)(rest % 60);
  to->tm_min = (int)(rest / 60 % 60);
  to->tm_hour = (int)(rest / 3600);
  to->tm_mday = in_year - (153 * m + 2) / 5 + 1;
  to->tm_mon = m < 10 ? m + 2 : m - 10;
  to->tm_year = (int)(whole - 1900);
  int week = (int)((days + 4) % 7);
  to->tm_wday = week < 0 ? week + 7 : week;
  to->tm_yday = (int)(days - lariat_calendar_days(whole, 0, 1));
  to->tm_isdst = 0;
  to->tm_gmtoff = 0;
  to->tm_zone = "GMT";
  return 1;
}

static struct lariat_date *lariat_calendar_gmtime(const long *at, struct lariat_date *to) {
  if (lariat_calendar_fill(*at, to)) return to;
  *__errno_location() = 75;
  return NULL;
}

static struct lariat_date lariat_calendar_shared;

MODEL struct lariat_date *gmtime(const long *at) { return lariat_calendar_gmtime(at, &lariat_calendar_shared); }

MODEL struct lariat_date *gmtime_r(const long *restrict at, struct lariat_date *restrict to) {
  return lariat_calendar_gmtime(at, to);
}

/* Fields may be out of their ranges. */
MODEL long timegm(struct lariat_date *at) {
  long long month = at->tm_mon, year = (long long)at->tm_year + 1900 + month / 12;
  month %= 12;
  if (month < 0) {
    month += 12;
    year--;
  }
  long long seconds = lariat_calendar_days(year, (int)month, 1) + at->tm_mday - 1;
  seconds = ((seconds * 24 + at->tm_hour) * 60 + at->tm_min) * 60 + at->tm_sec;
  if (sizeof(long) < 8 && (seconds > LONG_MAX || seconds < -(long long)LONG_MAX - 1)) {
    *__errno_location() = 75;
    return -1;
  }
  struct lariat_date date;
  if (!lariat_calendar_fill(seconds, &date)) {
    *__errno_location() = 75;
    return -1;
  }
  *at = date;
  return (long)seconds;
}

/* Text goes to `to` as long as there is room. */
struct lariat_page {
  char *to;
  size_t room, count;
};

static void lariat_calendar_put(struct lariat_page *page, char c) {
  if (page->count < page->room) page->to[page->count] = c;
  page->count++;
}

static void lariat_calendar_text(struct lariat_page *page, const char *s, size_t most) {
  for (size_t i = 0; i < most && s[i]; i++) lariat_calendar_put(page, s[i]);
}

/* A number of at least so many characters, filled up with `pad`, or not at all if that is 0. */
static void lariat_calendar_number(struct lariat_page *page, long long value, int width, char pad) {
  char digits[24];
  int n = 0;
  unsigned long long rest = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
  do {
    digits[n++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (value < 0 && pad == '0') lariat_calendar_put(page, '-');
  for (int i = n + (value < 0); pad && i < width; i++) lariat_calendar_put(page, pad);
  if (value < 0 && pad != '0') lariat_calendar_put(page, '-');
  while (n > 0) lariat_calendar_put(page, digits[--n]);
}

/* "Sun Sep 16 01:03:52 1973\n", with ??? for what is no day or month. */
static char *lariat_calendar_line(const struct lariat_date *at, char *to, size_t room) {
  struct lariat_page page = {to, room, 0};
  lariat_calendar_text(&page, at->tm_wday < 0 || at->tm_wday > 6 ? "???" : lariat_days[at->tm_wday], 3);
  lariat_calendar_put(&page, ' ');
  lariat_calendar_text(&page, at->tm_mon < 0 || at->tm_mon > 11 ? "???" : lariat_months[at->tm_mon], 3);
  lariat_calendar_number(&page, at->tm_mday, 3, ' ');
  lariat_calendar_put(&page, ' ');
  lariat_calendar_number(&page, at->tm_hour, 2, '0');
  lariat_calendar_put(&page, ':');
  lariat_calendar_number(&page, at->tm_min, 2, '0');
  lariat_calendar_put(&page, ':');
  lariat_calendar_number(&page, at->tm_sec, 2, '0');
  lariat_calendar_put(&page, ' ');
  lariat_calendar_number(&page, (long long)at->tm_year + 1900, 1, ' ');
  lariat_calendar_put(&page, '\n');
  lariat_calendar_put(&page, 0);
  if (page.count <= room) return to;
  *__errno_location() = 75;
  return NULL;
}

static char lariat_calendar_shared_line[115];

MODEL char *asctime(const struct lariat_date *at) {
  if (!at) {
    *__errno_location() = 22;
    return NULL;
  }
  return lariat_calendar_line(at, lariat_calendar_shared_line, sizeof lariat_calendar_shared_line);
}

/* C promises 26 characters, which no year beyond four digits fits. */
MODEL char *asctime_r(const struct lariat_date *restrict at, char *restrict to) {
  if (!at) {
    *__errno_location() = 22;
    return NULL;
  }
  return lariat_calendar_line(at, to, 26);
}

/* The number of the ISO week, and its year relative to that of the date. */
static int lariat_calendar_week(const struct lariat_date *at, int *years) {
  long long year = (long long)at->tm_year + 1900;
  *years = 0;
  /* Days since the Monday of week 1, which has the first Thursday. */
  int weekday = (at->tm_wday + 6) % 7;
  int start = at->tm_yday - weekday + 3;
  if (start < 0) {
    *years = -1;
    start += 365 + lariat_calendar_leap(year - 1);
  } else {
    int days = 365 + lariat_calendar_leap(year);
    if (start >= days) {
      *years = 1;
      start -= days;
    }
  }
  return start / 7 + 1;
}

static void lariat_calendar_format(struct lariat_page *page, const char *f, const struct lariat_date *at) {
  for (; *f; f++) {
    if (*f != '%') {
      lariat_calendar_put(page, *f);
      continue;
    }
    f++;
    char pad = -1;
    if (*f == '_' || *f == '-' || *f == '0') {
      pad = *f == '_' ? ' ' : *f == '-' ? 0 : '0';
      f++;
    }
    if (*f == '^' || *f == '#' || *f == '+' || (*f >= '0' && *f <= '9')) {
      __lariat_unsupported("a flag of strftime");
      return;
    }
    if (*f == 'E' || *f == 'O') f++;
    char zero = pad < 0 ? '0' : pad, space = pad < 0 ? ' ' : pad;
    long long year = (long long)at->tm_year + 1900;
    int hour = at->tm_hour % 12 ? at->tm_hour % 12 : 12, years;
    switch (*f) {
      case 'a': lariat_calendar_text(page, at->tm_wday < 0 || at->tm_wday > 6 ? "?" : lariat_days[at->tm_wday], 3); break;
      case 'A': lariat_calendar_text(page, at->tm_wday < 0 || at->tm_wday > 6 ? "?" : lariat_days[at->tm_wday], 9); break;
      case 'b':
      case 'h': lariat_calendar_text(page, at->tm_mon < 0 || at->tm_mon > 11 ? "?" : lariat_months[at->tm_mon], 3); break;
      case 'B': lariat_calendar_text(page, at->tm_mon < 0 || at->tm_mon > 11 ? "?" : lariat_months[at->tm_mon], 9); break;
      case 'c': lariat_calendar_format(page, "%a %b %e %H:%M:%S %Y", at); break;
      case 'C': lariat_calendar_number(page, year < 0 ? (year - 99) / 100 : year / 100, 1, zero); break;
      case 'd': lariat_calendar_number(page, at->tm_mday, 2, zero); break;
      case 'D':
      case 'x': lariat_calendar_format(page, "%m/%d/%y", at); break;
      case 'e': lariat_calendar_number(page, at->tm_mday, 2, space); break;
      case 'F': lariat_calendar_format(page, "%Y-%m-%d", at); break;
      case 'g':
      case 'G':
      case 'V': {
        int week = lariat_calendar_week(at, &years);
        if (*f == 'V')
          lariat_calendar_number(page, week, 2, zero);
        else if (*f == 'G')
          lariat_calendar_number(page, year + years, 1, zero);
        else
          lariat_calendar_number(page, ((year + years) % 100 + 100) % 100, 2, zero);
        break;
      }
      case 'H': lariat_calendar_number(page, at->tm_hour, 2, zero); break;
      case 'I': lariat_calendar_number(page, hour, 2, zero); break;
      case 'j': lariat_calendar_number(page, (long long)at->tm_yday + 1, 3, zero); break;
      case 'k': lariat_calendar_number(page, at->tm_hour, 2, space); break;
      case 'l': lariat_calendar_number(page, hour, 2, space); break;
      case 'm': lariat_calendar_number(page, (long long)at->tm_mon + 1, 2, zero); break;
      case 'M': lariat_calendar_number(page, at->tm_min, 2, zero); break;
      case 'n': lariat_calendar_put(page, '\n'); break;
      case 'p': lariat_calendar_text(page, at->tm_hour > 11 ? "PM" : "AM", 2); break;
      case 'P': lariat_calendar_text(page, at->tm_hour > 11 ? "pm" : "am", 2); break;
      case 'r': lariat_calendar_format(page, "%I:%M:%S %p", at); break;
      case 'R': lariat_calendar_format(page, "%H:%M", at); break;
      case 'S': lariat_calendar_number(page, at->tm_sec, 2, zero); break;
      case 't': lariat_calendar_put(page, '\t'); break;
      case 'T':
      case 'X': lariat_calendar_format(page, "%H:%M:%S", at); break;
      case 'u': lariat_calendar_number(page, (at->tm_wday - 1 + 7) % 7 + 1, 1, zero); break;
      case 'U': lariat_calendar_number(page, (at->tm_yday - at->tm_wday + 7) / 7, 2, zero); break;
      case 'w': lariat_calendar_number(page, at->tm_wday, 1, zero); break;
      case 'W': lariat_calendar_number(page, (at->tm_yday - (at->tm_wday - 1 + 7) % 7 + 7) / 7, 2, zero); break;
      case 'y': lariat_calendar_number(page, (year % 100 + 100) % 100, 2, zero); break;
      case 'Y': lariat_calendar_number(page, year, 1, zero); break;
      case 'z': {
        if (at->tm_isdst < 0) break;
        long off = at->tm_gmtoff;
        lariat_calendar_put(page, off < 0 ? '-' : '+');
        if (off < 0) off = -off;
        lariat_calendar_number(page, off / 3600 * 100 + off / 60 % 60, 4, zero);
        break;
      }
      case 'Z':
        if (!at->tm_zone && at->tm_isdst >= 0) __lariat_unsupported("the name of the time zone");
        lariat_calendar_text(page, at->tm_zone ? at->tm_zone : "", (size_t)-1);
        break;
      case '%': lariat_calendar_put(page, '%'); break;
      default: __lariat_unsupported("a conversion of strftime"); return;
    }
  }
}

MODEL size_t strftime(char *restrict to, size_t room, const char *restrict f, const struct lariat_date *restrict at) {
  struct lariat_page page = {to, room, 0};
  lariat_calendar_format(&page, f, at);
  if (page.count >= room) return 0;
  to[page.count] = 0;
  return page.count;
}

static _Bool lariat_calendar_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Reads a number of at most so many digits, as long as another one may leave it in the range; null if there is none. */
static const char *lariat_calendar_read(const char *s, int low, int high, int most, int *to) {
  while (*s == ' ') s++;
  if (*s < '0' || *s > '9') return NULL;
  int value = 0;
  for (int i = 0; i < most && *s >= '0' && *s <= '9' && value * 10 <= high; i++, s++) value = value * 10 + (*s - '0');
  if (value < low || value > high) return NULL;
  *to = value;
  return s;
}

/* The full name or its first three characters, in any case. */
static const char *lariat_calendar_name(const char *s, const char *const *names, int count, int *to) {
  for (int i = 0; i < count; i++) {
    size_t n = 0;
    while (names[i][n] && (s[n] | 32) == (names[i][n] | 32)) n++;
    if (!names[i][n] || n >= 3) {
      *to = i;
      return s + (names[i][n] ? 3 : n);
    }
  }
  return NULL;
}

/* What was read: the rest of the date follows from it. */
struct lariat_seen {
  _Bool weekday, yearday, month, day, afternoon, twelve, year;
};

static const char *lariat_calendar_parse(const char *s, const char *f, struct lariat_date *to, struct lariat_seen *seen) {
  int value;
  for (; s && *f; f++) {
    if (lariat_calendar_space(*f)) {
      while (lariat_calendar_space(*s)) s++;
      continue;
    }
    if (*f != '%') {
      if (*s++ != *f) return NULL;
      continue;
    }
    f++;
    switch (*f) {
      case '%':
        if (*s++ != '%') return NULL;
        break;
      case 'a':
      case 'A':
        s = lariat_calendar_name(s, lariat_days, 7, &value);
        if (s) to->tm_wday = value, seen->weekday = 1;
        break;
      case 'b':
      case 'B':
      case 'h':
        s = lariat_calendar_name(s, lariat_months, 12, &value);
        if (s) to->tm_mon = value, seen->month = 1;
        break;
      case 'd':
      case 'e':
        s = lariat_calendar_read(s, 1, 31, 2, &value);
        if (s) to->tm_mday = value, seen->day = 1;
        break;
      case 'D': s = lariat_calendar_parse(s, "%m/%d/%y", to, seen); break;
      case 'F': s = lariat_calendar_parse(s, "%Y-%m-%d", to, seen); break;
      case 'H':
      case 'k':
        s = lariat_calendar_read(s, 0, 23, 2, &value);
        if (s) to->tm_hour = value, seen->twelve = 0;
        break;
      case 'I':
      case 'l':
        s = lariat_calendar_read(s, 1, 12, 2, &value);
        if (s) to->tm_hour = value % 12, seen->twelve = 1;
        break;
      case 'j':
        s = lariat_calendar_read(s, 1, 366, 3, &value);
        if (s) to->tm_yday = value - 1, seen->yearday = 1;
        break;
      case 'm':
        s = lariat_calendar_read(s, 1, 12, 2, &value);
        if (s) to->tm_mon = value - 1, seen->month = 1;
        break;
      case 'M':
        s = lariat_calendar_read(s, 0, 59, 2, &value);
        if (s) to->tm_min = value;
        break;
      case 'n':
      case 't':
        while (lariat_calendar_space(*s)) s++;
        break;
      case 'p':
        if (((s[0] | 32) != 'a' && (s[0] | 32) != 'p') || (s[1] | 32) != 'm') return NULL;
        seen->afternoon = (s[0] | 32) == 'p';
        s += 2;
        break;
      case 'R': s = lariat_calendar_parse(s, "%H:%M", to, seen); break;
      case 'S':
        s = lariat_calendar_read(s, 0, 61, 2, &value);
        if (s) to->tm_sec = value;
        break;
      case 'T': s = lariat_calendar_parse(s, "%H:%M:%S", to, seen); break;
      case 'y':
        s = lariat_calendar_read(s, 0, 99, 2, &value);
        if (s) to->tm_year = value >= 69 ? value : value + 100, seen->year = 1;
        break;
      case 'Y':
        s = lariat_calendar_read(s, 0, 9999, 4, &value);
        if (s) to->tm_year = value - 1900, seen->year = 1;
        break;
      default: __lariat_unsupported("a conversion of strptime"); return NULL;
    }
  }
  return s;
}

MODEL char *strptime(const char *restrict s, const char *restrict f, struct lariat_date *restrict to) {
  struct lariat_seen seen = {0, 0, 0, 0, 0, 0, 0};
  s = lariat_calendar_parse(s, f, to, &seen);
  if (!s) return NULL;
  if (seen.twelve && seen.afternoon) to->tm_hour += 12;
  /* Of a year and a day, the others follow. */
  if (seen.yearday && (seen.year || seen.month || seen.day)) {
    __lariat_unsupported("a date of strptime by its number in the year");
    return NULL;
  }
  if (seen.year || seen.month || seen.day) {
    long long year = (long long)to->tm_year + 1900;
    if (to->tm_mon >= 0 && to->tm_mon < 12) {
      long long days = lariat_calendar_days(year, to->tm_mon, to->tm_mday);
      if (!seen.weekday) {
        int week = (int)((days + 4) % 7);
        to->tm_wday = week < 0 ? week + 7 : week;
      }
      to->tm_yday = (int)(days - lariat_calendar_days(year, 0, 1));
    }
  }
  return (char *)s;
}
