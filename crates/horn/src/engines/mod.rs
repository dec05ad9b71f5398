//! Engines that prove programs for every bound, from Horn clauses.

mod annotations;
mod explicit_values;
mod k_induction;
mod spacer;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::SeqCst},
};

use lariat_certify::Certificate;
use lariat_engine::{Answer, Budget, OpenSolver, Proof, Questions, Reading, Task};
use lariat_program::{Program, RegionId, integers::Integers};
use lariat_smt::SolverError;
use lariat_term::{SortKind, Terms};

use crate::{Goal, Solution, System, bits::over_bits, certificate::certificate};

pub use annotations::{Annotations, Needed, needed, rejected};
pub use explicit_values::ExplicitValues;
pub use k_induction::KInduction;
pub use spacer::Spacer;

/// The clauses of a task in one reading, and the store that they live in.
pub struct Clauses {
    /// The store.
    pub terms: Terms,
    /// The clauses.
    pub system: System,
    /// Do the clauses say no more than the program? Then there is no proof if they cannot be satisfied.
    pub exact: bool,
    /// What solutions are about.
    pub(crate) about: About,
}

/// What program clauses are about.
#[derive(Clone)]
pub(crate) enum About {
    /// The task's, statement by statement; nothing that certificates can tell.
    Statements,
    /// The task's, as it is.
    Program,
    /// The task's, read over integers.
    Integers(Arc<Integers>),
}

impl Clauses {
    /// A solution as a certificate of the task's program; `None` if it cannot be told so.
    pub fn certificate(&self, terms: &mut Terms, entry: RegionId, solution: &Solution) -> Option<Certificate> {
        self.certificate_after(terms, entry, solution, 0)
    }

    /// The same for invariants with which nothing fails in a round after k others.
    pub fn certificate_after(
        &self,
        terms: &mut Terms,
        entry: RegionId,
        solution: &Solution,
        k: u32,
    ) -> Option<Certificate> {
        match &self.about {
            About::Statements => None,
            About::Program => certificate(&self.system, terms, entry, solution, k),
            About::Integers(integers) => {
                let certificate = certificate(&self.system, terms, entry, solution, k)?;
                over_bits(terms, integers, &certificate)
            }
        }
    }
}

impl Clauses {
    /// The reading over integers that the clauses are about; nothing if they are about the task's program as it is.
    pub fn integers(&self) -> Option<&Integers> {
        match &self.about {
            About::Program | About::Statements => None,
            About::Integers(integers) => Some(integers),
        }
    }

    /// Those of a task, made once for all engines; `None` if there are none in its reading.
    pub fn of(task: &Task) -> Option<Arc<Clauses>> {
        let made = task.shared.get(task.reading, || Clauses::make(task).map(Arc::new));
        (*made).clone()
    }

    fn make(task: &Task) -> Option<Clauses> {
        let whole = |reading| Clauses::of(&Task { reading, ..task.clone() });
        match task.reading {
            Reading::Bits => Clauses::new(task, &task.program, Terms::clone(&task.terms)),
            Reading::Integers => {
                if !has_bits(&task.program, &task.terms, task.entry) {
                    return None;
                }
                let mut terms = Terms::clone(&task.terms);
                let integers = Integers::new(&task.program, &mut terms, &[task.entry]).ok()?;
                let clauses = Clauses::new(task, &integers.program, terms)?;
                Some(Clauses { about: About::Integers(Arc::new(integers)), ..clauses })
            }
            Reading::Cells => Clauses::of_cells(task, &*whole(Reading::Bits)?),
            Reading::IntegerCells => Clauses::of_cells(task, &*whole(Reading::Integers)?),
        }
    }

    /// Those of a task with a relation at each statement, for the reading of the program as it is; `None` if they are too many.
    pub fn of_statements(task: &Task) -> Option<Arc<Clauses>> {
        let mut terms = Terms::clone(&task.terms);
        let counts = |a| task.asserts.binary_search(&a).is_ok();
        let goal =
            Goal { program: &task.program, entry: task.entry, counts: &counts, go_on: &|| !task.stop.is_stopped() };
        let system = System::statements(&goal, &mut terms)?;
        Some(Arc::new(Clauses { terms, system, exact: true, about: About::Statements }))
    }

