/* A pool of blocks that are handed out and given back, in static memory. */
#include <assert.h>
#include <stddef.h>

extern _Bool __VERIFIER_nondet_bool(void);

#define BLOCKS 3

union block {
  union block *next;
  char bytes[16];
};

static union block blocks[BLOCKS];
static union block *available;

static void start(void) {
  available = NULL;
  for (int i = 0; i < BLOCKS; i++) {
    blocks[i].next = available;
    available = &blocks[i];
  }
}

static void *take(void) {
  union block *b = available;
  if (b == NULL) return NULL;
  available = b->next;
  return b;
}

static void give(void *memory) {
  union block *b = memory;
  b->next = available;
  available = b;
}

int main(void) {
  start();
  char *a = take(), *b = take();
  assert(a != NULL && b != NULL && a != b);
  a[15] = 'x';
  b[0] = 'y';
  if (__VERIFIER_nondet_bool()) {
    give(a);
    assert(take() == a);
  }
  assert(b[0] == 'y');
  char *c = take();
  assert(c != NULL && c != a && c != b);
  assert(take() == NULL);
  return 0;
}
