//! One interpolator after the other, until one has an answer.

use lariat_smt::{Interpolants, Interpolator, Interrupter, Limits, Nesting, SolverError};
use lariat_term::{Term, Terms};

use crate::{CoreInterpolator, HornInterpolator, ProofInterpolator, stop::Control};

/// Tries proofs (with post-conditions for single paths that need them), then Horn clauses, then post-conditions of whole parts. Each but the
/// last gets half of the time that is left.
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
            [Box::new(ProofInterpolator::new()), Box::new(HornInterpolator::new()), Box::new(CoreInterpolator::new())];
        AutoInterpolator { control: Control::new(), all }
    }

    fn first_answer(
        &mut self,
        mut ask: impl FnMut(&mut dyn Interpolator) -> Result<Interpolants, SolverError>,
    ) -> Result<Interpolants, SolverError> {
        let stop = self.control.start();
        let mut reasons = Vec::new();
        let mut error = None;
        let last = self.all.len() - 1;
        for (i, by) in self.all.iter_mut().enumerate() {
            if stop.is_over() {
                reasons.push("out of time".to_owned());
                break;
            }
            by.interrupter().reset();
            stop.watch(&by.interrupter());
            let time = stop.left().map(|t| if i == last { t } else { t / 2 });
            by.set_limits(Limits { time, ..stop.limits() });
            match ask(by.as_mut()) {
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

impl Interpolator for AutoInterpolator {
    fn name(&self) -> &str {
        "auto"
    }

    fn sequence(&mut self, terms: &mut Terms, parts: &[Term]) -> Result<Interpolants, SolverError> {
        self.first_answer(|by| by.sequence(terms, parts))
    }

    fn scoped(&mut self, terms: &mut Terms, parts: &[Term], nesting: &Nesting) -> Result<Interpolants, SolverError> {
        self.first_answer(|by| by.scoped(terms, parts, nesting))
    }

    fn set_limits(&mut self, limits: Limits) {
        self.control.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        self.control.interrupter()
    }
}
