//! Instructions other than calls and jumps.

use lariat_program::AssertKind;
use lariat_term::{Op, RoundingMode, Term, Terms};

use super::{
    body::Body,
    float::Float,
    value::{self, Pointer, Value},
};
use crate::module::{
    BinaryOp, CastOp, Const, FloatKind, FloatOp, FloatPredicate, Gep, Inst, InstId, InstKind, IntPredicate, Operand,
    TypeId, TypeKind,
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

/// A conversion between integers.
pub(super) fn int_cast(terms: &mut Terms, op: CastOp, term: Term, width: u32) -> Term {
    match (terms.bv_width(term), op) {
        (None, CastOp::SExt) if width > 1 => {
            let bit = value::bool_to_bv(terms, term, 1);
            value::resize(terms, bit, width, true)
        }
        (None, _) if width > 1 => value::bool_to_bv(terms, term, width),
        (None, _) => term,
        (Some(_), _) if width == 1 => value::bv_to_bool(terms, term),
        (Some(_), op) => value::resize(terms, term, width, op == CastOp::SExt),
    }
}

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

fn float_compare(terms: &mut Terms, op: FloatPredicate, a: Term, b: Term) -> Term {
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

impl Body<'_, '_> {
    pub fn instruction(&mut self, id: InstId, inst: &Inst) {
        let value = match &inst.kind {
            InstKind::Alloca { ty, count, .. } => return self.alloca(id, *ty, *count),
            InstKind::Store { ptr, value, ty, align, .. } => return self.store_inst(*ptr, *value, *ty, *align),
            InstKind::Call { .. } => return self.call(id, inst),
            InstKind::Load { ptr, align, volatile, .. } => match self.t.options.volatile_input && *volatile {
                true => self.volatile_read(id, *ptr, inst.ty, *align),
                false => self.load_inst(id, *ptr, inst.ty, *align),
            },
            InstKind::AtomicUpdate { .. } | InstKind::CompareExchange { .. } if self.t.options.volatile_input => {
                // Whether it is volatile is not known here.
                self.unsupported("an atomic update where volatile reads are inputs");
                self.any(inst.ty)
            }
            InstKind::Binary { op, lhs, rhs, nsw, .. } => self.binary_inst(*op, *lhs, *rhs, *nsw),
            InstKind::FloatBinary { op, lhs, rhs } => {
                let (a, b) = (self.value(*lhs), self.value(*rhs));
                self.floats(Some(inst.ty), &[&a, &b], &mut |body, floats| body.float_binary(*op, floats))
            }
            InstKind::FloatNeg(value) => {
                let value = self.value(*value);
                self.floats(Some(inst.ty), &[&value], &mut |body, floats| body.float_neg(*floats.first()?))
            }
            InstKind::IntCompare { op, lhs, rhs } => self.compare_inst(id, *op, *lhs, *rhs),
            InstKind::FloatCompare { op, lhs, rhs } => {
                let (a, b) = (self.value(*lhs), self.value(*rhs));
                let ty = self.type_of(*lhs).or_else(|| self.type_of(*rhs));
                self.floats(ty, &[&a, &b], &mut |body, floats| {
                    let &[a, b] = floats else { return None };
                    let (a, b) = (body.float_number(a)?, body.float_number(b)?);
                    Some(float_compare(body.t.terms, *op, a, b))
                })
            }
            InstKind::Cast { op, value } => self.cast(*op, *value, inst.ty),
            InstKind::Select { cond, yes, no } => {
                let cond = self.value(*cond);
                let (yes, no) = (self.value(*yes), self.value(*no));
                self.select(&cond, &yes, &no)
            }
            InstKind::Gep(gep) => {
                let address = self.gep(id, gep);
                self.check_address(id, gep, &address);
                address
            }
            InstKind::ExtractValue { value, path, .. } => {
                let mut value = self.value(*value);
                for &i in path {
                    value = match value {
                        Value::Many(mut members) if (i as usize) < members.len() => members.swap_remove(i as usize),
                        _ => Value::Void,
                    };
                }
                value
            }
            InstKind::InsertValue { value, member, path } => {
                let (mut value, member) = (self.value(*value), self.value(*member));
                let mut place = Some(&mut value);
                for &i in path {
                    place = match place {
                        Some(Value::Many(members)) => members.get_mut(i as usize),
                        _ => None,
                    };
                }
                if let Some(place) = place {
                    *place = member;
                }
                value
            }
            InstKind::ExtractElement { vector, index, .. } => {
                let (vector, index) = (self.value(*vector), self.scalar(*index));
                match (vector, index) {
                    (Value::Many(members), Some(index)) if !members.is_empty() => {
                        let mut result = members[members.len() - 1].clone();
                        for (i, member) in members.iter().enumerate().rev().skip(1) {
                            let here = self.is_number(index, i as u64);
                            result = self.select(&Value::Term(here), member, &result);
                        }
                        result
                    }
                    _ => Value::Void,
                }
            }
            InstKind::InsertElement { vector, element, index } => {
                let (vector, element, index) = (self.value(*vector), self.value(*element), self.scalar(*index));
                match (vector, index) {
                    (Value::Many(members), Some(index)) => {
                        let mut result = Vec::new();
                        for (i, member) in members.iter().enumerate() {
                            let here = self.is_number(index, i as u64);
                            result.push(self.select(&Value::Term(here), &element, member));
                        }
                        Value::Many(result)
                    }
                    (vector, _) => vector,
                }
            }
            InstKind::ShuffleVector { first, second, mask, .. } => {
                let (first, second) = (self.value(*first), self.value(*second));
                match (first, second) {
                    (Value::Many(mut all), Value::Many(second)) => {
                        all.extend(second);
                        let mut result = Vec::new();
                        for place in mask {
                            let member = place.and_then(|i| all.get(i as usize)).cloned();
                            let member = match member {
                                Some(member) => member,
                                None => {
                                    let like = all[0].clone();
                                    self.any_like(&like)
                                }
                            };
                            result.push(member);
                        }
                        Value::Many(result)
                    }
                    _ => Value::Void,
                }
            }
            InstKind::Freeze(value) => self.value(*value),
            InstKind::AtomicUpdate { op, ptr, value } => return self.atomic_update(id, op, *ptr, *value, inst.ty),
            InstKind::CompareExchange { ptr, expected, new } => {
                return self.compare_exchange(id, *ptr, *expected, *new);
            }
            InstKind::Fence => return,
            InstKind::VaArg(_) => {
                self.unsupported("va_arg");
                self.any(inst.ty)
            }
            InstKind::Phi(_)
            | InstKind::DebugValue { .. }
            | InstKind::Jump(_)
            | InstKind::Branch { .. }
            | InstKind::Switch { .. }
            | InstKind::IndirectJump { .. }
            | InstKind::Return(_)
            | InstKind::Unreachable
            | InstKind::Unsupported { .. } => return,
        };
        let value = self.fitting(value, inst.ty);
        self.define(id, value);
    }

    /// The value, if it has the shape of the type; otherwise the construct is not supported.
    pub fn fitting(&mut self, value: Value, ty: TypeId) -> Value {
        let mut sorts = Vec::new();
        let known = value::sorts(self.t.module, self.t.terms, ty, &mut sorts).is_some();
        let mut leaves = Vec::new();
        value.leaves(&mut leaves);
        let given = leaves.iter().map(|&leaf| self.t.terms.sort(leaf));
        if known && given.eq(sorts.iter().copied()) {
            return value;
        }
        self.unsupported("an operation on values of these types");
        self.any(ty)
    }

    fn is_number(&mut self, index: Term, number: u64) -> Term {
        let width = self.t.terms.bv_width(index).unwrap_or(64);
        let number = self.t.terms.bv(width, number);
        self.t.terms.eq(index, number)
    }

    pub fn map2(&mut self, a: &Value, b: &Value, f: &mut dyn FnMut(&mut Self, Term, Term) -> Term) -> Value {
        match (a, b) {
            (Value::Term(a), Value::Term(b)) if self.t.terms.sort(*a) == self.t.terms.sort(*b) => {
                Value::Term(f(self, *a, *b))
            }
            (Value::Many(a), Value::Many(b)) if a.len() == b.len() => {
                Value::Many(a.iter().zip(b).map(|(a, b)| self.map2(a, b, f)).collect())
            }
            _ => Value::Void,
        }
    }

    /// `cond ? yes : no`.
    pub fn select(&mut self, cond: &Value, yes: &Value, no: &Value) -> Value {
        match (cond, yes, no) {
            (Value::Many(conds), Value::Many(yes), Value::Many(no)) if conds.len() == yes.len() => {
                let all = conds.iter().zip(yes.iter().zip(no));
                Value::Many(all.map(|(cond, (yes, no))| self.select(cond, yes, no)).collect())
            }
            (Value::Term(cond), _, _) => {
                let (mut a, mut b) = (Vec::new(), Vec::new());
                yes.leaves(&mut a);
                no.leaves(&mut b);
                let same =
                    a.len() == b.len() && a.iter().zip(&b).all(|(&x, &y)| self.t.terms.sort(x) == self.t.terms.sort(y));
                if !same {
                    return Value::Void;
                }
                let leaves: Vec<Term> = a.into_iter().zip(b).map(|(x, y)| self.t.terms.ite(*cond, x, y)).collect();
                yes.with_leaves(&mut leaves.into_iter())
            }
            _ => Value::Void,
        }
    }

    // Integers

    fn binary_inst(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand, nsw: bool) -> Value {
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
                        self.check(AssertKind::Overflow, None, fits);
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
            self.check(AssertKind::Division, None, defined);
        }
        if shifts && shift {
            self.check(AssertKind::Shift, None, defined);
        }
        if overflow && (nsw || signed_division) {
            let fits = no_overflow(self.t.terms, op, a, b);
            self.check(AssertKind::Overflow, None, fits);
        }
        if defined == self.t.terms.bool(true) || by_zero && division || shifts && shift {
            return result;
        }
        let sort = self.t.terms.sort(result);
        let other = self.fresh("undefined", sort);
        self.t.terms.ite(defined, result, other)
    }

    /// The instruction behind an operand that converts a pointer to an integer of full width.
    fn converted_pointer(&mut self, operand: Operand) -> Option<Operand> {
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
    fn still_known(&mut self, operand: Operand) -> Option<Value> {
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
    fn pointer_behind(&mut self, operand: Operand) -> Option<Pointer> {
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

    fn compare_inst(&mut self, id: InstId, op: IntPredicate, lhs: Operand, rhs: Operand) -> Value {
        // Converted pointers are compared as pointers.
        if (self.converted_pointer(lhs).is_some() || self.converted_pointer(rhs).is_some())
            && let (Some(p), Some(q)) = (self.pointer_behind(lhs), self.pointer_behind(rhs))
        {
            let result = self.compare_pointers(op, p, q, (self.address(lhs), self.address(rhs)));
            self.check_wild(op, (lhs, p), (rhs, q), result);
            return Value::Term(self.compare_dangling(id, (lhs, p), (rhs, q), result));
        }
        match (self.value(lhs), self.value(rhs)) {
            (Value::Ptr(p), Value::Ptr(q)) => {
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
    fn compare_pointers(
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

    // Floats

    /// An operation on values of a type of floats, element by element.
    fn floats(
        &mut self,
        ty: Option<TypeId>,
        values: &[&Value],
        f: &mut dyn FnMut(&mut Self, &[Float]) -> Option<Term>,
    ) -> Value {
        let Some(kind) = ty.and_then(|ty| self.float_kind(ty)) else { return Value::Void };
        self.each_float(values, kind, f).unwrap_or(Value::Void)
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

    // Conversions

    fn cast(&mut self, op: CastOp, operand: Operand, ty: TypeId) -> Value {
        let value = self.value(operand);
        let from = self.type_of(operand);
        self.cast_value(op, value, from, ty, operand)
    }

    fn cast_value(&mut self, op: CastOp, value: Value, from: Option<TypeId>, to: TypeId, operand: Operand) -> Value {
        let module = self.t.module;
        let kind = &module.ty(to).kind;
        if op == CastOp::Bitcast {
            let Some(from) = from else { return Value::Void };
            return match value {
                Value::Ptr(_) if *kind == TypeKind::Ptr => value,
                _ => {
                    let bits = value::to_bits(module, self.t.terms, &value, from);
                    let result = bits.and_then(|bits| value::from_bits(module, self.t.terms, bits, to));
                    result.unwrap_or(Value::Void)
                }
            };
        }
        if let (Value::Many(members), TypeKind::Vector(element, _)) = (&value, kind) {
            let inner = from.and_then(|from| match module.ty(from).kind {
                TypeKind::Vector(inner, _) => Some(inner),
                _ => None,
            });
            let all = members.iter().map(|member| self.cast_value(op, member.clone(), inner, *element, operand));
            return Value::Many(all.collect());
        }
        match (op, value) {
            (CastOp::AddrSpace, value) => value,
            (CastOp::PtrToInt, Value::Ptr(pointer)) => {
                let TypeKind::Int(width) = *kind else { return Value::Void };
                let bits = if width < module.pointer_bits {
                    self.looked_at_pointer(pointer, self.address(operand).unwrap_or(1))
                } else {
                    self.pointer_bits(pointer, self.target(operand))
                };
                Value::Term(int_cast(self.t.terms, CastOp::ZExt, bits, width))
            }
            (CastOp::IntToPtr, Value::Term(term)) => {
                let bits = int_cast(self.t.terms, CastOp::ZExt, term, module.pointer_bits);
                self.address_again(operand, bits);
                Value::Ptr(value::int_to_pointer(module, self.t.terms, bits))
            }
            (CastOp::Trunc | CastOp::ZExt | CastOp::SExt, Value::Term(term)) => {
                let TypeKind::Int(width) = *kind else { return Value::Void };
                let narrow = op == CastOp::Trunc && width < module.pointer_bits;
                let term = if narrow { self.looked_at(operand, term) } else { term };
                Value::Term(int_cast(self.t.terms, op, term, width))
            }
            (CastOp::FpToUi | CastOp::FpToSi, Value::Term(value)) => {
                let TypeKind::Int(width) = *kind else { return Value::Void };
                let kind = from.and_then(|from| self.float_kind(from));
                let Some(number) = kind.and_then(|kind| self.float_number(Float { value, kind })) else {
                    return Value::Void;
                };
                self.check_float_cast(number, width, op == CastOp::FpToSi);
                let mode = self.t.terms.rounding_mode(RoundingMode::Rtz);
                let op = if op == CastOp::FpToUi { Op::FpToUbv(width) } else { Op::FpToSbv(width) };
                let bits = self.t.terms.mk(op, &[mode, number]);
                Value::Term(if width == 1 { value::bv_to_bool(self.t.terms, bits) } else { bits })
            }
            (CastOp::UiToFp | CastOp::SiToFp, Value::Term(term)) => {
                let TypeKind::Float(format) = *kind else { return Value::Void };
                let Some((exp, sig)) = value::float_format(format) else { return Value::Void };
                let mode = self.rounding();
                let term = self.looked_at(operand, term);
                let bits = match self.t.terms.bv_width(term) {
                    Some(_) => term,
                    None => value::bool_to_bv(self.t.terms, term, 1),
                };
                let signed = op == CastOp::SiToFp;
                let op = if signed { Op::FpFromSbv { exp, sig } } else { Op::FpFromUbv { exp, sig } };
                let number = self.t.terms.mk(op, &[mode, bits]);
                Value::Term(self.exact_value(number, format))
            }
            (CastOp::FpTrunc | CastOp::FpExt, Value::Term(value)) => {
                let TypeKind::Float(format) = *kind else { return Value::Void };
                let from = from.and_then(|from| self.float_kind(from)).map(|kind| Float { value, kind });
                from.and_then(|from| self.float_cast(from, format)).map_or(Value::Void, Value::Term)
            }
            _ => Value::Void,
        }
    }

    /// A float in another format.
    pub fn float_cast(&mut self, float: Float, to: FloatKind) -> Option<Term> {
        let (exp, sig) = value::float_format(to)?;
        let (mode, number) = (self.rounding(), self.float_number(float)?);
        let number = self.t.terms.mk(Op::FpFromFp { exp, sig }, &[mode, number]);
        self.float_value(number, to, &[float])
    }

    /// The type of an operand, if it is easily known.
    pub fn type_of(&self, operand: Operand) -> Option<TypeId> {
        match operand {
            Operand::Inst(inst) => Some(self.function()?.inst(inst).ty),
            Operand::Param(i) => Some(self.function()?.params.get(i as usize)?.ty),
            Operand::Const(c) => match self.t.module.constant(c) {
                Const::Int(ty, _)
                | Const::Float(ty, _)
                | Const::Zero(ty)
                | Const::Undef(ty)
                | Const::Poison(ty)
                | Const::Aggregate(ty, _)
                | Const::Bytes(ty, _)
                | Const::Cast(_, _, ty)
                | Const::Other(ty, _) => Some(*ty),
                _ => None,
            },
            Operand::None => None,
        }
    }

    // Memory

    fn gep(&mut self, id: InstId, gep: &Gep<Operand>) -> Value {
        let Value::Ptr(base) = self.value(gep.base) else { return Value::Void };
        let mut offset = self.t.offset_term(gep.offset);
        for (i, &(index, scale)) in gep.terms.iter().enumerate() {
            let operand = index;
            let Some(index) = self.scalar(index) else { return Value::Void };
            let index = self.looked_at(operand, index);
            let width = self.t.module.pointer_bits;
            self.check_index(id, index, gep.lengths.get(i).copied().flatten());
            let index = value::resize(self.t.terms, index, width, true);
            let scale = self.t.offset_term(scale);
            let part = self.t.terms.mk(Op::BvMul, &[index, scale]);
            offset = self.t.terms.mk(Op::BvAdd, &[offset, part]);
        }
        let offset = self.t.terms.mk(Op::BvAdd, &[base.offset, offset]);
        Value::Ptr(Pointer { object: base.object, offset })
    }

    pub fn access_size(&mut self, ty: TypeId) -> Term {
        let size = self.t.module.ty(ty).store_size;
        self.t.offset_term(size as i64)
    }

    fn load_inst(&mut self, id: InstId, ptr: Operand, ty: TypeId, align: u32) -> Value {
        let Some(pointer) = self.pointer(ptr) else { return Value::Void };
        let bytes = self.access_size(ty);
        self.check_access(ptr, pointer, bytes);
        self.check_alignment(ptr, pointer, align);
        match self.at_register(pointer, self.target(ptr), bytes) {
            Some(device) => self.register_read(id, ptr, pointer, ty, device),
            None => self.memory_read(id, ptr, pointer, ty),
        }
    }

    /// What memory holds, where there is no register.
    pub fn memory_read(&mut self, id: InstId, ptr: Operand, pointer: Pointer, ty: TypeId) -> Value {
        self.check_set(id, ptr, pointer, ty);
        self.load(pointer, self.target(ptr), ty)
    }

    /// A read of what changes by itself: any value, if it is a number.
    fn volatile_read(&mut self, id: InstId, ptr: Operand, ty: TypeId, align: u32) -> Value {
        let value = self.load_inst(id, ptr, ty, align);
        let number = matches!(self.t.module.ty(ty).kind, TypeKind::Int(_) | TypeKind::Float(_));
        if !number || self.address(Operand::Inst(id)).is_some() {
            self.unsupported("a volatile read of an address or a structure as an input");
            return value;
        }
        self.input(ty, "input", "a volatile read", None)
    }

    fn store_inst(&mut self, ptr: Operand, value: Operand, ty: TypeId, align: u32) {
        let Some(pointer) = self.pointer(ptr) else { return };
        let state = self.moved_state(value);
        let value = self.value(value);
        let bytes = self.access_size(ty);
        self.check_write(ptr, pointer, bytes);
        self.check_alignment(ptr, pointer, align);
        self.note_returned(ptr);
        self.operands_done();
        match self.at_register(pointer, self.target(ptr), bytes) {
            Some(device) => self.register_write(pointer, self.target(ptr), &value, ty, state, device),
            None => self.store_moved(pointer, self.target(ptr), &value, ty, state),
        }
    }

    fn atomic_update(&mut self, id: InstId, op: &str, ptr: Operand, value: Operand, ty: TypeId) {
        let old = self.load_inst(id, ptr, ty, self.t.module.ty(ty).align);
        let Some(pointer) = self.pointer(ptr) else { return };
        let bytes = self.access_size(ty);
        self.no_register(pointer, self.target(ptr), bytes);
        self.check_not_constant(ptr, pointer, bytes);
        let value = self.value(value);
        let new = match (op, &old, &value) {
            ("xchg", _, _) => value,
            (_, Value::Term(a), Value::Term(b)) if self.t.terms.bv_width(*a).is_some() => {
                let terms = &mut self.t.terms;
                let (a, b) = (*a, *b);
                let pick = |terms: &mut Terms, op| {
                    let first = compare(terms, op, a, b);
                    terms.ite(first, a, b)
                };
                Value::Term(match op {
                    "add" => binary(terms, BinaryOp::Add, a, b),
                    "sub" => binary(terms, BinaryOp::Sub, a, b),
                    "and" => binary(terms, BinaryOp::And, a, b),
                    "or" => binary(terms, BinaryOp::Or, a, b),
                    "xor" => binary(terms, BinaryOp::Xor, a, b),
                    "nand" => {
                        let both = binary(terms, BinaryOp::And, a, b);
                        terms.mk(Op::BvNot, &[both])
                    }
                    "max" => pick(terms, IntPredicate::Sgt),
                    "min" => pick(terms, IntPredicate::Slt),
                    "umax" => pick(terms, IntPredicate::Ugt),
                    "umin" => pick(terms, IntPredicate::Ult),
                    _ => {
                        self.unsupported("an atomic operation");
                        b
                    }
                })
            }
            _ => {
                self.unsupported("an atomic operation");
                value
            }
        };
        self.operands_done();
        let old = self.frozen(&old);
        self.store(pointer, self.target(ptr), &new, ty);
        self.define(id, old);
    }

    fn compare_exchange(&mut self, id: InstId, ptr: Operand, expected: Operand, new: Operand) {
        let Some(ty) = self.type_of(expected).or_else(|| self.type_of(new)) else {
            self.unsupported("an atomic operation");
            return;
        };
        let old = self.load_inst(id, ptr, ty, self.t.module.ty(ty).align);
        let Some(pointer) = self.pointer(ptr) else { return };
        let bytes = self.access_size(ty);
        self.no_register(pointer, self.target(ptr), bytes);
        self.check_not_constant(ptr, pointer, bytes);
        let (expected, new) = (self.value(expected), self.value(new));
        let equal = match (&old, &expected) {
            (Value::Ptr(p), Value::Ptr(q)) => self.compare_pointers(IntPredicate::Eq, *p, *q, (Some(1), Some(1))),
            (Value::Term(a), Value::Term(b)) => self.t.terms.eq(*a, *b),
            _ => {
                self.unsupported("an atomic operation");
                self.t.terms.bool(false)
            }
        };
        self.operands_done();
        let stored = self.select(&Value::Term(equal), &new, &old);
        let result = self.frozen(&Value::Many(vec![old, Value::Term(equal)]));
        self.store(pointer, self.target(ptr), &stored, ty);
        self.define(id, result);
    }
}
