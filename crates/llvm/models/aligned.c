/* stdlib.h: blocks at multiples of an alignment. */

void *aligned_alloc(size_t alignment, size_t size);

MODEL int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment == 0 || alignment % sizeof(void *) || (alignment & (alignment - 1))) return 22;
  void *new = aligned_alloc(alignment, size);
  if (!new) return 12;
  *block = new;
  return 0;
}
