//! What is known of the C library: models in C, which are compiled and linked on demand.
//!
//! A function that a program uses and does not define is one of five things here. It has a model
//! ([`Known::Model`]); it gives any value and changes nothing that a program sees ([`Known::Any`]); so does
//! output, which also reads strings to their ends ([`Known::Output`]); it does something that no model covers
//! ([`Known::Unsupported`], so a call must not be taken for harmless); or it is unknown. The functions that the translation itself knows (`malloc`,
//! `memcpy`, `abort`, `__VERIFIER_…`) are not in this table.
//!
//! All definitions of the models are weak: what the program defines goes before them. Each file stands
//! alone, except for the files it names, and never uses a public function of another model. So the
//! files that are needed make one translation unit, for one run of the compiler.

use std::fmt::Write;

use crate::module::{Function, Module, Param, TypeKind};

/// What every translation unit of models starts with.
const PRELUDE: &str = include_str!("../models/prelude.h");
/// What models include, with other macros each time.
const HEADERS: [(&str, &str); 4] = [
    ("complex.h", include_str!("../models/complex.h")),
    ("format.h", include_str!("../models/format.h")),
    ("reals.h", include_str!("../models/reals.h")),
    ("strtod.h", include_str!("../models/strtod.h")),
];

/// A file of models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Model {
    /// Its name, without the ending.
    pub name: &'static str,
    /// Its text, without the prelude.
    pub text: &'static str,
    /// The models that it uses.
    pub needs: &'static [&'static str],
    /// The functions and variables that it defines, with spaces between them.
    defines: &'static str,
}

impl Model {
    /// The functions and variables that it defines.
    pub fn defines(&self) -> impl Iterator<Item = &'static str> {
        self.defines.split_ascii_whitespace()
    }
}

/// What is known of a function or variable of the C library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// This model defines it.
    Model(&'static Model),
    /// It returns any value and changes nothing.
    Any,
    /// As [`Known::Any`], but it reads the strings that it prints. The position of the format, if it has one
    /// of plain characters.
    Output(Option<usize>),
    /// It returns a number that depends on its arguments in a way that no model covers, and changes nothing.
    Number,
    /// It has effects or results that no model covers.
    Unsupported,
}

macro_rules! model {
    ($name:literal, [$($needs:literal),*], $defines:literal) => {
        Model {
            name: $name,
            text: include_str!(concat!("../models/", $name, ".c")),
            needs: &[$($needs),*],
            defines: $defines,
        }
    };
}

/// What runs the handlers that the program has registered, if it has.
pub const EXIT_HANDLERS: &str = "__lariat_exit_handlers";

