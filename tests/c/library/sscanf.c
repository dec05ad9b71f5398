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
int x = 77, n = 88, k = sscanf("-21", "%d%n", &x, &n);
assert((long long)(k) == 1ll);
assert((long long)(x) == -21ll);
assert((long long)(n) == 3ll);
}
{
int x = 77, n = 88, k = sscanf("7", "%u:%\052d%n", &x, &n);
assert((long long)(k) == 1ll);
assert((long long)(x) == 7ll);
assert((long long)(n) == 88ll);
}
{
int x = 77, n = 88, k = sscanf("a- 2a2", "%x%n", &x, &n);
assert((long long)(k) == 1ll);
assert((long long)(x) == 10ll);
assert((long long)(n) == 1ll);
}
  return 0;
}
