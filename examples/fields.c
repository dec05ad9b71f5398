// A fuzz target as it is: no `main`, no harness. Lariat calls LLVMFuzzerTestOneInput with any block of at most `--input-size` bytes. The
// record has a length in its first byte, and the parser believes it: a read behind the end of the block, found without running anything.
#include <stddef.h>
#include <stdint.h>

static unsigned checksum(const uint8_t *bytes, size_t n) {
  unsigned sum = 0;
  for (size_t i = 0; i < n; i++) sum = (sum << 1 | sum >> 31) ^ bytes[i];
  return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  size_t length = data[0];
  return checksum(data + 1, length) == data[size - 1];
}
