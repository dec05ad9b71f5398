//! Lowered programs as text: where contracts, `where` clauses, axioms and instances end up.

mod common;

use common::{compile_text, ir};
use lariat_boogie::lower::Mode;
use lariat_source::{DiagnosticKind, Severity};

/// Compares the whole textual program, without source positions and names.
#[track_caller]
fn expect(text: &str, mode: Mode, expected: &str) {
    let actual: Vec<String> = ir(&compile_text(text, mode)).lines().map(plain).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let actual: Vec<&str> = actual.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    assert_eq!(actual, expected, "\n{}", actual.join("\n"));
}

/// Takes the quoted source names out of declarations.
fn plain(line: &str) -> String {
    let declaration = ["const", "global", "local", "proc", "loop"].iter().any(|word| line.trim().starts_with(word));
    if !declaration {
        return line.to_owned();
    }
    line.split(" \"")
        .enumerate()
        .map(|(at, part)| if at == 0 { part } else { part.split_once('"').map_or("", |p| p.1) })
        .collect()
}

/// The lines of the textual program that start with a word.
fn lines(text: &str, mode: Mode, word: &str) -> Vec<String> {
    ir(&compile_text(text, mode))
        .lines()
        .map(|line| line.trim().to_owned())
        .filter(|line| line.starts_with(word))
        .collect()
}

#[test]
fn calls_in_whole_executions_are_boxes() {
    let text = "function p(n: int, x: int): bool; function q(x: int, y: int): bool; var g: int where p(0, g);
    procedure Q(x: int) returns (y: int where p(1, y)); requires p(2, x); free requires p(3, x); modifies g;
      ensures q(g, old(g)); ensures p(4, x); free ensures q(x, y);
    procedure P(n: int) requires q(n, g); free requires p(5, n); modifies g; ensures q(old(g), g);
    { var i: int where p(6, i); call i := Q(n); havoc i, g; }";
    expect(
        text,
        Mode::Reach,
        "file \"a.bpl\"
        function p (Int Int) Bool
        function q (Int Int) Bool
        global g: Int
        assertion #0 requires
        assertion #1 ensures
        proc P(P.n: Int) {
          local P.i: Int
          local |P.old(g)|: Int
        |entry|:
          |P.old(g)| := g
          assume (p 6 P.i)
          assume (p 5 P.n)
          assert #0 (p 2 P.n)
          box Q(P.n) -> (P.i)
          havoc P.i, g
          assume (p 6 P.i)
          assume (p 0 g)
          assert #1 (q |P.old(g)| g)
          return
        }
        proc P@entry(P@entry.n: Int) {
        |entry|:
          assume (p 0 g)
          assume (q P@entry.n g)
          box P(P@entry.n)
          return
        }
        proc Q(Q.x: Int) -> (Q.y: Int) {
          local |Q.old(g)|: Int
        |entry|:
          |Q.old(g)| := g
          assume (p 3 Q.x)
          havoc g
          assume (p 0 g)
          assume (p 1 Q.y)
          assume (q g |Q.old(g)|)
          assume (p 4 Q.x)
          assume (q Q.x Q.y)
          return
        }
        entry P@entry",
    );
}

