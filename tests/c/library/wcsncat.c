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
wchar_t a[8] = L"\x62\x61\x61", *p = wcsncat(a, L"\x80", 4);
assert((long long)(p ? p - a : -1) == 0ll);
assert((long long)(a[0]) == 98ll);
assert((long long)(a[1]) == 97ll);
assert((long long)(a[2]) == 97ll);
assert((long long)(a[3]) == 128ll);
assert((long long)(a[4]) == 0ll);
assert((long long)(a[5]) == 0ll);
assert((long long)(a[6]) == 0ll);
assert((long long)(a[7]) == 0ll);
}
{
wchar_t a[8] = L"", *p = wcsncat(a, L"\x61", 3);
assert((long long)(p ? p - a : -1) == 0ll);
assert((long long)(a[0]) == 97ll);
assert((long long)(a[1]) == 0ll);
assert((long long)(a[2]) == 0ll);
assert((long long)(a[3]) == 0ll);
assert((long long)(a[4]) == 0ll);
assert((long long)(a[5]) == 0ll);
assert((long long)(a[6]) == 0ll);
assert((long long)(a[7]) == 0ll);
}
{
wchar_t a[8] = L"", *p = wcsncat(a, L"", 4);
assert((long long)(p ? p - a : -1) == 0ll);
assert((long long)(a[0]) == 0ll);
assert((long long)(a[1]) == 0ll);
assert((long long)(a[2]) == 0ll);
assert((long long)(a[3]) == 0ll);
assert((long long)(a[4]) == 0ll);
assert((long long)(a[5]) == 0ll);
assert((long long)(a[6]) == 0ll);
assert((long long)(a[7]) == 0ll);
}
  return 0;
}
