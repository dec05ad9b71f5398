//! Lowered programs, run by the interpreter: each construct computes what Boogie says it does.

mod common;

use common::compile_text;
use lariat_boogie::lower::{Mode, entry_of};
use lariat_program::interp::{Defaults, Interpreter, Options, Outcome};
use lariat_program::{AssertKind, Loc};

/// Runs the procedure `Main`; whatever is left open is the default value of its sort.
fn run(text: &str) -> (Outcome, Option<(AssertKind, Loc)>) {
    let compiled = compile_text(text, Mode::Reach);
    let diagnostics = compiled.diagnostics.display(&compiled.sources).to_string();
    let program = compiled.program.unwrap_or_else(|| panic!("{diagnostics}"));
    let interpreter = Interpreter::new(&program, &compiled.terms, Options::default()).unwrap();
    let run = interpreter.run(entry_of(&program, "Main").unwrap(), &mut Defaults);
    let failed = match run.outcome {
        Outcome::AssertionFailed { id, .. } => {
            let assertion = &program.assertions[id.index()];
            Some((assertion.kind, assertion.loc))
        }
        _ => None,
    };
    (run.outcome, failed)
}

fn holds(text: &str) {
    let (outcome, _) = run(text);
    assert_eq!(outcome, Outcome::Completed, "{text}");
}

/// The kind of the assertion that fails, its line, and the line of the statement that checks it.
fn fails(text: &str) -> (AssertKind, u32, u32) {
    let (outcome, failed) = run(text);
    let (Outcome::AssertionFailed { loc, .. }, Some((kind, place))) = (&outcome, failed) else {
        panic!("{outcome:?}: {text}");
    };
    (kind, place.line, loc.line)
}

#[test]
fn numbers() {
    holds(
        "procedure Main() {
      assert 7 div 2 == 3 && -7 div 2 == -4 && 7 div -2 == -3 && -7 div -2 == 4;
      assert 7 mod 2 == 1 && -7 mod 2 == 1 && 7 mod -2 == 1;
      assert 1 / 2 == 0.5 && 1.5e1 == 15.0 && 25e-1 == 2.5;
      assert int(2.5) == 2 && int(-2.5) == -3 && real(3) / 2.0 == 1.5;
      assert 2.0 ** 3.0 == 8.0;
      assert 123456789012345678901234567890 mod 10 == 0;
      assert !(1 > 2) && 1 <= 1 && 2 >= 1 && (1 < 2 <==> true) && (false ==> false) && (true <== false);
    }",
    );
    assert_eq!(fails("procedure Main() {\n assert 1 == 1;\n assert 1 == 2;\n}"), (AssertKind::User, 3, 3));
}

#[test]
fn bit_vectors() {
    holds(
        r#"function {:bvbuiltin "bvadd"} add(a: bv8, b: bv8): bv8;
    function {:bvbuiltin "zero_extend 8"} zext(a: bv8): bv16;
    function {:bvbuiltin "(_ sign_extend 8)"} sext(a: bv8): bv16;
    function {:builtin "bvult"} ult(a: bv8, b: bv8): bool;
    function {:bvbuiltin "bvsub"} sub(a: bv8, b: bv8): bv8;
    procedure Main() {
      assert add(255bv8, 2bv8) == 1bv8 && sub(1bv8, 2bv8) == 255bv8;
      assert zext(200bv8) == 200bv16 && sext(200bv8) == 65480bv16;
      assert ult(3bv8, 250bv8) && !ult(250bv8, 3bv8);
      assert 171bv8[8:4] == 10bv4 && 10bv4 ++ 11bv4 == 171bv8;
    }"#,
    );
}

#[test]
fn floats() {
    holds(
        r#"function {:builtin "fp.add"} add(m: rmode, a: float24e8, b: float24e8): float24e8;
    function {:builtin "(_ to_fp 8 24) RNE"} of_real(x: real): float24e8;
    function {:builtin "fp.isNaN"} is_nan(a: float24e8): bool;
    procedure Main() {
      var one, nan: float24e8;
      one := 0x1.0e0f24e8;
      nan := 0NaN24e8;
      assert one + one == 0x2.0e0f24e8 && one - one == 0x0.0e0f24e8 && one * one == one && one / one == one;
      assert add(RTZ, one, one) == 0x2.0e0f24e8 && of_real(1.0) == one;
      assert nan == nan && 0x0.0e0f24e8 != -0x0.0e0f24e8 && is_nan(nan) && !is_nan(one) && -0x1.0e0f24e8 < one && one <= one && one > 0x0.8e0f24e8;
      assert 0+oo24e8 > one && 0-oo24e8 < one;
    }"#,
    );
}

