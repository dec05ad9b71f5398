//! A model of the caller's query, from one of the inner query.

use std::sync::{Arc, Mutex, PoisonError};

use lariat_term::{ArrayValue, Model as TermModel, Sort, SortKind, Term, Terms, Value};
use rustc_hash::FxHashMap;

use super::{
    graph::{Array, ArrayId, Element},
    refine::Elements,
    translate::Translation,
    values::Values,
};
use crate::{Model, SolverError, model::Source};

/// The inner model and how much there was of the translation when it was found.
pub(super) struct LazyModel {
    pub(super) translation: Arc<Mutex<Translation>>,
    pub(super) inner: Model,
    pub(super) elements: Elements,
    pub(super) scalars: usize,
    pub(super) arrays: usize,
    pub(super) definitions: usize,
}

impl Source for LazyModel {
    fn build(&self, terms: &Terms) -> Result<TermModel, SolverError> {
        let translation = self.translation.lock().unwrap_or_else(PoisonError::into_inner);
        let graph = &translation.graph;
        let mut out = TermModel::complete();
        for &(v, x) in &translation.scalars[..self.scalars] {
            out.set(v, self.inner.value(&graph.terms, x)?);
        }
        let mut builder = Builder {
            terms,
            model: self,
            translation: &translation,
            values: Values::new(&self.inner),
            memo: FxHashMap::default(),
        };
        for &(v, a) in &translation.arrays[..self.arrays] {
            out.set(v, builder.array(a)?);
        }
        if translation.has_open() {
            for (op, args, value) in self.inner.get(&graph.terms)?.open_entries() {
                out.set_open(op, args.to_vec(), value.clone());
            }
        }
        Ok(out)
    }

    fn quick(&self, terms: &Terms, t: Term) -> Option<Value> {
        let v = terms.as_var(t)?;
        let translation = self.translation.lock().unwrap_or_else(PoisonError::into_inner);
        let x = translation.scalar_var(v)?;
        self.inner.value(&translation.graph.terms, x).ok()
    }
}

/// Makes array values.
struct Builder<'a> {
    terms: &'a Terms,
    model: &'a LazyModel,
    translation: &'a Translation,
    values: Values<'a>,
    memo: FxHashMap<ArrayId, Value>,
}

impl Builder<'_> {
    fn array(&mut self, root: ArrayId) -> Result<Value, SolverError> {
        let mut stack = vec![root];
        while let Some(&a) = stack.last() {
            if self.memo.contains_key(&a) {
                stack.pop();
                continue;
            }
            match self.step(a)? {
                Ok(value) => {
                    self.memo.insert(a, value);
                    stack.pop();
                }
                Err(first) => stack.push(first),
            }
        }
        Ok(self.memo[&root].clone())
    }

    /// The value of an array, or another one that is needed first.
    fn step(&mut self, a: ArrayId) -> Result<Result<Value, ArrayId>, SolverError> {
        let graph = &self.translation.graph;
        macro_rules! need {
            ($a:expr) => {
                match self.memo.get(&$a) {
                    Some(v) => v.clone(),
                    None => return Ok(Err($a)),
                }
            };
        }
        let no_value = || SolverError::NoValue { what: "an array".into() };
        let value = match graph.array(a) {
            Array::Var => match graph.definition(a, self.model.definitions) {
                Some(d) => need!(d),
                None => {
                    let empty = FxHashMap::default();
                    let mut entries: Vec<(&[Value], &Value)> = Vec::new();
                    for (indices, value) in self.model.elements.get(&a).unwrap_or(&empty) {
                        entries.push((indices, value));
                    }
                    entries.sort_unstable();
                    self.table(graph.sort(a), &entries).ok_or_else(no_value)?
                }
            },
            Array::Store { base, index, element } => {
                let Value::Array(mut array) = need!(base) else { return Err(no_value()) };
                let element = match element {
                    Element::Scalar(t) => self.values.get(&graph.terms, t)?.clone(),
                    Element::Array(x) => need!(x),
                };
                let index = self.values.get(&graph.terms, index)?.clone();
                Arc::make_mut(&mut array).set(index, element);
                Value::Array(array)
            }
            Array::Ite { condition, then, other } => {
                let branch = if self.values.is_true(&graph.terms, condition)? { then } else { other };
                need!(branch)
            }
            Array::Const(element) => {
                let element = match element {
                    Element::Scalar(t) => self.values.get(&graph.terms, t)?.clone(),
                    Element::Array(x) => need!(x),
                };
                let sort = graph.sort(a);
                let SortKind::Array(index, _) = self.terms.sort_kind(sort) else { return Err(no_value()) };
                Value::array(ArrayValue::constant(sort, self.terms.domain(index, &|_| None), element))
            }
            Array::Select { base, index } => {
                let Value::Array(array) = need!(base) else { return Err(no_value()) };
                array.get(self.values.get(&graph.terms, index)?).clone()
            }
        };
        Ok(Ok(value))
    }

    /// The array with these elements, sorted by their indices, and default values elsewhere. The
    /// recursion is as deep as arrays are nested, which [`Terms::default_value`] limits.
    fn table(&self, sort: Sort, entries: &[(&[Value], &Value)]) -> Option<Value> {
        let mut value = self.terms.default_value(sort)?;
        let SortKind::Array(_, inside) = self.terms.sort_kind(sort) else { return None };
        let Value::Array(array) = &mut value else { return None };
        let array = Arc::make_mut(array);
        let nested = matches!(self.terms.sort_kind(inside), SortKind::Array(..));
        for group in entries.chunk_by(|a, b| a.0.first() == b.0.first()) {
            let (indices, element) = group.first()?;
            let element = if nested {
                let rest: Vec<(&[Value], &Value)> = group.iter().map(|(i, v)| (&i[1..], *v)).collect();
                self.table(inside, &rest)?
            } else {
                (*element).clone()
            };
            array.set(indices.first()?.clone(), element);
        }
        Some(value)
    }
}
