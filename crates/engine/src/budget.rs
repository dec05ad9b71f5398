//! What an engine may use.

use std::time::{Duration, Instant};

use lariat_smt::{Limits, Logic, Reason, Solver, SolverError, solvers};

use crate::Stop;

/// Time, memory, and a signal that ends both.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// When to give up, or to pause.
    pub deadline: Option<Instant>,
    /// To give up at once.
    pub stop: Stop,
    /// Memory of each solver, in megabytes. That of the whole process is watched from outside.
    pub memory: Option<u32>,
}

impl Budget {
    /// Why to stop, if it is time for it.
    pub fn used_up(&self) -> Option<Reason> {
        let late = || self.deadline.filter(|&d| Instant::now() >= d).map(|_| Reason::Timeout);
        self.stop.cause().or_else(late)
    }

    /// The time that is left, if it is limited.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()))
    }

    /// What one question to a solver may use.
    pub fn solver_limits(&self) -> Limits {
        Limits { time: self.left(), resource: None, memory: self.memory }
    }

    /// A fresh solver, which the signal interrupts and which has the time that is left.
    pub fn open(&self, solver: &str) -> Result<Box<dyn Solver>, SolverError> {
        self.open_for(solver, None)
    }

    /// The same, for a logic.
    pub fn open_for(&self, solver: &str, logic: Option<Logic>) -> Result<Box<dyn Solver>, SolverError> {
        let mut solver = solvers::open(solver, logic)?;
        self.stop.watch(solver.interrupter());
        solver.set_limits(self.solver_limits());
        Ok(solver)
    }
}

/// The solver for many small questions in the place of the one that was asked for: a solver that is made anew for each question is slow
/// there.
pub fn for_many(solver: &str) -> &str {
    if solver == "auto" { "z3" } else { solver }
}
