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
void *p = NULL; int e = posix_memalign(&p, 3, 1);
assert((long long)(e) == 22ll);
assert((long long)(p != NULL) == 0ll);
assert((long long)(p == NULL) == 1ll);
free(p);
}
{
void *p = NULL; int e = posix_memalign(&p, 8, 8);
assert((long long)(e) == 0ll);
assert((long long)(p != NULL) == 1ll);
assert((long long)((uintptr_t)p % 8 == 0) == 1ll);
free(p);
}
{
void *p = NULL; int e = posix_memalign(&p, 32, 9);
assert((long long)(e) == 0ll);
assert((long long)(p != NULL) == 1ll);
assert((long long)((uintptr_t)p % 32 == 0) == 1ll);
free(p);
}
  return 0;
}
