//! The rules, one by one: programs with the lines at which they are wrong.

use super::ModifiesMode;
use crate::analyze::{Analysis, Options, Source, analyze};

fn run(text: &str, modifies: ModifiesMode) -> Analysis {
    let mut options = Options::default();
    options.check.modifies = modifies;
    analyze([Source::new("t.bpl", text)], &options)
}

/// The lines with an error in them, each once.
fn lines_of(analysis: &Analysis) -> Vec<u32> {
    let errors = analysis.diagnostics.iter().filter(|d| d.severity == lariat_source::Severity::Error);
    let mut lines: Vec<u32> = errors.map(|d| analysis.sources.locate(d.span.start).unwrap().line).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Checks that exactly the lines with a comment `//!` are wrong.
fn check(text: &str) {
    check_with(text, ModifiesMode::Auto);
}

fn check_with(text: &str, modifies: ModifiesMode) {
    let analysis = run(text, modifies);
    let expected: Vec<u32> = (1..).zip(text.lines()).filter(|(_, l)| l.contains("//!")).map(|(n, _)| n).collect();
    let found = analysis.diagnostics.display(&analysis.sources).to_string();
    assert_eq!(lines_of(&analysis), expected, "{text}\n{found}");
}

#[test]
fn names_are_declared_once_and_used_only_if_declared() {
    check(
        "var x: int;
         const x: int; //!
         function f(a: int): int;
         function f(b: int): int; //!
         procedure P();
         procedure P(); //!
         type T;
         type T = int; //!
         type bv8; //!
         procedure Q(a: int) returns (a: int); //!
         procedure R(a: int) { var a: int; } //!
         procedure S() { x := y; } //!
         procedure U() { x := g(1); } //!
         procedure V() { call W(); } //!
         implementation W() { } //!
         var z: Unknown; //!
         axiom (forall i: int, i: int :: i == i); //!
         function h(p: int, p: bool): int; //!",
    );
    check(
        "var x: int;
         function x(x: int): int { x }
         procedure x(x: int) returns (y: bool) { y := (forall x: bool :: x); }
         procedure Q() { var x: bool; x := (var x := 1; x == 1); }",
    );
    let analysis = run("var counter: int; procedure P() { countr := 1; }", ModifiesMode::Auto);
    let hint = analysis.diagnostics.iter().next().unwrap().hint.clone();
    assert_eq!(hint.as_deref(), Some("did you mean `counter`?"));
}

#[test]
fn extern_declarations_give_way() {
    check(
        "type {:extern} T; type T;
         procedure {:extern} P(x: int); procedure P();
         procedure Q() { call P(); }
         var {:extern} g: bool; var g: int;
         procedure R() { g := 1; }",
    );
}

#[test]
fn errors_in_names_hide_errors_in_types() {
    check(
        "procedure P(x: int) {
           assert x == true;
           assert y; //!
         }",
    );
    check(
        "procedure P(x: int) {
           assert y;
           goto L; //!
         }",
    );
}

#[test]
fn states_and_purity() {
    check(
        "var g: int;
         axiom g == 0; //!
         function f(): int { g } //!
         procedure P() returns (r: int)
           requires old(g) == g; //!
           requires r == 0; //!
           ensures old(g) == g && r == 0;
         { assert old(g) == g; }
         procedure Q(a: int where b > 0) returns (b: int where a > 0); //!
         pure procedure R() modifies g; //!
         { var l: int; l := g; //!
           call P(); } //!",
    );
}

#[test]
fn types_have_the_right_arity_and_no_cycles() {
    check(
        "type C a; type S a b = [a]b;
         var a: C; //!
         var b: C int int; //!
         var c: S int; //!
         var d: S int bool;
         procedure P<a>(x: a int); //!
         procedure Q<a>(x: int); //!
         procedure R<a>() returns (x: a);
         var e: <a>[int]int; //!
         function f<a, a>(x: a): int; //!
         function g<C>(x: int): int; //!
         type X = [Y]int; //!
         type Y = Z; //!
         type Z = X; //!
         type W = C Z; //!",
    );
}

#[test]
fn synonyms_are_expanded_and_map_parameters_have_no_order() {
    check(
        "type S a = [a]int; type I = int;
         procedure P(x: S I) returns (y: [int]int) { y := x; }
         procedure Q(x: <a, b>[a, b]bool) returns (y: <b, a>[a, b]bool) { y := x; }
         procedure R(x: <a, b>[a, b]a) returns (y: <b, a>[a, b]b) { y := x; } //!",
    );
}

