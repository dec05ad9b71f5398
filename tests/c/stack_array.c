/* A bounded stack of numbers that refuses what does not fit. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

#define DEPTH 3

static int items[DEPTH];
static int top;

static int push(int x) {
  if (top == DEPTH) return 0;
  items[top++] = x;
  return 1;
}

static int pop(int *x) {
  if (top == 0) return 0;
  *x = items[--top];
  return 1;
}

int main(void) {
  int pushed = 0, popped = 0;
  for (int step = 0; step < 5; step++) {
    int x = 0;
    if (__VERIFIER_nondet_bool())
      pushed += push(__VERIFIER_nondet_int());
    else
      popped += pop(&x);
    assert(top == pushed - popped);
    assert(top >= 0 && top <= DEPTH);
  }
  return 0;
}
