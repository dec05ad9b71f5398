/* libintl.h: in the locale "C" messages are not translated. */

static char lariat_gettext_messages[] = "messages";
static char *lariat_gettext_domain = lariat_gettext_messages;

MODEL char *gettext(const char *message) { return (char *)message; }

MODEL char *dgettext(const char *domain, const char *message) {
  (void)domain;
  return (char *)message;
}

MODEL char *dcgettext(const char *domain, const char *message, int category) {
  (void)domain, (void)category;
  return (char *)message;
}

MODEL char *ngettext(const char *one, const char *many, unsigned long n) { return (char *)(n == 1 ? one : many); }

MODEL char *dngettext(const char *domain, const char *one, const char *many, unsigned long n) {
  (void)domain;
  return (char *)(n == 1 ? one : many);
}

MODEL char *dcngettext(const char *domain, const char *one, const char *many, unsigned long n, int category) {
  (void)domain, (void)category;
  return (char *)(n == 1 ? one : many);
}

static char *lariat_gettext_copy(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  char *copy = __lariat_outside(n + 1);
  for (size_t i = 0; i <= n; i++) copy[i] = s[i];
  return copy;
}

MODEL char *textdomain(const char *domain) {
  if (domain) lariat_gettext_domain = domain[0] ? lariat_gettext_copy(domain) : lariat_gettext_messages;
  return lariat_gettext_domain;
}

/* What was set, or what had been set before: a directory, or nothing. */
static char *lariat_gettext_bind(const char *domain, const char *value) {
  if (!domain || !domain[0]) return NULL;
  if (value) return lariat_gettext_copy(value);
  if (__VERIFIER_nondet_bool()) return NULL;
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 4096);
  char *text = __lariat_outside(n + 1);
  text[n] = 0;
  return text;
}

MODEL char *bindtextdomain(const char *domain, const char *directory) { return lariat_gettext_bind(domain, directory); }
MODEL char *bind_textdomain_codeset(const char *domain, const char *code) { return lariat_gettext_bind(domain, code); }
