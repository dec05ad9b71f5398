//! The checker accepts proofs, and nothing else: certificates that are meant to fool it.

mod common;

use common::Case;
use lariat_certify::{
    Certificate, Checked, Contract, Event, Goal, InstanceId, Site, Symbol, Treatment, Tree, check, read, write,
};
use lariat_program::{BlockId, RegionId, StmtKind};
use lariat_smt::solvers;
use lariat_term::{Sort, Term, Terms};

const COUNT: &str = "procedure main(n: int) {
    var i: int;
    assume n >= 0;
    i := 0;
    while (i < n) { i := i + 1; }
    assert i == n;
}";

/// The program above with an invariant of `i` and `n`.
fn count(invariant: impl Fn(&mut Terms, Term, Term) -> Term) -> Checked {
    let mut case = Case::new(COUNT);
    let at = case.list(Tree::FIRST, 0);
    let (i, n) = (case.at_start(at, "i"), case.at_start(at, "n"));
    let holds = invariant(&mut case.terms, i, n);
    case.invariant(at, holds);
    case.check()
}

#[test]
fn an_invariant_is_a_proof() {
    assert_eq!(count(|t, i, n| t.le(i, n)), Checked::Proved);
}

#[test]
fn an_invariant_holds_where_the_loop_is_entered() {
    assert!(matches!(count(|t, _, _| t.bool(false)), Checked::Fails(Goal::Entered(..))));
    assert!(matches!(count(|t, i, n| t.eq(i, n)), Checked::Fails(Goal::Entered(..))));
}

#[test]
fn an_invariant_is_kept() {
    let zero = |t: &mut Terms, i: Term, _: Term| {
        let zero = t.int(0);
        t.eq(i, zero)
    };
    assert!(matches!(count(zero), Checked::Fails(Goal::Kept(..))));
}

#[test]
fn an_invariant_excludes_the_failure() {
    assert!(matches!(count(|t, _, _| t.bool(true)), Checked::Fails(Goal::Assertion(..))));
}

#[test]
fn a_loop_that_is_not_listed_does_anything() {
    let mut case = Case::new(COUNT);
    assert!(matches!(case.check(), Checked::Fails(Goal::Assertion(..))));
}

#[test]
fn a_variable_that_stands_for_nothing_says_nothing() {
    let other = count(|t, i, _| {
        let other = t.fresh_var("other", Sort::INT);
        t.le(i, other)
    });
    assert!(matches!(other, Checked::Fails(_)), "{other:?}");
}

#[test]
fn the_same_name_for_two_values_does_not_make_them_equal() {
    let mut case = Case::new(COUNT);
    let at = case.list(Tree::FIRST, 0);
    let i = case.at_start(at, "i");
    let n = case.variable(case.region_of(at), "n");
    let v = case.terms.as_var(i).expect("a variable");
    case.certificate.symbols.push((v, Symbol { tree: 0, instance: at, event: Event::Entry(n) }));
    let yes = case.terms.bool(true);
    case.invariant(at, yes);
    assert!(matches!(case.check(), Checked::Fails(Goal::Assertion(..))));
}

#[test]
fn facts_about_a_loop_are_checked() {
    for (claim, proved) in [("true", true), ("false", false)] {
        let mut case = Case::new("procedure main() { var i: int; i := 0; while (*) { assert i == 0; i := 0; } }");
        let site = case.loops(case.certificate.trees[0].region)[0];
        let region = case.callee(case.certificate.trees[0].region, site);
        let i = case.variable(region, "i");
        let (i, zero) = (case.terms.var_term(i), case.terms.int(if proved { 0 } else { 1 }));
        let fact = case.terms.eq(i, zero);
        case.certificate.facts.push((region, fact));
        assert_eq!(case.check() == Checked::Proved, proved, "{claim}");
    }
}

#[test]
fn rounds_that_are_listed_are_enough_or_not() {
    let text = "procedure main() { var i: int; i := 0; while (i < 3) { i := i + 1; } assert i == 3; }";
    for rounds in 0..5 {
        let mut case = Case::new(text);
        let mut at = Tree::FIRST;
        for _ in 0..rounds {
            at = case.list(at, 0);
        }
        // One more than are listed is taken anyway.
        assert_eq!(case.check() == Checked::Proved, rounds >= 3, "{rounds}");
    }
}

