/* pwd.h, grp.h, unistd.h: who uses the machine: nobody, or somebody of whom nothing is known. What the functions
   return is memory of the library that the next call of the same function overwrites (but for lists of members). */

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

/* The texts of an answer. */
struct lariat_user_texts {
  char *texts[5];
  size_t sizes[5];
};

static char *lariat_user_text(struct lariat_user_texts *all, int which) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 131072);
  char *text = __lariat_outside(n + 1);
  text[n] = 0;
  __lariat_unknown_string(text, n);
  all->texts[which] = text;
  all->sizes[which] = n;
  return text;
}

/* Is there an answer? The texts of the one before become any others. */
static _Bool lariat_user_found(struct lariat_user_texts *all) {
  if (__VERIFIER_nondet_bool()) {
    __lariat_set_errno(1);
    return 0;
  }
  for (int i = 0; i < 5; i++)
    if (all->texts[i]) __VERIFIER_nondet_memory(all->texts[i], all->sizes[i]);
  return 1;
}

static void lariat_any_user(struct lariat_user *user, struct lariat_user_texts *all) {
  user->name = lariat_user_text(all, 0);
  user->password = lariat_user_text(all, 1);
  user->user = __VERIFIER_nondet_uint();
  user->group = __VERIFIER_nondet_uint();
  user->comment = lariat_user_text(all, 2);
  user->directory = lariat_user_text(all, 3);
  user->shell = lariat_user_text(all, 4);
}

static void lariat_any_group(struct lariat_group *group, struct lariat_user_texts *all) {
  group->name = lariat_user_text(all, 0);
  group->password = lariat_user_text(all, 1);
  group->group = __VERIFIER_nondet_uint();
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 65536);
  group->members = __lariat_outside((n + 1) * sizeof *group->members);
  for (size_t i = 0; i < n; i++) group->members[i] = lariat_user_text(all, 2);
  group->members[n] = NULL;
}

MODEL struct lariat_user *getpwnam(const char *name) {
  static struct lariat_user user;
  static struct lariat_user_texts all;
  (void)name;
  if (!lariat_user_found(&all)) return NULL;
  lariat_any_user(&user, &all);
  return &user;
}

MODEL struct lariat_user *getpwuid(unsigned id) {
  static struct lariat_user user;
  static struct lariat_user_texts all;
  if (!lariat_user_found(&all)) return NULL;
  lariat_any_user(&user, &all);
  user.user = id;
  return &user;
}

MODEL struct lariat_group *getgrnam(const char *name) {
  static struct lariat_group group;
  static struct lariat_user_texts all;
  (void)name;
  if (!lariat_user_found(&all)) return NULL;
  lariat_any_group(&group, &all);
  return &group;
}

MODEL struct lariat_group *getgrgid(unsigned id) {
  static struct lariat_group group;
  static struct lariat_user_texts all;
  if (!lariat_user_found(&all)) return NULL;
  lariat_any_group(&group, &all);
  group.group = id;
  return &group;
}

MODEL char *getlogin(void) {
  static struct lariat_user_texts all;
  return lariat_user_found(&all) ? lariat_user_text(&all, 0) : NULL;
}

MODEL char *ttyname(int file) {
  static struct lariat_user_texts all;
  if (file < 0) {
    __lariat_set_errno(-9); /* EBADF */
    return NULL;
  }
  return lariat_user_found(&all) ? lariat_user_text(&all, 0) : NULL;
}

MODEL struct lariat_user *getpwent(void) {
  static struct lariat_user user;
  static struct lariat_user_texts all;
  if (!lariat_user_found(&all)) return NULL;
  lariat_any_user(&user, &all);
  return &user;
}

MODEL struct lariat_group *getgrent(void) {
  static struct lariat_group group;
  static struct lariat_user_texts all;
  if (!lariat_user_found(&all)) return NULL;
  lariat_any_group(&group, &all);
  return &group;
}

/* The same in memory of the caller: 0, or the number of an error. Texts are somewhere in it. */
static int lariat_user_in(char *to, size_t size, _Bool *found) {
  *found = 0;
  LARIAT_BLOCK(2, size);
  if (__VERIFIER_nondet_bool()) return 0;
  if (size == 0 || __VERIFIER_nondet_bool()) return 34; /* ERANGE */
  if (__VERIFIER_nondet_bool()) {
    int code = __VERIFIER_nondet_int();
    __VERIFIER_assume(code > 0 && code < 134);
    return code;
  }
  *found = 1;
  __VERIFIER_nondet_memory(to, size - 1);
  to[size - 1] = 0;
  return 0;
}

static char *lariat_user_place(char *to, size_t size) {
  size_t at = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(at < size);
  return to + at;
}

static int lariat_user_copy(struct lariat_user *user, char *to, size_t size, struct lariat_user **result) {
  _Bool found;
  int code = lariat_user_in(to, size, &found);
  *result = NULL;
  if (!found) return code;
  user->name = lariat_user_place(to, size);
  user->password = lariat_user_place(to, size);
  user->user = __VERIFIER_nondet_uint();
  user->group = __VERIFIER_nondet_uint();
  user->comment = lariat_user_place(to, size);
  user->directory = lariat_user_place(to, size);
  user->shell = lariat_user_place(to, size);
  *result = user;
  return 0;
}

MODEL int getpwnam_r(const char *name, struct lariat_user *user, char *to, size_t size, struct lariat_user **result) {
  (void)name;
  return lariat_user_copy(user, to, size, result);
}

MODEL int getpwuid_r(unsigned id, struct lariat_user *user, char *to, size_t size, struct lariat_user **result) {
  int code = lariat_user_copy(user, to, size, result);
  if (*result) user->user = id;
  return code;
}

/* The list of the members is not in the caller's memory here. */
static int lariat_group_copy(struct lariat_group *group, char *to, size_t size, struct lariat_group **result) {
  static struct lariat_user_texts all;
  _Bool found;
  int code = lariat_user_in(to, size, &found);
  *result = NULL;
  if (!found) return code;
  lariat_any_group(group, &all);
  group->name = lariat_user_place(to, size);
  group->password = lariat_user_place(to, size);
  *result = group;
  return 0;
}

MODEL int getgrnam_r(const char *name, struct lariat_group *group, char *to, size_t size, struct lariat_group **result) {
  (void)name;
  return lariat_group_copy(group, to, size, result);
}

MODEL int getgrgid_r(unsigned id, struct lariat_group *group, char *to, size_t size, struct lariat_group **result) {
  int code = lariat_group_copy(group, to, size, result);
  if (*result) group->group = id;
  return code;
}