/// All models.
pub static MODELS: &[Model] = &[
    model!("alloc", ["errno"], "aligned_alloc memalign posix_memalign pvalloc reallocarray"),
    model!("bits", [], "ffs ffsl ffsll"),
    model!("calendar", ["errno"], "asctime asctime_r gmtime gmtime_r strftime strptime timegm"),
    model!("zone", [], "daylight timezone tzname tzset"),
    model!(
        "complex",
        ["errno"],
        "__divdc3 __divsc3 __muldc3 __mulsc3 cabs cabsf cimag cimagf conj conjf cproj cprojf creal crealf hypot hypotf"
    ),
    model!(
        "ctype",
        [],
        "isalnum isalnum_l isalpha isalpha_l isascii isblank isblank_l iscntrl iscntrl_l isdigit \
             isdigit_l isgraph isgraph_l islower islower_l isprint isprint_l ispunct ispunct_l \
             isspace isspace_l isupper isupper_l isxdigit isxdigit_l toascii tolower toupper"
    ),
    model!("ctype_tables", [], "__ctype_b_loc __ctype_get_mb_cur_max __ctype_tolower_loc __ctype_toupper_loc"),
    model!("errno", [], "__errno_location"),
    model!("exit", [], "__cxa_atexit __lariat_exit_handlers at_quick_exit atexit exit on_exit quick_exit"),
    model!("environ", [], "environ"),
    model!("err", [], "err error error_at_line error_message_count error_one_per_line errx verr verrx"),
    model!(
        "files",
        ["errno"],
        "__fxstat __lxstat __xstat fcntl fcntl64 fstat fstat64 fstatat fstatat64 ftruncate ioctl isatty lseek lseek64 \
             lstat lstat64 stat stat64 tcdrain tcflow tcflush tcgetattr tcsendbreak tcsetattr tcsetpgrp"
    ),
    model!("format", [], "asprintf snprintf sprintf vasprintf vsnprintf vsprintf"),
    model!(
        "chk",
        ["format"],
        "__memcpy_chk __memmove_chk __mempcpy_chk __memset_chk __snprintf_chk __sprintf_chk __stpcpy_chk __stpncpy_chk \
             __strcat_chk __strcpy_chk __strncat_chk __strncpy_chk __vsnprintf_chk __vsprintf_chk"
    ),
    model!("getopt", [], "__posix_getopt getopt getopt_long getopt_long_only optarg opterr optind optopt"),
    model!("localtime", ["calendar", "errno", "zone"], "ctime ctime_r localtime localtime_r mktime"),
    model!("locale", ["errno"], "localeconv setlocale"),
    model!(
        "math",
        [],
        "fdim fdimf fdiml llrint llrintf llrintl llround llroundf llroundl lrint lrintf lrintl lround lroundf \
             lroundl modf modff modfl"
    ),
    model!(
        "memory",
        [],
        "__mempcpy bcmp bzero explicit_bzero memccpy memchr memcmp memmem mempcpy memrchr \
             rawmemchr swab"
    ),
    model!(
        "number",
        ["errno"],
        "__isoc23_strtoimax __isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull \
             __isoc23_strtoumax atoi atol atoll strtoimax strtol strtoll strtoq strtoul strtoull \
             strtoumax strtouq"
    ),
    model!("once", [], "call_once pthread_once"),
    model!("process", ["errno"], "getegid geteuid getgid getpid getppid getuid setegid seteuid setgid setuid"),
    model!("random", ["errno"], "getentropy getrandom"),
    model!(
        "reals",
        ["errno"],
        "drem dremf fmod fmodf frexp frexpf ilogb ilogbf ldexp ldexpf logb logbf nan nanf nextafter nextafterf remainder \
             remainderf remquo remquof scalbln scalblnf scalbn scalbnf"
    ),
    model!(
        "scan",
        [],
        "__isoc23_fscanf __isoc23_scanf __isoc23_vfscanf __isoc23_vscanf __isoc99_fscanf \
             __isoc99_scanf __isoc99_vfscanf __isoc99_vscanf fscanf scanf vfscanf vscanf"
    ),
    model!(
        "signal",
        ["errno", "process"],
        "__sysv_signal alarm bsd_signal kill pthread_sigmask raise sigaction sigaddset sigdelset sigemptyset \
             sigfillset siginterrupt sigismember signal sigpending sigprocmask ssignal sysv_signal"
    ),
    model!("sort", [], "bsearch lfind qsort"),
    model!("sscan", [], "__isoc23_sscanf __isoc23_vsscanf __isoc99_sscanf __isoc99_vsscanf sscanf vsscanf"),
    model!(
        "stdio",
        ["errno"],
        "_IO_getc fdopen fgetc fgetc_unlocked fgets fgets_unlocked fopen fopen64 fread fread_unlocked freopen fwrite \
             fwrite_unlocked getc getc_unlocked \
             getchar getchar_unlocked getline gets popen tmpfile ungetc"
    ),
    model!(
        "stdlib",
        [],
        "abs div drand48 getenv imaxabs imaxdiv labs ldiv llabs lldiv lrand48 mrand48 rand rand_r \
             random secure_getenv"
    ),
    model!(
        "status",
        ["errno"],
        "chdir chmod chown clock fchdir fchmod fchown fdatasync fileno fileno_unlocked fsync ftell \
             ftello lchown link mkdir mkfifo remove rename rmdir setsockopt shutdown symlink truncate umask"
    ),
    model!("strdup", [], "__strdup __strndup strdup strndup"),
    model!("streams", [], "stderr stdin stdout"),
    model!("strtod", ["errno"], "atof strtod strtof strtold"),
    model!("strerror", [], "strerror strsignal"),
    model!(
        "string",
        [],
        "__strtok_r index rindex stpcpy stpncpy strcasecmp strcasestr strcat strchr strchrnul \
             strcmp strcoll strcpy strcspn strlcat strlcpy strlen strncasecmp strncat strncmp strncpy \
             strnlen strpbrk strrchr strsep strspn strstr strtok strtok_r"
    ),
    model!("time", ["errno"], "clock_getres clock_gettime difftime gettimeofday nanosleep time timespec_get"),
    model!("trigonometry", [], "sincos sincosf sincosl"),
    model!(
        "unistd",
        ["errno"],
        "accept access bind close connect creat dup dup2 htonl htons listen \
             ntohl ntohs open open64 pipe read recv send sleep socket unlink usleep write"
    ),
    model!("users", ["errno"], "getgrgid getgrnam getlogin getpwnam getpwuid ttyname"),
    model!(
        "wchar",
        [],
        "wcscat wcschr wcscmp wcscpy wcslen wcsncat wcsncmp wcsncpy wcsnlen wcsrchr wcsstr \
             wmemchr wmemcmp wmemcpy wmemmove wmemset"
    ),
    model!(
        "wctype",
        [],
        "iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct \
             iswspace iswupper iswxdigit mbsinit towlower towupper"
    ),
    model!("wformat", [], "swprintf vswprintf"),
];

