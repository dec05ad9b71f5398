//! k-induction in certificates: base, step, and what is meant to fool the checker.

mod common;

use common::Case;
use lariat_certify::{Checked, Event, Goal, Tree};
use lariat_term::{Term, Terms};

/// Values go round in a ring: that `a` is not 5 is 3-inductive.
const RING: &str = "procedure main() { var a: int; var b: int; var c: int; var t: int; a := 0; b := 1; c := 2;
    while (*) { assert a != 5; t := a; a := b; b := c; c := t; } }";

fn ring(text: &str, k: u32) -> Checked {
    let mut case = Case::new(text);
    let at = case.list(Tree::FIRST, 0);
    let yes = case.terms.bool(true);
    case.induction(at, k, yes);
    case.check()
}

#[test]
fn enough_rounds_are_a_proof() {
    for k in 0..6 {
        assert_eq!(ring(RING, k) == Checked::Proved, k >= 3, "{k}");
    }
}

#[test]
fn the_base_case_is_checked() {
    // The step holds for k = 3; in some of the first rounds, it fails.
    for (from, to) in [("a := 0", "a := 5"), ("b := 1", "b := 5"), ("c := 2", "c := 5")] {
        let said = ring(&RING.replace(from, to), 3);
        assert!(matches!(said, Checked::Fails(Goal::Assertion(..))), "{to}: {said:?}");
    }
}

#[test]
fn what_comes_after_the_loop_is_checked_for_early_exits_too() {
    let text = RING.replace("} }", "} assert a != 5; }");
    assert_eq!(ring(&text, 3), Checked::Proved);
    for to in ["a := 5", "b := 5", "c := 5"] {
        let from = [("a", "a := 0"), ("b", "b := 1"), ("c", "c := 2")].into_iter().find(|(v, _)| to.starts_with(v));
        // The assertion in the loop is gone.
        let text = text.replace("assert a != 5; t", "t").replace(from.expect("one of them").1, to);
        assert!(matches!(ring(&text, 3), Checked::Fails(Goal::Assertion(..))), "{to}");
    }
    let text = text.replace("assert a != 5; t", "t");
    // Nothing is known of the rounds before, if nothing is asserted in them.
    assert!(matches!(ring(&text, 3), Checked::Fails(Goal::Assertion(..))));
}

const COUNT: &str = "procedure main(n: int) { var i: int; var s: int; i := 0; s := 0;
    while (i < n) { assert s >= 0; i := i + 1; s := s + i; } }";

fn count(text: &str, k: u32, invariant: impl Fn(&mut Terms, Term, Term) -> Term) -> Checked {
    let mut case = Case::new(text);
    let at = case.list(Tree::FIRST, 0);
    let (i, s) = (case.at_start(at, "i"), case.at_start(at, "s"));
    let holds = invariant(&mut case.terms, i, s);
    case.induction(at, k, holds);
    case.check()
}

#[test]
fn the_invariant_is_checked_in_all_rounds() {
    let at_least = |n: i64| {
        move |t: &mut Terms, i: Term, _: Term| {
            let n = t.int(n);
            t.ge(i, n)
        }
    };
    for k in [1, 2, 5] {
        assert_eq!(count(COUNT, k, at_least(0)), Checked::Proved, "{k}");
        // Not where it is entered.
        assert!(matches!(count(COUNT, k, at_least(1)), Checked::Fails(Goal::Entered(..))), "{k}");
        assert!(matches!(count(COUNT, k, |t, _, _| t.bool(false)), Checked::Fails(Goal::Entered(..))), "{k}");
    }
    let at_most = |n: i64| {
        move |t: &mut Terms, i: Term, _: Term| {
            let n = t.int(n);
            t.le(i, n)
        }
    };
    // It holds in some of the first rounds only, before, at and behind the end of the base case.
    for k in [1, 2, 3, 4] {
        for n in 0..6 {
            assert!(matches!(count(COUNT, k, at_most(n)), Checked::Fails(_)), "{k} {n}");
        }
    }
}

#[test]
fn a_loop_that_ends_before_the_base_case_does_is_no_proof_of_what_follows() {
    let text = "procedure main() { var i: int; var s: int; i := 0; s := 0; while (i < 2) { i := i + 1; s := s + 1; } assert s == 3; }";
    for k in 0..5 {
        assert!(!matches!(count(text, k, |t, _, _| t.bool(true)), Checked::Proved), "{k}");
    }
    let right = text.replace("s == 3", "s == 2");
    for k in 0..5 {
        assert_eq!(count(&right, k, |t, _, _| t.bool(true)) == Checked::Proved, k >= 3, "{k}");
    }
}

