/* stdlib.h: the variables of the environment. At the start, each is any string, or is not there; what was found, or was set, stays until
   it is set again. */

enum { LARIAT_VARIABLES = 32 };

void free(void *);

/* What is known of a variable: a copy of its name, and its value, if it is there. */
static struct {
  char *name;
  char *value;
  /* The name is the program's own "name=value", whose value is what stands there now. */
  _Bool put;
} lariat_getenv_known[LARIAT_VARIABLES];
static int lariat_getenv_count;
/* There are no others. */
static _Bool lariat_getenv_cleared;

/* The value in "name=value", if the name is this one. */
static char *lariat_getenv_value(char *text, const char *name) {
  size_t i = 0;
  while (name[i] && text[i] == name[i]) i++;
  return !name[i] && text[i] == '=' ? text + i + 1 : NULL;
}

/* The number of a variable of which something is known, or -1. */
static int lariat_getenv_find(const char *name) {
  for (int at = 0; at < lariat_getenv_count; at++) {
    char *known = lariat_getenv_known[at].name;
    size_t i = 0;
    while (name[i] && known[i] == name[i]) i++;
    if (!name[i] && known[i] == (lariat_getenv_known[at].put ? '=' : 0)) return at;
  }
  return -1;
}

static char *lariat_getenv_copy(const char *s, size_t n) {
  char *copy = __lariat_outside(n + 1);
  for (size_t i = 0; i < n; i++) copy[i] = s[i];
  copy[n] = 0;
  return copy;
}

/* The longest string that Linux passes to a program has 131071 characters. */
static char *lariat_getenv_any(void) {
  if (lariat_getenv_cleared || __VERIFIER_nondet_bool()) return NULL;
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 131072);
  char *value = __lariat_outside(n + 1);
  value[n] = 0;
  __lariat_unknown_string(value, n);
  return value;
}

static char *lariat_getenv_look(const char *name, size_t n) {
  if (n == 0) return NULL;
#ifdef LARIAT_ENVIRON
  if (environ != lariat_environ_own) {
    for (char **all = environ; all && *all; all++) {
      char *value = lariat_getenv_value(*all, name);
      if (value) return value;
    }
    return NULL;
  }
#endif
  int at = lariat_getenv_find(name);
  if (at >= 0) {
    char *known = lariat_getenv_known[at].name;
    return lariat_getenv_known[at].put ? lariat_getenv_value(known, name) : lariat_getenv_known[at].value;
  }
  char *value = lariat_getenv_any();
  if (lariat_getenv_count == LARIAT_VARIABLES) {
    __lariat_approximate("so many variables of the environment");
    return value;
  }
  lariat_getenv_known[lariat_getenv_count].name = lariat_getenv_copy(name, n);
  lariat_getenv_known[lariat_getenv_count].value = value;
  lariat_getenv_known[lariat_getenv_count].put = 0;
  lariat_getenv_count++;
  return value;
}

#ifdef LARIAT_ONE_VARIABLE
/* The program looks for one variable, by a constant name: no name has to be kept. */
MODEL char *getenv(const char *name) {
  static _Bool looked;
  static char *value;
  if (!looked && *name) value = lariat_getenv_any();
  looked = 1;
  return value;
}
#else
MODEL char *getenv(const char *name) {
  size_t n = lariat_string_length(name, (size_t)-1);
  LARIAT_STRING(0, n + 1);
  return lariat_getenv_look(name, n);
}
#endif

/* Programs that run with the rights of others are told nothing. */
MODEL char *secure_getenv(const char *name) {
  size_t n = lariat_string_length(name, (size_t)-1);
  LARIAT_STRING(0, n + 1);
  return __VERIFIER_nondet_bool() ? NULL : lariat_getenv_look(name, n);
}

/* What the program sees of a change in the array of all variables: the order of the variables, and where the array is, is any. */
static void lariat_getenv_changed(void) {
#ifdef LARIAT_ENVIRON
  if (environ != lariat_environ_own) __lariat_unsupported("a change of the environment that the program has made");
  __lariat_approximate("environ behind a change of the environment");
  lariat_environ_own = environ = lariat_environ_any();
#endif
}

/* Where a variable is noted. */
static int lariat_getenv_place(const char *name, size_t n) {
  int at = lariat_getenv_find(name);
  if (at >= 0) {
    if (lariat_getenv_known[at].put) lariat_getenv_known[at].name = lariat_getenv_copy(name, n);
    lariat_getenv_known[at].put = 0;
    return at;
  }
  if (lariat_getenv_count == LARIAT_VARIABLES) __lariat_unsupported("so many variables of the environment");
  lariat_getenv_known[lariat_getenv_count].name = lariat_getenv_copy(name, n);
  lariat_getenv_known[lariat_getenv_count].put = 0;
  return lariat_getenv_count++;
}

/* The length of a name that a variable can have, or 0. */
static size_t lariat_getenv_name(const char *name) {
  size_t n = name ? lariat_string_length(name, (size_t)-1) : 0;
  if (name) LARIAT_STRING(0, n + 1);
  for (size_t i = 0; i < n; i++)
    if (name[i] == '=') n = 0;
  if (!n) __lariat_set_errno(-22);
  return n;
}

MODEL int setenv(const char *name, const char *value, int overwrite) {
  size_t n = lariat_getenv_name(name);
  if (!n) return -1;
  if (!overwrite && lariat_getenv_look(name, n)) return 0;
  size_t length = lariat_string_length(value, (size_t)-1);
  LARIAT_STRING(1, length + 1);
  /* It fails where there is no memory. */
  void *memory = malloc(1);
  if (!memory) return -1;
  free(memory);
  int at = lariat_getenv_place(name, n);
  lariat_getenv_known[at].value = lariat_getenv_copy(value, length);
  if (lariat_string_bound(value)) __lariat_known_string(lariat_getenv_known[at].value, length);
  lariat_getenv_changed();
  return 0;
}

MODEL int unsetenv(const char *name) {
  size_t n = lariat_getenv_name(name);
  if (!n) return -1;
  lariat_getenv_known[lariat_getenv_place(name, n)].value = NULL;
  lariat_getenv_changed();
  return 0;
}

MODEL int clearenv(void) {
  lariat_getenv_count = 0;
  lariat_getenv_cleared = 1;
#ifdef LARIAT_ENVIRON
  lariat_environ_own = environ = NULL;
#endif
  return 0;
}

/* The string itself becomes part of the environment: what the program does with it shows there. Without a value, the variable is removed. */
MODEL int putenv(char *s) {
  size_t n = lariat_string_length(s, (size_t)-1), length = 0;
  LARIAT_STRING(0, n + 1);
  while (length < n && s[length] != '=') length++;
  char *name = lariat_getenv_copy(s, length);
  int at = lariat_getenv_place(name, length);
  if (length == n) {
    lariat_getenv_known[at].value = NULL;
  } else {
    lariat_getenv_known[at].name = s;
    lariat_getenv_known[at].put = 1;
  }
  lariat_getenv_changed();
  return 0;
}
