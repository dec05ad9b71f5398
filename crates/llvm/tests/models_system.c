/* Runs the models of what belongs to the system (signals, options of the command line, locales, time) beside the
   functions of the C library. The models come with the prefix `model_`. */

#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include "models.h"

DECLARE(getopt) DECLARE(getopt_long) DECLARE(getopt_long_only)
extern char *model_optarg;
extern int model_optind, model_opterr, model_optopt;
DECLARE(localeconv) DECLARE(setlocale)
DECLARE(signal) DECLARE(sigaction) DECLARE(sigprocmask) DECLARE(sigemptyset) DECLARE(sigfillset) DECLARE(sigaddset)
DECLARE(sigdelset) DECLARE(sigismember) DECLARE(sigpending) DECLARE(raise) DECLARE(kill) DECLARE(getpid)
DECLARE(__errno_location)
DECLARE(gmtime_r) DECLARE(timegm) DECLARE(asctime) DECLARE(asctime_r) DECLARE(strftime) DECLARE(strptime) DECLARE(difftime)
DECLARE(localtime) DECLARE(ctime) DECLARE(time)

static void options(void) {
  static const char *const words[] = {"-a",  "-b",    "-c",    "-bx",     "-abc", "-cfoo", "--",      "-",     "x",   "y",
                                      "--al", "--alpha", "--alpha=3", "--beta", "--be=7", "--gamma", "--gamma=2", "--alps", "--a", "-z",
                                      "--zeta", "-W", "-Walpha", "-Wbeta=1", "-d", "-dq", "--delta=5", "-alpha", "-beta", "-beta=2", "-ab", "-:", ""};
  static const char *const lists[] = {"ab:c::", "+ab:c::", "-ab:c::", ":ab:c::d", "ab:W;c", "+:ab:d:", "-:b:cd::", "abcd", "", ":"};
  int flag_model, flag_library;
  struct option all_model[] = {{"alpha", 1, 0, 'a'}, {"beta", 2, 0, 1000}, {"gamma", 0, &flag_model, 5}, {"alps", 1, 0, 'a'},
                               {"alpine", 0, 0, 'p'}, {"delta", 0, 0, 'd'}, {"betamax", 2, 0, 1000}, {0}};
  struct option all_library[8];
  memcpy(all_library, all_model, sizeof all_model);
  all_library[2].flag = &flag_library;
  if (below(2)) all_model[4].name = all_library[4].name = "omega";
  int argc = 1 + (int)below(7), which = (int)below(3);
  char *x[9], *y[9];
  x[0] = y[0] = "program";
  for (int i = 1; i < argc; i++) x[i] = y[i] = (char *)words[below(sizeof words / sizeof *words)];
  x[argc] = y[argc] = NULL;
  const char *list = lists[below(sizeof lists / sizeof *lists)];
  model_optind = optind = 0;
  model_opterr = opterr = 0;
  model_optopt = optopt = 77;
  for (int round = 0; round < 12; round++) {
    int p, q, at_model = -5, at_library = -5;
    flag_model = flag_library = 9;
    if (which == 0) {
      p = model_getopt(argc, x, list), q = getopt(argc, y, list);
    } else if (which == 1) {
      p = model_getopt_long(argc, x, list, all_model, &at_model);
      q = getopt_long(argc, y, list, all_library, &at_library);
    } else {
      p = model_getopt_long_only(argc, x, list, all_model, &at_model);
      q = getopt_long_only(argc, y, list, all_library, &at_library);
    }
    _Bool same = p == q && model_optind == optind && model_optarg == optarg && model_optopt == optopt &&
                 at_model == at_library && flag_model == flag_library && !memcmp(x, y, sizeof *x * (size_t)(argc + 1));
    if (!same) {
      printf("kind %d, options \"%s\", round %d:", which, list, round);
      for (int i = 1; i < argc; i++) printf(" %s", y[i]);
      printf("\nmodel %d %d %s %d %d, library %d %d %s %d %d\n", p, model_optind, model_optarg, model_optopt, at_model, q,
             optind, optarg, optopt, at_library);
    }
    TRUE(same);
    if (p == -1) break;
  }
}

static int seen[2], in_library;
static sigset_t inside;
static void handler(int sig) {
  seen[in_library] = seen[in_library] * 100 + sig;
  if (in_library)
    sigprocmask(SIG_BLOCK, NULL, &inside);
  else
    model_sigprocmask(SIG_BLOCK, NULL, &inside);
}
static void with_info(int sig, siginfo_t *info, void *context) {
  (void)context;
  handler(info->si_signo == sig ? sig : 99);
}

