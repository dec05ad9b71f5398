/* Code points of up to two bytes in UTF-8, there and back. */
#include <assert.h>
#include <stddef.h>

extern unsigned __VERIFIER_nondet_uint(void);

static size_t encode(unsigned code, unsigned char *to) {
  if (code < 0x80) {
    to[0] = (unsigned char)code;
    return 1;
  }
  to[0] = (unsigned char)(0xc0 | code >> 6);
  to[1] = (unsigned char)(0x80 | (code & 0x3f));
  return 2;
}

/* The code point, or -1 where the text is wrong. */
static int decode(const unsigned char *from, size_t size) {
  if (size == 0) return -1;
  if (from[0] < 0x80) return from[0];
  if ((from[0] & 0xe0) != 0xc0 || size < 2) return -1;
  if ((from[1] & 0xc0) != 0x80) return -1;
  return (from[0] & 0x1f) << 6 | (from[1] & 0x3f);
}

int main(void) {
  unsigned char bytes[2];
  unsigned code = __VERIFIER_nondet_uint() % 0x800;
  size_t size = encode(code, bytes);
  assert(size == (code < 0x80 ? 1u : 2u));
  assert(decode(bytes, size) == (int)code);
  if (size == 2) assert(decode(bytes, 1) == -1);
  return 0;
}
