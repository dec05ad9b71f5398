/* Sets of permissions in the bits of a word. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

enum permission { READ, WRITE, EXECUTE, OWN, PERMISSIONS = 32 };

static unsigned grant(unsigned set, unsigned which) {
  if (which >= PERMISSIONS) return set;
  return set | 1u << which;
}

static unsigned revoke(unsigned set, unsigned which) {
  return which >= PERMISSIONS ? set : set & ~(1u << which);
}

static int has(unsigned set, unsigned which) {
  return which < PERMISSIONS && (set >> which & 1u) != 0;
}

static unsigned of_level(int level) {
  assert(level >= 0 && level <= 4);
  return (1u << level) - 1u;
}

int main(void) {
  unsigned set = __VERIFIER_nondet_uint(), which = __VERIFIER_nondet_uint();
  unsigned granted = grant(set, which);
  if (which < PERMISSIONS) assert(has(granted, which));
  assert(!has(revoke(granted, which), which));
  assert((granted & set) == set);
  int level = (int)(__VERIFIER_nondet_uint() & 3u);
  assert(has(of_level(level), OWN) == (level == 4));
  assert(has(of_level(level + 1), READ));
  return 0;
}
