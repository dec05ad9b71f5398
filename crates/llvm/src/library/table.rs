//! The table of library functions: what is known of each, by header. (Long because it is data: a row for each family.)
//!
//! Where something is known of what a function returns, that is what its documentation says and nothing more. A
//! function that writes memory, hands out memory of its own, calls functions of the program or goes on somewhere else
//! has a model, or is unsupported.

use super::{
    Block, FloatFunction, Header, JumpStep, Operation, Reach,
    Returns::{self, Any, Between, Character, Printed},
    Row,
    Semantics::{Approximate, Builtin, Effectless, Model, Output, Unsupported},
};

const fn builtin(names: &'static str, operation: Operation) -> Row {
    Row::new(names, Builtin(operation))
}

const fn jump(step: JumpStep) -> Row {
    builtin(step.name(), Operation::Jump(step))
}

/// It sets `errno` where there is no memory.
const fn allocation(names: &'static str, operation: Operation) -> Row {
    Row { errno: true, ..builtin(names, operation) }
}

const fn float(names: &'static str, function: FloatFunction) -> Row {
    Row { typed: true, ..Row::new(names, Builtin(Operation::Float(function))) }
}

const fn model(file: &'static str, names: &'static str) -> Row {
    Row::new(names, Model(file))
}

/// Output; it sets `errno` where it fails.
const fn output(names: &'static str, format: Option<usize>, returns: Returns) -> Row {
    Row { returns, errno: true, ..Row::new(names, Output(format)) }
}

/// It never fails, or says so by its result alone.
const fn effectless(names: &'static str, returns: Returns) -> Row {
    Row { returns, ..Row::new(names, Effectless) }
}

/// It changes nothing but `errno`, where it fails.
const fn fallible(names: &'static str, returns: Returns) -> Row {
    Row { returns, errno: true, ..Row::new(names, Effectless) }
}

/// Its first argument is a descriptor: a negative one is none, and the call fails.
const fn of_descriptor(names: &'static str, returns: Returns) -> Row {
    Row { descriptor: true, ..fallible(names, returns) }
}

/// What it returns, or what others return later, depends on its arguments in a way that no model covers.
const fn approximate(names: &'static str, returns: Returns) -> Row {
    Row { returns, errno: true, ..Row::new(names, Approximate) }
}

/// The same of numbers, for each type of floats.
const fn numeric(names: &'static str) -> Row {
    Row { typed: true, ..approximate(names, Any) }
}

/// What a proof takes for granted that uses it.
const fn assuming(assumes: &'static str, row: Row) -> Row {
    Row { assumes: Some(assumes), ..row }
}

const fn unsupported(names: &'static str) -> Row {
    Row::new(names, Unsupported)
}

const STATUS: Returns = Returns::STATUS;
const COUNT: Returns = Returns::COUNT;
const NATURAL: Returns = Returns::NATURAL;
const FAILURE: Returns = Returns::FAILURE;

