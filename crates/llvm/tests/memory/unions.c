#include <string.h>

union word { unsigned u; float f; unsigned char b[4]; unsigned short h[2]; };
union mixed { long l; int *p; double d; char c[8]; };
struct variant { int kind; union { int i; int *p; struct { short a, b; } s; } u; };

union pieces { int *p; unsigned short h[sizeof(int *) / 2]; };

static int target = 4;
static struct variant all[3];

static int get(struct variant *v) {
  switch (v->kind) {
  case 0: return v->u.i;
  case 1: return *v->u.p;
  default: return v->u.s.a + v->u.s.b;
  }
}

static unsigned read_le(const unsigned char *p) {
  return p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24;
}

int main(void) {
  union word w;
  w.f = 1.0f;
  if (w.u != 0x3f800000) return 1;
  w.b[0] = 1;
  if (w.h[0] != 1) return 2;
  union mixed m, n;
  m.p = &target;
  n = m;
  *n.p = 6;
  if (target != 6) return 3;
  memcpy(&m.c, &n, sizeof n);
  int *copy;
  memcpy(&copy, m.c, sizeof copy);
  *copy = 8;
  if (target != 8) return 4;
  all[0].kind = 0, all[0].u.i = 1;
  all[1].kind = 1, all[1].u.p = &target;
  all[2].kind = 2, all[2].u.s.a = 3, all[2].u.s.b = 4;
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += get(&all[i]);
  if (sum != 16) return 5;
  unsigned value = 0x12345678;
  if (read_le((unsigned char *)&value) != value) return 6;
  long wide = 0;
  int *half = (int *)&wide;
  half[0] = 3;
  if ((int)wide != 3) return 7;
  /* A pointer in pieces: written whole and read in pieces, written in pieces and read whole. */
  union pieces from, to;
  from.p = &target;
  to.h[0] = from.h[0];
  to.h[1] = from.h[1];
  if (sizeof(int *) == 8) {
    to.h[2] = from.h[2];
    to.h[3] = from.h[3];
  }
  *to.p = 9;
  if (target != 9) return 10;
  /* The same, with the writes after the reads in the text. */
  union pieces early, late;
  for (int i = 0; i < 2; i++) {
    if (i) {
      late.h[0] = early.h[0];
      late.h[1] = early.h[1];
      if (sizeof(int *) == 8) {
        late.h[2] = early.h[2];
        late.h[3] = early.h[3];
      }
      *late.p = 12;
    }
    early.p = &target;
  }
  if (target != 12) return 11;
  /* A pointer stored through one type, loaded through another. */
  int *p = &target, **pp = &p;
  void **vp = (void **)pp;
  *(int *)*vp = 10;
  if (target != 10) return 8;
  long as_long = *(long *)&p;
  int *back = *(int **)&as_long;
  return *back == 10 ? 0 : 9;
}
