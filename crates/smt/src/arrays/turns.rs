//! A check that takes the solver for bit-vectors long is given to a general solver as well, in turns with growing
//! budgets: neither is good at everything.

use std::time::Instant;

use lariat_term::{Term, Terms};

use super::{Fragment, LazyArrays, Stop, lock};
use crate::{Answer, Limits, Reason, Soft, SolverError};

/// What the solver for bit-vectors may use up before a general one gets its turn: about a second's work.
const FIRST_BUDGET: u64 = 2_000_000;

/// Who needs more than this has given up for other reasons.
const LAST_BUDGET: u64 = 1 << 40;

impl LazyArrays {
    /// Decides a query of the caller, in turns where that can pay.
    pub(super) fn turns(&mut self, terms: &Terms, assumptions: &[Term], goal: Option<&[Soft]>) -> Result<Answer, Stop> {
        // Who counts resources wants to know what one solver does with them.
        if goal.is_none() && self.fragment != Fragment::All && self.base.limits.resource.is_none() {
            return self.solve_in_turns(terms, assumptions);
        }
        self.solve(terms, assumptions, goal)
    }

    /// Like [`LazyArrays::solve`]; if that takes long, a general solver takes turns with it.
    fn solve_in_turns(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, Stop> {
        let limits = self.base.limits;
        let start = Instant::now();
        let mut budget = FIRST_BUDGET;
        loop {
            let time = limits.time.map(|t| t.saturating_sub(start.elapsed()));
            self.base.limits = Limits { resource: Some(budget), time, ..limits };
            let answer = self.solve(terms, assumptions, None);
            self.base.limits = limits;
            match answer {
                // Z3 does not always say that it stopped because of its budget.
                Ok(Answer::Unknown(Reason::ResourceLimit | Reason::Incomplete(_))) => {}
                other => return other,
            }
            let time = limits.time.map(|t| t.saturating_sub(start.elapsed()));
            let answer = self.ask_other(terms, assumptions, Limits { resource: Some(budget), time, ..limits })?;
            let short = matches!(answer, Answer::Unknown(Reason::ResourceLimit | Reason::Incomplete(_)));
            if !short || budget > LAST_BUDGET {
                return Ok(answer);
            }
            budget = budget.saturating_mul(3);
        }
    }

    /// Asks the general solver, which is told everything, but only when it is needed.
    fn ask_other(&mut self, terms: &Terms, assumptions: &[Term], limits: Limits) -> Result<Answer, SolverError> {
        let (mut other, told) = match self.other.take() {
            Some(other) => other,
            None => {
                let mut other = (self.open)(Fragment::All)?;
                self.base.declared.iter().try_for_each(|&d| other.declare(terms, d))?;
                (other, 0)
            }
        };
        let _running = self.interrupter.running();
        // In this order: an interruption that comes before the reset has left its mark outside.
        other.interrupter().reset();
        *lock(&self.current) = other.interrupter();
        let mut ask = || {
            self.base.assertions[told..].iter().try_for_each(|&t| other.assert(terms, t))?;
            other.set_limits(limits);
            if self.interrupter.is_interrupted() {
                return Ok(Answer::Unknown(Reason::Interrupted));
            }
            other.check(terms, assumptions)
        };
        let answer = ask();
        *lock(&self.current) = self.inner.interrupter();
        if answer.is_ok() {
            self.other = Some((other, self.base.assertions.len()));
        }
        answer
    }
}
