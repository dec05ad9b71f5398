//! Invariants that the source states: a proof, if they are one, and otherwise facts for the other engines.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use lariat_certify::Certificate;
use lariat_engine::{Answer, Budget, Engine, OpenSolver, Proof, Questions, Reading, Session, Task};
use lariat_program::{AssertId, RegionId};
use lariat_smt::SolverError;
use lariat_term::Terms;

use super::{Clauses, Invariants};
use crate::{
    Goal, Rejection, Solution, System,
    annotations::{Kept, keep},
    certificate::certificate,
};

/// How long one question may take, and all of them: where other engines wait for the answer, and where they do not.
const QUESTION: Duration = Duration::from_secs(3);
const AWAITED: Duration = Duration::from_secs(4);
const ALL: Duration = Duration::from_secs(15);

/// Checks whether what the source states of loops is inductive and excludes every failure.
pub struct Annotations;

impl Engine for Annotations {
    fn name(&self) -> &'static str {
        "annotations"
    }

    fn about(&self) -> &'static str {
        "loop invariants that the source states, checked"
    }

    fn start(&self, task: &Task) -> Option<Box<dyn Session>> {
        Some(Box::new(Work { task: task.clone() }))
    }
}

struct Work {
    task: Task,
}

impl Session for Work {
    fn run(&mut self, _: &Budget) -> Answer {
        let whole = Whole::of(&self.task);
        match &*whole {
            Some(whole) if whole.kept.count > 0 => Answer::Proof(Box::new(Inductive {
                terms: whole.terms.clone(),
                whole: whole.clone(),
                entry: self.task.entry,
            })),
            _ => Answer::Nothing("the source states no invariant that is kept".into()),
        }
    }
}

/// The clauses of a task with all that Spacer does not read, and what is left of the statements of the source.
struct Whole {
    system: System,
    terms: Terms,
    kept: Kept,
}

impl Whole {
    /// Made once for all that ask.
    fn of(task: &Task) -> Arc<Option<Arc<Whole>>> {
        task.shared.get(Reading::Bits, || Whole::make(task).ok().flatten().map(Arc::new))
    }

    fn make(task: &Task) -> Result<Option<Whole>, SolverError> {
        let mut terms = Terms::clone(&task.terms);
        let counts = |a| task.asserts.binary_search(&a).is_ok();
        let go_on = || !task.stop.is_stopped();
        let goal = Goal { program: &task.program, entry: task.entry, counts: &counts, go_on: &go_on };
        let Some(system) = System::whole(&goal, &mut terms) else { return Ok(None) };
        let kept = kept(task, &system, &mut terms, ALL)?;
        Ok(kept.map(|kept| Whole { system, terms, kept }))
    }
}

fn kept(task: &Task, system: &System, terms: &mut Terms, time: Duration) -> Result<Option<Kept>, SolverError> {
    let end = Instant::now() + time;
    let mut open = || {
        let deadline = Some(end.min(Instant::now() + QUESTION));
        Budget { deadline, stop: task.stop.clone(), memory: None }.open(&task.solver)
    };
    let kept = keep(system, terms, &mut open, &|| !task.stop.is_stopped() && Instant::now() < end)?;
    // What was interrupted says nothing.
    Ok(kept.filter(|_| !task.stop.is_stopped()))
}

/// Sees to it that what the source states about a reading of a task, and the clauses keep, is on the board; and gives it. The first who
/// asks works for it, the others wait.
pub(super) fn post(task: &Task) -> Option<Arc<Invariants>> {
    struct Posted(Option<Arc<Invariants>>);
    let posted = task.shared.get(task.reading, || {
        let found = Clauses::of(task).and_then(|clauses| {
            let mut terms = clauses.terms.clone();
            let kept = kept(task, &clauses.system, &mut terms, AWAITED).ok().flatten().filter(|kept| kept.count > 0)?;
            Some((terms, kept.claims))
        });
        Posted(found.map(|(terms, claims)| {
            task.shared.board.post(task.reading, Invariants { terms: terms.clone(), claims: claims.clone() });
            Arc::new(Invariants { terms, claims })
        }))
    });
    posted.0.clone()
}

