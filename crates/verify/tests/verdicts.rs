//! Small programs with their verdicts, under every strategy.
//!
//! Each program says what is expected of its entry `main`: a bug must also be replayed on the
//! expected line.

use std::sync::Arc;

use lariat_boogie::{
    analyze::Source,
    compile::{self, compile},
    lower::{LowerOptions, Mode, entry_of},
};
use lariat_engine::Budget;
use lariat_program::{AssertId, AssertKind, Program, extract_loops, interp::Outcome};
use lariat_term::Terms;
use lariat_unfold::QueryKind;
use lariat_verify::{Correction, Fate, Options, Report, StrategyKind, Targets, Verdict, verify};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Expect {
    Safe,
    /// The line of the statement that fails.
    Unsafe(u32),
    Bounded,
}
use Expect::{Bounded, Safe, Unsafe};

fn load(text: &str, mode: Mode) -> (Program, Terms) {
    let options = compile::Options { lower: LowerOptions { mode, ..Default::default() }, ..Default::default() };
    let compiled = compile([Source::new("test.bpl", text)], &options);
    let shown = compiled.diagnostics.display(&compiled.sources).to_string();
    let (mut program, mut terms) = (compiled.program.unwrap_or_else(|| panic!("{shown}")), compiled.terms);
    extract_loops(&mut program, &mut terms);
    (program, terms)
}

fn run(text: &str, mode: Mode, strategy: StrategyKind, targets: Targets, bound: Option<u32>) -> Report {
    let (program, mut terms) = load(text, mode);
    let entries = match mode {
        Mode::Reach => vec![entry_of(&program, "main").expect("a procedure main")],
        Mode::Modular => program.entries.clone(),
    };
    let options = Options { entries, ..options(strategy, targets, bound) };
    verify(&Arc::new(program.clone()), &mut terms, &options, &mut |_| {})
}

fn options(strategy: StrategyKind, targets: Targets, bound: Option<u32>) -> Options {
    // Enough for the loops of these programs; endless recursion should not cost much.
    Options { targets, strategy, bound, eager_nodes: 400, ..Options::default() }
}

fn outcome(report: &Report) -> Expect {
    match &report.verdict {
        Verdict::Safe => Safe,
        Verdict::Bounded { cut, .. } => {
            assert!(!cut.is_empty(), "a bound names what it cut");
            Bounded
        }
        Verdict::Unsafe(bug) => match bug.run.outcome {
            Outcome::AssertionFailed { id, loc } => {
                assert_eq!(id, bug.assertion);
                Unsafe(loc.line)
            }
            ref other => panic!("a bug that does not fail: {other:?}"),
        },
        Verdict::Unknown(why) => panic!("unknown: {why}"),
    }
}

fn reach(text: &str, bound: Option<u32>, expected: Expect) {
    let others = [Correction::Linear, Correction::ClauseD, Correction::MaxSat].map(StrategyKind::Inertial);
    for strategy in StrategyKind::ALL.into_iter().chain(others) {
        let report = run(text, Mode::Reach, strategy, Targets::Any, bound);
        assert_eq!(outcome(&report), expected, "{strategy:?}\n{text}");
        assert!(report.incidents.is_empty(), "{:?}", report.incidents);
    }
}

fn modular(text: &str, expected: Expect) {
    let report = run(text, Mode::Modular, StrategyKind::Stratified, Targets::Any, None);
    assert_eq!(outcome(&report), expected, "{text}");
}

#[test]
fn straight_code() {
    reach("procedure main(x: int) {\n assume x > 3;\n assert x > 2;\n}", None, Safe);
    reach("procedure main(x: int) {\n assume x > 3;\n assert x > 4;\n}", None, Unsafe(3));
    reach("procedure main(x: int) {\n assume false;\n assert false;\n}", None, Safe);
}