#[test]
fn maps() {
    holds(
        r#"var g: [int, bool]int;
    function {:builtin "MapConst"} konst(x: int): [int]int;
    function {:builtin "MapAdd"} plus(a: [int]int, b: [int]int): [int]int;
    function {:builtin "MapLe"} le(a: [int]int, b: [int]int): [int]bool;
    function {:builtin "MapIte"} ite(c: [int]bool, a: [int]int, b: [int]int): [int]int;
    procedure Main() modifies g; {
      var m: [int][int]int;
      var n: [int]int;
      var z: []int;
      g[1, true] := 5;
      g := g[2, false := 6];
      assert g[1, true] == 5 && g[2, false] == 6 && g[1, false] == g[7, true];
      m[3][4] := 7;
      m[3] := m[3][5 := 8];
      assert m[3][4] == 7 && m[3][5] == 8;
      n := konst(4)[2 := 10];
      assert n[2] == 10 && n[3] == 4 && plus(n, n)[2] == 20 && plus(n, konst(1))[9] == 5;
      assert le(n, konst(9))[3] && !le(n, konst(9))[2];
      assert ite(le(n, konst(9)), n, konst(0))[2] == 0;
      z[] := 3;
      assert z[] == 3 && z[:= 4][] == 4;
      assert (lambda i, j: int :: i * 10 + j)[1, 2] == 12 && (lambda i, j: int :: i * 10 + j)[2, 1] == 21;
    }"#,
    );
}

#[test]
fn datatypes() {
    holds(
        "datatype Shape { Circle(r: int), Rect(w: int, h: int), Both(r: int, shape: Shape) }
    datatype Pair<a, b> { Pair(first: a, second: b) }
    type {:datatype} List;
    function {:constructor} nil(): List;
    function {:constructor} cons(head: int, tail: List): List;
    procedure Main() {
      var s: Shape; var p: Pair int bool; var x: int; var b: bool; var l: List;
      s := Rect(2, 3);
      assert s is Rect && !(s is Circle) && s->w == 2 && s->h == 3;
      s->h := 5;
      assert s == Rect(2, 5) && s->(w := 9) == Rect(9, 5);
      s := Both(1, Circle(4));
      assert s->r == 1 && s->shape->r == 4;
      s->shape->r := 6;
      assert s == Both(1, Circle(6));
      p := Pair(1, true);
      Pair(x, b) := p;
      assert x == 1 && b;
      l := cons(1, cons(2, nil()));
      assert head#cons(l) == 1 && is#cons(tail#cons(l)) && is#nil(tail#cons(tail#cons(l)));
    }",
    );
    let text = "datatype D { A(x: int), B() }\nprocedure Main() { var x: int;\n A(x) := B(); }";
    assert_eq!(fails(text), (AssertKind::User, 3, 3));
}

#[test]
fn functions_and_lets() {
    holds(
        "function {:inline} twice(x: int): int { x + x }
    function {:inline} four(x: int): int { twice(twice(x)) }
    function fact(n: int): int { if n <= 0 then 1 else n * fact(n - 1) }
    function {:define} inc(n: int): int { n + 1 }
    function {:inline} id<a>(x: a): a { x }
    function pick<a>(c: bool, x: a, y: a): a { if c then x else y }
    procedure Main() {
      assert four(3) == 12 && fact(5) == 120 && inc(inc(1)) == 3;
      assert id(3) == 3 && id(true) && pick(true, 1, 2) == 1 && pick(false, true, false) == false;
      assert (var x, y := 1, 2; (var x := x + y; x * y)) == 6;
    }",
    );
}

#[test]
fn statements() {
    holds(
        "var g: int;
    procedure Main() modifies g; {
      var i, j, n: int;
      i, j := 1, 2;
      i, j := j, i;
      assert i == 2 && j == 1;
      n := 0;
      while (n < 10) invariant n >= 0; free invariant true; { n := n + 1; if (n == 7) { break; } }
      assert n == 7;
      outer: while (true) { while (true) { n := n + 1; if (n > 20) { break outer; } } }
      assert n == 21;
      if (n == 1) { assert false; } else if (n == 21) { g := 5; } else { assert false; }
      goto Next;
      assert false;
     Next:
      g := g + 1;
      if (g < 8) { goto Next; }
      assert g == 8;
      return;
      assert false;
    }",
    );
    let text = "procedure Main() {\n var i: int; i := 0;\n while (i < 3)\n  invariant i < 2;\n { i := i + 1; } }";
    assert_eq!(fails(text), (AssertKind::Invariant, 4, 4));
}

