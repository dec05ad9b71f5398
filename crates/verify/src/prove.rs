//! Proofs for every bound, where unfolding goes on and on.
//!
//! The engine unfolds for a while; if it has not ended then, Horn clauses get their share of the time, and
//! after that the engine goes on where it was.

use std::time::{Duration, Instant};

use lariat_horn::{Goal, System, prove};
use lariat_program::{AssertId, Program, RegionId};
use lariat_smt::{Limits as SolverLimits, Solver, SolverError, Z3Script, solvers};
use lariat_term::Terms;
use lariat_unfold::Limits;

/// When to stop unfolding, and when to stop looking for a proof.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Phases {
    pub unfold: Instant,
    pub prove: Instant,
}

impl Phases {
    /// Shares of the time that is left; of some seconds, if there is no limit.
    pub fn new(deadline: Option<Instant>) -> Phases {
        let now = Instant::now();
        let time = deadline.map_or(Duration::from_secs(120), |d| d.saturating_duration_since(now));
        Phases { unfold: now + time / 5, prove: now + time * 3 / 4 }
    }
}

/// Is there a proof that none of these (sorted) assertions fails in executions from the entry? Only one whose
/// certificate was checked counts.
pub(crate) fn proved(
    program: &Program,
    terms: &Terms,
    entry: RegionId,
    covered: &[AssertId],
    solver: &str,
    limits: &Limits,
    until: Instant,
) -> Result<bool, SolverError> {
    // The relations and claims are of no use to anybody else.
    let mut terms = terms.clone();
    let goal = Goal { program, entry, counts: &|a| covered.binary_search(&a).is_ok() };
    let Some(system) = System::new(&goal, &mut terms) else { return Ok(false) };
    let mut systems: Vec<System> = system.cells(&mut terms).into_iter().collect();
    systems.push(system);
    let left = || until.saturating_duration_since(Instant::now());
    let mut open = || -> Result<Box<dyn Solver>, SolverError> {
        let mut solver = solvers::open(solver, None)?;
        limits.stop.watch(solver.interrupter());
        solver.set_limits(SolverLimits { memory: limits.memory, ..SolverLimits::time(left()) });
        Ok(solver)
    };
    for (i, system) in systems.iter().enumerate() {
        let mut z3 = Z3Script::new()?;
        limits.stop.watch(z3.interrupter());
        let share = left() / (systems.len() - i) as u32;
        let Some(certificate) = prove(system, &mut terms, &mut z3, Some(share))? else { continue };
        if certificate.check(system, &mut terms, &mut open)? {
            return Ok(true);
        }
    }
    Ok(false)
}
