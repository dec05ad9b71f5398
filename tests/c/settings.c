/* Settings with defaults: every field is set before it is read. */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

struct settings {
  int width, height;
  int depth;
  const char *title;
};

static void defaults(struct settings *s) {
  s->width = 640;
  s->height = 480;
  s->depth = 8;
  s->title = NULL;
}

static void choose(struct settings *s, int quality) {
  if (quality == 1) s->depth = 16;
  if (quality >= 2) s->depth = 32;
  s->title = quality > 0 ? "fine" : "plain";
}

static int bytes(const struct settings *s) {
  return s->width * s->height * (s->depth / 8);
}

int main(void) {
  struct settings s;
  defaults(&s);
  int quality;
  if (__VERIFIER_nondet_bool())
    quality = __VERIFIER_nondet_int();
  else
    quality = 0;
  choose(&s, quality);
  assert(bytes(&s) >= 640 * 480);
  assert(s.title[0] == (quality > 0 ? 'f' : 'p'));
  return 0;
}