#[test]
fn branches_and_choices() {
    let text = "procedure main(x: int) {
      var y: int;
      if (x > 0) { y := x; } else { y := 0 - x; }
      assert y >= 0;
      if (*) { y := 0 - 1; }
      assert y >= 0;
    }";
    reach(text, None, Unsafe(6));
    let text = "procedure main() {
      var a: int;
      goto A, B, C;
      A: a := 1; goto D;
      B: a := 2; goto D;
      C: a := 3; goto D;
      D: assert a != 3;
    }";
    reach(text, None, Unsafe(7));
    reach(&text.replace("a != 3", "a <= 3"), None, Safe);
}

#[test]
fn calls_globals_and_old() {
    let text = "var g: int;
    procedure inc(n: int) returns (r: int) modifies g; ensures g == old(g) + n; { g := g + n; r := g; }
    procedure main() modifies g; {
      var r: int;
      g := 5;
      call r := inc(2);
      call r := inc(r);
      assert r == 14 && g == 14;
    }";
    reach(text, None, Safe);
    reach(&text.replace("r == 14 &&", "r == 13 &&"), None, Unsafe(8));
    reach(&text.replace("g == old(g) + n", "g == old(g) + 2"), None, Unsafe(2));
}

#[test]
fn preconditions_are_checked_where_the_call_is() {
    let text = "procedure half(n: int) returns (r: int) requires n mod 2 == 0; { r := n div 2; }
    procedure main(n: int) {
      var r: int;
      call r := half(2 * n);
      call r := half(n);
    }";
    reach(text, None, Unsafe(5));
}

#[test]
fn loops_with_a_constant_number_of_rounds_need_no_bound() {
    let text = "procedure main() {
      var i, s: int;
      i := 0; s := 0;
      while (i < 300) { s := s + i; i := i + 1; }
      assert s == 44850;
    }";
    reach(text, None, Safe);
    reach(&text.replace("44850", "44851"), None, Unsafe(5));
}

#[test]
fn bugs_in_loops_and_recursion_are_found_however_deep() {
    let text = "procedure main(n: int) {
      var i: int;
      i := 0;
      while (i < n) { i := i + 1; assert i != 7; }
    }";
    reach(text, None, Unsafe(4));
    reach(text, Some(3), Bounded);
    let text = "procedure down(n: int) returns (r: int) {
      if (n <= 0) { r := 0; } else { call r := down(n - 1); r := r + 1; }
    }
    procedure main(n: int) { var r: int; call r := down(n); assert r != 4; }";
    reach(text, None, Unsafe(4));
    reach(text, Some(3), Bounded);
}

#[test]
fn a_blocked_call_that_no_path_reaches_does_not_spoil_a_proof() {
    let text = "procedure forever(n: int) returns (r: int) { call r := forever(n + 1); assert r != n; }
    procedure main(x: int) {
      var r: int;
      assume x > 0;
      if (x * x < 0 - 5) { call r := forever(x); }
      assert x > 0;
    }";
    // The solver must look at `forever` to see that it cannot be reached, so the bound matters if
    // it is taken literally.
    reach(text, None, Safe);
    reach(text, Some(1), Safe);
}

#[test]
fn irrelevant_recursion_does_not_stop_a_proof() {
    let text = "var g: int;
    procedure noise(n: int) { if (n > 0) { call noise(n - 1); } }
    procedure main(n: int) modifies g; { g := 1; call noise(n); assert g == 1; }";
    let report = run(text, Mode::Reach, StrategyKind::Stratified, Targets::Any, None);
    assert_eq!(outcome(&report), Safe);
}

