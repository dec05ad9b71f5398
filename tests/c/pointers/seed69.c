// LP64: safe

#include "prelude.h"

struct pair { int a; short b[2]; int *link; };
static unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }
static unsigned char *new_unsigned_char(int n, unsigned char x) {
  unsigned char *p = malloc((size_t)n * sizeof *p);
  for (int i = 0; i < n; i++) p[i] = x;
  return p;
}
static void swap_signed_char(signed char *a, signed char *b) {
  signed char t = *a;
  *a = *b;
  *b = t;
}
static struct pair *new_struct_pair(int n, struct pair x) {
  struct pair *p = malloc((size_t)n * sizeof *p);
  for (int i = 0; i < n; i++) p[i] = x;
  return p;
}
static void swap_unsigned_short(unsigned short *a, unsigned short *b) {
  unsigned short t = *a;
  *a = *b;
  *b = t;
}
static signed char *p5;
static int *gone(int x) {
  int slot[2] = {x, x};
  int *p = slot;
  return p + 1;
}
static struct pair *p8;
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  unsigned a1[3] = {59, 54, 72};
  struct pair a2[5] = {{35, {8, 1}, NULL}, {28, {2, 1}, NULL}, {26, {6, 1}, NULL}, {4, {6, 1}, NULL}, {18, {2, 1}, NULL}};
  unsigned short a3[2] = {27, 88};
  unsigned char *p4 = NULL;
  p4 = new_unsigned_char(3, 5);
  p5 = calloc(2, sizeof(signed char));
  p5 = (signed char *)((char *)p5 + 0 * (int)sizeof(signed char));
  if (in0 == 2) {
    int *p6 = gone(3);
    mix((unsigned)*p6);
  }
  swap_signed_char(p5, p5);
  p4 = (unsigned char *)((uintptr_t)p4 + (uintptr_t)(2 * (long)sizeof(unsigned char)));
  unsigned short *p7 = NULL;
  p7 = a3 + 1;
  memmove(p4, p4, 1 * sizeof *p4);
  p8 = new_struct_pair(4, (struct pair){63, {3, 0}, NULL});
  free(p5 + 0);
  swap_unsigned_short(p7, p7);
  unsigned char *p9 = NULL;
  p9 = malloc(5 * sizeof(unsigned char));
  for (int i = 0; i < 5; i++) p9[i] = 63;
  for (int i = 0; i < 3; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 5; i++) mix(hash_pair(&(*(&a2[i]))));
  for (int i = 0; i < 2; i++) mix((unsigned)(*(&a3[i])));
  for (int i = 0; i < 3; i++) mix((unsigned)(*(&(p4 - 2)[i])));
  for (int i = 0; i < 4; i++) mix(hash_pair(&(*(&(p8 + 0)[i]))));
  for (int i = 0; i < 5; i++) mix((unsigned)(*(&(p9 + 0)[i])));
  free(p4 - 2);
  free(p8 + 0);
  free(p9 + 0);
}

static const unsigned expected[1] = {482680743u};
int main(void) {
  int in0 = 0, in1 = 0;
  run(in0, in1);
  if (sum != expected[in0 * 1 + in1]) reach_error();
  return 0;
}
