/* errno.h: the name of the program: any text, and its part behind the last slash. */

MODEL char *program_invocation_name, *program_invocation_short_name;

__attribute__((constructor(101))) static void lariat_program_start(void) {
  size_t n = __VERIFIER_nondet_ulong(), slash = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 131072 && slash <= n);
  char *text = __lariat_outside(n + 1);
  text[n] = 0;
  __lariat_unknown_string(text, n);
  program_invocation_name = text;
  program_invocation_short_name = text + slash;
}
