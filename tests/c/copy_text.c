/* Copies text into a buffer that may be too short: the copy is cut and always ends. */
#include <assert.h>
#include <stddef.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);

static size_t copy(char *to, size_t room, const char *from) {
  size_t i = 0;
  if (room == 0) return 0;
  while (i < room - 1 && from[i] != '\0') {
    to[i] = from[i];
    i++;
  }
  to[i] = '\0';
  return i;
}

static size_t length(const char *s) {
  size_t n = 0;
  while (s[n] != '\0')
    n++;
  return n;
}

int main(void) {
  char source[6], target[4];
  for (int i = 0; i < 5; i++)
    source[i] = __VERIFIER_nondet_char();
  source[5] = '\0';
  size_t room = __VERIFIER_nondet_uint() % 5;
  size_t copied = copy(target, room, source);
  if (room > 0) {
    assert(length(target) == copied);
    assert(copied == room - 1 || copied == length(source));
    assert(copied == 0 || target[0] == source[0]);
  }
  return 0;
}