#[test]
fn values_of_a_single_round_are_no_invariant() {
    let text = "procedure main() { var x: int; var y: int; x := 0; while (*) { havoc y; x := y; } assert x == 0; }";
    let mut case = Case::new(text);
    let at = case.list(Tree::FIRST, 0);
    let region = case.region_of(at);
    let y = case.variable(region, "y");
    let havoc = case.program.regions[region.index()].blocks.iter().enumerate().find_map(|(b, block)| {
        let s = block.stmts.iter().position(|s| matches!(s.kind, StmtKind::Havoc(_)))?;
        Some(Site { block: BlockId(b as u32), stmt: s as u32 })
    });
    let given = case.symbol(0, at, y, Event::Havoc(havoc.expect("a havoc"), y));
    let zero = case.terms.int(0);
    let holds = case.terms.eq(given, zero);
    case.invariant(at, holds);
    assert!(matches!(case.check(), Checked::Malformed(_)));
}

#[test]
fn an_invariant_of_the_wrong_loop_is_none() {
    let text = "procedure main(n: int) { var i: int; assume n >= 0; i := 0;
        while (i < n) { i := i + 1; }
        while (i > 0) { i := i - 1; }
        assert i == 0; }";
    for swapped in [false, true] {
        let mut case = Case::new(text);
        let loops = [case.list(Tree::FIRST, 0), case.list(Tree::FIRST, 1)];
        // Blocks need not be in the order of the source.
        let up = |case: &Case, at: InstanceId| {
            case.program.regions[case.region_of(at).index()].inputs.iter().any(|d| d.source.as_deref() == Some("n"))
        };
        let mut order = if up(&case, loops[0]) { loops } else { [loops[1], loops[0]] };
        if swapped {
            order.reverse();
        }
        let (i, j) = (case.at_start(order[0], "i"), case.at_start(order[1], "i"));
        let zero = case.terms.int(0);
        let (first, second) = (case.terms.bool(true), case.terms.ge(j, zero));
        let not_negative = case.terms.ge(i, zero);
        let first = case.terms.and(&[first, not_negative]);
        let negative = case.terms.le(j, zero);
        case.invariant(order[0], first);
        let second = if swapped { negative } else { second };
        case.invariant(order[1], second);
        assert_eq!(case.check() == Checked::Proved, !swapped);
    }
}

#[test]
fn the_shape_of_a_certificate_is_checked() {
    let mut case = Case::new(COUNT);
    let at = case.list(Tree::FIRST, 0);
    let good = case.certificate.clone();
    let yes = case.terms.bool(true);
    let mut expect = |change: &dyn Fn(&mut Certificate)| {
        case.certificate = good.clone();
        change(&mut case.certificate);
        let entry = good.trees[0].region;
        let said = case.check_from(entry);
        assert!(matches!(said, Checked::Malformed(_)), "{said:?}");
    };
    expect(&|c| c.trees.clear());
    expect(&|c| c.trees[0].region = RegionId(1));
    expect(&|c| {
        let again = c.trees[0].instances[at.index()];
        c.trees[0].instances.push(again);
    });
    expect(&|c| {
        let site = c.trees[0].instances[at.index()].boxed.map(|(_, site)| site);
        c.trees[0].instances[at.index()].boxed = site.map(|site| (at, site));
    });
    expect(&|c| c.trees[0].instances[at.index()].boxed = None);
    expect(&|c| c.trees.push(Tree::new(RegionId(0))));
    expect(&|c| c.trees.push(Tree::new(RegionId(1_000))));
    expect(&|c| c.trees[0].contract = Some(Contract { requires: yes, ensures: yes }));
}

const RECURSIVE: &str = "var g: int;
procedure main(n: int) { g := 0; call f(n); assert g >= 0; }
procedure f(n: int) { if (n > 0) { g := g + 1; call f(n - 1); } }";

/// The program above with a contract over `g` at the entry and `g` at the exit.
fn contract(
    text: &str,
    requires: impl Fn(&mut Terms, Term) -> Term,
    ensures: impl Fn(&mut Terms, Term, Term) -> Term,
) -> Checked {
    let mut case = Case::new(text);
    let f = case.region("f");
    case.certificate.trees.push(Tree::new(f));
    let g = case.variable(f, "g");
    let (before, after) =
        (case.symbol(1, Tree::FIRST, g, Event::Entry(g)), case.symbol(1, Tree::FIRST, g, Event::Exit(g)));
    let contract =
        Contract { requires: requires(&mut case.terms, before), ensures: ensures(&mut case.terms, before, after) };
    case.certificate.trees[1].contract = Some(contract);
    case.check()
}

