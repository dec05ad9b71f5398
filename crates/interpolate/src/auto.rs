//! One interpolator after the other, until one has an answer.

use lariat_smt::{Interpolants, Interpolator, Interrupter, Limits, Nesting, SolverError};
use lariat_term::{Op, Term, Terms};

use crate::{CoreInterpolator, HornInterpolator, ProofInterpolator, problem::is_path, stop::Control};

/// Tries proofs, then Horn clauses, then post-conditions of cores; for a single path with operators that
/// proofs take for uninterpreted, post-conditions, proofs, then Horn clauses. Each but the last gets half of the time that is left.
pub struct AutoInterpolator {
    control: Control,
    all: [Box<dyn Interpolator>; 3],
}

impl Default for AutoInterpolator {
    fn default() -> Self {
        AutoInterpolator::new()
    }
}

impl AutoInterpolator {
    /// One without limits.
    pub fn new() -> AutoInterpolator {
        let all: [Box<dyn Interpolator>; 3] =
            [Box::new(ProofInterpolator::new()), Box::new(CoreInterpolator::new()), Box::new(HornInterpolator::new())];
        AutoInterpolator { control: Control::new(), all }
    }

    fn first_answer(
        &mut self,
        terms: &mut Terms,
        parts: &[Term],
        mut ask: impl FnMut(&mut dyn Interpolator, &mut Terms) -> Result<Interpolants, SolverError>,
    ) -> Result<Interpolants, SolverError> {
        let stop = self.control.start();
        let mut reasons = Vec::new();
        let mut error = None;
        let order = if is_foreign(terms, parts) && is_path(terms, parts) { [1, 0, 2] } else { [0, 2, 1] };
        for (i, k) in order.into_iter().enumerate() {
            let by = &mut self.all[k];
            if stop.is_over() {
                reasons.push("out of time".to_owned());
                break;
            }
            by.interrupter().reset();
            stop.watch(&by.interrupter());
            let time = stop.left().map(|t| if i + 1 == order.len() { t } else { t / 2 });
            by.set_limits(Limits { time, ..stop.limits() });
            match ask(by.as_mut(), terms) {
                Ok(Interpolants::Unknown(why)) => reasons.push(format!("{}: {why}", by.name())),
                // What one cannot read another may.
                Err(e @ (SolverError::Misuse(_) | SolverError::Unsound(_))) => return Err(e),
                Err(e) => error = Some(e),
                Ok(answer) => return Ok(answer),
            }
        }
        match error {
            Some(e) if reasons.is_empty() => Err(e),
            _ => Ok(Interpolants::Unknown(reasons.join("; "))),
        }
    }
}

/// Is there an operator that is not of linear arithmetic with uninterpreted functions?
fn is_foreign(terms: &Terms, parts: &[Term]) -> bool {
    terms.post_order(parts).into_iter().any(|t| {
        let known = matches!(
            terms.op(t),
            Op::Not
                | Op::And
                | Op::Or
                | Op::Eq
                | Op::Distinct
                | Op::Ite
                | Op::Add
                | Op::Mul
                | Op::IntDiv
                | Op::IntMod
                | Op::RealDiv
                | Op::Le
                | Op::Lt
                | Op::ToReal
                | Op::App(_)
        );
        !known && !terms.args(t).is_empty()
    })
}

impl Interpolator for AutoInterpolator {
    fn name(&self) -> &str {
        "auto"
    }

    fn sequence(&mut self, terms: &mut Terms, parts: &[Term]) -> Result<Interpolants, SolverError> {
        self.first_answer(terms, parts, |by, terms| by.sequence(terms, parts))
    }

    fn scoped(&mut self, terms: &mut Terms, parts: &[Term], nesting: &Nesting) -> Result<Interpolants, SolverError> {
        self.first_answer(terms, parts, |by, terms| by.scoped(terms, parts, nesting))
    }

    fn set_limits(&mut self, limits: Limits) {
        self.control.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        self.control.interrupter()
    }
}
