//! Comparisons of integers, pointers and floats.

use lariat_term::{Op, Term, Terms};

use super::{
    body::Body,
    value::{self, Pointer, Value},
};
use crate::module::{FloatPredicate, InstId, IntPredicate, Operand};

/// A comparison of integers or Booleans.
pub(super) fn compare(terms: &mut Terms, op: IntPredicate, a: Term, b: Term) -> Term {
    match op {
        IntPredicate::Eq => return terms.eq(a, b),
        IntPredicate::Ne => return terms.ne(a, b),
        _ => {}
    }
    let (a, b) = match terms.bv_width(a) {
        Some(_) => (a, b),
        None => (value::bool_to_bv(terms, a, 1), value::bool_to_bv(terms, b, 1)),
    };
    match op {
        IntPredicate::Ugt => terms.mk(Op::BvUlt, &[b, a]),
        IntPredicate::Uge => terms.mk(Op::BvUle, &[b, a]),
        IntPredicate::Ult => terms.mk(Op::BvUlt, &[a, b]),
        IntPredicate::Ule => terms.mk(Op::BvUle, &[a, b]),
        IntPredicate::Sgt => terms.mk(Op::BvSlt, &[b, a]),
        IntPredicate::Sge => terms.mk(Op::BvSle, &[b, a]),
        IntPredicate::Slt => terms.mk(Op::BvSlt, &[a, b]),
        IntPredicate::Sle | IntPredicate::Eq | IntPredicate::Ne => terms.mk(Op::BvSle, &[a, b]),
    }
}

pub(super) fn float_compare(terms: &mut Terms, op: FloatPredicate, a: Term, b: Term) -> Term {
    let mut any = |equal: bool, greater: bool, less: bool| {
        let mut parts = Vec::new();
        match (equal, less) {
            (true, true) => parts.push(terms.mk(Op::FpLe, &[a, b])),
            (true, false) if greater => parts.push(terms.mk(Op::FpLe, &[b, a])),
            (true, false) => parts.push(terms.mk(Op::FpEq, &[a, b])),
            (false, true) => parts.push(terms.mk(Op::FpLt, &[a, b])),
            (false, false) => {}
        }
        if greater && (less || !equal) {
            parts.push(terms.mk(Op::FpLt, &[b, a]));
        }
        terms.or(&parts)
    };
    // Each outcome but "unordered" is false if one side is NaN.
    if op.unordered {
        let otherwise = any(!op.equal, !op.greater, !op.less);
        terms.not(otherwise)
    } else {
        any(op.equal, op.greater, op.less)
    }
}

impl Body<'_, '_> {
    pub(super) fn compare_inst(&mut self, id: InstId, op: IntPredicate, lhs: Operand, rhs: Operand) -> Value {
        // Converted pointers are compared as pointers.
        if (self.converted_pointer(lhs).is_some() || self.converted_pointer(rhs).is_some())
            && let (Some(p), Some(q)) = (self.pointer_behind(lhs), self.pointer_behind(rhs))
        {
            let (p, q) = self.merged_literals(id, p, q);
            let result = self.compare_pointers(op, p, q, (self.address(lhs), self.address(rhs)));
            self.check_wild(op, (lhs, p), (rhs, q), result);
            return Value::Term(self.compare_dangling(id, (lhs, p), (rhs, q), result));
        }
        match (self.value(lhs), self.value(rhs)) {
            (Value::Ptr(p), Value::Ptr(q)) => {
                let (p, q) = self.merged_literals(id, p, q);
                if !matches!(op, IntPredicate::Eq | IntPredicate::Ne) {
                    self.check_order(p, q);
                }
                let result = self.compare_pointers(op, p, q, (self.address(lhs), self.address(rhs)));
                self.check_wild(op, (lhs, p), (rhs, q), result);
                let result = match op {
                    IntPredicate::Eq | IntPredicate::Ne if self.shares_no_memory(lhs, rhs) => {
                        self.compare_strangers(op, result, p)
                    }
                    _ => result,
                };
                Value::Term(self.compare_dangling(id, (lhs, p), (rhs, q), result))
            }
            (a, b) => self.map2(&a, &b, &mut |body, a, b| {
                let (a, b) = (body.part_seen(lhs, a), body.part_seen(rhs, b));
                let result = match body.compare_addresses(op, lhs, rhs, a, b) {
                    Some(result) => result,
                    None => compare(body.t.terms, op, a, b),
                };
                if body.t.terms.bv_width(a) == Some(body.t.module.pointer_bits) {
                    let p = value::int_to_pointer(body.t.module, body.t.terms, a);
                    let q = value::int_to_pointer(body.t.module, body.t.terms, b);
                    body.check_wild(op, (lhs, p), (rhs, q), result);
                    return body.compare_dangling(id, (lhs, p), (rhs, q), result);
                }
                result
            }),
        }
    }

    /// Compares two pointers; `aligns` says how the addresses that they may carry are aligned.
    pub(super) fn compare_pointers(
        &mut self,
        op: IntPredicate,
        p: Pointer,
        q: Pointer,
        aligns: (Option<u32>, Option<u32>),
    ) -> Term {
        let terms = &mut self.t.terms;
        let same = terms.eq(p.object, q.object);
        let equal = terms.eq(p.offset, q.offset);
        let equal = terms.and(&[same, equal]);
        match op {
            IntPredicate::Eq => return equal,
            IntPredicate::Ne => return terms.not(equal),
            _ => {}
        }
        let near = compare(terms, op.signed(), p.offset, q.offset);
        if same == terms.bool(true) {
            return near;
        }
        let far = match aligns {
            (Some(_), Some(_)) if op != op.signed() => self.compare_far(op, p, q),
            _ => self.compare_number(op, p, q, (aligns.0.unwrap_or(1), aligns.1.unwrap_or(1))),
        };
        self.t.terms.ite(same, near, far)
    }
}
