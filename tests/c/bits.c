/* Counting, rotating and isolating bits. */
#include <assert.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int count(uint8_t x) {
  int n = 0;
  while (x) {
    x &= (uint8_t)(x - 1);
    n++;
  }
  return n;
}

static uint32_t rotate(uint32_t x, unsigned by) {
  by &= 31;
  if (by == 0) return x;
  return x << by | x >> (32 - by);
}

static int highest(uint8_t x) {
  for (int bit = 7; bit >= 0; bit--)
    if (x & (1u << bit)) return bit;
  return -1;
}

int main(void) {
  uint8_t x = __VERIFIER_nondet_uchar();
  assert(count(x) + count((uint8_t)~x) == 8);
  uint32_t word = __VERIFIER_nondet_uint();
  unsigned by = __VERIFIER_nondet_uint();
  assert(rotate(rotate(word, by), 32 - (by & 31)) == word);
  int bit = highest(x);
  assert((bit == -1) == (x == 0));
  if (bit >= 0) assert(x >> bit == 1);
  return 0;
}