#[test]
fn rounds_have_values_of_their_own() {
    // Each round takes any value: that it was one in the round before says nothing about this one.
    let text = "procedure main() { var x: int; var y: int; x := 1; while (*) { havoc y; assert y == 1; x := y; } }";
    for k in 0..4 {
        assert!(!matches!(ring_of(text, k), Checked::Proved), "{k}");
    }
    let text = "procedure main() { var x: int; var y: int; x := 1;
        while (*) { havoc y; assume y == 1 || x != 1; assert x == 1; x := y; } }";
    assert_eq!(ring_of(text, 1), Checked::Proved);
}

fn ring_of(text: &str, k: u32) -> Checked {
    ring(text, k)
}

#[test]
fn globals_and_calls_in_the_rounds() {
    let text = "var a: int; var b: int; procedure turn() { var t: int; t := a; a := b; b := t; }
        procedure main() { a := 0; b := 1; while (*) { assert a != 5; call turn(); } }";
    for k in 0..4 {
        assert_eq!(ring(text, k) == Checked::Proved, k >= 2, "{k}");
    }
    assert!(matches!(ring(&text.replace("b := 1", "b := 5"), 2), Checked::Fails(Goal::Assertion(..))));
}

/// Around an inner loop that changes `s`.
const NESTED: &str = "procedure main() { var a: int; var b: int; var t: int; var s: int; a := 0; b := 1; s := 0;
    while (*) { assert a != 5; while (*) { assert s >= 0; s := s + 1; } t := a; a := b; b := t; } }";

fn nested(text: &str, k: u32, inner: impl Fn(&mut Terms, Term) -> Term, inner_k: u32) -> Checked {
    let mut case = Case::new(text);
    let a = case.list(Tree::FIRST, 0);
    let b = case.list_inner(a);
    let (outer_s, zero) = (case.at_start(a, "s"), case.terms.int(0));
    let outer = case.terms.ge(outer_s, zero);
    case.induction(a, k, outer);
    let s = case.at_start(b, "s");
    let holds = inner(&mut case.terms, s);
    case.induction(b, inner_k, holds);
    case.check()
}

#[test]
fn loops_in_the_rounds() {
    let at_least = |n: i64| {
        move |t: &mut Terms, s: Term| {
            let n = t.int(n);
            t.ge(s, n)
        }
    };
    for inner_k in 0..3 {
        assert_eq!(nested(NESTED, 2, at_least(0), inner_k), Checked::Proved, "{inner_k}");
        assert!(!matches!(nested(NESTED, 1, at_least(0), inner_k), Checked::Proved), "{inner_k}");
        assert!(!matches!(nested(NESTED, 2, at_least(1), inner_k), Checked::Proved), "{inner_k}");
        assert!(!matches!(nested(NESTED, 2, |t, _| t.bool(false), inner_k), Checked::Proved), "{inner_k}");
    }
    // Wrong in the inner loop: in its first round of all, and in a later round of the outer one.
    for (from, to) in [("s := 0", "s := 0 - 1"), ("t := a;", "t := a; s := 0 - 1;"), ("b := 1", "b := 5")] {
        for inner_k in 0..3 {
            let said = nested(&NESTED.replace(from, to), 2, at_least(0), inner_k);
            assert!(matches!(said, Checked::Fails(_)), "{to} {inner_k}: {said:?}");
        }
    }
}

#[test]
fn an_invariant_of_an_inner_loop_is_over_the_values_of_its_own_round() {
    // The inner invariant speaks of the outer head. It is right in each round for that round.
    let text = "procedure main() { var i: int; var s: int; i := 0; s := 0;
        while (*) { s := i; while (*) { s := s + 1; } assert s >= i; i := i + 1; } }";
    let with = |wrong: bool, k: u32| {
        let mut case = Case::new(text);
        let a = case.list(Tree::FIRST, 0);
        let b = case.list_inner(a);
        let yes = case.terms.bool(true);
        case.induction(a, k, yes);
        let (head, s) = (case.at_start(a, "i"), case.at_start(b, "s"));
        let one = case.terms.int(1);
        let head = if wrong { case.terms.add(&[head, one]) } else { head };
        let holds = case.terms.ge(s, head);
        case.invariant(b, holds);
        case.check()
    };
    for k in 0..3 {
        assert_eq!(with(false, k), Checked::Proved, "{k}");
        assert!(matches!(with(true, k), Checked::Fails(_)), "{k}");
    }
}

#[test]
fn values_of_a_single_round_are_no_invariant() {
    let mut case = Case::new("procedure main() { var x: int; x := 0; while (*) { x := x + 1; } assert x == 0; }");
    let at = case.list(Tree::FIRST, 0);
    let region = case.region_of(at);
    let x = case.variable(region, "x");
    let next = case.loops(region)[0];
    let result = case.symbol(0, at, x, Event::Result(next, x));
    let zero = case.terms.int(0);
    let holds = case.terms.eq(result, zero);
    case.induction(at, 2, holds);
    assert!(matches!(case.check(), Checked::Malformed(_)));
}

#[test]
fn too_many_rounds_are_not_executed() {
    let said = ring(RING, u32::MAX);
    assert!(matches!(said, Checked::Malformed(_)), "{said:?}");
}
