/* A list of small numbers: built at its head, summed, freed. */
#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *head, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n) return head;
  n->value = value;
  n->next = head;
  return n;
}

static int sum(const struct node *head) {
  int total = 0;
  for (const struct node *n = head; n; n = n->next)
    total += n->value;
  return total;
}

static void free_all(struct node *head) {
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
}

int main(void) {
  struct node *list = NULL;
  int expected = 0;
  for (int i = 0; i < 4; i++) {
    int value = __VERIFIER_nondet_uchar();
    list = push(list, value);
    expected += value;
  }
  assert(sum(list) == expected);
  free_all(list);
  return 0;
}
