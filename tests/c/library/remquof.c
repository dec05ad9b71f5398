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
volatile double x = 55318 / 16.0, y = 84 / 4.0; int q; double m = remquof(x, y, &q);
{ double v_ = (m); assert(bits(v_) == 13843643042071838720ull); }
assert((long long)(q) == 5ll);
}
{
volatile double x = 224303 / 16.0, y = 83 / 4.0; int q; double m = remquof(x, y, &q);
{ double v_ = (m); assert(bits(v_) == 13844100438908993536ull); }
assert((long long)(q) == 4ll);
}
{
volatile double x = 1028163 / 16.0, y = 6 / 4.0; int q; double m = remquof(x, y, &q);
{ double v_ = (m); assert(bits(v_) == 4595923419731591168ull); }
assert((long long)(q) == 0ll);
}
  return 0;
}
