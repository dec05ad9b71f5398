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
int a[] = {-5, -2, 4, 2, -5}; qsort(a, 5, sizeof *a, order);
assert((long long)(a[0]) == -5ll);
assert((long long)(a[1]) == -5ll);
assert((long long)(a[2]) == -2ll);
assert((long long)(a[3]) == 2ll);
assert((long long)(a[4]) == 4ll);
}
{
int a[] = {0, -1}; qsort(a, 2, sizeof *a, order);
assert((long long)(a[0]) == -1ll);
assert((long long)(a[1]) == 0ll);
}
{
int a[] = {2, 2}; qsort(a, 2, sizeof *a, order);
assert((long long)(a[0]) == 2ll);
assert((long long)(a[1]) == 2ll);
}
  return 0;
}
