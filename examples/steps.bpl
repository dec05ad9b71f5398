// An invariant that Lariat finds: `--show-invariants` prints it, and `lariat summarize` prints the program with it. Following the
// loop for some rounds would prove nothing about later ones.

procedure main(n: int)
{
  var i, twice: int;

  i, twice := 0, 0;
  while (i < n) {
    i := i + 1;
    twice := twice + 2;
  }
  assert twice == 2 * i;
}
