/* Several resources with one way out that releases what was taken. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int opened;

static int *open_device(void) {
  if (__VERIFIER_nondet_bool()) return NULL;
  int *device = calloc(1, sizeof *device);
  if (device) opened++;
  return device;
}

static void close_device(int *device) {
  opened--;
  free(device);
}

static int run(void) {
  int result = -1;
  int *device = NULL;
  char *buffer = malloc(8);
  if (buffer == NULL) return -1;
  device = open_device();
  if (device == NULL) goto out;
  memset(buffer, 'a', 7);
  buffer[7] = '\0';
  *device += (int)strlen(buffer);
  result = *device;
out:
  if (device) close_device(device);
  free(buffer);
  return result;
}

int main(void) {
  int result = run();
  assert(result == -1 || result == 7);
  assert(opened == 0);
  return 0;
}
