//! Houdini, as an engine: contracts are inferred first, and then what they leave open is unfolded.

use lariat_certify::Certificate;
use lariat_engine::{Answer, Budget, Engine, OpenSolver, Proof, Session, Task};
use lariat_houdini::{Inferred, candidates, infer};
use lariat_program::{AssertId, RegionId};
use lariat_smt::SolverError;
use lariat_summary::Summaries;
use lariat_term::Terms;
use lariat_unfold::{EngineError, Limits, StrategyKind, Target};

use super::{Question, UnfoldSession};

/// Infers contracts of regions, and unfolds with them as summaries.
pub(crate) struct Houdini;

impl Engine for Houdini {
    fn name(&self) -> &'static str {
        "houdini"
    }

    fn about(&self) -> &'static str {
        "contracts of procedures and loops by Houdini, as summaries for the unfolding"
    }

    fn start(&self, task: &Task) -> Option<Box<dyn Session>> {
        Some(Box::new(Work { task: task.clone(), inferred: None, terms: Terms::clone(&task.terms) }))
    }
}

struct Work {
    task: Task,
    /// The contracts, once they are known.
    inferred: Option<Inferred>,
    /// The store of the contracts, and of a bug.
    terms: Terms,
}

impl Session for Work {
    fn run(&mut self, budget: &Budget) -> Answer {
        match self.try_run(budget) {
            Ok(answer) => answer,
            Err(error) => match budget.used_up() {
                Some(reason) => Answer::Paused(reason),
                None => Answer::Nothing(error.to_string()),
            },
        }
    }

    fn terms(&self) -> Option<&Terms> {
        Some(&self.terms)
    }
}

impl Work {
    fn try_run(&mut self, budget: &Budget) -> Result<Answer, EngineError> {
        let Task { given, program, entry, asserts, solver, .. } = &self.task;
        let inferred = match &self.inferred {
            Some(inferred) => inferred,
            None => {
                let mut summaries = Summaries::new(program, &mut self.terms);
                let guessed = candidates(program, &mut self.terms, &summaries, *entry);
                let counts = |a: AssertId| asserts.binary_search(&a).is_ok();
                let terms = &mut self.terms;
                match infer(program, terms, &mut summaries, *entry, &counts, guessed, solver, budget)? {
                    Some(inferred) => self.inferred.insert(inferred),
                    None => return Ok(gave_up(budget)),
                }
            }
        };
        let question = Question {
            given,
            program,
            leaves_out: !std::ptr::eq(&**given, &**program),
            entry: *entry,
            target: Target::Only(asserts.to_vec()),
            solver,
            strategy: StrategyKind::Stratified,
        };
        let limits = Limits { budget: budget.clone(), ..Limits::default() };
        let contracts = Some(inferred.contracts.clone());
        let mut session = UnfoldSession::with_contracts(question, &mut self.terms, limits, contracts)?;
        let answer = session.run(budget, &mut |_, _, _| {});
        drop(session);
        Ok(match answer {
            Answer::Proof(proof) => {
                let (task, inferred, terms) = (self.task.clone(), inferred.clone(), self.terms.clone());
                Answer::Proof(Box::new(Contracted { task, inferred, terms, proof }))
            }
            Answer::Paused(_) => gave_up(budget),
            other => other,
        })
    }
}

/// There is no answer, and nothing to go on with unless there is more time.
fn gave_up(budget: &Budget) -> Answer {
    budget.used_up().map_or_else(|| Answer::Nothing("the solver gave up".into()), Answer::Paused)
}

/// A proof by unfolding with contracts.
struct Contracted {
    task: Task,
    inferred: Inferred,
    terms: Terms,
    proof: Box<dyn Proof>,
}

impl Proof for Contracted {
    /// Do all contracts still hold, asked of fresh solvers? That the unfolding needs no more than these rests on the solver's word.
    fn check(&mut self, _: OpenSolver<'_>) -> Result<bool, SolverError> {
        let Task { program, entry, asserts, solver, stop, .. } = &self.task;
        let entry: RegionId = *entry;
        let mut summaries = Summaries::new(program, &mut self.terms);
        let counts = |a: AssertId| asserts.binary_search(&a).is_ok();
        let claims = self.inferred.contracts.clone();
        let budget = Budget { stop: stop.clone(), ..Budget::default() };
        let number = claims.len();
        let again = infer(program, &mut self.terms, &mut summaries, entry, &counts, claims, solver, &budget)?;
        Ok(again.is_some_and(|again| again.contracts.len() == number))
    }

    fn certificate(&mut self, terms: Option<&Terms>) -> Option<(Terms, Certificate)> {
        self.proof.certificate(terms)
    }
}