/// What is known of the C library.
pub static TABLE: &[Header] = &[
    Header {
        name: "arpa/inet.h",
        rows: &[
            model("unistd", "htonl htons ntohl ntohs"),
            model("inet", "inet_addr(p) inet_aton(pp) inet_ntoa(n) inet_ntop(nppn) inet_pton(npp)"),
            approximate("inet_lnaof(n) inet_makeaddr(nn) inet_netof(n) inet_network(s)", Any),
        ],
    },
    Header {
        name: "assert.h",
        rows: &[builtin(
            "__assert __assert_fail __assert_perror_fail __assert_rtn __assertfail _assert",
            Operation::AssertionFails,
        )],
    },
    Header {
        name: "complex.h",
        rows: &[
            model(
                "complex",
                "__divdc3 __divsc3 __divxc3 __muldc3 __mulsc3 __mulxc3 cabs cabsf cabsl cimag cimagf cimagl conj conjf \
                 conjl cproj cprojf cprojl creal crealf creall",
            ),
            Row { typed: true, ..Row::new("carg", Approximate) },
            numeric(
                "cacos cacosh casin casinh catan catanh ccos ccosh cexp clog clog10 cpow csin csinh csqrt ctan ctanh",
            ),
            Row::new("__divtc3 __multc3", Approximate),
        ],
    },
    Header {
        name: "ctype.h",
        rows: &[
            model(
                "ctype",
                "isalnum isalnum_l isalpha isalpha_l isascii isblank isblank_l iscntrl iscntrl_l isdigit isdigit_l \
                 isgraph isgraph_l islower islower_l isprint isprint_l ispunct ispunct_l isspace isspace_l isupper \
                 isupper_l isxdigit isxdigit_l toascii tolower tolower_l toupper toupper_l",
            ),
            model("ctype_tables", "__ctype_b_loc __ctype_get_mb_cur_max __ctype_tolower_loc __ctype_toupper_loc"),
        ],
    },
    Header {
        name: "dirent.h",
        rows: &[
            model("dirent", "closedir(f) fdopendir(n) opendir(s) readdir(f) readdir64(f)"),
            fallible("dirfd(f) telldir(f)", COUNT),
            effectless("rewinddir(f) seekdir(fn)", Any),
            unsupported(
                "alphasort(pp) alphasort64(pp) getdents64(npn) \
                 readdir64_r(ppp) readdir_r(ppp) scandir(pppp) scandir64(pppp) scandirat(npppp) versionsort(pp) \
                 versionsort64(pp)",
            ),
        ],
    },
    Header {
        name: "dlfcn.h",
        rows: &[unsupported("dladdr(pp) dlclose(p) dlerror() dlinfo(pnp) dlopen(pn) dlsym(pp) dlvsym(ppp)")],
    },
    Header {
        name: "err.h",
        rows: &[output("vwarn(pp) vwarnx(pp) warn(p…) warnx(p…)", Some(0), Any), model("error", "err errx verr verrx")],
    },
    Header {
        name: "errno.h",
        rows: &[
            model("errno", "__errno_location __lariat_set_errno errno(v)"),
            model("program", "program_invocation_name(v) program_invocation_short_name(v)"),
        ],
    },
    Header {
        name: "error.h",
        rows: &[model("error", "error(nnp…) error_at_line(nnpnp…) error_message_count(v) error_one_per_line(v)")],
    },
    Header {
        name: "execinfo.h",
        rows: &[unsupported("backtrace(pn) backtrace_symbols(pn)"), effectless("backtrace_symbols_fd(pnn)", Any)],
    },
    Header {
        name: "fcntl.h",
        rows: &[
            model("files", "fcntl fcntl64"),
            model("unistd", "creat(sn) open(sn…) open64(sn…)"),
            fallible("openat(nsn…) openat64(nsn…)", COUNT),
            fallible("fallocate(nnnn) fallocate64(nnnn)", STATUS),
            effectless(
                "posix_fadvise(nnnn) posix_fadvise64(nnnn) posix_fallocate(nnn) posix_fallocate64(nnn)",
                NATURAL,
            ),
            unsupported("creat64(pn)"),
        ],
    },
    Header {
        name: "fenv.h",
        rows: &[
            builtin("fegetround", Operation::GetRounding),
            builtin("fesetround", Operation::SetRounding),
            model("fenv", "fegetenv(p) fegetexceptflag(pn) feholdexcept(p) fesetenv(p) fetestexcept(n) feupdateenv(p)"),
            effectless("feclearexcept(n) feraiseexcept(n) fesetexcept(n) fesetexceptflag(pn)", Between(0, 0)),
            unsupported(
                "fedisableexcept(n) feenableexcept(n) fegetexcept() fegetmode(p) fesetmode(p) fetestexceptflag(pn)",
            ),
        ],
    },
    Header {
        name: "fnmatch.h, fts.h, ftw.h, glob.h, wordexp.h",
        rows: &[
            approximate("fnmatch(ssn)", Any),
            unsupported(
                "dl_iterate_phdr(pp) fts_children(pn) fts_close(p) fts_open(pnp) fts_read(p) fts_set(ppn) ftw(ppn) \
                 ftw64(ppn) glob(pnpp) glob64(pnpp) globfree(p) globfree64(p) nftw(ppnn) nftw64(ppnn) wordexp(ppn) \
                 wordfree(p)",
            ),
        ],
    },
    Header {
        name: "getopt.h",
        rows: &[model(
            "getopt",
            "__posix_getopt getopt(npp) getopt_long(npppp) getopt_long_only(npppp) optarg(v) opterr(v) optind(v) \
                 getsubopt(ppp) optopt(v)",
        )],
    },
    Header {
        name: "grp.h, pwd.h",
        rows: &[
            model(
                "users",
                "getgrent() getgrgid getgrgid_r(nppnp) getgrnam(s) getgrnam_r(sppnp) getpwent() getpwnam(s) \
                 getpwnam_r(sppnp) getpwuid getpwuid_r(nppnp)",
            ),
            effectless("endgrent() endpwent() setgrent() setpwent()", Any),
            fallible("initgroups(sn) setgroups(np)", STATUS),
            unsupported(
                "fgetgrent(p) fgetpwent(p) getgrent_r(ppnp) getgrouplist(pnpp) getpwent_r(ppnp) putgrent(pp) putpwent(pp)",
            ),
        ],
    },
    Header {
        name: "iconv.h, langinfo.h, libintl.h, locale.h, monetary.h, nl_types.h",
        rows: &[
            assuming(
                "every locale is like \"C\"",
                model("locale", "duplocale(p) freelocale(p) localeconv() newlocale(nsp) setlocale(nS) uselocale(p)"),
            ),
            model("charset", "nl_langinfo(n) nl_langinfo_l(np)"),
            model(
                "gettext",
                "bind_textdomain_codeset(SS) bindtextdomain(SS) dcgettext(Ssn) dcngettext(Sssnn) dgettext(Ss) \
                 dngettext(Sssn) gettext(s) ngettext(ssn) textdomain(S)",
            ),
            unsupported(
                "catclose(p) catgets(pnnp) catopen(pn) iconv(ppppp) iconv_close(p) iconv_open(pp) strfmon(pnp…) \
                 strfmon_l(pnpp…)",
            ),
        ],
    },
    Header {
        name: "inttypes.h",
        rows: &[
            model("stdlib", "imaxabs imaxdiv"),
            model("number", "__isoc23_strtoimax __isoc23_strtoumax strtoimax strtoumax"),
            model("wnumber", "wcstoimax(ppn) wcstoumax(ppn)"),
        ],
    },
    Header { name: "libgen.h", rows: &[model("libgen", "__xpg_basename(p) basename(p) dirname(p)")] },
    Header {
        name: "malloc.h",
        rows: &[
            model("alloc", "memalign pvalloc"),
            effectless("malloc_info(np) malloc_stats() malloc_trim(n) mallopt(nn)", Any),
            model("system", "malloc_usable_size(p)"),
            unsupported("mallinfo() mallinfo2()"),
        ],
    },
    Header {
        name: "math.h",
        rows: &[
            model("complex", "hypot hypotf hypotl"),
            model(
                "reals",
                "drem dremf dreml fmod fmodf fmodl frexp frexpf frexpl ilogb ilogbf ilogbl ldexp ldexpf ldexpl logb \
                 logbf logbl nan nanf nanl nextafter nextafterf nextafterl nexttoward(nn) nexttowardf(nn) nexttowardl(nn) remainder remainderf remainderl remquo \
                 remquof remquol scalbln scalblnf scalblnl scalbn scalbnf scalbnl",
            ),
            model("trigonometry", "sincos sincosf sincosl"),
            float("fabs", FloatFunction::Abs),
            float("floor", FloatFunction::Floor),
            float("ceil", FloatFunction::Ceil),
            float("trunc", FloatFunction::Trunc),
            float("round", FloatFunction::Round),
            float("roundeven", FloatFunction::RoundEven),
            float("rint nearbyint", FloatFunction::Rint),
            Row { errno: true, ..float("sqrt", FloatFunction::Sqrt) },
            float("fmin", FloatFunction::Min),
            float("fmax", FloatFunction::Max),
            float("copysign", FloatFunction::CopySign),
            float("fma", FloatFunction::FusedMulAdd),
            numeric("fmaximum fmaximum_mag fmaximum_mag_num fmaximum_num fmaxmag fminimum fminimum_mag"),
            numeric("fminimum_mag_num fminimum_num fminmag"),
            float("isnan __isnan", FloatFunction::IsNan),
            float("isinf __isinf", FloatFunction::IsInf),
            float("finite __finite isfinite", FloatFunction::IsFinite),
            float("isnormal", FloatFunction::IsNormal),
            float("signbit __signbit", FloatFunction::SignBit),
            float("fpclassify __fpclassify", FloatFunction::Classify),
            model(
                "math",
                "fdim fdimf fdiml llrint llrintf llrintl llround llroundf llroundl lrint lrintf lrintl lround lroundf \
                 lroundl modf modff modfl",
            ),
            Row {
                typed: true,
                ..model(
                    "transcendental",
                    "acos(n) acosh(n) asin(n) asinh(n) atan(n) atan2(nn) atanh(n) cbrt(n) cos(n) cosh(n) erf(n) erfc(n) \
                     exp(n) exp10(n) exp2(n) expm1(n) log(n) log10(n) log1p(n) log2(n) pow(nn) sin(n) sinh(n) \
                     tan(n) tanh(n)",
                )
            },
            numeric(
                "j0(n) j1(n) jn(nn) llogb nextdown nextup pow10 scalb(nn) significand(n) tgamma y0(n) y1(n) \
                 yn(nn)",
            ),
            unsupported(
                "canonicalize(pp) fromfp fromfpf fromfpl gamma gammaf gammal getpayload(p) lgamma lgamma_r \
                 lgammaf lgammaf_r lgammal lgammal_r setpayload(pn) totalorder(pp) totalordermag(pp) \
                 ufromfp ufromfpf ufromfpl",
            ),
        ],
    },
    Header {
        name: "mqueue.h",
        rows: &[
            fallible("mq_close(n) mq_send(npnn) mq_timedsend(npnnp) mq_unlink(s)", STATUS),
            fallible("mq_open(sn…)", COUNT),
            unsupported("mq_getattr(np) mq_notify(np) mq_receive(npnp) mq_setattr(npp) mq_timedreceive(npnpp)"),
        ],
    },
    Header {
        name: "netdb.h, net/if.h, ifaddrs.h, resolv.h",
        rows: &[
            effectless(
                "endhostent() endnetent() endprotoent() endservent() herror(S) sethostent(n) setnetent(n) \
                 setprotoent(n) setservent(n)",
                Any,
            ),
            fallible("if_nametoindex(s)", Any),
            assuming(
                "hosts and services have at most 4 addresses and 4 other names",
                model(
                    "netdb",
                    "getaddrinfo(SSpp) gethostbyaddr(pnn) gethostbyname(s) gethostbyname2(sn) getprotobyname(s) \
                     getprotobynumber(n) getservbyname(sS) getservbyport(nS)",
                ),
            ),
            model("netdb", "__h_errno_location() freeaddrinfo(p) gai_strerror(n) getnameinfo(pnpnpnn) hstrerror(n)"),
            unsupported(
                "freeifaddrs(p) gethostbyaddr_r(pnnppnpp) gethostbyname2_r(pnppnpp) gethostbyname_r(pppnpp) gethostent() \
                 getifaddrs(p) getnetbyaddr(nn) getnetbyname(p) getnetent() getprotobyname_r(pppnp) getprotoent() \
                 getservbyname_r(pppnp) getservbyport_r(nppnp) getservent() if_freenameindex(p) if_indextoname(np) \
                 if_nameindex() res_init res_query res_search",
            ),
        ],
    },
    Header {
        name: "poll.h, sys/epoll.h, sys/eventfd.h, sys/inotify.h, sys/select.h, sys/signalfd.h, sys/timerfd.h",
        rows: &[
            fallible("epoll_create(n) epoll_create1(n) inotify_init() inotify_init1(n) inotify_add_watch(npn)", COUNT),
            fallible("eventfd(nn) signalfd(npn) timerfd_create(nn)", COUNT),
            fallible("epoll_ctl(nnnp) eventfd_write(nn) inotify_rm_watch(nn)", STATUS),
            model("poll", "__poll_chk(pnnn) poll(pnn) ppoll(pnpp) pselect(nppppp) select(npppp)"),
            unsupported(
                "__ppoll_chk epoll_pwait(npnnp) epoll_wait(npnn) eventfd_read(np) timerfd_gettime(np) \
                 timerfd_settime(nnpp)",
            ),
        ],
    },
    Header {
        name: "pthread.h",
        rows: &[
            model("signal", "pthread_sigmask"),
            effectless(
                "pthread_attr_destroy(p) pthread_attr_init(p) pthread_attr_setdetachstate(pn) \
                 pthread_attr_setguardsize(pn) pthread_attr_setinheritsched(pn) pthread_attr_setschedparam(pp) \
                 pthread_attr_setschedpolicy(pn) pthread_attr_setscope(pn) pthread_attr_setstacksize(pn) \
                 pthread_barrier_destroy(p) pthread_barrier_init(ppn) pthread_barrierattr_destroy(p) \
                 pthread_barrierattr_init(p) pthread_barrierattr_setpshared(pn) pthread_cond_broadcast(p) \
                 pthread_cond_destroy(p) pthread_cond_init(pp) pthread_cond_signal(p) pthread_condattr_destroy(p) \
                 pthread_condattr_init(p) pthread_condattr_setclock(pn) pthread_condattr_setpshared(pn) \
                 pthread_cond_clockwait(ppnp) pthread_cond_timedwait(ppp) pthread_cond_wait(pp) \
                 pthread_detach(n) pthread_mutex_clocklock(pnp) pthread_mutex_consistent(p) pthread_mutex_destroy(p) \
                 pthread_mutex_init(pp) pthread_mutex_lock(p) pthread_mutex_timedlock(pp) pthread_mutex_trylock(p) \
                 pthread_mutex_unlock(p) pthread_mutexattr_destroy(p) pthread_mutexattr_init(p) \
                 pthread_mutexattr_setprioceiling(pn) pthread_mutexattr_setprotocol(pn) \
                 pthread_mutexattr_setpshared(pn) pthread_mutexattr_setrobust(pn) pthread_mutexattr_settype(pn) \
                 pthread_rwlock_destroy(p) pthread_rwlock_init(pp) pthread_rwlock_rdlock(p) \
                 pthread_rwlock_timedrdlock(pp) pthread_rwlock_timedwrlock(pp) pthread_rwlock_tryrdlock(p) \
                 pthread_rwlock_trywrlock(p) pthread_rwlock_unlock(p) pthread_rwlock_wrlock(p) \
                 pthread_rwlockattr_destroy(p) pthread_rwlockattr_init(p) pthread_rwlockattr_setpshared(pn) \
                 pthread_setname_np(ns) pthread_setschedparam(nnp) pthread_setschedprio(nn) pthread_spin_destroy(p) \
                 pthread_spin_init(pn) pthread_spin_lock(p) pthread_spin_trylock(p) pthread_spin_unlock(p) \
                 pthread_yield()",
                NATURAL,
            ),
            effectless("pthread_testcancel()", Any),
            model(
                "threads",
                "pthread_equal pthread_getspecific(n) pthread_key_create(pp) pthread_key_delete(n) pthread_once \
                 pthread_self pthread_setcancelstate(np) pthread_setspecific(np)",
            ),
            unsupported(
                "pthread_atfork pthread_attr_getdetachstate pthread_attr_getguardsize pthread_attr_getinheritsched \
                 pthread_attr_getschedparam pthread_attr_getschedpolicy pthread_attr_getscope pthread_attr_getstack \
                 pthread_attr_getstackaddr pthread_attr_getstacksize pthread_attr_setstack pthread_attr_setstackaddr \
                 pthread_barrier_wait pthread_barrierattr_getpshared pthread_cancel pthread_condattr_getclock pthread_condattr_getpshared \
                 pthread_create pthread_exit pthread_getaffinity_np pthread_getconcurrency pthread_setconcurrency \
                 pthread_getattr_np pthread_getcpuclockid pthread_getname_np pthread_getschedparam \
                 pthread_join pthread_kill \
                 pthread_mutex_getprioceiling pthread_mutex_setprioceiling pthread_mutexattr_getprioceiling \
                 pthread_mutexattr_getprotocol pthread_mutexattr_getpshared pthread_mutexattr_getrobust \
                 pthread_mutexattr_gettype pthread_rwlockattr_getpshared pthread_setaffinity_np \
                 pthread_setcanceltype pthread_timedjoin_np \
                 pthread_tryjoin_np",
            ),
        ],
    },
    Header {
        name: "regex.h, search.h",
        rows: &[
            model("sort", "lfind"),
            model("regex", "regcomp(ppn) regerror(nppn) regexec(ppnpn) regfree(p)"),
            model(
                "search",
                "hcreate(n) hdestroy() hsearch insque(pp) lsearch(pppnp) remque(p) tdelete(ppp) tdestroy(pp) tfind(ppp) \
                 tsearch(ppp) twalk(pp) twalk_r(ppp)",
            ),
            unsupported("hcreate_r(np) hdestroy_r(p) hsearch_r"),
        ],
    },
    Header {
        name: "sched.h, spawn.h",
        rows: &[
            fallible("sched_setaffinity(nnp) sched_setparam(np) sched_yield()", STATUS),
            fallible(
                "sched_get_priority_max(n) sched_get_priority_min(n) sched_getcpu() sched_getscheduler(n) \
                 sched_setscheduler(nnp)",
                COUNT,
            ),
            unsupported(
                "clone posix_spawn(pppppp) posix_spawn_file_actions_addclose(pn) \
                 posix_spawn_file_actions_adddup2(pnn) posix_spawn_file_actions_addopen(pnpnn) \
                 posix_spawn_file_actions_destroy(p) posix_spawn_file_actions_init(p) posix_spawnattr_destroy(p) \
                 posix_spawnattr_getflags(pp) posix_spawnattr_getpgroup(pp) posix_spawnattr_getsigdefault(pp) \
                 posix_spawnattr_getsigmask(pp) posix_spawnattr_init(p) posix_spawnattr_setflags(pn) \
                 posix_spawnattr_setpgroup(pn) posix_spawnattr_setsigdefault(pp) posix_spawnattr_setsigmask(pp) \
                 posix_spawnp(pppppp) sched_getaffinity(nnp) sched_getparam(np) sched_rr_get_interval(np) setns(nn) \
                 unshare(n)",
            ),
        ],
    },
    Header {
        name: "semaphore.h",
        rows: &[
            model(
                "semaphore",
                "sem_destroy(p) sem_getvalue(pp) sem_init(pnn) sem_post(p) sem_timedwait(pp) sem_trywait(p) sem_wait(p)",
            ),
            fallible("sem_close(p) sem_unlink(s)", STATUS),
            unsupported("sem_clockwait(pnp) sem_open(pn…)"),
        ],
    },
    Header {
        name: "setjmp.h, ucontext.h",
        rows: &[
            model(
                "jump",
                "__longjmp_chk(pn) __setjmp(p) __sigsetjmp(pn) _longjmp(pn) _setjmp(p) longjmp(pn) setjmp(p) \
                 siglongjmp(pn) sigsetjmp(pn)",
            ),
            unsupported("getcontext(p) makecontext setcontext(p) swapcontext(pp)"),
        ],
    },
    Header {
        name: "signal.h",
        rows: &[
            assuming(
                "no signal arrives but by raise or kill",
                model("signal", "__sysv_signal bsd_signal(np) sigaction(npp) signal(np) ssignal(np) sysv_signal(np)"),
            ),
            model(
                "signal",
                "kill(nn) killpg(nn) raise(n) sigaddset(pn) sigdelset(pn) sigemptyset(p) sigfillset(p) siginterrupt(nn) \
                 sigismember(pn) sigpending(p) sigprocmask(npp) sigblock(n) siggetmask() sigsetmask(n) sigsuspend(p)",
            ),
            unsupported("sigqueue"),
            effectless("psiginfo(pp) psignal(nS)", Any),
            unsupported(
                "gsignal(n) sigaltstack(pp) sigandset(ppp) sighold(n) sigignore(n) \
                 sigisemptyset(p) sigorset(ppp) sigpause(n) sigrelse(n) sigset(np) \
                 sigtimedwait(ppp) sigvec(npp) sigwait(pp) sigwaitinfo(pp) tgkill(nnn)",
            ),
        ],
    },
    Header {
        name: "shadow.h, utmp.h, utmpx.h, mntent.h",
        rows: &[unsupported(
            "endmntent(p) endspent() endutent() endutxent() fgetspent(p) getmntent(p) getmntent_r(pppn) \
                 getspent() getspnam(p) getutent() getutid(p) getutline(p) getutxent() getutxid(p) getutxline(p) \
                 hasmntopt(pp) putspent(pp) pututline(p) pututxline(p) setmntent(pp) setspent() setutent() \
                 setutxent() utmpname(p)",
        )],
    },
    Header {
        name: "stdatomic.h",
        rows: &[unsupported(
            "__atomic_compare_exchange __atomic_compare_exchange_16 __atomic_exchange __atomic_exchange_16 \
                 __atomic_fetch_add_16 __atomic_fetch_and_16 __atomic_fetch_or_16 __atomic_fetch_sub_16 \
                 __atomic_fetch_xor_16 __atomic_load __atomic_load_16 __atomic_store __atomic_store_16",
        )],
    },
    Header {
        name: "stdio.h",
        rows: &[
            model("chk", "__snprintf_chk __sprintf_chk __vsnprintf_chk __vsprintf_chk"),
            output("printf(p…) vprintf(pp)", Some(0), Printed),
            output(
                "__printf_chk(np…) __vprintf_chk(npp) dprintf(np…) fprintf(fp…) vdprintf(npp) vfprintf(fpp)",
                Some(1),
                Printed,
            ),
            output("__fprintf_chk(fnp…) __vfprintf_chk(fnpp)", Some(2), Printed),
            output("fputs(pf) fputs_unlocked(pf) puts(p)", None, COUNT),
            output("perror(p)", None, Any),
            fallible("_IO_putc(nf) fputc(nf) fputc_unlocked(nf) putc(nf) putc_unlocked(nf)", Character(0)),
            fallible("putchar(n) putchar_unlocked(n)", Character(0)),
            fallible("fflush(F) fflush_unlocked(F) putw(nf)", STATUS),
            fallible("fseek(fnn) fseeko(fnn) fseeko64(fnn) fsetpos(fp) fsetpos64(fp)", STATUS),
            fallible("remove(s) rename(ss) renameat(nsns) renameat2(nsnsn)", STATUS),
            fallible("fileno(f) fileno_unlocked(f) ftell(f) ftello(f) ftello64(f)", COUNT),
            fallible("rewind(f)", Any),
            effectless(
                "clearerr(f) clearerr_unlocked(f) feof(f) feof_unlocked(f) ferror(f) ferror_unlocked(f) flockfile(f) \
                 ftrylockfile(f) funlockfile(f) setlinebuf(f)",
                Any,
            ),
            model(
                "stdio",
                "_IO_getc(f) fclose(f) fdopen(ns) fgetc(f) fgetc_unlocked(f) fgets(pnf) fgets_unlocked(pnf) fopen(ss) fopen64(ss) fread(pnnf) fread_unlocked(pnnf) freopen(Ssf) \
                 freopen64(Ssf) fwrite(pnnf) fwrite_unlocked(pnnf) getc(f) getc_unlocked(f) getchar getchar_unlocked __getdelim(ppnf) fgetpos(fp) fgetpos64(fp) getdelim(ppnf) getline(ppf) gets pclose(f) popen(ss) \
                 tmpfile tmpfile64 ungetc(nf)",
            ),
            model(
                "backing",
                "__lariat_stream_used fmemopen(pns) open_memstream(pp) setbuf(fp) setbuffer(fpn) setvbuf(fpnn)",
            ),
            model("format", "asprintf snprintf sprintf vasprintf vsnprintf vsprintf"),
            model(
                "scan",
                "__isoc23_fscanf(fp…) __isoc23_scanf __isoc23_vfscanf(fpp) __isoc23_vscanf __isoc99_fscanf(fp…) __isoc99_scanf \
                 __isoc99_vfscanf(fpp) __isoc99_vscanf fscanf(fp…) scanf vfscanf(fpp) vscanf",
            ),
            model("sscan", "__isoc23_sscanf __isoc23_vsscanf __isoc99_sscanf __isoc99_vsscanf sscanf vsscanf"),
            model("paths", "tempnam(SS) tmpnam(p)"),
            model("streams", "stderr(v) stdin(v) stdout(v)"),
            unsupported(
                "__asprintf_chk __dprintf_chk __fgets_chk __fgets_unlocked_chk __fread_chk __fread_unlocked_chk \
                 __gets_chk __obstack_printf_chk __obstack_vprintf_chk __vasprintf_chk \
                 __vdprintf_chk ctermid(p) cuserid(p) fcloseall() fopencookie \
                 getw(p) obstack_printf obstack_vprintf open_wmemstream(pp) \
                 parse_printf_format(pnp) tmpnam_r(p)",
            ),
        ],
    },
    Header {
        name: "stdio_ext.h",
        rows: &[
            effectless("__fbufsize(f) __fpending(f)", NATURAL),
            effectless("__flbf(f) __freadable(f) __freading(f) __fwritable(f) __fwriting(f)", Any),
            effectless("__fpurge(f) _flushlbf()", Any),
            unsupported("__fsetlocking(pn) fpurge(p)"),
        ],
    },
    Header {
        name: "stdlib.h",
        rows: &[
            model("strtod", "atof(p) strtod(pp) strtof(pp) strtold(pp)"),
            allocation("malloc", Operation::Allocate(&[0], Block::Heap)),
            allocation("calloc", Operation::Allocate(&[0, 1], Block::Zeroed)),
            builtin("alloca", Operation::Allocate(&[0], Block::Stack)),
            allocation("realloc", Operation::Reallocate(&[1])),
            allocation("reallocarray", Operation::Reallocate(&[1, 2])),
            builtin("cfree free", Operation::Free),
            builtin("__chk_fail __stack_chk_fail abort", Operation::Abort),
            builtin("exit quick_exit", Operation::Exit { handlers: true }),
            builtin("_Exit", Operation::Exit { handlers: false }),
            model("alloc", "aligned_alloc posix_memalign valloc"),
            model("charset", "mblen(pn) mbstowcs(ppn) mbtowc(ppn) wcstombs(ppn) wctomb(pn)"),
            model("getenv", "clearenv() getenv(p) putenv(p) secure_getenv(p) setenv(ppn) unsetenv(p)"),
            model("exit", "__cxa_atexit __lariat_exit_handlers at_quick_exit atexit on_exit"),
            model(
                "number",
                "__isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull atoi atol atoll strtol strtol_l(ppnp) \
                 strtoll strtoll_l(ppnp) strtoq strtoul strtoul_l(ppnp) strtoull strtoull_l(ppnp) strtouq",
            ),
            model(
                "paths",
                "mkdtemp(p) mkostemp(pn) mkostemp64(pn) mkstemp(p) mkstemp64(p) mkstemps(pn) mkstemps64(pn) mktemp(p) realpath(Sp)",
            ),
            model("sort", "bsearch qsort qsort_r(pnnpp)"),
            model("system", "getloadavg(pn)"),
            model(
                "stdlib",
                "a64l(p) abs arc4random_buf(pn) arc4random_uniform div drand48 erand48(p) jrand48(p) l64a(n) labs ldiv llabs lldiv \
                 lrand48 mrand48 nrand48(p) rand rand_r random random_r(pp) srand(n) srand48(n) srandom(n)",
            ),
            effectless("arc4random() lcong48(p)", Any),
            approximate("rpmatch(s)", Between(-1, 1)),
            model("system", "system(S)"),
            fallible("grantpt(n) unlockpt(n)", STATUS),
            fallible("getpt() posix_openpt(n)", COUNT),
            unsupported(
                "__mbstowcs_chk __realpath_chk __wcstombs_chk __wctomb_chk canonicalize_file_name(p) drand48_r(pp) \
                 ecvt(nnpp) ecvt_r(nnpppn) erand48_r(ppp) fcvt(nnpp) fcvt_r(nnpppn) gcvt(nnp) initstate(npn) \
                 lrand48_r(pp) mkostemps(pnn) mrand48_r(pp) ptsname(n) ptsname_r(npn) seed48(p) setstate(p) \
                 srand48_r(np) srandom_r(np) strfromd strfromf strfroml strtod_l(ppp) strtof_l(ppp) strtold_l(ppp)",
            ),
        ],
    },
    Header {
        name: "string.h, strings.h",
        rows: &[
            model("bits", "ffs ffsl ffsll"),
            model(
                "chk",
                "__memcpy_chk __memmove_chk __mempcpy_chk __memset_chk __stpcpy_chk __stpncpy_chk __strcat_chk \
                 __strcpy_chk __strncat_chk __strncpy_chk",
            ),
            builtin("memcpy", Operation::Copy { overlap: false }),
            builtin("memmove", Operation::Copy { overlap: true }),
            builtin("memset memset_explicit", Operation::Fill),
            model(
                "memory",
                "__mempcpy bcmp bcopy bzero explicit_bzero memccpy memchr memcmp memfrob(pn) memmem \
                 mempcpy memrchr rawmemchr",
            ),
            model("strdup", "__strdup __strndup strdup strndup"),
            model("strerror", "__xpg_strerror_r(npn) strerror strerror_l(np) strerror_r(npn) strsignal"),
            model("strverscmp", "strverscmp(pp)"),
            model(
                "string",
                "__strtok_r index rindex stpcpy stpncpy strcasecmp strcasecmp_l(ppp) strcasestr strcat strchr strchrnul strcmp \
                 strcoll strcoll_l(ppp) strcpy strcspn strlcat strlcpy strlen strncasecmp strncasecmp_l(ppnp) strncat \
                 strncmp strncpy strnlen strpbrk strrchr strsep strspn strstr strtok strtok_r strxfrm(ppn) strxfrm_l(ppnp)",
            ),
            unsupported(
                "__bzero __explicit_bzero_chk __memccpy_chk __strlcat_chk __strlcpy_chk \
                 sigabbrev_np(n) sigdescr_np(n) strerrordesc_np(n) strerrorname_np(n) strfry(p)",
            ),
        ],
    },
    Header {
        name: "sys/ioctl.h, sys/mman.h, sys/prctl.h, sys/ptrace.h, sys/sysinfo.h",
        rows: &[
            model("files", "ioctl"),
            fallible("mlock(pn) mlock2(pnn) mlockall(n) munlock(pn) munlockall() shm_unlink(s)", STATUS),
            fallible("memfd_create(sn) shm_open(snn)", COUNT),
            effectless("get_avphys_pages() get_nprocs() get_nprocs_conf() get_phys_pages()", Any),
            unsupported(
                "arch_prctl madvise(pnn) mincore(pnp) mmap mmap64 mprotect(pnn) mremap msync(pnn) munmap(pn) \
                 personality(n) posix_madvise(pnn) prctl ptrace syscall",
            ),
            model("system", "sysinfo(p)"),
        ],
    },
    Header {
        name: "sys/ipc.h, sys/msg.h, sys/sem.h, sys/shm.h",
        rows: &[
            fallible("ftok(sn)", Any),
            fallible("msgget(nn) semget(nnn)", COUNT),
            fallible("msgsnd(npnn) semop(npn) semtimedop(npnp)", STATUS),
            unsupported("msgctl msgrcv(npnnn) semctl shmat(npn) shmctl(nnp) shmdt(p) shmget(nnn)"),
        ],
    },
    Header {
        name: "sys/resource.h, sys/time.h, sys/times.h, sys/utsname.h, utime.h",
        rows: &[
            fallible(
                "futimesat(nSp) lutimes(sp) setpriority(nnn) setrlimit(np) setrlimit64(np) settimeofday(pp) \
                 utime(sp) utimensat(nSpn) utimes(sp)",
                STATUS,
            ),
            of_descriptor("futimens(np) futimes(np)", STATUS),
            fallible("getpriority(nn)", Any),
            model("time", "gettimeofday"),
            model("fork", "getitimer(np) getrlimit(np) getrlimit64(np) getrusage(np) setitimer(npp) times(p)"),
            model("system", "uname(p)"),
            unsupported("adjtime(pp) prlimit(nnpp) vlimit vtimes(pp)"),
        ],
    },
    Header {
        name: "sys/socket.h",
        rows: &[
            model("unistd", "accept bind connect listen recv send socket"),
            of_descriptor("setsockopt(nnnpn) shutdown(nn)", STATUS),
            fallible("isfdtype(nn) sockatmark(n)", Between(-1, 1)),
            of_descriptor("sendto(npnnpn) sendmsg(npn)", COUNT),
            model(
                "sockets",
                "accept4(nppn) getpeername(npp) getsockname(npp) getsockopt(nnnpp) recvfrom(npnnpp) socketpair(nnnp)",
            ),
            unsupported("__recv_chk __recvfrom_chk recvmmsg(npnnp) recvmsg(npn) sendmmsg(npnn)"),
        ],
    },
    Header {
        name: "sys/stat.h, sys/statvfs.h, sys/vfs.h",
        rows: &[
            model(
                "files",
                "__fxstat __lxstat(nsp) __xstat(nsp) fstat(np) fstat64(np) fstatat(nspn) fstatat64(nspn) lstat(sp) lstat64(sp) \
                 stat(sp) stat64(sp)",
            ),
            fallible(
                "chmod(sn) fchmodat(nsnn) lchmod(sn) mkdir(sn) mkdirat(nsn) mkfifo(sn) mkfifoat(nsn) \
                 mknod(snn) mknodat(nsnn)",
                STATUS,
            ),
            of_descriptor("fchmod(nn)", STATUS),
            approximate("gnu_dev_major(n) gnu_dev_makedev(nn) gnu_dev_minor(n)", Any),
            effectless("umask(n)", Between(0, 0o777)),
            unsupported(
                "__fxstat64 __fxstatat __lxstat64 __xmknod __xstat64 fstatfs64(np) fstatvfs64(np) statfs64(pp) \
                 statvfs64(pp) statx(npnnp)",
            ),
            model("system", "fstatfs(np) fstatvfs(np) statfs(sp) statvfs(sp)"),
        ],
    },
    Header {
        name: "sys/uio.h, sys/sendfile.h",
        rows: &[
            of_descriptor("writev(npn)", COUNT),
            fallible("pwritev(npnn) pwritev2(npnnn)", COUNT),
            model("sockets", "readv(npn)"),
            unsupported(
                "preadv(npnn) preadv2(npnnn) process_vm_readv(npnpnn) process_vm_writev(npnpnn) sendfile(nnpn) sendfile64(nnpn) splice(npnpnn) tee(nnnn) vmsplice(npnn)",
            ),
        ],
    },
    Header {
        name: "sys/wait.h",
        rows: &[model("fork", "wait(p) wait3(pnp) wait4(npnp) waitpid(npn)"), unsupported("waitid(nnpn)")],
    },
    Header {
        name: "sys/mount.h, sys/reboot.h, sys/swap.h, sys/xattr.h",
        rows: &[
            fallible(
                "fremovexattr(ns) fsetxattr(nspnn) lremovexattr(ss) lsetxattr(sspnn) mount(SsSnp) reboot(n) \
                 removexattr(ss) setxattr(sspnn) swapoff(s) swapon(sn) umount(s) umount2(sn)",
                STATUS,
            ),
            unsupported(
                "copy_file_range(npnpnn) fgetxattr(nppn) flistxattr(npn) getxattr(pppn) lgetxattr(pppn) \
                 listxattr(ppn) llistxattr(ppn)",
            ),
        ],
    },
    Header {
        name: "syslog.h",
        rows: &[
            output("syslog(np…) vsyslog(npp)", Some(1), Any),
            effectless("closelog() openlog(Snn) setlogmask(n)", Any),
        ],
    },
    Header {
        name: "termios.h, pty.h",
        rows: &[
            model("files", "tcgetattr(np) tcsetattr(nnp)"),
            of_descriptor("tcdrain(n) tcflow(nn) tcflush(nn) tcsendbreak(nn)", STATUS),
            of_descriptor("tcgetsid(n)", COUNT),
            unsupported(
                "cfgetispeed(p) cfgetospeed(p) cfmakeraw(p) cfsetispeed(pn) cfsetospeed(pn) cfsetspeed(pn) \
                 forkpty(pppp) login_tty(n) openpty(ppppp)",
            ),
        ],
    },
    Header {
        name: "threads.h",
        rows: &[
            model("threads", "call_once thrd_current thrd_equal tss_create(pp) tss_delete(n) tss_get(n) tss_set(np)"),
            effectless(
                "cnd_broadcast(p) cnd_init(p) cnd_signal(p) mtx_init(pn) mtx_lock(p) mtx_timedlock(pp) mtx_trylock(p) \
                 mtx_unlock(p) thrd_detach(n)",
                NATURAL,
            ),
            effectless("cnd_destroy(p) mtx_destroy(p) thrd_yield()", Any),
            unsupported("cnd_timedwait(ppp) cnd_wait(pp) thrd_create(ppp) thrd_exit(n) thrd_join(np) thrd_sleep(pp)"),
        ],
    },
    Header {
        name: "time.h",
        rows: &[
            model("calendar", "asctime(p) asctime_r(pp) gmtime gmtime_r strftime(pnpp) strptime(ppp) timegm"),
            model("zone", "daylight(v) timezone(v) tzname(v) tzset()"),
            model("localtime", "ctime(p) ctime_r(pp) localtime localtime_r mktime timelocal"),
            model(
                "time",
                "clock clock_getres clock_gettime clock_nanosleep(nnpp) difftime nanosleep time timespec_get timespec_getres",
            ),
            approximate("dysize(n)", Between(365, 366)),
            fallible("clock_settime(np) stime(p) timer_delete(p)", STATUS),
            unsupported(
                "clock_getcpuclockid(np) ftime(p) getdate(p) getdate_r(pp) strftime_l(pnppp) \
                 timer_create(npp) timer_getoverrun(p) timer_gettime(pp) timer_settime(pnpp)",
            ),
        ],
    },
    Header {
        name: "unistd.h",
        rows: &[
            model("environ", "environ(v)"),
            model("fork", "fork() vfork()"),
            model("paths", "get_current_dir_name() getcwd(pn) getwd(p) readlink(spn) readlinkat(nspn)"),
            model("files", "isatty"),
            model(
                "process",
                "daemon(nn) getegid() geteuid() getgid() getpid getppid getuid() setegid(n) seteuid(n) setgid(n) \
                 setregid(nn) setresgid(nnn) setresuid(nnn) setreuid(nn) setuid(n)",
            ),
            model("random", "getentropy(pn) getrandom(pnn)"),
            model("signal", "alarm(n) pause()"),
            builtin("_exit", Operation::Exit { handlers: false }),
            model("memory", "swab"),
            model("unistd", "access(sn) close dup dup2 pipe read sleep unlink(s) usleep write"),
            model("sockets", "pipe2(pn) pread(npnn) pread64(npnn)"),
            model(
                "system",
                "getdomainname(pn) getgroups(np) gethostname(pn) getlogin_r(pn) getpass(s) sysconf(n) ttyname_r(npn)",
            ),
            model("users", "getlogin ttyname"),
            fallible(
                "acct(S) chdir(s) chown(snn) chroot(s) eaccess(sn) euidaccess(sn) faccessat(nsnn) \
                 fchownat(nsnnn) ftruncate(nn) ftruncate64(nn) lchown(snn) link(ss) \
                 linkat(nsnsn) lockf(nnn) lockf64(nnn) rmdir(s) setdomainname(pn) sethostid(n) sethostname(pn) \
                 setpgid(nn) setpgrp() symlink(ss) symlinkat(sns) truncate(sn) truncate64(sn) \
                 unlinkat(nsn) vhangup()",
                STATUS,
            ),
            of_descriptor("fchdir(n) fchown(nnn) fdatasync(n) flock(nn) fsync(n) syncfs(n) tcsetpgrp(nn)", STATUS),
            of_descriptor("lseek(nnn) lseek64(nnn) tcgetpgrp(n)", COUNT),
            fallible("dup3(nnn) getpgid(n) getsid(n) pwrite(npnn) pwrite64(npnn) setsid()", COUNT),
            approximate("fpathconf(nn) pathconf(sn)", COUNT),
            fallible("close_range(nnn)", STATUS),
            effectless("closefrom(n)", Any),
            fallible("getauxval(n) ulimit(n…)", Any),
            fallible("nice(n)", Any),
            approximate("ualarm(nn)", Any),
            fallible(
                "execl(sS…) execle(sS…) execlp(sS…) execv(sp) execve(spp) execveat(nsppn) execvp(sp) execvpe(spp) fexecve(npp)",
                FAILURE,
            ),
            effectless("gethostid() group_member(n) setfsgid(n) setfsuid(n) sync() ttyslot()", Any),
            effectless("getpgrp()", NATURAL),
            effectless("getdtablesize() gettid()", Between(1, i64::MAX)),
            effectless("getpagesize()", Between(4096, 4096)),
            unsupported(
                "__confstr_chk __getcwd_chk __getdomainname_chk __getgroups_chk __gethostname_chk __getlogin_r_chk \
                 __getwd_chk __pread64_chk __pread_chk __read_chk __readlink_chk __readlinkat_chk __ttyname_r_chk \
                 brk(p) confstr(npn) getresgid(ppp) getresuid(ppp) sbrk(n)",
            ),
        ],
    },
    Header {
        name: "wchar.h, uchar.h",
        rows: &[
            model("wctype", "mbsinit(p)"),
            output("fwprintf(fp…) vfwprintf(fpp) vwprintf(pp) wprintf(p…)", None, Any),
            output("fputws(pf)", None, COUNT),
            model(
                "wchar",
                "wcpcpy(pp) wcpncpy(ppn) wcscasecmp(pp) wcscat wcschr wcschrnul(pn) wcscmp wcscoll(pp) wcscpy wcscspn(pp) \
                 wcsdup(p) wcslen wcsncasecmp(ppn) wcsncat wcsncmp wcsncpy wcsnlen wcspbrk(pp) wcsrchr wcsspn(pp) wcsstr \
                 wcstok(ppp) wmemchr wmemcmp wmemcpy wmemmove wmempcpy(ppn) wmemset",
            ),
            model(
                "charset",
                "btowc(n) mbrlen(pnp) mbrtowc(ppnp) mbsrtowcs(ppnp) wcrtomb(pnp) wcsrtombs(ppnp) wctob(n)",
            ),
            model("wformat", "swprintf vswprintf"),
            model(
                "wnumber",
                "__isoc23_wcstol __isoc23_wcstoll __isoc23_wcstoul __isoc23_wcstoull wcstod(pp) wcstof(pp) wcstol(ppn) wcstold(pp) \
                 wcstoll(ppn) wcstoq(ppn) wcstoul(ppn) wcstoull(ppn) wcstouq(ppn)",
            ),
            fallible(
                "fputwc(nf) fputwc_unlocked(nf) putwc(nf) putwc_unlocked(nf) putwchar(n) putwchar_unlocked(n)",
                Any,
            ),
            approximate("fwide(fn)", Any),
            approximate("wcswidth(pn) wcwidth(n)", COUNT),
            unsupported(
                "__fgetws_chk __fwprintf_chk __isoc23_fwscanf __isoc23_swscanf \
                 __isoc23_wscanf __isoc99_fwscanf __isoc99_swscanf \
                 __isoc99_vfwscanf __isoc99_vswscanf __isoc99_vwscanf __isoc99_wscanf __mbsrtowcs_chk __swprintf_chk \
                 __vfwprintf_chk __vswprintf_chk __vwprintf_chk __wcpcpy_chk __wcpncpy_chk __wcrtomb_chk __wcscat_chk \
                 __wcscpy_chk __wcsncat_chk __wcsncpy_chk __wcsrtombs_chk __wmemcpy_chk __wmemmove_chk __wmempcpy_chk \
                 __wmemset_chk __wprintf_chk c16rtomb(pnp) c32rtomb(pnp) fgetwc(p) fgetwc_unlocked(p) \
                 fgetws(pnp) fgetws_unlocked(pnp) fputws_unlocked(pp) fwscanf getwc(p) getwc_unlocked(p) getwchar() \
                 getwchar_unlocked() getws mbrtoc16(ppnp) mbrtoc32(ppnp) mbsnrtowcs(ppnnp) swscanf ungetwc(np) \
                 vfwscanf(ppp) vswscanf(ppp) vwscanf(pp) wcscasecmp_l(ppp) wcscoll_l(ppp) wcsftime(pnpp) \
                 wcsncasecmp_l(ppnp) wcsnrtombs(ppnnp) \
                 wcswcs(pp) wcsxfrm(ppn) wcsxfrm_l(ppnp) wscanf",
            ),
        ],
    },
    Header {
        name: "wctype.h",
        rows: &[
            model(
                "wctype",
                "iswalnum iswalnum_l(np) iswalpha iswalpha_l(np) iswblank iswblank_l(np) iswcntrl iswcntrl_l(np) iswctype(nn) \
                 iswdigit iswdigit_l(np) iswgraph iswgraph_l(np) iswlower iswlower_l(np) iswprint iswprint_l(np) iswpunct \
                 iswpunct_l(np) iswspace iswspace_l(np) iswupper iswupper_l(np) iswxdigit iswxdigit_l(np) towlower \
                 towlower_l(np) towupper towupper_l(np) wctype(s)",
            ),
            unsupported("iswctype_l(nnp) towctrans(np) towctrans_l(npp) wctrans(p) wctrans_l(pp) wctype_l(pp)"),
        ],
    },
    Header {
        name: "verifiers",
        rows: &[
            builtin("reach_error", Operation::Abort),
            builtin("__CPROVER_havoc_slice __VERIFIER_nondet_memory", Operation::Havoc),
            builtin("__CPROVER_havoc_object", Operation::HavocObject),
        ],
    },
    Header {
        name: "models",
        rows: &[
            builtin("__lariat_destructors", Operation::Destructors),
            builtin("__lariat_outside", Operation::Allocate(&[0], Block::Outside)),
            builtin("__lariat_close", Operation::Close),
            model("text", "__lariat_read_string"),
            model(
                "counted",
                "__lariat_counted_dprintf(np…) __lariat_counted_fprintf(fp…) __lariat_counted_fprintf_chk(fnp…) \
                 __lariat_counted_printf(p…) __lariat_counted_printf_chk(np…) __lariat_counted_vdprintf(npp) \
                 __lariat_counted_vfprintf(fpp) __lariat_counted_vfprintf_chk(fnpp) __lariat_counted_vprintf(pp) \
                 __lariat_counted_vprintf_chk(npp)",
            ),
            builtin("__lariat_approximate", Operation::Approximate),
            builtin("__lariat_extent", Operation::Extent(Reach::String)),
            builtin("__lariat_block", Operation::Extent(Reach::Block)),
            builtin("__lariat_apart", Operation::Apart),
            builtin("__lariat_readable", Operation::Readable),
            builtin("__lariat_room", Operation::Room),
            builtin("__lariat_terminator", Operation::Terminator),
            builtin("__lariat_unknown_string", Operation::Terminated { unknown: true }),
            builtin("__lariat_known_string", Operation::Terminated { unknown: false }),
            builtin("__lariat_peek", Operation::Peek),
            builtin("__lariat_unsupported", Operation::Unsupported),
            jump(JumpStep::Begin),
            jump(JumpStep::Set),
            jump(JumpStep::End),
            jump(JumpStep::EndAll),
            jump(JumpStep::Here),
            jump(JumpStep::To),
            jump(JumpStep::Target),
            jump(JumpStep::Arrive),
        ],
    },
];