#[test]
fn procedures() {
    holds(
        "var g: int;
    procedure Add(x: int, y: int) returns (r: int, s: int)
      requires x >= 0; modifies g;
      ensures g == old(g) + x; ensures r == x + y && s == old(g);
    { s := g; g := g + x; r := x + y; }
    procedure Swap<a>(x: a, y: a) returns (u: a, v: a) ensures u == y && v == x; { u, v := y, x; }
    procedure Fib(n: int) returns (r: int) {
      var a, b: int;
      if (n < 2) { r := n; return; }
      call a := Fib(n - 1);
      call b := Fib(n - 2);
      r := a + b;
    }
    implementation Late(x: int) returns (y: int) { y := x * 2; }
    procedure Late(x: int) returns (y: int); ensures y == x + x;
    procedure Main() requires g == 0; modifies g; {
      var r, s: int; var b, c: bool;
      call r, s := Add(3, 4);
      assert r == 7 && s == 0 && g == 3;
      call g, s := Add(2, g);
      assert g == 5 && s == 3;
      call r, s := Swap(1, 2);
      call b, c := Swap(true, false);
      assert r == 2 && s == 1 && !b && c;
      call r := Fib(10);
      assert r == 55;
      call r := Late(21);
      assert r == 42;
    }",
    );
    let text = "procedure P(x: int)\n requires x > 0;\n { }\nprocedure Main() {\n call P(0);\n}";
    assert_eq!(fails(text), (AssertKind::Requires, 2, 5));
    holds("procedure P(x: int) requires x > 0; { } procedure Main() { free call P(0); }");
    let text = "procedure Main() returns (r: int)\n ensures r == 1;\n{\n r := 2;\n return;\n}";
    assert_eq!(fails(text), (AssertKind::Ensures, 2, 5));
}

#[test]
fn polymorphic_maps() {
    holds(
        "type Ref; type Field a; const f: Field int; const h: Field bool;
    var heap: <a>[Ref, Field a]a;
    procedure Main() modifies heap; {
      var r: Ref; var old_heap: <a>[Ref, Field a]a;
      heap[r, f] := 1;
      heap[r, h] := true;
      old_heap := heap;
      assert heap[r, f] == 1 && heap[r, h];
      heap := heap[r, f := 2];
      assert heap[r, f] == 2 && heap[r, h] && old_heap[r, f] == 1 && heap != old_heap;
      assert heap[r, f := 1] == old_heap;
      assert (lambda<a> x: Ref, y: Field a :: old_heap[x, y])[r, f] == 1;
      assert (lambda<a> x: Ref, y: Field a :: old_heap[x, y])[r, h];
    }",
    );
}

#[test]
fn deep_chains_are_no_problem() {
    let n = 100_000;
    let sum = vec!["x"; n].join(" + ");
    let ands = vec!["x == 1"; n].join(" && ");
    let implies = vec!["x == 1"; n].join(" ==> ");
    holds(&format!("procedure Main() {{ var x: int; x := 1; assert {sum} == {n}; assert {ands}; assert {implies}; }}"));
}

#[test]
fn instances_for_ever_larger_types_are_an_error() {
    let procedure = "datatype Box<T> { Put(t: T) }\nprocedure P<T>(x: T) {\n  call P(Put(x));\n}";
    let function =
        "datatype Box<T> { Put(t: T) }\nfunction f<T>(x: T): int { f(Put(x)) }\nprocedure P() { assert f(1) == 0; }";
    for text in [procedure, function] {
        let source = lariat_boogie::analyze::Source::new("a.bpl", text);
        let compiled = lariat_boogie::compile::compile([source], &Default::default());
        assert!(compiled.program.is_none());
        let shown = compiled.diagnostics.display(&compiled.sources).to_string();
        assert!(shown.contains("a.bpl:2:") && shown.contains("ever larger types"), "{shown}");
        assert_eq!(compiled.diagnostics.error_count(), 1);
    }
}
