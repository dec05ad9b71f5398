//! What every solver offers: the [`Solver`] trait and the data that goes in and out.

use std::{borrow::Cow, fmt, time::Duration};

use lariat_term::{Func, Term, Terms, Var};

use crate::{Interrupter, Model};

/// An SMT solver with a stack of assertions.
///
/// All terms given to one solver must come from one [`Terms`] store, or from clones of it that only
/// grew: the solver remembers what it has translated by the terms' ids.
///
/// What always holds: a solver that fails or talks nonsense gives an error, never an answer; after an error in `assert`, `push` or `pop` the stack is as it was.
pub trait Solver: Send {
    /// The solver's name, such as `z3`.
    fn name(&self) -> &str;

    /// The solver's version; empty if it does not say.
    fn version(&self) -> &str;

    /// Makes a symbol known. Asserting a term that has it does so by itself; a declaration in
    /// advance only makes sure that models give it a value.
    fn declare(&mut self, terms: &Terms, symbol: Declaration) -> Result<(), SolverError>;

    /// Asserts a Boolean term without loose bound variables.
    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolverError>;

    /// Opens a scope.
    fn push(&mut self) -> Result<(), SolverError>;

    /// Closes `n` scopes and forgets what was asserted and declared in them.
    fn pop(&mut self, n: u32) -> Result<(), SolverError>;

    /// How many scopes are open.
    fn depth(&self) -> u32;

    /// Is there an interpretation that satisfies all assertions and these Boolean terms?
    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError>;

    /// As [`check`](Solver::check), with a model that violates soft terms of the least total weight
    /// (weighted MaxSAT). Each weight must be positive. Solvers without such a thing say
    /// [`SolverError::Unsupported`].
    fn optimize(&mut self, terms: &Terms, assumptions: &[Term], soft: &[Soft]) -> Result<Answer, SolverError> {
        let _ = (terms, assumptions, soft);
        Err(SolverError::Unsupported { solver: self.name().into(), what: "soft constraints".into() })
    }

    /// What the last check proposed as a model when it gave up ([`Reason::Incomplete`]), if it did:
    /// an interpretation that may well violate assertions, above all quantified ones.
    fn candidate(&mut self) -> Option<Model> {
        None
    }

    /// Sets the limits of each following check.
    fn set_limits(&mut self, limits: Limits);

    /// A handle that stops a check from another thread.
    fn interrupter(&self) -> Interrupter;

    /// What the solver did so far.
    fn statistics(&self) -> Stats;

    /// Whether each answer is checked: models by evaluation of all assertions, cores by a fresh
    /// solver. On at first in debug builds only.
    fn set_checking(&mut self, on: bool);
}

/// A Boolean term that should hold, and what it costs if it does not.
pub type Soft = (Term, u64);

/// The answer of [`Solver::check`].
#[derive(Debug)]
pub enum Answer {
    /// Satisfiable; the model gives values on demand.
    Sat(Model),
    /// Unsatisfiable, because of the assertions and these assumptions.
    Unsat(Core),
    /// The solver does not know.
    Unknown(Reason),
}

impl Answer {
    /// Satisfiable?
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    /// Unsatisfiable?
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }

    /// Not decided?
    pub fn is_unknown(&self) -> bool {
        matches!(self, Answer::Unknown(_))
    }
}

/// The assumptions, in their order and without duplicates, that were used to show that there is no
/// model. Not minimal in general.
pub type Core = Vec<Term>;

/// Why a solver does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time limit was reached.
    Timeout,
    /// The resource limit was reached.
    ResourceLimit,
    /// The memory limit was reached.
    MemoryLimit,
    /// [`Interrupter::interrupt`] was called.
    Interrupted,
    /// The solver gave up, in its own words.
    Incomplete(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => f.write_str("time limit reached"),
            Reason::ResourceLimit => f.write_str("resource limit reached"),
            Reason::MemoryLimit => f.write_str("memory limit reached"),
            Reason::Interrupted => f.write_str("interrupted"),
            Reason::Incomplete(why) => write!(f, "the solver gave up: {why}"),
        }
    }
}