    fn new(task: &Task, program: &Program, mut terms: Terms) -> Option<Clauses> {
        let counts = |a| task.asserts.binary_search(&a).is_ok();
        let goal = Goal { program, entry: task.entry, counts: &counts, go_on: &|| !task.stop.is_stopped() };
        let system = System::new(&goal, &mut terms)?;
        Some(Clauses { terms, system, exact: true, about: About::Program })
    }

    fn of_cells(task: &Task, whole: &Clauses) -> Option<Clauses> {
        let mut terms = whole.terms.clone();
        let system = whole.system.cells(&mut terms, &|| !task.stop.is_stopped())?;
        Some(Clauses { terms, system, exact: false, about: whole.about.clone() })
    }
}

/// A solution of the clauses as a proof.
pub struct Satisfied {
    /// The clauses.
    pub clauses: Arc<Clauses>,
    /// Where executions start.
    pub entry: RegionId,
    /// The store of the solution.
    pub terms: Terms,
    /// What relations are.
    pub solution: Solution,
}

impl Proof for Satisfied {
    fn check(&mut self, open: OpenSolver<'_>) -> Result<bool, SolverError> {
        self.solution.check(&self.clauses.system, &mut self.terms, &mut || open(Questions::Few))
    }

    fn certificate(&mut self, _: Option<&Terms>) -> Option<(Terms, Certificate)> {
        let mut terms = self.terms.clone();
        let certificate = self.clauses.certificate(&mut terms, self.entry, &self.solution)?;
        Some((terms, certificate))
    }
}

/// Invariants that the clauses of a reading keep, on the board: claims, and the store that they live in, which has all terms of
/// the clauses.
pub(crate) struct Invariants {
    pub terms: Terms,
    pub claims: Solution,
}

impl Invariants {
    /// Those that an engine has found for the reading of a task, so far.
    pub fn of(task: &Task) -> Option<Arc<Invariants>> {
        task.shared.board.facts(task.reading)
    }
}

/// Whether an engine has found that there is no proof from clauses. Nothing checks that, so it is no bug; but nobody needs to
/// look for one.
#[derive(Default)]
pub struct NoProof(AtomicBool);

impl NoProof {
    /// What is known of a task.
    pub fn of(task: &Task) -> Arc<NoProof> {
        task.shared.get(Reading::Bits, NoProof::default)
    }

    /// Has an engine found that?
    pub fn is_known(&self) -> bool {
        self.0.load(SeqCst)
    }

    /// Says so.
    pub fn found(&self) {
        self.0.store(true, SeqCst);
    }
}

const NO_PROOF: &str = "the clauses cannot be satisfied";

/// What it means that nothing was found: the time is over, or the engine gives up.
fn nothing(budget: &Budget, why: &str) -> Answer {
    budget.used_up().map_or_else(|| Answer::Nothing(why.into()), Answer::Paused)
}

/// What it means that a solver failed.
fn failed(budget: &Budget, error: &SolverError) -> Answer {
    nothing(budget, &error.to_string())
}

/// Does the program compute with bit-vectors?
fn has_bits(program: &Program, terms: &Terms, entry: RegionId) -> bool {
    let mut roots = Vec::new();
    for r in program.reached(entry) {
        program.regions[r.index()].blocks.iter().for_each(|b| b.for_each_term(|t| roots.push(t)));
    }
    terms.used_sorts(&roots).iter().any(|&s| matches!(terms.sort_kind(s), SortKind::BitVec(_)))
}

/// Does the task have clauses in this reading?
pub fn has_reading(task: &Task, reading: Reading) -> bool {
    Clauses::of(&Task { reading, ..task.clone() }).is_some()
}

/// Has an engine found that there is no proof from the clauses of a task? Nothing checks that.
pub fn no_proof(task: &Task) -> bool {
    NoProof::of(task).is_known()
}
