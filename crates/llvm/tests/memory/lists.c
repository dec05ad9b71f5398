#include <stdlib.h>

/* Lists with the links inside the elements, at different places of different structures. */
struct link { struct link *next, *prev; };
struct first { int key; struct link link; long value; };
struct second { struct link link; char tag; };

static struct link all = { &all, &all };

static void insert(struct link *at, struct link *new) {
  new->next = at->next;
  new->prev = at;
  at->next->prev = new;
  at->next = new;
}

#define CONTAINER(p, type, member) ((type *)((char *)(p) - __builtin_offsetof(type, member)))

/* The same, as it was written before there was `offsetof`. */
#define OLD_CONTAINER(p, type, member) ((type *)((char *)(p) - (unsigned long)(&((type *)0)->member)))

struct node { int v; struct node *next; };

static struct node *reverse(struct node *list) {
  struct node *done = 0;
  while (list) {
    struct node *next = list->next;
    list->next = done;
    done = list;
    list = next;
  }
  return done;
}

/* A binary tree, recursively. */
struct tree { struct tree *child[2]; int key; };

static struct tree *grow(struct tree *t, int key) {
  if (!t) {
    t = calloc(1, sizeof *t);
    t->key = key;
    return t;
  }
  t->child[key > t->key] = grow(t->child[key > t->key], key);
  return t;
}

static int depth(struct tree *t) {
  if (!t) return 0;
  int l = depth(t->child[0]), r = depth(t->child[1]);
  return 1 + (l > r ? l : r);
}

int main(void) {
  struct first a[3];
  struct second *b = malloc(2 * sizeof *b);
  for (int i = 0; i < 3; i++) {
    a[i].key = i;
    a[i].value = 10 * i;
    insert(&all, &a[i].link);
  }
  for (int i = 0; i < 2; i++) {
    b[i].tag = (char)('x' + i);
    insert(all.prev, &b[i].link);
  }
  int count = 0;
  for (struct link *l = all.next; l != &all; l = l->next) count++;
  if (count != 5) return 1;
  if (CONTAINER(all.next, struct first, link)->value != 20) return 2;
  if (CONTAINER(all.prev, struct second, link)->tag != 'y') return 3;
  if (OLD_CONTAINER(all.next, struct first, link)->key != 2) return 6;
  struct node *list = 0;
  for (int i = 0; i < 4; i++) {
    struct node *n = malloc(sizeof *n);
    n->v = i;
    n->next = list;
    list = n;
  }
  list = reverse(list);
  for (int i = 0; i < 4; i++) {
    if (list->v != i) return 4;
    struct node *old = list;
    list = list->next;
    free(old);
  }
  struct tree *t = 0;
  int keys[] = { 4, 2, 6, 1, 3, 5, 7 };
  for (int i = 0; i < 7; i++) t = grow(t, keys[i]);
  return depth(t) == 3 ? 0 : 5;
}
