//! Negation, conjunction, disjunction and choice.

use super::{Args, Rule};
use crate::{
    Value,
    op::Op,
    sort::Sort,
    store::{Term, Terms},
};

impl Terms {
    pub(super) fn simplify_not(&mut self, a: Term) -> Term {
        let compare = |t: &mut Terms, rule: Rule, op: Op| {
            t.fire(rule);
            let &[x, y] = t.args(a) else { return t.intern(Op::Not, &[a]) };
            t.mk(op, &[y, x])
        };
        match self.op(a) {
            Op::True => self.by_bool(Rule::ConstFold, false),
            Op::False => self.by_bool(Rule::ConstFold, true),
            Op::Not => self.by(Rule::NotNot, self.args(a)[0]),
            Op::Le => compare(self, Rule::NotLe, Op::Lt),
            Op::Lt => compare(self, Rule::NotLt, Op::Le),
            Op::BvUlt => compare(self, Rule::NotBvCompare, Op::BvUle),
            Op::BvUle => compare(self, Rule::NotBvCompare, Op::BvUlt),
            Op::BvSlt => compare(self, Rule::NotBvCompare, Op::BvSle),
            Op::BvSle => compare(self, Rule::NotBvCompare, Op::BvSlt),
            _ => self.intern(Op::Not, &[a]),
        }
    }

    pub(super) fn simplify_and_or(&mut self, op: Op, args: &[Term]) -> Term {
        let and = op == Op::And;
        let pick = |a: Rule, o: Rule| if and { a } else { o };
        let mut parts = Args::new();
        if self.flatten(op, args, &mut parts) {
            self.fire(pick(Rule::AndFlatten, Rule::OrFlatten));
        }
        let (neutral, absorbing) = if and { (Op::True, Op::False) } else { (Op::False, Op::True) };
        if parts.iter().any(|&p| self.op(p) == absorbing) {
            return self.by_bool(pick(Rule::AndAbsorb, Rule::OrAbsorb), !and);
        }
        let before = parts.len();
        parts.retain(|p| self.op(*p) != neutral);
        if parts.len() < before {
            self.fire(pick(Rule::AndNeutral, Rule::OrNeutral));
        }
        self.commute(&mut parts);
        let before = parts.len();
        parts.dedup();
        if parts.len() < before {
            self.fire(pick(Rule::AndDuplicate, Rule::OrDuplicate));
        }
        let complement = parts.iter().any(|&p| self.op(p) == Op::Not && parts.binary_search(&self.args(p)[0]).is_ok());
        if complement {
            return self.by_bool(pick(Rule::AndComplement, Rule::OrComplement), !and);
        }
        match parts[..] {
            [] => self.bool(and),
            [a] => a,
            _ => self.intern(op, &parts),
        }
    }

    pub(super) fn simplify_ite(&mut self, mut c: Term, mut a: Term, mut b: Term) -> Term {
        while self.op(c) == Op::Not {
            self.fire(Rule::IteNot);
            c = self.args(c)[0];
            std::mem::swap(&mut a, &mut b);
        }
        match self.op(c) {
            Op::True => return self.by(Rule::IteConst, a),
            Op::False => return self.by(Rule::IteConst, b),
            _ => {}
        }
        if self.op(a) == Op::Ite && self.args(a)[0] == c {
            self.fire(Rule::IteNested);
            a = self.args(a)[1];
        }
        if self.op(b) == Op::Ite && self.args(b)[0] == c {
            self.fire(Rule::IteNested);
            b = self.args(b)[2];
        }
        if a == b {
            return self.by(Rule::IteSame, a);
        }
        if self.op(c) == Op::Eq {
            let &[x, y] = self.args(c) else { return self.intern(Op::Ite, &[c, a, b]) };
            if (x, y) == (a, b) || (x, y) == (b, a) {
                return self.by(Rule::IteEq, b);
            }
        }
        if self.op(c) == Op::FpIsNan
            && self.args(c)[0] == b
            && matches!(self.number_of(a), Some(Value::Float(f)) if f.is_nan())
        {
            return self.by(Rule::IteNan, b);
        }
        if self.sort(a) == Sort::BOOL {
            return self.simplify_ite_bool(c, a, b);
        }
        self.intern(Op::Ite, &[c, a, b])
    }

    fn simplify_ite_bool(&mut self, c: Term, mut a: Term, mut b: Term) -> Term {
        if a == c {
            self.fire(Rule::IteCond);
            a = self.bool(true);
        }
        if b == c {
            self.fire(Rule::IteCond);
            b = self.bool(false);
        }
        let (op, x, y) = match (self.op(a), self.op(b)) {
            (Op::True, Op::False) => return self.by(Rule::IteBool, c),
            (Op::True, _) => (Op::Or, c, b),
            (_, Op::False) => (Op::And, c, a),
            (Op::False, Op::True) => {
                self.fire(Rule::IteBool);
                return self.mk(Op::Not, &[c]);
            }
            (Op::False, _) => (Op::And, self.mk(Op::Not, &[c]), b),
            (_, Op::True) => (Op::Or, self.mk(Op::Not, &[c]), a),
            _ => return self.intern(Op::Ite, &[c, a, b]),
        };
        self.fire(Rule::IteBool);
        self.mk(op, &[x, y])
    }
}