#[test]
fn a_contract_is_a_proof() {
    assert_eq!(contract(RECURSIVE, |t, _| t.bool(true), |t, before, after| t.ge(after, before)), Checked::Proved);
}

#[test]
fn contracts_are_checked_on_both_sides() {
    let no = contract(RECURSIVE, |t, _| t.bool(true), |t, _, _| t.bool(false));
    assert!(matches!(no, Checked::Fails(Goal::Ensures(_))), "{no:?}");
    let never = contract(RECURSIVE, |t, _| t.bool(false), |t, _, _| t.bool(false));
    assert!(matches!(never, Checked::Fails(Goal::Requires(..))), "{never:?}");
    let weak = contract(RECURSIVE, |t, _| t.bool(true), |t, _, _| t.bool(true));
    assert!(matches!(weak, Checked::Fails(Goal::Assertion(..))), "{weak:?}");
}

#[test]
fn what_comes_before_a_call_that_never_returns_is_not_hidden() {
    let text = "var g: int;
        procedure main(n: int) { g := 0; assert n > 0; call f(n); }
        procedure f(n: int) { g := 1; call f(n); }";
    let said = contract(text, |t, _| t.bool(true), |t, _, _| t.bool(false));
    assert!(matches!(said, Checked::Fails(Goal::Assertion(..))), "{said:?}");
    let said = contract(text, |t, _| t.bool(false), |t, _, _| t.bool(false));
    assert!(!matches!(said, Checked::Proved), "{said:?}");
}

#[test]
fn a_recursive_procedure_that_is_left_out_may_fail() {
    let text = "var g: int;
        procedure main(n: int) { assume n >= 0; call f(n); }
        procedure f(n: int) { assert n >= 0; if (n > 0) { call f(n - 1); } }";
    let mut case = Case::new(text);
    assert!(matches!(case.check(), Checked::Fails(Goal::LeftOut(..))));
    // One instance is looked at: it may fail, and it may be the last one.
    let mut case = Case::new(&text.replace("assume n >= 0;", ""));
    assert!(matches!(case.check(), Checked::Fails(_)));
    let mut case = Case::new(&text.replace("assume n >= 0;", "assume n == 0;"));
    assert_eq!(case.check(), Checked::Proved);
    let mut case = Case::new(&text.replace("assume n >= 0;", "assume n == 1;"));
    assert!(matches!(case.check(), Checked::Fails(Goal::LeftOut(..))));
    // What it changes may be anything.
    let mut case = Case::new(RECURSIVE);
    assert!(matches!(case.check(), Checked::Fails(Goal::Assertion(..))));
}

#[test]
fn a_contract_is_about_what_is_given_and_returned() {
    let mut case = Case::new(RECURSIVE);
    let f = case.region("f");
    case.certificate.trees.push(Tree::new(f));
    let g = case.variable(f, "g");
    let inside = case.symbol(1, Tree::FIRST, g, Event::Havoc(Site { block: BlockId(0), stmt: 0 }, g));
    let zero = case.terms.int(0);
    let (requires, ensures) = (case.terms.bool(true), case.terms.eq(inside, zero));
    case.certificate.trees[1].contract = Some(Contract { requires, ensures });
    assert!(matches!(case.check(), Checked::Malformed(_)));
}

#[test]
fn nested_loops_and_what_is_around_them() {
    let text = "procedure main(n: int) { var i: int; var j: int; i := 0;
        while (i < n) { j := 0; while (j < i) { j := j + 1; } assert j == i; i := i + 1; } }";
    for (outer, proved) in [(true, true), (false, false)] {
        let mut case = Case::new(text);
        let a = case.list(Tree::FIRST, 0);
        let b = case.list_inner(a);
        let (i, zero) = (case.at_start(a, "i"), case.terms.int(0));
        let not_negative = if outer { case.terms.ge(i, zero) } else { case.terms.bool(true) };
        case.invariant(a, not_negative);
        let (j, i) = (case.at_start(b, "j"), case.at_start(b, "i"));
        let up_to = case.terms.le(j, i);
        case.invariant(b, up_to);
        assert_eq!(case.check() == Checked::Proved, proved);
    }
}

