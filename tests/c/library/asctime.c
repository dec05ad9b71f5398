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
struct tm d = {.tm_year = -107, .tm_mon = 1, .tm_mday = 4, .tm_hour = 2, .tm_min = 30, .tm_sec = 41, .tm_wday = 2, .tm_yday = 181};
char *a = asctime(&d);
assert((long long)(strlen(a)) == 25ll);
assert((long long)((unsigned char)a[0]) == 84ll);
assert((long long)((unsigned char)a[1]) == 117ll);
assert((long long)((unsigned char)a[2]) == 101ll);
assert((long long)((unsigned char)a[3]) == 32ll);
assert((long long)((unsigned char)a[4]) == 70ll);
assert((long long)((unsigned char)a[5]) == 101ll);
assert((long long)((unsigned char)a[6]) == 98ll);
assert((long long)((unsigned char)a[7]) == 32ll);
assert((long long)((unsigned char)a[8]) == 32ll);
assert((long long)((unsigned char)a[9]) == 52ll);
assert((long long)((unsigned char)a[10]) == 32ll);
assert((long long)((unsigned char)a[11]) == 48ll);
assert((long long)((unsigned char)a[12]) == 50ll);
assert((long long)((unsigned char)a[13]) == 58ll);
assert((long long)((unsigned char)a[14]) == 51ll);
assert((long long)((unsigned char)a[15]) == 48ll);
assert((long long)((unsigned char)a[16]) == 58ll);
assert((long long)((unsigned char)a[17]) == 52ll);
assert((long long)((unsigned char)a[18]) == 49ll);
assert((long long)((unsigned char)a[19]) == 32ll);
assert((long long)((unsigned char)a[20]) == 49ll);
assert((long long)((unsigned char)a[21]) == 55ll);
assert((long long)((unsigned char)a[22]) == 57ll);
assert((long long)((unsigned char)a[23]) == 51ll);
}
{
struct tm d = {.tm_year = -1353, .tm_mon = 0, .tm_mday = 5, .tm_hour = 20, .tm_min = 33, .tm_sec = 57, .tm_wday = 0, .tm_yday = 226};
char *a = asctime(&d);
assert((long long)(strlen(a)) == 24ll);
assert((long long)((unsigned char)a[0]) == 83ll);
assert((long long)((unsigned char)a[1]) == 117ll);
assert((long long)((unsigned char)a[2]) == 110ll);
assert((long long)((unsigned char)a[3]) == 32ll);
assert((long long)((unsigned char)a[4]) == 74ll);
assert((long long)((unsigned char)a[5]) == 97ll);
assert((long long)((unsigned char)a[6]) == 110ll);
assert((long long)((unsigned char)a[7]) == 32ll);
assert((long long)((unsigned char)a[8]) == 32ll);
assert((long long)((unsigned char)a[9]) == 53ll);
assert((long long)((unsigned char)a[10]) == 32ll);
assert((long long)((unsigned char)a[11]) == 50ll);
assert((long long)((unsigned char)a[12]) == 48ll);
assert((long long)((unsigned char)a[13]) == 58ll);
assert((long long)((unsigned char)a[14]) == 51ll);
assert((long long)((unsigned char)a[15]) == 51ll);
assert((long long)((unsigned char)a[16]) == 58ll);
assert((long long)((unsigned char)a[17]) == 53ll);
assert((long long)((unsigned char)a[18]) == 55ll);
assert((long long)((unsigned char)a[19]) == 32ll);
assert((long long)((unsigned char)a[20]) == 53ll);
assert((long long)((unsigned char)a[21]) == 52ll);
assert((long long)((unsigned char)a[22]) == 55ll);
assert((long long)((unsigned char)a[23]) == 10ll);
}
{
struct tm d = {.tm_year = -160, .tm_mon = 7, .tm_mday = 27, .tm_hour = 15, .tm_min = 40, .tm_sec = 49, .tm_wday = 0, .tm_yday = 298};
char *a = asctime(&d);
assert((long long)(strlen(a)) == 25ll);
assert((long long)((unsigned char)a[0]) == 83ll);
assert((long long)((unsigned char)a[1]) == 117ll);
assert((long long)((unsigned char)a[2]) == 110ll);
assert((long long)((unsigned char)a[3]) == 32ll);
assert((long long)((unsigned char)a[4]) == 65ll);
assert((long long)((unsigned char)a[5]) == 117ll);
assert((long long)((unsigned char)a[6]) == 103ll);
assert((long long)((unsigned char)a[7]) == 32ll);
assert((long long)((unsigned char)a[8]) == 50ll);
assert((long long)((unsigned char)a[9]) == 55ll);
assert((long long)((unsigned char)a[10]) == 32ll);
assert((long long)((unsigned char)a[11]) == 49ll);
assert((long long)((unsigned char)a[12]) == 53ll);
assert((long long)((unsigned char)a[13]) == 58ll);
assert((long long)((unsigned char)a[14]) == 52ll);
assert((long long)((unsigned char)a[15]) == 48ll);
assert((long long)((unsigned char)a[16]) == 58ll);
assert((long long)((unsigned char)a[17]) == 52ll);
assert((long long)((unsigned char)a[18]) == 57ll);
assert((long long)((unsigned char)a[19]) == 32ll);
assert((long long)((unsigned char)a[20]) == 49ll);
assert((long long)((unsigned char)a[21]) == 55ll);
assert((long long)((unsigned char)a[22]) == 52ll);
assert((long long)((unsigned char)a[23]) == 48ll);
}
  return 0;
}
