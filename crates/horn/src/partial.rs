//! Terms with some variables known, without a look at what then no longer matters.

use lariat_term::{Op, Term, Terms, Var};
use rustc_hash::FxHashMap;

/// A substitution of values for variables that enters only the branches and operands that count: of a choice
/// whose condition is decided one branch, of a conjunction nothing behind what is false.
#[derive(Default)]
pub(crate) struct Partial {
    known: FxHashMap<Var, Term>,
    done: FxHashMap<Term, Term>,
}

impl Partial {
    /// What a variable is, if that is known.
    pub fn known(&self, v: Var) -> Option<Term> {
        self.known.get(&v).copied()
    }

    /// Sets what a variable is.
    pub fn bind(&mut self, v: Var, value: Term) {
        self.known.insert(v, value);
    }

    /// Sets what a term is, a condition for instance, before any other is applied.
    pub fn decide(&mut self, t: Term, value: Term) {
        self.done.insert(t, value);
    }

    /// The term, as far as it is not decided.
    pub fn apply(&mut self, terms: &mut Terms, root: Term) -> Term {
        // Terms with how many of their arguments have been looked at.
        let mut stack = vec![(root, 0)];
        while let Some((t, next)) = stack.pop() {
            if self.done.contains_key(&t) {
                continue;
            }
            match self.step(terms, t, next) {
                Ok(result) => _ = self.done.insert(t, result),
                Err((next, needed)) => {
                    stack.push((t, next));
                    stack.push((needed, 0));
                }
            }
        }
        self.done[&root]
    }

    /// The result, or an argument to be computed first and its position.
    fn step(&mut self, terms: &mut Terms, t: Term, start: usize) -> Result<Term, (usize, Term)> {
        let args = terms.args(t);
        if args.is_empty() {
            let known = terms.as_var(t).and_then(|v| self.known.get(&v).copied());
            return Ok(known.unwrap_or(t));
        }
        if terms.binds(t) > 0 {
            return Ok(terms.substitute(t, &self.known));
        }
        let op = terms.op(t);
        let absorbing = match op {
            Op::And => Some(Op::False),
            Op::Or => Some(Op::True),
            _ => None,
        };
        for i in start..args.len() {
            let Some(&value) = self.done.get(&args[i]) else { return Err((i, args[i])) };
            if absorbing == Some(terms.op(value)) {
                return Ok(value);
            }
            let branch = match terms.op(value) {
                Op::True => 1,
                Op::False => 2,
                _ => continue,
            };
            if op == Op::Ite && i == 0 {
                return self.done.get(&args[branch]).copied().ok_or((0, args[branch]));
            }
        }
        let new: Vec<Term> = args.iter().map(|a| self.done[a]).collect();
        Ok(if new == args { t } else { terms.mk(op, &new) })
    }
}
