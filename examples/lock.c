// A rule for an interface: a lock is taken and released in turns. The rule is two assertions in the lock itself, as a driver's
// environment would have them. The loop repeats an unknown number of times; what has to be found out is that the lock is held after a round exactly
// if something has changed in it.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int held;

static void lock(void) {
  assert(!held);
  held = 1;
}

static void unlock(void) {
  assert(held);
  held = 0;
}

int main(void) {
  unsigned packets = 0, before;
  do {
    lock();
    before = packets;
    if (__VERIFIER_nondet_int()) {
      unlock();
      packets++;
    }
  } while (packets != before);
  unlock();
  return 0;
}