#define BOTH(call)                                                                   \
  do {                                                                               \
    errno = *model___errno_location() = 0;                                           \
    sigemptyset(&inside);                                                            \
    in_library = 0;                                                                  \
    long long p_ = (long long)model_##call;                                          \
    sigset_t in_model = inside;                                                      \
    sigemptyset(&inside);                                                            \
    in_library = 1;                                                                  \
    long long q_ = (long long)call;                                                  \
    SAME(p_, q_);                                                                    \
    SAME(*model___errno_location(), errno);                                          \
    SAME(seen[0], seen[1]);                                                          \
    SAME(memcmp(&in_model, &inside, 8), 0);                                          \
  } while (0)

static void signals(void) {
  static const int usual[] = {SIGUSR1, SIGUSR2, SIGHUP, SIGCHLD, SIGWINCH, SIGTERM, SIGURG};
  int sig = usual[below(7)];
  seen[0] = seen[1] = 0;
  static _Bool started;
  for (int i = 0; i < 7 && !started; i++) {
    model_signal(usual[i], SIG_IGN), signal(usual[i], SIG_IGN);
    model_signal(usual[i], SIG_DFL), signal(usual[i], SIG_DFL);
  }
  started = 1;
  sigset_t a, b;
  memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
  model_sigemptyset(&a), sigemptyset(&b);
  SAME(memcmp(&a, &b, sizeof a), 0);
  if (below(4) == 0) model_sigfillset(&a), sigfillset(&b);
  SAME(memcmp(&a, &b, sizeof a), 0);
  for (unsigned i = below(4); i > 0; i--) {
    int any_signal = (int)below(70) - 2, add = below(2), r, t;
    errno = *model___errno_location() = 0;
    r = add ? model_sigaddset(&a, any_signal) : model_sigdelset(&a, any_signal);
    t = add ? sigaddset(&b, any_signal) : sigdelset(&b, any_signal);
    SAME(r, t);
    SAME(model_sigismember(&a, any_signal), sigismember(&b, any_signal));
    SAME(*model___errno_location(), errno);
  }
  SAME(memcmp(&a, &b, sizeof a), 0);
  struct sigaction x = {0}, y, z;
  switch (below(4)) {
    case 0: BOTH(signal(sig, handler)); break;
    case 1: BOTH(signal(sig, SIG_IGN)); break;
    case 2: {
      int odd = (int[]){0, -3, SIGKILL, SIGSTOP, 32, 33, 65, 1000}[below(8)];
      BOTH(signal(odd, handler));
      BOTH(sigaction(odd, NULL, NULL));
      BOTH(signal(sig, handler));
      break;
    }
    default: {
      if (below(2)) {
        x.sa_sigaction = with_info;
        x.sa_flags = SA_SIGINFO;
      } else {
        x.sa_handler = handler;
      }
      if (below(2)) x.sa_flags |= SA_NODEFER;
      if (below(2)) x.sa_flags |= (int)SA_RESETHAND;
      x.sa_mask = b;
      memset(&y, 0, sizeof y), memset(&z, 0, sizeof z);
      SAME(model_sigaction(sig, &x, &y), sigaction(sig, &x, &z));
      TRUE(y.sa_handler == z.sa_handler);
    }
  }
  int how = (int)below(3);
  if (below(2)) BOTH(sigprocmask(how, &b, NULL));
  /* The default would end this program. */
  struct sigaction now;
  sigaction(sig, NULL, &now);
  if (now.sa_handler != SIG_DFL) {
    if (below(2)) {
      BOTH(raise(sig));
    } else {
      in_library = 0;
      int r = model_kill(model_getpid(), sig);
      in_library = 1;
      SAME(r, kill(getpid(), sig));
    }
    if (now.sa_flags & (int)SA_RESETHAND) BOTH(signal(sig, SIG_IGN));
  }
  model_sigpending(&a), sigpending(&b);
  SAME(memcmp(&a, &b, 8), 0);
  /* What waits arrives where nothing happens. */
  for (int i = 0; i < 7; i++) model_signal(usual[i], SIG_IGN), signal(usual[i], SIG_IGN);
  model_sigemptyset(&a), sigemptyset(&b);
  sigset_t old_model, old_library;
  model_sigprocmask(SIG_SETMASK, &a, &old_model), sigprocmask(SIG_SETMASK, &b, &old_library);
  SAME(memcmp(&old_model, &old_library, 8), 0);
  SAME(seen[0], seen[1]);
  BOTH(raise(70));
  BOTH(raise(0));
  BOTH(raise(-1));
}

