//! Z3's Spacer: property-directed reachability on Horn clauses.

use std::sync::Arc;

use lariat_engine::{Answer, Budget, Engine, Session, Task};
use lariat_smt::SolverError;

use super::{Clauses, Invariants, NO_PROOF, NoProof, Satisfied, annotations, failed, nothing};
use crate::{SpacerAnswer, SpacerMode, prove};

/// Asks Spacer for invariants that satisfy the clauses.
pub struct Spacer(pub SpacerMode);

impl Engine for Spacer {
    fn name(&self) -> &'static str {
        match self.0 {
            SpacerMode::Local => "spacer-local",
            SpacerMode::Global => "spacer",
        }
    }

    fn about(&self) -> &'static str {
        match self.0 {
            SpacerMode::Local => "Z3's Spacer, each lemma generalised for itself",
            SpacerMode::Global => "Z3's Spacer (PDR on Horn clauses), lemmas generalised together",
        }
    }

    fn start(&self, task: &Task) -> Option<Box<dyn Session>> {
        let clauses = Clauses::of(task)?;
        Some(Box::new(Work { task: task.clone(), clauses, search: self.0, no_proof: NoProof::of(task) }))
    }
}

struct Work {
    task: Task,
    clauses: Arc<Clauses>,
    search: SpacerMode,
    no_proof: Arc<NoProof>,
}

impl Work {
    /// Spacer does not go on where it was interrupted: each time it begins anew, with more time.
    fn try_run(&self, budget: &Budget) -> Result<Answer, SolverError> {
        let clauses = &*self.clauses;
        if self.no_proof.is_known() {
            return Ok(Answer::Nothing(NO_PROOF.into()));
        }
        let mut z3 = self.search.open()?;
        budget.stop.watch(z3.interrupter());
        // What the source states and what others have proved need not be found again.
        annotations::post(&self.task);
        let known = Invariants::of(&self.task);
        let mut terms = known.as_ref().map_or(&clauses.terms, |k| &k.terms).clone();
        let restricted = known.as_ref().map(|k| k.claims.restrict(&clauses.system, &mut terms));
        let system = restricted.as_ref().unwrap_or(&clauses.system);
        Ok(match prove(system, &mut terms, &mut z3, budget.left())? {
            SpacerAnswer::Solution(solution) => {
                let solution = match &known {
                    Some(known) => solution.and(&mut terms, &known.claims),
                    None => solution,
                };
                let entry = self.task.entry;
                Answer::Proof(Box::new(Satisfied { clauses: self.clauses.clone(), entry, terms, solution }))
            }
            SpacerAnswer::Nothing => {
                if clauses.exact {
                    self.no_proof.found();
                }
                Answer::Nothing(NO_PROOF.into())
            }
            SpacerAnswer::Unknown => nothing(budget, "Spacer gave up"),
        })
    }
}

impl Session for Work {
    fn run(&mut self, budget: &Budget) -> Answer {
        self.try_run(budget).unwrap_or_else(|error| failed(budget, &error))
    }
}
