//! Each kind of proof is told as a certificate that the checker accepts; a proof that is wrong is an incident.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use lariat_boogie::{analyze::Source, compile::compile, lower::entry_of};
use lariat_certify::Certificate;
use lariat_engine::{Answer, Budget, Engine, OpenSolver, Proof, Reading, Session, Task};
use lariat_horn::{
    SpacerMode,
    engines::{KInduction, Spacer},
};
use lariat_predicate::PredicateAbstraction;
use lariat_program::extract_loops;
use lariat_smt::SolverError;
use lariat_term::Terms;
use lariat_verify::{Engines, Options, Report, Row, Verdict, row, verify};

static SPACER: Spacer = Spacer(SpacerMode::Local);
static INTEGER_CELLS: &[Row] = &[row(&SPACER, Reading::IntegerCells, &[], 0, (64, 100), 2)];
static INTEGERS: &[Row] = &[row(&SPACER, Reading::Integers, &[], 0, (64, 100), 2)];
static BITS: &[Row] = &[row(&SPACER, Reading::Bits, &[], 0, (64, 100), 2)];
static INDUCTION: &[Row] = &[row(&KInduction, Reading::Bits, &[], 0, (64, 100), 2)];
static PREDICATES: &[Row] = &[row(&PredicateAbstraction, Reading::Integers, &[], 0, (64, 100), 2)];
static WRONG: &[Row] = &[row(&Wrong, Reading::Bits, &[], 0, (64, 100), 2)];
static WRONG_AND_RIGHT: &[Row] =
    &[row(&Wrong, Reading::Bits, &[], 0, (64, 100), 2), row(&SPACER, Reading::Bits, &[], 0, (64, 100), 2)];

fn ask(schedule: &'static [Row], text: &str) -> Report {
    ask_of(schedule, text, true)
}

fn ask_of(schedule: &'static [Row], text: &str, reduce: bool) -> Report {
    let compiled = compile([Source::new("test.bpl", text)], &Default::default());
    let (mut program, mut terms) = (compiled.program.expect("a program"), compiled.terms);
    extract_loops(&mut program, &mut terms);
    let program = Arc::new(program);
    let entry = entry_of(&program, "main").expect("a procedure main");
    let options = Options {
        entries: vec![entry],
        engines: Engines::Only(schedule.iter().map(|row| row.engine.name().to_owned()).collect()),
        schedule,
        reduce,
        certificates_wanted: true,
        budget: Budget { deadline: Some(Instant::now() + Duration::from_secs(120)), ..Budget::default() },
        ..Options::default()
    };
    verify(&program, &mut terms, &options, &mut |_| {})
}

fn accepted(schedule: &'static [Row], text: &str) {
    let report = ask(schedule, text);
    assert!(matches!(report.verdict, Verdict::Safe), "{:?}", report.verdict);
    assert!(report.certificates.len() == 1 && report.certificates[0].is_accepted(), "{:?}", report.certificates);
}

#[test]
fn globals_that_a_loop_only_reads_are_those_of_the_program() {
    let text = "var h: bv32;
    procedure main(x: bv32) modifies h; {
      if (x == 0bv32) { h := 3bv32; } else { h := 5bv32; }
      while (*) { assert h == 3bv32 || h == 5bv32; }
    }";
    for schedule in [INTEGERS, PREDICATES] {
        let report = ask_of(schedule, text, false);
        assert!(matches!(report.verdict, Verdict::Safe), "{:?}", report.verdict);
        assert!(report.certificates.len() == 1 && report.certificates[0].is_accepted(), "{:?}", report.certificates);
    }
}

#[test]
fn facts_over_predicates_are_invariants() {
    let text = "procedure main(n: bv8) { var i, s: bv8; i, s := 0bv8, 1bv8;
        while (ult(i, n)) { if (s == 1bv8) { s := 2bv8; } else { s := 1bv8; } i := add(i, 1bv8); }
        assert s != 0bv8; }";
    accepted(PREDICATES, &format!("{BITVECTORS}{text}"));
}

