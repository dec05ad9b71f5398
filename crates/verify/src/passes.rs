//! What the engines see in place of the given program, as a list of passes, and the way back from what they find.

use lariat_engine::{Candidate, Execution};
use lariat_program::{AssertId, Program, RegionId, integers::Integers, interp, origins::Origins, reduce::Reduced};
use lariat_term::{Model, Terms};

use crate::{
    map_back::map_back,
    oracle::Oracle,
    replay::{ReplayError, Trust, replay},
    validate::Means,
};

/// Steps that a replay may take. One of an execution that passes have changed may take fewer, since what was left out
/// might not end.
const STEPS: u64 = 100_000_000;

/// A program that was made of another one.
pub(crate) trait Pass: Sync {
    /// The program.
    fn program(&self) -> &Program;

    /// By region, where its parts come from.
    fn origins(&self) -> &[Origins];

    /// The values of the program that the pass was given which a model of the new one stands for; `None` if they are the same.
    fn model(&self, terms: &Terms, model: &Model) -> Option<Model> {
        let _ = (terms, model);
        None
    }

    /// May executions of the new program end where those of the given one do not, since something was left out?
    fn leaves_out(&self) -> bool {
        false
    }
}

impl Pass for Reduced {
    fn program(&self) -> &Program {
        &self.program
    }

    fn origins(&self) -> &[Origins] {
        &self.origins
    }

    fn leaves_out(&self) -> bool {
        true
    }
}

impl Pass for Integers {
    fn program(&self) -> &Program {
        &self.program
    }

    fn origins(&self) -> &[Origins] {
        &self.origins
    }

    fn model(&self, terms: &Terms, model: &Model) -> Option<Model> {
        Some(Integers::model(self, terms, model))
    }
}

/// A program, and what passes made of it.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    /// The program as it was given.
    pub given: &'a Program,
    /// The passes, in the order in which they were made.
    pub passes: &'a [&'a dyn Pass],
}

impl<'a> View<'a> {
    /// What the last pass made.
    pub fn program(self) -> &'a Program {
        self.passes.last().map_or(self.given, |pass| pass.program())
    }

    /// May executions of the program end where those of the given one do not?
    pub fn leaves_out(self) -> bool {
        self.passes.iter().any(|pass| pass.leaves_out())
    }

    /// The run of the interpreter on the given program that a bug describes, and the assertion that fails in it.
    pub fn replayed(
        self,
        terms: &Terms,
        entry: RegionId,
        candidate: &Candidate,
        means: Means<'_>,
    ) -> Result<(AssertId, interp::Run), ReplayError> {
        if candidate.left_out {
            return Err(ReplayError::LeftOut);
        }
        let found = candidate.execution.as_ref().map_err(|e| ReplayError::Execution(e.clone()))?;
        let mut execution: Option<Execution> = None;
        let mut model: Option<Model> = None;
        // From the last pass to the first one.
        for pass in self.passes.iter().rev() {
            let values = model.as_ref().unwrap_or(&candidate.model);
            let before = execution.as_ref().unwrap_or(found);
            execution = Some(map_back(terms, values, before, pass.origins()));
            model = pass.model(terms, values).or(model);
        }
        let execution = execution.as_ref().unwrap_or(found);
        let oracle = Oracle::new(self.given, model.as_ref().unwrap_or(&candidate.model), means.solver, means.budget);
        let trust = if candidate.doubt.is_none() { Trust::Axioms } else { Trust::Nothing };
        let steps = if self.leaves_out() { STEPS / 50 } else { STEPS };
        let run = replay(oracle, terms, entry, execution, &candidate.axioms, trust, steps)?;
        Ok((execution.assertion.unwrap_or(AssertId(0)), run))
    }
}
