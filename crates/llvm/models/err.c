/* error.h, err.h: messages that end the program. What they print is not read. */

void exit(int);

MODEL unsigned error_message_count;
MODEL int error_one_per_line;

MODEL void error(int status, int code, const char *f, ...) {
  (void)code, (void)*(const volatile char *)f;
  error_message_count++;
  if (status) exit(status);
}

/* With `error_one_per_line`, the second message about a place is left out, but not the end. */
MODEL void error_at_line(int status, int code, const char *file, unsigned line, const char *f, ...) {
  (void)code, (void)file, (void)line, (void)*(const volatile char *)f;
  if (!error_one_per_line || __VERIFIER_nondet_bool()) error_message_count++;
  if (status) exit(status);
}

MODEL void err(int status, const char *f, ...) {
  (void)f;
  exit(status);
}

MODEL void errx(int status, const char *f, ...) {
  (void)f;
  exit(status);
}

MODEL void verr(int status, const char *f, __builtin_va_list args) {
  (void)f, (void)args;
  exit(status);
}

MODEL void verrx(int status, const char *f, __builtin_va_list args) {
  (void)f, (void)args;
  exit(status);
}