#[test]
fn what_a_loop_changes_is_not_what_it_was() {
    // That `g` is 0 holds where the loop is entered, and the loop changes it only through a call.
    let text = "var g: int;
        procedure set() { g := 1; }
        procedure main() { g := 0; while (*) { call set(); } assert g == 0; }";
    let mut case = Case::new(text);
    let at = case.list(Tree::FIRST, 0);
    let yes = case.terms.bool(true);
    case.invariant(at, yes);
    assert!(matches!(case.check(), Checked::Fails(Goal::Assertion(..))));
    let mut case = Case::new(text);
    let at = case.list(Tree::FIRST, 0);
    let (g, zero) = (case.at_start(at, "g"), case.terms.int(0));
    let holds = case.terms.eq(g, zero);
    case.invariant(at, holds);
    assert!(matches!(case.check(), Checked::Fails(Goal::Kept(..))));
}

#[test]
fn the_value_before_a_loop_is_not_the_one_after_it() {
    // The invariant is about `x` as the entry was given it, not about the loop's.
    let text = "procedure main(x: int) { var y: int; assume x == 0; y := x; while (*) { y := y + 1; } assert y == 0; }";
    let mut case = Case::new(text);
    let at = case.list(Tree::FIRST, 0);
    let x = case.variable(case.certificate.trees[0].region, "x");
    let given = case.symbol(0, Tree::FIRST, x, Event::Entry(x));
    let zero = case.terms.int(0);
    let holds = case.terms.eq(given, zero);
    case.invariant(at, holds);
    assert!(matches!(case.check(), Checked::Fails(Goal::Assertion(..))));
}

#[test]
fn an_inner_invariant_about_the_outer_round_is_checked_in_each() {
    // `j <= 1` holds in the first round of the outer loop only.
    let text = "procedure main(n: int) { var i: int; var j: int; i := 0; j := 0;
        while (i < n) { while (j < i) { j := j + 1; } assert j <= 1; i := i + 1; } }";
    let mut case = Case::new(text);
    let a = case.list(Tree::FIRST, 0);
    let b = case.list_inner(a);
    let (i, one) = (case.at_start(a, "i"), case.terms.int(1));
    let outer = case.terms.le(i, one);
    case.invariant(a, outer);
    let j = case.at_start(b, "j");
    let inner = case.terms.le(j, one);
    case.invariant(b, inner);
    assert!(matches!(case.check(), Checked::Fails(_)));
}

#[test]
fn an_inner_invariant_may_not_speak_of_a_later_moment() {
    // What the outer round havocs after the inner loop is not known there: as if the future could be chosen.
    let text = "procedure main() { var x: int; var y: int; x := 0;
        while (*) { while (*) { x := x + 1; } havoc y; assume x == y; assert y == 0; x := 0; } }";
    let mut case = Case::new(text);
    let a = case.list(Tree::FIRST, 0);
    let b = case.list_inner(a);
    let yes = case.terms.bool(true);
    case.invariant(a, yes);
    let region = case.region_of(a);
    let y = case.variable(region, "y");
    let havoc = case.program.regions[region.index()].blocks.iter().enumerate().find_map(|(n, block)| {
        let s = block.stmts.iter().position(|s| matches!(&s.kind, StmtKind::Havoc(vars) if vars.contains(&y)))?;
        Some(Site { block: BlockId(n as u32), stmt: s as u32 })
    });
    let later = case.symbol(0, a, y, Event::Havoc(havoc.expect("a havoc"), y));
    let zero = case.terms.int(0);
    let holds = case.terms.eq(later, zero);
    case.invariant(b, holds);
    assert!(matches!(case.check(), Checked::Fails(_)));
}

