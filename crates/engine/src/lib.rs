//! What engines share.
//!
//! An [`Engine`] is asked about a [`Task`]: can one of these assertions fail in an execution from this entry? It
//! answers with a bug, a proof, a bound, or nothing. It never decides a verdict: whoever asks replays the bug on the program
//! as it was given, and has the proof checked.
//!
//! What always holds:
//! - an engine gives up when its [`Budget`] is used up, and at once when its [`Stop`] says so;
//! - asked again, a [`Session`] goes on where it was, as far as the engine can;
//! - what engines derive from the program is made once for all of them ([`Shared`]), and what one of them has proved is there
//!   for the others ([`Board`]).

mod board;
mod budget;
mod execution;
mod map_back;
mod oracle;
mod shared;
mod stop;

use std::sync::Arc;

use lariat_certify::Certificate;
use lariat_program::{AssertId, Loc, Program, RegionId, interp::Run};
use lariat_smt::{Reason, Solver, SolverError};
use lariat_term::{Model, Terms};

pub use board::Board;
pub use budget::{Budget, for_many};
pub use execution::{Execution, Instance};
pub use map_back::map_back;
pub use oracle::Oracle;
pub use shared::Shared;
pub use stop::Stop;

/// How the program is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reading {
    /// As it is: what is a bit-vector is one.
    Bits,
    /// With integers and explicit wrap-around in the place of bit-vectors ([`lariat_program::integers`]).
    Integers,
    /// As it is, with a few cells of each map in the place of the whole map (cell abstraction).
    Cells,
    /// Both.
    IntegerCells,
}

impl Reading {
    /// Are bit-vectors read as integers?
    pub fn over_integers(self) -> bool {
        matches!(self, Reading::Integers | Reading::IntegerCells)
    }

    /// Are maps read as a few cells?
    pub fn of_cells(self) -> bool {
        matches!(self, Reading::Cells | Reading::IntegerCells)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Reading::Bits => "bits",
            Reading::Integers => "integers",
            Reading::Cells => "cells",
            Reading::IntegerCells => "cells over integers",
        }
    }
}

/// What an engine is asked: does one of these assertions fail in an execution from the entry?
///
/// All that it holds is shared, so that an engine which cannot be interrupted may be left behind.
#[derive(Clone)]
pub struct Task {
    /// The program as it was given.
    pub given: Arc<Program>,
    /// What passes made of it, with loops as regions. It fails whatever the given one fails.
    pub program: Arc<Program>,
    /// The store of both.
    pub terms: Arc<Terms>,
    /// Where executions start.
    pub entry: RegionId,
    /// The assertions that count, sorted.
    pub asserts: Arc<[AssertId]>,
    /// How the program is read.
    pub reading: Reading,
    /// The solver, as [`lariat_smt::solvers::open`] takes it.
    pub solver: Arc<str>,
    /// What engines derive from the program, and what they have proved.
    pub shared: Arc<Shared>,
    /// Ends the work, also where no budget is at hand.
    pub stop: Stop,
}

/// A way to find bugs or proofs. A new one is an implementation of this, and a row in the schedule.
pub trait Engine: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it does, in a line.
    fn about(&self) -> &'static str;

    /// Begins to work on a task; nothing, if it is not for this engine (there is no map to abstract, say).
    fn start(&self, task: &Task) -> Option<Box<dyn Session>>;
}

/// Work on a task.
pub trait Session {
    /// Works until there is an answer or the budget is used up.
    fn run(&mut self, budget: &Budget) -> Answer;

    /// The store of the bugs that it finds, if it is one that finds any.
    fn terms(&self) -> Option<&Terms> {
        None
    }
}

/// What an engine found.
pub enum Answer {
    /// An execution that should fail.
    Bug(Box<Candidate>),
    /// A run of the interpreter on the program as it was given that fails.
    Run(AssertId, Box<Run>),
    /// No execution fails.
    Proof(Box<dyn Proof>),
    /// No execution fails that stays within a bound.
    Bounded {
        /// How often a region may occur on a stack.
        bound: u32,
        /// What was not explored.
        cut: Vec<(RegionId, Loc)>,
    },
    /// The budget is used up. The session can go on.
    Paused(Reason),
    /// The engine gives up, and why.
    Nothing(String),
}

/// A bug that an engine claims.
pub struct Candidate {
    /// The decisions of the execution, in the program that the engine was asked about; or why they cannot be told.
    pub execution: Result<Execution, SolverError>,
    /// The values that it takes from a solver, in the store of its session.
    pub model: Model,
    /// The axioms of the given program that the solver was told.
    pub axioms: Vec<usize>,
    /// Do others of its axioms speak about what passes have left out?
    pub left_out: bool,
    /// Why the solver gave up, if its model is only what it proposed then.
    pub doubt: Option<Reason>,
}

/// A proof that can be checked.
pub trait Proof {
    /// Does it hold? Questions go to fresh solvers.
    fn check(&mut self, open: OpenSolver<'_>) -> Result<bool, SolverError>;

    /// The proof as data about the program that the engine was asked about, and a store with its terms and those of the
    /// program; nothing, if it cannot be told so. The store that is given is that of the session.
    fn certificate(&mut self, terms: Option<&Terms>) -> Option<(Terms, Certificate)> {
        let _ = terms;
        None
    }
}

/// Opens a fresh solver for some questions.
pub type OpenSolver<'a> = &'a mut dyn FnMut(Questions) -> Result<Box<dyn Solver>, SolverError>;

/// What a solver is opened for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Questions {
    /// One or a few, which may be hard.
    Few,
    /// Many small ones, one after the other.
    Many,
}
