//! All interpolators on traces of integers, bit-vectors and arrays.

mod common;

use common::{Kind, run};
use lariat_interpolate::{
    AutoInterpolator, CoreInterpolator, Cvc5Interpolator, HornInterpolator, NAMES, check, interpolator,
};
use lariat_smt::{Interpolants, Interpolator, Limits, Nesting, SolverError};
use lariat_term::{Op, Sort, Term, Terms, smtlib::Env};
use std::time::Duration;

fn parse(terms: &mut Terms, vars: &[(&str, Sort)], parts: &[&str]) -> Vec<Term> {
    for (v, s) in vars {
        terms.var(v, *s);
    }
    let mut env = Env::of(terms);
    parts.iter().map(|p| terms.parse_term(p, &mut env).unwrap_or_else(|e| panic!("{p}: {e:?}"))).collect()
}

/// What an interpolator says; cvc5 need not be there.
fn ask(name: &str, terms: &mut Terms, parts: &[Term], nesting: Option<&Nesting>) -> Option<Interpolants> {
    let mut by = interpolator(name).unwrap();
    by.set_limits(Limits::time(Duration::from_secs(20)));
    let found = match nesting {
        None => by.sequence(terms, parts),
        Some(n) => by.scoped(terms, parts, n),
    };
    match found {
        Err(SolverError::Missing { .. }) if name == "cvc5" => None,
        other => Some(other.unwrap_or_else(|e| panic!("{name}: {e}"))),
    }
}

fn expect_sequence(name: &str, terms: &mut Terms, parts: &[Term], nesting: Option<&Nesting>) -> Vec<Term> {
    let Some(found) = ask(name, terms, parts, nesting) else { return Vec::new() };
    let Interpolants::Sequence(found) = found else { panic!("{name}: {found:?}") };
    for &t in &found {
        println!("{name}: {}", terms.display(t));
    }
    let wrong = match nesting {
        None => check::wrong_sequence(terms, parts, &found),
        Some(n) => check::wrong_scoped(terms, parts, n, &found),
    };
    assert_eq!(wrong.unwrap(), None, "{name}");
    found
}

#[test]
fn figure_2_by_all() {
    for name in NAMES {
        let mut t = Terms::new();
        let vars = ["x1", "ctr0", "ctr1", "y2", "m0"].map(|v| (v, Sort::INT));
        let parts = ["(= x1 ctr0)", "(= ctr1 (+ ctr0 1))", "(= y2 ctr1)", "(= x1 m0)", "(not (= y2 (+ m0 1)))"];
        let parts = parse(&mut t, &vars, &parts);
        expect_sequence(name, &mut t, &parts, None);
    }
}

#[test]
fn figure_8_by_all() {
    for name in NAMES {
        let mut t = Terms::new();
        let vars = ["a1", "phi2", "x3", "x4", "r5", "b6"].map(|v| (v, Sort::INT));
        let texts = ["(= a1 0)", "(= phi2 a1)", "(= x3 phi2)", "(= x4 (+ x3 1))", "(= r5 x4)", "(= b6 r5)"];
        let mut parts = parse(&mut t, &vars, &texts);
        parts.extend(parse(&mut t, &[], &["(not (= a1 (- b6 1)))"]));
        expect_sequence(name, &mut t, &parts, Some(&Nesting { calls: vec![(1, Some(5))] }));
    }
}

#[test]
fn bit_vectors() {
    for name in ["core", "horn", "auto"] {
        let mut t = Terms::new();
        let bv = t.bv_sort(32);
        let vars = ["x0", "x1", "y1", "x2", "y2"].map(|v| (v, bv));
        let parts = parse(
            &mut t,
            &vars,
            &[
                "(bvslt x0 (_ bv100 32))",
                "(and (= x1 (bvadd x0 (_ bv1 32))) (= y1 x1))",
                "(and (= x2 (bvadd x1 (_ bv2 32))) (= y2 (bvadd y1 (_ bv2 32))))",
                "(not (= (bvand x2 (_ bv255 32)) (bvand y2 (_ bv255 32))))",
            ],
        );
        let found = expect_sequence(name, &mut t, &parts, None);
        // That x was small has nothing to do with it.
        assert_eq!(found[0], t.bool(true));
    }
}

