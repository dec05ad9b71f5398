//! Loads, stores and atomic updates.

use lariat_term::{Op, Term, Terms};

use super::{
    arithmetic::binary,
    body::Body,
    comparison::compare,
    value::{Pointer, Value},
};
use crate::module::{BinaryOp, FloatOp, InstId, IntPredicate, Operand, TypeId, TypeKind};

impl Body<'_, '_> {
    pub fn access_size(&mut self, ty: TypeId) -> Term {
        let size = self.t.module.ty(ty).store_size;
        self.t.offset_term(size as i64)
    }

    pub(super) fn load_inst(&mut self, id: InstId, ptr: Operand, ty: TypeId, align: u32) -> Value {
        if self.is_rounding_mode(ptr, ty) {
            return self.read_rounding(ty);
        }
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
    pub(super) fn volatile_read(&mut self, id: InstId, ptr: Operand, ty: TypeId, align: u32) -> Value {
        let value = self.load_inst(id, ptr, ty, align);
        let number = matches!(self.t.module.ty(ty).kind, TypeKind::Int(_) | TypeKind::Float(_));
        if !number || self.address(Operand::Inst(id)).is_some() {
            self.unsupported("a volatile read of an address or a structure as an input");
            return value;
        }
        self.input(ty, "input", "a volatile read", None)
    }

    pub(super) fn store_inst(&mut self, ptr: Operand, value: Operand, ty: TypeId, align: u32) {
        if self.is_rounding_mode(ptr, ty) {
            let mode = self.value(value);
            return self.write_rounding(&mode);
        }
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

    pub(super) fn atomic_update(&mut self, id: InstId, op: &str, ptr: Operand, value: Operand, ty: TypeId) {
        self.check_compound_update(value);
        let old = self.load_inst(id, ptr, ty, self.t.module.ty(ty).align);
        let Some(pointer) = self.pointer(ptr) else { return };
        let bytes = self.access_size(ty);
        self.no_register(pointer, self.target(ptr), bytes);
        self.check_not_constant(ptr, pointer, bytes);
        let value = self.value(value);
        let new = match (op, &old, &value) {
            ("xchg", _, _) => value,
            ("fadd" | "fsub", _, _) => {
                let op = if op == "fadd" { FloatOp::Add } else { FloatOp::Sub };
                let sum = self.floats(Some(ty), &[&old, &value], &mut |body, floats| body.float_binary(op, floats));
                self.fitting(sum, ty)
            }
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

    pub(super) fn compare_exchange(&mut self, id: InstId, ptr: Operand, expected: Operand, new: Operand) {
        let Some(ty) = self.type_of(expected).or_else(|| self.type_of(new)) else {
            self.unsupported("an atomic operation");
            return;
        };
        self.check_compound_store(expected, new);
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