/// Limits of one check. `None` means: none.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Steps in a unit of the solver; unlike time, the same on every run.
    pub resource: Option<u64>,
    /// Memory in megabytes.
    pub memory: Option<u32>,
}

impl Limits {
    /// Only a time limit.
    pub fn time(limit: Duration) -> Limits {
        Limits { time: Some(limit), ..Limits::default() }
    }
}

/// A symbol to declare.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Declaration {
    /// A free variable.
    Var(Var),
    /// A function.
    Func(Func),
}

/// Counters of one solver.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Stats {
    /// Calls of [`Solver::check`].
    pub queries: u64,
    /// Satisfiable ones.
    pub sat: u64,
    /// Unsatisfiable ones.
    pub unsat: u64,
    /// Undecided ones.
    pub unknown: u64,
    /// Checks that ended in an error.
    pub errors: u64,
    /// Time spent in checks.
    pub time: Duration,
    /// Terms asserted, over all scopes.
    pub asserted: u64,
    /// How often the solver was made anew and told everything again.
    pub restarts: u64,
    /// Models and cores that were checked, where that is on.
    pub checked: u64,
    /// The solver's own counters, if it has any, by name.
    pub own: Vec<(String, f64)>,
}

/// A logic of SMT-LIB. A solver made for a logic can be much faster than a general one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Logic(Cow<'static, str>);

impl Logic {
    /// Bit-vectors without quantifiers.
    pub const QF_BV: Logic = Logic(Cow::Borrowed("QF_BV"));
    /// Bit-vectors with uninterpreted functions, without quantifiers.
    pub const QF_UFBV: Logic = Logic(Cow::Borrowed("QF_UFBV"));
    /// Bit-vectors and arrays without quantifiers.
    pub const QF_ABV: Logic = Logic(Cow::Borrowed("QF_ABV"));
    /// Bit-vectors, arrays and uninterpreted functions without quantifiers.
    pub const QF_AUFBV: Logic = Logic(Cow::Borrowed("QF_AUFBV"));
    /// Linear integer arithmetic without quantifiers.
    pub const QF_LIA: Logic = Logic(Cow::Borrowed("QF_LIA"));
    /// Everything.
    pub const ALL: Logic = Logic(Cow::Borrowed("ALL"));

    /// The logic of this name; `None` if it is not a name at all.
    pub fn new(name: &str) -> Option<Logic> {
        let ok = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        ok.then(|| Logic(Cow::Owned(name.to_owned())))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// Why a solver could not do what it was asked.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SolverError {
    /// The solver has no such operator, sort or option.
    #[error("{solver} does not support {what}")]
    Unsupported {
        /// The solver.
        solver: String,
        /// The operator, sort or option.
        what: String,
    },
    /// The solver reported an error.
    #[error("{solver} failed: {message}")]
    Failed {
        /// The solver.
        solver: String,
        /// In its own words.
        message: String,
    },
    /// The solver's program cannot be started.
    #[error("cannot start {command}: {message}")]
    Missing {
        /// The program.
        command: String,
        /// What the system says.
        message: String,
    },
    /// The solver's process ended without being asked to.
    #[error("{solver} died{}", if .message.is_empty() { String::new() } else { format!(": {}", .message) })]
    Died {
        /// The solver.
        solver: String,
        /// How, as far as known.
        message: String,
    },
    /// The solver answered something that is not SMT-LIB.
    #[error("{solver} gave an answer that makes no sense: {message}")]
    Nonsense {
        /// The solver.
        solver: String,
        /// What was wrong, with the start of the answer.
        message: String,
    },
    /// The solver's answer was checked and is wrong.
    #[error("{} gave a wrong answer: {}", .0.solver, .0.what)]
    Unsound(Box<Unsound>),
    /// The model has a value that Lariat cannot express, such as an irrational number.
    #[error("the model has no value for {what}")]
    NoValue {
        /// The term or symbol.
        what: String,
    },
    /// The caller asked for something impossible, such as closing a scope that is not open.
    #[error("wrong use of a solver: {0}")]
    Misuse(String),
}

/// An answer that is not true, with what a report to the solver's authors needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsound {
    /// The solver.
    pub solver: String,
    /// What is wrong with its answer.
    pub what: String,
    /// The whole query in SMT-LIB.
    pub query: String,
}
