//! What the engines see in place of the given program, and the way back from what they find.

use std::time::Duration;

use lariat_program::{AssertId, Program, RegionId, integers::Integers, interp, origins::Origins};
use lariat_smt::{Model, solvers};
use lariat_term::Interpretation;
use lariat_unfold::{Engine, EngineError, Limits};

use crate::{
    lift::lift,
    oracle::Oracle,
    replay::{ReplayError, Trust, replay},
};

/// Steps that a replay may take. One of an execution of the reduced program may take fewer, since what was left out
/// might not end.
const STEPS: u64 = 100_000_000;

/// The program that the engines see.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    /// The given program.
    pub given: &'a Program,
    /// The program of which proofs for every bound are looked for: the given one, or a reduced one.
    pub program: &'a Program,
    /// Where the parts of the reduced program come from, if it is one.
    pub reduced: Option<&'a [Origins]>,
    /// Its reading over integers, if that is unfolded in its place.
    pub integers: Option<&'a Integers>,
}

/// The solver for what cannot be evaluated, as [`solvers::open`] takes it, and its limits.
#[derive(Clone, Copy)]
pub(crate) struct Means<'a> {
    pub solver: &'a str,
    pub limits: &'a Limits,
}

impl<'a> View<'a> {
    /// The program that is unfolded.
    pub fn unfolded(self) -> &'a Program {
        self.integers.map_or(self.program, |i| &i.program)
    }

    /// The run of the interpreter on the given program that a model describes, and the assertion that fails in it.
    pub fn replayed(
        self,
        engine: &mut Engine<'_>,
        entry: RegionId,
        model: &Model,
        trust: Trust,
        means: Means<'_>,
    ) -> Result<(AssertId, interp::Run), ReplayError> {
        let found = model.get(engine.terms()).map_err(EngineError::from)?;
        let mut walker = Oracle::new(self.unfolded(), found, means.solver, means.limits);
        let mut execution =
            engine.execution(model, &mut |terms, t| walker.compute(terms, t, &|v| found.var(terms, v)))?;
        // Further axioms of a reading over integers are about ranges only.
        let own = |&i: &usize| i < self.given.axioms.len();
        let axioms: Vec<usize> = engine.axioms().iter().copied().filter(own).collect();
        if self.reduced.is_some()
            && !self.given.axioms.is_empty()
            && engine.relevant_axioms(self.given, entry) != axioms
        {
            return Err(ReplayError::LeftOut);
        }
        let terms = engine.terms();
        // From the last pass to the first one.
        for origins in self.integers.map(|i| &i.origins[..]).into_iter().chain(self.reduced) {
            execution = lift(terms, found, &execution, origins);
        }
        let lifted = self.integers.map(|i| i.model(terms, found));
        let oracle = Oracle::new(self.given, lifted.as_ref().unwrap_or(found), means.solver, means.limits);
        let steps = if self.reduced.is_some() { STEPS / 50 } else { STEPS };
        let run = replay(oracle, terms, entry, &execution, &axioms, trust, steps)?;
        Ok((execution.assertion.unwrap_or(AssertId(0)), run))
    }

    /// Do the axioms contradict each other, those included that were left out because nothing
    /// reachable speaks about them? Then there are no executions, and what was found is no error.
    pub fn contradictory(self, engine: &mut Engine<'_>, means: Means<'_>) -> Result<bool, EngineError> {
        if engine.axioms().len() == self.unfolded().axioms.len() {
            return Ok(false);
        }
        let axioms = engine.all_axioms();
        let mut solver = solvers::open(means.solver, None)?;
        for axiom in axioms {
            solver.assert(engine.terms(), axiom)?;
        }
        solver.set_limits(lariat_smt::Limits {
            resource: Some(1_000_000),
            ..lariat_smt::Limits::time(Duration::from_secs(1))
        });
        Ok(solver.check(engine.terms(), &[])?.is_unsat())
    }
}
