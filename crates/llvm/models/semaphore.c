/* semaphore.h, for one thread: who waits for what nobody can give waits for ever. */

static int lariat_semaphore_failed(int code) {
  *__errno_location() = code;
  return -1;
}

MODEL int sem_init(unsigned *semaphore, int shared, unsigned value) {
  (void)shared;
  if (value > INT_MAX) return lariat_semaphore_failed(22);
  *semaphore = value;
  return 0;
}

MODEL int sem_destroy(unsigned *semaphore) {
  (void)*(volatile unsigned *)semaphore;
  return 0;
}

MODEL int sem_post(unsigned *semaphore) {
  if (*semaphore == INT_MAX) return lariat_semaphore_failed(75);
  ++*semaphore;
  return 0;
}

MODEL int sem_trywait(unsigned *semaphore) {
  if (*semaphore == 0) return lariat_semaphore_failed(11);
  --*semaphore;
  return 0;
}

/* A handler of a signal may end the wait. */
MODEL int sem_wait(unsigned *semaphore) {
  if (*semaphore == 0) {
    __VERIFIER_assume(__VERIFIER_nondet_bool());
    return lariat_semaphore_failed(4);
  }
  --*semaphore;
  return 0;
}

MODEL int sem_timedwait(unsigned *semaphore, const void *until) {
  if (*semaphore == 0) {
    (void)*(const volatile long *)until;
    return lariat_semaphore_failed(__VERIFIER_nondet_bool() ? 110 : __VERIFIER_nondet_bool() ? 4 : 22);
  }
  --*semaphore;
  return 0;
}

MODEL int sem_getvalue(unsigned *semaphore, int *value) {
  *value = (int)*semaphore;
  return 0;
}
