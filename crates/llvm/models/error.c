/* err.h, error.h: messages, and the end of the program. What is printed is read where that matters. */

void exit(int) __attribute__((noreturn));

#ifdef LARIAT_OUTPUT_READS
static void lariat_print(const char *f, __builtin_va_list args, int argument);
#else
#define lariat_print(f, args, argument) ((void)(f), (void)(args))
#endif

#define LARIAT_ERR(NAME)                              \
  MODEL void NAME(int status, const char *f, ...) {   \
    __builtin_va_list args;                           \
    __builtin_va_start(args, f);                      \
    if (f) lariat_print(f, args, 2);                  \
    __builtin_va_end(args);                           \
    exit(status);                                     \
  }

#define LARIAT_VERR(NAME)                                                 \
  MODEL void NAME(int status, const char *f, __builtin_va_list args) {    \
    if (f) lariat_print(f, args, LARIAT_NOBODY);                          \
    exit(status);                                                         \
  }

LARIAT_ERR(err)
LARIAT_ERR(errx)
LARIAT_VERR(verr)
LARIAT_VERR(verrx)

MODEL unsigned error_message_count;
MODEL int error_one_per_line;

MODEL void error(int status, int number, const char *f, ...) {
  (void)number;
  __builtin_va_list args;
  __builtin_va_start(args, f);
  lariat_print(f, args, 3);
  __builtin_va_end(args);
  error_message_count++;
  if (status) exit(status);
}

/* With `error_one_per_line`, the second message about a place is left out, but not the end. */
MODEL void error_at_line(int status, int number, const char *file, unsigned line, const char *f, ...) {
  (void)number, (void)file, (void)line;
  if (!error_one_per_line || __VERIFIER_nondet_bool()) {
    __builtin_va_list args;
    __builtin_va_start(args, f);
    lariat_print(f, args, 5);
    __builtin_va_end(args);
    error_message_count++;
  }
  if (status) exit(status);
}
