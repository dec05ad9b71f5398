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
char a[8] = "zzzzzzz", *p = stpncpy(a, "b", 7);
assert((long long)(p ? p - a : -1) == 1ll);
assert((long long)((unsigned char)a[0]) == 98ll);
assert((long long)((unsigned char)a[1]) == 0ll);
assert((long long)((unsigned char)a[2]) == 0ll);
assert((long long)((unsigned char)a[3]) == 0ll);
assert((long long)((unsigned char)a[4]) == 0ll);
assert((long long)((unsigned char)a[5]) == 0ll);
assert((long long)((unsigned char)a[6]) == 0ll);
assert((long long)((unsigned char)a[7]) == 0ll);
}
{
char a[8] = "zzzzzzz", *p = stpncpy(a, "ÿA", 1);
assert((long long)(p ? p - a : -1) == 1ll);
assert((long long)((unsigned char)a[0]) == 195ll);
assert((long long)((unsigned char)a[1]) == 122ll);
assert((long long)((unsigned char)a[2]) == 122ll);
assert((long long)((unsigned char)a[3]) == 122ll);
assert((long long)((unsigned char)a[4]) == 122ll);
assert((long long)((unsigned char)a[5]) == 122ll);
assert((long long)((unsigned char)a[6]) == 122ll);
assert((long long)((unsigned char)a[7]) == 0ll);
}
{
char a[8] = "zzzzzzz", *p = stpncpy(a, "", 7);
assert((long long)(p ? p - a : -1) == 0ll);
assert((long long)((unsigned char)a[0]) == 0ll);
assert((long long)((unsigned char)a[1]) == 0ll);
assert((long long)((unsigned char)a[2]) == 0ll);
assert((long long)((unsigned char)a[3]) == 0ll);
assert((long long)((unsigned char)a[4]) == 0ll);
assert((long long)((unsigned char)a[5]) == 0ll);
assert((long long)((unsigned char)a[6]) == 0ll);
assert((long long)((unsigned char)a[7]) == 0ll);
}
  return 0;
}
