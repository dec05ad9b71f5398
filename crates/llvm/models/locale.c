/* locale.h. Other locales than "C" may be there, but do nothing else than "C": that is an assumption. */

static _Bool lariat_locale_changed;
static char lariat_locale_c[] = "C";

static _Bool lariat_locale_is_c(const char *name) {
  if (name[0] == 'C' && !name[1]) return 1;
  const char *posix = "POSIX";
  int i = 0;
  while (posix[i] && name[i] == posix[i]) i++;
  return !posix[i] && !name[i];
}

static char *lariat_locale_text(void) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n > 0 && n < 256);
  char *text = __lariat_outside(n + 1);
  text[n] = 0;
  __VERIFIER_assume(text[0]);
  __lariat_unknown_string(text, n);
  return text;
}

MODEL char *setlocale(int category, const char *name) {
  if (category < 0 || category > 12) {
    *__errno_location() = 22;
    return NULL;
  }
  if (name && !lariat_locale_is_c(name)) {
    if (__VERIFIER_nondet_bool()) return NULL;
    lariat_locale_changed = 1;
  } else if (name && category == 6) {
    lariat_locale_changed = 0;
  }
  return name && lariat_locale_is_c(name) ? lariat_locale_c : lariat_locale_changed ? lariat_locale_text() : lariat_locale_c;
}

struct lariat_lconv {
  char *decimal_point, *texts[9];
  char numbers[14];
};

MODEL struct lariat_lconv *localeconv(void) {
  static char point[] = ".", none[] = "";
  static struct lariat_lconv c;
  c.decimal_point = point;
  for (int i = 0; i < 9; i++) c.texts[i] = none;
  for (int i = 0; i < 14; i++) c.numbers[i] = 127;
  return &c;
}

/* Locales as objects: opaque, and like "C", too. The one in use is that of setlocale at first. */
#define LARIAT_LOCALE_GLOBAL ((void *)-1L)
static void *lariat_locale_used = LARIAT_LOCALE_GLOBAL;

MODEL void *newlocale(int mask, const char *name, void *base) {
  (void)mask;
  if (!lariat_locale_is_c(name) && __VERIFIER_nondet_bool()) {
    __lariat_set_errno(1);
    return NULL;
  }
  return base ? base : __lariat_outside(1);
}

MODEL void *duplocale(void *from) {
  (void)from;
  return __lariat_outside(1);
}

MODEL void freelocale(void *locale) { __lariat_close(locale); }

MODEL void *uselocale(void *locale) {
  void *before = lariat_locale_used;
  if (locale) lariat_locale_used = locale;
  return before;
}
