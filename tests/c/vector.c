/* A vector that doubles its room when it is full. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct vector {
  int *data;
  size_t size, room;
};

static int append(struct vector *v, int x) {
  if (v->size == v->room) {
    size_t room = v->room ? 2 * v->room : 1;
    int *data = realloc(v->data, room * sizeof(int));
    if (!data) return -1;
    v->data = data;
    v->room = room;
  }
  v->data[v->size++] = x;
  return 0;
}

static int at(const struct vector *v, size_t i) {
  assert(i < v->size);
  return v->data[i];
}

int main(void) {
  struct vector v = {0};
  int third = 0;
  for (int i = 0; i < 5; i++) {
    int x = __VERIFIER_nondet_int();
    if (i == 2) third = x;
    if (append(&v, x) < 0) {
      free(v.data);
      return 1;
    }
  }
  assert(v.size == 5 && v.room == 8);
  assert(at(&v, 2) == third);
  free(v.data);
  return 0;
}
