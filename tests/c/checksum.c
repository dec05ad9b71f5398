/* An eight-bit cyclic redundancy check finds every change of one bit. */
#include <assert.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define LENGTH 2

static uint8_t crc(const uint8_t *data, int length) {
  uint8_t value = 0xff;
  for (int i = 0; i < length; i++) {
    value ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      value = (uint8_t)(value & 0x80 ? value << 1 ^ 0x31 : value << 1);
  }
  return value;
}

int main(void) {
  uint8_t message[LENGTH];
  for (int i = 0; i < LENGTH; i++)
    message[i] = __VERIFIER_nondet_uchar();
  uint8_t before = crc(message, LENGTH);
  unsigned where = __VERIFIER_nondet_uint() % (8 * LENGTH);
  message[where / 8] ^= (uint8_t)(1u << where % 8);
  assert(crc(message, LENGTH) != before);
  return 0;
}
