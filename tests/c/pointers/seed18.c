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

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }

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

static unsigned short *p5;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  unsigned short a1[4] = {23, 61, 37, 58};
  int *p2;
  {
    int a3[2] = {1, 2};
    p2 = a3;
    mix((unsigned)p2[1]);
  }
  mix((unsigned)*p2);
  union { unsigned word; unsigned short half[2]; unsigned char byte[4]; } u4;
  u4.word = 3043969411u;
  u4.half[0] ^= 36874;
  u4.byte[3] += (unsigned char)45;
  mix(u4.word);
  p5 = &a1[3];
  struct node *list6 = NULL;
  list6 = push(list6, 4);
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a1[i])));
  mix(count(list6));
  drop_list(list6);
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
