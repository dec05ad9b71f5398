//! Random execution: coverage-guided runs of the program (fuzzing), for errors that come after very many rounds of a loop or after long sequences of inputs.
//!
//! Unfolding has to follow every round; these just run. Runs of the reduced program on machine words come first (`lariat_program::concrete`), and what
//! fails there is replayed as the bugs of other engines are. Where it has no machine words for the program, the interpreter runs the given one: a run that
//! fails an assertion is an execution of the program, whatever its values were chosen to be.

use std::{sync::Arc, time::Instant};

use lariat_engine::{Answer, Budget, Candidate, Engine, Execution, Instance, Session, Task};
use lariat_program::{
    AssertId, AssertKind,
    concrete::{Decisions, RandomSearch, Searched},
    interp::{Defaults, Interpreter, Options, Outcome, Random, Run, Stopped, TraceLevel, ValueSource},
};
use lariat_smt::Reason;
use lariat_term::{Model, Terms};

/// Steps of the first random runs of the interpreter; later ones may take more.
const STEPS: u64 = 200_000;

/// Makes random runs of the reduced program, or of the program as it was given.
pub(crate) struct RandomRuns;

impl Engine for RandomRuns {
    fn name(&self) -> &'static str {
        "random-runs"
    }

    fn about(&self) -> &'static str {
        "coverage-guided random execution (fuzzing), for bugs after very many rounds or inputs"
    }

    fn start(&self, task: &Task) -> Option<Box<dyn Session>> {
        let Task { program, terms, entry, asserts, .. } = task;
        // Values must fit to axioms, which words do not know.
        let words = task
            .given
            .axioms
            .is_empty()
            .then(|| RandomSearch::new(program.clone(), terms.clone(), *entry, asserts.clone()));
        Some(Box::new(Fuzzing { words, runs: Runs::new(task) }))
    }
}

/// First on words, then in the interpreter.
struct Fuzzing {
    words: Option<RandomSearch>,
    runs: Runs,
}

impl Session for Fuzzing {
    fn run(&mut self, budget: &Budget) -> Answer {
        if let Some(search) = &mut self.words {
            match search.run(&|| budget.used_up().is_some()) {
                Searched::Paused => return Answer::Paused(budget.used_up().unwrap_or(Reason::Timeout)),
                Searched::Fails(assertion, decisions) => {
                    return Answer::Bug(Box::new(candidate(&self.runs.task, assertion, *decisions)));
                }
                Searched::Stuck => self.words = None,
            }
        }
        self.runs.search(budget)
    }

    fn terms(&self) -> Option<&Terms> {
        Some(&self.runs.task.terms)
    }
}

/// The failing run as an execution that can be replayed. Nobody vouches for it but the replay.
fn candidate(task: &Task, assertion: AssertId, decisions: Decisions) -> Candidate {
    let mut model = Model::new();
    decisions.globals.into_iter().for_each(|(var, value)| model.set(var, value));
    let entry = &task.program.regions[task.entry.index()];
    let mut instances = Vec::with_capacity(decisions.instances.len());
    for (k, decided) in decisions.instances.into_iter().enumerate() {
        let mut instance = Instance::new(decided.region);
        for (var, value) in decided.locals {
            if k == 0 && entry.inputs.iter().any(|d| d.var == var) {
                model.set(var, value);
            } else {
                instance.locals.insert(var, value);
            }
        }
        instance.havoc.extend(decided.havoc);
        instance.choices.extend(decided.choices);
        instance.boxes.extend(decided.boxes);
        instances.push(instance);
    }
    Candidate {
        execution: Ok(Execution { assertion: Some(assertion), instances, end: None }),
        model,
        axioms: Vec::new(),
        left_out: false,
        doubt: Some(Reason::Incomplete("a random run does not replay".into())),
    }
}

/// Runs of the interpreter.
struct Runs {
    task: Task,
    /// The run with all zeros is still to be made; it may take as many steps as there is time.
    zeros: bool,
    seed: u64,
    steps: u64,
}

/// The run with all zeros of a program that fails whatever its inputs are, and the assertion that it fails.
pub(super) fn certain_failure(task: &Task, budget: &Budget) -> Option<(AssertId, Box<Run>)> {
    let runs = Runs::new(task);
    let run = runs.run(0, u64::MAX, TraceLevel::Full, Some(budget))?;
    runs.fails(&run).map(|id| (id, Box::new(run)))
}

impl Runs {
    fn new(task: &Task) -> Runs {
        Runs { task: task.clone(), zeros: true, seed: 1, steps: STEPS }
    }

