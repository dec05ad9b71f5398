//! Equality and distinctness.

use smallvec::SmallVec;

use super::{Args, Rule};
use crate::{
    op::Op,
    sort::Sort,
    store::{Term, Terms},
    value::{BitVec, Value},
};

/// Equations of nested constructor terms are taken apart into at most this many.
const MAX_FIELDS: usize = 16;

impl Terms {
    pub(super) fn simplify_eq(&mut self, mut a: Term, mut b: Term) -> Term {
        if a == b {
            return self.by_bool(Rule::EqReflexive, true);
        }
        // A value comes last, otherwise the older term first.
        if self.is_value(a) || (a > b && !self.is_value(b)) {
            if self.is_value(b) {
                return self.by_bool(Rule::ConstFold, false);
            }
            std::mem::swap(&mut a, &mut b);
            self.fire(Rule::Commute);
        }
        match (self.op(a), self.op(b)) {
            (_, Op::True) => self.by(Rule::EqTrue, a),
            (_, Op::False) => {
                self.fire(Rule::EqFalse);
                self.mk(Op::Not, &[a])
            }
            (Op::Not, Op::Not) => {
                self.fire(Rule::EqNots);
                let (a, b) = (self.args(a)[0], self.args(b)[0]);
                self.mk(Op::Eq, &[a, b])
            }
            (Op::Not, _) if self.args(a)[0] == b => self.by_bool(Rule::EqComplement, false),
            (_, Op::Not) if self.args(b)[0] == a => self.by_bool(Rule::EqComplement, false),
            (Op::Ctor(c), Op::Ctor(d)) if c != d => self.by_bool(Rule::EqCtorClash, false),
            (Op::Ctor(_), Op::Ctor(_)) => self.eq_ctors(a, b),
            (Op::Ite, _) if self.is_value(b) => self.eq_ite_values(a, b),
            (Op::Add | Op::BvAdd, _) | (_, Op::Add | Op::BvAdd) => self.eq_offset(a, b),
            (Op::ZeroExt(n), Op::ZeroExt(m)) | (Op::SignExt(n), Op::SignExt(m)) if n == m => {
                let (a, b) = (self.args(a)[0], self.args(b)[0]);
                self.fire(Rule::EqExt);
                self.mk(Op::Eq, &[a, b])
            }
            (Op::ZeroExt(_), Op::Const(_)) => self.eq_ext_const(a, b),
            _ => self.intern(Op::Eq, &[a, b]),
        }
    }

    /// Terms of one constructor. Nested ones are taken apart as well, with a limit.
    fn eq_ctors(&mut self, a: Term, b: Term) -> Term {
        let mut work: SmallVec<[(Term, Term); 8]> = SmallVec::new();
        work.push((a, b));
        let mut parts = Args::new();
        let mut next = 0;
        while let Some(&(a, b)) = work.get(next) {
            next += 1;
            match (self.op(a), self.op(b)) {
                _ if a == b => {}
                (Op::Ctor(c), Op::Ctor(d)) if c != d => return self.by_bool(Rule::EqCtorClash, false),
                (Op::Ctor(_), Op::Ctor(_)) if work.len() + self.args(a).len() <= MAX_FIELDS || next == 1 => {
                    self.fire(Rule::EqCtor);
                    work.extend(self.args(a).iter().copied().zip(self.args(b).iter().copied()));
                }
                (Op::Ctor(_), Op::Ctor(_)) => parts.push(self.intern(Op::Eq, &[a, b])),
                _ => parts.push(self.mk(Op::Eq, &[a, b])),
            }
        }
        self.and(&parts)
    }

    /// `ite(c, v, w) = u`, where `u` is a value.
    fn eq_ite_values(&mut self, ite: Term, u: Term) -> Term {
        let &[c, v, w] = self.args(ite) else { return self.intern(Op::Eq, &[ite, u]) };
        if !self.is_value(v) || !self.is_value(w) {
            return self.intern(Op::Eq, &[ite, u]);
        }
        self.fire(Rule::EqIteValues);
        match (v == u, w == u) {
            (true, true) => self.bool(true),
            (true, false) => c,
            (false, true) => self.mk(Op::Not, &[c]),
            (false, false) => self.bool(false),
        }
    }

    /// At least one side is a sum.
    fn eq_offset(&mut self, a: Term, b: Term) -> Term {
        if let Some((c, d)) = self.offsets(a, b) {
            return self.by_bool(Rule::EqSameBase, self.same_offset(c, d));
        }
        // x + c = d: a value is on the right.
        let op = self.op(a);
        if self.number_of(b).is_some()
            && let [c, rest @ ..] = self.args(a)
            && self.number_of(*c).is_some()
        {
            let (c, rest) = (*c, Args::from_slice(rest));
            if let Some(d) = self.difference(op, b, c) {
                self.fire(Rule::EqOffset);
                let rest = if rest.len() == 1 { rest[0] } else { self.intern(op, &rest) };
                return self.mk(Op::Eq, &[rest, d]);
            }
        }
        self.intern(Op::Eq, &[a, b])
    }

    /// `d - c` for numerals; `sum` is the sort's addition.
    pub(super) fn difference(&mut self, sum: Op, d: Term, c: Term) -> Option<Term> {
        let v = match (sum, self.number_of(d)?, self.number_of(c)?) {
            (Op::Add, Value::Int(d), Value::Int(c)) => Value::Int(d - c),
            (Op::Add, Value::Real(d), Value::Real(c)) => Value::Real(d - c),
            (Op::BvAdd, Value::BitVec(d), Value::BitVec(c)) => Value::BitVec(d.add(&c.neg())),
            _ => return None,
        };
        Some(self.number(v))
    }

    fn eq_ext_const(&mut self, ext: Term, c: Term) -> Term {
        let x = self.args(ext)[0];
        let (Some(w), Some(b)) = (self.bv_width(x), self.bv_numeral(c)) else {
            return self.intern(Op::Eq, &[ext, c]);
        };
        let low = BitVec::new(w, b.bits().clone());
        let fits = low.bits() == b.bits();
        self.fire(Rule::EqExtConst);
        if !fits {
            return self.bool(false);
        }
        let low = self.number(Value::BitVec(low));
        self.mk(Op::Eq, &[x, low])
    }

    pub(super) fn simplify_distinct(&mut self, args: &[Term]) -> Term {
        if let &[a, b] = args {
            self.fire(Rule::DistinctTwo);
            let eq = self.mk(Op::Eq, &[a, b]);
            return self.mk(Op::Not, &[eq]);
        }
        let mut parts = Args::from_slice(args);
        self.commute(&mut parts);
        if parts.windows(2).any(|w| w[0] == w[1]) {
            return self.by_bool(Rule::DistinctDuplicate, false);
        }
        if self.sort(parts[0]) == Sort::BOOL {
            return self.by_bool(Rule::DistinctBool, false);
        }
        if parts.iter().all(|&p| self.is_value(p)) {
            return self.by_bool(Rule::ConstFold, true);
        }
        self.intern(Op::Distinct, &parts)
    }
}
