//! Induction proves what it should, and claims nothing of programs that fail after some steps.

mod common;

use lariat_horn::{Goal, Induction, Solution, System, infer_invariants};
use lariat_smt::{Solver, SolverError, solvers};
use lariat_term::Terms;

struct Loaded {
    terms: Terms,
    system: System,
}

fn load(source: &str) -> Loaded {
    let (program, mut terms, entry) = common::program(source);
    let goal = Goal { program: &program, entry, counts: &|_| true, go_on: &|| true };
    let system = System::new(&goal, &mut terms).expect("not too large");
    Loaded { terms, system }
}

fn open() -> Result<Box<dyn Solver>, SolverError> {
    solvers::open("auto", None)
}

impl Loaded {
    fn known(&mut self) -> Solution {
        let found = infer_invariants(&self.system, &mut self.terms, &mut *open().unwrap(), &|| true).unwrap();
        found.unwrap_or_else(|| Solution::nothing(&self.system, &mut self.terms))
    }

    /// The claim that nothing is known.
    fn nothing(&mut self) -> Solution {
        Solution::nothing(&self.system, &mut self.terms)
    }

    fn find(&mut self, known: Solution) -> Option<Induction> {
        Induction::find(&self.system, &mut self.terms, known, &mut *open().unwrap(), &|| true).unwrap()
    }

    fn check(&mut self, induction: &Induction) -> bool {
        induction.check(&self.system, &mut self.terms, &mut open).unwrap()
    }

    fn is_proved(&mut self) -> bool {
        let known = self.known();
        self.find(known).is_some_and(|i| self.check(&i))
    }
}

/// Four cells go round.
const ROUND: &str = "
procedure main()
{
  var a, b, c, d: int;
  a, b, c, d := 0, 0, 0, 0;
  while (*) { assert a == 0; a, b, c, d := b, c, d, a; }
}";

#[test]
fn enough_steps_and_no_fewer() {
    let mut loaded = load(ROUND);
    let nothing = loaded.nothing();
    let found = loaded.find(nothing.clone()).expect("what passed four times passes for ever");
    assert!(found.k >= 4);
    assert!(loaded.check(&found));
    let mut passes = |k: usize| loaded.check(&Induction { k, known: nothing.clone() });
    let least = (0..=found.k).find(|&k| passes(k)).expect("the one that was found");
    assert!(least >= 4);
    assert!((least..least + 4).all(passes));
}

/// The step holds for as many steps, but executions fail before.
#[test]
fn an_error_in_the_first_steps_is_no_proof() {
    for start in ["1, 0, 0, 0", "0, 1, 0, 0", "0, 0, 1, 0", "0, 0, 0, 1"] {
        let mut loaded = load(&ROUND.replace("0, 0, 0, 0", start));
        let nothing = loaded.nothing();
        assert!(loaded.find(nothing.clone()).is_some(), "what passed four times passes for ever");
        for k in 0..12 {
            assert!(!loaded.check(&Induction { k, known: nothing.clone() }), "{start} {k}");
        }
        assert!(!loaded.is_proved());
    }
}

#[test]
fn an_error_after_many_steps_is_no_proof() {
    let source = "
procedure main()
{
  var x: int;
  x := 0;
  while (*) { x := x + 1; assert x != 9; }
}";
    let mut loaded = load(source);
    assert!(!loaded.is_proved());
    let nothing = loaded.nothing();
    for k in 0..15 {
        assert!(!loaded.check(&Induction { k, known: nothing.clone() }), "{k}");
    }
    // An error behind the loop, and one without any.
    assert!(!load(&source.replace("assert x != 9; }", "} assert x != 9;")).is_proved());
    assert!(!load("procedure main(x: int) { assert x != 9; }").is_proved());
    let mut straight = load("procedure main(x: int) { assert x != 9; }");
    let nothing = straight.nothing();
    assert!(!straight.check(&Induction { k: 0, known: nothing }));
}

#[test]
fn what_is_true_but_follows_from_no_number_of_steps() {
    let source = "
procedure main()
{
  var x: int;
  x := 0;
  while (*) { x := x + 2; assert x != 9; }
}";
    let mut loaded = load(source);
    let nothing = loaded.nothing();
    assert!(loaded.find(nothing).is_none());
}

