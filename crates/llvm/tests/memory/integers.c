#include <stdint.h>
#include <stdlib.h>

/* Addresses as integers. */
static int a[8], b[8];
static uintptr_t kept;
static uintptr_t pile[3];

static uintptr_t hide(void *p) { return (uintptr_t)p ^ 0x5555; }
static void *find(uintptr_t h) { return (void *)(h ^ 0x5555); }

struct x { uintptr_t both; int v; };

static void copy_bytes(void *to, const void *from, int n) {
  char *d = to;
  const char *s = from;
  while (n--) *d++ = *s++;
}

struct holder { int *p; int n; };

int main(void) {
  for (int i = 0; i < 8; i++) a[i] = i, b[i] = 10 + i;
  kept = (uintptr_t)&a[2];
  kept += 4;
  if (*(int *)kept != 3) return 1;
  for (int i = 0; i < 3; i++) pile[i] = (uintptr_t)(a + i);
  for (int i = 0; i < 3; i++)
    if (*(int *)(pile[i] + i * sizeof(int)) != 2 * i) return 2;
  int *h = find(hide(&b[3]));
  *h = 77;
  if (b[3] != 77) return 3;
  /* A tag in the lowest bit. */
  uintptr_t tagged = (uintptr_t)&b[4] | 1;
  if (tagged & 1) *(int *)(tagged & ~(uintptr_t)1) = 5;
  if (b[4] != 5) return 4;
  /* Two addresses in one integer. */
  struct x first = { 0, 1 }, last = { 0, 2 };
  first.both = (uintptr_t)0 ^ (uintptr_t)&last;
  last.both = (uintptr_t)&first ^ (uintptr_t)0;
  struct x *next = (struct x *)(first.both ^ 0);
  if (next->v != 2) return 5;
  /* Byte by byte. */
  struct holder from = { &a[5], 3 }, to = { 0, 0 };
  copy_bytes(&to, &from, sizeof from);
  *to.p = 99;
  if (a[5] != 99 || to.n != 3) return 6;
  /* Differences. */
  long d = &a[6] - &a[1];
  char *c = (char *)&a[1] + d * (long)sizeof(int);
  *(int *)c = 66;
  if (a[6] != 66 || d != 5) return 7;
  int *mid = (int *)(((uintptr_t)&a[0] + (uintptr_t)&a[4]) / 2);
  (void)mid;
  /* Halves. */
  uintptr_t whole = (uintptr_t)&b[1], copy = 0;
  unsigned short *pieces = (unsigned short *)&whole, *into = (unsigned short *)&copy;
  for (unsigned i = 0; i < sizeof whole / 2; i++) into[i] = pieces[i];
  *(int *)copy = 11;
  return b[1] == 11 ? 0 : 8;
}
