// Buffer overflow on the heap. Two strings are joined in a block that has room for their letters, but not for the byte that ends a
// string in C. The report names the block, its size, where it was allocated, and the offset of the write. `lariat replay` shows
// the same with AddressSanitizer.
#include <stdlib.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static char *join(const char *first, const char *second) {
  char *both = malloc(strlen(first) + strlen(second));
  if (both == NULL) return NULL;
  strcpy(both, first);
  strcat(both, second);
  return both;
}

int main(void) {
  char first[4] = "abc";
  first[__VERIFIER_nondet_uchar() % 4] = '\0';
  char *both = join(first, "de");
  free(both);
  return 0;
}
