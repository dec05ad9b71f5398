/* What every model starts from. No header of the system is used: the models compile for each data
   model, also where its headers are not installed. */

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTMAX_TYPE__ uintmax_t;

/* A definition of the program itself, or a static function of the same name, goes before the model. */
#define MODEL __attribute__((weak))

#define NULL ((void *)0)
#define INT_MAX __INT_MAX__
#define LONG_MAX __LONG_MAX__
#define LLONG_MAX __LONG_LONG_MAX__
/* No object is larger. */
#define LARIAT_LARGEST ((size_t)__PTRDIFF_MAX__)
#define EOF (-1)

/* Any value of the type. */
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
long double __VERIFIER_nondet_longdouble(void);
void __VERIFIER_assume(int);
/* Any bytes. */
void __VERIFIER_nondet_memory(void *, size_t);

/* An initialised object of so many bytes, each of any value, that lives for ever, is never freed and
   is nobody's leak: memory of the C library or of the system. */
void *__lariat_outside(size_t bytes);

/* Reaching this call makes the verdict unknown: the model does not cover what is asked of it. */
void __lariat_unsupported(const char *what);

/* Errors behind this call are not reported, but proofs hold: what follows covers more than there is. */
void __lariat_approximate(const char *what);

/* The life of a stream ends. */
void __lariat_close(void *stream);

/* So many bytes are there to be read. */
void __lariat_readable(const void *, size_t);

/* How many bytes there are from an address to the end of its object. If the last of them is 0, a string surely ends there: whoever
   only wants to know that needs no loop. */
size_t __lariat_room(const void *);
#define LARIAT_ENDS(s, room) ((room) && !((const volatile char *)(s))[(room) - 1])

/* How many bytes there are to where a string ended that a model made, with its terminator; 0 if that is not known. It is a guess: if
   a terminator is there, the string surely ends there or before. Who makes strings of unknown text, copies them
   or has found their end says where that is; other strings are searched. */
size_t __lariat_terminator(const void *);
void __lariat_unknown_string(const void *, size_t length);
void __lariat_known_string(const void *, size_t length);

/* A byte that is known to be there. */
char __lariat_peek(const void *);

/* A place in a string, below `bound`, is chosen: the first where `found` holds, which it does at the terminator. Both may use `i`. The loop
   changes nothing, so that proofs that do not need that it is the first do not need the loop. */
#define LARIAT_CHOOSE(at, bound, found)                            \
  do {                                                             \
    (at) = __VERIFIER_nondet_ulong();                              \
    __VERIFIER_assume((at) < (bound));                             \
    {                                                              \
      size_t i = (at);                                             \
      __VERIFIER_assume(found);                                    \
    }                                                              \
    for (size_t i = 0; i < (at); i++) __VERIFIER_assume(!(found)); \
  } while (0)

/* Of a string that is handed to the C library: it may be null; it matters where it ends. */
#define LARIAT_OPTIONAL 1
#define LARIAT_MEASURED 2

/* How far a model has gone in its arguments, by their numbers from 0, in bytes: in a string, or in a block. It says so where
   it returns. And that two blocks do not overlap. */
#ifdef LARIAT_STRINGS
void __lariat_extent(int argument, size_t bytes);
void __lariat_block(int argument, size_t bytes);
void __lariat_apart(const void *, size_t, const void *, size_t);
#define LARIAT_STRING(argument, bytes) __lariat_extent(argument, bytes)
#define LARIAT_BLOCK(argument, bytes) __lariat_block(argument, bytes)
#define LARIAT_APART(p, n, q, m) __lariat_apart(p, n, q, m)
#else
#define LARIAT_STRING(argument, bytes) ((void)(argument), (void)(bytes))
#define LARIAT_BLOCK(argument, bytes) ((void)(argument), (void)(bytes))
#define LARIAT_APART(p, n, q, m) ((void)(p), (void)(n), (void)(q), (void)(m))
#endif

/* The number of an argument of which nothing is to be said. */
#define LARIAT_NOBODY (-1000)

void *malloc(size_t);
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
int *__errno_location(void);

/* How many bytes of a string there are at most, with its terminator, if it surely ends; 0 if it is to be searched. */
__attribute__((unused)) static size_t lariat_string_bound(const char *s) {
  size_t bound = __lariat_terminator(s);
  return bound && !s[bound - 1] ? bound : 0;
}

/* The length of a string, at most `most`. */
__attribute__((unused)) static size_t lariat_string_length(const char *s, size_t most) {
  size_t n = 0, bound = lariat_string_bound(s);
  if (bound) {
    LARIAT_CHOOSE(n, bound, i == most || !__lariat_peek(s + i));
    if (n < most) __lariat_known_string(s, n);
  } else {
    while (n < most && s[n]) n++;
  }
  return n;
}

/* If a call has failed (1), errno is the number of some error; with -n, it is n. */
void __lariat_set_errno(int failed);
