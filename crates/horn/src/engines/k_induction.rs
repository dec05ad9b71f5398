//! k-induction, strengthened by inferred invariants, as an engine.

use std::{sync::Arc, time::Instant};

use lariat_certify::Certificate;
use lariat_engine::{Answer, Budget, Engine, OpenSolver, Proof, Questions, Session, Task};
use lariat_program::RegionId;
use lariat_smt::SolverError;
use lariat_term::Terms;

use super::{Clauses, Invariants, NoProof, annotations, failed, nothing};
use crate::{Induction, Solution, infer_invariants};

/// Tries k = 0, 1, … with the invariants that are inferred first.
pub struct KInduction;

impl Engine for KInduction {
    fn name(&self) -> &'static str {
        "k-induction"
    }

    fn about(&self) -> &'static str {
        "k-induction, strengthened by invariants that are inferred in Houdini's way"
    }

    fn start(&self, task: &Task) -> Option<Box<dyn Session>> {
        let clauses = Clauses::of(task)?;
        if !Induction::is_for(&clauses.system) {
            return None;
        }
        let stated = annotations::post(task);
        let terms = stated.as_ref().map_or(&clauses.terms, |s| &s.terms).clone();
        let no_proof = NoProof::of(task);
        Some(Box::new(Work { task: task.clone(), clauses, terms, stated, invariants: None, no_proof }))
    }
}

struct Work {
    task: Task,
    clauses: Arc<Clauses>,
    terms: Terms,
    /// Those that the source states.
    stated: Option<Arc<Invariants>>,
    /// Those that all clauses keep, once they are found.
    invariants: Option<Solution>,
    no_proof: Arc<NoProof>,
}

impl Work {
    fn try_run(&mut self, budget: &Budget) -> Result<Answer, SolverError> {
        let clauses = &*self.clauses;
        let (system, terms) = (&clauses.system, &mut self.terms);
        if self.invariants.is_none() {
            // Half of the time: without invariants induction may do as well.
            let half = budget.left().map(|left| Instant::now() + left / 2);
            let part = Budget { deadline: half, ..budget.clone() };
            let go_on = || part.used_up().is_none() && !self.no_proof.is_known();
            let restricted = self.stated.as_ref().map(|s| s.claims.restrict(system, terms));
            let within = restricted.as_ref().unwrap_or(system);
            let inferred = infer_invariants(within, terms, &mut *part.open(&self.task.solver)?, &go_on)?;
            self.invariants = match (inferred, &self.stated) {
                (Some(inferred), Some(stated)) => Some(inferred.and(terms, &stated.claims)),
                (inferred, stated) => inferred.or_else(|| stated.as_ref().map(|s| s.claims.clone())),
            };
            if let Some(claims) = self.invariants.clone() {
                let found = Invariants { terms: terms.clone(), claims };
                self.task.shared.board.post(self.task.reading, found);
            }
        }
        let invariants = self.invariants.clone().unwrap_or_else(|| Solution::nothing(system, terms));
        let go_on = || budget.used_up().is_none() && !self.no_proof.is_known();
        let found = Induction::find(system, terms, invariants, &mut *budget.open(&self.task.solver)?, &go_on)?;
        Ok(match found {
            Some(induction) => {
                let terms = std::mem::replace(&mut self.terms, Terms::new());
                Answer::Proof(Box::new(Inductive {
                    clauses: self.clauses.clone(),
                    entry: self.task.entry,
                    terms,
                    induction,
                }))
            }
            None => nothing(budget, "no number of steps is enough"),
        })
    }
}

impl Session for Work {
    fn run(&mut self, budget: &Budget) -> Answer {
        self.try_run(budget).unwrap_or_else(|error| failed(budget, &error))
    }
}

struct Inductive {
    clauses: Arc<Clauses>,
    entry: RegionId,
    terms: Terms,
    induction: Induction,
}

impl Proof for Inductive {
    fn check(&mut self, open: OpenSolver<'_>) -> Result<bool, SolverError> {
        self.induction.check(&self.clauses.system, &mut self.terms, &mut || open(Questions::Few))
    }

    fn certificate(&mut self, _: Option<&Terms>) -> Option<(Terms, Certificate)> {
        let mut terms = self.terms.clone();
        let Induction { k, known } = &self.induction;
        let certificate = self.clauses.certificate_after(&mut terms, self.entry, known, *k as u32)?;
        Some((terms, certificate))
    }
}
