//! The model of a satisfiable check, with values on demand.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use lariat_term::{Evaluator, Model as TermModel, Op, Term, Terms, Value};

use crate::SolverError;

/// Where values come from.
pub(crate) trait Source: Send + Sync {
    /// Everything that is needed to evaluate the assertions and assumptions of the check. What has
    /// no value in Lariat is left out; then the model is not complete.
    fn build(&self, terms: &Terms) -> Result<TermModel, SolverError>;

    /// The value of a variable of a simple sort, if that is cheaper than to build everything.
    fn quick(&self, terms: &Terms, t: Term) -> Option<Value> {
        let _ = (terms, t);
        None
    }
}

/// Can the operator be an unknown function of its arguments? Then only the solver knows its value.
pub(crate) fn may_be_open(op: Op) -> bool {
    matches!(
        op,
        Op::IntDiv
            | Op::IntMod
            | Op::RealDiv
            | Op::Pow
            | Op::FpToUbv(_)
            | Op::FpToSbv(_)
            | Op::FpToReal
            | Op::FpMin
            | Op::FpMax
            | Op::Selector(..)
    )
}

/// A model: an interpretation that satisfies all assertions and assumptions of the check.
///
/// Nothing is computed until somebody asks. The model stays what it is when the solver goes on.
/// It knows every variable and function of the check, and the corners that SMT-LIB leaves open
/// (division by zero …) as the solver chose them, so that every quantifier-free assertion evaluates
/// to true in it. What the solver has but Lariat cannot express, such as irrational numbers, has no
/// value: an error, never a wrong value.
#[derive(Clone)]
pub struct Model {
    source: Arc<dyn Source>,
    built: Arc<OnceLock<Result<TermModel, SolverError>>>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("built", &self.built.get()).finish_non_exhaustive()
    }
}

impl Model {
    pub(crate) fn new(source: impl Source + 'static) -> Model {
        Model { source: Arc::new(source), built: Arc::default() }
    }

    /// The whole model as tables, to evaluate terms with.
    pub fn get(&self, terms: &Terms) -> Result<&TermModel, SolverError> {
        self.built.get_or_init(|| self.source.build(terms)).as_ref().map_err(Clone::clone)
    }

    /// The value of one term. To evaluate many terms that are not variables, use
    /// [`Model::get`] and one [`Evaluator`].
    pub fn value(&self, terms: &Terms, t: Term) -> Result<Value, SolverError> {
        if self.built.get().is_none()
            && let Some(v) = self.source.quick(terms, t)
        {
            return Ok(v);
        }
        let model = self.get(terms)?;
        Evaluator::new(terms, model).eval(t).map_err(|e| SolverError::NoValue { what: format!("a term: {e}") })
    }

    /// Is a Boolean term true?
    pub fn is_true(&self, terms: &Terms, t: Term) -> Result<bool, SolverError> {
        match self.value(terms, t)? {
            Value::Bool(b) => Ok(b),
            _ => Err(SolverError::Misuse("the truth of a term that is not Boolean".into())),
        }
    }
}
