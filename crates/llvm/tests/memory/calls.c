#include <stdarg.h>
#include <stdlib.h>

typedef int (*op)(int *, int);
static int add(int *p, int k) { *p += k; return *p; }
static int sub(int *p, int k) { *p -= k; return *p; }
static int unused(int *p, int k) { return *p * k; }

static op table[] = { add, sub };
struct class { op run; void *(*make)(size_t); const char *name; };
static struct class classes[2] = { { add, malloc, "add" }, { sub, malloc, "sub" } };

static int apply(op f, int *p, int k) { return f(p, k); }

static op choose(int k) { return k ? table[k % 2] : classes[0].run; }

static int collect(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  int sum = 0;
  for (int i = 0; i < n; i++) sum += *va_arg(list, int *);
  for (int i = 0; i < n; i++) *va_arg(again, int *) = i;
  va_end(list);
  va_end(again);
  return sum;
}

struct wide { int a; double d; long l; };

static double mixed(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  double sum = 0;
  for (; *kinds; kinds++) {
    switch (*kinds) {
    case 'i': sum += va_arg(list, int); break;
    case 'd': sum += va_arg(list, double); break;
    case 'l': sum += va_arg(list, long long); break;
    case 'w': {
      struct wide w = va_arg(list, struct wide);
      sum += w.a + w.d + w.l;
      break;
    }
    }
  }
  va_end(list);
  return sum;
}

static int fact(int n, int *best) {
  int mine = n;
  if (n <= 1) {
    *best = mine;
    return 1;
  }
  int inner;
  int r = fact(n - 1, &inner) * mine;
  *best = inner + n;
  return r;
}

static int *escape(int *p) {
  static int *last;
  int *old = last;
  last = p;
  return old;
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void sort(void *base, int n, int size, int (*cmp)(const void *, const void *)) {
  for (int i = 1; i < n; i++)
    for (char *p = (char *)base + i * size; p > (char *)base && cmp(p - size, p) > 0; p -= size)
      for (int k = 0; k < size; k++) {
        char t = p[k];
        p[k] = p[k - size];
        p[k - size] = t;
      }
}

/* Takes anything, says C. */
static int anything() { return 3; }

int main(void) {
  int x = 5, y = 6, z = 7;
  if (apply(table[1], &x, 2) != 3) return 1;
  if (choose(0)(&y, 4) != 10) return 2;
  if (choose(3)(&y, 4) != 6) return 3;
  for (int i = 0; i < 2; i++) {
    int *p = classes[i].make(sizeof *p);
    *p = i;
    classes[i].run(p, 3);
    if (classes[i].name[0] != (i ? 's' : 'a')) return 4;
  }
  if (collect(3, &x, &y, &z) != 16 || x != 0 || z != 2) return 5;
  struct wide w = { 1, 2.5, 3 };
  if (mixed("idlwi", 1, 0.5, 2LL, w, 4) != 14) return 6;
  int best;
  if (fact(5, &best) != 120 || best != 15) return 7;
  escape(&x);
  *escape(&y) = 42;
  if (x != 42) return 8;
  int a[] = { 3, 1, 2 };
  sort(a, 3, sizeof(int), compare);
  if (a[0] != 1 || a[1] != 2 || a[2] != 3) return 9;
  op any = (op)anything;
  if (any(&x, 1) != 3) return 10;
  op none = unused;
  return none == add;
}
