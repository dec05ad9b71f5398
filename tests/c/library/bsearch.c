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
int a[] = {-4, -3, 0, 1, 3, 5}, key = 5; size_t n = 6; int *p = bsearch(&key, a, n, sizeof *a, order);
assert((long long)(p ? p - a : -1) == 5ll);
}
{
int a[] = {-3, -2, 2, 3, 4}, key = 3; size_t n = 5; int *p = bsearch(&key, a, n, sizeof *a, order);
assert((long long)(p ? p - a : -1) == 3ll);
}
{
int a[] = {-4, -2, 1, 4, 5}, key = -2; size_t n = 5; int *p = bsearch(&key, a, n, sizeof *a, order);
assert((long long)(p ? p - a : -1) == 1ll);
}
  return 0;
}