#[test]
fn what_a_loop_leaves_is_not_its_invariant() {
    // That the loop has been left is a symbol, too.
    let text = "procedure main() { var x: int; x := 0; while (*) { x := x + 1; } assert x == 0; }";
    let mut case = Case::new(text);
    let site = case.loops(case.certificate.trees[0].region)[0];
    let at = case.list(Tree::FIRST, 0);
    let x = case.variable(case.certificate.trees[0].region, "x");
    for (left, value) in [(true, false), (false, true)] {
        let mut case = Case { certificate: case.certificate.clone(), terms: case.terms.clone(), ..Case::new(text) };
        let t = case.terms.fresh_var("left", Sort::BOOL);
        let var = case.terms.as_var(t).expect("a variable");
        case.certificate.symbols.push((var, Symbol { tree: 0, instance: Tree::FIRST, event: Event::Left(site) }));
        let result = case.symbol(0, Tree::FIRST, x, Event::Result(site, x));
        let zero = case.terms.int(0);
        let mut parts = Vec::new();
        parts.extend(left.then(|| case.terms.not(t)));
        parts.extend(value.then(|| case.terms.eq(result, zero)));
        let holds = case.terms.and(&parts);
        case.invariant(at, holds);
        assert!(matches!(case.check(), Checked::Fails(_)), "{left} {value}");
    }
}

#[test]
fn that_an_inner_loop_is_not_left_is_no_invariant_either() {
    let text = "procedure main() { var x: int; x := 0; while (*) { while (*) { x := x + 1; } assert x == 0; } }";
    let mut case = Case::new(text);
    let a = case.list(Tree::FIRST, 0);
    let b = case.list_inner(a);
    let site = case.certificate.trees[0].instances[b.index()].boxed.expect("a box").1;
    let t = case.terms.fresh_var("left", Sort::BOOL);
    let var = case.terms.as_var(t).expect("a variable");
    case.certificate.symbols.push((var, Symbol { tree: 0, instance: a, event: Event::Left(site) }));
    let (never, yes) = (case.terms.not(t), case.terms.bool(true));
    case.invariant(a, yes);
    case.invariant(b, never);
    assert!(matches!(case.check(), Checked::Fails(_)));
    case.invariant(a, never);
    case.invariant(b, yes);
    assert!(matches!(case.check(), Checked::Malformed(_)));
}

#[test]
fn a_contract_of_a_procedure_that_is_not_recursive_is_checked_too() {
    let text = "var g: int;
        procedure main() { call f(0); assert g == 1; }
        procedure f(n: int) { g := 2; }";
    let one = |t: &mut Terms, _: Term, after: Term| {
        let one = t.int(1);
        t.eq(after, one)
    };
    assert!(matches!(contract(text, |t, _| t.bool(true), one), Checked::Fails(Goal::Ensures(_))));
}

#[test]
fn a_precondition_is_checked_at_each_call() {
    // It holds at the first call, and not at that of the procedure itself.
    let text = "var g: int;
        procedure main(n: int) { g := 0; call f(n); }
        procedure f(n: int) { assert g == 0; g := g + 1; if (n > 0) { call f(n - 1); } }";
    let zero = |t: &mut Terms, before: Term| {
        let zero = t.int(0);
        t.eq(before, zero)
    };
    assert!(matches!(contract(text, zero, |t, _, _| t.bool(true)), Checked::Fails(Goal::Requires(..))));
}

#[test]
fn a_postcondition_is_not_one_of_the_values_at_the_start() {
    // `ensures` about the value of `g` where `f` is entered, which may be anything.
    let zero = |t: &mut Terms, before: Term, _: Term| {
        let zero = t.int(0);
        t.eq(before, zero)
    };
    assert!(matches!(contract(RECURSIVE, |t, _| t.bool(true), zero), Checked::Fails(_)));
}

#[test]
fn contracts_of_two_procedures_do_not_prove_each_other_out_of_nothing() {
    let text = "var g: int;
        procedure main() { g := 1; call a(); assert g == 0; }
        procedure a() { if (g > 5) { call b(); } }
        procedure b() { call a(); }";
    let mut case = Case::new(text);
    for (number, name) in ["a", "b"].into_iter().enumerate() {
        let region = case.region(name);
        case.certificate.trees.push(Tree::new(region));
        let g = case.variable(region, "g");
        let after = case.symbol(number + 1, Tree::FIRST, g, Event::Exit(g));
        let (requires, zero) = (case.terms.bool(true), case.terms.int(0));
        let ensures = case.terms.eq(after, zero);
        case.certificate.trees[number + 1].contract = Some(Contract { requires, ensures });
    }
    assert!(matches!(case.check(), Checked::Fails(Goal::Ensures(_))));
}

