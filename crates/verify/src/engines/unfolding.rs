//! Unfolding, as an engine: bugs, proofs of what ends, and bounds.

use std::time::Duration;

use lariat_certify::Certificate;
use lariat_engine::{Answer, Budget, Candidate, Engine, OpenSolver, Oracle, Proof, Session, Task};
use lariat_houdini::Contracts;
use lariat_program::{AssertId, Program, RegionId};
use lariat_smt::{Model, Reason, SolverError, solvers};
use lariat_term::Terms;
use lariat_unfold::{
    CheckResult, EngineError, Limits, NodeId, Specification, Stats, Strategy, StrategyKind, Target, Unfolding, check,
};

const CONTRADICTION: &str = "an assertion fails, but the axioms of the program contradict each other";

/// Expands regions on demand, with some strategy.
pub(crate) struct Unfold;

impl Engine for Unfold {
    fn name(&self) -> &'static str {
        "unfold"
    }

    fn about(&self) -> &'static str {
        "stratified unfolding of regions: bugs, and proofs where executions end (see --strategy)"
    }

    fn start(&self, _: &Task) -> Option<Box<dyn Session>> {
        // The portfolio runs it in its own thread, over all questions about an entry: see `UnfoldSession`.
        None
    }
}

/// An unfolding that serves all questions about an entry.
pub(crate) struct UnfoldSession<'a> {
    unfolding: Unfolding<'a>,
    strategy: Box<dyn Strategy>,
    question: Question<'a>,
}

/// What is unfolded.
#[derive(Clone)]
pub(crate) struct Question<'a> {
    /// The program as it was given.
    pub given: &'a Program,
    /// What passes made of it.
    pub program: &'a Program,
    /// Was something left out?
    pub leaves_out: bool,
    pub entry: RegionId,
    pub target: Target,
    pub solver: &'a str,
    pub strategy: StrategyKind,
}

/// How far an unfolding is.
pub(crate) type ShowUnfolding<'a> = &'a mut dyn FnMut(&Stats, u32, usize);

