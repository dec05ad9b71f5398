//! Provers one by one, as tests compare them: each proves for every bound or finds a failing run, without the others.
//!
//! [`verify`](crate::verify) lets them take turns. Here, one alone is asked about one entry of a program; what it says is
//! checked as it is there, and nothing is added.

use std::time::{Duration, Instant};

use lariat_horn::Search;
use lariat_program::{AssertId, Program, RegionId, interp::Run};
use lariat_smt::SolverError;
use lariat_term::Terms;
use lariat_unfold::Limits;

use crate::{
    prove::{Claimed, Reading, inductive, integer_readings, listed, readings, spacer},
    trial::trial,
};

/// One way to prove a program for every bound, or to find a failing run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prover {
    /// Explicit-value analysis with predicates ([`lariat_horn::Tables`]).
    ExplicitValues,
    /// k-induction with inferred invariants ([`lariat_horn::Induction`]).
    KInduction,
    /// Cell abstraction of maps ([`lariat_horn::System::cells`]), solved by Spacer, over bits and over integers.
    Cells,
    /// Spacer on the program as it is.
    Spacer,
    /// Spacer on the program of bit-vectors as it is over integers ([`lariat_program::integers`]).
    SpacerInt,
    /// Random runs of the interpreter.
    RandomRuns,
}

impl Prover {
    /// All of them.
    pub const ALL: [Prover; 6] = [
        Prover::ExplicitValues,
        Prover::KInduction,
        Prover::Cells,
        Prover::Spacer,
        Prover::SpacerInt,
        Prover::RandomRuns,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Prover::ExplicitValues => "explicit-values",
            Prover::KInduction => "k-induction",
            Prover::Cells => "cells",
            Prover::Spacer => "spacer",
            Prover::SpacerInt => "spacer-int",
            Prover::RandomRuns => "random-runs",
        }
    }
}

/// What a prover is asked: does one of these (sorted) assertions fail in an execution from the entry?
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The program, with loops as regions.
    pub program: &'a Program,
    /// Its store.
    pub terms: &'a Terms,
    /// Where executions start.
    pub entry: RegionId,
    /// The assertions that count.
    pub covered: &'a [AssertId],
    /// The solver, as [`lariat_smt::solvers::open`] takes it.
    pub solver: &'a str,
    /// Interruption and memory.
    pub limits: &'a Limits,
    /// For how long to look for an answer. To check it takes time, too.
    pub time: Duration,
}

/// What a prover says.
#[derive(Debug)]
pub enum Answer {
    /// No execution fails; the certificate was checked.
    Proved,
    /// This run fails.
    Refuted(AssertId, Box<Run>),
    /// The prover says that there is no proof. Nothing checks that, so it is not an answer.
    NoProof,
    /// It does not know.
    Unknown,
}

impl Prover {
    /// Asks this prover alone.
    pub fn ask(self, task: &Task<'_>) -> Result<Answer, SolverError> {
        let &Task { program, terms, entry, covered, solver, limits, time } = task;
        let (end, until) = (Instant::now() + time, Instant::now() + time * 4);
        let own = || readings(program, terms.clone(), entry, covered);
        let integers = || integer_readings(program, terms, entry, covered);
        let said = |proved| if proved { Answer::Proved } else { Answer::Unknown };
        // Both ways of search share the time.
        let solved = |mut found: Vec<Reading>| {
            let weight = 2 * found.len() as u32;
            let mut answer = Answer::Unknown;
            for reading in &mut found {
                for search in [Search::Global, Search::Local] {
                    match spacer(reading, search, time / weight, solver, limits, until)? {
                        Claimed::Proof => return Ok(Answer::Proved),
                        Claimed::NoProof if reading.exact => answer = Answer::NoProof,
                        Claimed::NoProof | Claimed::Nothing => {}
                    }
                }
            }
            Ok(answer)
        };
        let exact = |found: Vec<Reading>| found.into_iter().filter(|r| r.exact).collect();
        match self {
            Prover::ExplicitValues => match own().first_mut() {
                Some(reading) => listed(reading, solver, limits, end, until).map(said),
                None => Ok(Answer::Unknown),
            },
            Prover::KInduction => match own().first_mut() {
                Some(reading) => inductive(reading, solver, limits, time / 2).map(said),
                None => Ok(Answer::Unknown),
            },
            Prover::Cells => solved(own().into_iter().chain(integers()).filter(|r| !r.exact).collect()),
            Prover::Spacer => solved(exact(own())),
            Prover::SpacerInt => solved(exact(integers())),
            Prover::RandomRuns => {
                let found =
                    trial(program, terms, entry, covered, Instant::now() + time / 4, &|| limits.stop.is_stopped());
                Ok(found.map_or(Answer::Unknown, |(id, run)| Answer::Refuted(id, Box::new(run))))
            }
        }
    }
}
