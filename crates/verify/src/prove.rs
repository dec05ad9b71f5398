//! Proofs for every bound, where unfolding goes on and on.
//!
//! The engine unfolds for a while; if it has not ended then, a proof from Horn clauses is looked for. If that takes
//! long, the engine goes on where it was, beside it.

use std::time::{Duration, Instant};

use lariat_horn::{Found, Goal, Induction, Search, System, Tables, known, prove};
use lariat_program::{AssertId, Program, RegionId, integers::Integers};
use lariat_smt::{Limits as SolverLimits, Solver, SolverError, Z3Script, solvers};
use lariat_term::{SortKind, Terms};
use lariat_unfold::{Limits, Stop};

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
        Phases { unfold: now + time / 8, prove: now + time }
    }
}

/// Searches in a thread of its own; if nothing is found at `end`, does `other` beside it. The search ends `other` when it
/// has found something, and is ended by what `other` comes to if `ends` says so. Gives what was found, and what `other` came to if it was begun.
pub(crate) fn beside<T, U: Send>(
    stop: &Stop,
    end: Instant,
    search: impl FnOnce(&Stop) -> Option<U> + Send,
    other: impl FnOnce(&Stop) -> T,
    ends: impl FnOnce(&T) -> bool,
) -> (Option<U>, Option<T>) {
    let (to_search, to_other) = (stop.below(), stop.below());
    std::thread::scope(|scope| {
        let (sender, receiver) = std::sync::mpsc::channel();
        let (searching, waiting) = (&to_search, &to_other);
        scope.spawn(move || {
            let found = search(searching);
            let any = found.is_some();
            // Whoever waits is there until this thread ends.
            let _ = sender.send(found);
            if any {
                waiting.stop();
            }
        });
        let early = receiver.recv_timeout(end.saturating_duration_since(Instant::now()));
        if let Ok(found @ Some(_)) = early {
            return (found, None);
        }
        let other = other(&to_other);
        if ends(&other) {
            to_search.stop();
        }
        // Nothing comes if it came before `end`.
        (receiver.recv().ok().flatten(), Some(other))
    })
}

/// Clauses to be satisfied, and the store that they live in.
pub(crate) struct Reading {
    pub terms: Terms,
    pub system: System,
    /// Do the clauses say no more than the program? Then there is no proof if they cannot be satisfied.
    pub exact: bool,
}

/// The clauses of a program, first those about cells of maps, if there are any.
pub(crate) fn readings(program: &Program, mut terms: Terms, entry: RegionId, covered: &[AssertId]) -> Vec<Reading> {
    let goal = Goal { program, entry, counts: &|a| covered.binary_search(&a).is_ok() };
    let Some(system) = System::new(&goal, &mut terms) else { return Vec::new() };
    let cells = system.cells(&mut terms);
    let cells = cells.map(|system| Reading { terms: terms.clone(), system, exact: false });
    cells.into_iter().chain([Reading { terms, system, exact: true }]).collect()
}

/// The clauses of a program of bit-vectors as it is over integers; none if there are no bit-vectors or too odd ones.
pub(crate) fn integer_readings(
    program: &Program,
    terms: &Terms,
    entry: RegionId,
    covered: &[AssertId],
) -> Vec<Reading> {
    if !has_bits(program, terms, entry) {
        return Vec::new();
    }
    let mut terms = terms.clone();
    let integers = Integers::new(program, &mut terms, &[entry]);
    integers.map_or(Vec::new(), |i| readings(&i.program, terms, entry, covered))
}

