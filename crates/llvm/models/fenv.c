/* fenv.h: the rounding mode is exact. Which exceptions have been raised is not known. Traps are not supported. */

int fegetround(void);
int fesetround(int);

enum { LARIAT_EXCEPTIONS = 0x3d };

/* All of an environment that counts. */
struct lariat_fenv { int rounding, rest[6]; };

static void lariat_fenv_store(struct lariat_fenv *to) {
  __VERIFIER_nondet_memory(to, sizeof *to);
  to->rounding = fegetround();
}

MODEL int fegetenv(struct lariat_fenv *to) {
  lariat_fenv_store(to);
  return 0;
}

MODEL int feholdexcept(struct lariat_fenv *to) {
  lariat_fenv_store(to);
  return 0;
}

static int lariat_fenv_restore(const struct lariat_fenv *from) {
  if (from == (const struct lariat_fenv *)-1)
    fesetround(0);
  else if (from == (const struct lariat_fenv *)-2)
    __lariat_unsupported("an environment with traps");
  else
    fesetround(from->rounding);
  return 0;
}

MODEL int fesetenv(const struct lariat_fenv *from) { return lariat_fenv_restore(from); }
MODEL int feupdateenv(const struct lariat_fenv *from) { return lariat_fenv_restore(from); }

MODEL int fetestexcept(int asked) {
  __lariat_approximate("which floating-point exceptions were raised");
  return __VERIFIER_nondet_int() & asked & LARIAT_EXCEPTIONS;
}

MODEL int fegetexceptflag(unsigned short *to, int asked) {
  __lariat_approximate("which floating-point exceptions were raised");
  *to = (unsigned short)(__VERIFIER_nondet_int() & asked & LARIAT_EXCEPTIONS);
  return 0;
}
