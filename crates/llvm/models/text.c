/* A string that is handed to the C library: it is read to its end. */

MODEL void __lariat_read_string(const char *s, int flags) {
  if (!s && (flags & LARIAT_OPTIONAL)) return;
  size_t n = __lariat_room(s);
  if (!(flags & LARIAT_MEASURED) && LARIAT_ENDS(s, n)) return;
  n = 0;
  while (((const volatile char *)s)[n]) n++;
  LARIAT_STRING(0, n + 1);
}