#[test]
fn operators_take_the_right_types() {
    check(
        "procedure P(i: int, r: real, b: bool, f: float24e8, h: float11e5, v: bv8, s: string) {
           assert i + i == i && r + r == r && f + f == f;
           assert i + r == r; //!
           assert f + h == f; //!
           assert i / i == r && r / i == r && f / f == f;
           assert i div i == i && i mod i == i;
           assert r div r == r; //!
           assert r ** r == r;
           assert i ** i == r; //!
           assert -i == i && -r == r;
           assert -f == f; //!
           assert !i; //!
           assert i < r; //!
           assert b < b; //!
           assert i == b; //!
           assert int(r) == i && real(i) == r;
           assert int(i) == i; //!
           assert (if b then i else i) == i;
           assert (if i then i else i) == i; //!
           assert (if b then i else r) == i; //!
           assert v[8:4] ++ v[4:0] == v;
           assert v[9:0] == 0bv9; //!
           assert i ++ v == v; //!
           assert i: int == i && (i: bool); //!
           assert b && i; //!
           assert i; //!
         }",
    );
}

#[test]
fn a_literal_that_is_too_large_is_a_warning() {
    let analysis = run("procedure P(v: bv8) { assert v == 256bv8; }", ModifiesMode::Auto);
    assert!(analysis.is_ok() && analysis.diagnostics.len() == 1);
}

#[test]
fn maps_are_accessed_as_declared() {
    check(
        "type F a;
         var m: [int, bool]real; var h: <a>[int, F a]a; const fi: F int; const fb: F bool;
         procedure P(x: int) modifies m, h; {
           assert m[1, true] == 1.0;
           assert m[1] == 1.0; //!
           assert m[true, 1] == 1.0; //!
           assert x[1] == 1; //!
           m := m[1, true := 2.0];
           m := m[1, true := 2]; //!
           m[1, true] := 3.0;
           m[1, true] := 3; //!
           m[1] := 3.0; //!
           h[1, fi] := 5; h[1, fb] := true;
           h[1, fi] := true; //!
           assert h[1, fi] + 1 == 2 && h[1, fb];
         }",
    );
}

#[test]
fn polymorphic_functions_are_instantiated() {
    check(
        "type L a; function nil<a>(): L a; function cons<a>(x: a, l: L a): L a;
         function any<a>(): a; function same<a>(x: a, y: a): bool;
         axiom cons(1, nil()) == nil();
         axiom cons(1, cons(true, nil())) == nil(); //!
         axiom same(1, 2) && !same(true, any());
         axiom same(1, true); //!
         axiom any();
         axiom any() + 1 == any();
         axiom any()[1] == 2 && any()[1 := 2] == any();
         axiom (forall<a> x: a, y: a :: same(x, y) ==> x == y);
         axiom (forall<a, b> x: a, y: b :: x == y);
         axiom (forall<a, b> x: a, y: b :: same(x, y)); //!
         axiom cons(1); //!
         axiom (lambda<a> x: int :: x)[1] == 1; //!
         procedure P<a>(x: a) returns (y: L a);
         procedure Q() { var l: L int; call l := P(1); }
         procedure R() { var l: L int; call l := P(true); } //!",
    );
}

#[test]
fn instantiations_are_recorded() {
    let text = "function id<a>(x: a): a; axiom id(id(true)); axiom id(1) == 1;";
    let analysis = run(text, ModifiesMode::Auto);
    let typed = analysis.typed.as_ref().unwrap();
    let mut insts = Vec::new();
    for (id, expr) in analysis.ast.exprs.iter() {
        if let crate::syntax::ExprKind::Call { .. } = expr.kind {
            insts.push(typed.inst(id).to_vec());
        }
    }
    use crate::types::Ty;
    assert_eq!(insts, [[Ty::BOOL], [Ty::BOOL], [Ty::INT]]);
}

#[test]
fn triggers_mention_all_variables_and_no_logic() {
    check(
        "function f(x: int): int; function g<a>(): a; function h<a>(x: a): int;
         axiom (forall x: int :: {f(x)} f(x) > 0);
         axiom (forall x: int, y: int :: {f(x)} f(x) > y); //!
         axiom (forall x: int, y: int :: {f(x), f(y)} {:nopats f(x)} f(x) > y);
         axiom (forall x: int :: {x} f(x) > 0); //!
         axiom (forall x: int :: {f(x) == 1} f(x) > 0); //!
         axiom (forall x: int :: {f(x) > 1} f(x) > 0); //!
         axiom (forall x: int :: {!(f(x) != 1)} f(x) > 0); //!
         axiom (forall x: int :: {f(x) + 1} {f(x) != 1} f(x) > 0);
         axiom (forall x: int :: {(exists y: int :: f(x) > y)} f(x) > 0); //!",
    );
    check(
        "function f(x: int): int; function g<a>(): a; function h<a>(x: a): int;
         axiom (forall<a> x: int :: {f(x)} h(g(): a) > x); //!
         axiom (forall<a> x: int :: {f(x), h(g(): a)} h(g(): a) > x);
         axiom (forall x: int :: x); //!",
    );
}

