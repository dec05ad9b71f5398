/* pthread.h, threads.h: the one thread, and what runs once. Both kinds of flags are an int that is zero at first. */

MODEL int pthread_once(int *flag, void (*run)(void)) {
  if (*flag == 0) {
    *flag = 2;
    run();
  }
  return 0;
}

MODEL void call_once(int *flag, void (*run)(void)) {
  if (*flag == 0) {
    *flag = 2;
    run();
  }
}

static unsigned long lariat_threads_self(void) {
  static unsigned long self;
  if (!self) {
    self = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(self != 0);
  }
  return self;
}

MODEL unsigned long pthread_self(void) { return lariat_threads_self(); }
MODEL unsigned long thrd_current(void) { return lariat_threads_self(); }
MODEL int pthread_equal(unsigned long a, unsigned long b) { return a == b; }
MODEL int thrd_equal(unsigned long a, unsigned long b) { return a == b; }
