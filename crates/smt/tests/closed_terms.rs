//! Evaluation against the solvers: on closed terms of every theory they must agree.

mod common;

use common::for_each_solver;
use lariat_smt::{Answer, Solver};
use lariat_term::{
    Model, Op, Term, Terms,
    random::{Theory, random_closed_term},
};

/// Terms of each theory.
const TERMS: u64 = 1000;
/// Terms in one query.
const BATCH: usize = 50;

/// Is it impossible that one of the claims is false?
fn all_hold(solver: &mut dyn Solver, t: &mut Terms, claims: &[Term]) -> Result<Answer, String> {
    let mut false_ones: Vec<Term> = claims.iter().map(|&c| t.intern(Op::Not, &[c])).collect();
    let one = match false_ones[..] {
        [one] => one,
        _ => {
            false_ones.sort_unstable();
            t.intern(Op::Or, &false_ones)
        }
    };
    solver.assert(t, one).map_err(|e| e.to_string())?;
    solver.check(t, &[]).map_err(|e| e.to_string())
}

#[test]
fn evaluation_agrees_with_the_solvers() {
    for theory in Theory::ALL {
        let mut t = Terms::new();
        let mut claims = Vec::new();
        for seed in 0..TERMS {
            let term = random_closed_term(&mut t, theory, 3 + seed as u32 % 25, seed);
            let value = t.eval(term, &Model::new()).unwrap_or_else(|e| panic!("{theory:?} {seed}: {e}"));
            let value = t.value_term(&value);
            claims.push(t.intern(Op::Eq, &[term, value]));
        }
        for_each_solver(|name, new| {
            for batch in claims.chunks(BATCH) {
                if matches!(all_hold(&mut *new(), &mut t, batch), Ok(Answer::Unsat(_))) {
                    continue;
                }
                for &claim in batch {
                    let answer = all_hold(&mut *new(), &mut t, &[claim]);
                    assert!(
                        matches!(answer, Ok(Answer::Unsat(_))),
                        "{name}, {theory:?}: {answer:?} for {}",
                        t.display(claim)
                    );
                }
            }
        });
    }
}
