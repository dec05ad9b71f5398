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
const char *s = "-1e-999"; char *end; errno = 0; double x = strtof(s, &end);
{ double v_ = (x); assert(bits(v_) == 9223372036854775808ull); }
assert((long long)(end - s) == 7ll);
assert((long long)(errno) == 34ll);
}
{
const char *s = "-0xx"; char *end; errno = 0; double x = strtof(s, &end);
{ double v_ = (x); assert(bits(v_) == 9223372036854775808ull); }
assert((long long)(end - s) == 2ll);
assert((long long)(errno) == 0ll);
}
{
const char *s = "1e-999x"; char *end; errno = 0; double x = strtof(s, &end);
{ double v_ = (x); assert(bits(v_) == 0ull); }
assert((long long)(end - s) == 6ll);
assert((long long)(errno) == 34ll);
}
  return 0;
}
