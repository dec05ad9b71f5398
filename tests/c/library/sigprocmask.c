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
sigset_t s, old; sigemptyset(&s); sigaddset(&s, SIGUSR1); signal(SIGUSR1, handler); sigprocmask(SIG_BLOCK, &s, NULL); last_signal = 0; raise(SIGUSR1);
assert((long long)(last_signal) == 0ll);
sigpending(&old);
assert((long long)(sigismember(&old, SIGUSR1)) == 1ll);
sigprocmask(SIG_UNBLOCK, &s, &old);
assert((long long)(last_signal) == 10ll);
assert((long long)(sigismember(&old, SIGUSR1)) == 1ll);
}
{
sigset_t s, old; sigemptyset(&s); sigaddset(&s, SIGUSR2); signal(SIGUSR2, handler); sigprocmask(SIG_BLOCK, &s, NULL); last_signal = 0; raise(SIGUSR2);
assert((long long)(last_signal) == 0ll);
sigpending(&old);
assert((long long)(sigismember(&old, SIGUSR2)) == 1ll);
sigprocmask(SIG_UNBLOCK, &s, &old);
assert((long long)(last_signal) == 12ll);
assert((long long)(sigismember(&old, SIGUSR2)) == 1ll);
}
{
sigset_t s, old; sigemptyset(&s); sigaddset(&s, SIGUSR2); signal(SIGUSR2, handler); sigprocmask(SIG_BLOCK, &s, NULL); last_signal = 0; raise(SIGUSR2);
assert((long long)(last_signal) == 0ll);
sigpending(&old);
assert((long long)(sigismember(&old, SIGUSR2)) == 1ll);
sigprocmask(SIG_UNBLOCK, &s, &old);
assert((long long)(last_signal) == 12ll);
assert((long long)(sigismember(&old, SIGUSR2)) == 1ll);
}
  return 0;
}
