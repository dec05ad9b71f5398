#include <stdlib.h>
#include <string.h>

struct pair { int *p; int k; };
struct many { struct pair a[4]; int n; };
static int x = 1, y = 2;
static const struct pair start[2] = { { &x, 1 }, { &y, 2 } };
static char text[16];
static int shifted[8];

static void *keep(const void *from, size_t n) {
  void *to = malloc(n);
  memcpy(to, from, n);
  return to;
}

static void through(struct many *m) {
  struct many copy = *m, chain = copy;
  *chain.a[1].p = 20;
  m->n = chain.n + 1;
}

int main(void) {
  struct many m;
  memset(&m, 0, sizeof m);
  memcpy(m.a, start, sizeof start);
  m.n = 2;
  through(&m);
  if (y != 20 || m.n != 3) return 1;
  struct pair *kept = keep(start, sizeof start);
  *kept[0].p = 30;
  if (x != 30) return 2;
  struct pair *one = keep(&m.a[1], sizeof(struct pair));
  if (*one->p != 20) return 3;
  strcpy(text, "");
  memcpy(text, "hello", 6);
  if (text[4] != 'o') return 4;
  for (int i = 0; i < 8; i++) shifted[i] = i;
  memmove(shifted, shifted + 1, 7 * sizeof(int));
  if (shifted[0] != 1 || shifted[6] != 7) return 5;
  memmove(&shifted[x % 7 + 1], &shifted[0], 2 * sizeof(int));
  if (shifted[4] != 2) return 6;
  /* A copy that ends within a value. */
  long whole = 0x1122334455667788, part = 0;
  memcpy(&part, &whole, 3);
  if (part != 0x667788 && sizeof(long) == 8) return 7;
  memset((char *)&part + 1, 0, 2);
  if (part != 0x88) return 8;
  unsigned bits;
  float f = 2.0f;
  memcpy(&bits, &f, sizeof bits);
  if (bits != 0x40000000) return 9;
  struct pair pairs[3], *last = &pairs[2];
  pairs[0] = start[0];
  pairs[1] = pairs[0];
  *last = pairs[1];
  *last->p = 3;
  if (x != 3) return 10;
  int *table[4];
  int **cursor = table;
  *cursor++ = &x;
  *cursor++ = &y;
  int *moved[4];
  memcpy(moved, table, (size_t)((char *)cursor - (char *)table));
  *moved[1] = 7;
  return y == 7 ? 0 : 11;
}
