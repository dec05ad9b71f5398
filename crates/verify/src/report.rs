//! What there is to say about a program.

use std::{sync::Arc, time::Duration};

use lariat_certify::{Certificate, Checked, Goal};
use lariat_engine::Reading;
use lariat_horn::Rejection;
use lariat_predicate::Exploration;
use lariat_program::{AssertId, Loc, Program, RegionId, interp::Run};
use lariat_term::Terms;
use lariat_unfold::{Specification, Stats};

use crate::vacuity::Vacuity;

/// The answer.
#[derive(Debug)]
pub enum Verdict {
    /// An assertion fails in an execution that was replayed.
    Unsafe(Box<Bug>),
    /// No assertion fails in any execution.
    Safe,
    /// No assertion fails in any execution that stays within the bound.
    Bounded {
        /// How often a region may occur on a stack.
        bound: u32,
        /// What was not explored.
        cut: Vec<Cut>,
    },
    /// No answer, and why.
    Unknown(String),
}

/// A bug.
#[derive(Debug)]
pub struct Bug {
    /// The assertion that fails.
    pub assertion: AssertId,
    /// Where the execution starts.
    pub entry: RegionId,
    /// The replayed execution with its trace.
    pub run: Run,
}

/// A loop or call that the bound cut off.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cut {
    /// The region that was not entered again.
    pub region: RegionId,
    /// The box.
    pub loc: Loc,
}

/// The proof about an entry as a certificate, and what the checker says of it.
pub struct Certified {
    /// Where executions start.
    pub entry: RegionId,
    /// The certificate, about the program as it was given, and the store of its terms; nothing for proofs that have none.
    pub certificate: Option<(Terms, Certificate)>,
    /// The engine that found the proof.
    pub engine: String,
    /// What the checker says.
    pub checked: Checked,
    /// What it says with another solver, if it was asked.
    pub second: Option<Checked>,
    /// How long it took to make the certificate.
    pub making: Duration,
    /// How long the check took.
    pub checking: Duration,
}

impl Certified {
    /// Was the certificate accepted?
    pub fn is_accepted(&self) -> bool {
        self.checked == Checked::Proved
    }

    /// Does the certificate claim what does not hold? One that says nothing about some procedure is not wrong, but incomplete.
    pub(crate) fn is_rejected(&self) -> bool {
        match self.checked {
            Checked::Fails(goal) => !matches!(goal, Goal::LeftOut(..)),
            Checked::Malformed(_) => true,
            Checked::Proved | Checked::Unknown(_) => false,
        }
    }
}

impl std::fmt::Debug for Certified {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Certified").field("entry", &self.entry).field("checked", &self.checked).finish_non_exhaustive()
    }
}

/// An answer by variable abstraction.
#[derive(Clone, Debug)]
pub struct Tracking {
    /// Where executions start.
    pub entry: RegionId,
    /// Is it a proof?
    pub proved: bool,
    /// What was tracked, and what it took.
    pub stats: lariat_localize::Stats,
}

/// What is known of one assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It fails in a replayed execution.
    Failed,
    /// It cannot fail.
    Proved,
    /// It cannot fail within the bound.
    Bounded(u32),
    /// No entry leads to it.
    NotReached,
    /// Nothing is known.
    NotChecked,
}

/// The result of a run.
#[derive(Debug)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// What is known of each assertion, by its index.
    pub assertions: Vec<Fate>,
    /// The engines whose answers the verdict rests on, each once.
    pub engines: Vec<String>,
    /// Counters, over all entries.
    pub stats: Stats,
    /// How long it took.
    pub time: Duration,
    /// Bugs that replayed, and bugs found.
    pub replayed: (u64, u64),
    /// What was used of the callee at each call site, over all entries (strategy `infer` only).
    pub specifications: Vec<Specification>,
    /// Counterexamples that did not replay, proofs that were not accepted, and engines that contradict each other.
    pub incidents: Vec<Incident>,
    /// The certificates of the proofs, and what the checker says of them.
    pub certificates: Vec<Certified>,
    /// What predicate abstraction has explored, by entry and reading.
    pub explorations: Vec<(RegionId, Reading, Arc<Exploration>)>,
    /// Candidates for invariants that are not inductive, and why.
    pub rejected: Vec<(AssertId, Rejection)>,
    /// The variables that answers by variable abstraction needed.
    pub tracking: Vec<Tracking>,
    /// Did engines contradict each other? That is a fault of Lariat, and no verdict counts.
    pub contradiction: bool,
    /// If the verdict is safe: why that says little.
    pub vacuous: Vec<Vacuity>,
}

impl Report {
    /// Before anything is known.
    pub(crate) fn new(program: &Program) -> Report {
        Report {
            verdict: Verdict::Safe,
            assertions: vec![Fate::NotReached; program.assertions.len()],
            engines: Vec::new(),
            stats: Stats::default(),
            time: Duration::ZERO,
            replayed: (0, 0),
            specifications: Vec::new(),
            incidents: Vec::new(),
            certificates: Vec::new(),
            explorations: Vec::new(),
            rejected: Vec::new(),
            tracking: Vec::new(),
            contradiction: false,
            vacuous: Vec::new(),
        }
    }
}

/// A counterexample that did not replay (a fault of the solver or of Lariat, or a value that Lariat
/// cannot express), or a proof whose certificate was not accepted. What is needed to look into it.
#[derive(Debug)]
pub struct Incident {
    /// What happened, in a sentence.
    pub message: String,
    /// Where the execution starts.
    pub entry: RegionId,
    /// The interpreter's run, as far as it went; `None` if it did not start.
    pub run: Option<Box<Run>>,
    /// The values of the solver's variables, in SMT-LIB syntax, by name; or the certificate.
    pub values: Vec<(String, String)>,
}
