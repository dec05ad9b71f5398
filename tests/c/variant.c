/* Values of several types in one tagged union. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

struct value {
  enum { NUMBER, PAIR } kind;
  union {
    int number;
    struct value *pair[2];
  } as;
};

static struct value *number(int n) {
  struct value *v = malloc(sizeof(struct value));
  if (!v) exit(1);
  v->kind = NUMBER;
  v->as.number = n;
  return v;
}

static struct value *pair(struct value *a, struct value *b) {
  struct value *v = malloc(sizeof *v);
  if (!v) exit(1);
  v->kind = PAIR;
  v->as.pair[0] = a;
  v->as.pair[1] = b;
  return v;
}

static int first(const struct value *v) {
  while (v->kind == PAIR)
    v = v->as.pair[0];
  return v->as.number;
}

static void drop(struct value *v) {
  if (v->kind == PAIR) {
    drop(v->as.pair[0]);
    drop(v->as.pair[1]);
  }
  free(v);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  struct value *v = number(n);
  if (__VERIFIER_nondet_bool())
    v = pair(v, number(7));
  assert(first(v) == n);
  drop(v);
  return 0;
}
