//! The traces of *Abstractions from proofs*, with the paper's predicates, modulo equivalence.

use lariat_interpolate::{ProofInterpolator, check};
use lariat_smt::{Interpolants, Interpolator, Nesting, Solver, Z3Solver};
use lariat_term::{Sort, Term, Terms, smtlib::Env};

fn parse(terms: &mut Terms, text: &str) -> Term {
    let mut env = Env::of(terms);
    terms.parse_term(text, &mut env).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn equivalent(terms: &mut Terms, a: Term, b: Term) -> bool {
    let ne = terms.ne(a, b);
    let mut z3 = Z3Solver::new(None).unwrap();
    z3.assert(terms, ne).unwrap();
    z3.check(terms, &[]).unwrap().is_unsat()
}

fn trace(terms: &mut Terms, vars: &[&str], parts: &[&str]) -> Vec<Term> {
    for v in vars {
        terms.var(v, Sort::INT);
    }
    parts.iter().map(|p| parse(terms, p)).collect()
}

fn expect(terms: &mut Terms, found: Interpolants, wanted: &[&str]) {
    let Interpolants::Sequence(found) = found else { panic!("{found:?}") };
    assert_eq!(found.len(), wanted.len());
    for (&f, w) in found.iter().zip(wanted) {
        let w = parse(terms, w);
        assert!(equivalent(terms, f, w), "{} is not {}", terms.display(f), terms.display(w));
        // No more to read than what the paper has.
        assert!(terms.dag_size(&[f]) <= terms.dag_size(&[w]) + 3, "{}", terms.display(f));
    }
}

#[test]
fn figure_2() {
    let mut t = Terms::new();
    let parts = trace(
        &mut t,
        &["x1", "ctr0", "ctr1", "y2", "m0"],
        &["(= x1 ctr0)", "(= ctr1 (+ ctr0 1))", "(= y2 ctr1)", "(= x1 m0)", "(not (= y2 (+ m0 1)))"],
    );
    let found = ProofInterpolator::new().sequence(&mut t, &parts).unwrap();
    expect(&mut t, found, &["(= x1 ctr0)", "(= x1 (- ctr1 1))", "(= x1 (- y2 1))", "(= y2 (+ m0 1))"]);
}

#[test]
fn figure_5() {
    let mut t = Terms::new();
    let (b, c) = (t.var("b", Sort::BOOL), t.var("c", Sort::BOOL));
    let implies = t.implies(b, c);
    let parts = [t.and(&[b, implies]), t.not(c)];
    let found = ProofInterpolator::new().sequence(&mut t, &parts).unwrap();
    assert_eq!(found, Interpolants::Sequence(vec![c]));
}

#[test]
fn figure_7() {
    let mut t = Terms::new();
    let parts = trace(
        &mut t,
        &["a2", "a3", "b0", "c1"],
        &["(> b0 0)", "(= c1 (* 2 b0))", "(= a2 b0)", "(= a3 (- a2 1))", "(< a3 b0)", "(= a3 c1)"],
    );
    let Interpolants::Sequence(found) = ProofInterpolator::new().sequence(&mut t, &parts).unwrap() else { panic!() };
    let wanted = parse(&mut t, "(<= a3 (- c1 2))");
    assert!(equivalent(&mut t, found[3], wanted), "{}", t.display(found[3]));
    assert!(equivalent(&mut t, found[4], wanted), "{}", t.display(found[4]));
}

#[test]
fn figure_8() {
    let mut t = Terms::new();
    let parts = trace(
        &mut t,
        &["a1", "phi2", "x3", "x4", "r5", "b6"],
        &[
            "(= a1 0)",
            "(= phi2 a1)",
            "(= x3 phi2)",
            "(= x4 (+ x3 1))",
            "(= r5 x4)",
            "(= b6 r5)",
            "(not (= a1 (- b6 1)))",
        ],
    );
    let nesting = Nesting { calls: vec![(1, Some(5))] };
    let found = ProofInterpolator::new().scoped(&mut t, &parts, &nesting).unwrap();
    let Interpolants::Sequence(all) = &found else { panic!() };
    assert_eq!(check::wrong_scoped(&mut t, &parts, &nesting, all).unwrap(), None);
    // Before the call nothing need be known: that a is 0 does not matter.
    expect(
        &mut t,
        found,
        &["true", "true", "(= x3 phi2)", "(= x4 (+ phi2 1))", "(= r5 (+ phi2 1))", "(= b6 (+ a1 1))"],
    );
}

/// What y points to is 0, where it is not another cell than x (`*y = 0` in the paper): `y5` is what is in *y there.
#[test]
fn figure_9() {
    let mut t = Terms::new();
    let parts = trace(
        &mut t,
        &["x0", "y0", "y4", "x_at3", "y_at5", "y_at6", "x_at7"],
        &[
            "(distinct x0 y0)",
            "(= x_at3 0)",
            "(and (= y4 x0) (= y_at5 x_at3))",
            "(and (= y4 x0) (= y_at5 x_at3))",
            "(and (= y_at6 (+ y_at5 1)) (ite (= x0 y4) (= x_at7 (+ y_at5 1)) (= x_at7 x_at3)))",
            "(= x_at7 0)",
        ],
    );
    let Interpolants::Sequence(found) = ProofInterpolator::new().sequence(&mut t, &parts).unwrap() else { panic!() };
    for cut in [2, 3] {
        let alias = parse(&mut t, "(= x0 y4)");
        let (found, wanted) = (found[cut], parse(&mut t, "(= y_at5 0)"));
        let [given, wanted] = [found, wanted].map(|p| t.and(&[p, alias]));
        assert!(equivalent(&mut t, given, wanted), "{cut}: {}", t.display(found));
    }
}

/// In the procedure, what its parameter points to is one more than it was at the call: `*φx = φ*x + 1`.
#[test]
fn figure_11() {
    let mut t = Terms::new();
    let parts = trace(
        &mut t,
        &["y0", "y_at1", "phi1", "phi_at2", "x4", "x_at5", "phi_at7", "x_at6", "phi_at8", "y_at9"],
        &[
            "(= y_at1 0)",
            "(and (= phi1 y0) (= phi_at2 y_at1))",
            "(and (= x4 phi1) (= x_at5 phi_at7) (= x_at5 phi_at2))",
            "(and (= x_at6 (+ x_at5 1)) (ite (= x4 phi1) (= phi_at8 (+ x_at5 1)) (= phi_at8 phi_at7)))",
            "(ite (= y0 phi1) (= y_at9 phi_at8) (= y_at9 y_at1))",
            "(not (= y_at9 1))",
        ],
    );
    let nesting = Nesting { calls: vec![(1, Some(4))] };
    let found = ProofInterpolator::new().scoped(&mut t, &parts, &nesting).unwrap();
    let Interpolants::Sequence(found) = found else { panic!("{found:?}") };
    assert_eq!(check::wrong_scoped(&mut t, &parts, &nesting, &found).unwrap(), None);
    let wanted = parse(&mut t, "(= phi_at8 (+ phi_at2 1))");
    assert!(equivalent(&mut t, found[3], wanted), "{}", t.display(found[3]));
}
