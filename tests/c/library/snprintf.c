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
char a[12] = "zzzzzzzzzzz"; int n = snprintf(a, 10, "\074%4x\076%%", 0);
assert((long long)(n) == 7ll);
assert((long long)((unsigned char)a[0]) == 60ll);
assert((long long)((unsigned char)a[1]) == 32ll);
assert((long long)((unsigned char)a[2]) == 32ll);
assert((long long)((unsigned char)a[3]) == 32ll);
assert((long long)((unsigned char)a[4]) == 48ll);
assert((long long)((unsigned char)a[5]) == 62ll);
assert((long long)((unsigned char)a[6]) == 37ll);
assert((long long)((unsigned char)a[7]) == 0ll);
assert((long long)((unsigned char)a[8]) == 122ll);
assert((long long)((unsigned char)a[9]) == 122ll);
assert((long long)((unsigned char)a[10]) == 122ll);
assert((long long)((unsigned char)a[11]) == 0ll);
}
{
char a[12] = "zzzzzzzzzzz"; int n = snprintf(a, 6, "\074%-9.1llx\076%%", 0L);
assert((long long)(n) == 12ll);
assert((long long)((unsigned char)a[0]) == 60ll);
assert((long long)((unsigned char)a[1]) == 48ll);
assert((long long)((unsigned char)a[2]) == 32ll);
assert((long long)((unsigned char)a[3]) == 32ll);
assert((long long)((unsigned char)a[4]) == 32ll);
assert((long long)((unsigned char)a[5]) == 0ll);
assert((long long)((unsigned char)a[6]) == 122ll);
assert((long long)((unsigned char)a[7]) == 122ll);
assert((long long)((unsigned char)a[8]) == 122ll);
assert((long long)((unsigned char)a[9]) == 122ll);
assert((long long)((unsigned char)a[10]) == 122ll);
assert((long long)((unsigned char)a[11]) == 0ll);
}
{
char a[12] = "zzzzzzzzzzz"; int n = snprintf(a, 4, "\074%9.s\076%%", "bbb");
assert((long long)(n) == 12ll);
assert((long long)((unsigned char)a[0]) == 60ll);
assert((long long)((unsigned char)a[1]) == 32ll);
assert((long long)((unsigned char)a[2]) == 32ll);
assert((long long)((unsigned char)a[3]) == 0ll);
assert((long long)((unsigned char)a[4]) == 122ll);
assert((long long)((unsigned char)a[5]) == 122ll);
assert((long long)((unsigned char)a[6]) == 122ll);
assert((long long)((unsigned char)a[7]) == 122ll);
assert((long long)((unsigned char)a[8]) == 122ll);
assert((long long)((unsigned char)a[9]) == 122ll);
assert((long long)((unsigned char)a[10]) == 122ll);
assert((long long)((unsigned char)a[11]) == 0ll);
}
  return 0;
}
