// Search trees.

struct tree { int key; struct tree *child[2]; };
static struct tree *insert(struct tree *t, int key) {
  if (!t) {
    t = calloc(1, sizeof *t);
    t->key = key;
  } else if (t->key != key) {
    struct tree **side = &t->child[key > t->key];
    *side = insert(*side, key);
  }
  return t;
}
static unsigned sum_tree(const struct tree *t) {
  return t ? (unsigned)t->key + 2u * sum_tree(t->child[0]) + 3u * sum_tree(t->child[1]) : 1u;
}
static void drop_tree(struct tree *t) {
  if (!t) return;
  drop_tree(t->child[0]);
  drop_tree(t->child[1]);
  free(t);
}
