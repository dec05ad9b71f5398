/* signal.h. No signal arrives but those that the program sends to itself, with raise, kill, or by unblocking one that
   waits: that is an assumption. What a signal does at the start is the default, or the parent had it ignored. */

void abort(void);

#define LARIAT_SIGNALS 64
#define LARIAT_WORD_BITS (8 * (int)sizeof(unsigned long))
#define LARIAT_SET_WORDS (1024 / LARIAT_WORD_BITS)

struct lariat_sigset { unsigned long words[LARIAT_SET_WORDS]; };

enum { LARIAT_SA_SIGINFO = 4, LARIAT_SA_NODEFER = 0x40000000, LARIAT_SA_RESETHAND = (int)0x80000000 };
enum { LARIAT_SIGABRT = 6, LARIAT_SIGKILL = 9, LARIAT_SIGALRM = 14, LARIAT_SIGCHLD = 17, LARIAT_SIGCONT = 18, LARIAT_SIGSTOP = 19,
       LARIAT_SIGTTOU = 22, LARIAT_SIGURG = 23, LARIAT_SIGWINCH = 28 };
#define LARIAT_SIG_DFL ((void (*)(int))0)
#define LARIAT_SIG_IGN ((void (*)(int))1)
#define LARIAT_SIG_ERR ((void (*)(int))-1)

/* What each signal does, in pieces: numbers that never share memory with addresses are exact. */
union lariat_handler {
  void (*plain)(int);
  void (*with_info)(int, void *, void *);
};
struct lariat_sigaction {
  union lariat_handler run;
  unsigned long mask[LARIAT_SET_WORDS];
  int flags;
  void (*restorer)(void);
};
static union lariat_handler lariat_signal_handlers[LARIAT_SIGNALS + 1];
static unsigned long long lariat_signal_masks[LARIAT_SIGNALS + 1];
static int lariat_signal_flags[LARIAT_SIGNALS + 1];
static _Bool lariat_signal_known[LARIAT_SIGNALS + 1];
/* One bit for each signal: those that are blocked, and those that wait. */
static unsigned long long lariat_signal_blocked, lariat_signal_waiting;

static int lariat_signal_failed(int code) {
  *__errno_location() = code;
  return -1;
}

static unsigned long long lariat_signal_bit(int sig) { return 1ull << (sig - 1); }

/* What the kernel and the C library do not let a program block. */
static unsigned long long lariat_signal_never(void) {
  return lariat_signal_bit(LARIAT_SIGKILL) | lariat_signal_bit(LARIAT_SIGSTOP) | lariat_signal_bit(32) | lariat_signal_bit(33);
}

/* What the signal does now. */
static union lariat_handler *lariat_signal_handler(int sig) {
  union lariat_handler *handler = &lariat_signal_handlers[sig];
  if (!lariat_signal_known[sig]) {
    lariat_signal_known[sig] = 1;
    if (sig != LARIAT_SIGKILL && sig != LARIAT_SIGSTOP && __VERIFIER_nondet_bool()) handler->plain = LARIAT_SIG_IGN;
  }
  return handler;
}

/* Can the program say what it does? The C library keeps 32 and 33 for itself. */
static _Bool lariat_signal_is_open(int sig) {
  return sig >= 1 && sig <= LARIAT_SIGNALS && sig != LARIAT_SIGKILL && sig != LARIAT_SIGSTOP && sig != 32 && sig != 33;
}

/* A signal that is to be ignored does not wait any longer. */
static void lariat_signal_note(int sig, void (*run)(int)) {
  _Bool harmless = sig == LARIAT_SIGCHLD || sig == LARIAT_SIGCONT || sig == LARIAT_SIGURG || sig == LARIAT_SIGWINCH;
  if (run == LARIAT_SIG_IGN || (run == LARIAT_SIG_DFL && harmless)) lariat_signal_waiting &= ~lariat_signal_bit(sig);
  if (sig == LARIAT_SIGABRT && run != LARIAT_SIG_DFL && run != LARIAT_SIG_IGN)
    __lariat_unsupported("a handler of SIGABRT");
}

