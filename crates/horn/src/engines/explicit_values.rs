//! Explicit-value analysis with predicates, as an engine.

use std::sync::Arc;

use lariat_certify::Certificate;
use lariat_engine::{Answer, Budget, Engine, OpenSolver, Proof, Questions, Session, Task, for_many};
use lariat_program::RegionId;
use lariat_smt::SolverError;
use lariat_term::Terms;

use super::{Clauses, NoProof, failed, nothing};
use crate::explicit_values::{Analysis, Analyzed, Tables};

/// Follows the values of variables from clause to clause.
pub struct ExplicitValues;

impl Engine for ExplicitValues {
    fn name(&self) -> &'static str {
        "explicit-values"
    }

    fn about(&self) -> &'static str {
        "explicit-value analysis, with predicates where values are too many"
    }

    fn start(&self, task: &Task) -> Option<Box<dyn Session>> {
        let clauses = Clauses::of(task)?;
        let mut terms = clauses.terms.clone();
        let analysis = Analysis::new(&clauses.system, &mut terms)?;
        let solver = for_many(&task.solver).to_owned();
        Some(Box::new(Work { clauses, entry: task.entry, terms, analysis, solver, no_proof: NoProof::of(task) }))
    }
}

struct Work {
    clauses: Arc<Clauses>,
    entry: RegionId,
    terms: Terms,
    analysis: Analysis,
    solver: String,
    no_proof: Arc<NoProof>,
}

impl Work {
    fn try_run(&mut self, budget: &Budget) -> Result<Answer, SolverError> {
        let clauses = &*self.clauses;
        let mut solver = budget.open(&self.solver)?;
        let go_on = || budget.used_up().is_none() && !self.no_proof.is_known();
        Ok(match self.analysis.run(&clauses.system, &mut self.terms, &mut *solver, &go_on)? {
            Analyzed::Proof(tables) => {
                let terms = std::mem::replace(&mut self.terms, Terms::new());
                Answer::Proof(Box::new(Listed { clauses: self.clauses.clone(), entry: self.entry, terms, tables }))
            }
            Analyzed::Nothing => Answer::Nothing("an error is in reach of the values".into()),
            Analyzed::Stopped => nothing(budget, "the solver gave up"),
        })
    }
}

impl Session for Work {
    fn run(&mut self, budget: &Budget) -> Answer {
        self.try_run(budget).unwrap_or_else(|error| failed(budget, &error))
    }
}

struct Listed {
    clauses: Arc<Clauses>,
    entry: RegionId,
    terms: Terms,
    tables: Tables,
}

impl Proof for Listed {
    fn check(&mut self, open: OpenSolver<'_>) -> Result<bool, SolverError> {
        self.tables.check(&self.clauses.system, &mut self.terms, &mut *open(Questions::Many)?)
    }

    fn certificate(&mut self, _: Option<&Terms>) -> Option<(Terms, Certificate)> {
        let mut terms = self.terms.clone();
        let solution = self.tables.solution(&mut terms);
        let certificate = self.clauses.certificate(&mut terms, self.entry, &solution)?;
        Some((terms, certificate))
    }
}