#[test]
fn loops_keep_what_they_do_not_change() {
    let source = "
procedure main(n: int, m: int)
{
  var i, j, s: int;
  assume n > 3 && m == n + 1;
  i := 0;
  while (i < n)
  {
    j := 0;
    while (j < m) { j := j + 1; s := s + n; }
    i := i + 1;
    assert m > 4;
  }
  while (*) { s := s + m; }
  assert n > 3 && m > n;
}";
    assert!(load(source).is_proved());
    assert!(!load(&source.replace("m > 4", "m > 5")).is_proved());
    assert!(!load(&source.replace("m > n", "i > n")).is_proved());
    // What an inner loop changes is open in the outer one.
    let changed = source.replace("int, m: int)", "int, p: int)").replace("i, j", "m, i, j");
    let changed = changed.replace("assume n > 3 && m == n + 1", "assume n > 3; m := n + 1");
    assert!(load(&changed).is_proved());
    assert!(!load(&changed.replace("s := s + n;", "s := s + n; m := m - 1;")).is_proved());
}

/// Multiples of four, and a flag that says whether there was a step.
const BITS: &str = "
function {:bvbuiltin \"bvadd\"} add(bv8, bv8): bv8;
function {:bvbuiltin \"bvmul\"} mul(bv8, bv8): bv8;
procedure main()
{
  var x, y, z: bv8;
  var moved, still: bool;
  x, z, moved, still := 0bv8, 0bv8, false, true;
  while (*)
  {
    havoc y;
    x := add(x, mul(4bv8, y));
    z := add(z, mul(4bv8, y));
    moved := true;
    still := !moved;
    assert x != 6bv8;
  }
  assert x == z && (!moved || !still);
}";

#[test]
fn bits_and_pairs_that_clauses_keep() {
    assert!(load(BITS).is_proved());
    assert!(!load(&BITS.replace("6bv8", "8bv8")).is_proved());
    assert!(!load(&BITS.replace("z := add(z, mul(4bv8, y))", "z := add(z, mul(8bv8, y))")).is_proved());
    assert!(!load(&BITS.replace("still := !moved", "still := moved")).is_proved());
    // Without what is known there is no proof.
    let mut loaded = load(BITS);
    let nothing = loaded.nothing();
    assert!(loaded.find(nothing).is_none());
}

#[test]
fn bounds_of_the_program() {
    let source = "
function {:bvbuiltin \"bvadd\"} add(bv16, bv16): bv16;
function {:bvbuiltin \"bvult\"} lt(bv16, bv16): bool;
procedure main()
{
  var i: bv16;
  i := 3bv16;
  while (lt(i, 1000bv16)) { i := add(i, 1bv16); if (*) { break; } }
  assert !lt(i, 3bv16) && !lt(1000bv16, i);
}";
    assert!(load(source).is_proved());
    assert!(!load(&source.replace("!lt(1000bv16, i)", "lt(i, 1000bv16)")).is_proved());
    assert!(!load(&source.replace("!lt(i, 3bv16)", "!lt(i, 5bv16)")).is_proved());
}

/// The check does not believe what is said to be known.
#[test]
fn false_facts_do_not_pass() {
    let mut loaded = load(&BITS.replace("6bv8", "8bv8"));
    let good = loaded.known();
    let used: Vec<usize> = loaded.system.clauses.iter().flat_map(|c| &c.body).map(|a| a.relation).collect();
    assert!(!used.is_empty());
    for relation in used {
        let mut bad = good.clone();
        bad.claims[relation].holds = loaded.terms.bool(false);
        for k in 0..3 {
            assert!(!loaded.check(&Induction { k, known: bad.clone() }));
        }
    }
}

#[test]
fn recursion_is_left_to_others() {
    let source = "
procedure down(n: int) returns (r: int) { if (n <= 0) { r := 0; } else { call r := down(n - 1); } }
procedure main(n: int) { var r: int; call r := down(n); assert r == 0; }";
    assert!(!load(source).is_proved());
}
