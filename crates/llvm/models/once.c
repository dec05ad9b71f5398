/* threads.h, pthread.h: what is done once. Without threads, it is done by the first who asks. */

static void lariat_once(int *flag, void (*run)(void)) {
  if (*flag == 2) return;
  *flag = 1;
  run();
  *flag = 2;
}

MODEL void call_once(int *flag, void (*run)(void)) { lariat_once(flag, run); }

MODEL int pthread_once(int *flag, void (*run)(void)) {
  lariat_once(flag, run);
  return 0;
}
