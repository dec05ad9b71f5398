//! The solvers that the tests run, and helpers to ask them.
#![allow(dead_code)] // each test file uses some of it

use std::time::Duration;

use lariat_smt::{Answer, Limits, Solver, Z3Solver};
use lariat_term::{Term, Terms};

/// Calls the test for each solver that is installed.
pub fn for_each_solver(mut test: impl FnMut(&str, &dyn Fn() -> Box<dyn Solver>)) {
    test("z3", &|| limited(Z3Solver::new(None).expect("Z3 is linked in")));
}

/// A solver that does not go on for ever where a test fails.
fn limited(mut solver: impl Solver + 'static) -> Box<dyn Solver> {
    solver.set_limits(Limits::time(Duration::from_secs(60)));
    Box::new(solver)
}

/// Satisfiable, with a model that makes every term true.
pub fn assert_sat(name: &str, solver: &mut dyn Solver, terms: &Terms, asserted: &[Term], assumed: &[Term]) {
    for &t in asserted {
        solver.assert(terms, t).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    match solver.check(terms, assumed) {
        Ok(Answer::Sat(model)) => {
            for &t in asserted.iter().chain(assumed) {
                assert_eq!(model.is_true(terms, t), Ok(true), "{name}");
            }
        }
        other => panic!("{name}: satisfiable, not {other:?}"),
    }
}

/// Unsatisfiable, with exactly this core.
pub fn assert_unsat(
    name: &str,
    solver: &mut dyn Solver,
    terms: &Terms,
    asserted: &[Term],
    assumed: &[Term],
    core: &[Term],
) {
    for &t in asserted {
        solver.assert(terms, t).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    match solver.check(terms, assumed) {
        Ok(Answer::Unsat(c)) => assert_eq!(c, core, "{name}"),
        other => panic!("{name}: unsatisfiable, not {other:?}"),
    }
}
