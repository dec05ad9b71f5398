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
struct tm d = {.tm_year = -1801, .tm_mon = 4, .tm_mday = 20, .tm_hour = 12, .tm_min = 37, .tm_sec = 57, .tm_wday = 4, .tm_yday = 289};
char a[60] = ""; size_t n = strftime(a, 8, "%y %M %D", &d);
assert((long long)(n) == 0ll);
if (n) {
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
}
}
{
struct tm d = {.tm_year = -1599, .tm_mon = 1, .tm_mday = 4, .tm_hour = 23, .tm_min = 9, .tm_sec = 27, .tm_wday = 5, .tm_yday = 257};
char a[60] = ""; size_t n = strftime(a, 8, "%b %x %M", &d);
assert((long long)(n) == 0ll);
if (n) {
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
assert(0);
}
}
{
struct tm d = {.tm_year = -760, .tm_mon = 4, .tm_mday = 4, .tm_hour = 1, .tm_min = 26, .tm_sec = 56, .tm_wday = 0, .tm_yday = 175};
char a[60] = ""; size_t n = strftime(a, 60, "%b %t %V", &d);
assert((long long)(n) == 8ll);
if (n) {
assert((long long)((unsigned char)a[0]) == 77ll);
assert((long long)((unsigned char)a[1]) == 97ll);
assert((long long)((unsigned char)a[2]) == 121ll);
assert((long long)((unsigned char)a[3]) == 32ll);
assert((long long)((unsigned char)a[4]) == 9ll);
assert((long long)((unsigned char)a[5]) == 32ll);
assert((long long)((unsigned char)a[6]) == 50ll);
assert((long long)((unsigned char)a[7]) == 53ll);
assert((long long)((unsigned char)a[8]) == 0ll);
assert((long long)((unsigned char)a[9]) == 0ll);
assert((long long)((unsigned char)a[10]) == 0ll);
assert((long long)((unsigned char)a[11]) == 0ll);
}
}
  return 0;
}
