//! Replays an execution that a solver found with the concrete interpreter.

use lariat_engine::{Execution, Instance, Oracle};
use lariat_program::{
    RegionId,
    interp::{Asked, At, Axioms, Interpreter, Options, Outcome, Query, Run, TraceLevel, ValueSource},
};
use lariat_smt::SolverError;
use lariat_term::{Interpretation, Model, Sort, Term, Terms, Value, Var};
use rustc_hash::FxHashMap;

/// Why an execution does not replay.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The model describes no execution.
    #[error(transparent)]
    Execution(#[from] SolverError),
    /// The interpreter does not accept the program.
    #[error("the program breaks a rule of the representation: {0}")]
    Program(String),
    /// It ended another way.
    #[error("{}", ended(&.0.outcome))]
    Ended(Box<Run>),
    /// The assertion that failed is not the one expected.
    #[error("another assertion failed")]
    Other(Box<Run>),
    /// It is an execution of a reduced program, and what was left out is subject to further axioms.
    #[error("an axiom speaks of what was left out")]
    LeftOut,
    /// It is not known whether an axiom holds in it.
    #[error("an axiom cannot be evaluated")]
    Axiom(Box<Run>),
}

impl ReplayError {
    /// The run, as far as it went.
    pub fn run(self) -> Option<Box<Run>> {
        match self {
            ReplayError::Ended(run) | ReplayError::Other(run) | ReplayError::Axiom(run) => Some(run),
            ReplayError::Execution(_) | ReplayError::Program(_) | ReplayError::LeftOut => None,
        }
    }
}

fn ended(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Completed | Outcome::Stopped => "the execution ended without failing".into(),
        Outcome::AssertionFailed { .. } => "an assertion failed".into(),
        Outcome::AssumeFailed { .. } => "an assumption does not hold".into(),
        Outcome::StepLimit => "the execution takes too many steps".into(),
        Outcome::Stuck { reason, .. } => reason.to_string(),
    }
}

/// What the solver vouches for, so that the replay may leave it out where it cannot be evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// That the axioms hold in its model.
    Axioms,
    /// Nothing.
    Nothing,
}

/// Runs the execution in the oracle's model, where the axioms at these positions matter, for so many steps at most. If
/// the expected assertion fails, the run with its trace.
pub fn replay<'a>(
    oracle: Oracle<'a>,
    terms: &Terms,
    entry: RegionId,
    execution: &'a Execution,
    axioms: &[usize],
    trust: Trust,
    steps: u64,
) -> Result<Run, ReplayError> {
    let options = Options {
        trace: TraceLevel::Full,
        look_ahead: false,
        settle_outputs: true,
        axioms: Axioms::Only(axioms.to_vec()),
        compute_axioms: trust == Trust::Nothing,
        steps,
        ..Options::default()
    };
    let interpreter = Interpreter::new(oracle.program, terms, options)
        .map_err(|v| ReplayError::Program(v.first().map_or(String::new(), ToString::to_string)))?;
    let mut source = Replay { execution, instances: vec![Some(0)], model: oracle.model, oracle };
    let run = interpreter.run(entry, &mut source);
    match run.outcome {
        _ if trust == Trust::Nothing && !run.unchecked_axioms.is_empty() => Err(ReplayError::Axiom(Box::new(run))),
        Outcome::AssertionFailed { id, .. } if Some(id) == execution.assertion => Ok(run),
        Outcome::AssertionFailed { .. } => Err(ReplayError::Other(Box::new(run))),
        _ => Err(ReplayError::Ended(Box::new(run))),
    }
}

/// Answers with what the solver chose.
struct Replay<'a> {
    execution: &'a Execution,
    /// Where the instances of the run are in the execution.
    instances: Vec<Option<usize>>,
    model: &'a Model,
    oracle: Oracle<'a>,
}

impl Replay<'_> {
    fn instance(&self, at: At) -> Option<&Instance> {
        let position = *usize::try_from(at.instance).ok().and_then(|i| self.instances.get(i))?;
        self.execution.instances.get(position?).filter(|i| i.region == at.region)
    }
}

impl ValueSource for Replay<'_> {
    fn value(&mut self, terms: &Terms, query: &Query) -> Option<Value> {
        let found = match query.asked {
            Asked::Havoc(v) => {
                let at = query.at;
                self.instance(at).and_then(|i| i.havoc.get(&(at.block, at.stmt, v)).cloned())
            }
            Asked::Local(v) => self.instance(query.at).and_then(|i| i.locals.get(&v).cloned()),
            Asked::Global(v) | Asked::Constant(v) | Asked::Input(v) => self.model.var(terms, v),
            Asked::Function(f, args) => self.model.func(terms, f, args),
            Asked::Unspecified(op, args) => self.model.open(terms, op, args),
        };
        // What the model does not mention does not matter to it.
        found.or_else(|| self.oracle.default_value(terms, query.sort))
    }

    fn choose(&mut self, _among: usize, at: At) -> Option<usize> {
        Some(self.instance(at).and_then(|i| i.choices.get(&at.block).copied()).unwrap_or(0))
    }

    fn enter(&mut self, from: At) {
        let entered = self.instance(from).and_then(|i| i.boxes.get(&(from.block, from.stmt)).copied());
        self.instances.push(entered);
    }

    fn universe(&self, sort: Sort) -> Option<u32> {
        self.model.universe(sort)
    }

    fn compute(&mut self, terms: &Terms, term: Term, values: &FxHashMap<Var, Value>) -> Option<Value> {
        self.oracle.compute(terms, term, &|v| values.get(&v).cloned())
    }
}
