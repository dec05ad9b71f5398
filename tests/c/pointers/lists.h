// Lists.

struct node { int value; struct node *next; };
static struct node *push(struct node *list, int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = list;
  return n;
}
static unsigned count(const struct node *list) {
  unsigned n = 0;
  for (; list; list = list->next) n = n * 3u + (unsigned)list->value;
  return n;
}
static struct node *reverse(struct node *list) {
  struct node *done = NULL;
  while (list) {
    struct node *next = list->next;
    list->next = done;
    done = list;
    list = next;
  }
  return done;
}
static void delete_value(struct node **link, int value) {
  while (*link) {
    struct node *n = *link;
    if (n->value == value) {
      *link = n->next;
      free(n);
    } else {
      link = &n->next;
    }
  }
}
static void drop_list(struct node *list) {
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}
