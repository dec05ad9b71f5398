static int step@I@(struct node *n, int x) {
  int local[8];
  int sum = @I@;
  for (int i = 0; i < 8; i++) {
    local[i] = x + i;
    table[(x + i) & 63] += local[i];
  }
  while (n) {
    if (n->value > table[x & 63])
      sum += n->tag[x & 3] * @I@;
    else
      sum -= local[sum & 7];
    n = n->next;
  }
  struct node *fresh = &pool[@I@ & 31];
  fresh->value = sum;
  fresh->tag[@I@ & 3] = (short)x;
  if (x > 0) sum += @CALLEE@;
  return sum;
}