#[test]
fn the_contract_of_another_procedure_is_none() {
    let text = "var g: int;
        procedure main(n: int) { g := 0; call f(n); assert g >= 0; }
        procedure f(n: int) { if (n > 0) { g := g - 1; call f(n - 1); } }
        procedure h(n: int) { if (n > 0) { g := g + 1; call h(n - 1); } }";
    let mut case = Case::new(text);
    let h = case.region("h");
    case.certificate.trees.push(Tree::new(h));
    let g = case.variable(h, "g");
    let (before, after) =
        (case.symbol(1, Tree::FIRST, g, Event::Entry(g)), case.symbol(1, Tree::FIRST, g, Event::Exit(g)));
    let (requires, ensures) = (case.terms.bool(true), case.terms.ge(after, before));
    case.certificate.trees[1].contract = Some(Contract { requires, ensures });
    assert!(matches!(case.check(), Checked::Fails(Goal::Assertion(..))));
}

#[test]
fn an_invariant_of_a_procedure_is_no_claim() {
    // The box of a procedure has a body, not rounds: `false` as its invariant says nothing.
    let text = "var g: int; procedure main() { call f(); assert g == 0; } procedure f() { g := 1; }";
    let mut case = Case::new(text);
    let main = case.certificate.trees[0].region;
    let site = case.program.regions[main.index()].blocks.iter().enumerate().find_map(|(n, block)| {
        let s = block.stmts.iter().position(|s| matches!(s.kind, StmtKind::Box { .. }))?;
        Some(Site { block: BlockId(n as u32), stmt: s as u32 })
    });
    let no = case.terms.bool(false);
    let boxed = Some((Tree::FIRST, site.expect("a box")));
    case.certificate.trees[0].instances.push(lariat_certify::Instance { boxed, treatment: Treatment::Invariant(no) });
    assert!(matches!(case.check(), Checked::Fails(Goal::Assertion(..))));
}

#[test]
fn a_fact_of_one_entry_of_a_loop_is_none_of_another() {
    let text = "procedure f(x: int) returns (y: int) { y := x; while (*) { y := y; } }
        procedure main() { var a: int; call a := f(0); call a := f(1); assert a == 0; }";
    let mut case = Case::new(text);
    let f = case.region("f");
    let site = case.loops(f)[0];
    let region = case.callee(f, site);
    let y = case.variable(region, "y");
    let (y, zero) = (case.terms.var_term(y), case.terms.int(0));
    let fact = case.terms.eq(y, zero);
    case.certificate.facts.push((region, fact));
    assert!(matches!(case.check(), Checked::Fails(_)));
}

#[test]
fn an_assertion_that_does_not_count_is_assumed_and_one_that_does_is_not() {
    let text = "procedure main(x: int) { assert x == 0; assert x >= 0; }";
    let mut case = Case::new(text);
    let entry = case.certificate.trees[0].region;
    assert_eq!(case.check_some(entry, &|a| a.0 == 1), Checked::Proved);
    assert!(matches!(case.check_some(entry, &|a| a.0 == 0), Checked::Fails(_)));
}

#[test]
fn an_unsupported_construct_is_not_ignored() {
    let text = "procedure main(x: int) { var i: int; i := 0; while (i < x) { i := i + 1; } assert i < 0; }";
    let mut case = Case::new(text);
    // What a front end does with what it cannot translate.
    for a in &mut case.program.assertions {
        a.kind = lariat_program::AssertKind::Unsupported;
    }
    assert!(matches!(case.check(), Checked::Fails(Goal::Assertion(..))));
}

#[test]
fn text_that_is_no_certificate_of_the_program_is_not_read() {
    let mut case = Case::new(COUNT);
    let at = case.list(Tree::FIRST, 0);
    let (i, n) = (case.at_start(at, "i"), case.at_start(at, "n"));
    let holds = case.terms.le(i, n);
    case.induction(at, 2, holds);
    let text = write(&case.program, &mut [(&mut case.terms, &case.certificate)]);
    let back = read(&case.program, &mut case.terms.clone(), &text).expect("what was written");
    assert_eq!(back[0].trees[0].instances.len(), 2);
    assert!(matches!(back[0].trees[0].instances[1].treatment, Treatment::Induction(2, _)));
    for (from, to) in [
        ("\"lariat-certificate\": 1", "\"lariat-certificate\": 2"),
        ("\"k\": 2", "\"k\": -1"),
        ("\"k\": 2", "\"k\": \"2\""),
        ("\"event\": \"entry\"", "\"event\": \"always\""),
        ("(<=", "(+"),
        ("\"statement\": ", "\"statement\": 9"),
    ] {
        assert!(text.contains(from), "{from} in {text}");
        let read = read(&case.program, &mut case.terms.clone(), &text.replace(from, to));
        let said = read.map(|c| {
            let mut open = |logic| solvers::open("z3", logic);
            let entry = case.certificate.trees[0].region;
            check(&case.program, &mut case.terms.clone(), entry, &|_| true, &c[0], &mut open, &|| false)
                .expect("a solver")
        });
        assert!(!matches!(said, Ok(Checked::Proved)), "{from}");
    }
}

