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
volatile double x = 3, y = 4;
{ double v_ = (hypot(x, y)); assert(bits(v_) == 4617315517961601024ull); }
}
{
volatile double x = 0, y = 7;
{ double v_ = (hypot(x, y)); assert(bits(v_) == 4619567317775286272ull); }
}
{
volatile double x = 5, y = 12;
{ double v_ = (hypot(x, y)); assert(bits(v_) == 4623507967449235456ull); }
}
  return 0;
}
