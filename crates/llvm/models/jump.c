/* setjmp.h. Where a call of setjmp stands in which activation is a number, which it puts into the buffer; the rest is
   done where the program is translated: calls that a jump may come out of look for one that is under way. */

long __lariat_jump_here(void);
void __lariat_jump_to(long place, int value);

/* As the C library of x86 has it, as far as it matters. */
struct lariat_jump {
  long place;
  long registers[sizeof(long) == 8 ? 7 : 5];
  int mask_is_saved;
  unsigned long mask[1024 / (8 * sizeof(long))];
};

static int lariat_jump_set(struct lariat_jump *buffer, int save) {
  buffer->place = __lariat_jump_here();
  buffer->mask_is_saved = save != 0;
#ifdef LARIAT_SIGNALS
  if (save) lariat_signal_store((struct lariat_sigset *)buffer->mask, lariat_signal_blocked);
#endif
  return 0;
}

static void lariat_jump(struct lariat_jump *buffer, int value) {
  long place = buffer->place;
#ifdef LARIAT_SIGNALS
  if (buffer->mask_is_saved) {
    lariat_signal_blocked = lariat_signal_bits((struct lariat_sigset *)buffer->mask);
    if (lariat_signal_waiting) lariat_signal_unblocked();
  }
#endif
  __lariat_jump_to(place, value ? value : 1);
}

MODEL int setjmp(struct lariat_jump *buffer) { return lariat_jump_set(buffer, 1); }
MODEL int _setjmp(struct lariat_jump *buffer) { return lariat_jump_set(buffer, 0); }
MODEL int __setjmp(struct lariat_jump *buffer) { return lariat_jump_set(buffer, 0); }
MODEL int sigsetjmp(struct lariat_jump *buffer, int save) { return lariat_jump_set(buffer, save); }
MODEL int __sigsetjmp(struct lariat_jump *buffer, int save) { return lariat_jump_set(buffer, save); }

MODEL void longjmp(struct lariat_jump *buffer, int value) { lariat_jump(buffer, value); }
MODEL void _longjmp(struct lariat_jump *buffer, int value) { lariat_jump(buffer, value); }
MODEL void siglongjmp(struct lariat_jump *buffer, int value) { lariat_jump(buffer, value); }
MODEL void __longjmp_chk(struct lariat_jump *buffer, int value) { lariat_jump(buffer, value); }
