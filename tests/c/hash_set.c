/* A set of small keys with open addressing. */
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define SLOTS 4u
#define FREE 0u

static unsigned slots[SLOTS];
static unsigned used;

static unsigned hash(unsigned key) { return (key * 7u + 3u) % SLOTS; }

static int insert(unsigned key) {
  unsigned at = hash(key);
  for (unsigned i = 0; i < SLOTS; i++) {
    if (slots[at] == key) return 1;
    if (slots[at] == FREE) {
      slots[at] = key;
      used++;
      return 1;
    }
    at = (at + 1) % SLOTS;
  }
  return 0;
}

static int contains(unsigned key) {
  unsigned at = hash(key);
  for (unsigned i = 0; i < SLOTS && slots[at] != FREE; i++) {
    if (key == slots[at]) return 1;
    at = (at + 1) & (SLOTS - 1);
  }
  return 0;
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uchar() + 1u, b = __VERIFIER_nondet_uchar() + 1u;
  int both = insert(a) && insert(b);
  assert(both && contains(a) && contains(b));
  assert(used == (a == b ? 1u : 2u));
  assert(!contains(300));
  assert(100 / used >= 50);
  return 0;
}
