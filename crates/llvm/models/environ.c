/* unistd.h: the environment at the start: any strings. */

MODEL char **environ;
/* What it is, as far as the program has not set it itself. */
static char **lariat_environ_own;

static char **lariat_environ_any(void) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 1048576);
  char **all = __lariat_outside((n + 1) * sizeof *all);
  for (size_t i = 0; i < n; i++) {
    size_t length = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(length < 131072);
    char *text = __lariat_outside(length + 1);
    text[length] = 0;
    __lariat_unknown_string(text, length);
    all[i] = text;
  }
  all[n] = NULL;
  return all;
}

__attribute__((constructor(101))) static void lariat_environ_start(void) { lariat_environ_own = environ = lariat_environ_any(); }
