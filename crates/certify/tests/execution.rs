//! Certificates that say *by execution*: the checker follows the executions, and is not fooled by what is left open.

mod common;

use common::Case;
use lariat_certify::{Checked, Goal, read, write};

/// Following the executions shows that the program does not fail.
fn shows(text: &str) {
    assert_eq!(Case::by_execution(text), Checked::Proved, "{text}");
}

/// It does not show that, nor that it fails.
fn leaves_open(text: &str) {
    assert!(matches!(Case::by_execution(text), Checked::Unknown(_)), "{text}");
}

/// It shows that the program fails.
fn refutes(text: &str) {
    assert!(matches!(Case::by_execution(text), Checked::Fails(Goal::Assertion(..))), "{text}");
}

const ROUNDS: &str = "procedure main() { var i, s: int; i := 0; s := 0;
    while (i < 20000) { i := i + 1; s := s + 2; } assert s == 40000; }";

#[test]
fn many_rounds_are_executed() {
    shows(ROUNDS);
    refutes("procedure main() { var i: int; i := 0; while (i < 20000) { i := i + 1; } assert i < 20000; }");
    shows(
        "procedure main() { var i, j, s: int; i := 0; s := 0;
         while (i < 100) { j := 0; while (j < i) { j := j + 1; s := s + 1; } i := i + 1; } assert s == 4950; }",
    );
    refutes(
        "procedure main() { var i, j, s: int; i := 0; s := 0;
         while (i < 100) { j := 0; while (j < i) { j := j + 1; s := s + 1; } i := i + 1; } assert s < 4950; }",
    );
}

#[test]
fn it_has_to_be_said() {
    let mut case = Case::new(ROUNDS);
    assert!(matches!(case.check(), Checked::Fails(Goal::Assertion(..))));
}

#[test]
fn the_instances_count_where_executions_do_not_show_it() {
    let text = "procedure main(n: int) { var i: int; i := 0; if (n > 0) { i := n; } assert i >= 0; }";
    leaves_open(text);
    let mut case = Case::new(&format!("procedure p() {{}} {}", text.replace("assert", "call p(); assert")));
    case.certificate.by_execution = true;
    let main = &case.program.regions[case.certificate.trees[0].region.index()];
    let place = main.blocks.iter().enumerate().find_map(|(b, block)| {
        let is_box = |s: &lariat_program::Stmt| matches!(s.kind, lariat_program::StmtKind::Box { .. });
        Some((b as u32, block.stmts.iter().position(is_box)? as u32))
    });
    let (block, stmt) = place.expect("a call");
    let site = lariat_certify::Site { block: lariat_program::BlockId(block), stmt };
    let boxed = Some((lariat_certify::Tree::FIRST, site));
    let treatment = lariat_certify::Treatment::Expand;
    case.certificate.trees[0].instances.push(lariat_certify::Instance { boxed, treatment });
    assert_eq!(case.check(), Checked::Proved);
}

#[test]
fn an_input_may_be_anything() {
    leaves_open("procedure main(n: int) { assert n != 7; }");
    leaves_open("procedure main(n: int) { if (n == 7) { assert false; } }");
    leaves_open("procedure main() { var x: int; assert x == 0; }");
    leaves_open("procedure main() { var x: int; x := 1; havoc x; assert x == 1; }");
    leaves_open("var g: int; procedure main() modifies g; { assert g == 0; }");
    leaves_open("procedure main(n: int) { var b: bool; b := n > 5; assert b; }");
}

#[test]
fn both_ways_are_followed() {
    leaves_open("procedure main() { var x: int; x := 0; if (*) { x := 1; } assert x == 0; }");
    leaves_open(
        "procedure main(n: int) { var x: int; x := 0; if (n > 3) { x := 1; } else { x := 2; } assert x == 1; }",
    );
    shows("procedure main(n: int) { var x: int; x := 0; if (n > 3) { x := 1; } else { x := 2; } assert x >= 1; }");
    leaves_open("procedure main() { goto a, b, c; a: return; b: return; c: assert false; return; }");
}

#[test]
fn an_assumption_that_is_not_known_ends_nothing() {
    leaves_open("procedure main(n: int) { assume n > 0; assert n > 0; }");
    leaves_open("procedure main(n: int) { assume n > 0 && n < 0; assert false; }");
    shows("procedure main(n: int) { assume n > 0 && false; assert false; }");
    leaves_open("const c: int; axiom c == 3; procedure main() { assert c == 3; }");
    leaves_open("function f(x: int) returns (int); procedure main() { assert f(1) == 0; }");
    leaves_open("procedure main() { assert (forall x: int :: x * x >= x); }");
}

#[test]
fn elements_at_unknown_indices_are_any_elements() {
    let array =
        |stores: &str, claim: &str| format!("procedure main(n: int) {{ var a: [int]int; {stores} assert {claim}; }}");
    shows(&array("a[1] := 5; a[2] := 6; a[1] := 7;", "a[1] == 7 && a[2] == 6"));
    refutes(&array("a[1] := 5; a[2] := 6; a[1] := 7;", "a[1] == 5"));
    leaves_open(&array("a[1] := 5;", "a[2] == 0"));
    leaves_open(&array("a[1] := 5; a[n] := 6;", "a[1] == 5"));
    leaves_open(&array("a[1] := 5; a[2] := 5;", "a[n] == 5"));
    let two = "var a, b: [int]int; procedure main() modifies a, b; { a[1] := 5; b := a; b[1] := 6;";
    shows(&format!("{two} assert a[1] == 5 && b[1] == 6; }}"));
    refutes(&format!("{two} assert a[1] == 6; }}"));
}

