/* arpa/inet.h: addresses of the internet as text. Addresses are bytes in the order of the network. */

enum { LARIAT_AF_INET = 2, LARIAT_AF_INET6 = 10, LARIAT_EAFNOSUPPORT = 97, LARIAT_ENOSPC = 28 };

static int lariat_inet_digit(char c, int base) {
  int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
  return value < base ? value : -1;
}

/* A number in C's notation; returns what is behind it, or null if it is larger than 32 bits. */
static const char *lariat_inet_number(const char *s, unsigned *value) {
  int base = 10;
  if (*s == '0') {
    base = 8;
    if ((s[1] == 'x' || s[1] == 'X') && lariat_inet_digit(s[2], 16) >= 0) {
      base = 16;
      s += 2;
    }
  }
  unsigned long long all = 0;
  for (; lariat_inet_digit(*s, base) >= 0; s++) {
    all = all * (unsigned)base + (unsigned)lariat_inet_digit(*s, base);
    if (all > 0xffffffff) return NULL;
  }
  *value = (unsigned)all;
  return s;
}

/* One to four numbers, of which the last has the rest of the address. */
static _Bool lariat_inet_read(const char *s, unsigned *address) {
  unsigned parts = 0, value = 0;
  for (int i = 0;; i++) {
    if (*s < '0' || *s > '9') return 0;
    s = lariat_inet_number(s, &value);
    if (!s) return 0;
    if (*s != '.') {
      if (*s && *s != ' ' && (*s < '\t' || *s > '\r')) return 0;
      if (i > 0 && value > 0xffffffffu >> 8 * i) return 0;
      break;
    }
    if (i == 3 || value > 255) return 0;
    parts |= value << (24 - 8 * i);
    s++;
  }
  value |= parts;
  *address = value << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
  return 1;
}

MODEL int inet_aton(const char *s, unsigned *to) {
  unsigned address;
  if (!lariat_inet_read(s, &address)) return 0;
  if (to) *to = address;
  return 1;
}

MODEL unsigned inet_addr(const char *s) {
  unsigned address;
  return lariat_inet_read(s, &address) ? address : 0xffffffffu;
}

/* Four numbers of one byte. Returns the length. */
static int lariat_inet_write4(char *to, const unsigned char *address) {
  int n = 0;
  for (int i = 0; i < 4; i++) {
    unsigned x = address[i];
    if (i) to[n++] = '.';
    if (x >= 100) to[n++] = (char)('0' + x / 100);
    if (x >= 10) to[n++] = (char)('0' + x / 10 % 10);
    to[n++] = (char)('0' + x % 10);
  }
  return n;
}

MODEL char *inet_ntoa(unsigned address) {
  static char text[16];
  unsigned char bytes[4] = {(unsigned char)address, (unsigned char)(address >> 8), (unsigned char)(address >> 16),
                            (unsigned char)(address >> 24)};
  text[lariat_inet_write4(text, bytes)] = 0;
  return text;
}

/* Eight numbers of two bytes; the first of the longest rows of zeros, of two or more, is left out. */
static int lariat_inet_write6(char *to, const unsigned char *address) {
  unsigned words[8];
  int start = -1, length = 1, run = 0, n = 0;
  for (int i = 0; i < 8; i++) {
    words[i] = (unsigned)address[2 * i] << 8 | address[2 * i + 1];
    run = words[i] ? 0 : run + 1;
    if (run > length) {
      length = run;
      start = i + 1 - run;
    }
  }
  for (int i = 0; i < 8; i++) {
    if (i == start) {
      to[n++] = ':';
      i += length - 1;
      if (i == 7) to[n++] = ':';
      continue;
    }
    if (i) to[n++] = ':';
    if (i == 6 && start == 0 && (length == 6 || (length == 5 && words[5] == 0xffff)))
      return n + lariat_inet_write4(to + n, address + 12);
    for (int shift = 12; shift >= 0; shift -= 4)
      if (words[i] >> shift || shift == 0) to[n++] = "0123456789abcdef"[words[i] >> shift & 15];
  }
  return n;
}

MODEL const char *inet_ntop(int family, const void *restrict from, char *restrict to, unsigned size) {
  char text[48];
  if (family != LARIAT_AF_INET && family != LARIAT_AF_INET6) {
    *__errno_location() = LARIAT_EAFNOSUPPORT;
    return NULL;
  }
  unsigned n = (unsigned)(family == LARIAT_AF_INET ? lariat_inet_write4(text, from) : lariat_inet_write6(text, from));
  if (n >= size) {
    *__errno_location() = LARIAT_ENOSPC;
    return NULL;
  }
  for (unsigned i = 0; i < n; i++) to[i] = text[i];
  to[n] = 0;
  LARIAT_STRING(2, n + 1);
  return to;
}

/* Exactly four decimal numbers, without zeros before them. */
static _Bool lariat_inet_read4(const char *s, unsigned char *to) {
  for (int i = 0; i < 4; i++) {
    if (i && *s++ != '.') return 0;
    if (lariat_inet_digit(*s, 10) < 0) return 0;
    int value = *s++ - '0';
    for (; lariat_inet_digit(*s, 10) >= 0; s++) {
      if (value == 0) return 0;
      value = value * 10 + (*s - '0');
      if (value > 255) return 0;
    }
    to[i] = (unsigned char)value;
  }
  return !*s;
}

static _Bool lariat_inet_read6(const char *s, unsigned char *to) {
  int n = 0, gap = -1;
  if (*s == ':' && *++s != ':') return 0;
  const char *part = s;
  int digits = 0;
  unsigned value = 0;
  for (;; s++) {
    int digit = lariat_inet_digit(*s, 16);
    if (digit >= 0) {
      if (digits++ == 4) return 0;
      value = value << 4 | (unsigned)digit;
    } else if (*s == ':') {
      if (digits == 0) {
        if (gap >= 0) return 0;
        gap = n;
      } else {
        if (!s[1] || n > 14) return 0;
        to[n++] = (unsigned char)(value >> 8);
        to[n++] = (unsigned char)value;
      }
      part = s + 1;
      digits = 0;
      value = 0;
    } else if (*s == '.' && n <= 12 && lariat_inet_read4(part, to + n)) {
      n += 4;
      digits = 0;
      break;
    } else {
      if (*s) return 0;
      break;
    }
  }
  if (digits) {
    if (n > 14) return 0;
    to[n++] = (unsigned char)(value >> 8);
    to[n++] = (unsigned char)value;
  }
  if (gap < 0) return n == 16;
  if (n == 16) return 0;
  int moved = n - gap;
  for (int i = 1; i <= moved; i++) {
    to[16 - i] = to[n - i];
    to[n - i] = 0;
  }
  for (int i = gap; i < 16 - moved; i++) to[i] = 0;
  return 1;
}

MODEL int inet_pton(int family, const char *restrict from, void *restrict to) {
  unsigned char address[16], *bytes = to;
  if (family != LARIAT_AF_INET && family != LARIAT_AF_INET6) {
    *__errno_location() = LARIAT_EAFNOSUPPORT;
    return -1;
  }
  int size = family == LARIAT_AF_INET ? 4 : 16;
  if (size == 4 ? !lariat_inet_read4(from, address) : !lariat_inet_read6(from, address)) return 0;
  for (int i = 0; i < size; i++) bytes[i] = address[i];
  return 1;
}
