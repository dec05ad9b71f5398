/* pthread.h, threads.h, semaphore.h: the one thread, what runs once, what belongs to a thread. Both kinds of flags are an int that is zero at first. */

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

/* Values of the thread, by numbers. (Destructors run where a thread ends, not where the program does.) */
#define LARIAT_KEYS 1024
static void *lariat_threads_values[LARIAT_KEYS];
static _Bool lariat_threads_used[LARIAT_KEYS];
static unsigned lariat_threads_next;

static int lariat_threads_key(unsigned *key, int error) {
  unsigned new = lariat_threads_next;
  if (new == LARIAT_KEYS || __VERIFIER_nondet_bool()) return error;
  lariat_threads_next++;
  lariat_threads_used[new] = 1;
  *key = new;
  return 0;
}

MODEL int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
  (void)destructor;
  return lariat_threads_key(key, 11); /* EAGAIN */
}

MODEL int tss_create(unsigned *key, void (*destructor)(void *)) {
  (void)destructor;
  return lariat_threads_key(key, 2); /* thrd_error */
}

static void *lariat_threads_get(unsigned key) {
  return key < LARIAT_KEYS && lariat_threads_used[key] ? lariat_threads_values[key] : NULL;
}

MODEL void *pthread_getspecific(unsigned key) { return lariat_threads_get(key); }
MODEL void *tss_get(unsigned key) { return lariat_threads_get(key); }

MODEL int pthread_setspecific(unsigned key, const void *value) {
  if (key >= LARIAT_KEYS || !lariat_threads_used[key]) return 22;
  lariat_threads_values[key] = (void *)value;
  return 0;
}

MODEL int tss_set(unsigned key, void *value) {
  if (key >= LARIAT_KEYS || !lariat_threads_used[key]) return 2;
  lariat_threads_values[key] = value;
  return 0;
}

MODEL int pthread_key_delete(unsigned key) {
  if (key >= LARIAT_KEYS || !lariat_threads_used[key]) return 22;
  lariat_threads_used[key] = 0;
  return 0;
}

MODEL void tss_delete(unsigned key) {
  if (key < LARIAT_KEYS) lariat_threads_used[key] = 0;
}

static int lariat_threads_state(int state, int *old) {
  static int now;
  if (state != 0 && state != 1) return 22;
  if (old) *old = now;
  now = state;
  return 0;
}

MODEL int pthread_setcancelstate(int state, int *old) { return lariat_threads_state(state, old); }
