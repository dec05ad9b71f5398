// ILP32: safe

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
static short *pick_short(short *a, short *b, int first) { return first ? a : b; }

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


static unsigned f_add(unsigned a, unsigned b) { return a + b; }
static unsigned f_xor(unsigned a, unsigned b) { return a ^ b; }
static unsigned f_second(unsigned a, unsigned b) { return a < b ? b : b + 1u; }
static unsigned (*const calls[3])(unsigned, unsigned) = {f_add, f_xor, f_second};
struct action { unsigned (*run)(unsigned, unsigned); unsigned left; };
static unsigned act(struct action a, unsigned x) { return a.run(a.left, x); }

static short a1[4] = {37, 3, 28, 14};
static short *p4;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  short *p2 = NULL;
  p2 = a1 + 3;
  union { unsigned word; unsigned short half[2]; unsigned char byte[4]; } u3;
  u3.word = 2877773253u;
  u3.half[1] ^= 9640;
  u3.byte[2] += (unsigned char)in1 + 28;
  mix(u3.word);
  p4 = &a1[2];
  struct node *list5 = NULL;
  list5 = push(list5, 0);
  list5 = push(list5, 5);
  p4[1] = -52;
  p2 += -3;
  memmove(p4, p2, 2 * sizeof *p4);
  short *p6 = NULL;
  p6 = pick_short(p4, p4, in0 == 1);
  mix(act((struct action){calls[1], 94u}, sum & 255u));
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a1[i])));
  mix(count(list5));
  drop_list(list5);
}

static const unsigned expected[9] = {1472446751u, 1472332063u, 1472348447u, 1472446751u, 1472332063u, 1472348447u, 1472446751u, 1472332063u, 1472348447u};
int main(void) {
  int in0 = 0, in1 = 0;
  in0 = __VERIFIER_nondet_int();
  if (in0 < 0 || in0 >= 3) return 0;
  in1 = __VERIFIER_nondet_int();
  if (in1 < 0 || in1 >= 3) return 0;
  run(in0, in1);
  if (sum != expected[in0 * 3 + in1]) reach_error();
  return 0;
}
