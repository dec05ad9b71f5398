//! The loop of abstraction and refinement, and the abstract program.

mod common;

use std::time::{Duration, Instant};

use common::{asserts, counterexample, globals, program};
use lariat_engine::Budget;
use lariat_localize::{Abstraction, Concrete, Localized, Localizer, Settings, Stats, Track, cone};
use lariat_program::{AssertId, Stage, StmtKind, verify};
use rustc_hash::FxHashSet;

/// What becomes of a program if nothing is tracked at first, and what it took.
fn localized(text: &str, which: Option<&[AssertId]>) -> (Localized, Stats) {
    let (program, mut terms, entry) = program(text);
    let all = asserts(&program);
    // What is certainly reached is expanded without a question; here, questions are what is looked at.
    let settings = Settings { track: Track::None, eager_nodes: 0, ..Settings::default() };
    let question = (entry, which.unwrap_or(&all));
    let nothing = FxHashSet::default();
    let mut localizer = Localizer::new(&program, &mut terms, question, "auto", &settings, nothing);
    let outcome = localizer.run(&Budget::default(), &mut |_| true).expect("the linked solver");
    (outcome, localizer.stats())
}

fn proved_with(text: &str, names: &[&str]) {
    let (outcome, stats) = localized(text, None);
    assert!(matches!(outcome, Localized::Proof(Some(_))), "{text}");
    assert_eq!(stats.tracked, names, "{text}");
}

const LOCK: &str = "var lock, idle, a, b: int;
    procedure step() modifies lock, a, b; {
      a := a + b;
      if (a > b) { assert lock == idle; lock := idle + 1; b := a; }
      if (lock > idle) { lock := idle; }
    }
    procedure main(v: int) modifies lock, idle, a, b;
    { lock := v; idle := v; call step(); call step(); if (a > 3) { call step(); } }";

#[test]
fn as_many_variables_as_needed_are_tracked() {
    proved_with("var g: int; procedure main(x: int) modifies g; { g := x; assert g > 0 ==> x == x; }", &[]);
    proved_with(LOCK, &["lock", "idle"]);
    let three = "var a, b, c, d: int; procedure main(x: int) modifies a, b, c, d;
        { a := x; d := b; b := a + 1; c := b - a; assert c == 1; }";
    proved_with(three, &["a", "b", "c"]);
}

#[test]
fn what_the_last_round_expanded_is_expanded_again() {
    // The two errors need different variables, so there are several rounds. What was looked into is not asked about again.
    let text = "var a, b, noise: int;
        procedure first(x: int) modifies a, noise; { noise := noise + 1; a := x; }
        procedure second(x: int) modifies b, noise; { noise := noise * 2; b := x; }
        procedure main(x: int) modifies a, b, noise; {
          if (noise > 7) { call first(x); assert a == x; } else { call second(x); assert b == x; }
        }";
    let (outcome, stats) = localized(text, None);
    assert!(matches!(outcome, Localized::Proof(Some(_))));
    assert!(stats.rounds > 1 && stats.reused > 0, "{stats:?}");
}

#[test]
fn an_assertion_that_does_not_count_ends_nothing() {
    let text = "var g, h: int; procedure main(x: int) modifies g, h; { g := x; h := x; assert g == x; assert h != x; }";
    let (outcome, _) = localized(text, Some(&[AssertId(1)]));
    let Localized::Bug(execution, _) = outcome else { panic!("the second assertion fails") };
    assert_eq!(execution.assertion, Some(AssertId(1)));
    // Nor does one whose condition reads something that is not tracked hold or fail for certain.
    let (program, mut terms, entry) = program(text);
    assert!(counterexample(&program, &mut terms, entry, &FxHashSet::default()).is_some());
}

