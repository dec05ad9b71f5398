// LP64: deref

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

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static void swap_unsigned(unsigned *a, unsigned *b) {
  unsigned t = *a;
  *a = *b;
  *b = t;
}

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


static unsigned f_add(unsigned a, unsigned b) { return a + b; }
static unsigned f_xor(unsigned a, unsigned b) { return a ^ b; }
static unsigned f_second(unsigned a, unsigned b) { return a < b ? b : b + 1u; }
static unsigned (*const calls[3])(unsigned, unsigned) = {f_add, f_xor, f_second};
struct action { unsigned (*run)(unsigned, unsigned); unsigned left; };
static unsigned act(struct action a, unsigned x) { return a.run(a.left, x); }

static unsigned a1[1] = {61};
static unsigned *g2 = &a1[0];
static unsigned char a3[3] = {79, 8, 17};
static unsigned char *g4 = &a3[2];
static unsigned *p5;
static unsigned char *p8;
static unsigned *p9;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  mix(calls[1](sum, 417u));
  p5 = a1 + 0;
  struct tree *t6 = NULL;
  t6 = insert(t6, 13);
  mix(sum_tree(t6));
  drop_tree(t6);
  for (int i = 0; i <= 1; i++) mix((unsigned)(g2[i]));
  unsigned **pp7 = &p5;
  *pp7 = *pp7 + 0;
  (*pp7)[0] = (*pp7)[0];
  p8 = &a3[1];
  mix((unsigned)(g2[0]));
  p9 = &a1[0];
  swap_unsigned(p9, p9);
  for (int i = 0; i < 1; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 3; i++) mix((unsigned)(*(&a3[i])));
}

#ifdef NATIVE
extern unsigned result;
#define main program
#endif
int main(void) {
  int in0 = 0, in1 = 0;
  in0 = __VERIFIER_nondet_int();
  if (in0 < 0 || in0 >= 3) return 0;
  run(in0, in1);
#ifdef NATIVE
  result = sum;
#endif
  return 0;
}