    /// A run from the entry; `None` if the interpreter does not take the program.
    fn run(&self, seed: u64, steps: u64, trace: TraceLevel, budget: Option<&Budget>) -> Option<Run> {
        let stopped = budget.cloned().map(|budget| Stopped(Arc::new(move || budget.used_up().is_some())));
        let options = Options { steps, stopped, trace, ..Options::default() };
        let mut source: Box<dyn ValueSource> = if seed == 0 { Box::new(Defaults) } else { Box::new(Random::new(seed)) };
        let interpreter = Interpreter::new(&self.task.given, &self.task.terms, options).ok()?;
        Some(interpreter.run(self.task.entry, &mut *source))
    }

    /// The assertion that a run fails, if it is one that counts.
    fn fails(&self, run: &Run) -> Option<AssertId> {
        let Outcome::AssertionFailed { id, .. } = run.outcome else { return None };
        let counts = self.task.asserts.binary_search(&id).is_ok()
            && self.task.given.assertions[id.index()].kind != AssertKind::Unsupported
            && run.unchecked_axioms.is_empty();
        counts.then_some(id)
    }

    /// Makes a run, and gives it if it fails.
    fn attempt(&self, seed: u64, steps: u64, budget: &Budget) -> Attempt {
        let Some(run) = self.run(seed, steps, TraceLevel::Off, Some(budget)) else { return Attempt::Impossible };
        let Some(id) = self.fails(&run) else {
            return Attempt::Passed { ended: !matches!(run.outcome, Outcome::StepLimit) };
        };
        // The run that is shown is one that was fast enough before.
        match self.run(seed, steps, TraceLevel::Full, None) {
            Some(run) => Attempt::Failed(id, Box::new(run)),
            None => Attempt::Impossible,
        }
    }
}

enum Attempt {
    Failed(AssertId, Box<Run>),
    Passed {
        /// Before its steps were used up.
        ended: bool,
    },
    Impossible,
}

impl Runs {
    /// Makes runs until one fails or the budget is used up.
    fn search(&mut self, budget: &Budget) -> Answer {
        const IMPOSSIBLE: &str = "the interpreter does not take the program";
        if self.zeros {
            let half = budget.left().map(|left| Instant::now() + left / 2);
            match self.attempt(0, u64::MAX, &Budget { deadline: half, ..budget.clone() }) {
                Attempt::Failed(id, run) => return Answer::Run(id, run),
                Attempt::Passed { ended } => self.zeros = !ended,
                Attempt::Impossible => return Answer::Nothing(IMPOSSIBLE.into()),
            }
        }
        loop {
            if let Some(reason) = budget.used_up() {
                return Answer::Paused(reason);
            }
            match self.attempt(self.seed, self.steps, budget) {
                Attempt::Failed(id, run) => return Answer::Run(id, run),
                Attempt::Passed { ended: true } => {}
                Attempt::Passed { ended: false } => self.steps = self.steps.saturating_mul(2),
                Attempt::Impossible => return Answer::Nothing(IMPOSSIBLE.into()),
            }
            self.seed += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use lariat_boogie::{
        analyze::Source,
        compile::{Options as CompileOptions, compile},
        lower::entry_of,
    };

    use lariat_engine::{Reading, Stop};
    use lariat_program::extract_loops;

    use super::*;

    fn fails(text: &str) -> Option<u32> {
        let compiled = compile([Source::new("test.bpl", text)], &CompileOptions::default());
        let (mut program, mut terms) = (compiled.program.expect("a correct program"), compiled.terms);
        extract_loops(&mut program, &mut terms);
        let entry = entry_of(&program, "main").expect("a procedure main");
        let all: Vec<AssertId> = (0..program.assertions.len() as u32).map(AssertId).collect();
        let program = Arc::new(program);
        let task = Task {
            given: program.clone(),
            program,
            terms: Arc::new(terms),
            entry,
            asserts: all.into(),
            reading: Reading::Bits,
            solver: "auto".into(),
            shared: Arc::default(),
            stop: Stop::default(),
        };
        let runs = Runs::new(&task);
        // Nothing is decided by the clock: the runs are counted.
        (0..12).find_map(|seed| match runs.attempt(seed, 10 * STEPS, &Budget::default()) {
            Attempt::Failed(assertion, run) => {
                assert!(matches!(run.outcome, Outcome::AssertionFailed { id, .. } if id == assertion));
                Some(assertion.0)
            }
            _ => None,
        })
    }

    #[test]
    fn a_failure_after_many_rounds_is_found_by_running() {
        let text = "procedure main() { var i: int; i := 0; while (i < 300000) { i := i + 1; } assert i != 300000; }";
        assert_eq!(fails(text), Some(0));
    }

    #[test]
    fn a_run_that_breaks_an_assumption_or_an_axiom_is_none() {
        assert_eq!(fails("procedure main(x: int) { assume x != x; assert false; }"), None);
        let text = "function f(int): int; axiom (forall x: int :: f(x) > x);
          procedure main() { assert f(0) != 0; }";
        assert_eq!(fails(text), None);
    }
}
