/* A table of operations, called by number. */
#include <assert.h>
#include <stddef.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern short __VERIFIER_nondet_short(void);

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int larger(int a, int b) { return a > b ? a : b; }

static const struct {
  const char *name;
  operation run;
} table[] = {
    {"add", add},
    {"subtract", subtract},
    {"larger", larger},
};

static int evaluate(unsigned code, int a, int b) {
  if (code >= sizeof table / sizeof table[0]) return 0;
  operation run = table[code].run;
  return run(a, b);
}

int main(void) {
  unsigned code = __VERIFIER_nondet_uint();
  int a = __VERIFIER_nondet_short(), b = __VERIFIER_nondet_short();
  int result = evaluate(code, a, b);
  if (code == 0) assert(result == a + b);
  if (code == 1) assert(result == a - b);
  if (code == 2) assert(result >= a && result >= b);
  if (code > 2) assert(result == 0);
  if (code < 3) assert(table[code].name[0] != '\0');
  return 0;
}
