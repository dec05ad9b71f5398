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
volatile float complex z = -18 + 69 * I, w = -8 + -7 * I, x = z / w;
assert((long long)(creal(x)) == -3ll);
assert((long long)(cimag(x)) == -6ll);
}
{
volatile float complex z = -93 + -34 * I, w = 16 + 3 * I, x = z / w;
assert((long long)(creal(x)) == -6ll);
assert((long long)(cimag(x)) == -1ll);
}
{
volatile float complex z = 24 + 137 * I, w = 16 + 3 * I, x = z / w;
assert((long long)(creal(x)) == 3ll);
assert((long long)(cimag(x)) == 8ll);
}
  return 0;
}
