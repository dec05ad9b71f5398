//! One row of the schedule alone, as tests compare them.
//!
//! [`verify`](crate::verify) lets engines work side by side. Here, one alone is asked about one entry of a program; what it says is
//! replayed or checked as it is there, and nothing is added.

use std::time::Instant;

use lariat_engine::{Answer, Budget, Task};

use crate::{
    passes::View,
    schedule::Row,
    validate::{Validated, Validator},
};

/// What an engine says, once that was replayed or checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// No execution fails.
    Proved,
    /// An execution fails.
    Refuted,
    /// The engine says that there is no proof. Nothing checks that, so it is not an answer.
    NoProof,
    /// The engine gives up or has no more time.
    Nothing,
}

/// Asks an engine about the program of a task, which must be the one that was given. It has the time of the budget for its answer, and three times as much for
/// the check of that.
pub fn ask(row: &Row, task: &Task, budget: &Budget) -> Said {
    let task = Task { reading: row.reading, ..task.clone() };
    let Some(mut session) = row.is_for(&task).then(|| row.engine.start(&task)).flatten() else { return Said::Nothing };
    let later = budget.left().map(|left| Instant::now() + left * 4);
    let answer = session.run(budget);
    if matches!(answer, Answer::Paused(_)) {
        return Said::Nothing;
    }
    let budget = Budget { deadline: later, ..budget.clone() };
    let view = View { given: task.program.clone(), passes: Vec::new() };
    let validator = Validator {
        view,
        entry: task.entry,
        asserts: task.asserts.clone(),
        certify: false,
        certificates_wanted: false,
        started: std::time::Instant::now(),
        second_opinion: None,
        solver: task.solver.clone(),
        budget,
    };
    match validator.validate(answer, session.terms()) {
        Validated::Bug(..) => Said::Refuted,
        Validated::Proof(_) => Said::Proved,
        Validated::Nothing(_) if lariat_horn::engines::no_proof(&task) => Said::NoProof,
        Validated::Rejected(_) | Validated::Nothing(_) => Said::Nothing,
        Validated::Bounded(..) | Validated::Lost | Validated::Incident(_) => Said::Nothing,
    }
}
