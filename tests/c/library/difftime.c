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
time_t a = 1, b = 56;
{ double v_ = (difftime(a, b)); assert(bits(v_) == 13856309416023818240ull); }
}
{
time_t a = 0, b = -130910005;
{ double v_ = (difftime(a, b)); assert(bits(v_) == 4728557631206064128ull); }
}
{
time_t a = 2, b = 34213682592;
{ double v_ = (difftime(a, b)); assert(bits(v_) == 13988142154966892544ull); }
}
  return 0;
}
