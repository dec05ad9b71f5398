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
char *argv[] = {"p", "y", "-b", "--alpha", NULL}; int argc = 4;
struct option all[] = {{"alpha", 1, 0, 7}, {"beta", 2, 0, 8}, {0}}; (void)all; optind = 0; opterr = 0;
assert((long long)(getopt_long(argc, argv, "+ab:c", all, NULL)) == -1ll);
assert((long long)(optind) == 1ll);
assert((long long)(optarg ? optarg[0] : -1) == -1ll);
assert((long long)(optopt) == 0ll);
assert((long long)(getopt_long(argc, argv, "+ab:c", all, NULL)) == -1ll);
assert((long long)(optind) == 1ll);
assert((long long)(optarg ? optarg[0] : -1) == -1ll);
assert((long long)(optopt) == 0ll);
assert((long long)(getopt_long(argc, argv, "+ab:c", all, NULL)) == -1ll);
assert((long long)(optind) == 1ll);
assert((long long)(optarg ? optarg[0] : -1) == -1ll);
assert((long long)(optopt) == 0ll);
assert((long long)(argv[0][strlen(argv[0]) / 2]) == 112ll);
assert((long long)(argv[1][strlen(argv[1]) / 2]) == 121ll);
assert((long long)(argv[2][strlen(argv[2]) / 2]) == 98ll);
assert((long long)(argv[3][strlen(argv[3]) / 2]) == 108ll);
}
{
char *argv[] = {"p", "-c", "--al", "-c", "x", NULL}; int argc = 5;
struct option all[] = {{"alpha", 1, 0, 7}, {"beta", 2, 0, 8}, {0}}; (void)all; optind = 0; opterr = 0;
assert((long long)(getopt_long(argc, argv, ":ab:c", all, NULL)) == 99ll);
assert((long long)(optind) == 2ll);
assert((long long)(optarg ? optarg[0] : -1) == -1ll);
assert((long long)(optopt) == 0ll);
assert((long long)(getopt_long(argc, argv, ":ab:c", all, NULL)) == 7ll);
assert((long long)(optind) == 4ll);
assert((long long)(optarg ? optarg[0] : -1) == 45ll);
assert((long long)(optopt) == 0ll);
assert((long long)(getopt_long(argc, argv, ":ab:c", all, NULL)) == -1ll);
assert((long long)(optind) == 4ll);
assert((long long)(optarg ? optarg[0] : -1) == -1ll);
assert((long long)(optopt) == 0ll);
assert((long long)(argv[0][strlen(argv[0]) / 2]) == 112ll);
assert((long long)(argv[1][strlen(argv[1]) / 2]) == 99ll);
assert((long long)(argv[2][strlen(argv[2]) / 2]) == 97ll);
assert((long long)(argv[3][strlen(argv[3]) / 2]) == 99ll);
assert((long long)(argv[4][strlen(argv[4]) / 2]) == 120ll);
}
{
char *argv[] = {"p", "-ab", "x", "-beta", NULL}; int argc = 4;
struct option all[] = {{"alpha", 1, 0, 7}, {"beta", 2, 0, 8}, {0}}; (void)all; optind = 0; opterr = 0;
assert((long long)(getopt_long(argc, argv, "-ab:c", all, NULL)) == 97ll);
assert((long long)(optind) == 1ll);
assert((long long)(optarg ? optarg[0] : -1) == -1ll);
assert((long long)(optopt) == 0ll);
assert((long long)(getopt_long(argc, argv, "-ab:c", all, NULL)) == 98ll);
assert((long long)(optind) == 3ll);
assert((long long)(optarg ? optarg[0] : -1) == 120ll);
assert((long long)(optopt) == 0ll);
assert((long long)(getopt_long(argc, argv, "-ab:c", all, NULL)) == 98ll);
assert((long long)(optind) == 4ll);
assert((long long)(optarg ? optarg[0] : -1) == 101ll);
assert((long long)(optopt) == 0ll);
assert((long long)(argv[0][strlen(argv[0]) / 2]) == 112ll);
assert((long long)(argv[1][strlen(argv[1]) / 2]) == 97ll);
assert((long long)(argv[2][strlen(argv[2]) / 2]) == 120ll);
assert((long long)(argv[3][strlen(argv[3]) / 2]) == 101ll);
}
  return 0;
}
