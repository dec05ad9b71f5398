/* A handshake of any length: whether a session is resumed is any number, read in two of the states. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum state { HELLO, KEYS, FLUSH, FINISHED, DONE };

int main(void) {
  int resumed = __VERIFIER_nondet_int();
  enum state state = HELLO, next = DONE;
  int have_keys = 0;
  while (state != DONE) {
    int message = __VERIFIER_nondet_int();
    if (message < 0) return 1;
    switch (state) {
      case HELLO:
        next = resumed ? FINISHED : KEYS;
        state = FLUSH;
        break;
      case KEYS:
        if (message == 1) have_keys = 1;
        if (have_keys) next = FINISHED, state = FLUSH;
        break;
      case FLUSH:
        if (message > 2) state = next;
        break;
      default:
        if (!resumed && !have_keys) reach_error();
        next = resumed && message == 1 ? HELLO : DONE;
        state = FLUSH;
    }
  }
  if (have_keys && resumed) reach_error();
  return 0;
}
