// A queue of three numbers in a ring. Whatever is put in comes out in the same order, no access leaves the
// ring, and nothing overflows: `lariat check examples/queue.c --property all` proves it.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

#define SIZE 3

struct queue {
  int values[SIZE];
  unsigned first, count;
};

static int put(struct queue *q, int value) {
  if (q->count == SIZE) return 0;
  q->values[(q->first + q->count) % SIZE] = value;
  q->count++;
  return 1;
}

static int take(struct queue *q, int *value) {
  if (q->count == 0) return 0;
  *value = q->values[q->first];
  q->first = (q->first + 1) % SIZE;
  q->count--;
  return 1;
}

int main(void) {
  struct queue q = {{0}, 0, 0};
  q.first = __VERIFIER_nondet_uint() % SIZE;
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), out = 0;
  assert(put(&q, a) && put(&q, b));
  assert(take(&q, &out) && out == a);
  assert(put(&q, out) && put(&q, 7) && !put(&q, 8));
  assert(take(&q, &out) && out == b);
  assert(take(&q, &out) && out == a);
  assert(take(&q, &out) && out == 7 && !take(&q, &out));
  return 0;
}