/// Is there a proof that none of these (sorted) assertions fails in executions from the entry? Only one whose
/// certificate was checked counts.
///
/// Short attempts come first: most proofs that are found are found at once. Spacer is good at integers, so a
/// program of bit-vectors is read over them first; where the bits matter it does better without.
pub(crate) fn proved(
    program: &Program,
    terms: &Terms,
    entry: RegionId,
    covered: &[AssertId],
    solver: &str,
    limits: &Limits,
    until: Instant,
) -> Result<bool, SolverError> {
    let mut own = readings(program, terms.clone(), entry, covered);
    // Whatever goes wrong there, Spacer may still find a proof.
    if let Some(reading) = own.first_mut() {
        let part = |n| until.saturating_duration_since(Instant::now()) / n;
        if matches!(listed(reading, solver, limits, Instant::now() + part(6), until), Ok(true))
            || matches!(inductive(reading, solver, limits, part(16)), Ok(true))
        {
            return Ok(true);
        }
    }
    let mut integers = integer_readings(program, terms, entry, covered);
    use Search::{Global, Local};
    let mut attempts: Vec<(bool, usize, Search, u32)> = if integers.is_empty() {
        vec![
            (false, 0, Global, 2),
            (false, 0, Local, 2),
            (false, 1, Global, 2),
            (false, 0, Global, 6),
            (false, 0, Local, 4),
        ]
    } else {
        vec![
            (true, 0, Global, 2),
            (true, 0, Local, 3),
            (false, 0, Global, 2),
            (true, 1, Global, 2),
            (true, 0, Local, 5),
            (true, 0, Global, 3),
            (false, 0, Global, 3),
        ]
    };
    attempts.retain(|&(of_integers, i, ..)| i < if of_integers { integers.len() } else { own.len() });
    let mut weights: u32 = attempts.iter().map(|a| a.3).sum();
    let mut hopeless = [[false; 2]; 2];
    for (of_integers, i, search, weight) in attempts {
        let left = until.saturating_duration_since(Instant::now());
        let time = left * weight / weights;
        weights -= weight;
        if hopeless[usize::from(of_integers)][i] || time.is_zero() || limits.stop.is_stopped() {
            continue;
        }
        let reading = if of_integers { &mut integers[i] } else { &mut own[i] };
        match spacer(reading, search, time, solver, limits, until) {
            Ok(Claimed::Proof) => return Ok(true),
            Ok(Claimed::NoProof) if reading.exact => return Ok(false),
            Ok(Claimed::NoProof) => hopeless[usize::from(of_integers)][i] = true,
            Ok(Claimed::Nothing) | Err(_) => {}
        }
    }
    Ok(false)
}

/// What Spacer comes to.
pub(crate) enum Claimed {
    /// A certificate, which was checked.
    Proof,
    /// The clauses cannot be satisfied (so says Spacer alone).
    NoProof,
    Nothing,
}

/// Asks Spacer for a certificate, and checks it.
pub(crate) fn spacer(
    reading: &mut Reading,
    search: Search,
    time: Duration,
    solver: &str,
    limits: &Limits,
    until: Instant,
) -> Result<Claimed, SolverError> {
    let Reading { terms, system, .. } = reading;
    let mut z3 = Z3Script::new()?;
    limits.stop.watch(z3.interrupter());
    Ok(match prove(system, terms, &mut z3, search, Some(time))? {
        Found::Certificate(certificate) => {
            let mut open = || opened(solver, limits, until);
            if certificate.check(system, terms, &mut open)? { Claimed::Proof } else { Claimed::Nothing }
        }
        Found::Nothing => Claimed::NoProof,
        Found::Unknown => Claimed::Nothing,
    })
}

/// Explicit-value analysis: is it enough to list the values of some variables? They are looked for until `end`.
pub(crate) fn listed(
    reading: &mut Reading,
    solver: &str,
    limits: &Limits,
    end: Instant,
    until: Instant,
) -> Result<bool, SolverError> {
    let Reading { terms, system, .. } = reading;
    // The questions are many and small.
    let solver = if solver == "auto" { "z3" } else { solver };
    let go_on = || Instant::now() < end && !limits.stop.is_stopped();
    let found = Tables::find(system, terms, &mut *opened(solver, limits, end)?, &go_on)?;
    match found {
        Some(tables) => tables.check(system, terms, &mut *opened(solver, limits, until)?),
        None => Ok(false),
    }
}