static unsigned long long lariat_signal_bits(const struct lariat_sigset *set) {
  unsigned long long bits = set->words[0];
  if (LARIAT_WORD_BITS == 32) bits |= (unsigned long long)set->words[1] << 16 << 16;
  return bits;
}

static void lariat_signal_store(struct lariat_sigset *set, unsigned long long bits) {
  set->words[0] = (unsigned long)bits;
  if (LARIAT_WORD_BITS == 32) set->words[1] = (unsigned long)(bits >> 32);
}

static void lariat_signal_deliver(int sig) {
  union lariat_handler *handler = lariat_signal_handler(sig), run = *handler;
  int flags = lariat_signal_flags[sig];
  if (run.plain == LARIAT_SIG_IGN) return;
  if (run.plain == LARIAT_SIG_DFL) {
    _Bool harmless = sig == LARIAT_SIGCHLD || sig == LARIAT_SIGURG || sig == LARIAT_SIGWINCH;
    /* Who is stopped goes on some time. */
    if (!harmless && (sig < LARIAT_SIGCONT || sig > LARIAT_SIGTTOU)) abort();
    return;
  }
  unsigned long long before = lariat_signal_blocked;
  lariat_signal_blocked |= lariat_signal_masks[sig];
  if (!(flags & LARIAT_SA_NODEFER)) lariat_signal_blocked |= lariat_signal_bit(sig);
  if (flags & LARIAT_SA_RESETHAND) handler->plain = LARIAT_SIG_DFL;
  if (flags & LARIAT_SA_SIGINFO) {
    int *info = __lariat_outside(128);
    *info = sig;
    run.with_info(sig, info, __lariat_outside(1024));
  } else {
    run.plain(sig);
  }
  lariat_signal_blocked = before;
}

/* What waits and is no longer blocked arrives; the lowest one first. */
static void lariat_signal_unblocked(void) {
  unsigned long long ready;
  while ((ready = lariat_signal_waiting & ~lariat_signal_blocked) != 0) {
    lariat_signal_waiting &= ~(ready & -ready);
    lariat_signal_deliver(__builtin_ctzll(ready) + 1);
  }
}

static int lariat_signal_send(int sig) {
  if (sig < 0 || sig > LARIAT_SIGNALS) return lariat_signal_failed(22);
  if (sig == 0) return 0;
  if (sig != LARIAT_SIGKILL && sig != LARIAT_SIGSTOP && lariat_signal_blocked & lariat_signal_bit(sig)) {
    lariat_signal_waiting |= lariat_signal_bit(sig);
    return 0;
  }
  lariat_signal_deliver(sig);
  if (lariat_signal_waiting) lariat_signal_unblocked();
  return 0;
}

static void (*lariat_signal_set(int sig, void (*run)(int), int flags))(int) {
  if (!lariat_signal_is_open(sig) || run == LARIAT_SIG_ERR) {
    *__errno_location() = 22;
    return LARIAT_SIG_ERR;
  }
  lariat_signal_note(sig, run);
  union lariat_handler *handler = lariat_signal_handler(sig);
  void (*old)(int) = handler->plain;
  handler->plain = run;
  lariat_signal_masks[sig] = 0;
  lariat_signal_flags[sig] = flags;
  return old;
}

MODEL void (*signal(int sig, void (*run)(int)))(int) { return lariat_signal_set(sig, run, 0); }
MODEL void (*bsd_signal(int sig, void (*run)(int)))(int) { return lariat_signal_set(sig, run, 0); }
MODEL void (*ssignal(int sig, void (*run)(int)))(int) { return lariat_signal_set(sig, run, 0); }