#[test]
fn states_of_a_machine_are_equations() {
    let mut t = Terms::new();
    let bv = t.bv_sort(32);
    let vars = ["s0", "s1", "s2", "n"].map(|v| (v, bv));
    let parts = parse(
        &mut t,
        &vars,
        &[
            "(= s0 (_ bv4096 32))",
            "(and (= s0 (_ bv4096 32)) (= s1 (ite (= n (_ bv0 32)) (_ bv4112 32) (_ bv4128 32))))",
            "(not (= s1 (_ bv4112 32)))",
            "(= s2 s1)",
            "(= s2 (_ bv4096 32))",
        ],
    );
    let found = expect_sequence("proof", &mut t, &parts, None);
    let largest = found.iter().map(|&f| t.dag_size(&[f])).max();
    assert!(largest <= Some(8), "{largest:?}");
}

#[test]
fn arrays() {
    for name in ["core", "horn", "auto"] {
        let mut t = Terms::new();
        let array = t.array_sort(Sort::INT, Sort::INT);
        let vars = [("a0", array), ("a1", array), ("a2", array), ("i", Sort::INT), ("j", Sort::INT)];
        let parts = parse(
            &mut t,
            &vars,
            &["(= a1 (store a0 i 5))", "(not (= i j))", "(= a2 (store a1 j 7))", "(not (= (select a2 i) 5))"],
        );
        expect_sequence(name, &mut t, &parts, None);
    }
}

#[test]
fn satisfiable_parts() {
    for name in NAMES {
        let mut t = Terms::new();
        let parts = parse(&mut t, &[("x", Sort::INT)], &["(< x 5)", "(< 3 x)"]);
        assert!(matches!(ask(name, &mut t, &parts, None), None | Some(Interpolants::Satisfiable)), "{name}");
    }
}

#[test]
fn a_contradiction_in_one_part() {
    for name in NAMES {
        let mut t = Terms::new();
        let x = t.var("x", Sort::INT);
        let zero = t.int(0);
        let (low, high) = (t.lt(x, zero), t.lt(zero, x));
        let both = t.intern(Op::And, &[low, high]);
        expect_sequence(name, &mut t, &[low, both, high], None);
        let found = expect_sequence(name, &mut t, &[both], None);
        assert!(found.is_empty());
    }
}

#[test]
fn no_parts_are_misuse() {
    for name in NAMES {
        let mut t = Terms::new();
        assert!(matches!(interpolator(name).unwrap().sequence(&mut t, &[]), Err(SolverError::Misuse(_))), "{name}");
    }
}

#[test]
fn interruption() {
    for name in NAMES {
        let mut t = Terms::new();
        let parts = parse(&mut t, &[("x", Sort::INT)], &["(< x 5)", "(< 6 x)"]);
        let mut by = interpolator(name).unwrap();
        by.interrupter().interrupt();
        let found = by.sequence(&mut t, &parts);
        assert!(matches!(found, Ok(Interpolants::Unknown(_)) | Err(SolverError::Missing { .. })), "{name}: {found:?}");
    }
}

#[test]
fn random_problems() {
    let time = Limits::time(Duration::from_secs(10));
    let kinds = [Kind::Integers, Kind::Rationals];
    let mut core = CoreInterpolator::new();
    core.set_limits(time);
    println!("{:?}", run(&mut core, 5, 20, false, false, &kinds).unwrap_or_else(|e| panic!("{e}")));
    println!("{:?}", run(&mut core, 6, 10, false, true, &kinds).unwrap_or_else(|e| panic!("{e}")));
    let mut horn = HornInterpolator::new();
    horn.set_limits(time);
    println!("{:?}", run(&mut horn, 5, 20, false, false, &kinds).unwrap_or_else(|e| panic!("{e}")));
    println!("{:?}", run(&mut horn, 6, 10, false, true, &kinds).unwrap_or_else(|e| panic!("{e}")));
    for kind in [Kind::Bits, Kind::Arrays] {
        for (boolean, calls) in [(false, false), (true, false), (false, true)] {
            let mut auto = AutoInterpolator::new();
            auto.set_limits(Limits::time(Duration::from_secs(3)));
            let counts = run(&mut auto, 7, 10, boolean, calls, &[kind]).unwrap_or_else(|e| panic!("{kind:?}: {e}"));
            println!("{kind:?}: {counts:?}");
        }
    }
    let mut cvc5 = Cvc5Interpolator::default();
    let mut t = Terms::new();
    let parts = parse(&mut t, &[("x", Sort::INT)], &["(< x 5)", "(< 6 x)"]);
    if cvc5.sequence(&mut t, &parts).is_ok() {
        cvc5.set_limits(Limits::time(Duration::from_secs(2)));
        println!("{:?}", run(&mut cvc5, 5, 1, false, false, &kinds).unwrap_or_else(|e| panic!("{e}")));
    }
}
