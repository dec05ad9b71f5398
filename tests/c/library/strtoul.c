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
const char *s = "0x365402"; char *end; errno = 0; unsigned long long x = strtoul(s, &end, 8);
assert((long long)((long long)x) == 0ll);
assert((long long)(end - s) == 1ll);
assert((long long)(errno) == 0ll);
}
{
const char *s = "0b626.5"; char *end; errno = 0; unsigned long long x = strtoul(s, &end, 16);
assert((long long)((long long)x) == 46630ll);
assert((long long)(end - s) == 5ll);
assert((long long)(errno) == 0ll);
}
{
const char *s = "0x89720 1"; char *end; errno = 0; unsigned long long x = strtoul(s, &end, 8);
assert((long long)((long long)x) == 0ll);
assert((long long)(end - s) == 1ll);
assert((long long)(errno) == 0ll);
}
  return 0;
}
