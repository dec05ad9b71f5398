/* A search tree: recursive insertion, look-up, sum and disposal. */
#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct tree {
  struct tree *left, *right;
  int key;
};

static struct tree *insert(struct tree *t, int key) {
  if (t == NULL) {
    t = malloc(sizeof *t);
    if (t == NULL) abort();
    t->left = t->right = NULL;
    t->key = key;
  } else if (key < t->key) {
    t->left = insert(t->left, key);
  } else if (key > t->key) {
    t->right = insert(t->right, key);
  }
  return t;
}

static int contains(const struct tree *t, int key) {
  while (t && t->key != key)
    t = key < t->key ? t->left : t->right;
  return t != NULL;
}

static void dispose(struct tree *t) {
  if (t == NULL) return;
  dispose(t->left);
  dispose(t->right);
  free(t);
}

int main(void) {
  int a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  struct tree *t = insert(NULL, a);
  t = insert(t, b);
  assert(contains(t, a) && contains(t, b));
  assert(!contains(t, 256));
  dispose(t);
  return 0;
}
