//! What the engines see in place of the given program, as a list of passes, and the way back from what they find.

use std::sync::Arc;

use lariat_certify::Certificate;
use lariat_engine::{Candidate, Execution, Oracle, map_back};
use lariat_program::{
    AssertId, Program, RegionId, integers::Integers, interp, origins::Origins, recursive_regions, reduce::Reduced,
};
use lariat_term::{Model, Term, Terms, Var};

use crate::{
    replay::{ReplayError, Trust, replay},
    validate::Means,
};

/// Steps that a replay may take. One of an execution that passes have changed may take fewer, since what was left out
/// might not end.
const STEPS: u64 = 100_000_000;

/// And so many for each instance that it is known to have.
const STEPS_EACH: u64 = 50;

/// A program that was made of another one.
pub(crate) trait Pass: Send + Sync {
    /// The program.
    fn program(&self) -> &Arc<Program>;

    /// By region, where its parts come from.
    fn origins(&self) -> &[Origins];

    /// The values of the program that the pass was given which a model of the new one stands for; `None` if they are the same.
    fn model(&self, terms: &Terms, model: &Model) -> Option<Model> {
        let _ = (terms, model);
        None
    }

    /// Constants that variables hold at the start of all rounds of a loop.
    fn known(&self) -> &[(RegionId, Var, Term)] {
        &[]
    }

    /// May executions of the new program end where those of the given one do not, since something was left out?
    fn leaves_out(&self) -> bool {
        false
    }
}

/// What can influence no assertion that counts is left out.
pub(crate) struct Reduction {
    program: Arc<Program>,
    reduced: Reduced,
}

impl Reduction {
    pub fn new(mut reduced: Reduced) -> Reduction {
        Reduction { program: Arc::new(std::mem::take(&mut reduced.program)), reduced }
    }
}

impl Pass for Reduction {
    fn program(&self) -> &Arc<Program> {
        &self.program
    }

    fn origins(&self) -> &[Origins] {
        &self.reduced.origins
    }

    fn known(&self) -> &[(RegionId, Var, Term)] {
        &self.reduced.known
    }

    fn leaves_out(&self) -> bool {
        true
    }
}

/// Bit-vectors are read as integers.
pub(crate) struct OverIntegers {
    program: Arc<Program>,
    integers: Integers,
}

impl OverIntegers {
    pub fn new(mut integers: Integers) -> OverIntegers {
        OverIntegers { program: Arc::new(std::mem::take(&mut integers.program)), integers }
    }
}

impl Pass for OverIntegers {
    fn program(&self) -> &Arc<Program> {
        &self.program
    }

    fn origins(&self) -> &[Origins] {
        &self.integers.origins
    }

    fn model(&self, terms: &Terms, model: &Model) -> Option<Model> {
        Some(self.integers.model(terms, model))
    }
}

/// A program, and what passes made of it.
#[derive(Clone)]
pub(crate) struct View {
    /// The program as it was given.
    pub given: Arc<Program>,
    /// The passes, in the order in which they were made.
    pub passes: Vec<Arc<dyn Pass>>,
}

impl View {
    /// What the last pass made.
    pub fn program(&self) -> &Arc<Program> {
        self.passes.last().map_or(&self.given, |pass| pass.program())
    }

    /// May executions of the program end where those of the given one do not?
    pub fn leaves_out(&self) -> bool {
        self.passes.iter().any(|pass| pass.leaves_out())
    }

    /// A certificate about the program as one about the given program.
    pub fn certificate(&self, terms: &mut Terms, mut certificate: Certificate) -> Option<Certificate> {
        for (i, pass) in self.passes.iter().enumerate().rev() {
            let before = i.checked_sub(1).map_or(&self.given, |i| self.passes[i].program());
            let recursive = recursive_regions(before);
            certificate = lariat_certify::map_back(&certificate, pass.program(), pass.origins(), &recursive)?;
            for &(region, v, value) in pass.known() {
                let v = terms.var_term(v);
                certificate.facts.push((region, terms.eq(v, value)));
            }
        }
        Some(certificate)
    }

    /// The run of the interpreter on the given program that a bug describes, and the assertion that fails in it.
    pub fn replayed(
        &self,
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
        let oracle = Oracle::new(&self.given, model.as_ref().unwrap_or(&candidate.model), means.solver, means.budget);
        let trust = if candidate.doubt.is_none() { Trust::Axioms } else { Trust::Nothing };
        let rounds = execution.instances.len() as u64;
        let steps = if self.leaves_out() { STEPS / 50 + STEPS_EACH * rounds } else { STEPS };
        let run = replay(oracle, terms, entry, execution, &candidate.axioms, trust, steps)?;
        Ok((execution.assertion.unwrap_or(AssertId(0)), run))
    }
}
