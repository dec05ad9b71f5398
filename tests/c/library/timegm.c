// natively: nothing
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <search.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
static int sign(int x) { return (x > 0) - (x < 0); }
static int order(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
static int last_signal;
static void handler(int sig) { last_signal = sig; }
static unsigned long long bits(double x) { unsigned long long b; memcpy(&b, &x, 8); return b; }
int main(void) {
#line 1
{
struct tm d = {.tm_year = -1171, .tm_mon = 9, .tm_mday = 1, .tm_hour = 12, .tm_min = 56, .tm_sec = 37, .tm_wday = 4, .tm_yday = 44};
d.tm_mon += 25; d.tm_sec += 188;
assert((long long)(timegm(&d)) == -39072798015ll);
assert((long long)(d.tm_mon) == 10ll);
assert((long long)(d.tm_mday) == 1ll);
assert((long long)(d.tm_wday) == 0ll);
assert((long long)(d.tm_yday) == 304ll);
}
{
struct tm d = {.tm_year = -1213, .tm_mon = 1, .tm_mday = 11, .tm_hour = 16, .tm_min = 35, .tm_sec = 36, .tm_wday = 0, .tm_yday = 3};
d.tm_mon += -23; d.tm_sec += 59;
assert((long long)(timegm(&d)) == -40544609005ll);
assert((long long)(d.tm_mon) == 2ll);
assert((long long)(d.tm_mday) == 11ll);
assert((long long)(d.tm_wday) == 3ll);
assert((long long)(d.tm_yday) == 69ll);
}
{
struct tm d = {.tm_year = -1385, .tm_mon = 6, .tm_mday = 21, .tm_hour = 18, .tm_min = 45, .tm_sec = 17, .tm_wday = 1, .tm_yday = 189};
d.tm_mon += 12; d.tm_sec += 135;
assert((long long)(timegm(&d)) == -45866322748ll);
assert((long long)(d.tm_mon) == 6ll);
assert((long long)(d.tm_mday) == 21ll);
assert((long long)(d.tm_wday) == 2ll);
assert((long long)(d.tm_yday) == 202ll);
}
  return 0;
}
