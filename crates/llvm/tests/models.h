/* What the models take from the verifier, and how they are compared with the library. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state = 88172645463325252ull;
static unsigned long long any(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 2685821657736338717ull;
}
static unsigned below(unsigned n) { return (unsigned)((any() >> 33) % n); }

_Bool __VERIFIER_nondet_bool(void) { return below(2); }
char __VERIFIER_nondet_char(void) { return (char)below(256); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)below(256); }
short __VERIFIER_nondet_short(void) { return (short)any(); }
int __VERIFIER_nondet_int(void) { return (int)any(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)any(); }
long __VERIFIER_nondet_long(void) { return (long)any(); }
unsigned long __VERIFIER_nondet_ulong(void) { return below(200); }
long long __VERIFIER_nondet_longlong(void) { return (long long)any(); }
float __VERIFIER_nondet_float(void) { return (float)below(1000) / 1000; }
double __VERIFIER_nondet_double(void) { return below(1000) / 1000.0; }
long double __VERIFIER_nondet_longdouble(void) { return below(1000) / 1000.0L; }
void __VERIFIER_nondet_memory(void *at, size_t n) {
  for (size_t i = 0; i < n; i++) ((char *)at)[i] = (char)below(256);
}

static _Bool assumed = 1;
void __VERIFIER_assume(int condition) { assumed = assumed && condition; }
/* The last objects from outside. */
static void *outside[1024];
void *__lariat_outside(size_t n) {
  static unsigned next;
  next = (next + 1) % 1024;
  free(outside[next]);
  return outside[next] = malloc(n);
}
static void free_outside(void) {
  for (int i = 0; i < 1024; i++) free(outside[i]);
}
void __lariat_destructors(void) {}

/* Jumps are not compared here. */
void __lariat_jump_end_all(void) {}
long __lariat_jump_here(void) { return 0; }
void __lariat_jump_to(long place, int value) {}
void __lariat_readable(const void *at, size_t n) { (void)at, (void)n; }
size_t __lariat_room(const void *at) { return (void)at, 0; }
size_t __lariat_terminator(const void *at) { return (void)at, 0; }
void __lariat_unknown_string(const void *at, size_t n) { (void)at, (void)n; }
void __lariat_known_string(const void *at, size_t n) { (void)at, (void)n; }
char __lariat_peek(const void *at) { return *(const char *)at; }
void __lariat_extent(int argument, size_t n) { (void)argument, (void)n; }
void __lariat_block(int argument, size_t n) { (void)argument, (void)n; }
void __lariat_apart(const void *p, size_t n, const void *q, size_t m) { (void)p, (void)n, (void)q, (void)m; }
static _Bool approximated;
void __lariat_close(void *stream) { (void)stream; }

void __lariat_approximate(const char *what) {
  (void)what;
  approximated = 1;
}
/* Whether a model may say so, and whether it has. */
static _Bool may_be_unsupported, unsupported;
void __lariat_unsupported(const char *what) {
  unsupported = 1;
  if (may_be_unsupported) return;
  printf("unsupported: %s\n", what);
  exit(1);
}

#define SAME(a, b)                                                                        \
  do {                                                                                    \
    long long x_ = (long long)(a), y_ = (long long)(b);                                   \
    if (x_ != y_) {                                                                       \
      printf("line %d: %s is %lld, the library says %lld\n", __LINE__, #a, x_, y_);       \
      exit(1);                                                                            \
    }                                                                                     \
  } while (0)
#define TRUE(a) SAME((a) != 0, 1)
static int sign(int x) { return (x > 0) - (x < 0); }

#define DECLARE(name) extern __typeof__(name) model_##name;
