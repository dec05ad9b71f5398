/* search.h, stdlib.h: lists, trees and tables of the library. */

typedef int (*lariat_search_order)(const void *, const void *);

/* Appends a copy of the key if it is not there. */
MODEL void *lsearch(const void *key, void *base, size_t *count, size_t size, lariat_search_order compare) {
  char *bytes = base;
  for (size_t i = 0; i < *count; i++)
    if (compare(key, bytes + i * size) == 0) return bytes + i * size;
  char *new = bytes + *count * size;
  memcpy(new, key, size);
  ++*count;
  return new;
}

struct lariat_queue {
  struct lariat_queue *next, *before;
};

MODEL void insque(struct lariat_queue *new, struct lariat_queue *before) {
  if (!before) {
    new->next = new->before = NULL;
    return;
  }
  struct lariat_queue *next = before->next;
  before->next = new;
  if (next) next->before = new;
  new->next = next;
  new->before = before;
}

MODEL void remque(struct lariat_queue *old) {
  if (old->next) old->next->before = old->before;
  if (old->before) old->before->next = old->next;
}

/* A tree is a list in order: its shape, which a walk shows, is any. How often keys are compared is left open. */
struct lariat_tree {
  const void *key;
  struct lariat_tree *next;
};

void free(void *);

/* Where the key is, or belongs: the place that leads there. */
static struct lariat_tree **lariat_tree_find(const void *key, struct lariat_tree **at, lariat_search_order compare, _Bool *there) {
  *there = 0;
  for (; *at; at = &(*at)->next) {
    int order = compare(key, (*at)->key);
    *there = order == 0;
    if (order <= 0) break;
  }
  return at;
}

MODEL void *tfind(const void *key, struct lariat_tree *const *root, lariat_search_order compare) {
  _Bool there;
  if (!root) return NULL;
  struct lariat_tree **at = lariat_tree_find(key, (struct lariat_tree **)root, compare, &there);
  return there ? *at : NULL;
}

MODEL void *tsearch(const void *key, struct lariat_tree **root, lariat_search_order compare) {
  _Bool there;
  if (!root) return NULL;
  struct lariat_tree **at = lariat_tree_find(key, root, compare, &there);
  if (there) return *at;
  struct lariat_tree *new = malloc(sizeof *new);
  if (!new) return NULL;
  new->key = key;
  new->next = *at;
  *at = new;
  return new;
}

/* Returns what was above it: some other node; of the last one, any address. */
MODEL void *tdelete(const void *key, struct lariat_tree **root, lariat_search_order compare) {
  static struct lariat_tree nobody;
  _Bool there;
  if (!root) return NULL;
  struct lariat_tree **at = lariat_tree_find(key, root, compare, &there);
  if (!there) return NULL;
  struct lariat_tree *old = *at;
  *at = old->next;
  free(old);
  struct lariat_tree *other = *root;
  while (other && other->next && __VERIFIER_nondet_bool()) other = other->next;
  return other ? other : &nobody;
}

MODEL void tdestroy(struct lariat_tree *root, void (*run)(void *)) {
  while (root) {
    struct lariat_tree *next = root->next;
    run((void *)root->key);
    free(root);
    root = next;
  }
}

/* Part of a tree, of so many nodes: any of them is on top. */
static void lariat_tree_walk(struct lariat_tree *first, size_t n, int depth, void (*run)(const void *, int, int),
                             void (*run_with)(const void *, int, void *), void *closure) {
  if (n == 0) return;
  size_t left = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(left < n);
  struct lariat_tree *top = first;
  for (size_t i = 0; i < left; i++) top = top->next;
#define LARIAT_VISIT(when)               \
  do {                                   \
    if (run)                             \
      run(top, when, depth);             \
    else                                 \
      run_with(top, when, closure);      \
  } while (0)
  if (n == 1) {
    LARIAT_VISIT(3);
    return;
  }
  LARIAT_VISIT(0);
  lariat_tree_walk(first, left, depth + 1, run, run_with, closure);
  LARIAT_VISIT(1);
  lariat_tree_walk(top->next, n - left - 1, depth + 1, run, run_with, closure);
  LARIAT_VISIT(2);
}

static size_t lariat_tree_size(const struct lariat_tree *root) {
  size_t n = 0;
  for (; root; root = root->next) n++;
  return n;
}

MODEL void twalk(struct lariat_tree *root, void (*run)(const void *, int, int)) {
  if (run) lariat_tree_walk(root, lariat_tree_size(root), 0, run, NULL, NULL);
}

MODEL void twalk_r(struct lariat_tree *root, void (*run)(const void *, int, void *), void *closure) {
  if (run) lariat_tree_walk(root, lariat_tree_size(root), 0, NULL, run, closure);
}

/* The table of hsearch. There is room for as many entries as were asked for, and perhaps for more. */
struct lariat_entry { char *key; void *data; };
struct lariat_table { struct lariat_entry entry; struct lariat_table *next; };
static struct lariat_table *lariat_table_first;
static size_t lariat_table_room, lariat_table_used;
static _Bool lariat_table_made;

MODEL int hcreate(size_t room) {
  if (lariat_table_made) return 0;
  lariat_table_made = 1;
  lariat_table_room = room;
  lariat_table_used = 0;
  return 1;
}

MODEL void hdestroy(void) {
  while (lariat_table_first) {
    struct lariat_table *next = lariat_table_first->next;
    free(lariat_table_first);
    lariat_table_first = next;
  }
  lariat_table_made = 0;
}

MODEL struct lariat_entry *hsearch(struct lariat_entry wanted, int enter) {
  for (struct lariat_table *at = lariat_table_first; at; at = at->next) {
    size_t i = 0;
    while (wanted.key[i] && wanted.key[i] == at->entry.key[i]) i++;
    if (wanted.key[i] == at->entry.key[i]) return &at->entry;
  }
  struct lariat_table *new = NULL;
  _Bool full = !lariat_table_made || (lariat_table_used >= lariat_table_room && __VERIFIER_nondet_bool());
  if (enter && !full) new = malloc(sizeof *new);
  if (!new) {
    *__errno_location() = enter ? 12 : 3;
    return NULL;
  }
  new->entry = wanted;
  new->next = lariat_table_first;
  lariat_table_first = new;
  lariat_table_used++;
  return &new->entry;
}
