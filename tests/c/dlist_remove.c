/* A ring of doubly linked nodes with a sentinel; one node is unlinked and freed. */
#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct link {
  struct link *prev, *next;
  unsigned id;
};

static void insert_after(struct link *at, struct link *fresh) {
  fresh->prev = at;
  fresh->next = at->next;
  at->next->prev = fresh;
  at->next = fresh;
}

static void unlink_node(struct link *node) {
  node->prev->next = node->next;
  node->next->prev = node->prev;
  free(node);
}

int main(void) {
  struct link ring = {&ring, &ring, 99};
  for (unsigned i = 0; i < 2; i++) {
    struct link *fresh = malloc(sizeof *fresh);
    if (!fresh) abort();
    fresh->id = i;
    insert_after(ring.prev, fresh);
  }
  unsigned victim = __VERIFIER_nondet_uint() % 2;
  for (struct link *l = ring.next; l != &ring; l = l->next)
    if (l->id == victim) {
      unlink_node(l);
      break;
    }
  int left = 0;
  while (ring.next != &ring) {
    assert(ring.next->id != victim);
    unlink_node(ring.next);
    left++;
  }
  assert(left == 1);
  return 0;
}