#[test]
fn what_is_not_tracked_is_gone() {
    let (program, mut terms, entry) = program(LOCK);
    let tracked = globals(&program, &terms, &["lock", "idle"]);
    let untracked = globals(&program, &terms, &["a", "b"]);
    let made = Abstraction::new(&program, &mut terms, &tracked);
    assert!(verify(&made.program, &terms, Stage::Regions).is_ok());
    assert_eq!(made.program.globals.len(), 2);
    for (region, of) in made.program.regions.iter().zip(&program.regions) {
        assert_eq!((region.blocks.len(), &region.name), (of.blocks.len(), &of.name));
        for block in &region.blocks {
            block.for_each_term(|t| assert!(terms.free_vars(&[t]).iter().all(|v| !untracked.contains(v))));
            for s in &block.stmts {
                s.kind.for_each_target(|v| assert!(!untracked.contains(&v)));
            }
        }
        let boxes = |r: &lariat_program::Region| r.callees().count();
        let checks = |r: &lariat_program::Region| {
            let stmts = r.blocks.iter().flat_map(|b| &b.stmts);
            stmts.filter(|s| matches!(s.kind, StmtKind::Assert { .. })).count()
        };
        // No call and no check is lost.
        assert_eq!((boxes(region), checks(region)), (boxes(of), checks(of)));
    }
    assert!(counterexample(&program, &mut terms, entry, &tracked).is_none());
    // With everything tracked, it is the same program.
    let all = program.globals.iter().map(|d| d.var).collect();
    let same = Abstraction::new(&program, &mut terms, &all);
    let [text, of] = [&same.program, &program].map(|p| lariat_program::text::print(p, &terms));
    assert_eq!(text, of);
}

#[test]
fn results_and_arguments_of_calls_may_be_untracked() {
    let text = "var g, h: int;
        procedure next(x: int) returns (r: int) { r := x + 1; }
        procedure main() modifies g, h; { h := 3; call g := next(h); call g := next(g); assert g == 5; }";
    proved_with(text, &["g", "h"]);
    let (outcome, _) = localized(&text.replace("g == 5", "g == 6"), None);
    assert!(matches!(outcome, Localized::Bug(..)));
}

#[test]
fn quantifiers_and_functions_over_untracked_variables() {
    let text = "function f(int): int; axiom (forall x: int :: {f(x)} f(x) == x + 1);
        var m: [int]int; var g, other: int;
        procedure main(n: int) modifies g, other; {
          assume (forall i: int :: m[i] > 0); assume (exists i: int :: m[i] == other);
          other := f(n); g := f(n) - other; assert g == 0;
        }";
    proved_with(text, &["g", "other"]);
}

#[test]
fn a_bug_is_one_of_the_program() {
    let text = "var a, b: int; procedure main(x: int) modifies a, b;
        { havoc b; a := b + x; if (a > 10) { assume b != 4; assert x < 1000 || b < 0; } }";
    let (program, mut terms, entry) = program(text);
    let path = counterexample(&program, &mut terms, entry, &FxHashSet::default()).expect("a counterexample");
    let found = Concrete::new(&program, &mut terms, &path, "auto", &Budget::default()).expect("the linked solver");
    let Concrete::Bug(execution, _) = found else { panic!("the assertion may fail") };
    // The value that `b` gets is told where it gets it.
    assert_eq!(execution.instances[0].havoc.len(), 1);
}

#[test]
fn the_cone_is_what_assertions_read() {
    let (program, terms, entry) = program(LOCK);
    let found = cone(&program, &terms, entry, &asserts(&program));
    assert!(found.is_superset(&globals(&program, &terms, &["lock", "idle"])) || found.is_empty());
    let unrelated = "var a, b, c, d, e: int; procedure main() modifies a, b, c, d, e;
        { var x: int; x := a + 1; b := c; d := e; assert x > 0; }";
    let (program, terms, entry) = common::program(unrelated);
    assert_eq!(cone(&program, &terms, entry, &asserts(&program)), globals(&program, &terms, &["a"]));
}

#[test]
fn no_time_is_no_answer() {
    let (program, mut terms, entry) = program(LOCK);
    let settings = Settings::default();
    let all = asserts(&program);
    let nothing = FxHashSet::default();
    let mut localizer = Localizer::new(&program, &mut terms, (entry, &all), "auto", &settings, nothing);
    let late = Budget { deadline: Instant::now().checked_sub(Duration::from_secs(1)), ..Budget::default() };
    assert!(matches!(localizer.run(&late, &mut |_| true).expect("no solver"), Localized::Paused(_)));
    // It goes on from there.
    assert!(matches!(localizer.run(&Budget::default(), &mut |_| true).expect("a solver"), Localized::Proof(_)));
}
