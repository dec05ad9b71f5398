/* The end of a program: what was registered runs in reverse order, then destructors do (the translation knows
   them). It is linked where something is registered, or there are destructors; elsewhere exit just ends. */
void _exit(int);
void __lariat_destructors(void);
/* What is left now is never returned to: a handler must not jump there. */
void __lariat_jump_end_all(void);

#define HANDLERS 32

enum { PLAIN, WITH_STATUS, WITH_ARGUMENT };
static struct {
  int kind;
  union {
    void (*plain)(void);
    void (*with_status)(int, void *);
    void (*with_argument)(void *);
  } run;
  void *argument;
} handlers[HANDLERS];
static int registered;

static void (*quick[HANDLERS])(void);
static int quickly_registered;

MODEL int atexit(void (*run)(void)) {
  if (registered == HANDLERS) __lariat_unsupported("more than 32 handlers of exit");
  handlers[registered].kind = PLAIN;
  handlers[registered].run.plain = run;
  registered++;
  return 0;
}

MODEL int on_exit(void (*run)(int, void *), void *argument) {
  if (registered == HANDLERS) __lariat_unsupported("more than 32 handlers of exit");
  handlers[registered].kind = WITH_STATUS;
  handlers[registered].run.with_status = run;
  handlers[registered].argument = argument;
  registered++;
  return 0;
}

MODEL int __cxa_atexit(void (*run)(void *), void *argument, void *object) {
  (void)object;
  if (registered == HANDLERS) __lariat_unsupported("more than 32 handlers of exit");
  handlers[registered].kind = WITH_ARGUMENT;
  handlers[registered].run.with_argument = run;
  handlers[registered].argument = argument;
  registered++;
  return 0;
}

MODEL int at_quick_exit(void (*run)(void)) {
  if (quickly_registered == HANDLERS) __lariat_unsupported("more than 32 handlers of quick_exit");
  quick[quickly_registered] = run;
  quickly_registered++;
  return 0;
}

/* A handler may register others: they run next. */
MODEL void __lariat_exit_handlers(int status) {
  while (registered) {
    registered--;
    void *argument = handlers[registered].argument;
    switch (handlers[registered].kind) {
    case PLAIN: handlers[registered].run.plain(); break;
    case WITH_STATUS: handlers[registered].run.with_status(status, argument); break;
    default: handlers[registered].run.with_argument(argument); break;
    }
  }
}

MODEL void exit(int status) {
  __lariat_jump_end_all();
  __lariat_exit_handlers(status);
  __lariat_destructors();
  _exit(status);
}

MODEL void quick_exit(int status) {
  __lariat_jump_end_all();
  while (quickly_registered) {
    quickly_registered--;
    quick[quickly_registered]();
  }
  _exit(status);
}
