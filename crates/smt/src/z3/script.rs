//! Z3 as a reader of SMT-LIB text, for what the [`Solver`](crate::Solver) trait has no word for: Horn
//! clauses, say.

use super::{failed, raw::Engine};
use crate::{Interrupter, SolverError};

/// A Z3 context that runs scripts.
///
/// ```
/// let mut z3 = lariat_smt::Z3Script::new()?;
/// assert_eq!(z3.run("(assert false)(check-sat)")?, "unsat\n");
/// # Ok::<(), lariat_smt::SolverError>(())
/// ```
pub struct Z3Script {
    engine: Engine,
    interrupter: Interrupter,
}

impl Z3Script {
    /// A fresh context.
    pub fn new() -> Result<Z3Script, SolverError> {
        let engine = Engine::new(None).map_err(failed)?;
        let handle = engine.interrupt_handle();
        Ok(Z3Script { engine, interrupter: Interrupter::new(move || handle.interrupt()) })
    }

    /// What the commands print. After an interruption that is whatever they had printed by then.
    pub fn run(&mut self, script: &str) -> Result<String, SolverError> {
        if self.interrupter.is_interrupted() {
            return Ok(String::new());
        }
        let _running = self.interrupter.running();
        self.engine.script(script).map_err(failed)
    }

    /// Stops a script from another thread.
    pub fn interrupter(&self) -> Interrupter {
        self.interrupter.clone()
    }
}