/* As System V had it, which strict headers ask for. */
MODEL void (*sysv_signal(int sig, void (*run)(int)))(int) {
  return lariat_signal_set(sig, run, LARIAT_SA_RESETHAND | LARIAT_SA_NODEFER);
}

MODEL void (*__sysv_signal(int sig, void (*run)(int)))(int) {
  return lariat_signal_set(sig, run, LARIAT_SA_RESETHAND | LARIAT_SA_NODEFER);
}

MODEL int sigaction(int sig, const struct lariat_sigaction *restrict new, struct lariat_sigaction *restrict old) {
  if (sig < 1 || sig > LARIAT_SIGNALS || sig == 32 || sig == 33 || (new && !lariat_signal_is_open(sig)))
    return lariat_signal_failed(22);
  union lariat_handler *handler = lariat_signal_handler(sig), before = *handler;
  unsigned long long mask = lariat_signal_masks[sig];
  int flags = lariat_signal_flags[sig];
  if (new) {
    lariat_signal_note(sig, new->run.plain);
    *handler = new->run;
    unsigned long long bits = new->mask[0];
    if (LARIAT_WORD_BITS == 32) bits |= (unsigned long long)new->mask[1] << 16 << 16;
    lariat_signal_masks[sig] = bits & ~lariat_signal_never();
    lariat_signal_flags[sig] = new->flags;
  }
  if (old) {
    old->run = before;
    for (int i = 0; i < LARIAT_SET_WORDS; i++) old->mask[i] = 0;
    old->mask[0] = (unsigned long)mask;
    if (LARIAT_WORD_BITS == 32) old->mask[1] = (unsigned long)(mask >> 32);
    old->flags = flags;
    old->restorer = NULL;
  }
  return 0;
}

static int lariat_signal_mask(int how, const struct lariat_sigset *set, struct lariat_sigset *old) {
  unsigned long long before = lariat_signal_blocked;
  if (set) {
    unsigned long long bits = lariat_signal_bits(set) & ~lariat_signal_never();
    if (how == 0)
      lariat_signal_blocked |= bits;
    else if (how == 1)
      lariat_signal_blocked &= ~bits;
    else if (how == 2)
      lariat_signal_blocked = bits;
    else
      return 22;
  }
  if (old) lariat_signal_store(old, before);
  if (lariat_signal_waiting) lariat_signal_unblocked();
  return 0;
}

MODEL int sigprocmask(int how, const struct lariat_sigset *restrict set, struct lariat_sigset *restrict old) {
  int code = lariat_signal_mask(how, set, old);
  return code ? lariat_signal_failed(code) : 0;
}

MODEL int pthread_sigmask(int how, const struct lariat_sigset *restrict set, struct lariat_sigset *restrict old) {
  return lariat_signal_mask(how, set, old);
}

MODEL int sigpending(struct lariat_sigset *set) {
  lariat_signal_store(set, lariat_signal_waiting);
  return 0;
}

MODEL int siginterrupt(int sig, int flag) {
  (void)flag;
  return lariat_signal_is_open(sig) ? 0 : lariat_signal_failed(22);
}

MODEL int raise(int sig) { return lariat_signal_send(sig); }

/* To itself, to its group, to all, or to another process, which may not be there. */
static int lariat_signal_kill(int pid, int sig) {
  if (sig < 0 || sig > LARIAT_SIGNALS) return lariat_signal_failed(22);
  if (pid == lariat_process_own()) return lariat_signal_send(sig);
  if (pid > 0 || (pid < 0 && __VERIFIER_nondet_bool()))
    return __VERIFIER_nondet_bool() ? 0 : lariat_signal_failed(__VERIFIER_nondet_bool() ? 1 : 3);
  /* kill(-1) spares the sender. */
  return pid == -1 ? 0 : lariat_signal_send(sig);
}

MODEL int kill(int pid, int sig) { return lariat_signal_kill(pid, sig); }

