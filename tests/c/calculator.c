/* A recursive descent parser for sums, products and parentheses of digits. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static const char *input;

static int sum(void);

static int atom(void) {
  if (*input == '(') {
    input++;
    int value = sum();
    assert(*input == ')');
    input++;
    return value;
  }
  int digit = *input - '0';
  assert(digit >= 0 && digit <= 9);
  input++;
  return digit;
}

static int product(void) {
  int value = atom();
  while (*input == '*') {
    input++;
    value *= atom();
  }
  return value;
}

static int sum(void) {
  int value = product();
  while (*input == '+' || *input == '-') {
    char sign = *input++;
    int other = product();
    value = sign == '+' ? value + other : value - other;
  }
  return value;
}

int main(void) {
  static char text[] = "2*(3+x)-4";
  unsigned x = __VERIFIER_nondet_uint() % 10;
  text[5] = (char)('0' + x);
  input = text;
  int value = sum();
  assert(*input == '\0');
  assert(value == 2 * (3 + (int)x) - 4);
  return 0;
}
