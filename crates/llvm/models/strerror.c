/* string.h: messages: any text that is not empty, and no longer than the longest one in the locale "C". */

static char *lariat_strerror_text(void) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n >= 1 && n < 50);
  char *text = __lariat_outside(n + 1);
  __VERIFIER_assume(text[0]);
  text[n] = 0;
  __lariat_unknown_string(text, n);
  return text;
}

MODEL char *strerror(int code) {
  (void)code;
  return lariat_strerror_text();
}

MODEL char *strerror_l(int code, void *locale) {
  (void)code, (void)locale;
  return lariat_strerror_text();
}

MODEL char *strsignal(int code) {
  (void)code;
  return lariat_strerror_text();
}

/* In the caller's memory, cut off if need be, or in memory of its own. */
MODEL char *strerror_r(int code, char *to, size_t size) {
  (void)code;
  size_t n = __VERIFIER_nondet_ulong();
  if (n >= 50 || size == 0) return lariat_strerror_text();
  if (n >= size) n = size - 1;
  __VERIFIER_nondet_memory(to, n);
  to[n] = 0;
  __lariat_unknown_string(to, n);
  return to;
}

/* As POSIX has it: 0, or the number of an error. */
MODEL int __xpg_strerror_r(int code, char *to, size_t size) {
  (void)code;
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 50);
  int status = n >= size ? 34 : __VERIFIER_nondet_bool() ? 22 : 0; /* ERANGE, EINVAL */
  if (n >= size) {
    if (size == 0) return status;
    n = size - 1;
  }
  __VERIFIER_nondet_memory(to, n);
  to[n] = 0;
  __lariat_unknown_string(to, n);
  return status;
}
