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

/* The same with a state, of which there is but one. */
static size_t lariat_charset_next(wchar_t *to, const char *from, size_t most) {
  wchar_t wide;
  if (!from) return 0;
  if (most == 0) return (size_t)-2;
  if (!lariat_charset_decode((unsigned char)*from, &wide)) return (size_t)-1;
  if (to) *to = wide;
  return wide != 0;
}

MODEL size_t mbrtowc(wchar_t *restrict to, const char *restrict from, size_t most, void *restrict state) {
  (void)state;
  return lariat_charset_next(to, from, most);
}

MODEL size_t mbrlen(const char *restrict from, size_t most, void *restrict state) {
  (void)state;
  return lariat_charset_next(NULL, from, most);
}

MODEL int mblen(const char *from, size_t most) {
  size_t n = lariat_charset_next(NULL, from, most);
  return n > 1 ? -1 : (int)n;
}

MODEL size_t wcrtomb(char *restrict to, wchar_t wide, void *restrict state) {
  (void)state;
  if (!to) return 1;
  return lariat_charset_encode(wide, to) ? 1 : (size_t)-1;
}

/* Where the text goes on is stored, if it is. */
MODEL size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t most, void *restrict state) {
  (void)state;
  const char *s = *from;
  for (size_t i = 0;; i++) {
    if (to && i == most) {
      *from = s + i;
      return i;
    }
    wchar_t wide;
    if (!lariat_charset_decode((unsigned char)s[i], &wide)) {
      if (to) *from = s + i;
      return (size_t)-1;
    }
    if (to) to[i] = wide;
    if (!wide) {
      if (to) *from = NULL;
      return i;
    }
  }
}

MODEL size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t most, void *restrict state) {
  (void)state;
  const wchar_t *s = *from;
  for (size_t i = 0;; i++) {
    if (to && i == most) {
      *from = s + i;
      return i;
    }
    char byte;
    if (!lariat_charset_encode(s[i], &byte)) {
      if (to) *from = s + i;
      return (size_t)-1;
    }
    if (to) to[i] = byte;
    if (!byte) {
      if (to) *from = NULL;
      return i;
    }
  }
}

/* Of bytes beyond ASCII, some have no character. */
MODEL wint_t btowc(int c) {
  if (c >= 0 && c < 128) return (wint_t)c;
  wint_t wide = (wint_t)-1;
  if (c >= 128 && c < 256 && __VERIFIER_nondet_bool()) {
    wide = (wint_t)__VERIFIER_nondet_uint();
    __VERIFIER_assume(wide >= 128);
  }
  return wide;
}

MODEL int wctob(wint_t wide) {
  if (wide < 128) return (int)wide;
  int c = EOF;
  if (wide != (wint_t)-1 && __VERIFIER_nondet_bool()) {
    c = __VERIFIER_nondet_int();
    __VERIFIER_assume(c >= 128 && c < 256);
  }
  return c;
}

static char *lariat_charset_info(void) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 256);
  char *text = __lariat_outside(n + 1);
  text[n] = 0;
  __lariat_unknown_string(text, n);
  return text;
}

MODEL char *nl_langinfo(int item) {
  (void)item;
  return lariat_charset_info();
}

MODEL char *nl_langinfo_l(int item, void *locale) {
  (void)item, (void)locale;
  return lariat_charset_info();
}
