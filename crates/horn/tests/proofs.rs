//! Proofs are found and pass their check; what is no proof does not pass.

mod common;

use std::time::Duration;

use lariat_horn::{Goal, Solution, SpacerAnswer, SpacerMode, System, prove};
use lariat_program::{Program, RegionId};
use lariat_smt::{Solver, SolverError, solvers};
use lariat_term::Terms;

struct Loaded {
    program: Program,
    terms: Terms,
    entry: RegionId,
}

fn load(source: &str) -> Loaded {
    let (program, terms, entry) = common::program(source);
    Loaded { program, terms, entry }
}

fn open() -> Result<Box<dyn Solver>, SolverError> {
    solvers::open("z3", None)
}

impl Loaded {
    fn system(&mut self) -> System {
        let goal = Goal { program: &self.program, entry: self.entry, counts: &|_| true, go_on: &|| true };
        System::new(&goal, &mut self.terms).expect("not too large")
    }

    fn prove(&mut self, system: &System) -> Option<Solution> {
        let mut z3 = SpacerMode::Global.open().unwrap();
        match prove(system, &mut self.terms, &mut z3, Some(Duration::from_secs(20))).unwrap() {
            SpacerAnswer::Solution(solution) => Some(solution),
            SpacerAnswer::Nothing | SpacerAnswer::Unknown => None,
        }
    }

    fn check(&mut self, system: &System, solution: &Solution) -> bool {
        solution.check(system, &mut self.terms, &mut open).unwrap()
    }

    fn is_proved(&mut self) -> bool {
        let system = self.system();
        self.prove(&system).is_some_and(|solution| self.check(&system, &solution))
    }

    fn is_proved_by_cells(&mut self) -> bool {
        let system = self.system().cells(&mut self.terms, &|| true).expect("there are maps");
        self.prove(&system).is_some_and(|solution| self.check(&system, &solution))
    }
}

const LOOP: &str = "
procedure main(n: int)
{
  var i, s: int;
  i, s := 0, 0;
  while (i < n) { i, s := i + 1, s + 2; }
  assert s >= i;
}";

#[test]
fn a_loop_without_an_invariant() {
    assert!(load(LOOP).is_proved());
    assert!(!load(&LOOP.replace("s >= i", "s > i")).is_proved());
}

#[test]
fn recursion_globals_and_constants() {
    let source = "
const c: int;
axiom c > 0;
var g: int;
procedure down(n: int) returns (r: int)
{
  if (n <= 0) { r := 0; } else { call r := down(n - 1); r := r + c; g := g + 1; }
}
procedure main(n: int)
{
  var r: int;
  g := 0;
  call r := down(n);
  assert r >= 0 && g >= 0;
}";
    assert!(load(source).is_proved());
    // Without the axiom the constant may be negative.
    assert!(!load(&source.replace("axiom c > 0;", "")).is_proved());
}

#[test]
fn failures_inside_boxes_count() {
    let source = "
procedure step(x: int) returns (y: int) { assert x >= 0; y := x + 2; }
procedure main()
{
  var x: int;
  x := 0;
  while (*) { call x := step(x); }
}";
    assert!(load(source).is_proved());
    assert!(!load(&source.replace("x := 0", "x := -1")).is_proved());
}

#[test]
fn functions_and_quantifiers_may_be_anything() {
    let source = "
function f(int): int;
axiom (forall x: int :: f(x) > 0);
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n) { if (f(i) > 3) { i := i + 1; } else { i := i + 2; } }
  assert i >= 0;
}";
    assert!(load(source).is_proved());
    assert!(!load(&source.replace("i >= 0", "f(i) != 5")).is_proved());
}

/// The check does not believe what it is told.
#[test]
fn false_claims_do_not_pass() {
    let mut loaded = load(LOOP);
    let system = loaded.system();
    let good = loaded.prove(&system).expect("a proof");
    assert!(loaded.check(&system, &good));
    let bodies = system.clauses.iter().flat_map(|c| &c.body);
    let used: Vec<usize> = bodies.map(|a| a.relation).collect();
    assert!(!used.is_empty());
    for relation in used {
        for says in [true, false] {
            // Nothing is known, or no execution gets there.
            let mut bad = good.clone();
            bad.claims[relation].holds = loaded.terms.bool(says);
            assert!(!loaded.check(&system, &bad));
        }
    }
}

