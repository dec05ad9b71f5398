/* Reverses a list in place and checks the order. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

typedef struct cell {
  int key;
  struct cell *next;
} cell;

static cell *cons(int key, cell *next) {
  cell *c = malloc(sizeof(cell));
  if (c == NULL) exit(1);
  c->key = key;
  c->next = next;
  return c;
}

static cell *reverse(cell *list) {
  cell *done = NULL;
  while (list != NULL) {
    cell *rest = list->next;
    list->next = done;
    done = list;
    list = rest;
  }
  return done;
}

int main(void) {
  int first = __VERIFIER_nondet_int(), last = __VERIFIER_nondet_int();
  cell *list = cons(first, cons(0, cons(last, NULL)));
  list = reverse(list);
  if (list->key != last) reach_error();
  if (list->next->next->key != first) reach_error();
  int length = 0;
  for (cell *c = list; c; c = c->next)
    length++;
  if (length != 3) reach_error();
  while (list) {
    cell *rest = list->next;
    free(list);
    list = rest;
  }
  return 0;
}