#[test]
fn calls_in_modular_verification_are_contracts() {
    let text = "function p(n: int, x: int): bool; function q(x: int, y: int): bool; function f(x: int, y: int): int;
    var g: int where p(0, g);
    procedure Q(x: int) returns (y: int where p(1, y)); requires p(2, x); modifies g;
      ensures q(g, old(g)); ensures p(4, x); free ensures q(x, y);
    procedure P(n: int) requires q(n, g); free requires p(5, n); modifies g; ensures q(old(g), g);
    { var i: int; call g := Q(f(n, g)); while (q(i, n)) invariant p(7, i); { i := f(i, n); } }
    procedure {:verify false} R() { assert false; }
    procedure {:inline 1} S() returns (r: int) ensures r == 1; { r := 1; }
    procedure T() { var x: int; call x := S(); assert x == 1; }";
    expect(
        text,
        Mode::Modular,
        "file \"a.bpl\"
        function f (Int Int) Int
        function p (Int Int) Bool
        function q (Int Int) Bool
        global g: Int
        assertion #0 requires
        assertion #1 invariant
        assertion #2 ensures
        assertion #3 user
        assertion #4 ensures
        proc P(P.n: Int) {
          local P.i: Int
          local P.call.y: Int
          local P.call.x: Int
          local |P.call.old(g)|: Int
          local |P.old(g)|: Int
        |entry|:
          |P.old(g)| := g
          assume (p 0 g)
          assume (q P.n g)
          assume (p 5 P.n)
          assert #0 (p 2 (f P.n g))
          P.call.x := (f P.n g), |P.call.old(g)| := g
          havoc g, P.call.y
          assume (p 0 g)
          assume (p 1 P.call.y)
          assume (q g |P.call.old(g)|)
          assume (p 4 P.call.x)
          assume (q P.call.x P.call.y)
          g := P.call.y
          goto while$1
        while:
          havoc P.i
          assume (p 7 P.i)
          branch (q P.i P.n) then body else done
        body:
          P.i := (f P.i P.n)
          goto while$2
        done:
          assert #2 (q |P.old(g)| g)
          return
        while$1:
          assert #1 (p 7 P.i)
          goto while
        while$2:
          assert #1 (p 7 P.i)
          stop
        }
        proc T() {
          local T.x: Int
        |entry|:
          assume (p 0 g)
          box S() -> (T.x)
          assert #3 (= T.x 1)
          return
        }
        proc S() -> (S.r: Int) {
        |entry|:
          S.r := 1
          assert #4 (= S.r 1)
          return
        }
        entry P
        entry T",
    );
}

#[test]
fn several_bodies_are_a_choice() {
    let text = "procedure P() returns (r: int); implementation P() returns (x: int) { x := 1; }
    implementation P() returns (y: int) { y := 2; }";
    expect(
        text,
        Mode::Reach,
        "file \"a.bpl\"
        proc P() -> (P.r: Int) {
        |entry|:
          goto body1, body2
        body1:
          box |P#1|() -> (P.r)
          return
        body2:
          box |P#2|() -> (P.r)
          return
        }
        proc |P#1|() -> (|P#1.r|: Int) {
        |entry|:
          |P#1.r| := 1
          return
        }
        proc |P#2|() -> (|P#2.r|: Int) {
        |entry|:
          |P#2.r| := 2
          return
        }
        entry P",
    );
    assert_eq!(lines(text, Mode::Modular, "entry"), ["entry |P#1|", "entry |P#2|"]);
}

#[test]
fn entries() {
    let text = "procedure A() { } procedure {:entrypoint} B() { } procedure C();";
    assert_eq!(lines(text, Mode::Reach, "entry"), ["entry B"]);
    assert_eq!(lines(text, Mode::Reach, "proc").len(), 2);
    assert_eq!(lines("procedure A() { } procedure B() { }", Mode::Reach, "entry"), ["entry A", "entry B"]);
}

#[test]
fn quantifiers_keep_triggers_and_weights() {
    let text = "function f(x: int): int; function g(x: int, y: int): bool; function h(x: int, y: int): int;
    axiom (forall x, y: int :: {:weight 3} {f(x), f(y)} {g(x, y)} {:nopats f(y)} g(x, y));
    axiom (forall x: int :: (exists y: int :: (var z := h(y, x); (forall w: int :: g(z, w)))));";
    assert_eq!(
        lines(text, Mode::Reach, "axiom"),
        [
            "axiom (forall ((x Int) (y Int)) (! (g x y) \
             :pattern ((f x) (f y)) :pattern ((g x y)) :no-pattern (f y) :weight 3))",
            "axiom (forall ((x Int)) (exists ((y Int)) (forall ((w Int)) (g (h y x) w))))",
        ]
    );
}

#[test]
fn unique_constants_are_distinct_by_type() {
    let text = "type T; const unique a, b: T; const unique x: int; const unique c: T; const d: T; const unique y: int;";
    assert_eq!(lines(text, Mode::Reach, "axiom"), ["axiom (distinct a b c)", "axiom (not (= x y))"]);
}

