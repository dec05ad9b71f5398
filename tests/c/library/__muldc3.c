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
volatile double complex z = 4 + 6 * I, w = -3 + 7 * I, x = z * w;
{ double v_ = (creal(x)); assert(bits(v_) == 13856168678535462912ull); }
{ double v_ = (cimag(x)); assert(bits(v_) == 4621819117588971520ull); }
}
{
volatile double complex z = 8 + 8 * I, w = 6 + -8 * I, x = z * w;
{ double v_ = (creal(x)); assert(bits(v_) == 4637581716284768256ull); }
{ double v_ = (cimag(x)); assert(bits(v_) == 13848568854164275200ull); }
}
{
volatile double complex z = 1 + -3 * I, w = 7 + -3 * I, x = z * w;
{ double v_ = (creal(x)); assert(bits(v_) == 13835058055282163712ull); }
{ double v_ = (cimag(x)); assert(bits(v_) == 13850820653977960448ull); }
}
  return 0;
}
