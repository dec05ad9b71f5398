//! Replays an execution that a solver found with the concrete interpreter.

use lariat_program::{
    AssertId, Loc, Program, RegionId,
    interp::{Asked, Axioms, Interpreter, Options, Outcome, Query, Run, TraceLevel, ValueSource},
};
use lariat_term::{Interpretation, Model, Sort, Term, Terms, Value, Var};
use lariat_unfold::{EngineError, Execution};
use rustc_hash::FxHashMap;

use crate::oracle::Oracle;

/// Why an execution does not replay.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The model describes no execution.
    #[error(transparent)]
    Execution(#[from] EngineError),
    /// The interpreter does not accept the program.
    #[error("the program breaks a rule of the representation: {0}")]
    Program(String),
    /// It ended another way.
    #[error("the execution ended differently: {0:?}")]
    Ended(Outcome),
    /// The assertion that failed is not the one expected.
    #[error("another assertion failed")]
    Other(AssertId),
}

/// Runs the execution, in which the axioms at these positions matter. If the expected assertion
/// fails, the run with its trace.
pub fn replay(
    program: &Program,
    terms: &Terms,
    entry: RegionId,
    execution: &Execution,
    model: &Model,
    oracle: Oracle<'_>,
    axioms: &[usize],
) -> Result<Run, ReplayError> {
    let options = Options {
        trace: TraceLevel::Full,
        look_ahead: false,
        settle_outputs: true,
        axioms: Axioms::Only(axioms.to_vec()),
        compute_axioms: false,
        steps: 100_000_000,
        ..Options::default()
    };
    let interpreter = Interpreter::new(program, terms, options)
        .map_err(|v| ReplayError::Program(v.first().map_or(String::new(), ToString::to_string)))?;
    let mut source = Replay { execution: execution.clone(), model, oracle };
    let run = interpreter.run(entry, &mut source);
    match run.outcome {
        Outcome::AssertionFailed { id, .. } if Some(id) == execution.assertion => Ok(run),
        Outcome::AssertionFailed { id, .. } => Err(ReplayError::Other(id)),
        other => Err(ReplayError::Ended(other)),
    }
}

/// Answers with what the solver chose.
struct Replay<'a> {
    execution: Execution,
    model: &'a Model,
    oracle: Oracle<'a>,
}

impl ValueSource for Replay<'_> {
    fn value(&mut self, terms: &Terms, query: &Query) -> Option<Value> {
        let found = match query.asked {
            Asked::Havoc(_) => self.execution.havoc.pop_front(),
            Asked::Local(v) => {
                let instance = usize::try_from(query.instance).ok();
                let instance = instance.and_then(|i| self.execution.instances.get(i));
                instance.filter(|i| i.region == query.region).and_then(|i| i.locals.get(&v).cloned())
            }
            Asked::Global(v) | Asked::Constant(v) | Asked::Input(v) => self.model.var(terms, v),
            Asked::Function(f, args) => self.model.func(terms, f, args),
            Asked::Open(op, args) => self.model.open(terms, op, args),
        };
        // What the model does not mention does not matter to it.
        found.or_else(|| self.oracle.default_value(terms, query.sort))
    }

    fn choose(&mut self, _among: usize, _region: RegionId, _loc: Loc) -> Option<usize> {
        self.execution.choices.pop_front()
    }

    fn universe(&self, sort: Sort) -> Option<u32> {
        self.model.universe(sort)
    }

    fn compute(&mut self, terms: &Terms, term: Term, values: &FxHashMap<Var, Value>) -> Option<Value> {
        self.oracle.compute(terms, term, &|v| values.get(&v).cloned())
    }
}
