//! Which open nodes matter: to the error condition at all (its cone), or to its value in one model
//! (Calysto's don't-care walk, algorithms 2 and 3).
//!
//! Both walk the shared term graph from the error condition down. A placeholder of an expanded node
//! stands for what the node was found to do; a placeholder of an open node ends the walk.

use lariat_smt::Model;
use lariat_term::{Evaluator, Op, Term, Value, Var};
use rustc_hash::FxHashSet;

use crate::{
    instance::NodeId,
    unfolding::{EngineError, Unfolding},
};

/// How many open nodes a walk looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// The first one only.
    One,
    /// All.
    All,
}

impl Unfolding<'_> {
    /// The open nodes within the bound that the error condition mentions, in the order in which they
    /// were made.
    pub fn cone(&self, bound: u32) -> Vec<NodeId> {
        self.owners_of(&self.walk(Amount::All, bound, |_| None))
    }

    /// The open nodes within the bound that the value of the error condition depends on in a model in
    /// which the nodes past the bound are blocked: operands that
    /// cannot change an operator's result, given the values of the others, are not looked at. If
    /// there is none, the model is a real error whatever the open nodes do.
    pub fn relevant(&self, model: &Model, amount: Amount, bound: u32) -> Result<Vec<NodeId>, EngineError> {
        Ok(self.owners_of(&self.relevant_placeholders(model, amount, bound)?))
    }

    /// The placeholders of these nodes that the value of the error condition depends on.
    pub(crate) fn relevant_placeholders(
        &self,
        model: &Model,
        amount: Amount,
        bound: u32,
    ) -> Result<Vec<Var>, EngineError> {
        let values = model.get(self.terms)?;
        let mut evaluator = Evaluator::new(self.terms, values);
        Ok(self.walk(amount, bound, |t| self.deciding(&mut evaluator, t)))
    }

    /// The nodes that placeholders belong to, in the order in which they were made.
    fn owners_of(&self, placeholders: &[Var]) -> Vec<NodeId> {
        let mut found: Vec<NodeId> = placeholders.iter().filter_map(|v| self.owners.get(v).copied()).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The placeholders of open nodes that a walk from the error condition meets. `deciding` names the operands
    /// that decide a term's value; `None`: all of them.
    fn walk(&self, amount: Amount, bound: u32, mut deciding: impl FnMut(Term) -> Option<Vec<Term>>) -> Vec<Var> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![self.condition];
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            if let Op::Var(v) = self.terms.op(t) {
                if let Some(&definition) = self.definitions.get(&v) {
                    stack.push(definition);
                } else if let Some(&node) = self.owners.get(&v)
                    && self.node(node).cost <= bound
                {
                    found.push(v);
                    if amount == Amount::One {
                        break;
                    }
                }
                continue;
            }
            match deciding(t) {
                // The last operand is looked at first: calls near the error come last.
                Some(some) => stack.extend(some),
                None => stack.extend(self.terms.args(t)),
            }
        }
        found
    }

    /// The operands that alone decide the value of a term, if not all of them are needed.
    fn deciding(&self, evaluator: &mut Evaluator<'_>, t: Term) -> Option<Vec<Term>> {
        let args = self.terms.args(t);
        let op = self.terms.op(t);
        match op {
            Op::Ite => match evaluator.eval(args[0]).ok()? {
                Value::Bool(true) => Some(vec![args[0], args[1]]),
                _ => Some(vec![args[0], args[2]]),
            },
            Op::Select => Some(self.read(evaluator, args[0], args[1])),
            _ => {
                let absorbs = |(i, a): (usize, Term)| evaluator.eval(a).is_ok_and(|v| is_absorbing(op, i, &v));
                let place = args.iter().copied().enumerate().position(absorbs)?;
                Some(vec![args[place]])
            }
        }
    }

    /// What decides a read of an array: the way down to the write that is read, or to what it is
    /// written upon.
    fn read(&self, evaluator: &mut Evaluator<'_>, mut array: Term, index: Term) -> Vec<Term> {
        let mut needed = vec![index];
        let wanted = evaluator.eval(index).ok();
        loop {
            let args = self.terms.args(array);
            array = match self.terms.op(array) {
                Op::Store => {
                    let at = evaluator.eval(args[1]).ok();
                    if at.is_none() || wanted.is_none() {
                        needed.push(array);
                        return needed;
                    }
                    needed.push(args[1]);
                    if at == wanted {
                        needed.push(args[2]);
                        return needed;
                    }
                    args[0]
                }
                Op::Ite => {
                    let Ok(condition) = evaluator.eval(args[0]) else {
                        needed.push(array);
                        return needed;
                    };
                    needed.push(args[0]);
                    if condition == Value::Bool(true) { args[1] } else { args[2] }
                }
                Op::Var(v) if self.definitions.contains_key(&v) => self.definitions[&v],
                _ => {
                    needed.push(array);
                    return needed;
                }
            };
        }
    }
}

/// Does this value of operand `i` fix the result of the operator, whatever the other operands are?
fn is_absorbing(op: Op, i: usize, value: &Value) -> bool {
    match (op, value) {
        (Op::And, Value::Bool(b)) => !b,
        (Op::Or, Value::Bool(b)) => *b,
        (Op::Mul, Value::Int(n)) => n.is_zero(),
        (Op::Mul, Value::Real(r)) => r.is_zero(),
        (Op::BvMul | Op::BvAnd, Value::BitVec(b)) => b.is_zero(),
        (Op::BvOr, Value::BitVec(b)) => b.is_ones(),
        // Shifts of zero.
        (Op::BvShl | Op::BvLshr | Op::BvAshr, Value::BitVec(b)) => i == 0 && b.is_zero(),
        // Nothing is below the least or above the greatest.
        (Op::BvUle, Value::BitVec(b)) => (i == 0 && b.is_zero()) || (i == 1 && b.is_ones()),
        (Op::BvUlt, Value::BitVec(b)) => (i == 1 && b.is_zero()) || (i == 0 && b.is_ones()),
        _ => false,
    }
}
