//! Arithmetic on integers, pointers and floats, with the checks for overflow, division by zero and shifts.

use lariat_program::AssertKind;
use lariat_term::{Op, Term, Terms};

use super::{
    body::Body,
    float::Float,
    value::{self, Pointer, Value},
};
use crate::{
    module::{BinaryOp, CastOp, FloatOp, InstId, InstKind, Operand, TypeKind},
    trace::Check,
};

/// An integer operation; Booleans are integers of one bit.
pub(super) fn binary(terms: &mut Terms, op: BinaryOp, a: Term, b: Term) -> Term {
    if terms.bv_width(a).is_none() {
        let (x, y) = (value::bool_to_bv(terms, a, 1), value::bool_to_bv(terms, b, 1));
        return match op {
            BinaryOp::And | BinaryOp::Mul => terms.and(&[a, b]),
            BinaryOp::Or => terms.or(&[a, b]),
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => terms.ne(a, b),
            _ => {
                let bits = binary(terms, op, x, y);
                value::bv_to_bool(terms, bits)
            }
        };
    }
    let op = match op {
        BinaryOp::Sub => return terms.bv_sub(a, b),
        BinaryOp::Add => Op::BvAdd,
        BinaryOp::Mul => Op::BvMul,
        BinaryOp::UDiv => Op::BvUdiv,
        BinaryOp::SDiv => Op::BvSdiv,
        BinaryOp::URem => Op::BvUrem,
        BinaryOp::SRem => Op::BvSrem,
        BinaryOp::Shl => Op::BvShl,
        BinaryOp::LShr => Op::BvLshr,
        BinaryOp::AShr => Op::BvAshr,
        BinaryOp::And => Op::BvAnd,
        BinaryOp::Or => Op::BvOr,
        BinaryOp::Xor => Op::BvXor,
    };
    terms.mk(op, &[a, b])
}

/// The smallest signed number of a width.
pub(super) fn smallest(terms: &mut Terms, width: u32) -> Term {
    terms.bv(width, dashu_int::UBig::ONE << (width as usize - 1))
}

/// Does a signed operation stay in its range?
pub(super) fn no_overflow(terms: &mut Terms, op: BinaryOp, a: Term, b: Term) -> Term {
    let Some(width) = terms.bv_width(a) else { return terms.bool(true) };
    match op {
        BinaryOp::Add | BinaryOp::Sub => {
            let (x, y) = (value::resize(terms, a, width + 1, true), value::resize(terms, b, width + 1, true));
            let wide = binary(terms, op, x, y);
            let narrow = binary(terms, op, a, b);
            let narrow = value::resize(terms, narrow, width + 1, true);
            terms.eq(wide, narrow)
        }
        BinaryOp::Mul => {
            let (x, y) = (value::resize(terms, a, 2 * width, true), value::resize(terms, b, 2 * width, true));
            let wide = binary(terms, op, x, y);
            let narrow = terms.extract(width - 1, 0, wide);
            let narrow = value::resize(terms, narrow, 2 * width, true);
            terms.eq(wide, narrow)
        }
        BinaryOp::SDiv | BinaryOp::SRem => {
            let (least, minus_one) = (smallest(terms, width), terms.bv(width, dashu_int::UBig::ones(width as usize)));
            let (least, minus_one) = (terms.ne(a, least), terms.ne(b, minus_one));
            terms.or(&[least, minus_one])
        }
        _ => terms.bool(true),
    }
}

/// What the checks of an operation are about.
pub(super) fn about(op: BinaryOp, a: Term, b: Term) -> Option<Check> {
    let (operator, signed) = match op {
        BinaryOp::Add => ("+", true),
        BinaryOp::Sub => ("-", true),
        BinaryOp::Mul => ("*", true),
        BinaryOp::SDiv => ("/", true),
        BinaryOp::SRem => ("%", true),
        BinaryOp::UDiv => ("/", false),
        BinaryOp::URem => ("%", false),
        BinaryOp::Shl => ("<<", true),
        BinaryOp::AShr => (">>", true),
        BinaryOp::LShr => (">>", false),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => return None,
    };
    Some(Check::Operation { operator, operands: vec![a, b], signed })
}

impl Body<'_, '_> {
    pub(super) fn binary_inst(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand, nsw: bool) -> Value {
        if op == BinaryOp::Sub
            && let Some(difference) = self.pointer_difference(lhs, rhs)
        {
            return Value::Term(difference);
        }
        let (a, b) = (self.value(lhs), self.value(rhs));
        self.map2(&a, &b, &mut |body, a, b| {
            let (a, b) = (body.part_seen(lhs, a), body.part_seen(rhs, b));
            body.binary_term(op, (lhs, a), (rhs, b), nsw)
        })
    }

    fn binary_term(&mut self, op: BinaryOp, (lhs, a): (Operand, Term), (rhs, b): (Operand, Term), nsw: bool) -> Term {
        match op {
            BinaryOp::Add | BinaryOp::Sub => match self.moved_address(op, lhs, rhs, a, b) {
                Some((result, is_address)) => {
                    if nsw && self.t.options.properties.overflow {
                        let fits = no_overflow(self.t.terms, op, a, b);
                        let fits = self.t.terms.or(&[is_address, fits]);
                        self.check_about(AssertKind::Overflow, None, fits, about(op, a, b));
                    }
                    result
                }
                None => self.checked_binary(op, a, b, nsw),
            },
            _ => match self.masked_address(op, lhs, rhs, a, b) {
                Some(result) => result,
                None => {
                    let (a, b) = self.looked_at_operands(op, lhs, rhs, a, b);
                    self.checked_binary(op, a, b, nsw)
                }
            },
        }
    }

