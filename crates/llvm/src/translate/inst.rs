//! Instructions other than calls and jumps, each by its kind.

use lariat_term::{Op, Term};

use super::{
    body::Body,
    comparison::float_compare,
    float::Float,
    value::{self, Pointer, Value},
};
use crate::module::{Const, Gep, Inst, InstId, InstKind, Operand, TypeId};

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
            InstKind::Binary { op, lhs, rhs, nsw, distance, .. } => {
                if *distance {
                    self.check_distance(*lhs, *rhs);
                }
                self.binary_inst(*op, *lhs, *rhs, *nsw)
            }
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
            InstKind::Cast { op, value } => {
                self.check_compound_cast(id, *op, *value);
                self.cast(*op, *value, inst.ty)
            }
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
                        let inside = self.vector_index(index, members.len());
                        let mut result = members[members.len() - 1].clone();
                        if inside != self.t.terms.bool(true) {
                            let other = self.any_like(&result);
                            result = self.select(&Value::Term(inside), &result, &other);
                        }
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
                        self.vector_index(index, members.len());
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

    // Floats

    /// An operation on values of a type of floats, element by element.
    pub(super) fn floats(
        &mut self,
        ty: Option<TypeId>,
        values: &[&Value],
        f: &mut dyn FnMut(&mut Self, &[Float]) -> Option<Term>,
    ) -> Value {
        let Some(kind) = ty.and_then(|ty| self.float_kind(ty)) else { return Value::Void };
        self.each_float(values, kind, f).unwrap_or(Value::Void)
    }

    // Conversions

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
}
