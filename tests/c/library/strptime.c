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
struct tm d = {.tm_mday = 1}; const char *s = "1 pm", *p = strptime(s, "%I %p", &d);
assert((long long)(p ? p - s : -1) == 4ll);
if (p) {
assert((long long)(d.tm_year) == 0ll);
assert((long long)(d.tm_mon) == 0ll);
assert((long long)(d.tm_mday) == 1ll);
assert((long long)(d.tm_hour) == 13ll);
assert((long long)(d.tm_min) == 0ll);
assert((long long)(d.tm_wday) == 0ll);
assert((long long)(d.tm_yday) == 0ll);
}
}
{
struct tm d = {.tm_mday = 1}; const char *s = "dec", *p = strptime(s, "%b", &d);
assert((long long)(p ? p - s : -1) == 3ll);
if (p) {
assert((long long)(d.tm_year) == 0ll);
assert((long long)(d.tm_mon) == 11ll);
assert((long long)(d.tm_mday) == 1ll);
assert((long long)(d.tm_hour) == 0ll);
assert((long long)(d.tm_min) == 0ll);
assert((long long)(d.tm_wday) == 6ll);
assert((long long)(d.tm_yday) == 334ll);
}
}
{
struct tm d = {.tm_mday = 1}; const char *s = "June", *p = strptime(s, "%b", &d);
assert((long long)(p ? p - s : -1) == 4ll);
if (p) {
assert((long long)(d.tm_year) == 0ll);
assert((long long)(d.tm_mon) == 5ll);
assert((long long)(d.tm_mday) == 1ll);
assert((long long)(d.tm_hour) == 0ll);
assert((long long)(d.tm_min) == 0ll);
assert((long long)(d.tm_wday) == 5ll);
assert((long long)(d.tm_yday) == 151ll);
}
}
  return 0;
}