#[test]
fn how_an_earlier_loop_was_left_is_known_where_it_matters() {
    // The first loop is left with `i == n`, or never; the second one says nothing about `i`.
    for (after, proved) in [("assert i == n", true), ("assert i != n", false), ("assert i < n", false)] {
        let text = format!(
            "procedure main(n: int) {{ var i: int; var j: int; assume n >= 0; i := 0; j := 0;
                while (i < n) {{ i := i + 1; }} while (*) {{ j := j + 1; {after}; }} }}"
        );
        let mut case = Case::new(&text);
        let loops = [case.list(Tree::FIRST, 0), case.list(Tree::FIRST, 1)];
        let counts = |case: &Case, at: InstanceId| {
            let inputs = &case.program.regions[case.region_of(at).index()].inputs;
            !inputs.iter().any(|d| d.source.as_deref() == Some("j"))
        };
        let (first, second) = if counts(&case, loops[0]) { (loops[0], loops[1]) } else { (loops[1], loops[0]) };
        let (i, n) = (case.at_start(first, "i"), case.at_start(first, "n"));
        let (up_to, yes) = (case.terms.le(i, n), case.terms.bool(true));
        case.invariant(first, up_to);
        case.invariant(second, yes);
        assert_eq!(case.check() == Checked::Proved, proved, "{after}");
    }
}

#[test]
fn a_global_that_a_loop_does_not_change_is_what_it_was() {
    let text = "var g: int;
        procedure main() { var x: int; assume g >= 0; g := g + 1; x := g; while (*) { x := x + g; } assert x >= 1; }";
    for (claim, proved) in [(1, true), (2, false)] {
        let mut case = Case::new(text);
        let at = case.list(Tree::FIRST, 0);
        let (x, g) = (case.at_start(at, "x"), case.at_start(at, "g"));
        let (claim, one) = (case.terms.int(claim), case.terms.int(1));
        let parts = [case.terms.ge(g, claim), case.terms.ge(x, one)];
        let holds = case.terms.and(&parts);
        case.invariant(at, holds);
        assert_eq!(case.check() == Checked::Proved, proved);
        case.induction(at, 2, holds);
        assert_eq!(case.check() == Checked::Proved, proved);
    }
}

#[test]
fn what_never_returns_and_what_may() {
    let text = "var g: int;
        procedure main(n: int) { g := 1; call f(n); assert g == 2; }
        procedure f(n: int) { g := 0; call h(n); }
        procedure h(n: int) { call f(n); }";
    assert_eq!(Case::new(text).check(), Checked::Proved);
    let said = Case::new(&text.replace("{ call f(n); }", "{ if (n > 0) { call f(n); } }")).check();
    assert!(matches!(said, Checked::Fails(Goal::Assertion(..))), "{said:?}");
    // It would return only where what is always false holds.
    let never = text.replace("{ call f(n); }", "{ if (n + 1 < n) { return; } call f(n); }");
    assert_eq!(Case::new(&never).check(), Checked::Proved);
    // The failure comes before.
    let said = Case::new(&text.replace("g := 1;", "assert n > 0;")).check();
    assert!(matches!(said, Checked::Fails(_)), "{said:?}");
    // A loop that is never left, and one that is.
    let text = "procedure main(n: int) { var i: int; while (true) { i := i + 1; } assert false; }";
    assert_eq!(Case::new(text).check(), Checked::Proved);
    let said = Case::new(&text.replace("true", "i < n")).check();
    assert!(matches!(said, Checked::Fails(Goal::Assertion(..))), "{said:?}");
}