#[test]
fn maps_bit_vectors_datatypes_and_functions() {
    let text = "datatype Pair { Pair(a: int, b: bv8) }
    function f(int): int;
    function {:bvbuiltin \"bvadd\"} add(bv8, bv8): bv8;
    procedure main(m: [int]Pair, i: int) {
      var n: [int]Pair;
      n := m[i := Pair(f(i), 255bv8)];
      assert n[i]->a == f(i);
      assert add(n[i]->b, 1bv8) == 0bv8;
      assert n[i + 1]->b != 17bv8;
    }";
    reach(text, None, Unsafe(9));
    reach(&text.replace("n[i + 1]->b != 17bv8", "n[i + 1] == m[i + 1]"), None, Safe);
}

#[test]
fn havoc_where_and_uninitialised_outputs() {
    let text = "procedure any() returns (r: int where r > 10);
    procedure unset() returns (r: int) { }
    procedure main() {
      var x: int where x > 3;
      var y: int;
      assert x > 2;
      havoc x;
      assert x > 2;
      call y := any();
      assert y > 10;
      call y := unset();
      assert y != 5;
    }";
    reach(text, None, Unsafe(12));
}

#[test]
fn floats_are_equal_as_values() {
    let text = "procedure main(x: float24e8) {
      assert x == x;
      assert 0x0.0e0f24e8 != -0x0.0e0f24e8;
      assert x == 0x0.0e0f24e8 || x < 0x0.0e0f24e8 || x > 0x0.0e0f24e8;
    }";
    reach(text, None, Unsafe(4));
}

#[test]
fn a_procedure_without_body_may_rely_on_its_free_precondition() {
    let text = "var g: int;
    procedure grow(n: int); free requires n >= 0; modifies g; ensures g >= old(g) + n;
    procedure main(n: int) modifies g; { g := 0; call grow(n); assert g >= 0; }";
    reach(text, None, Safe);
}

#[test]
fn contracts_and_invariants_in_modular_mode() {
    let text = "procedure twice(n: int) returns (r: int) requires n >= 0; ensures r == 2 * n;
    {
      var i: int;
      i := 0; r := 0;
      while (i < n) invariant r == 2 * i; invariant i <= n; { i := i + 1; r := r + 2; }
    }
    procedure main(k: int) { var r: int; assume k > 1; call r := twice(k); assert r > k; }";
    modular(text, Safe);
    modular(&text.replace("invariant i <= n;", ""), Unsafe(6));
    modular(&text.replace("assume k > 1;", ""), Unsafe(7));
}

#[test]
fn axioms_that_contradict_each_other_are_no_ground_for_a_bug() {
    let text = "const c: int; axiom c == 1; axiom c == 2;
    procedure main(x: int) { assert x != 3; }";
    let report = run(text, Mode::Reach, StrategyKind::Stratified, Targets::Any, None);
    assert!(matches!(&report.verdict, Verdict::Unknown(why) if why.contains("contradict")), "{:?}", report.verdict);
    reach(&text.replace("c == 2", "c < 2"), None, Unsafe(2));
}

#[test]
fn each_assertion_has_its_own_fate() {
    let text = "procedure dead() { assert false; }
    procedure main(n: int) {
      assert n * n >= 0;
      assert n != 3;
      assert n != 4;
    }";
    let report = run(text, Mode::Reach, StrategyKind::Stratified, Targets::Each, None);
    assert_eq!(outcome(&report), Unsafe(4));
    assert_eq!(report.assertions, [Fate::NotReached, Fate::Proved, Fate::Failed, Fate::Failed]);
    assert_eq!(report.replayed, (2, 2));
}

#[test]
fn chains_of_calls_that_double_are_cheap_if_one_chain_is_enough() {
    // p0 calls p1 twice, p1 calls p2 twice, …: 2^40 instances in all.
    let mut text = String::from("var g: int;\n");
    for i in 0..40 {
        let next = i + 1;
        text += &format!(
            "procedure p{i}(b: bool) modifies g; {{ if (b) {{ call p{next}(b); }} else {{ call p{next}(b); }} }}\n"
        );
    }
    text += "procedure p40(b: bool) modifies g; { g := g + 1; }\n";
    text += "procedure main(b: bool) modifies g; { g := 0; call p0(b); assert g == 1; }\n";
    let report = run(&text, Mode::Reach, StrategyKind::Stratified, Targets::Any, None);
    assert_eq!(outcome(&report), Safe);
    let report = run(&text.replace("g == 1", "g == 2"), Mode::Reach, StrategyKind::Stratified, Targets::Any, None);
    assert!(matches!(report.verdict, Verdict::Unsafe(_)));
}