/// k-induction, strengthened by the inferred invariants: are a few steps enough? Each of its steps has this share.
pub(crate) fn inductive(
    reading: &mut Reading,
    solver: &str,
    limits: &Limits,
    share: Duration,
) -> Result<bool, SolverError> {
    let Reading { terms, system, .. } = reading;
    let end = Instant::now() + share;
    let go_on = || Instant::now() < end && !limits.stop.is_stopped();
    let facts = known(system, terms, &mut *opened(solver, limits, end)?, &go_on)?;
    let end = Instant::now() + share;
    let go_on = || Instant::now() < end && !limits.stop.is_stopped();
    let found = Induction::find(system, terms, facts, &mut *opened(solver, limits, end)?, &go_on)?;
    match found {
        Some(induction) => {
            let end = Instant::now() + share * 4;
            induction.check(system, terms, &mut || opened(solver, limits, end))
        }
        None => Ok(false),
    }
}

/// A fresh solver.
fn opened(name: &str, limits: &Limits, until: Instant) -> Result<Box<dyn Solver>, SolverError> {
    let mut solver = solvers::open(name, None)?;
    limits.stop.watch(solver.interrupter());
    let left = until.saturating_duration_since(Instant::now());
    solver.set_limits(SolverLimits { memory: limits.memory, ..SolverLimits::time(left) });
    Ok(solver)
}

/// Does the program compute with bit-vectors?
fn has_bits(program: &Program, terms: &Terms, entry: RegionId) -> bool {
    let mut roots = Vec::new();
    for r in program.reached(entry) {
        program.regions[r.index()].blocks.iter().for_each(|b| b.for_each_term(|t| roots.push(t)));
    }
    terms.used_sorts(&roots).iter().any(|&s| matches!(terms.sort_kind(s), SortKind::BitVec(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn later() -> Instant {
        Instant::now() + Duration::from_secs(3600)
    }

    /// Waits to be stopped.
    fn wait(stop: &Stop) {
        while !stop.is_stopped() {
            std::thread::yield_now();
        }
    }

    #[test]
    fn what_is_found_at_once_leaves_nothing_else_to_do() {
        assert_eq!(beside(&Stop::default(), later(), |_| Some(1), |_| 2, |_| true), (Some(1), None));
    }

    #[test]
    fn whoever_is_done_first_ends_the_other() {
        let now = Instant::now();
        let found = beside(&Stop::default(), now, |_| Some(1), wait, |_| true);
        assert!(matches!(found, (Some(1), _)));
        let search = |stop: &Stop| {
            wait(stop);
            None::<i32>
        };
        assert_eq!(beside(&Stop::default(), now, search, |_| 2, |_| true), (None, Some(2)));
    }

    #[test]
    fn whoever_has_no_answer_ends_nothing() {
        let now = Instant::now();
        let slow = |stop: &Stop| {
            std::thread::sleep(Duration::from_millis(20));
            (!stop.is_stopped()).then_some(1)
        };
        assert_eq!(beside(&Stop::default(), now, slow, |_| 2, |_| false), (Some(1), Some(2)));
    }

    #[test]
    fn a_search_in_vain_ends_nothing() {
        let go_on = |stop: &Stop| {
            // The thread is over by then, or will be without stopping anything.
            std::thread::yield_now();
            stop.is_stopped()
        };
        assert_eq!(beside(&Stop::default(), later(), |_| None::<i32>, go_on, |_| true), (None, Some(false)));
    }

    #[test]
    fn both_end_from_above() {
        let stop = Stop::default();
        stop.stop();
        let search = |stop: &Stop| {
            wait(stop);
            None::<i32>
        };
        assert_eq!(beside(&stop, Instant::now(), search, Stop::is_stopped, |_| true), (None, Some(true)));
    }
}