#[test]
fn labels_and_breaks() {
    check(
        "procedure P(c: bool) {
           A: while (c) { B: if (c) { break B; } break A; break; goto C; }
           C: D: assert c;
           goto A, B, C, D;
         }",
    );
    check(
        "procedure P(c: bool) {
           break; //!
           A: assert c; while (c) { break A; } //!
           if (c) { break; } //!
           goto X; //!
         }",
    );
    check(
        "procedure P() { A: return;
           A: return; } //!",
    );
}

#[test]
fn assignments_respect_what_is_fixed() {
    check(
        "const c: int; var g: int;
         procedure P(i: int, m: [int]int) returns (o: int) modifies g; {
           var l: int;
           l, o, g := 1, 2, 3;
           i := 1; //!
           c := 1; //!
           m[0] := 1; //!
           havoc l, o, g;
           havoc i; //!
           l := true; //!
           call o, l := Two();
           call i, l := Two(); //!
         }
         procedure Two() returns (a: int, b: int);",
    );
    check(
        "procedure Two() returns (a: int, b: int);
         procedure P() { var l: int;
           l, l := 1, 2; //!
           l := 1, 2; //!
           call l, l := Two(); //!
           call l := Two(); //!
           call l, l := Two(1); //!
         }",
    );
}

#[test]
fn modifies_clauses_are_checked_or_inferred() {
    let text = "var g: int; var h: int; var k: int;
         procedure P() modifies g; { g := 1;
           h := 1; //!
           havoc h; //!
           k := 1;
         }
         procedure Q() modifies h; {
           call P(); //!
         }";
    check(text);
    let inferred = run(text, ModifiesMode::Infer);
    assert!(inferred.is_ok());
    let sets: Vec<usize> = inferred.typed.unwrap().procedures.iter().map(|p| p.modifies.len()).collect();
    assert_eq!(sets, [3, 3]);
    check_with(
        "var g: int;
         procedure P() {
           g := 1; //!
         }",
        ModifiesMode::Check,
    );
    let auto = run("var g: int; var h: int; procedure P() { call Q(); } procedure Q() { g := 1; }", ModifiesMode::Auto);
    let sets: Vec<usize> = auto.typed.unwrap().procedures.iter().map(|p| p.modifies.len()).collect();
    assert_eq!(sets, [1, 1]);
    check("const c: int; procedure P(); modifies c; //!");
}

#[test]
fn implementations_match_their_procedures() {
    check(
        "procedure P<a, b>(x: a, y: b) returns (z: a);
         implementation P<c, d>(u: d, v: c) returns (w: d) { w := u; }
         implementation P<a, b>(x: a, y: b) returns (z: b) { z := y; } //!
         implementation P<a>(x: a, y: a) returns (z: a) { } //!
         procedure Q(x: int);
         implementation Q(x: bool) { } //!
         implementation Q() { } //!",
    );
}

#[test]
fn datatypes_in_both_syntaxes() {
    check(
        "datatype Pair<a, b> { Pair(fst: a, snd: b) } datatype List { Nil(), Cons(head: int, tail: List) }
         procedure P(p: Pair int bool, l: List) returns (q: Pair int bool) {
           var i: int; var t: List; var b: bool;
           assert p->fst == 1 && p->snd && l is Cons && l->head == 1;
           assert p->head == 1; //!
           assert i->head == 1; //!
           assert l is Pair; //!
           assert p->snd == 1; //!
           q := Pair(1, true);
           q := Pair(true, true); //!
           q := p->(fst := 2);
           q := p->(fst := true); //!
           q->fst := 3;
           q->fst := true; //!
           Cons(i, t) := l;
           Cons(b, t) := l; //!
           Cons(i, i) := l; //!
           Pair(i, b) := l; //!
         }",
    );
    check(
        "type {:datatype} T a;
         function {:constructor} Leaf<b>(): T b; function {:constructor} Node<b>(val: b, left: T b): T b;
         procedure P(t: T int) {
           assert is#Leaf(t) || (val#Node(t) == 1 && t->left is Leaf && t == Node(1, Leaf()));
           assert val#Node(t) == true; //!
         }",
    );
    check("datatype D { A(x: int), B(x: bool) } //!");
    check("datatype D { A(x: int, x: int) } //!");
    check("datatype D { A(), A() } //!");
    check("datatype D { A(d: D) } //!");
    check("datatype D { A(m: [int]D) } datatype E { B(f: F), C() } datatype F { G(e: E) }");
}