#[test]
fn quantified_conditions_are_replayed() {
    // A map that a quantified assumption describes, and an assertion about all of it.
    let text = "procedure zero(m: [int]int, at: int) returns (r: [int]int) {
      assume (forall i: int :: i != at ==> r[i] == 0);
      assume r[at] == m[at];
    }
    procedure main(m: [int]int) {
      var r: [int]int;
      call r := zero(m, 10);
      assert r[12] == 0;
      assert (forall i: int :: r[i] == 0);
    }";
    reach(text, None, Unsafe(9));
    // A branch on a quantifier, through a defined function.
    let text = "function all(m: [int]int, v: int) returns (bool) { (forall i: int :: m[i] == v) }
    procedure main(m: [int]int) {
      var x: int;
      if (all(m, 3)) { havoc x; } else { x := 1; }
      assert x == 1;
    }";
    reach(text, None, Unsafe(5));
    // A function that only a quantified assumption describes.
    let text = "function f(int) returns (int);
    procedure main(x: int) {
      assume (forall i: int :: f(i) >= 4);
      assert f(x) > 4;
    }";
    reach(text, None, Unsafe(4));
    let text = "function f(int) returns (int);
    procedure main(x: int) {
      assume (forall i: int :: f(i) >= 4);
      assert f(x) > 3;
    }";
    reach(text, None, Safe);
}

#[test]
fn all_assertions_share_one_unfolding() {
    // Each assertion needs the same calls; one fails, one is bounded by the loop, the others hold.
    let program = |assertions: &str| {
        format!(
            "procedure pick(n: int) returns (r: int) {{ if (n > 5) {{ call r := pick(n - 1); }} else {{ r := n; }} }}
             procedure main(n: int) {{
               var a, i: int;
               assume n < 9;
               call a := pick(n);
               {assertions}
               i := 0;
               while (i < n) {{ i := i + 1; assert i > 0; }}
             }}"
        )
    };
    let under = |report: &Report| report.stats.queries(QueryKind::Under).total();
    let inertial = StrategyKind::Inertial(Correction::Cheapest);
    for strategy in [StrategyKind::Stratified, StrategyKind::Eager, StrategyKind::DcrPlus, inertial] {
        let each = |text: &str| run(text, Mode::Reach, strategy, Targets::Each, Some(12));
        let few = each(&program("assert a <= 5; assert a != 3;"));
        let many = each(&program(&format!("{} assert a != 3;", "assert a <= 5; ".repeat(20))));
        // Whether a proof needs the bound depends on the solver's core.
        let holds = |f: &Fate| matches!(f, Fate::Proved | Fate::Bounded(12));
        assert!(holds(&few.assertions[0]) && few.assertions[1] == Fate::Failed, "{strategy:?} {:?}", few.assertions);
        assert!(many.assertions[..20].iter().all(holds), "{strategy:?} {:?}", many.assertions);
        assert_eq!(many.assertions[20], Fate::Failed, "{strategy:?}");
        assert!(holds(&few.assertions[2]) && holds(&many.assertions[21]), "{strategy:?}");
        assert_eq!((few.replayed, many.replayed), ((1, 1), (1, 1)), "{strategy:?}");
        assert!(many.stats.expanded <= 2 * few.stats.expanded, "{} and {}", few.stats.expanded, many.stats.expanded);
        assert!(under(&many) <= 3 * under(&few), "{} and {}", under(&few), under(&many));
    }
}

#[test]
fn one_assertion_that_cannot_be_decided_leaves_the_others() {
    let text = "procedure main(x: real, n: int) {
      assert n + 1 > n;
      assert x * x != 2.0;
      assert n < 7;
    }";
    let report = run(text, Mode::Reach, StrategyKind::Stratified, Targets::Each, None);
    assert_eq!(report.assertions, [Fate::Proved, Fate::NotChecked, Fate::Failed]);
    // An irrational number: a counterexample that cannot be replayed is an incident, and no bug.
    assert!(!report.incidents.is_empty() && report.replayed.0 == 1, "{:?}", report.replayed);
    let report = run(text, Mode::Reach, StrategyKind::Stratified, Targets::Only(vec![AssertId(1)]), None);
    assert!(matches!(&report.verdict, Verdict::Unknown(why) if why.contains("did not replay")));
    assert!(report.incidents.iter().all(|i| i.message.contains("did not replay")) && report.replayed == (0, 1));
}

