// What all programs start from.

typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;
#define NULL ((void *)0)
#define offsetof(t, m) __builtin_offsetof(t, m)
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int __VERIFIER_nondet_int(void);
void reach_error(void);

static unsigned sum;
static void mix(unsigned x) { sum = (sum << 5 | sum >> 27) ^ x; }
