/* stdlib.h, langinfo.h: characters of several bytes, as the locale "C" has them: one byte each. What a byte beyond ASCII
   is differs between versions of the library. */

static _Bool lariat_charset_decode(unsigned char byte, wchar_t *to) {
  if (byte < 128) {
    *to = byte;
    return 1;
  }
  if (__VERIFIER_nondet_bool()) {
    *__errno_location() = 84; /* EILSEQ */
    return 0;
  }
  wchar_t wide = (wchar_t)__VERIFIER_nondet_int();
  __VERIFIER_assume(wide >= 128);
  *to = wide;
  return 1;
}

static _Bool lariat_charset_encode(wchar_t wide, char *to) {
  if (wide >= 0 && wide < 128) {
    *to = (char)wide;
    return 1;
  }
  if (__VERIFIER_nondet_bool()) {
    *__errno_location() = 84; /* EILSEQ */
    return 0;
  }
  char byte = __VERIFIER_nondet_char();
  __VERIFIER_assume(byte & 0x80);
  *to = byte;
  return 1;
}

MODEL size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t most) {
  for (size_t i = 0;; i++) {
    if (to && i == most) return i;
    wchar_t wide;
    if (!lariat_charset_decode((unsigned char)from[i], &wide)) return (size_t)-1;
    if (to) to[i] = wide;
    if (!wide) return i;
  }
}

MODEL size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t most) {
  for (size_t i = 0;; i++) {
    if (to && i == most) return i;
    char byte;
    if (!lariat_charset_encode(from[i], &byte)) return (size_t)-1;
    if (to) to[i] = byte;
    if (!byte) return i;
  }
}

/* Without a character: there are no states. */
MODEL int mbtowc(wchar_t *restrict to, const char *restrict from, size_t most) {
  wchar_t wide;
  if (!from) return 0;
  if (most == 0 || !lariat_charset_decode((unsigned char)*from, &wide)) return -1;
  if (to) *to = wide;
  return wide != 0;
}

MODEL int wctomb(char *to, wchar_t wide) {
  if (!to) return 0;
  return lariat_charset_encode(wide, to) ? 1 : -1;
}

MODEL char *nl_langinfo(int item) {
  (void)item;
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 256);
  char *text = __lariat_outside(n + 1);
  text[n] = 0;
  return text;
}
