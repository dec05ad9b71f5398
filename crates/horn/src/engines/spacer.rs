//! Z3's Spacer: property-directed reachability on Horn clauses.

use std::sync::Arc;

use lariat_engine::{Answer, Budget, Engine, Open, Proof, Questions, Session, Task};
use lariat_smt::{SolverError, Z3Script};
use lariat_term::Terms;

use super::{Clauses, NO_PROOF, NoProof, failed, nothing};
use crate::{Certificate, Found, Search, prove};

/// Asks Spacer for invariants that satisfy the clauses.
pub struct Spacer(pub Search);

impl Engine for Spacer {
    fn name(&self) -> &'static str {
        match self.0 {
            Search::Local => "spacer-local",
            Search::Global => "spacer",
        }
    }

    fn about(&self) -> &'static str {
        match self.0 {
            Search::Local => "Z3's Spacer, each lemma generalised for itself",
            Search::Global => "Z3's Spacer (PDR on Horn clauses), lemmas generalised together",
        }
    }

    fn start<'t>(&self, task: &Task<'t>) -> Option<Box<dyn Session + 't>> {
        let clauses = Clauses::of(task)?;
        Some(Box::new(Work { clauses, search: self.0, no_proof: NoProof::of(task) }))
    }
}

struct Work {
    clauses: Arc<Clauses>,
    search: Search,
    no_proof: Arc<NoProof>,
}

impl Work {
    /// Spacer does not go on where it was interrupted: each time it begins anew, with more time.
    fn try_run(&self, budget: &Budget) -> Result<Answer, SolverError> {
        let clauses = &*self.clauses;
        if self.no_proof.is_known() {
            return Ok(Answer::Nothing(NO_PROOF.into()));
        }
        let mut z3 = Z3Script::new()?;
        budget.stop.watch(z3.interrupter());
        let mut terms = clauses.terms.clone();
        Ok(match prove(&clauses.system, &mut terms, &mut z3, self.search, budget.left())? {
            Found::Certificate(certificate) => {
                Answer::Proof(Box::new(Invariants { clauses: self.clauses.clone(), terms, certificate }))
            }
            Found::Nothing => {
                if clauses.exact {
                    self.no_proof.found();
                }
                Answer::Nothing(NO_PROOF.into())
            }
            Found::Unknown => nothing(budget, "Spacer gave up"),
        })
    }
}

impl Session for Work {
    fn run(&mut self, budget: &Budget) -> Answer {
        self.try_run(budget).unwrap_or_else(|error| failed(budget, &error))
    }
}

struct Invariants {
    clauses: Arc<Clauses>,
    terms: Terms,
    certificate: Certificate,
}

impl Proof for Invariants {
    fn check(&mut self, open: Open<'_>) -> Result<bool, SolverError> {
        self.certificate.check(&self.clauses.system, &mut self.terms, &mut || open(Questions::Few))
    }
}
