//! Datatypes and binders.

use super::Rule;
use crate::{
    op::Op,
    sort::CtorId,
    store::{Term, Terms},
};

impl Terms {
    pub(super) fn simplify_ctor(&mut self, c: CtorId, args: &[Term]) -> Term {
        if let Some(&first) = args.first()
            && self.op(first) == Op::Selector(c, 0)
            && self.ctors(self.ctor_datatype(c)).len() == 1
        {
            let x = self.args(first)[0];
            let all =
                args.iter().enumerate().all(|(i, &a)| self.op(a) == Op::Selector(c, i as u32) && self.args(a)[0] == x);
            if all {
                return self.by(Rule::CtorSelectors, x);
            }
        }
        self.intern(Op::Ctor(c), args)
    }

    pub(super) fn simplify_selector(&mut self, c: CtorId, i: u32, a: Term) -> Term {
        if self.op(a) == Op::Ctor(c) {
            return self.by(Rule::SelectorCtor, self.args(a)[i as usize]);
        }
        self.intern(Op::Selector(c, i), &[a])
    }

    pub(super) fn simplify_tester(&mut self, c: CtorId, a: Term) -> Term {
        if let Op::Ctor(d) = self.op(a) {
            return self.by_bool(Rule::TesterCtor, c == d);
        }
        if self.ctors(self.ctor_datatype(c)).len() == 1 {
            return self.by_bool(Rule::TesterSingle, true);
        }
        self.intern(Op::Tester(c), &[a])
    }

    pub(super) fn simplify_quantifier(&mut self, op: Op, args: &[Term]) -> Term {
        let body = args[0];
        match self.op(body) {
            // No sort is empty.
            Op::True | Op::False => self.by(Rule::QuantConst, body),
            _ if self.loose(body) == 0 => self.by(Rule::QuantUnused, body),
            _ => self.intern(op, args),
        }
    }

    pub(super) fn simplify_lambda(&mut self, op: Op, args: &[Term]) -> Term {
        let body = args[0];
        if self.loose(body) == 0 {
            self.fire(Rule::LambdaConst);
            let sort = self.sort_of_app(op, args);
            return self.intern(Op::ConstArray(sort), args);
        }
        if let (Op::Select, &[a, i]) = (self.op(body), self.args(body))
            && matches!(self.op(i), Op::Bound(0, _))
            && self.loose(a) == 0
        {
            return self.by(Rule::LambdaEta, a);
        }
        self.intern(op, args)
    }
}
