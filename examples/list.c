// Use after free. All elements of a list are freed, and the loop reads the link of an element that is gone. The report says where
// the block was allocated and where it was freed. The usual repair is to keep the next element before the current one is freed.
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct element {
  struct element *next;
  int value;
};

static struct element *push(struct element *list, int value) {
  struct element *e = malloc(sizeof *e);
  e->next = list;
  e->value = value;
  return e;
}

static void clear(struct element *list) {
  for (struct element *e = list; e != NULL; e = e->next) free(e);
}

int main(void) {
  struct element *list = NULL;
  unsigned n = __VERIFIER_nondet_uchar() % 3;
  for (unsigned i = 0; i < n; i++) list = push(list, (int)i);
  clear(list);
  return 0;
}