    /// One integer operation with its checks.
    fn checked_binary(&mut self, op: BinaryOp, a: Term, b: Term, nsw: bool) -> Term {
        let properties = &self.t.options.properties;
        let (overflow, division, shift) = (properties.overflow, properties.division, properties.shift);
        let signed_division = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
        let by_zero = signed_division || matches!(op, BinaryOp::UDiv | BinaryOp::URem);
        let shifts = matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
        let result = binary(self.t.terms, op, a, b);
        let Some(width) = self.t.terms.bv_width(b) else { return result };
        let defined = if by_zero {
            let zero = self.t.terms.bv(width, 0u32);
            self.t.terms.ne(b, zero)
        } else if shifts {
            let limit = self.t.terms.bv(width, width);
            self.t.terms.mk(Op::BvUlt, &[b, limit])
        } else {
            self.t.terms.bool(true)
        };
        if by_zero && division {
            self.check_about(AssertKind::Division, None, defined, about(op, a, b));
        }
        if shifts && shift {
            self.check_about(AssertKind::Shift, None, defined, about(op, a, b));
        }
        if overflow && (nsw || signed_division) {
            let fits = no_overflow(self.t.terms, op, a, b);
            self.check_about(AssertKind::Overflow, None, fits, about(op, a, b));
        }
        if defined == self.t.terms.bool(true) || by_zero && division || shifts && shift {
            return result;
        }
        let sort = self.t.terms.sort(result);
        let other = self.fresh("undefined", sort);
        self.t.terms.ite(defined, result, other)
    }

    /// The instruction behind an operand that converts a pointer to an integer of full width.
    pub(super) fn converted_pointer(&mut self, operand: Operand) -> Option<Operand> {
        let Operand::Inst(inst) = operand else { return None };
        let inst = self.function()?.inst(inst);
        match inst.kind {
            InstKind::Cast { op: CastOp::PtrToInt, value }
                if self.t.module.ty(inst.ty).kind == TypeKind::Int(self.t.module.pointer_bits) =>
            {
                Some(value)
            }
            _ => None,
        }
    }

    /// The difference of two pointers: of the offsets if they are in one object.
    fn pointer_difference(&mut self, lhs: Operand, rhs: Operand) -> Option<Term> {
        let (p, q) = (self.converted_pointer(lhs)?, self.converted_pointer(rhs)?);
        // The pointers may be values of the past: only what is still known serves.
        let (p, q) = (self.still_known(p)?, self.still_known(q)?);
        let (Value::Ptr(p), Value::Ptr(q)) = (p, q) else { return None };
        let same = self.t.terms.eq(p.object, q.object);
        let near = self.t.terms.bv_sub(p.offset, q.offset);
        if same == self.t.terms.bool(true) {
            return Some(near);
        }
        let far = self.far_difference(p, q, same);
        Some(self.t.terms.ite(same, near, far))
    }

    /// The value of an operand, if it is known for certain at this place.
    pub(super) fn still_known(&mut self, operand: Operand) -> Option<Value> {
        match operand {
            Operand::Inst(inst) => self.known_value(inst),
            Operand::Param(_) | Operand::Const(_) => Some(self.value(operand)),
            Operand::None => None,
        }
    }

    fn known_value(&self, inst: InstId) -> Option<Value> {
        if let Some(value) = &self.values[inst.index()] {
            return Some(value.clone());
        }
        // `save` drops values that change, so what is there is valid.
        self.temps.iter().find(|temp| temp.inst == inst).map(|temp| temp.value.clone())
    }

    /// The pointer behind an integer that was converted from one, or that a constant stands for.
    pub(super) fn pointer_behind(&mut self, operand: Operand) -> Option<Pointer> {
        if let Some(pointer) = self.converted_pointer(operand) {
            return match self.still_known(pointer)? {
                Value::Ptr(pointer) => Some(pointer),
                _ => None,
            };
        }
        let Operand::Const(_) = operand else { return None };
        match self.value(operand) {
            Value::Term(term) if self.t.terms.bv_width(term) == Some(self.t.module.pointer_bits) => {
                Some(value::int_to_pointer(self.t.module, self.t.terms, term))
            }
            _ => None,
        }
    }

    pub fn float_binary(&mut self, op: FloatOp, floats: &[Float]) -> Option<Term> {
        let &[a, b] = floats else { return None };
        let mode = self.rounding();
        let op = match op {
            FloatOp::Add => Op::FpAdd,
            FloatOp::Sub => Op::FpSub,
            FloatOp::Mul => Op::FpMul,
            FloatOp::Div => Op::FpDiv,
            FloatOp::Rem => {
                self.unsupported("the remainder of floating-point numbers");
                return Some(a.value);
            }
        };
        let (x, y) = (self.float_number(a)?, self.float_number(b)?);
        let result = self.t.terms.mk(op, &[mode, x, y]);
        self.float_value(result, a.kind, floats)
    }
}