#[test]
fn type_quantifiers_are_instantiated_for_the_types_in_use() {
    let text =
        "type Box a; function box<a>(x: a): Box a; function unbox<a>(b: Box a): a; function same<a>(x: a, y: a): bool;
    axiom (forall<a> x: a :: {box(x)} same(unbox(box(x)), x));
    procedure P(i: int, b: bool) { assert unbox(box(i)) == i; assume box(b) == box(b); }";
    assert_eq!(
        lines(text, Mode::Reach, "axiom"),
        [
            "axiom (forall ((x Int)) (! (same<int> (unbox<int> (box<int> x)) x) :pattern ((box<int> x))))",
            "axiom (forall ((x Bool)) (! (same<bool> (unbox<bool> (box<bool> x)) x) :pattern ((box<bool> x))))",
        ]
    );
    // Where the quantifier is to be shown, there is one more type, about which nothing is known.
    let text = "function f<a>(x: a): bool; procedure P() { assume f(1); assert (forall<a> x: a :: f(x)); }";
    assert_eq!(
        lines(text, Mode::Reach, "assert #0"),
        ["assert #0 (and (forall ((x Int)) (f<int> x)) (forall ((x a)) (f<a> x)))"]
    );
    let text = "function f<a>(x: a): bool; procedure P() { assume f(1); assume (forall<a> x: a :: f(x)); }";
    assert_eq!(lines(text, Mode::Reach, "assume")[1], "assume (forall ((x Int)) (f<int> x))");
}

#[test]
fn types_that_grow_come_to_an_end_and_say_so() {
    let text = "type Box a; function f<a>(x: a): bool; function box<a>(x: a): Box a;
    axiom (forall<a> x: a :: {f(x)} f(x) ==> f(box(x)));
    procedure P() { assert f(1); }";
    let compiled = compile_text(text, Mode::Reach);
    let warnings: Vec<_> = compiled.diagnostics.iter().map(|d| (d.severity, d.kind)).collect();
    assert_eq!(warnings, [(Severity::Warning, DiagnosticKind::Limit)]);
    assert!(compiled.program.unwrap().axioms.len() < 20);
}

#[test]
fn code_expressions_are_weakest_preconditions() {
    let text = "procedure P(c: bool) {
      assert |{ var x: int; A: x := 1; goto B, C; B: assume c; x := x + 1; return x > 1; C: assume !c; return x == 1; }|;
      assume |{ var y: int; A: havoc y; return y > 7; }|;
      assert |{ var y: int; A: havoc y; return y > 7; }|;
    }";
    assert_eq!(lines(text, Mode::Reach, "assume"), ["assume (exists ((code.y Int)) (<= 8 code.y))"]);
    let asserts = lines(text, Mode::Reach, "assert #");
    assert_eq!(asserts[0], "assert #0 true");
    assert!(asserts[1].starts_with("assert #1 (forall ((|code.y"), "{}", asserts[1]);
}

#[test]
fn names_are_unique_whatever_shadows_what() {
    let text = "var x: int; function f(x: int): int { x } const P.x: int;
    procedure P(x: int) returns (f: int) { f := f(x); assert (exists x: bool :: x); assert P.x == x; }";
    let globals = lines(text, Mode::Reach, "proc");
    assert_eq!(plain(&globals[0]), "proc P(|P.x#1|: Int) -> (P.f: Int) {");
    assert_eq!(lines(text, Mode::Reach, "assert #1"), ["assert #1 (= P.x |P.x#1|)"]);
}

#[test]
fn strings_and_solver_types_pass_through() {
    let text = r#"type {:builtin "Seq"} Seq _; function {:builtin "seq.empty"} empty<a>(): Seq a;
    function {:builtin "seq.len"} len<a>(s: Seq a): int; function {:builtin "str.len"} size(s: string): int;
    procedure P() { assert len(empty() : Seq int) == 0; assert size("abc") == 3; }"#;
    let functions = lines(text, Mode::Reach, "function");
    assert_eq!(
        functions,
        [
            "function |\"abc\"| () String builtin \"\\\"abc\\\"\"",
            "function empty<int> () (Seq Int) builtin \"(as seq.empty (Seq Int))\"",
            "function len<int> ((Seq Int)) Int builtin \"seq.len\"",
            "function size (String) Int builtin \"str.len\"",
        ]
    );
}

#[test]
fn what_is_not_supported_is_said() {
    let text = "procedure Q(); procedure P() { async call Q(); }";
    let compiled = compile_text(text, Mode::Reach);
    assert!(compiled.program.is_none());
    assert!(compiled.diagnostics.iter().any(|d| d.kind == DiagnosticKind::Unsupported));
}
