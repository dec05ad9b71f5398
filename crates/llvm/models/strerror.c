/* string.h: messages: any text that is no longer than the longest one in the locale "C". */

static char *lariat_strerror_text(void) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 50);
  char *text = __lariat_outside(n + 1);
  text[n] = 0;
  return text;
}

MODEL char *strerror(int code) {
  (void)code;
  return lariat_strerror_text();
}

MODEL char *strsignal(int code) {
  (void)code;
  return lariat_strerror_text();
}