/// Output, for where it matters what is read.
pub static OUTPUT: Model = model!(
    "print",
    [],
    "dprintf fprintf fputs fputs_unlocked fputws fwprintf perror printf puts syslog vdprintf vfprintf vfwprintf \
         vprintf vsyslog vwprintf warn warnx wprintf"
);

/// Functions that return any value and change nothing that a program sees.
static ANY: &str = "putchar putc _IO_putc fputc putc_unlocked putchar_unlocked fputc_unlocked fflush fflush_unlocked fclose \
     fseek fseeko setvbuf putwchar putwc fputwc pclose feof ferror clearerr feof_unlocked ferror_unlocked clearerr_unlocked \
     flockfile ftrylockfile funlockfile \
     rewind setbuf setlinebuf \
     openlog closelog psignal srand srandom srand48 system sync \
     inet_addr sched_yield";

/// What some functions of [`ANY`] and [`OUTPUT`] return at least and at most.
static RANGES: &[(&str, i32, i32)] = &[
    ("fclose fflush fflush_unlocked fseek fseeko setvbuf", -1, 0),
    ("putchar putc _IO_putc fputc putc_unlocked putchar_unlocked fputc_unlocked", -1, 255),
    ("puts fputs fputs_unlocked fputws", -1, i32::MAX),
];

/// What a function that gives any value returns at least and at most, if that is known.
pub fn range(name: &str) -> Option<(i32, i32)> {
    let found = RANGES.iter().find(|(names, ..)| names.split_ascii_whitespace().any(|n| n == name));
    found.map(|&(_, least, most)| (least, most))
}

