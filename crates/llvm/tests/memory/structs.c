#include <stdlib.h>
#include <string.h>

struct small { char c; short s; };
struct inner { int a; int *p; struct small s[3]; };
struct outer { struct inner i; struct inner j; long l; };

static int x = 1, y = 2;
static struct outer table[3] = { { { 1, &x, { { 'a', 1 } } }, { 2, &y, { { 'b', 2 } } }, 7 } };
static struct outer other;

static struct inner made(int a, int *p) {
  struct inner r = { a, p, { { 'c', 3 }, { 'd', 4 } } };
  return r;
}

static int taken(struct outer o, struct small s) {
  o.i.a += s.s;
  *o.j.p += 1;
  return o.i.a;
}

static struct small pick(struct inner *i, int k) { return i->s[k]; }

struct bits { unsigned a : 3, b : 7; int c : 12; long long d : 40; };

static int matrix[4][5];

int main(void) {
  other = table[0];
  other.i.a = 5;
  if (*other.i.p != 1 || *other.j.p != 2) return 1;
  for (int i = 0; i < 3; i++) table[i].j = made(i, i % 2 ? &x : &y);
  *table[1].j.p = 9;
  if (x != 9) return 2;
  struct small s = pick(&table[1].j, 1);
  if (s.c != 'd' || s.s != 4) return 3;
  if (taken(other, s) != 9 || y != 3 || other.i.a != 5) return 4;
  struct bits b = { 1, 100, -5, 77 };
  b.a += 3;
  b.d--;
  if (b.a != 4 || b.b != 100 || b.c != -5 || b.d != 76) return 5;
  int (*row)[5] = matrix;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++) row[i][j] = i * j;
  int *flat = &matrix[0][0];
  int sum = 0;
  for (int i = 0; i < 20; i++) sum += *flat++;
  if (sum != 60) return 6;
  int n = 6;
  int vla[n];
  for (int i = 0; i < n; i++) vla[i] = i;
  int *p = vla + n - 1;
  while (p > vla) p[-1] += *p, p--;
  if (vla[0] != 15) return 7;
  struct outer *heap = malloc(2 * sizeof *heap);
  heap[1] = other;
  heap[0] = heap[1];
  memset(&heap[1], 0, sizeof heap[1]);
  if (heap[0].i.a != 5 || heap[1].i.p || heap[0].i.s[0].c != 'a') return 8;
  heap = realloc(heap, 4 * sizeof *heap);
  heap[3] = heap[0];
  return *heap[3].j.p == 3 ? 0 : 9;
}
