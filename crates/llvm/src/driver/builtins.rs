//! Library functions that the program defines itself.
//!
//! clang knows what many functions of the C library do: it computes `strlen("abc")`, makes `memcpy` and `abs`
//! instructions, and takes it that `exit` does not return. A program with functions of its own by these names means
//! these, so its files are compiled again without that knowledge; for other names it stays, since a call of `malloc`
//! without a declaration works only with it. What clang itself copies, such as structures, is no call of a function.

use crate::module::Module;

/// The functions of which clang knows more than a declaration says.
const KNOWN: &str = "_Exit _exit abort abs alloca bcmp bcopy bzero calloc cabs cabsf cabsl cacos carg casin catan \
     ceil ceilf ceill cimag cimagf cimagl conj conjf conjl copysign copysignf copysignl cos cosf cosl cosh coshf coshl \
     cproj creal crealf creall exit exp exp10 exp10f exp10l exp2 exp2f exp2l expf expl fabs fabsf fabsl fdim fdimf \
     fdiml ffs ffsl ffsll finite finitef finitel floor floorf floorl fma fmaf fmal fmax fmaxf fmaxl fmin fminf fminl \
     fmod fmodf fmodl fprintf fputs free frexp frexpf frexpl fscanf getcontext imaxabs index isalnum isalpha isblank \
     iscntrl isdigit isgraph isinf isinff isinfl islower isnan isnanf isnanl isprint ispunct isspace isupper isxdigit \
     labs ldexp ldexpf ldexpl llabs llrint llrintf llrintl llround llroundf llroundl log log10 log10f log10l log2 \
     log2f log2l logf logl longjmp lrint lrintf lrintl lround lroundf lroundl malloc memccpy memchr memcmp memcpy \
     memmove mempcpy memset modf modff modfl nan nanf nanl nearbyint nearbyintf nearbyintl pow powf powl printf putchar \
     puts realloc remainder remainderf remainderl rindex rint rintf rintl round roundeven roundevenf roundevenl roundf \
     roundl scalbn scalbnf scalbnl scanf setjmp _setjmp sigsetjmp siglongjmp _longjmp sin sincos sincosf sincosl sinf \
     sinh sinhf sinhl sinl snprintf sprintf sqrt sqrtf sqrtl sscanf stpcpy stpncpy strcasecmp strcat strchr strcmp \
     strcpy strcspn strdup strlcat strlcpy strlen strncasecmp strncat strncmp strncpy strndup strpbrk strrchr strspn \
     strstr strtod strtof strtok strtol strtold strtoll strtoul strtoull strxfrm tan tanf tanh tanhf tanhl tanl \
     tgamma tgammaf tgammal tolower toupper trunc truncf truncl vfork vfprintf vfscanf vprintf vscanf vsnprintf \
     vsprintf vsscanf wcschr wcscmp wcslen wcsncmp wmemchr wmemcmp wmemcpy wmemmove";

/// Options that make clang forget what it knows of the functions that a module defines.
pub(super) fn forget(module: &Module) -> Vec<String> {
    let defined = module.functions.iter().filter(|f| f.is_defined()).map(|f| f.name.as_str());
    let known = defined.filter(|name| KNOWN.split_ascii_whitespace().any(|known| known == *name));
    known.map(|name| format!("-fno-builtin-{name}")).collect()
}
