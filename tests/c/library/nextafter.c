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
volatile double x = -NAN, y = -NAN;
errno = 0;
{ double v_ = (nextafter(x, y)); assert(v_ != v_); }
}
{
volatile double x = 0x1p-993, y = -0x3p-8;
errno = 0;
{ double v_ = (nextafter(x, y)); assert(bits(v_) == 135107988821114879ull); }
}
{
volatile double x = 0x3p60, y = 0.0;
errno = 0;
{ double v_ = (nextafter(x, y)); assert(bits(v_) == 4884153795883302911ull); }
}
  return 0;
}
