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
char *p = malloc(7); memset(p, 7, 7); p = realloc(p, 12);
assert((long long)((unsigned char)p[0]) == 7ll);
assert((long long)((unsigned char)p[1]) == 7ll);
assert((long long)((unsigned char)p[2]) == 7ll);
assert((long long)((unsigned char)p[3]) == 7ll);
assert((long long)((unsigned char)p[4]) == 7ll);
assert((long long)((unsigned char)p[5]) == 7ll);
assert((long long)((unsigned char)p[6]) == 7ll);
p = realloc(p, 0);
assert((long long)(p == NULL) == 1ll);
}
{
char *p = malloc(7); memset(p, 7, 7); p = realloc(p, 12);
assert((long long)((unsigned char)p[0]) == 7ll);
assert((long long)((unsigned char)p[1]) == 7ll);
assert((long long)((unsigned char)p[2]) == 7ll);
assert((long long)((unsigned char)p[3]) == 7ll);
assert((long long)((unsigned char)p[4]) == 7ll);
assert((long long)((unsigned char)p[5]) == 7ll);
assert((long long)((unsigned char)p[6]) == 7ll);
p = realloc(p, 0);
assert((long long)(p == NULL) == 1ll);
}
{
char *p = malloc(3); memset(p, 7, 3); p = realloc(p, 8);
assert((long long)((unsigned char)p[0]) == 7ll);
assert((long long)((unsigned char)p[1]) == 7ll);
assert((long long)((unsigned char)p[2]) == 7ll);
p = realloc(p, 0);
assert((long long)(p == NULL) == 1ll);
}
  return 0;
}
