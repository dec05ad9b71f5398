/* Decimal numbers from text; what does not fit into an int is refused before it overflows. */
#include <assert.h>
#include <limits.h>

extern char __VERIFIER_nondet_char(void);

/* Returns how many characters were used, 0 for an error. */
static int parse(const char *s, int *result) {
  int value = 0, i = 0;
  for (; s[i] >= '0' && s[i] <= '9'; i++) {
    int digit = s[i] - '0';
    if (value > (INT_MAX - digit) / 10) return 0;
    value = value * 10 + digit;
  }
  *result = value;
  return i;
}

int main(void) {
  char text[13] = "214748364";
  text[9] = __VERIFIER_nondet_char();
  text[10] = __VERIFIER_nondet_char();
  text[11] = '\0';
  int value = -1;
  int used = parse(text, &value);
  if (used == 0)
    assert(value == -1);
  else if (used == 9)
    assert(value == 214748364);
  else if (used == 10)
    assert(value >= 2147483640);
  else
    assert(0);
  return 0;
}
