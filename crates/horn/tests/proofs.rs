//! Proofs are found and pass their check; what is no proof does not pass.

use lariat_boogie::{
    analyze::Source,
    compile::{self, compile},
    lower::{LowerOptions, Mode, entry_of},
};
use lariat_horn::{Certificate, Goal, prove};
use lariat_program::{Program, RegionId, RegionKind};
use lariat_smt::{Solver, SolverError, Z3Script, solvers};
use lariat_term::Terms;

struct Loaded {
    program: Program,
    terms: Terms,
    entry: RegionId,
}

fn load(source: &str) -> Loaded {
    let options = compile::Options { lower: LowerOptions { mode: Mode::Reach }, ..Default::default() };
    let compiled = compile([Source::new("a.bpl", source)], &options);
    let shown = compiled.diagnostics.display(&compiled.sources).to_string();
    let program = compiled.program.unwrap_or_else(|| panic!("{shown}"));
    let entry = entry_of(&program, "main").expect("a procedure main");
    Loaded { program, terms: compiled.terms, entry }
}

fn open() -> Result<Box<dyn Solver>, SolverError> {
    solvers::open("z3", None)
}

impl Loaded {
    fn prove(&mut self) -> Option<Certificate> {
        let goal = Goal { program: &self.program, entry: self.entry, counts: &|_| true };
        let mut z3 = Z3Script::new().unwrap();
        prove(&goal, &mut self.terms, &mut z3, None).unwrap()
    }

    fn check(&mut self, certificate: &Certificate) -> bool {
        let goal = Goal { program: &self.program, entry: self.entry, counts: &|_| true };
        certificate.check(&goal, &mut self.terms, &mut open).unwrap()
    }

    fn is_proved(&mut self) -> bool {
        self.prove().is_some_and(|certificate| self.check(&certificate))
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
    let good = loaded.prove().expect("a proof");
    assert!(loaded.check(&good));
    let (yes, no) = (loaded.terms.bool(true), loaded.terms.bool(false));
    let at = |kind: fn(RegionKind) -> bool, l: &Loaded| l.program.regions.iter().position(|r| kind(r.kind)).unwrap();
    let the_loop = at(|k| k != RegionKind::Procedure, &loaded);
    let main = loaded.entry.index();

    // The loop never returns: then all is well, but it does return.
    let mut bad = good.clone();
    bad.claims[the_loop].as_mut().unwrap().returns = no;
    assert!(!loaded.check(&bad));
    // Nothing is known of what the loop returns.
    let mut bad = good.clone();
    bad.claims[the_loop].as_mut().unwrap().returns = yes;
    assert!(!loaded.check(&bad));
    // The entry may fail.
    let mut bad = good.clone();
    bad.claims[main].as_mut().unwrap().fails = yes;
    assert!(!loaded.check(&bad));
    // Nothing is claimed.
    let mut bad = good;
    bad.claims[the_loop] = None;
    assert!(!loaded.check(&bad));
}
