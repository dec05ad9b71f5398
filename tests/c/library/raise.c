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
signal(SIGUSR2, handler);
last_signal = 0; raise(SIGUSR2);
assert((long long)(last_signal) == 12ll);
assert((long long)(signal(SIGUSR2, SIG_IGN) == handler) == 1ll);
assert((long long)(raise(SIGUSR2)) == 0ll);
assert((long long)(signal(19, handler) == SIG_ERR) == 1ll);
}
{
signal(SIGHUP, handler);
last_signal = 0; raise(SIGHUP);
assert((long long)(last_signal) == 1ll);
assert((long long)(signal(SIGHUP, SIG_IGN) == handler) == 1ll);
assert((long long)(raise(SIGHUP)) == 0ll);
assert((long long)(signal(0, handler) == SIG_ERR) == 1ll);
}
{
signal(SIGUSR2, handler);
last_signal = 0; raise(SIGUSR2);
assert((long long)(last_signal) == 12ll);
assert((long long)(signal(SIGUSR2, SIG_IGN) == handler) == 1ll);
assert((long long)(raise(SIGUSR2)) == 0ll);
assert((long long)(signal(9, handler) == SIG_ERR) == 1ll);
}
  return 0;
}
