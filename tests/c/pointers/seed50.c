// ILP32: deref

typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;
#define NULL ((void *)0)
#define offsetof(t, m) __builtin_offsetof(t, m)
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int __VERIFIER_nondet_int(void);
void reach_error(void);

static unsigned sum;
static void mix(unsigned x) { sum = (sum << 5 | sum >> 27) ^ x; }


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

static short *p2;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  unsigned a1[4] = {10, 68, 40, 28};
  p2 = malloc(3 * sizeof(short));
  for (int i = 0; i < 3; i++) p2[i] = in1 + 16;
  free(p2 + 0);
  if (in0 == 2) {
    mix((unsigned)(*p2));
  }
  struct tree *t3 = NULL;
  t3 = insert(t3, 17);
  mix(sum_tree(t3));
  drop_tree(t3);
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a1[i])));
}

#ifdef NATIVE
extern unsigned result;
#define main program
#endif
int main(void) {
  int in0 = 0, in1 = 0;
  in0 = __VERIFIER_nondet_int();
  if (in0 < 0 || in0 >= 3) return 0;
  in1 = __VERIFIER_nondet_int();
  if (in1 < 0 || in1 >= 3) return 0;
  run(in0, in1);
#ifdef NATIVE
  result = sum;
#endif
  return 0;
}
