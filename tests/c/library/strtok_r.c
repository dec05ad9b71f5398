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
char a[] = "a;ba;,", *rest = a, *p;
p = strtok_r(a, ",;", &rest);
assert((long long)(p ? p - a : -1) == 0ll);
p = strtok_r(NULL, ",;", &rest);
assert((long long)(p ? p - a : -1) == 2ll);
p = strtok_r(NULL, ",;", &rest);
assert((long long)(p ? p - a : -1) == -1ll);
assert((long long)((unsigned char)a[0]) == 97ll);
}
{
char a[] = "bbb", *rest = a, *p;
p = strtok_r(a, ",;", &rest);
assert((long long)(p ? p - a : -1) == 0ll);
p = strtok_r(NULL, ",;", &rest);
assert((long long)(p ? p - a : -1) == -1ll);
p = strtok_r(NULL, ",;", &rest);
assert((long long)(p ? p - a : -1) == -1ll);
assert((long long)((unsigned char)a[0]) == 98ll);
}
{
char a[] = "ab,a,a,", *rest = a, *p;
p = strtok_r(a, ",;", &rest);
assert((long long)(p ? p - a : -1) == 0ll);
p = strtok_r(NULL, ",;", &rest);
assert((long long)(p ? p - a : -1) == 3ll);
p = strtok_r(NULL, ",;", &rest);
assert((long long)(p ? p - a : -1) == 5ll);
assert((long long)((unsigned char)a[0]) == 97ll);
}
  return 0;
}
