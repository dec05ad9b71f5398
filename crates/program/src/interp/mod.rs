//! A concrete interpreter: runs a program on values, exactly or not at all.
//!
//! A program (with loops as regions, or with cyclic graphs as front ends make them) and a
//! [`ValueSource`] go in; a [`Run`] comes out: how it ended, what happened, and the final values.
//! Frames are explicit, so neither recursion nor iteration can overflow the native stack; a region
//! that boxes itself at its end (a loop) reuses its frame. No term is built while running.
//!
//! Nothing is guessed: whatever the program leaves open is asked for. What cannot be evaluated (a
//! quantifier over the integers that matters, say) the source may be able to compute; otherwise it
//! ends the run as [`Outcome::Stuck`].

mod code;
mod machine;
mod source;
mod trace;
mod world;

use std::{fmt, sync::Arc};

use lariat_term::{EvalError, Terms, Value, Var};
use rustc_hash::FxHashMap;

pub use source::{Asked, At, Defaults, Query, Random, Recorded, ValueSource};
pub use trace::{Event, Trace, TraceLevel};

use crate::{
    ir::{AssertId, Loc, Program, RegionId},
    verify::{Stage, Violation, verify},
};
use code::Slot;

/// Says whether a run must end.
#[derive(Clone)]
pub struct Stopped(pub Arc<dyn Fn() -> bool + Send + Sync>);

impl fmt::Debug for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Stopped").field(&(self.0)()).finish()
    }
}

/// Limits and choices for runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// Statements and jumps (and evaluations of defined functions) that a run may take.
    pub steps: u64,
    /// Whether a run must end, as if its steps were used up; asked every few steps.
    pub stopped: Option<Stopped>,
    /// Variables that all frames together may hold.
    pub stack: usize,
    /// Entries that one array may have.
    pub array_entries: usize,
    /// Instances of quantifiers that the evaluation of one term may try.
    pub instances: u64,
    /// What the trace records.
    pub trace: TraceLevel,
    /// How many events a trace holds; the oldest are dropped first.
    pub trace_events: usize,
    /// At a `goto`, leave out targets whose leading assumptions fail; only what is left is a choice.
    pub look_ahead: bool,
    /// Axioms to evaluate at the start; a run in which one is false is blocked there.
    pub axioms: Axioms,
    /// Whether the source may be asked to compute axioms that cannot be evaluated; else they stay
    /// unchecked.
    pub compute_axioms: bool,
    /// Ask for outputs that were never set when their region returns, not when they are first read.
    pub settle_outputs: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            steps: 10_000_000,
            stopped: None,
            stack: 1 << 26,
            array_entries: 1 << 20,
            instances: 1 << 16,
            trace: TraceLevel::Changes,
            trace_events: 1 << 18,
            look_ahead: true,
            axioms: Axioms::All,
            compute_axioms: true,
            settle_outputs: false,
        }
    }
}

/// A choice among the axioms of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Axioms {
    /// All of them.
    All,
    /// Those at these positions.
    Only(Vec<usize>),
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The region where it started returned.
    Completed,
    /// An assertion does not hold.
    AssertionFailed {
        /// Which.
        id: AssertId,
        /// The statement.
        loc: Loc,
    },
    /// An assumption (or an axiom) does not hold: this is no run of the program.
    AssumeFailed {
        /// Which.
        loc: Loc,
    },
    /// A `goto` without targets: the run ends without failing.
    Stopped,
    /// The limit on steps (or time) was reached.
    StepLimit,
    /// The run cannot go on.
    Stuck {
        /// Why.
        reason: Reason,
        /// Where.
        loc: Loc,
    },
}

/// Why a run is stuck.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// A term has no value that can be computed.
    Eval(EvalError),
    /// The source of values has none for this variable or function.
    NoAnswer {
        /// Its name.
        name: String,
    },
    /// The source of values gave one of another sort.
    WrongSort {
        /// The name of the variable or function.
        name: String,
    },
    /// A solver's own function.
    Builtin {
        /// Its name.
        name: String,
    },
    /// The value of a function depends on itself.
    CircularFunction,
    /// More function values than can be kept.
    TooManyFunctionValues,
    /// An array has more entries than [`Options::array_entries`].
    ArrayTooBig,
    /// More variables than [`Options::stack`].
    StackTooBig,
    /// The source chose a target that does not exist, or none.
    NoTarget,
    /// The region to start in does not exist.
    NoRegion,
    /// More steps than [`Options::steps`] inside a term (never seen outside: it is the outcome
    /// [`Outcome::StepLimit`]).
    Steps,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Eval(e) => write!(f, "{e}"),
            Reason::NoAnswer { name } => write!(f, "there is no value for `{name}`"),
            Reason::WrongSort { name } => write!(f, "the value for `{name}` is of another sort"),
            Reason::Builtin { name } => write!(f, "`{name}` is a solver's own function"),
            Reason::CircularFunction => f.write_str("the value of a function depends on itself"),
            Reason::TooManyFunctionValues => f.write_str("too many function values"),
            Reason::ArrayTooBig => f.write_str("an array has too many entries"),
            Reason::StackTooBig => f.write_str("the calls are nested too deep"),
            Reason::NoTarget => f.write_str("no target was chosen"),
            Reason::NoRegion => f.write_str("there is no such region"),
            Reason::Steps => f.write_str("the step limit was reached"),
        }
    }
}

/// What a run did.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// What happened.
    pub trace: Trace,
    /// How many steps it took.
    pub steps: u64,
    /// The globals at the end; `None` where the run never needed a value.
    pub globals: Vec<(Var, Option<Value>)>,
    /// The variables that have a value in the region that was running at the end.
    pub locals: Vec<(Var, Value)>,
    /// The outputs of the region where it started, if it completed.
    pub outputs: Vec<(Var, Option<Value>)>,
    /// Positions of axioms that could not be evaluated: the run may violate them.
    pub unchecked_axioms: Vec<usize>,
    /// The first construct that it met which is only approximated, whatever the trace remembers.
    pub approximated: Option<AssertId>,
}

/// Runs a program.
pub struct Interpreter<'a> {
    program: &'a Program,
    terms: &'a Terms,
    shared: FxHashMap<Var, Slot>,
    options: Options,
}

impl<'a> Interpreter<'a> {
    /// An interpreter for a program that satisfies the verifier (at either stage).
    pub fn new(program: &'a Program, terms: &'a Terms, options: Options) -> Result<Self, Vec<Violation>> {
        verify(program, terms, Stage::Graph)?;
        let globals = program.globals.iter().enumerate().map(|(i, d)| (d.var, Slot::Global(i as u32)));
        let constants = program.constants.iter().enumerate().map(|(i, d)| (d.var, Slot::Constant(i as u32)));
        Ok(Interpreter { program, terms, shared: globals.chain(constants).collect(), options })
    }

    /// Runs a region from its entry until it ends.
    pub fn run(&self, entry: RegionId, source: &mut dyn ValueSource) -> Run {
        machine::run(self, entry, source)
    }
}
