#include <stdlib.h>
#include <string.h>

struct node { int v; struct node *next; };
struct entry { char c; long l; int *p; };
struct pair { int k; int *p; };

int numbers[10], passed, pointee[2], measured[10];
struct entry table[4];
struct pair copied, source;
struct node *head;
static const int primes[] = { 2, 3, 5, 7 };

static int up(int k) { return k + 1; }
static int down(int k) { return k - 1; }
struct { int (*up)(int), (*down)(int); } operations = { up, down };

/* The integer member says nothing about the pointer. */
struct { int kind; union { int i; int *p; } u; } tagged;

/* An address of a member leads back to the structure. */
struct { char c; int k; } whole;
#define WHOLE(p) ((char *)(p) - (unsigned long)(&((__typeof__(whole) *)0)->k))

/* An error code in place of an address. */
int valid;
static int *lookup(int k) { return k ? &valid : (int *)-12; }

static void increment(int *p) { ++*p; }

struct node *make_node(int v) {
  struct node *n = malloc(sizeof *n);
  n->v = v;
  n->next = head;
  return head = n;
}

static long once(void) {
  long *p = malloc(sizeof *p);
  *p = 3;
  return *p;
}

int main(int argc, char **argv) {
  for (int i = 0; i < 10; i++) numbers[i] = primes[i % 4];
  for (int i = 0; i < argc; i++) make_node(i)->v++;
  table[argc].c = 1;
  table[argc].l = 2;
  table[argc].p = &numbers[argc];
  source.k = 1;
  source.p = &pointee[1];
  pointee[0] = 1;
  copied = source;
  *copied.p = copied.k;
  increment(&passed);
  if (argc) {
    tagged.kind = 0;
    tagged.u.i = 3;
  } else {
    tagged.u.p = &pointee[0];
  }
  int r = tagged.kind ? *tagged.u.p : tagged.u.i;
  int *member = &whole.k;
  *member = 1;
  *WHOLE(member) = 2;
  int *found = lookup(argc);
  if (found != (int *)-12) *found = 1;
  /* A difference of pointers is a number. */
  int *from = measured, *to = measured + argc;
  long length = to - from;
  memset(measured, 0, sizeof measured);
  measured[argc] = 1;
  return r + operations.up(argc) + operations.down(argc) + (int)length + (int)once();
}
