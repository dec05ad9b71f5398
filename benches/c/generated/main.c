int main(void) {
  int x = __VERIFIER_nondet_int();
  pool[0].next = &pool[1];
  if (x == 3 && step@LAST@(&pool[0], x) == 12345) reach_error();
  return 0;
}