/// The candidates that are not inductive, and why. The question is asked if nobody has an answer yet: whoever asked before may have been
/// interrupted.
pub fn rejected(task: &Task) -> Vec<(AssertId, Rejection)> {
    let task = Task { reading: Reading::Bits, ..task.clone() };
    let known = (*Whole::of(&task)).clone();
    let whole = known.or_else(|| Whole::make(&task).ok().flatten().map(Arc::new));
    whole.map_or(Vec::new(), |whole| whole.kept.rejected.clone())
}

/// Candidates that are needed together.
pub struct Needed {
    /// Which.
    pub asserts: Vec<AssertId>,
    /// Do they exclude every failure?
    pub proof: bool,
}

/// The candidates of a task's program that are inductive together; of these, if they are a proof, a smallest set that is one, as far as the time
/// allows. `None` if there is none.
pub fn needed(task: &Task, end: Instant) -> Result<Option<Needed>, SolverError> {
    let Some(Whole { mut system, mut terms, kept: found }) = Whole::make(task)? else { return Ok(None) };
    let proves = |system: &System, terms: &mut Terms, claims: &Solution| {
        let deadline = Some(end.min(Instant::now() + QUESTION));
        let mut open = || Budget { deadline, stop: task.stop.clone(), memory: None }.open(&task.solver);
        claims.check(system, terms, &mut open)
    };
    let rejected = |kept: &Kept, a: Option<AssertId>| a.is_some_and(|a| kept.rejected.iter().any(|&(r, _)| r == a));
    system.stated.retain(|s| !rejected(&found, s.assertion));
    let proof = proves(&system, &mut terms, &found.claims)?;
    let mut asserts: Vec<AssertId> = system.stated.iter().filter_map(|s| s.assertion).collect();
    asserts.sort_unstable();
    asserts.dedup();
    // The last ones first: those at the beginning are what people would begin with. Halves of what is not needed go at once.
    let mut left: Vec<Vec<AssertId>> = vec![asserts.iter().rev().copied().collect()];
    while let Some(block) = left.pop().filter(|_| proof && Instant::now() < end) {
        let mut fewer = system.clone();
        fewer.stated.retain(|s| s.assertion.is_none_or(|a| !block.contains(&a)));
        let claims = match kept(task, &fewer, &mut terms, ALL)? {
            Some(kept) => {
                fewer.stated.retain(|s| !rejected(&kept, s.assertion));
                kept.claims
            }
            None => Solution::nothing(&fewer, &mut terms),
        };
        if proves(&fewer, &mut terms, &claims)? {
            system = fewer;
        } else if block.len() > 1 {
            let (first, second) = block.split_at(block.len() / 2);
            left.extend([second.to_vec(), first.to_vec()]);
        }
    }
    asserts.retain(|&a| system.stated.iter().any(|s| s.assertion == Some(a)));
    Ok(Some(Needed { asserts, proof }))
}

struct Inductive {
    whole: Arc<Whole>,
    terms: Terms,
    entry: RegionId,
}

impl Inductive {
    fn claims(&self) -> &Solution {
        &self.whole.kept.claims
    }
}

impl Proof for Inductive {
    fn check(&mut self, open: OpenSolver<'_>) -> Result<bool, SolverError> {
        let whole = self.whole.clone();
        whole.kept.claims.check(&whole.system, &mut self.terms, &mut || open(Questions::Few))
    }

    fn certificate(&mut self, _: Option<&Terms>) -> Option<(Terms, Certificate)> {
        let mut terms = self.terms.clone();
        let certificate = certificate(&self.whole.system, &mut terms, self.entry, self.claims(), 0)?;
        Some((terms, certificate))
    }
}
