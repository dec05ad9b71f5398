// LP64: safe

#include "prelude.h"


#include "lists.h"

static int a2[3] = {33, 52, 41};
static void run(int in0, int in1) {
  (void)in0, (void)in1;
  unsigned char a1[4] = {67, 37, 74, 18};
  long long a3[1] = {39};
  struct node *list4 = NULL;
  list4 = push(list4, 8);
  if (in0 > 2) {
    if (list4) list4 = list4->next;
  }
  for (int i = 0; i < 4; i++) mix((unsigned)(*(&a1[i])));
  for (int i = 0; i < 3; i++) mix((unsigned)(*(&a2[i])));
  for (int i = 0; i < 1; i++) mix((unsigned)(*(&a3[i])));
  mix(count(list4));
  drop_list(list4);
}

static const unsigned expected[1] = {2785731282u};
int main(void) {
  int in0 = 0, in1 = 0;
  run(in0, in1);
  if (sum != expected[in0 * 1 + in1]) reach_error();
  return 0;
}
