// Calls through pointers.

static unsigned f_add(unsigned a, unsigned b) { return a + b; }
static unsigned f_xor(unsigned a, unsigned b) { return a ^ b; }
static unsigned f_second(unsigned a, unsigned b) { return a < b ? b : b + 1u; }
static unsigned (*const calls[3])(unsigned, unsigned) = {f_add, f_xor, f_second};
struct action { unsigned (*run)(unsigned, unsigned); unsigned left; };
static unsigned act(struct action a, unsigned x) { return a.run(a.left, x); }
