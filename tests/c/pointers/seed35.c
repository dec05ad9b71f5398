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

static void drop_unsigned_char(unsigned char **p) {
  free(*p);
  *p = NULL;
}
static void drop_long_long(long long **p) {
  free(*p);
  *p = NULL;
}

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

static int a3[1] = {92};
static int *g4 = &a3[0];
static unsigned char *p6;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  short a1[4] = {72, 7, 95, 67};
  struct node *list2 = NULL;
  list2 = push(list2, 5);
  short *p5 = NULL;
  p5 = malloc(2 * sizeof(short));
  memset(p5, 184, 2 * sizeof(short));
  p6 = calloc(5, sizeof(unsigned char));
  for (size_t i = 0; i < 2 * sizeof(short); i++) mix(((unsigned char *)p5)[i]);
  long long *p7 = NULL;
  p7 = malloc(5 * sizeof(long long));
  memset(p7, 23, 5 * sizeof(long long));
  free(p5 + 0);
  unsigned short *p8 = NULL;
  p8 = malloc(4 * sizeof(unsigned short));
  memset(p8, 198, 4 * sizeof(unsigned short));
  memmove(p7, p7, 2 * sizeof *p7);
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 1; i++) mix((unsigned)(*(&a3[i])));
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&(p6 + 0)[i])));
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&(p7 + 0)[i])));
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&(p8 + 0)[i])));
  drop_unsigned_char(&p6);
  drop_long_long(&p7);
  free(p8 + 0);
  mix(count(list2));
  drop_list(list2);
}

static const unsigned expected[3] = {3102277067u, 3102277067u, 3102277067u};
int main(void) {
  int in0 = 0, in1 = 0;
  in0 = __VERIFIER_nondet_int();
  if (in0 < 0 || in0 >= 3) return 0;
  run(in0, in1);
  if (sum != expected[in0 * 1 + in1]) reach_error();
  return 0;
}
