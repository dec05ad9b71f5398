//! Values of inner terms in an inner model, while the inner store grows.

use lariat_term::{Interpretation, NotFixed, Op, Term, Terms, Value, fold};
use rustc_hash::FxHashMap;

use crate::{Model, SolverError};

/// What terms evaluate to in a model. Unlike an [`Evaluator`](lariat_term::Evaluator) it does not hold
/// on to the store.
pub(super) struct Values<'a> {
    model: &'a Model,
    memo: FxHashMap<Term, Value>,
    touched: Vec<Term>,
}

impl<'a> Values<'a> {
    pub(super) fn new(model: &'a Model) -> Values<'a> {
        Values { model, memo: FxHashMap::default(), touched: Vec::new() }
    }

    /// The variables that were evaluated since the last call.
    pub(super) fn touched(&mut self) -> impl Iterator<Item = Term> + '_ {
        self.touched.drain(..)
    }

    /// Is a Boolean term true?
    pub(super) fn is_true(&mut self, terms: &Terms, t: Term) -> Result<bool, SolverError> {
        Ok(*self.get(terms, t)? == Value::Bool(true))
    }

    /// The value of a term.
    pub(super) fn get(&mut self, terms: &Terms, root: Term) -> Result<&Value, SolverError> {
        // With each term, how many of its arguments are known not to decide it.
        let mut stack = vec![(root, 0)];
        while let Some((t, next)) = stack.last_mut() {
            let t = *t;
            if self.memo.contains_key(&t) {
                stack.pop();
                continue;
            }
            let args = terms.args(t);
            let (op, absorbing) = (terms.op(t), Value::Bool(terms.op(t) == Op::Or));
            let value = match op {
                Op::Var(_) => {
                    self.touched.push(t);
                    self.model.value(terms, t)?
                }
                Op::Ite => {
                    let Some(condition) = self.memo.get(&args[0]) else {
                        stack.push((args[0], 0));
                        continue;
                    };
                    let branch = if *condition == Value::Bool(true) { args[1] } else { args[2] };
                    let Some(value) = self.memo.get(&branch) else {
                        stack.push((branch, 0));
                        continue;
                    };
                    value.clone()
                }
                Op::And | Op::Or => match args.get(*next).map(|a| (a, self.memo.get(a))) {
                    None => Value::Bool(op == Op::And),
                    Some((_, Some(v))) if *v == absorbing => absorbing,
                    Some((_, Some(_))) => {
                        *next += 1;
                        continue;
                    }
                    Some((&a, None)) => {
                        stack.push((a, 0));
                        continue;
                    }
                },
                _ => {
                    if let Some(&a) = args.get(*next) {
                        *next += 1;
                        stack.push((a, 0));
                        continue;
                    }
                    let values: Vec<Value> = args.iter().map(|a| self.memo[a].clone()).collect();
                    match fold::apply(terms, op, &values, &|_| None) {
                        Ok(v) => v,
                        Err(NotFixed::Unspecified) => {
                            self.model.get(terms)?.open(terms, op, &values).ok_or_else(|| no_value(terms, t))?
                        }
                        Err(NotFixed::TooBig | NotFixed::NoValue) => return Err(no_value(terms, t)),
                    }
                }
            };
            self.memo.insert(t, value);
            stack.pop();
        }
        Ok(&self.memo[&root])
    }
}

fn no_value(terms: &Terms, t: Term) -> SolverError {
    SolverError::NoValue { what: crate::query::term(terms, t) }
}
