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
volatile float x = 0xe6p-8f;
errno = 0; double z = ldexpf(x, -45);
{ double v_ = (z); assert(bits(v_) == 4403605641894035456ull); }
assert((long long)(errno) == 0ll);
}
{
volatile float x = 0x9p3f;
errno = 0; double z = ldexpf(x, -176);
{ double v_ = (z); assert(bits(v_) == 0ull); }
assert((long long)(errno) == 34ll);
}
{
volatile float x = INFINITY;
errno = 0; double z = ldexpf(x, -1682);
{ double v_ = (z); assert(bits(v_) == 9218868437227405312ull); }
assert((long long)(errno) == 0ll);
}
  return 0;
}
