//! What to ask of a program, and with what means.

use std::sync::Arc;

use lariat_engine::{Budget, Engine};
use lariat_localize::{Localize, MinimizerKind, Track};
use lariat_program::{AssertId, Program, RegionId};
use lariat_unfold::{Limits, StrategyKind};

use crate::schedule::{Engines, Row, SCHEDULE};

/// Which assertions to check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Targets {
    /// Whether any fails; the first one found wins.
    #[default]
    Any,
    /// Each one on its own.
    Each,
    /// Only these.
    Only(Vec<AssertId>),
}

/// What bit-vectors are while the program is unfolded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arith {
    /// Bit-vectors.
    #[default]
    Bits,
    /// Integers with explicit wrap-around ([`lariat_program::integers`]). What cannot be read so is unknown.
    Integers,
}

/// What to do and with what means.
#[derive(Clone)]
pub struct Options {
    /// Where executions start; each is checked on its own.
    pub entries: Vec<RegionId>,
    /// Which assertions count.
    pub targets: Targets,
    /// What may answer.
    pub engines: Engines,
    /// The engines that there are, with their shares.
    pub schedule: &'static [Row],
    /// How many engines may work at a time; more than there are processors is no waste, since they share them.
    pub jobs: usize,
    /// What bit-vectors are while the program is unfolded.
    pub arith: Arith,
    /// How to choose what to expand.
    pub strategy: StrategyKind,
    /// Which globals variable abstraction tracks at first.
    pub track: Track,
    /// How it refines.
    pub minimizer: MinimizerKind,
    /// Do all minimisers work on each spurious counterexample, to be compared?
    pub compare_minimizers: bool,
    /// The solver, as [`lariat_smt::solvers::open`] takes it.
    pub solver: String,
    /// Deadline, interruption and memory.
    pub budget: Budget,
    /// How often a region may occur on a stack; whoever gives a bound wants to know what happens within it.
    pub bound: Option<u32>,
    /// How many queries an unfolding may ask. With 0, the answer comes when the first one would be asked: that is how long everything before
    /// takes.
    pub queries: Option<u64>,
    /// How many nodes an unfolding may expand without a query each time that one is asked for.
    pub eager_nodes: u32,
    /// Whether the engines get the program as [`lariat_program::reduce`] leaves it.
    pub reduce: bool,
    /// Whether to wait, once there is an answer, for engines that cannot be interrupted at once. Whoever does not has to end the process
    /// without ceremony ([`lariat_smt::exit_at_once`]): they may still be in a solver's code.
    pub wait: bool,
    /// Whether each proof is told as a certificate and checked before it counts.
    pub certify: bool,
    /// Whether somebody wants to have the certificates: then their check may take longer.
    pub certificates_wanted: bool,
    /// Another solver that is to check certificates, too.
    pub second_opinion: Option<Arc<str>>,
    /// How predicate abstraction works, and whether somebody wants to see what it has explored.
    pub predicates: lariat_predicate::Settings,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            entries: Vec::new(),
            targets: Targets::default(),
            engines: Engines::default(),
            schedule: SCHEDULE,
            jobs: JOBS,
            arith: Arith::default(),
            strategy: StrategyKind::default(),
            track: Track::default(),
            minimizer: MinimizerKind::default(),
            compare_minimizers: false,
            solver: "auto".into(),
            budget: Budget::default(),
            bound: None,
            queries: None,
            eager_nodes: Limits::default().eager_nodes,
            reduce: true,
            wait: true,
            certify: true,
            certificates_wanted: false,
            second_opinion: None,
            predicates: lariat_predicate::Settings::default(),
        }
    }
}

/// All of the schedule: engines share the processors by their weights, and none is interrupted for another.
const JOBS: usize = usize::MAX;

/// Where all executions end, unfolding decides; with so many globals, it is worth to try with a few of them beside it.
const MANY_GLOBALS: usize = 16;

impl Options {
    /// The engines beside unfolding that work on this entry.
    pub(crate) fn rows(&self, program: &Program, entry: RegionId) -> Vec<&'static Row> {
        let mut rows = self.engines.others(self.schedule);
        if !self.beside(program, entry) {
            let limited = self.bound.is_some() || self.queries.is_some();
            let abstracts = !limited && self.track == Track::Auto && program.globals.len() >= MANY_GLOBALS;
            rows.retain(|row| abstracts && row.engine.name() == Localize.name());
        }
        rows
    }

    /// Do all engines work on this entry? A proof for every bound is worth its time only where an execution
    /// can go on without end, and nobody who gives a bound asks for one.
    fn beside(&self, program: &Program, entry: RegionId) -> bool {
        if !self.engines.unfolds() {
            return true;
        }
        let recursive = lariat_program::recursive_regions(program);
        self.bound.is_none() && program.reached(entry).iter().any(|r| recursive[r.index()])
    }
}
