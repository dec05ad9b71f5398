/* pwd.h, grp.h, unistd.h: who uses the machine: nobody, or somebody of whom nothing is known. What the functions
   return is memory of the library that the next call of the same function overwrites; only the first answer is
   covered. */

struct lariat_user {
  char *name, *password;
  unsigned user, group;
  char *comment, *directory, *shell;
};

struct lariat_group {
  char *name, *password;
  unsigned group;
  char **members;
};

static char *lariat_user_text(void) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 131072);
  char *text = __lariat_outside(n + 1);
  text[n] = 0;
  return text;
}

/* Is there an answer? */
static _Bool lariat_user_found(_Bool *answered) {
  if (__VERIFIER_nondet_bool()) {
    __lariat_set_errno(1);
    return 0;
  }
  if (*answered) __lariat_unsupported("a second answer in the same memory");
  *answered = 1;
  return 1;
}

static void lariat_any_user(struct lariat_user *user) {
  user->name = lariat_user_text();
  user->password = lariat_user_text();
  user->user = __VERIFIER_nondet_uint();
  user->group = __VERIFIER_nondet_uint();
  user->comment = lariat_user_text();
  user->directory = lariat_user_text();
  user->shell = lariat_user_text();
}

static void lariat_any_group(struct lariat_group *group) {
  group->name = lariat_user_text();
  group->password = lariat_user_text();
  group->group = __VERIFIER_nondet_uint();
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 65536);
  group->members = __lariat_outside((n + 1) * sizeof *group->members);
  for (size_t i = 0; i < n; i++) group->members[i] = lariat_user_text();
  group->members[n] = NULL;
}

MODEL struct lariat_user *getpwnam(const char *name) {
  static struct lariat_user user;
  static _Bool answered;
  (void)name;
  if (!lariat_user_found(&answered)) return NULL;
  lariat_any_user(&user);
  return &user;
}

MODEL struct lariat_user *getpwuid(unsigned id) {
  static struct lariat_user user;
  static _Bool answered;
  if (!lariat_user_found(&answered)) return NULL;
  lariat_any_user(&user);
  user.user = id;
  return &user;
}

MODEL struct lariat_group *getgrnam(const char *name) {
  static struct lariat_group group;
  static _Bool answered;
  (void)name;
  if (!lariat_user_found(&answered)) return NULL;
  lariat_any_group(&group);
  return &group;
}

MODEL struct lariat_group *getgrgid(unsigned id) {
  static struct lariat_group group;
  static _Bool answered;
  if (!lariat_user_found(&answered)) return NULL;
  lariat_any_group(&group);
  group.group = id;
  return &group;
}

MODEL char *getlogin(void) {
  static _Bool answered;
  return lariat_user_found(&answered) ? lariat_user_text() : NULL;
}

MODEL char *ttyname(int file) {
  static _Bool answered;
  (void)file;
  return lariat_user_found(&answered) ? lariat_user_text() : NULL;
}
