//! Plain runs of the program, for errors that come after very many rounds of a loop.
//!
//! Unfolding has to follow every round; the interpreter just runs. A run that fails an assertion is
//! an execution of the program, whatever its values were chosen to be.

use std::time::Instant;

use lariat_program::{
    AssertId, AssertKind, Program, RegionId,
    interp::{Defaults, Interpreter, Options, Outcome, Random, Run, TraceLevel, ValueSource},
};
use lariat_term::Terms;

/// Steps of the first random runs; later ones may take more.
const STEPS: u64 = 200_000;
/// The run with all zeros may take this part of the time, whatever its steps.
const ZEROS: u32 = 2;

/// A run from the entry that fails one of these assertions, if one is found in time.
pub(crate) fn trial(
    program: &Program,
    terms: &Terms,
    entry: RegionId,
    covered: &[AssertId],
    until: Instant,
    stopped: &dyn Fn() -> bool,
) -> Option<(AssertId, Run)> {
    let now = Instant::now();
    let first = now + until.saturating_duration_since(now) / ZEROS;
    let mut steps = STEPS;
    // The first source is all zeros, the others are small random values.
    for seed in 0.. {
        if Instant::now() >= until || stopped() {
            return None;
        }
        let run = |trace| {
            // The run that is shown is one that was fast enough before.
            let (until, steps) = if seed == 0 { (first, u64::MAX) } else { (until, steps) };
            let until = (trace == TraceLevel::Off).then_some(until);
            let options = Options { steps, until, trace, ..Options::default() };
            let mut source: Box<dyn ValueSource> =
                if seed == 0 { Box::new(Defaults) } else { Box::new(Random::new(seed)) };
            Some(Interpreter::new(program, terms, options).ok()?.run(entry, &mut *source))
        };
        let found = run(TraceLevel::Off)?;
        match found.outcome {
            Outcome::AssertionFailed { id, .. }
                if covered.contains(&id)
                    && program.assertions[id.index()].kind != AssertKind::Unsupported
                    && found.unchecked_axioms.is_empty() =>
            {
                return Some((id, run(TraceLevel::Full)?));
            }
            Outcome::StepLimit if seed > 0 => steps = steps.saturating_mul(2),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use lariat_boogie::{
        analyze::Source,
        compile::{Options as CompileOptions, compile},
        lower::entry_of,
    };

    use super::*;

    fn fails(text: &str) -> Option<u32> {
        let compiled = compile([Source::new("test.bpl", text)], &CompileOptions::default());
        let program = compiled.program.expect("a correct program");
        let entry = entry_of(&program, "main").expect("a procedure main");
        // Nothing is decided by the clock: the runs are counted.
        let stopped = std::cell::Cell::new(0);
        let enough = || {
            stopped.set(stopped.get() + 1);
            stopped.get() > 12
        };
        let all: Vec<AssertId> = (0..program.assertions.len() as u32).map(AssertId).collect();
        let until = Instant::now() + Duration::from_secs(3600);
        let (assertion, run) = trial(&program, &compiled.terms, entry, &all, until, &enough)?;
        assert!(matches!(run.outcome, Outcome::AssertionFailed { id, .. } if id == assertion));
        Some(assertion.0)
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