#[test]
fn loops_in_loops_and_after_loops() {
    let source = "
procedure main(n: int)
{
  var i, j, s, t: int;
  i, s := 0, 0;
  t := n;
  while (i < n)
  {
    j := 0;
    while (j < i) { j := j + 1; s := s + 1; if (s > 100) { break; } }
    i := i + 1;
  }
  while (*) { s := s + t - n; }
  assert s >= 0 && t == n;
}";
    assert!(load(source).is_proved());
    assert!(!load(&source.replace("s >= 0", "s < 100")).is_proved());
    assert!(!load(&source.replace("t == n", "t >= 0")).is_proved());
}

#[test]
fn boxes_that_are_not_always_reached() {
    let source = "
var g: int;
procedure count(n: int)
  modifies g;
{
  var i: int;
  i := 0;
  while (i < n) { i := i + 1; g := g + 1; }
}
procedure main(n: int, b: bool)
  modifies g;
{
  var x: int;
  g, x := 0, 0;
  if (b) { call count(n); x := 1; } else { g := -1; }
  if (b) { call count(n); }
  assert g >= x - 1;
}";
    assert!(load(source).is_proved());
    assert!(!load(&source.replace("x - 1", "x")).is_proved());
    assert!(!load(&source.replace("if (b) { call count(n); }", "call count(n);").replace("x - 1", "0")).is_proved());
}

#[test]
fn mutual_recursion_with_loops() {
    let source = "
var g: int;
procedure even(n: int) returns (r: bool)
  modifies g;
{
  var i: int;
  i := 0;
  while (i < 3) { i := i + 1; g := g + 1; if (n > 50) { call r := odd(n - 1); } }
  if (n <= 0) { r := true; } else { call r := odd(n - 1); }
}
procedure odd(n: int) returns (r: bool)
  modifies g;
{
  if (n <= 0) { r := false; } else { call r := even(n - 1); }
}
procedure main(n: int)
  modifies g;
{
  var r: bool;
  g := 0;
  call r := even(n);
  assert g >= 3;
}";
    assert!(load(source).is_proved());
    assert!(!load(&source.replace("g >= 3", "g > 3")).is_proved());
    // An error inside of what is called.
    assert!(!load(&source.replace("r := false;", "assert n < 0;")).is_proved());
}

const FILL: &str = "
procedure main(n: int)
{
  var a, b: [int]int;
  var i: int;
  i := 0;
  while (i < n) { a[i] := 7; i := i + 1; }
  i := 0;
  while (i < n) { b[i] := a[i] + 1; i := i + 1; }
  i := 0;
  while (i < n) { assert b[i] == 8; i := i + 1; }
}";

#[test]
fn cells_of_maps() {
    assert!(load(FILL).is_proved_by_cells());
    assert!(!load(&FILL.replace("b[i] == 8", "b[i] == a[i]")).is_proved_by_cells());
    assert!(!load(&FILL.replace("assert b[i]", "assert b[i + 1]")).is_proved_by_cells());
    assert!(load(&FILL.replace("b[i] == 8", "b[i] == a[i] + 1")).is_proved_by_cells());
}

#[test]
fn several_cells_of_one_map() {
    let source = "
procedure main(n: int)
{
  var a: [int]int;
  var i: int;
  i := 0;
  while (i < n) { a[i] := i; i := i + 1; }
  i := 0;
  while (i < n - 1) { assert a[i] < a[i + 1]; i := i + 1; }
}";
    assert!(load(source).is_proved_by_cells());
    assert!(!load(&source.replace("i < n - 1", "i < n")).is_proved_by_cells());
}

#[test]
fn constant_places_and_maps_of_maps() {
    let source = "
procedure main(n: int, o: int)
{
  var a: [int]int;
  var m: [int][int]int;
  var i: int;
  a[0] := 0;
  a[1], i := 5, 2;
  m[o] := a;
  while (i < n) { a[i] := 3; a[0] := a[0] + 1; m[o][0] := m[o][0] + 2; i := i + 1; }
  assert a[0] >= 0 && a[1] == 5;
  assert m[o][0] >= 0;
}";
    assert!(load(source).is_proved_by_cells());
    assert!(!load(&source.replace("i := 5, 2", "i := 5, 1")).is_proved_by_cells());
    assert!(
        !load(
            &source.replace("m[o][0] + 2", "m[o][1] + 2").replace("i := 5, 2", "i := -5, 2").replace("== 5", "== -5")
        )
        .is_proved_by_cells()
    );
}
