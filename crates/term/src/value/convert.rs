//! Between values and terms.

use rustc_hash::FxHashMap;

use super::{ArrayValue, Value};
use crate::{
    fold::no_universe,
    op::Op,
    store::{Term, Terms},
};

impl Terms {
    /// The term that denotes a value: a numeral, a constructor term, or stores (by ascending index)
    /// on a constant array.
    pub fn value_term(&mut self, v: &Value) -> Term {
        // A stack of values to build, with how many results of theirs are on the result stack.
        enum Step<'v> {
            Visit(&'v Value),
            Data(&'v super::Data),
            Array(&'v ArrayValue),
        }
        let mut steps = vec![Step::Visit(v)];
        let mut done: Vec<Term> = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(v) => match v {
                    Value::Bool(b) => done.push(self.bool(*b)),
                    Value::Int(_) | Value::Real(_) | Value::BitVec(_) | Value::Float(_) => {
                        done.push(self.number(v.clone()));
                    }
                    Value::RoundingMode(m) => done.push(self.rounding_mode(*m)),
                    Value::Elem(s, n) => done.push(self.intern(Op::Elem(*s, *n), &[])),
                    Value::Data(d) => {
                        steps.push(Step::Data(d));
                        steps.extend(d.fields().iter().rev().map(Step::Visit));
                    }
                    Value::Array(a) => {
                        steps.push(Step::Array(a));
                        let mut parts: Vec<&Value> = vec![a.default()];
                        parts.extend(a.entries().flat_map(|(i, e)| [i, e]));
                        steps.extend(parts.into_iter().rev().map(Step::Visit));
                    }
                },
                Step::Data(d) => {
                    let args = done.split_off(done.len() - d.fields().len());
                    done.push(self.intern(Op::Ctor(d.ctor()), &args));
                }
                Step::Array(a) => {
                    let parts = done.split_off(done.len() - 1 - 2 * a.len());
                    let mut term = self.intern(Op::ConstArray(a.sort()), &parts[..1]);
                    for entry in parts[1..].chunks_exact(2) {
                        term = self.intern(Op::Store, &[term, entry[0], entry[1]]);
                    }
                    done.push(term);
                }
            }
        }
        done[0]
    }

    /// The value that a term denotes whatever the interpretation, if it is a numeral, a constructor
    /// term of values, or stores of values on a constant array of a value.
    pub fn term_value(&self, t: Term) -> Option<Value> {
        if let Op::Const(c) = self.op(t) {
            return Some(self.const_value(c).clone());
        }
        let mut memo: FxHashMap<Term, Value> = FxHashMap::default();
        let mut work = vec![t];
        while let Some(&t) = work.last() {
            if memo.contains_key(&t) {
                work.pop();
                continue;
            }
            let op = self.op(t);
            if !matches!(op, Op::Store | Op::ConstArray(_) | Op::Ctor(_)) && !self.is_value(t) {
                return None;
            }
            let waiting = work.len();
            work.extend(self.args(t).iter().filter(|a| !memo.contains_key(a)));
            if work.len() > waiting {
                continue;
            }
            let args: Vec<Value> = self.args(t).iter().map(|a| memo[a].clone()).collect();
            let value = crate::fold::apply(self, op, &args, &no_universe).ok()?;
            memo.insert(t, value);
            work.pop();
        }
        memo.remove(&t)
    }
}
