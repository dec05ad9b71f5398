/* A queue of jobs that own their names. */
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct job {
  char *name;
  struct job *next;
};

struct queue {
  struct job *head, **tail;
};

static void enqueue(struct queue *q, char letter) {
  struct job *j = malloc(sizeof *j);
  if (j == NULL) abort();
  j->name = malloc(2);
  if (j->name == NULL) abort();
  j->name[0] = letter;
  j->name[1] = '\0';
  j->next = NULL;
  *q->tail = j;
  q->tail = &j->next;
}

static char dequeue(struct queue *q) {
  struct job *j = q->head;
  if (j == NULL) return '\0';
  char letter = j->name[0];
  q->head = j->next;
  if (q->head == NULL) q->tail = &q->head;
  free(j->name);
  free(j);
  return letter;
}

int main(void) {
  struct queue q;
  q.head = NULL;
  q.tail = &q.head;
  enqueue(&q, 'a');
  if (__VERIFIER_nondet_bool()) {
    char letter = dequeue(&q);
    assert(letter == 'a');
  }
  enqueue(&q, 'b');
  char last = '\0', letter;
  while ((letter = dequeue(&q)) != '\0')
    last = letter;
  assert(last == 'b');
  return 0;
}
