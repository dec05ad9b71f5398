/* Days of months and years. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static const unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int leap(unsigned year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in(unsigned year, unsigned month) {
  if (month < 1 || month > 12) return 0;
  return days[month - 1] + (month == 2 && leap(year));
}

static int day_of_year(unsigned year, unsigned month, unsigned day) {
  int n = (int)day;
  for (unsigned m = 1; m < month; m++)
    n += days_in(year, m);
  return n;
}

int main(void) {
  unsigned year = 1900 + __VERIFIER_nondet_uint() % 200;
  unsigned month = 1 + __VERIFIER_nondet_uint() % 12;
  int length = days_in(year, month);
  assert(length >= 28 && length <= 31);
  int last = day_of_year(year, 12, 31);
  assert(last == (leap(year) ? 366 : 365));
  assert(day_of_year(year, month, 1) <= 336);
  return 0;
}
