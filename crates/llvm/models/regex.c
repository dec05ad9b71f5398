/* regex.h: whether a text matches is not known. Where it does, the places are in it and in order. */

struct lariat_regex {
  void *buffer;
  unsigned long allocated, used, syntax;
  char *fast;
  unsigned char *translate;
  size_t groups;
  unsigned bits;
};

struct lariat_match { int start, end; };

MODEL int regcomp(struct lariat_regex *restrict to, const char *restrict pattern, int flags) {
  size_t n = 0;
  while (pattern[n]) n++;
  LARIAT_STRING(1, n + 1);
  __lariat_approximate("regular expressions");
  int code = __VERIFIER_nondet_int();
  __VERIFIER_assume(code >= 0 && code <= 16);
  __VERIFIER_nondet_memory(to, sizeof *to);
  to->groups = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(to->groups <= n);
  to->bits = flags & 8 ? 16 : 0; /* REG_NOSUB */
  return code;
}

MODEL int regexec(const struct lariat_regex *restrict expression, const char *restrict s, size_t count, struct lariat_match *restrict to,
                  int flags) {
  size_t first = 0, n = 0;
  if (flags & 4) { /* REG_STARTEND */
    first = (size_t)to[0].start;
    n = (size_t)to[0].end;
  } else {
    while (s[n]) n++;
    LARIAT_STRING(1, n + 1);
  }
  __lariat_approximate("regular expressions");
  if (__VERIFIER_nondet_bool()) return __VERIFIER_nondet_bool() ? 1 : 12; /* REG_NOMATCH, REG_ESPACE */
  if (expression->bits & 16) return 0;
  for (size_t i = 0; i < count; i++) {
    size_t start = __VERIFIER_nondet_ulong(), end = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(first <= start && start <= end && end <= n);
    _Bool none = i > expression->groups || (i > 0 && __VERIFIER_nondet_bool());
    to[i].start = none ? -1 : (int)start;
    to[i].end = none ? -1 : (int)end;
  }
  return 0;
}

MODEL void regfree(struct lariat_regex *expression) { (void)*(void *volatile *)&expression->buffer; }

/* How large the whole message is, with its terminator. */
MODEL size_t regerror(int code, const struct lariat_regex *restrict expression, char *restrict to, size_t size) {
  (void)code, (void)expression;
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 64);
  if (size > 0) {
    size_t stored = n < size ? n : size - 1;
    __VERIFIER_nondet_memory(to, stored);
    to[stored] = 0;
    LARIAT_STRING(2, stored + 1);
  }
  return n + 1;
}
