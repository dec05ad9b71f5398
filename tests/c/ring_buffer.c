/* A ring buffer whose size is a power of two; positions wrap by masking. */
#include <assert.h>
#include <stdbool.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

#define SIZE 4u

struct ring {
  unsigned head, tail;
  unsigned char data[SIZE];
};

static bool put(struct ring *r, unsigned char byte) {
  if (r->head - r->tail == SIZE) return false;
  r->data[r->head & (SIZE - 1)] = byte;
  r->head++;
  return true;
}

static bool get(struct ring *r, unsigned char *byte) {
  if (r->head == r->tail) return false;
  *byte = r->data[r->tail & (SIZE - 1)];
  r->tail++;
  return true;
}

int main(void) {
  struct ring r = {4294967294u, 4294967294u, {0}};
  unsigned char first = __VERIFIER_nondet_uchar(), byte = 0;
  put(&r, first);
  for (int i = 0; i < 4; i++) {
    bool stored = put(&r, (unsigned char)i);
    assert(stored == (i < 3));
  }
  bool some = get(&r, &byte);
  assert(some && byte == first);
  int count = 0;
  while (get(&r, &byte)) {
    assert(byte == count);
    count++;
  }
  assert(count == 3);
  return 0;
}
