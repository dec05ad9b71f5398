//! Arrays: reading over writing, and writes in a canonical order.

use smallvec::SmallVec;

use super::Rule;
use crate::{
    op::Op,
    store::{Term, Terms},
};

/// A read looks through at most this many writes.
const MAX_READ: usize = 1024;

/// What is written back is looked for below at most this many writes.
const MAX_SAME: usize = 16;

/// A write moves past at most this many others.
const MAX_ORDER: usize = 8;

impl Terms {
    pub(super) fn simplify_select(&mut self, mut a: Term, i: Term) -> Term {
        for _ in 0..MAX_READ {
            match (self.op(a), self.args(a)) {
                (Op::Store, &[_, j, v]) if i == j => return self.by(Rule::SelectStoreSame, v),
                (Op::Store, &[b, j, _]) if self.decided_distinct(i, j) => {
                    self.fire(Rule::SelectStoreOther);
                    a = b;
                }
                (Op::ConstArray(_), &[v]) => return self.by(Rule::SelectConst, v),
                (Op::Lambda(_), &[body]) => {
                    self.fire(Rule::SelectLambda);
                    return self.instantiate(body, &[i]);
                }
                (Op::Ite, &[c, x, y]) => {
                    let (Some(x), Some(y)) = (self.read_at_once(x, i), self.read_at_once(y, i)) else { break };
                    self.fire(Rule::SelectIte);
                    return self.mk(Op::Ite, &[c, x, y]);
                }
                _ => break,
            }
        }
        self.intern(Op::Select, &[a, i])
    }

    /// The element that an array visibly has at an index.
    fn read_at_once(&self, a: Term, i: Term) -> Option<Term> {
        match (self.op(a), self.args(a)) {
            (Op::ConstArray(_), &[v]) => Some(v),
            (Op::Store, &[_, j, v]) if i == j => Some(v),
            _ => None,
        }
    }

    pub(super) fn simplify_store(&mut self, a: Term, i: Term, v: Term) -> Term {
        if let Some(rule) = self.writes_nothing(a, i, v) {
            return self.by(rule, a);
        }
        // The writes that the new one moves past, last one first.
        let mut passed: SmallVec<[(Term, Term); MAX_ORDER]> = SmallVec::new();
        let mut below = a;
        while let (Op::Store, &[b, j, w]) = (self.op(below), self.args(below)) {
            if i == j {
                self.fire(Rule::StoreOverwrite);
                let write = match self.writes_nothing(b, i, v) {
                    Some(rule) => self.by(rule, b),
                    None => self.intern(Op::Store, &[b, i, v]),
                };
                return self.rewrite_stores(write, &passed);
            }
            // An index sorts after another if its term is younger.
            if passed.len() == MAX_ORDER || j < i || !self.decided_distinct(i, j) {
                break;
            }
            passed.push((j, w));
            below = b;
        }
        if !passed.is_empty() {
            self.fire(Rule::StoreOrder);
        }
        let write = self.intern(Op::Store, &[below, i, v]);
        self.rewrite_stores(write, &passed)
    }

    /// The rule by which an array already has the element at the index, if one sees that.
    fn writes_nothing(&self, a: Term, i: Term, v: Term) -> Option<Rule> {
        if let (Op::Select, &[from, j]) = (self.op(v), self.args(v))
            && i == j
        {
            return self.agree_at(a, from, i).then_some(Rule::StoreSelf);
        }
        let mut below = a;
        for _ in 0..MAX_SAME {
            match (self.op(below), self.args(below)) {
                (Op::Store, &[b, j, _]) if self.decided_distinct(i, j) => below = b,
                (Op::ConstArray(_), &[w]) if v == w => return Some(Rule::StoreConst),
                _ => break,
            }
        }
        None
    }

    /// Is `a` the array `from` with writes to other indices than `i`?
    fn agree_at(&self, mut a: Term, from: Term, i: Term) -> bool {
        for _ in 0..MAX_SAME {
            if a == from {
                return true;
            }
            match (self.op(a), self.args(a)) {
                (Op::Store, &[b, j, _]) if self.decided_distinct(i, j) => a = b,
                _ => return false,
            }
        }
        false
    }

    /// The writes that a new one moved past, done again.
    fn rewrite_stores(&mut self, mut a: Term, passed: &[(Term, Term)]) -> Term {
        for &(j, w) in passed.iter().rev() {
            a = self.intern(Op::Store, &[a, j, w]);
        }
        a
    }
}
