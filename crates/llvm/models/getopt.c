/* unistd.h, getopt.h: options of the command line, as glibc reads them where POSIXLY_CORRECT is not set. Messages go
   nowhere. */

MODEL char *optarg;
MODEL int optind = 1, opterr = 1, optopt = '?';

struct lariat_option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};

/* How arguments that are no options are met: options behind them come first (they change places), they end the
   options, or they are the arguments of an option 1. */
enum { LARIAT_PERMUTE, LARIAT_REQUIRE_ORDER, LARIAT_RETURN_IN_ORDER };
static int lariat_opt_order;
/* The rest of the options in one argument, if there is one. */
static char *lariat_opt_next;
static _Bool lariat_opt_started;
/* The arguments that were passed over: they go behind the options that come next. */
static int lariat_opt_first, lariat_opt_last;
/* What the program sees is set anew by each call. */
static char *lariat_opt_arg;
static int lariat_opt_opt;

static size_t lariat_opt_length(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

/* Moves what was passed over behind the options that were met since. */
static void lariat_opt_exchange(char **argv) {
  int skipped = lariat_opt_last - lariat_opt_first, options = optind - lariat_opt_last;
  for (int i = 0; i < options; i++) {
    char *option = argv[lariat_opt_last + i];
    for (int k = lariat_opt_last + i; k > lariat_opt_first + i; k--) argv[k] = argv[k - 1];
    argv[lariat_opt_first + i] = option;
  }
  lariat_opt_first += options;
  lariat_opt_last = lariat_opt_first + skipped;
}

static const char *lariat_opt_start(const char *options, _Bool posix) {
  if (optind == 0 || !lariat_opt_started) {
    if (optind == 0) optind = 1;
    lariat_opt_first = lariat_opt_last = optind;
    lariat_opt_next = NULL;
    lariat_opt_started = 1;
    lariat_opt_order = options[0] == '-'          ? LARIAT_RETURN_IN_ORDER
                       : options[0] == '+' || posix ? LARIAT_REQUIRE_ORDER
                                                    : LARIAT_PERMUTE;
  }
  return options[0] == '-' || options[0] == '+' ? options + 1 : options;
}

/* `at` is the name, which ends at `=` or at the end. -1: it may be a list of short options. */
static int lariat_opt_long(int argc, char **argv, const char *options, const struct lariat_option *all, int *index,
                           _Bool silent_colon, _Bool only, int dashes) {
  char *name = lariat_opt_next;
  size_t n = 0;
  while (name[n] && name[n] != '=') n++;
  int found = -1;
  _Bool exact = 0, ambiguous = 0;
  for (int i = 0; all[i].name && !exact; i++) {
    size_t k = 0;
    while (k < n && all[i].name[k] && all[i].name[k] == name[k]) k++;
    if (k < n) continue;
    if (!all[i].name[n]) {
      found = i;
      exact = 1;
    } else if (found < 0) {
      found = i;
    } else if (only || all[found].has_arg != all[i].has_arg || all[found].flag != all[i].flag ||
               all[found].val != all[i].val) {
      ambiguous = 1;
    }
  }
  if (ambiguous && !exact) {
    lariat_opt_next += lariat_opt_length(lariat_opt_next);
    optind++;
    lariat_opt_opt = 0;
    return '?';
  }
  if (found < 0) {
    if (only && dashes == 1) {
      for (size_t i = 0; options[i]; i++)
        if (options[i] == *lariat_opt_next) return -1;
    }
    lariat_opt_next = NULL;
    optind++;
    lariat_opt_opt = 0;
    return '?';
  }
  optind++;
  lariat_opt_next = NULL;
  if (name[n]) {
    if (all[found].has_arg) {
      lariat_opt_arg = name + n + 1;
    } else {
      lariat_opt_opt = all[found].val;
      return '?';
    }
  } else if (all[found].has_arg == 1) {
    if (optind < argc) {
      lariat_opt_arg = argv[optind++];
    } else {
      lariat_opt_opt = all[found].val;
      return silent_colon ? ':' : '?';
    }
  }
  if (index) *index = found;
  if (all[found].flag) {
    *all[found].flag = all[found].val;
    return 0;
  }
  return all[found].val;
}

static int lariat_opt_get(int argc, char **argv, const char *options, const struct lariat_option *all, int *index,
                          _Bool only, _Bool posix) {
  if (argc < 1) return -1;
  lariat_opt_arg = NULL;
  options = lariat_opt_start(options, posix);
  _Bool silent_colon = options[0] == ':';

  if (!lariat_opt_next || !*lariat_opt_next) {
    if (lariat_opt_last > optind) lariat_opt_last = optind;
    if (lariat_opt_first > optind) lariat_opt_first = optind;
    if (lariat_opt_order == LARIAT_PERMUTE) {
      if (lariat_opt_first != lariat_opt_last && lariat_opt_last != optind)
        lariat_opt_exchange(argv);
      else if (lariat_opt_last != optind)
        lariat_opt_first = optind;
      while (optind < argc && !(argv[optind][0] == '-' && argv[optind][1])) optind++;
      lariat_opt_last = optind;
    }
    /* `--` ends the options; all that follows is no option. */
    if (optind != argc && argv[optind][0] == '-' && argv[optind][1] == '-' && !argv[optind][2]) {
      optind++;
      if (lariat_opt_first != lariat_opt_last && lariat_opt_last != optind)
        lariat_opt_exchange(argv);
      else if (lariat_opt_first == lariat_opt_last)
        lariat_opt_first = optind;
      lariat_opt_last = argc;
      optind = argc;
    }
    if (optind == argc) {
      if (lariat_opt_first != lariat_opt_last) optind = lariat_opt_first;
      return -1;
    }
    if (argv[optind][0] != '-' || !argv[optind][1]) {
      if (lariat_opt_order == LARIAT_REQUIRE_ORDER) return -1;
      lariat_opt_arg = argv[optind++];
      return 1;
    }
    if (all && argv[optind][1] == '-') {
      lariat_opt_next = argv[optind] + 2;
      return lariat_opt_long(argc, argv, options, all, index, silent_colon, only, 2);
    }
    _Bool listed = 0;
    for (size_t i = 0; all && only && options[i]; i++) listed |= options[i] == argv[optind][1];
    if (all && only && (argv[optind][2] || !listed)) {
      lariat_opt_next = argv[optind] + 1;
      int code = lariat_opt_long(argc, argv, options, all, index, silent_colon, only, 1);
      if (code != -1) return code;
    }
    lariat_opt_next = argv[optind] + 1;
  }

  char c = *lariat_opt_next++;
  const char *entry = NULL;
  for (size_t i = 0; options[i] && !entry; i++)
    if (options[i] == c) entry = options + i;
  if (!*lariat_opt_next) optind++;
  if (!entry || c == ':' || c == ';') {
    lariat_opt_opt = c;
    return '?';
  }
  if (entry[0] == 'W' && entry[1] == ';' && all) {
    if (*lariat_opt_next) {
      lariat_opt_arg = lariat_opt_next;
    } else if (optind == argc) {
      lariat_opt_opt = c;
      return silent_colon ? ':' : '?';
    } else {
      lariat_opt_arg = argv[optind];
    }
    lariat_opt_next = lariat_opt_arg;
    lariat_opt_arg = NULL;
    return lariat_opt_long(argc, argv, options, all, index, silent_colon, 0, 0);
  }
  if (entry[1] == ':') {
    if (entry[2] == ':') {
      lariat_opt_arg = NULL;
      if (*lariat_opt_next) {
        lariat_opt_arg = lariat_opt_next;
        optind++;
      }
    } else if (*lariat_opt_next) {
      lariat_opt_arg = lariat_opt_next;
      optind++;
    } else if (optind == argc) {
      lariat_opt_opt = c;
      c = silent_colon ? ':' : '?';
    } else {
      lariat_opt_arg = argv[optind++];
    }
    lariat_opt_next = NULL;
  }
  return c;
}

static int lariat_opt(int argc, char *const *argv, const char *options, const struct lariat_option *all, int *index,
                      _Bool only, _Bool posix) {
  int code = lariat_opt_get(argc, (char **)argv, options, all, index, only, posix);
  optarg = lariat_opt_arg;
  optopt = lariat_opt_opt;
  return code;
}

MODEL int getopt(int argc, char *const *argv, const char *options) {
  return lariat_opt(argc, argv, options, NULL, NULL, 0, 0);
}

MODEL int __posix_getopt(int argc, char *const *argv, const char *options) {
  return lariat_opt(argc, argv, options, NULL, NULL, 0, 1);
}

MODEL int getopt_long(int argc, char *const *argv, const char *options, const struct lariat_option *all, int *index) {
  return lariat_opt(argc, argv, options, all, index, 0, 0);
}

MODEL int getopt_long_only(int argc, char *const *argv, const char *options, const struct lariat_option *all,
                           int *index) {
  return lariat_opt(argc, argv, options, all, index, 1, 0);
}

/* stdlib.h: the next of some suboptions with commas between them. */
MODEL int getsubopt(char **restrict option, char *const *restrict keys, char **restrict value) {
  char *s = *option;
  if (!*s) return -1;
  size_t n = 0, equal = 0;
  while (s[n] && s[n] != ',') n++;
  while (equal < n && s[equal] != '=') equal++;
  *value = equal < n ? s + equal + 1 : NULL;
  *option = s + n;
  if (s[n]) {
    s[n] = 0;
    *option = s + n + 1;
  }
  for (int k = 0; keys[k]; k++) {
    size_t i = 0;
    while (i < equal && keys[k][i] == s[i]) i++;
    if (i == equal && !keys[k][i]) return k;
  }
  *value = s;
  return -1;
}
