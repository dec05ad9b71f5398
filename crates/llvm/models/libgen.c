/* libgen.h: the parts of a path. Both change the path that they are given, and return a part of it or a constant. */

static char lariat_libgen_dot[] = ".";

/* Where the last component ends, without slashes behind it: 0, if there are only slashes. */
static size_t lariat_libgen_end(const char *path, size_t n) {
  while (n > 0 && path[n - 1] == '/') n--;
  return n;
}

/* Where the component that ends here starts. */
static size_t lariat_libgen_start(const char *path, size_t end) {
  while (end > 0 && path[end - 1] != '/') end--;
  return end;
}

static size_t lariat_libgen_length(const char *path) {
  size_t n = 0;
  while (path[n]) n++;
  LARIAT_STRING(0, n + 1);
  return n;
}

MODEL char *__xpg_basename(char *path) {
  size_t n = path ? lariat_libgen_length(path) : 0;
  if (n == 0) return lariat_libgen_dot;
  size_t end = lariat_libgen_end(path, n);
  if (end == 0) return path + n - 1;
  if (end < n) path[end] = 0;
  return path + lariat_libgen_start(path, end);
}

/* GNU's changes nothing: what is behind the last slash. */
MODEL char *basename(const char *path) {
  size_t n = lariat_libgen_length(path);
  return (char *)path + lariat_libgen_start(path, n);
}

/* Two slashes at the start, and no more, stay two. */
MODEL char *dirname(char *path) {
  size_t n = path ? lariat_libgen_length(path) : 0;
  if (n == 0) return lariat_libgen_dot;
  size_t start = lariat_libgen_start(path, lariat_libgen_end(path, n));
  if (start == 0 && path[0] != '/') return lariat_libgen_dot;
  if (start == 0) start = n;
  size_t end = lariat_libgen_end(path, start);
  path[end ? end : start == 2 ? 2 : 1] = 0;
  return path;
}