/// An entry that would go on for ever leaves time for a bug in the next one.
#[test]
fn entries_share_the_time() {
    let text = "
procedure endless(n: int)
{
  var i, k: int;
  i, k := n, 1;
  while (i * i * i + k * k * k != 33 * n * n * n + 7) { i := i + 1; k := k * 3; }
  assert i * k * k != n * n * n + 1234567;
}
procedure main(n: int)
{
  assert n != 5;
}";
    let (program, mut terms) = load(text, Mode::Reach);
    let entries = vec![entry_of(&program, "endless").unwrap(), entry_of(&program, "main").unwrap()];
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(8);
    let options = Options {
        entries,
        solver: "z3".into(),
        budget: Budget { deadline: Some(deadline), ..Budget::default() },
        ..Options::default()
    };
    let report = verify(&Arc::new(program.clone()), &mut terms, &options, &mut |_| {});
    assert_eq!(outcome(&report), Unsafe(11));
}

#[test]
fn what_is_not_supported_hides_no_error_elsewhere_and_proves_nothing() {
    let check = |text: &str| {
        let (mut program, mut terms) = load(text, Mode::Reach);
        program.assertions[0].kind = AssertKind::Unsupported;
        let entries = vec![entry_of(&program, "main").expect("a procedure main")];
        let options = Options { entries, ..options(StrategyKind::Stratified, Targets::Any, None) };
        verify(&Arc::new(program.clone()), &mut terms, &options, &mut |_| {})
    };
    let text = "procedure main(x: int) {
      if (x == 1) { assert false; }
      assert x != 2;
    }";
    let report = check(text);
    assert!(matches!(&report.verdict, Verdict::Unsafe(bug) if bug.assertion.0 == 1), "{:?}", report.verdict);
    let report = check(&text.replace("x != 2", "x == x + 0"));
    assert!(matches!(report.verdict, Verdict::Unknown(_)), "{:?}", report.verdict);
    assert_eq!(report.assertions[1], Fate::NotChecked);
    let report = check(&text.replace("x == 1", "x != x"));
    assert!(matches!(&report.verdict, Verdict::Unsafe(bug) if bug.assertion.0 == 1), "{:?}", report.verdict);
}

#[test]
fn code_expressions_may_call_simple_inlined_procedures() {
    let text = "var g: int;
    procedure {:inline 1} next(a: int) returns (x: int, big: bool) {
      var t: int;
      t := a + g;
      havoc x;
      assume x == t + 1;
      big := x > 10;
    }
    procedure main(n: int) modifies g; {
      g := 1;
      assume n > 8;
      assert |{ var x: int; var b: bool; A: call x, b := next(n); return b && x == n + 2; }|;
    }";
    reach(text, None, Safe);
    reach(&text.replace("n > 8", "n > 7"), None, Unsafe(12));
}

/// The copies that make such a graph reducible have heads that the program says nothing about.
#[test]
fn a_loop_with_two_entries_and_no_invariant_is_no_ground_for_a_bug_in_modular_mode() {
    let text = "procedure tangled(n: int) returns (i: int) {
      i := 0;
      goto A, B;
      A: assert i >= 0; i := i + 1; goto B, C;
      B: i := i + 2; goto A, C;
      C: assert i >= 0;
    }";
    let report = run(text, Mode::Modular, StrategyKind::Stratified, Targets::Any, None);
    assert!(matches!(report.verdict, Verdict::Unknown(_) | Verdict::Safe), "{:?}", report.verdict);
    let report =
        run(&text.replace("i := 0", "i := 0 - 9"), Mode::Modular, StrategyKind::Stratified, Targets::Any, None);
    assert!(matches!(report.verdict, Verdict::Unsafe(_)), "{:?}", report.verdict);
}