static void locales(void) {
  struct lconv *p = model_localeconv(), *q = localeconv();
  SAME(strcmp(p->decimal_point, q->decimal_point), 0);
  SAME(strcmp(p->thousands_sep, q->thousands_sep), 0);
  SAME(strcmp(p->negative_sign, q->negative_sign), 0);
  SAME(p->int_n_sign_posn, q->int_n_sign_posn);
  SAME(p->frac_digits, q->frac_digits);
  SAME(strcmp(model_setlocale(LC_CTYPE, NULL), setlocale(LC_CTYPE, NULL)), 0);
  SAME(strcmp(model_setlocale(LC_ALL, "POSIX"), setlocale(LC_ALL, "POSIX")), 0);
  TRUE(model_setlocale(77, "C") == setlocale(77, "C"));
}

static _Bool same_date(const struct tm *a, const struct tm *b) {
  return a->tm_sec == b->tm_sec && a->tm_min == b->tm_min && a->tm_hour == b->tm_hour && a->tm_mday == b->tm_mday &&
         a->tm_mon == b->tm_mon && a->tm_year == b->tm_year && a->tm_wday == b->tm_wday && a->tm_yday == b->tm_yday &&
         a->tm_isdst == b->tm_isdst;
}

static void times(void) {
  time_t t = (time_t)any() >> below(64), u = (time_t)any() >> below(64);
  struct tm a, b;
  memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
  errno = *model___errno_location() = 0;
  struct tm *p = model_gmtime_r(&t, &a), *q = gmtime_r(&t, &b);
  SAME(!p, !q);
  SAME(*model___errno_location(), errno);
  if (p) {
    TRUE(same_date(&a, &b));
    SAME(strcmp(a.tm_zone, b.tm_zone), 0);
    char x[120], y[120];
    SAME(strcmp(model_asctime(&a), asctime(&b)), 0);
    p = (void *)model_asctime_r(&a, x), q = (void *)asctime_r(&b, y);
    SAME(!p, !q);
    if (p) SAME(strcmp(x, y), 0);
    static const char *const formats[] = {"%a %A %b %B %h", "%c", "%C|%y|%Y", "%d %D %e %F", "%g %G %V", "%H %I %j %k %l", "%m %M%n%p%P",
                                          "%r %R %S%t%T", "%u %U %w %W", "%x %X", "%z %Z %%", "%-d %_m %0e %-H %_j %-I", "%Ey %Od", ""};
    const char *f = formats[below(14)];
    size_t room = below(3) ? 120 : below(20);
    memset(x, 'z', sizeof x), memset(y, 'z', sizeof y);
    size_t m = model_strftime(x, room, f, &a), n = strftime(y, room, f, &b);
    if (m != n || (m && strcmp(x, y))) printf("strftime \"%s\": \"%s\", library \"%s\", time %ld\n", f, m ? x : "", n ? y : "", (long)t);
    SAME(m, n);
    if (m) SAME(strcmp(x, y), 0);
    a.tm_sec += (int)below(200) - 100, a.tm_mon += (int)below(60) - 30, a.tm_mday += (int)below(100) - 50, a.tm_hour += (int)below(80) - 40;
    b = a;
    errno = *model___errno_location() = 0;
    SAME(model_timegm(&a), timegm(&b));
    TRUE(same_date(&a, &b));
    SAME(*model___errno_location(), errno);
  }
  double d = model_difftime(t, u), e = difftime(t, u);
  SAME(memcmp(&d, &e, sizeof d), 0);
  static const char *const parse[][2] = {{"%Y-%m-%d", "2020-02-28"}, {"%d %b %Y", "3 Mar 1999"}, {"%H:%M:%S", "12:34:56"}, {"%I %p", "05 PM"}, {"%A %F", "Monday 2020-02-03"},
                                         {"%y%m%d", "700101"}, {"%D", "12/31/99"}, {"%e/%m", " 7/8"}, {"%T %%x", "1:2:3 %x"}, {"%Y", "12345"}, {"%B%n%d", "September  30"}, {"%j", "60"}, {"%a", "Sat"}, {"%p%I", "am12"}};
  const char *const *pair = parse[below(14)];
  char text[40];
  strcpy(text, pair[1]);
  if (below(2)) text[below((unsigned)strlen(text))] = "0129 :xM/"[below(9)];
  memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
  a.tm_year = b.tm_year = 101, a.tm_mon = b.tm_mon = 5, a.tm_mday = b.tm_mday = 9;
  char *r = model_strptime(text, pair[0], &a), *s = strptime(text, pair[0], &b);
  if (r != s || (r && !same_date(&a, &b))) printf("strptime \"%s\" of \"%s\"\n", pair[0], text);
  TRUE(r == s);
  if (r) TRUE(same_date(&a, &b));
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1000;
  locales();
  for (int i = 0; i < rounds; i++) {
    options();
    signals();
    times();
  }
  free_outside();
  printf("%d rounds agree\n", rounds);
  return 0;
}
