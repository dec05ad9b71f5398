/* A string that is handed to the C library: it is read to its end. */

MODEL void __lariat_read_string(const char *s, int optional) {
  if (!s && optional) return;
  while (*(const volatile char *)s) s++;
}