#[test]
fn a_call_that_a_model_enters_after_its_error_can_be_blocked() {
    // The solver may let `p4` both fail and return, so that the model enters the call behind it.
    let text = "function {:bvbuiltin \"bvadd\"} add(a: bv8, b: bv8): bv8;
procedure p0(x: bv8) returns (r: bv8) { r := x; }
procedure p3(x: bv8) returns (r: bv8) { r := add(x, 3bv8); }
procedure p4(x: bv8) returns (r: bv8) { assert x != 97bv8; r := add(x, 4bv8); }
procedure main(x: bv8, b: bool, c: bool) {
  var r: bv8;
  call r := p0(r);
  if (b) { return; }
  if (c) { call r := p3(x); }
  call r := p4(x);
  call r := p0(r);
  assert r != 5bv8;
}";
    for correction in Correction::ALL {
        let report = run(text, Mode::Reach, StrategyKind::Inertial(correction), Targets::Any, None);
        assert!(matches!(outcome(&report), Unsafe(4 | 12)), "{correction:?}");
        let asked = report.stats.queries(QueryKind::Correction).total();
        assert!(asked < 50, "{correction:?}: {asked} queries for {:?}", report.stats.correction_sizes);
    }
}

#[test]
fn what_is_left_out_and_never_ends_is_no_way_to_an_error() {
    let text = "procedure main() { var i: int; i := 0; while (i < 10) { i := i - 1; }\n assert false; }";
    let report = run(text, Mode::Reach, StrategyKind::Stratified, Targets::Any, Some(3));
    assert_eq!(outcome(&report), Bounded);
    assert!(report.incidents.is_empty() && report.replayed == (0, 0));
    assert_eq!(report.assertions, [Fate::Bounded(3)]);
}

#[test]
fn an_error_is_found_where_an_axiom_speaks_of_what_is_left_out() {
    let text = "const c: int; axiom c > 5;
        procedure main(a: int) { var y: int; y := c;
          assert a != 3; }";
    reach(text, None, Unsafe(3));
}

#[test]
fn an_error_replays_through_what_was_left_out_or_put_in_place() {
    // Values and choices must come back to their own instances: of `pick` in two rounds of a loop and in itself, among
    // calls that are left out because nothing reads what they give.
    let text = "var log: int;
        procedure pick(k: int) returns (r: int) { if (*) { havoc r; } else { r := k; } }
        procedure note(n: int) { var i: int; call i := pick(n); while (i > 0) { i := i - 1; log := log + n; } }
        procedure main() { var a: int; var b: int; var n: int; var d: int;
          n := 0; b := 0;
          while (n < 2) { call note(n); call d := pick(7); call a := pick(n); call note(a); b := b + a; n := n + 1; }
          call d := pick(b);
          assume a != 0; assume a != 1;
          assert b != 40; }";
    reach(text, None, Unsafe(9));
}

#[test]
fn a_node_past_the_bound_that_cannot_be_decided_is_no_way_to_an_error() {
    // Whether the second loop can be done without is a question that the solver gives up on.
    let text = "
var g: int;
procedure main() modifies g; {
  var i, j, t, y: int;
  assume g <= i && i < 32;
  while (*) {
    assert g <= i;
    t := (g + i) div 2;
    if (*) { i := t; }
  }
  y := 0;
  while (*) {
    if (y == 1) { y := 0; } else if (y == 0) { if (j * 3 < j * 3) { y := 0; } else { y := 0; } }
  }
  assert y != 2;
}";
    reach(text, Some(4), Bounded);
}

#[test]
fn a_program_whose_loops_are_no_regions_is_unknown() {
    let text = "procedure main() { var i: int; i := 0; while (i < 3) { i := i + 1; } assert i == 0; }";
    let compiled = compile([Source::new("test.bpl", text)], &Default::default());
    let (program, mut terms) = (compiled.program.expect("a program"), compiled.terms);
    let entries = vec![entry_of(&program, "main").expect("a procedure main")];
    let options = Options { entries, ..options(StrategyKind::Stratified, Targets::Any, None) };
    let report = verify(&Arc::new(program), &mut terms, &options, &mut |_| {});
    assert!(matches!(report.verdict, Verdict::Unknown(why) if why == "a loop of main is no region"));
}
