/* errno.h: the one errno of a program without threads. */

#ifdef LARIAT_ERRNO_VARIABLE
MODEL int errno;
#define lariat_errno errno
#else
static int lariat_errno;
#endif

MODEL int *__errno_location(void) { return &lariat_errno; }

/* A call has failed, or not (0): errno is the number of some error then, or this one, if it is given as a negative number. */
MODEL void __lariat_set_errno(int failed) {
  if (!failed) return;
  int number = -failed;
  if (failed > 0) {
    number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number > 0);
  }
  *__errno_location() = number;
}
