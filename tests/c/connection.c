/* A connection as a state machine that any sequence of events may drive. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

enum state { CLOSED, OPENING, OPEN, CLOSING };
enum event { CONNECT, ACCEPTED, REFUSED, HANG_UP, DONE };

static enum state state = CLOSED;
static int users;

static void step(enum event event) {
  switch (state) {
    case CLOSED:
      if (event == CONNECT) state = OPENING;
      break;
    case OPENING:
      if (event == ACCEPTED) {
        state = OPEN;
        users++;
      } else if (event == REFUSED) {
        state = CLOSED;
      }
      break;
    case OPEN:
      if (event == HANG_UP) state = CLOSING;
      break;
    case CLOSING:
      if (event == DONE) {
        users--;
        state = CLOSED;
      }
      break;
  }
}

int main(void) {
  for (int i = 0; i < 6; i++) {
    step(__VERIFIER_nondet_uint() % 5);
    if (users != (state == OPEN || state == CLOSING)) reach_error();
    int share = 100 / (users + 1);
    if (share != 100 && share != 50) reach_error();
  }
  return 0;
}
