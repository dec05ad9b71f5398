//! Property-directed reachability on bits, as an engine.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use lariat_engine::{Answer, Budget, Engine, Session, Task};
use lariat_horn::{
    candidate,
    engines::{Clauses, NoProof, Satisfied},
};
use lariat_smt::Reason;
use lariat_term::Terms;

use crate::{
    sat::Watched,
    search::{Conclusion, Ic3},
    system::Transitions,
};

/// Searches backwards from the error, and blocks what leads to it.
pub struct Pdr;

impl Engine for Pdr {
    fn name(&self) -> &'static str {
        "pdr"
    }

    fn about(&self) -> &'static str {
        "property-directed reachability (IC3) on bits"
    }

    fn start(&self, task: &Task) -> Option<Box<dyn Session>> {
        let clauses = Clauses::of(task)?;
        let mut terms = clauses.terms.clone();
        let transitions = Transitions::new(&clauses.system, &mut terms)?;
        let exact = transitions.exact && clauses.exact;
        let watched: Watched = Rc::new(RefCell::new(Budget { stop: task.stop.clone(), ..Budget::default() }));
        let search = Ic3::new(transitions, terms.clone(), &watched);
        Some(Box::new(Work { task: task.clone(), clauses, terms, search, watched, exact, no_proof: NoProof::of(task) }))
    }
}

struct Work {
    task: Task,
    clauses: Arc<Clauses>,
    terms: Terms,
    search: Ic3,
    watched: Watched,
    /// Are the executions of the transition system those of the program?
    exact: bool,
    no_proof: Arc<NoProof>,
}

impl Session for Work {
    fn run(&mut self, budget: &Budget) -> Answer {
        *self.watched.borrow_mut() = budget.clone();
        match self.search.run() {
            Conclusion::Stopped => Answer::Paused(budget.used_up().unwrap_or(Reason::Timeout)),
            Conclusion::Invariant(cubes) => {
                let system = &self.clauses.system;
                let solution = self.search.transitions().solution(system, &mut self.terms, &cubes);
                let (clauses, entry, terms) = (self.clauses.clone(), self.task.entry, self.terms.clone());
                Answer::Proof(Box::new(Satisfied { clauses, entry, terms, solution }))
            }
            Conclusion::Error(_) if !self.exact => Answer::Nothing("an error is in reach of the abstraction".into()),
            Conclusion::Error(steps) => match candidate(&self.task, &self.clauses, &self.terms, &steps) {
                Some(bug) => Answer::Bug(Box::new(bug)),
                None => {
                    self.no_proof.found();
                    Answer::Nothing("an error is in reach of the clauses".into())
                }
            },
        }
    }

    fn terms(&self) -> Option<&Terms> {
        Some(&self.terms)
    }
}