impl<'a> UnfoldSession<'a> {
    pub fn new(question: Question<'a>, terms: &'a mut Terms, limits: Limits) -> Result<UnfoldSession<'a>, EngineError> {
        UnfoldSession::with_contracts(question, terms, limits, None)
    }

    /// The same, with summaries of what is not looked into.
    pub fn with_contracts(
        question: Question<'a>,
        terms: &'a mut Terms,
        limits: Limits,
        contracts: Option<Contracts>,
    ) -> Result<UnfoldSession<'a>, EngineError> {
        let open = || solvers::open(question.solver, None);
        let limits = Limits { unasked: question.strategy.unasked(), ..limits };
        let strategy = question.strategy.make(&open)?;
        let Question { program, entry, .. } = question;
        let target = question.target.clone();
        let unfolding = Unfolding::with_contracts(program, terms, open()?, entry, target, limits, contracts)?;
        Ok(UnfoldSession { unfolding, strategy, question })
    }

    /// Makes only these (sorted) assertions count from now on.
    pub fn select(&mut self, which: &[AssertId]) {
        self.unfolding.select(which);
    }

    pub fn stats(&self) -> &Stats {
        self.unfolding.stats()
    }

    pub fn specifications(&self) -> Vec<Specification> {
        self.unfolding.specifications()
    }

    pub fn terms(&self) -> &Terms {
        self.unfolding.terms()
    }

    /// Unfolds until there is an answer or the budget is used up.
    pub fn run(&mut self, budget: &Budget, show: ShowUnfolding<'_>) -> Answer {
        self.unfolding.set_budget(budget.clone());
        match self.try_run(budget, show) {
            Ok(answer) => answer,
            Err(error) => nothing(budget, &error.to_string()),
        }
    }

    fn try_run(&mut self, budget: &Budget, show: ShowUnfolding<'_>) -> Result<Answer, EngineError> {
        let outcome = check(&mut self.unfolding, &mut *self.strategy, &mut |unfolding, bound| {
            show(unfolding.stats(), bound, unfolding.open().len());
        })?;
        Ok(match outcome {
            CheckResult::Safe => Answer::Proof(Box::new(Unfolded(self.unfolding.certificate()))),
            CheckResult::Unknown(reason) => unknown(budget, reason),
            CheckResult::Bounded(bound) => {
                let place = |&n: &NodeId| (self.unfolding.node(n).region, self.unfolding.box_loc(n));
                let mut cut: Vec<_> = bound.cut.iter().map(place).collect();
                cut.sort();
                cut.dedup();
                Answer::Bounded { bound: bound.bound, cut }
            }
            // The solver does not vouch for a proposal. Where it is none, that it gave up is the answer.
            CheckResult::Candidate(model, reason) => match self.bug(&model, Some(reason.clone()), budget) {
                Ok(bug @ Answer::Bug(_)) => bug,
                _ => unknown(budget, reason),
            },
            CheckResult::Unsafe(model) => self.bug(&model, None, budget)?,
        })
    }

    /// The bug that a model describes.
    fn bug(&mut self, model: &Model, doubt: Option<Reason>, budget: &Budget) -> Result<Answer, EngineError> {
        if self.contradictory()? {
            return Ok(Answer::Nothing(CONTRADICTION.into()));
        }
        let Question { given, program, leaves_out, entry, solver, .. } = self.question;
        let found = model.get(self.unfolding.terms()).map_err(EngineError::from)?;
        let mut oracle = Oracle::new(program, found, solver, budget);
        let compute =
            &mut |terms: &Terms, t| oracle.compute(terms, t, &|v| lariat_term::Interpretation::var(found, terms, v));
        let execution = self.unfolding.execution(model, compute).map_err(|EngineError::Solver(error)| error);
        // Further axioms of a reading over integers are about ranges only.
        let axioms: Vec<usize> = self.unfolding.axioms().iter().copied().filter(|&i| i < given.axioms.len()).collect();
        let left_out = leaves_out && !given.axioms.is_empty() && self.unfolding.relevant_axioms(given, entry) != axioms;
        Ok(Answer::Bug(Box::new(Candidate { execution, model: found.clone(), axioms, left_out, doubt })))
    }

    /// Do the axioms contradict each other, those included that were left out because nothing
    /// reachable speaks about them? Then there are no executions, and what was found is no error.
    fn contradictory(&mut self) -> Result<bool, EngineError> {
        if self.unfolding.axioms().len() == self.unfolding.program().axioms.len() {
            return Ok(false);
        }
        let axioms = self.unfolding.all_axioms();
        let mut solver = solvers::open(self.question.solver, None)?;
        for axiom in axioms {
            solver.assert(self.unfolding.terms(), axiom)?;
        }
        solver.set_limits(lariat_smt::Limits {
            resource: Some(1_000_000),
            ..lariat_smt::Limits::time(Duration::from_secs(1))
        });
        Ok(solver.check(self.unfolding.terms(), &[])?.is_unsat())
    }
}

/// A solver that was cut short may say anything: then, the budget is the reason.
fn nothing(budget: &Budget, said: &str) -> Answer {
    match budget.used_up() {
        Some(reason) => Answer::Paused(reason),
        None if said.contains("out of memory") => Answer::Nothing(Reason::MemoryLimit.to_string()),
        None => Answer::Nothing(said.to_owned()),
    }
}

fn unknown(budget: &Budget, reason: Reason) -> Answer {
    match reason {
        Reason::Timeout | Reason::Interrupted => Answer::Paused(budget.stop.cause().unwrap_or(reason)),
        _ => nothing(budget, &reason.to_string()),
    }
}

/// A proof by unfolding: that the over-query is unsatisfiable rests on the solver's word, unless the certificate is checked.
struct Unfolded(Certificate);

impl Proof for Unfolded {
    fn check(&mut self, _: OpenSolver<'_>) -> Result<bool, SolverError> {
        Ok(true)
    }

    fn certificate(&mut self, terms: Option<&Terms>) -> Option<(Terms, Certificate)> {
        Some((terms?.clone(), self.0.clone()))
    }
}
