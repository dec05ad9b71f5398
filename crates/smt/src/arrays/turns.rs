//! A check that takes the solver for bit-vectors long is given to one that does arrays itself as well, in turns with growing
//! budgets: neither is good at everything. So is one with quantifiers that takes the general solver long: it looks for models, too, which
//! costs time where there is none, and a solver that only follows triggers (E-matching) does not.

use std::time::Instant;

use lariat_term::{Op, Term, Terms};

use super::{Fragment, LazyArrays, Quantified, Stop, lock};
use crate::{Answer, Limits, Reason, Soft, SolverError};

/// What the solver for bit-vectors may use up before one with arrays gets its turn: less than a second's work.
const FIRST_BUDGET: u64 = 1_500_000;

/// Who needs more than this has given up for other reasons.
const LAST_BUDGET: u64 = 1 << 40;

impl LazyArrays {
    /// Decides a query of the caller, in turns where that can pay.
    pub(super) fn turns(&mut self, terms: &Terms, assumptions: &[Term], goal: Option<&[Soft]>) -> Result<Answer, Stop> {
        // Who counts resources wants to know what one solver does with them.
        if goal.is_none() && self.base.limits.resource.is_none() {
            match self.fragment {
                Fragment::All => {}
                Fragment::Bits => return self.solve_in_turns(terms, assumptions, Fragment::Arrays),
                _ => return self.solve_in_turns(terms, assumptions, Fragment::All),
            }
            if self.is_quantified(terms) {
                return self.solve_in_turns(terms, assumptions, Fragment::Triggers);
            }
        }
        self.solve(terms, assumptions, goal)
    }

    /// Does an assertion have a quantifier?
    fn is_quantified(&mut self, terms: &Terms) -> bool {
        let Quantified { found, looked_at, seen } = &mut self.quantified;
        let first = (*looked_at).min(self.base.assertions.len());
        let mut work: Vec<Term> = self.base.assertions[first..].to_vec();
        *looked_at = self.base.assertions.len();
        while let Some(t) = work.pop().filter(|_| !*found) {
            if !seen.contains(t) {
                seen.insert(t, 0);
                *found = matches!(terms.op(t), Op::Forall(_) | Op::Exists(_));
                work.extend(terms.args(t));
            }
        }
        *found
    }

    /// Like [`LazyArrays::solve`]; if that takes long, another solver takes turns with it.
    fn solve_in_turns(&mut self, terms: &Terms, assumptions: &[Term], other: Fragment) -> Result<Answer, Stop> {
        let limits = self.base.limits;
        let start = Instant::now();
        let triggers = other == Fragment::Triggers;
        // Most conditions with quantifiers that are hard to decide are refuted, by their triggers.
        let (mut budget, for_other) = if triggers { (FIRST_BUDGET / 3, 8) } else { (FIRST_BUDGET, 2) };
        let mut exhausted = false;
        loop {
            let time = limits.time.map(|t| t.saturating_sub(start.elapsed()));
            self.base.limits = Limits { resource: Some(budget), time, ..limits };
            let answer = self.solve(terms, assumptions, None);
            self.base.limits = limits;
            match answer {
                // There is nothing more to instantiate: more time would change nothing.
                Ok(Answer::Unknown(Reason::Incomplete(why))) if triggers && exhausted => {
                    return Ok(Answer::Unknown(Reason::Incomplete(why)));
                }
                // Z3 does not always say that it stopped because of its budget.
                Ok(Answer::Unknown(Reason::ResourceLimit | Reason::Incomplete(_))) => {}
                other => return other,
            }
            if exhausted {
                budget = budget.saturating_mul(3);
                continue;
            }
            let time = limits.time.map(|t| t.saturating_sub(start.elapsed()));
            let limits = Limits { resource: Some(budget.saturating_mul(for_other)), time, ..limits };
            let answer = self.ask_other(terms, assumptions, limits, other)?;
            match answer {
                Answer::Unknown(Reason::ResourceLimit) if budget <= LAST_BUDGET => {}
                Answer::Unknown(Reason::Incomplete(why)) if triggers => exhausted = why.contains("quantifiers"),
                Answer::Unknown(Reason::Incomplete(_)) if budget <= LAST_BUDGET => {}
                // A model of the instances is none of the quantifiers.
                Answer::Sat(_) if triggers => exhausted = true,
                answer => return Ok(answer),
            }
            budget = budget.saturating_mul(3);
        }
    }

    /// Asks the other solver, which is told everything, but only when it is needed.
    fn ask_other(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        limits: Limits,
        fragment: Fragment,
    ) -> Result<Answer, SolverError> {
        let (mut other, told) = match self.other.take() {
            Some(other) => other,
            None => {
                let mut other = (self.open)(fragment)?;
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
