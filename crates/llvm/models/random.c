/* sys/random.h: any bytes. */

MODEL ptrdiff_t getrandom(void *to, size_t size, unsigned flags) {
  (void)flags;
  LARIAT_BLOCK(0, size);
  if (__VERIFIER_nondet_bool()) {
    *__errno_location() = __VERIFIER_nondet_bool() ? 4 : __VERIFIER_nondet_bool() ? 11 : __VERIFIER_nondet_bool() ? 22 : 38;
    return -1;
  }
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n <= size && n <= 0x7fffffff);
  __VERIFIER_nondet_memory(to, n);
  return (ptrdiff_t)n;
}

MODEL int getentropy(void *to, size_t size) {
  LARIAT_BLOCK(0, size);
  if (size > 256 || __VERIFIER_nondet_bool()) {
    *__errno_location() = size > 256 ? 5 : 38;
    return -1;
  }
  __VERIFIER_nondet_memory(to, size);
  return 0;
}
