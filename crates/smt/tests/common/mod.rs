//! The solvers that the tests run, and helpers to ask them.
#![allow(dead_code)] // each test file uses some of it

#[path = "../../../../tests/needs.rs"]
pub mod needs;

use std::time::Duration;

use lariat_smt::{Answer, Command, LazyArrays, Limits, ProcessSolver, Solver, SolverError, Z3Solver};
use lariat_term::{Term, Terms};

/// Calls the test for each solver that is installed.
pub fn for_each_solver(mut test: impl FnMut(&str, &dyn Fn() -> Box<dyn Solver>)) {
    test("z3", &|| limited(Z3Solver::new(None).expect("Z3 is linked in")));
    test("auto", &|| limited(LazyArrays::new().expect("Z3 is linked in")));
    for (name, command) in [("z3 process", Command::z3(&z3_program())), ("cvc5 process", Command::cvc5("cvc5"))] {
        match ProcessSolver::new(command.clone(), None) {
            Ok(_) => test(name, &|| limited(ProcessSolver::new(command.clone(), None).expect("it started before"))),
            Err(SolverError::Missing { .. }) => {
                needs::skipped(&format!("{name} (`{}` is not installed)", command.program));
            }
            Err(e) => panic!("{name}: {e}"),
        }
    }
}

/// The Z3 program: the one of the set-up, or another.
pub fn z3_program() -> String {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.deps/z3/bin/z3");
    if std::path::Path::new(ours).exists() { ours.into() } else { "z3".into() }
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
        // cvc5's cores are far from minimal; they must be cores all the same.
        Ok(Answer::Unsat(c)) if name.starts_with("cvc5") => {
            assert!(core.iter().all(|t| c.contains(t)) && c.iter().all(|t| assumed.contains(t)), "{name}: {c:?}");
        }
        Ok(Answer::Unsat(c)) => assert_eq!(c, core, "{name}"),
        other => panic!("{name}: unsatisfiable, not {other:?}"),
    }
}
