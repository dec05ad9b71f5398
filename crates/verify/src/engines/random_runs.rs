//! Random execution: plain runs of the program, for errors that come after very many rounds of a loop.
//!
//! Unfolding has to follow every round; the interpreter just runs. A run that fails an assertion is
//! an execution of the program, whatever its values were chosen to be.

use std::{sync::Arc, time::Instant};

use lariat_engine::{Answer, Budget, Engine, Session, Task};
use lariat_program::{
    AssertId, AssertKind,
    interp::{Defaults, Interpreter, Options, Outcome, Random, Run, Stopped, TraceLevel, ValueSource},
};

/// Steps of the first random runs; later ones may take more.
const STEPS: u64 = 200_000;

/// Runs the program as it was given: first with all zeros, then with small random values.
pub(crate) struct RandomRuns;

impl Engine for RandomRuns {
    fn name(&self) -> &'static str {
        "random-runs"
    }

    fn about(&self) -> &'static str {
        "random execution in the interpreter, for bugs after very many rounds"
    }

    fn start(&self, task: &Task) -> Option<Box<dyn Session>> {
        Some(Box::new(Runs { task: task.clone(), zeros: true, seed: 1, steps: STEPS }))
    }
}

struct Runs {
    task: Task,
    /// The run with all zeros is still to be made; it may take as many steps as there is time.
    zeros: bool,
    seed: u64,
    steps: u64,
}

/// The run with all zeros of a program that fails whatever its inputs are, and the assertion that it fails.
pub(super) fn certain_failure(task: &Task, budget: &Budget) -> Option<(AssertId, Box<Run>)> {
    let runs = Runs { task: task.clone(), zeros: true, seed: 0, steps: u64::MAX };
    let run = runs.run(0, u64::MAX, TraceLevel::Full, Some(budget))?;
    runs.fails(&run).map(|id| (id, Box::new(run)))
}

impl Runs {
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

impl Session for Runs {
    fn run(&mut self, budget: &Budget) -> Answer {
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
        let runs = Runs { task, zeros: true, seed: 1, steps: STEPS };
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