MODEL int killpg(int group, int sig) {
  if (group < 0) return lariat_signal_failed(22);
  return lariat_signal_kill(-group, sig);
}

/* Here some signal arrives that a handler takes: others end the program, or are not waited for. */
static int lariat_signal_wait(void) {
  int sig = __VERIFIER_nondet_int();
  __VERIFIER_assume(lariat_signal_is_open(sig) && !(lariat_signal_blocked & lariat_signal_bit(sig)));
  void (*run)(int) = lariat_signal_handler(sig)->plain;
  __VERIFIER_assume(run != LARIAT_SIG_IGN && run != LARIAT_SIG_DFL);
  lariat_signal_deliver(sig);
  return lariat_signal_failed(4);
}

MODEL int pause(void) { return lariat_signal_wait(); }

MODEL int sigsuspend(const struct lariat_sigset *set) {
  unsigned long long before = lariat_signal_blocked;
  lariat_signal_blocked = lariat_signal_bits(set) & ~lariat_signal_never();
  if (lariat_signal_waiting & ~lariat_signal_blocked) {
    lariat_signal_unblocked();
    lariat_signal_failed(4);
  } else {
    lariat_signal_wait();
  }
  lariat_signal_blocked = before;
  if (lariat_signal_waiting) lariat_signal_unblocked();
  return -1;
}

/* The first 32 signals, as BSD had it. */
static int lariat_signal_old_mask(unsigned long long new) {
  unsigned before = (unsigned)lariat_signal_blocked;
  lariat_signal_blocked = new & ~lariat_signal_never();
  if (lariat_signal_waiting) lariat_signal_unblocked();
  return (int)before;
}

MODEL int sigsetmask(int mask) { return lariat_signal_old_mask((unsigned)mask); }
MODEL int sigblock(int mask) { return lariat_signal_old_mask(lariat_signal_blocked | (unsigned)mask); }
MODEL int siggetmask(void) { return (int)lariat_signal_blocked; }

static unsigned lariat_signal_alarm;

/* What is left of the last one: it is assumed not to have arrived. */
MODEL unsigned alarm(unsigned seconds) {
  unsigned left = 0;
  if (lariat_signal_alarm) {
    left = __VERIFIER_nondet_uint();
    __VERIFIER_assume(left >= 1 && left <= lariat_signal_alarm);
  }
  lariat_signal_alarm = seconds;
  return left;
}

MODEL int sigemptyset(struct lariat_sigset *set) {
  for (int i = 0; i < LARIAT_SIGNALS / LARIAT_WORD_BITS; i++) set->words[i] = 0;
  return 0;
}

/* All but what the C library keeps for itself. */
MODEL int sigfillset(struct lariat_sigset *set) {
  lariat_signal_store(set, ~(lariat_signal_bit(32) | lariat_signal_bit(33)));
  return 0;
}

static _Bool lariat_signal_in_range(int sig) { return sig >= 1 && sig <= LARIAT_SIGNALS && sig != 32 && sig != 33; }

MODEL int sigaddset(struct lariat_sigset *set, int sig) {
  if (!lariat_signal_in_range(sig)) return lariat_signal_failed(22);
  set->words[(sig - 1) / LARIAT_WORD_BITS] |= 1ul << (sig - 1) % LARIAT_WORD_BITS;
  return 0;
}

MODEL int sigdelset(struct lariat_sigset *set, int sig) {
  if (!lariat_signal_in_range(sig)) return lariat_signal_failed(22);
  set->words[(sig - 1) / LARIAT_WORD_BITS] &= ~(1ul << (sig - 1) % LARIAT_WORD_BITS);
  return 0;
}

MODEL int sigismember(const struct lariat_sigset *set, int sig) {
  if (sig < 1 || sig > LARIAT_SIGNALS) return lariat_signal_failed(22);
  return (int)(set->words[(sig - 1) / LARIAT_WORD_BITS] >> (sig - 1) % LARIAT_WORD_BITS & 1);
}
