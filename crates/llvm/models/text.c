/* A string that is handed to the C library: it is read to its end. */

MODEL void __lariat_read_string(const char *s, int optional) {
  if (!s && optional) return;
  size_t n = 0;
  while (((const volatile char *)s)[n]) n++;
  LARIAT_STRING(0, n + 1);
}