#[test]
fn calls_change_what_they_change() {
    let text = "var g: int; procedure main() modifies g; { var x: int; g := 1; call x := p(3); assert CLAIM; }
        procedure p(n: int) returns (r: int) modifies g; { g := g + n; r := n * 2; }";
    shows(&text.replace("CLAIM", "g == 4 && x == 6"));
    refutes(&text.replace("CLAIM", "g == 1"));
    refutes(&text.replace("CLAIM", "x == 3"));
    shows("procedure main() { var x, y: int; x := 1; y := 2; x, y := y, x; assert x == 2 && y == 1; }");
    let ways = "procedure main() { var x: int; call x := p(); assert CLAIM; }
        procedure p() returns (r: int) { if (*) { r := 1; } else { r := 2; } }";
    shows(&ways.replace("CLAIM", "x < 3"));
    leaves_open(&ways.replace("CLAIM", "x == 1"));
    leaves_open("procedure main() { var x: int; call x := p(); assert x == 0; } procedure p() returns (r: int) { }");
}

#[test]
fn recursion_is_followed_to_its_end() {
    let sum = "procedure main() { var x: int; call x := sum(50); assert x == CLAIM; }
        procedure sum(n: int) returns (r: int) { if (n > 0) { call r := sum(n - 1); r := r + n; } else { r := 0; } }";
    shows(&sum.replace("CLAIM", "1275"));
    refutes(&sum.replace("CLAIM", "1276"));
    leaves_open(
        "procedure main() { call p(0); assert false; } procedure p(n: int) { if (n != -1) { call p(n + 1); } }",
    );
}

#[test]
fn loops_that_never_end_are_followed_once_around() {
    shows("procedure main() { var i: int; i := 0; while (true) { i := 1 - i; } assert false; }");
    leaves_open("procedure main() { var i: int; i := 0; while (true) { i := 1 - i; if (*) { assert i == 1; } } }");
    refutes("procedure main() { var i: int; i := 0; while (true) { assert i == 0; i := 1 - i; } }");
    refutes("procedure main() { var i: int; i := 0; while (true) { assert i < 1000; i := i + 1; } }");
    leaves_open("procedure main() { var i: int; i := 0; while (*) { i := i + 1; } assert i < 100; }");
}

#[test]
fn paths_that_are_too_many_are_joined() {
    let text = "procedure main() { var i, x, y: int; i := 0; x := 0; y := 1;
        while (i < 3000) { if (*) { x := x + 1; y := 1; } else { x := 3; y := 1; } i := i + 1; } assert CLAIM; }";
    shows(&text.replace("CLAIM", "i == 3000 && y == 1"));
    leaves_open(&text.replace("CLAIM", "x == 3"));
    leaves_open(&text.replace("CLAIM", "x >= 0"));
    leaves_open(&text.replace("CLAIM", "i == 2999"));
    let array = "procedure main() { var a: [int]int; var i: int; i := 0; a[0] := 0; a[1] := 0; a[2] := 7;
        while (i < 3000) { if (*) { a[0] := i; } else { a[1] := i; } i := i + 1; } assert CLAIM; }";
    shows(&array.replace("CLAIM", "a[2] == 7"));
    leaves_open(&array.replace("CLAIM", "a[0] == 0"));
    leaves_open(&array.replace("CLAIM", "a[1] == 2999"));
}

#[test]
fn an_assertion_that_does_not_count_ends_the_path_where_it_fails() {
    let text = "procedure main(n: int) { assert false; assert n == 0; }";
    let mut case = Case::new(text);
    case.certificate.by_execution = true;
    let entry = case.certificate.trees[0].region;
    assert_eq!(case.check_some(entry, &|a| a.0 == 1), Checked::Proved);
    assert!(matches!(case.check(), Checked::Fails(Goal::Assertion(..))));
    let mut case = Case::new("procedure main(n: int) { assert n < 7; assert n == 0; }");
    assert!(matches!(case.check_by_execution(&|a| a.0 == 1), Checked::Unknown(_)));
}

#[test]
fn words_of_machines_wrap_around() {
    let text = "function {:bvbuiltin \"bvadd\"} add(x: bv8, y: bv8) returns (bv8);
        function {:bvbuiltin \"bvult\"} lt(x: bv8, y: bv8) returns (bool);
        procedure main() { var x: bv8; var i: int; x := 1bv8; i := 0;
        while (lt(0bv8, x)) { x := add(x, 1bv8); i := i + 1; } assert i == CLAIM; }";
    shows(&text.replace("CLAIM", "255"));
    refutes(&text.replace("CLAIM", "256"));
    let large = "procedure main() { var x, i: int; x := 1; i := 0; while (i < 100) { x := x * 2; i := i + 1; }
        assert CLAIM; }";
    shows(&large.replace("CLAIM", "x > 1000000000000000000000 && x mod 2 == 0"));
    refutes(&large.replace("CLAIM", "x < 0"));
}

#[test]
fn it_is_written_and_read() {
    let mut case = Case::new(ROUNDS);
    case.certificate.by_execution = true;
    let text = write(&case.program, &mut [(&mut case.terms, &case.certificate)]);
    let found = read(&case.program, &mut case.terms, &text).expect("a certificate");
    assert!(found[0].by_execution);
    case.certificate = found[0].clone();
    assert_eq!(case.check(), Checked::Proved);
    let other = text.replace("\"by-execution\": true", "\"by-execution\": false");
    assert!(!read(&case.program, &mut case.terms, &other).expect("a certificate")[0].by_execution);
}
