/* strings.h: the number of the lowest bit that is set. */

MODEL int ffs(int x) { return x ? __builtin_ctz((unsigned)x) + 1 : 0; }
MODEL int ffsl(long x) { return x ? __builtin_ctzl((unsigned long)x) + 1 : 0; }
MODEL int ffsll(long long x) { return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0; }
