//! What to ask of a program, and with what means.

use lariat_program::{AssertId, RegionId};
use lariat_unfold::{Limits, StrategyKind};

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

/// What may answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineKind {
    /// Unfolding, and Horn clauses where it would go on and on.
    #[default]
    Portfolio,
    /// Unfolding alone.
    Unfold,
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
#[derive(Clone, Debug)]
pub struct Options {
    /// Where executions start; each is checked on its own.
    pub entries: Vec<RegionId>,
    /// Which assertions count.
    pub targets: Targets,
    /// What may answer.
    pub engine: EngineKind,
    /// What bit-vectors are while the program is unfolded.
    pub arith: Arith,
    /// How to choose what to expand.
    pub strategy: StrategyKind,
    /// The solver, as [`lariat_smt::solvers::open`] takes it.
    pub solver: String,
    /// Deadline, interruption, memory and recursion bound.
    pub limits: Limits,
    /// Whether the engines get the program as [`lariat_program::reduce`] leaves it.
    pub reduce: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            entries: Vec::new(),
            targets: Targets::default(),
            engine: EngineKind::default(),
            arith: Arith::default(),
            strategy: StrategyKind::default(),
            solver: "auto".into(),
            limits: Limits::default(),
            reduce: true,
        }
    }
}