/// Functions that do something no model covers.
static UNSUPPORTED: &str = "__lariat_unsupported setjmp _setjmp __setjmp sigsetjmp __sigsetjmp longjmp _longjmp \
     siglongjmp __longjmp_chk getcontext setcontext makecontext swapcontext pause sigsuspend sigwait sigwaitinfo sigtimedwait sigaltstack sigqueue \
     setitimer \
     fork vfork clone execl execlp execle execv execvp execve execvpe wait waitpid \
     wait3 wait4 pthread_create pthread_join pthread_exit pthread_cancel pthread_cond_wait \
     pthread_cond_timedwait pthread_barrier_wait pthread_getspecific \
     pthread_setspecific pthread_key_create sem_wait sem_timedwait sem_trywait thrd_create \
     thrd_join thrd_exit mmap mmap64 munmap mremap mprotect brk sbrk shmat shmget dlopen dlsym \
     dlclose swscanf __isoc99_swscanf __isoc23_swscanf vswscanf wscanf fwscanf __isoc99_wscanf \
     __isoc99_fwscanf __isoc23_wscanf __isoc23_fwscanf fgetws getws fgetwc \
     getwc getwchar mbstowcs wcstombs mbtowc wctomb mbrtowc wcrtomb mbsrtowcs wcsrtombs mblen \
     btowc wctob wcstol wcstoul wcstoll wcstoull wcstod wcstof wcstok wcsspn wcscspn wcspbrk \
     wcsdup wcscoll wcsxfrm strxfrm strverscmp strfry \
     getdate qsort_r hsearch hcreate tsearch tfind tdelete twalk \
     lsearch insque remque ftw nftw glob wordexp regcomp regexec \
     getsubopt realpath getcwd getwd get_current_dir_name readlink basename \
     dirname tempnam tmpnam mkstemp mktemp mkdtemp opendir readdir readdir_r closedir scandir \
     select poll \
     epoll_wait recvfrom recvmsg sendmsg getsockname getpeername getsockopt getaddrinfo \
     gethostbyname inet_ntoa inet_ntop inet_pton readv preadv pread pread64 \
     nl_langinfo uname gethostname sysconf times getrusage getrlimit putenv setenv \
     unsetenv clearenv fmemopen open_memstream getdelim fgetpos fsetpos lgamma \
     fesetenv fegetenv feholdexcept feraiseexcept feclearexcept fetestexcept feupdateenv lgammaf lgammal \
     frexpl remquol nanl";

/// Functions whose result depends on their arguments alone, in a way that no model covers.
static NUMBERS: &str = "__lariat_approximate sin sinf sinl cos cosf cosl tan tanf tanl asin asinf asinl acos acosf acosl atan atanf atanl \
     atan2 atan2f atan2l sinh sinhf sinhl cosh coshf coshl tanh tanhf tanhl asinh asinhf asinhl \
     acosh acoshf acoshl atanh atanhf atanhl exp expf expl exp2 exp2f exp2l exp10 exp10f exp10l \
     expm1 expm1f expm1l log logf logl log2 log2f log2l log10 log10f log10l log1p log1pf log1pl \
     logbl ilogbl pow powf powl cbrt cbrtf cbrtl hypotl erf \
     erff erfl erfc erfcf erfcl tgamma tgammaf tgammal ldexpl scalbnl \
     scalblnl nextafterl nexttoward nexttowardf nexttowardl \
     fmodl remainderl";

/// What is known of a name.
pub fn known(name: &str) -> Option<Known> {
    let among = |names: &'static str| names.split_ascii_whitespace().any(|n| n == name);
    if let Some(model) = MODELS.iter().find(|m| among(m.defines)) {
        return Some(Known::Model(model));
    }
    if among(OUTPUT.defines) {
        // The format comes first, or after the stream.
        let format = usize::from(name.trim_start_matches('v').starts_with(['f', 'd']));
        let format = (name.ends_with("printf") && !name.contains('w')).then_some(format);
        return Some(Known::Output(format));
    }
    if among(ANY) {
        return Some(Known::Any);
    }
    if among(NUMBERS) {
        return Some(Known::Number);
    }
    among(UNSUPPORTED).then_some(Known::Unsupported)
}

