// The greatest common divisor of two positive numbers, by a procedure that calls itself. Its contract says
// what callers must provide and what they may rely on; the assertions in `main` hold for every input.

procedure gcd(a: int, b: int) returns (d: int)
  requires a > 0 && b >= 0;
  ensures d > 0;
{
  if (b == 0) {
    d := a;
  } else {
    call d := gcd(b, a mod b);
  }
}

procedure {:entrypoint} main()
{
  var a, b, d: int;

  havoc a, b;
  a := 1 + a mod 1000;
  b := 1 + b mod 1000;

  call d := gcd(a, b);
  assert a mod d == 0;
  assert b mod d == 0;
}
