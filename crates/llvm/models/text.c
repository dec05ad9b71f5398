/* A string that is handed to the C library: it is read to its end. */

MODEL void __lariat_read_string(const char *s, int flags) {
  if (!s && (flags & LARIAT_OPTIONAL)) return;
  size_t n = __lariat_room(s);
  if (!(flags & LARIAT_MEASURED) && (LARIAT_ENDS(s, n) || lariat_string_bound(s))) return;
  LARIAT_STRING(0, lariat_string_length(s, (size_t)-1) + 1);
}
