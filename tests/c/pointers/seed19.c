// LP64: safe

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

static int a2[3] = {33, 52, 41};
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  unsigned char a1[4] = {67, 37, 74, 18};
  long long a3[1] = {39};
  struct node *list4 = NULL;
  list4 = push(list4, 8);
  if (in0 > 2) {
    if (list4) list4 = list4->next;
  }
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 3; i++) mix((unsigned)(*(&a2[i])));
  for (int i = 0; i < 1; i++) mix((unsigned)(*(&a3[i])));
  mix(count(list4));
  drop_list(list4);
}

static const unsigned expected[1] = {2785731282u};
int main(void) {
  int in0 = 0, in1 = 0;
  run(in0, in1);
  if (sum != expected[in0 * 1 + in1]) reach_error();
  return 0;
}
