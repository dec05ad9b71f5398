/* stdlib.h, malloc.h: blocks with an alignment. */

/* Masks are constants, so that the bits of the address are known to whoever looks at them. */
#define LARIAT_ALIGNED(n) \
  if (alignment >= n) __VERIFIER_assume(((size_t)block & (n - 1)) == 0);

static void *lariat_block_aligned(size_t alignment, size_t size) {
  if (size > LARIAT_LARGEST) return NULL;
  char *block = malloc(size);
  if (!block || alignment <= 16) return block;
  LARIAT_ALIGNED(32)
  LARIAT_ALIGNED(64)
  LARIAT_ALIGNED(128)
  LARIAT_ALIGNED(256)
  LARIAT_ALIGNED(512)
  LARIAT_ALIGNED(1024)
  LARIAT_ALIGNED(2048)
  LARIAT_ALIGNED(4096)
  if (alignment > 4096) __lariat_approximate("an alignment to more than a page");
  return block;
}

static void *lariat_alloc_aligned(size_t alignment, size_t size) {
  void *block = lariat_block_aligned(alignment, size);
  if (!block) __lariat_set_errno(-12);
  return block;
}

MODEL void *aligned_alloc(size_t alignment, size_t size) { return lariat_alloc_aligned(alignment, size); }
MODEL void *memalign(size_t alignment, size_t size) { return lariat_alloc_aligned(alignment, size); }
MODEL void *valloc(size_t size) { return lariat_alloc_aligned(4096, size); }

/* Whole pages. */
MODEL void *pvalloc(size_t size) {
  if (size > (size_t)-1 - 4095) {
    __lariat_set_errno(-12);
    return NULL;
  }
  return lariat_alloc_aligned(4096, (size + 4095) / 4096 * 4096);
}

MODEL int posix_memalign(void **to, size_t alignment, size_t size) {
  if (alignment == 0 || alignment % sizeof(void *) || (alignment & (alignment - 1))) return 22;
  void *block = lariat_block_aligned(alignment, size);
  if (!block) return 12;
  *to = block;
  return 0;
}
