// Sorts a map from indices to numbers by insertion, and then walks over it to see that it is sorted.
// The assertions hold for every input.

procedure insertion_sort(unsorted: [int]int, n: int) returns (a: [int]int)
  requires 0 <= n;
{
  var i, j, moving: int;

  a := unsorted;
  i := 1;
  while (i < n)
    invariant 1 <= i;
  {
    moving := a[i];
    j := i;
    while (j > 0 && a[j - 1] > moving)
      invariant 0 <= j && j <= i;
    {
      a[j] := a[j - 1];
      j := j - 1;
    }
    a[j] := moving;
    i := i + 1;
  }
}

procedure {:entrypoint} main()
{
  var a: [int]int;
  var n, i: int;

  havoc a, n;
  n := n mod 10;

  call a := insertion_sort(a, n);

  i := 1;
  while (i < n)
  {
    assert a[i - 1] <= a[i];
    i := i + 1;
  }
}
