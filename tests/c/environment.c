/* Input of all kinds: whatever comes in stays within its bounds. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int digits(const char *s) {
  int n = 0;
  while (s[n] >= '0' && s[n] <= '9')
    n++;
  return n;
}

static int verbosity(void) {
  const char *value = getenv("VERBOSE");
  if (value == NULL || value[0] == '\0') return 0;
  return value[0] == 'y' ? 2 : 1;
}

int main(void) {
  char line[4];
  if (fgets(line, sizeof line, stdin) != NULL)
    assert(digits(line) <= 3);
  int level = verbosity();
  assert(level >= 0 && level <= 2);
  int c = getchar();
  if (c != EOF) line[c & 3] = (char)c;
  int number = 0;
  if (scanf("%2d", &number) == 1)
    assert(number < 100);
  assert(rand() / (level + 1) >= 0);
  return 0;
}