/// Whether a function that is declared means the one of this name in the C library. Many programs have an `error` of their
/// own; the library's takes a status first, and what a format says.
pub fn is_meant(module: &Module, function: &Function) -> bool {
    let status = |param: &Param| module.ty(param.ty).kind == TypeKind::Int(32);
    match known(&function.name) {
        Some(Known::Model(model)) if model.name == "err" => function.params.first().is_some_and(status),
        _ => true,
    }
}

/// What depends on the program and on what is asked of it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Variant {
    /// `swprintf` and `vswprintf` take no size, as Microsoft's did.
    pub unsized_wide: bool,
    /// It matters what output reads.
    pub output_reads: bool,
}

/// One translation unit with the models of the names that have one, and what these need; `None` if
/// none of them has. Debug information names the files `<models>/string.c` and so on. To be compiled
/// with `-fno-builtin`, so that no loop of a model is taken for the function it models.
pub fn unit<'a>(names: impl IntoIterator<Item = &'a str>, variant: Variant) -> Option<String> {
    let mut wanted = vec![false; MODELS.len()];
    let mut output = false;
    for name in names {
        match known(name) {
            Some(Known::Model(model)) => {
                for (index, other) in MODELS.iter().enumerate() {
                    wanted[index] |= other.name == model.name || model.needs.contains(&other.name);
                }
            }
            Some(Known::Output(_)) => output = variant.output_reads,
            _ => {}
        }
    }
    if !output && !wanted.contains(&true) {
        return None;
    }
    let mut text = format!("# 1 \"<models>/prelude.h\"\n{PRELUDE}");
    if variant.unsized_wide {
        text.push_str("#define LARIAT_UNSIZED\n");
    }
    let wanted = MODELS.iter().zip(wanted).filter(|(_, wanted)| *wanted).map(|(model, _)| model);
    for Model { name, text: own, .. } in wanted.chain(output.then_some(&OUTPUT)) {
        let _ = writeln!(text, "# 1 \"<models>/{name}.c\"");
        for (number, line) in own.lines().enumerate() {
            let header = HEADERS.iter().find(|(header, _)| line == format!("#include \"{header}\""));
            let _ = match header {
                Some((header, own)) => {
                    write!(text, "# 1 \"<models>/{header}\"\n{own}# {} \"<models>/{name}.c\"\n", number + 2)
                }
                None => writeln!(text, "{line}"),
            };
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each name is known in one way, and what a model needs exists and needs nothing that the model does not name.
    #[test]
    fn the_table_is_consistent() {
        let mut names: Vec<&str> = MODELS.iter().chain([&OUTPUT]).flat_map(Model::defines).collect();
        names.extend(ANY.split_ascii_whitespace());
        names.extend(NUMBERS.split_ascii_whitespace());
        names.extend(UNSUPPORTED.split_ascii_whitespace());
        names.sort_unstable();
        for pair in names.windows(2) {
            assert_ne!(pair[0], pair[1]);
        }
        for model in MODELS {
            for need in model.needs {
                let other = MODELS.iter().find(|m| m.name == *need).expect("it exists");
                assert!(other.needs.iter().all(|further| model.needs.contains(further)));
            }
        }
    }

    #[test]
    fn a_unit_has_what_is_needed() {
        assert_eq!(unit(["printf", "setjmp", "my_function"], Variant::default()), None);
        let reads = Variant { output_reads: true, ..Variant::default() };
        assert!(unit(["printf"], reads).is_some_and(|text| text.contains("<models>/print.c")));
        let text = unit(["strtol", "printf"], Variant::default()).expect("strtol has a model");
        assert!(text.contains("<models>/number.c") && text.contains("<models>/errno.c"));
        assert!(!text.contains("<models>/string.c"));
        assert_eq!(known("printf"), Some(Known::Output(Some(0))));
        assert_eq!(known("vfprintf"), Some(Known::Output(Some(1))));
        assert_eq!(known("puts"), Some(Known::Output(None)));
        assert_eq!(known("setjmp"), Some(Known::Unsupported));
        assert_eq!(known("my_function"), None);
    }
}
