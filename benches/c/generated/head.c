extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int value; struct node *next; short tag[4]; };
int table[64];
struct node pool[32];
