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
time_t t = 951036600; struct tm d, *p = gmtime(&t);
assert((long long)(p->tm_sec) == 0ll);
assert((long long)(p->tm_min) == 50ll);
assert((long long)(p->tm_hour) == 8ll);
assert((long long)(p->tm_mday) == 20ll);
assert((long long)(p->tm_mon) == 1ll);
assert((long long)(p->tm_year) == 100ll);
assert((long long)(p->tm_wday) == 0ll);
assert((long long)(p->tm_yday) == 50ll);
assert((long long)(p->tm_isdst) == 0ll);
}
{
time_t t = 4726597160; struct tm d, *p = gmtime(&t);
assert((long long)(p->tm_sec) == 20ll);
assert((long long)(p->tm_min) == 39ll);
assert((long long)(p->tm_hour) == 23ll);
assert((long long)(p->tm_mday) == 12ll);
assert((long long)(p->tm_mon) == 9ll);
assert((long long)(p->tm_year) == 219ll);
assert((long long)(p->tm_wday) == 4ll);
assert((long long)(p->tm_yday) == 284ll);
assert((long long)(p->tm_isdst) == 0ll);
}
{
time_t t = 519281497; struct tm d, *p = gmtime(&t);
assert((long long)(p->tm_sec) == 37ll);
assert((long long)(p->tm_min) == 51ll);
assert((long long)(p->tm_hour) == 4ll);
assert((long long)(p->tm_mday) == 16ll);
assert((long long)(p->tm_mon) == 5ll);
assert((long long)(p->tm_year) == 86ll);
assert((long long)(p->tm_wday) == 1ll);
assert((long long)(p->tm_yday) == 166ll);
assert((long long)(p->tm_isdst) == 0ll);
}
  return 0;
}