#[test]
fn functions_and_their_bodies() {
    check(
        "function {:inline} f(x: int): bool { x } //!
         function g(x: int): bool { x > 0 }
         function {:inline} a(x: int): int { b(x) } //!
         function {:define} b(x: int): int { a(x) } //!
         function {:inline} c(x: int): int { d(x) }
         function d(x: int): int { c(x) }",
    );
    check(
        "function {:inline} {:define} f(x: int): int { x } //!
         function {:define} g<a>(x: a): a { x } //!",
    );
    let analysis = run("function {:inline} f(x: bv8): bv17 { x ++ x }", ModifiesMode::Auto);
    assert!(analysis.is_ok() && !analysis.typed.unwrap().functions[0].body);
}

#[test]
fn attributes_are_checked_too() {
    check(
        "procedure P(x: int) {
           assert {:msg \"m\"} {:e x} true;
           assert {:e y} true; //!
           assert {:minimize x, x} true; //!
           assert {:id \"a\"} true; assume {:id \"b\"} true;
           assert {:id \"a\"} true; //!
         }",
    );
    check(
        "procedure P(x: int) {
           assert {:e x + true} true; //!
           assume {:minimize true} true; //!
           assume {:verified_under x} true; //!
           assume {:minimize x} {:verified_under x > 0} true;
         }",
    );
}

#[test]
fn assumption_variables_are_assigned_once() {
    check(
        "procedure P(c: bool) {
           var {:assumption} a: bool; var {:assumption} b: bool where b; //!
           a := a && c;
           a := a && c; //!
           b := c; //!
         }",
    );
    check("procedure P() { var {:assumption} a: int; } //!");
}

#[test]
fn measures_are_at_the_heads_of_loops() {
    check(
        "procedure P(n: int) measure n; {
           var i: int;
           while (i > 0) invariant true; measure i, n; { i := i - 1; }
           while (i > 0) measure i;
             measure n; //!
           { i := i - 1;
             measure i; //!
           }
           L: assert true; measure i; goto L;
         }
         procedure Q(n: int) measure n;
           measure n; //!
         { }
         procedure R(r: real) measure r; { } //!",
    );
}

#[test]
fn code_expressions_have_labels_and_locals_of_their_own() {
    check(
        "procedure P(x: int) {
           assert |{ var y: bool; A: y := x > 0; goto B; B: return y; }|;
           assert |{ A: return x; }|; //!
           A: assert true;
         }",
    );
}

#[test]
fn asynchronous_calls_are_not_supported() {
    let analysis = run("procedure P() { async call P(); }", ModifiesMode::Auto);
    let kinds: Vec<_> = analysis.diagnostics.iter().map(|d| d.kind).collect();
    assert_eq!(kinds, [lariat_source::DiagnosticKind::Unsupported]);
}

#[test]
fn the_libraries_are_correct_programs() {
    use crate::analyze::Library;
    let libraries = vec![Library::Base, Library::Node, Library::SetSize];
    let options = Options { libraries, ..Options::default() };
    let text = "procedure P(v: Vec int) { assert Vec_Len(Vec_Append(v, 1)) == Vec_Len(v) + 1; }";
    let analysis = analyze([Source::new("t.bpl", text)], &options);
    assert!(analysis.is_ok(), "{}", analysis.diagnostics.display(&analysis.sources));
}

#[test]
fn deep_and_large_types_are_no_problem() {
    let mut text = String::from("type T0 = int;\n");
    for i in 1..2000 {
        text += &format!("type T{i} = [T{}]T{};\n", i - 1, i - 1);
    }
    text += "procedure P(x: T1999, y: T1999) { assert x == y; }";
    assert!(run(&text, ModifiesMode::Auto).is_ok());
    let text = "datatype D<a> { C(n: D (D a)), E() } procedure P(x: D int) { assert x".to_owned();
    let text = text + &"->n".repeat(10_000) + " == x; }";
    let analysis = run(&text, ModifiesMode::Auto);
    let kinds: Vec<_> = analysis.diagnostics.iter().map(|d| d.kind).collect();
    assert_eq!(kinds, [lariat_source::DiagnosticKind::Limit]);
}
