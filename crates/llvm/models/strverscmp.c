/* string.h: strings with numbers in them. Where two strings begin to differ, the digits around that place are compared as
   numbers; with zeros in front, as fractions. */

static _Bool lariat_version_digit(char c) { return c >= '0' && c <= '9'; }

MODEL int strverscmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] == b[i]) {
    if (!a[i]) return 0;
    i++;
  }
  int order = (unsigned char)a[i] - (unsigned char)b[i];
  size_t start = i;
  while (start > 0 && lariat_version_digit(a[start - 1])) start--;
  _Bool a_digit = lariat_version_digit(a[i]), b_digit = lariat_version_digit(b[i]);
  /* A number in one of them only. */
  if (start == i && (!a_digit || !b_digit)) return order;
  size_t zeros = start;
  while (zeros < i && a[zeros] == '0') zeros++;
  if (start < i && a[start] == '0') {
    /* A fraction: zeros alone come behind zeros with digits. */
    if (zeros < i) return order;
    if (a_digit != b_digit) return a_digit ? -1 : 1;
    return order;
  }
  if (start == i && (a[i] == '0' || b[i] == '0')) return order;
  size_t m = i, n = i;
  while (lariat_version_digit(a[m])) m++;
  while (lariat_version_digit(b[n])) n++;
  return m < n ? -1 : m > n ? 1 : order;
}
