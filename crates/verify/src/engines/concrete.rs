//! Concrete execution with unknown inputs: proofs of programs whose control depends on few inputs, and failures that happen
//! whatever the inputs are, however many rounds loops take.

use std::sync::Arc;

use lariat_certify::{Certificate, Instance, InstanceId, Site, Treatment};
use lariat_engine::{Answer, Budget, Engine, OpenSolver, Proof, Session, Task};
use lariat_program::concrete::{Call, Explored, Explorer};
use lariat_smt::{Reason, SolverError};
use lariat_term::Terms;

use super::random_runs::certain_failure;

/// Follows the paths of the reduced program.
pub(crate) struct Concrete;

impl Engine for Concrete {
    fn name(&self) -> &'static str {
        "concrete"
    }

    fn about(&self) -> &'static str {
        "concrete execution of all paths, if few of them depend on inputs"
    }

    fn start(&self, task: &Task) -> Option<Box<dyn Session>> {
        let Task { program, terms, entry, asserts, .. } = task;
        let explorer = Explorer::new(program.clone(), terms.clone(), *entry, asserts.clone());
        Some(Box::new(Paths { task: task.clone(), explorer, fails: false }))
    }
}

struct Paths {
    task: Task,
    explorer: Explorer,
    /// Was a failure found, but not yet shown?
    fails: bool,
}

impl Paths {
    /// The checker follows the executions of the program as it was given. Where that has more left open, the instances may do.
    fn proof(&self) -> AllPaths {
        let instance = |&(parent, block, stmt): &Call| Instance {
            boxed: Some((InstanceId(parent), Site { block, stmt })),
            treatment: Treatment::Expand,
        };
        let mut certificate = Certificate { by_execution: true, ..Certificate::new(self.task.entry) };
        certificate.trees[0].instances.extend(self.explorer.calls().into_iter().flatten().map(instance));
        AllPaths { terms: self.task.terms.clone(), certificate }
    }
}

impl Session for Paths {
    fn run(&mut self, budget: &Budget) -> Answer {
        let paused = || Answer::Paused(budget.used_up().unwrap_or(Reason::Timeout));
        if !self.fails {
            match self.explorer.run(&|| budget.used_up().is_some()) {
                Explored::Safe => return Answer::Proof(Box::new(self.proof())),
                Explored::Fails(_) => self.fails = true,
                Explored::Unknown(why) => return Answer::Nothing(why.into()),
                Explored::Paused => return paused(),
            }
        }
        match certain_failure(&self.task, budget) {
            Some((assertion, run)) => Answer::Run(assertion, run),
            None if budget.used_up().is_some() => paused(),
            None => Answer::Nothing("the program as it was given does not fail there".into()),
        }
    }
}

/// All paths were followed to their ends: there is nothing to ask a solver.
struct AllPaths {
    terms: Arc<Terms>,
    certificate: Certificate,
}

impl Proof for AllPaths {
    fn check(&mut self, _: OpenSolver<'_>) -> Result<bool, SolverError> {
        Ok(true)
    }

    fn certificate(&mut self, _: Option<&Terms>) -> Option<(Terms, Certificate)> {
        Some(((*self.terms).clone(), self.certificate.clone()))
    }
}
