//! Z3 as a solver of constrained Horn clauses, for which the [`Solver`](crate::Solver) trait has no word.
//!
//! Clauses come as SMT-LIB text, but options do not: an option in a text would be one of the whole process, so that
//! solvers that run side by side would change each other's.

use std::time::Duration;

use super::{
    failed,
    raw::{Engine, Verdict},
};
use crate::{Interrupter, SolverError};

/// A Z3 context for one set of Horn clauses.
///
/// ```
/// # use lariat_smt::{HornAnswer, Z3Horn};
/// let mut z3 = Z3Horn::new(&[("xform.slice", false)])?;
/// let clauses = "(declare-fun p (Int) Bool) (assert (p 0)) (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))";
/// assert!(matches!(z3.solve(clauses, None)?, HornAnswer::Sat(_)));
/// # Ok::<(), lariat_smt::SolverError>(())
/// ```
pub struct Z3Horn {
    engine: Engine,
    interrupter: Interrupter,
}

/// What came out of clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HornAnswer {
    /// The definitions of the relations, as SMT-LIB text.
    Sat(String),
    /// There are none.
    Unsat,
    /// It is not known, or not in time.
    Unknown,
}

impl Z3Horn {
    /// A fresh context with these options of Z3's module `fp`.
    pub fn new(options: &[(&'static str, bool)]) -> Result<Z3Horn, SolverError> {
        let mut engine = Engine::new(Some("HORN")).map_err(failed)?;
        engine.set_flags(options).map_err(failed)?;
        let handle = engine.interrupt_handle();
        Ok(Z3Horn { engine, interrupter: Interrupter::new(move || handle.interrupt()) })
    }

    /// Adds clauses and solves all that there are.
    pub fn solve(&mut self, clauses: &str, time: Option<Duration>) -> Result<HornAnswer, SolverError> {
        let _running = self.interrupter.running();
        if self.interrupter.is_interrupted() {
            return Ok(HornAnswer::Unknown);
        }
        let time = time.map_or(u32::MAX, |t| u32::try_from(t.as_millis().max(1)).unwrap_or(u32::MAX));
        self.engine.set(&[("timeout", time)]).map_err(failed)?;
        let asserted = self.engine.assert_text(clauses);
        if self.interrupter.is_interrupted() {
            return Ok(HornAnswer::Unknown);
        }
        asserted.map_err(failed)?;
        Ok(match self.engine.solve(&[]).map_err(failed)? {
            Verdict::Sat => HornAnswer::Sat(self.engine.model_text().map_err(failed)?),
            Verdict::Unsat => HornAnswer::Unsat,
            Verdict::Unknown(_) => HornAnswer::Unknown,
        })
    }

    /// Stops the search from another thread.
    pub fn interrupter(&self) -> Interrupter {
        self.interrupter.clone()
    }
}