const BITVECTORS: &str = "
function {:bvbuiltin \"bvadd\"} add(a: bv8, b: bv8): bv8;
function {:bvbuiltin \"bvult\"} ult(a: bv8, b: bv8): bool;
";

#[test]
fn cells_of_integers() {
    let text = "procedure main(n: bv8, j: bv8) { var m: [bv8]bv8; var i: bv8; i := 0bv8;
        while (ult(i, n)) { m[i] := 7bv8; i := add(i, 1bv8); }
        if (ult(j, n)) { assert m[j] == 7bv8; } }";
    accepted(INTEGER_CELLS, &format!("{BITVECTORS}{text}"));
}

#[test]
fn integers() {
    let text = "const c: bv8; procedure main(n: bv8) { var i: bv8; i := 0bv8;
        while (ult(i, n)) { assert c != c || !ult(n, i); i := add(i, 1bv8); } assert i == n; }";
    accepted(INTEGERS, &format!("{BITVECTORS}{text}"));
}

#[test]
fn what_is_plainly_kept_over_integers_only() {
    // Under the guard, `and(y, 3)` is `y`.
    let text = "function {:bvbuiltin \"bvand\"} and(a: bv8, b: bv8): bv8;
        procedure main(z: bv8) { var x: bv8; var y: bv8; x := 0bv8; y := z; assume ult(x, y);
        while (ult(y, 3bv8)) { x := and(x, 4bv8); y := and(y, 3bv8); }
        while (*) { assert ult(0bv8, y); } }";
    accepted(INTEGERS, &format!("{BITVECTORS}{text}"));
}

#[test]
fn k_induction() {
    let text = "procedure main() { var a: int; var b: int; var c: int; var t: int; a := 0; b := 1; c := 2;
        while (*) { assert a != 5; t := a; a := b; b := c; c := t; } }";
    accepted(INDUCTION, text);
}

#[test]
fn recursion_with_what_comes_after_the_call() {
    let text = "var g: int; procedure main(z: int) { g := z; call f(); assert g == z; }
        procedure f() { g := g + 1; if (*) { call f(); } g := g - 1; }";
    accepted(BITS, text);
}

#[test]
fn recursion_that_a_constant_rules_out() {
    let text = "procedure main() { var x: int; x := 0; while (*) { call x := f(0); } }
        procedure f(n: int) returns (r: int) { r := 1; if (n == 5) { call r := f(0); } assert r == 1; }";
    accepted(BITS, text);
}

/// Claims to have proved whatever it is asked, as if there were nothing to say about loops.
struct Wrong;

impl Engine for Wrong {
    fn name(&self) -> &'static str {
        "wrong"
    }

    fn about(&self) -> &'static str {
        "proves everything"
    }

    fn start(&self, task: &Task) -> Option<Box<dyn Session>> {
        Some(Box::new(Work(task.clone())))
    }
}

struct Work(Task);

impl Session for Work {
    fn run(&mut self, _: &Budget) -> Answer {
        Answer::Proof(Box::new(Everything(self.0.clone())))
    }
}

struct Everything(Task);

impl Proof for Everything {
    fn check(&mut self, _: OpenSolver<'_>) -> Result<bool, SolverError> {
        Ok(true)
    }

    fn certificate(&mut self, _: Option<&Terms>) -> Option<(Terms, Certificate)> {
        Some((Terms::clone(&self.0.terms), Certificate::new(self.0.entry)))
    }
}

#[test]
fn a_proof_that_is_none_is_an_incident() {
    for text in [
        "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i == n; }",
        "procedure main(n: int) { assert n != 3; }",
    ] {
        let report = ask(WRONG, text);
        assert!(matches!(report.verdict, Verdict::Unknown(_)), "{:?}", report.verdict);
        assert!(report.incidents.len() == 1 && report.certificates.is_empty());
        assert!(report.incidents[0].values[0].1.contains("lariat-certificate"));
    }
}

/// Whoever is stopped while a proof is checked goes on when that is rejected.
#[test]
fn engines_go_on_after_a_proof_that_is_none() {
    accepted(
        WRONG_AND_RIGHT,
        "procedure main(n: int) { var i: int; assume n >= 0; i := 0; while (i < n) { i := i + 1; } assert i == n; }",
    );
}
