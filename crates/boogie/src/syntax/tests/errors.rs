//! Wrong programs: what is reported, where, and that nothing else is.

use super::read;
use lariat_source::DiagnosticKind;

#[track_caller]
fn one(text: &str, expected: &str) {
    assert_eq!(read(text).messages(), [expected], "for {text}");
}

#[track_caller]
fn lines(text: &str, expected: &[u32]) {
    let outcome = read(text);
    assert_eq!(outcome.lines(), expected, "{:?}", outcome.messages());
}

#[test]
fn each_independent_error_is_reported_once() {
    lines(
        "procedure P() {\n  x := ;\n  y := 1 +;\n  call := 3;\n  assert (x;\n  z := 2\n}\n\
         procedure Q( {\n  x := 1;\n}\n\
         var x int;\n\
         procedure R()\n  requires x >;\n  ensures (y];\n  modifies x;\n{\n  goto;\n}\n\
         axiom;\nfunction f(x: int) { 1 }\ntype;\nvar ok: int;\n",
        &[2, 3, 4, 5, 7, 9, 11, 13, 14, 17, 19, 20, 21],
    );
}

#[test]
fn a_missing_brace_does_not_hide_the_next_procedure() {
    lines("procedure P() {\n  if (*) {\n  x := 1;\n}\nprocedure Q() {\n  x := ;\n}\n", &[5, 6]);
    lines("procedure P() {\n  x := 1;\n", &[3]);
    lines("procedure P() { }\n}\nvar x: int;\n}\n", &[2, 4]);
}

#[test]
fn errors_inside_blocks_stay_inside() {
    lines(
        "procedure P() {\n  while (x <) {\n    y := 1;\n  }\n  if (a b) { z := 1; } else { w := ; }\n  v := ;\n}",
        &[2, 5, 6],
    );
    lines(
        "procedure P() {\n  x := f(1 2, if a then b else c);\n  y := 1 z := 2;\n  assert true\n  assume true;\n}",
        &[2, 3, 5],
    );
}

#[test]
fn operators_that_need_parentheses() {
    one("axiom a && b || c;", "1:14 `&&` and `||` cannot be mixed");
    one("axiom a || b && c;", "1:14 `&&` and `||` cannot be mixed");
    one("axiom a == b == c;", "1:14 comparisons cannot be chained");
    one("axiom a < b + 1 >= c;", "1:17 comparisons cannot be chained");
    one("axiom a ==> b <== c;", "1:15 `==>` and `<==` cannot be mixed");
    one("axiom a <== b ==> c;", "1:15 `==>` and `<==` cannot be mixed");
    lines("axiom a && b || c;\naxiom a == b == c == d;", &[1, 2, 2]);
}

#[test]
fn bit_vector_bounds() {
    one("axiom x[y:1] == x;", "1:11 the bounds of an extraction must be integer literals");
    one("axiom x[(2:1)] == x;", "1:12 parentheses around bit-vector bounds are not allowed");
    one("axiom 2:1;", "1:8 bit-vector bounds are only allowed in brackets");
    one("axiom x[1+2:1];", "1:12 bit-vector bounds are only allowed in brackets");
    one("axiom x[2:1, 3];", "1:14 bit-vectors only have one dimension");
    one("axiom x[2:1 := 3];", "1:16 bits of a bit-vector cannot be assigned");
}

#[test]
fn attributes_and_triggers() {
    one("type {:a} {1} T;", "1:13 only attributes, not triggers, are allowed here");
    one("axiom (forall x: int :: {:nopats f(x), g(x)} true);", "1:43 `nopats` takes exactly one expression");
    one("axiom (lambda x: int :: {f(x)} x)[0];", "1:32 a lambda expression cannot have triggers");
    one("var {:a :b} x: int;", "1:9 expected an expression, found `:`");
}

#[test]
fn functions_and_formals() {
    one("function f(x: int, y) returns (int);", "1:20 the type of the last parameter is missing");
    one("function f([int]int, y: int): int;", "1:12 expected an identifier as the name of the parameter");
    one("function f([int]int: int, y: int): int;", "1:20 expected an identifier before `:`");
    one("function {:inline} {:define} f(): int { 1 }", "1:43 a function cannot have both `inline` and `define`");
    one("function {:define} f<a>(x: a): int { 1 }", "1:40 a function with `define` cannot have type parameters");
    one("datatype D { A(), B(x: int), A(y: int) }", "1:30 this datatype has two constructors named `A`");
    lines(
        "implementation P(x: int where x > 0)\n  returns (y: int where y > 0)\n{\n}\n\
         axiom (forall x: int where x > 0 :: true);\nconst c: int where c > 0;\n",
        &[1, 2, 5, 6],
    );
    one("function RNA(): int;", "1:10 expected an identifier, found `RNA`");
}

#[test]
fn concurrency_is_not_supported_and_says_so_once() {
    let outcome = read(
        "var {:layer 0, 1} x: int;
yield invariant {:layer 1} I();
preserves x > 0;
yield left procedure {:layer 1} P(i: int)
requires call I();
refines atomic action A { x := 1; }
{ while (*) invariant call I(); { call Q() | R(); } }
async atomic action {:layer 1} B() modifies x; { x := 2; }
pure action C();
left procedure D();
procedure E() modifies x; { yield; par P(1) | Q(); call P(1) | Q(); async call P(1); x := 1; }
procedure F() { x := ; }
",
    );
    assert_eq!(outcome.lines(), [2, 4, 8, 9, 10, 11, 11, 11, 12]);
    let kinds = outcome.kinds();
    assert!(kinds[..8].iter().all(|&k| k == DiagnosticKind::Unsupported));
    assert_eq!(kinds[8], DiagnosticKind::Parse);
    assert_eq!(outcome.ast.decls.len(), 3);
}

#[test]
fn dialects_of_the_past() {
    one("procedure P() { call forall Q(*); }", "1:22 `call forall` is not part of the language any more");
    one("procedure P() { call Q(*); }", "1:24 `*` cannot be an argument any more");
    one(
        "procedure P() { x := 1; var y: int; x := 2; }",
        "1:25 local variables must be declared at the start of the body",
    );
    lines("const x: T extends y;\nvar z: int;", &[]);
}

#[test]
fn characters_and_strings() {
    one("var x: int; @@@ var y: int;", "1:13 unexpected character `@`");
    one("axiom a & b;", "1:9 unexpected character `&`");
    one("axiom \0;", "1:7 unexpected character `\\0`");
    one("axiom f(\"abc);\nvar x: int;", "1:9 this string is not closed");
    one("axiom \\ x;", "1:7 `\\` must be followed by an identifier");
    one("var x: int; /* /* */ axiom", "1:13 this comment is not closed");
    one("procedure P() { /*", "1:17 this comment is not closed");
    one("var ü: int;", "1:5 unexpected character `ü`");
}

#[test]
fn pragmas() {
    lines("#line\n#line \n#line x\n#line 1\n#else\nvar x: int;", &[1, 2, 3, 5]);
    one("#pragma once\nvar x: int;", "1:1 unrecognized pragma");
    one(" #line 3\n", "1:2 expected a declaration, found `#line`");
    one("#if A\nvar x", "2:6 missing #endif");
    one("#if !A\n#else\n#endif\n#endif", "4:1 misplaced #endif");
}
