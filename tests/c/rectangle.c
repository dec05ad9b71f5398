/* Rectangles as values: intersection and area. */
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct point {
  int x, y;
};

struct rectangle {
  struct point from, to;
};

static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }

static struct rectangle make(int x, int y, int width, int height) {
  struct rectangle r = {{x, y}, {x + width, y + height}};
  return r;
}

static struct rectangle intersect(struct rectangle a, struct rectangle b) {
  struct rectangle r;
  r.from.x = max(a.from.x, b.from.x);
  r.from.y = max(a.from.y, b.from.y);
  r.to.x = min(a.to.x, b.to.x);
  r.to.y = min(a.to.y, b.to.y);
  return r;
}

static int width(struct rectangle r) { return max(0, r.to.x - r.from.x); }

int main(void) {
  int x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();
  struct rectangle a = make(x, y, 10, 10), b = make(100, 100, 20, 20);
  struct rectangle c = intersect(a, b);
  assert(width(c) <= width(a) && width(c) <= width(b));
  if (x == 105) assert(width(c) == 10);
  assert((width(c) > 0) == (x > 90 && x < 120));
  return 0;
}
