/* Joins a folder and a file name with the functions of string.h. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);

static char *join(const char *folder, const char *file) {
  size_t n = strlen(folder);
  int slash = n > 0 && folder[n - 1] != '/';
  char *path = malloc(n + slash + strlen(file) + 1);
  if (path == NULL) return NULL;
  strcpy(path, folder);
  if (slash) strcat(path, "/");
  strcat(path, file);
  return path;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

int main(void) {
  const char *folder = __VERIFIER_nondet_bool() ? "a/b" : "c/";
  char *path = join(folder, "d.c");
  if (path == NULL) return 1;
  assert(strcmp(path, "a/b/d.c") == 0 || strcmp(path, "c/d.c") == 0);
  assert(strcmp(base_name(path), "d.c") == 0);
  free(path);
  return 0;
}
