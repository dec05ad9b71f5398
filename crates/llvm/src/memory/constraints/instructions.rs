//! The constraints of each instruction.

use super::super::Maker;
use super::super::unify::{ARBITRARY, FlowKind};
use super::values::{is_address, multiple, operand_int};
use super::{Constraints, is_aggregate};
use crate::assembly::Assembly;
use crate::module::{BinaryOp, Callee, CastOp, FuncId, InstId, InstKind, Module, Operand, TypeId, TypeKind};

impl Constraints<'_> {
    pub(super) fn inst(&mut self, f: FuncId, i: InstId) {
        let module = self.module;
        let function = &module.functions[f.index()];
        let inst = function.inst(i);
        match &inst.kind {
            InstKind::Binary { op, lhs, rhs, .. } => {
                let a = (self.value(f, *lhs), operand_int(module, *lhs), multiple(module, function, *lhs));
                let b = (self.value(f, *rhs), operand_int(module, *rhs), multiple(module, function, *rhs));
                let converted = |o: &Operand| matches!(o, Operand::Inst(i) if matches!(function.inst(*i).kind, InstKind::Cast { op: CastOp::PtrToInt, .. }));
                let difference = *op == BinaryOp::Sub && converted(lhs) && converted(rhs);
                if let Some(p) = self.arithmetic(*op, a, b, difference) {
                    self.define(f, i, p);
                }
            }
            InstKind::Cast { op, value } => {
                let p = self.value(f, *value);
                if *op == CastOp::IntToPtr {
                    match p {
                        Some(p) => self.nodes.flag(p, ARBITRARY),
                        None if operand_int(module, *value).is_some_and(is_address) => {
                            let p = self.absolute();
                            self.define(f, i, p);
                        }
                        None => {}
                    }
                }
                let narrow =
                    |ty: TypeId| matches!(module.ty(ty).kind, TypeKind::Int(bits) if bits < module.pointer_bits);
                match p {
                    Some(p) if matches!(op, CastOp::Trunc | CastOp::PtrToInt) && narrow(inst.ty) => {
                        let part = self.nodes.fresh();
                        self.nodes.flow_as(p, part, 1, FlowKind::Number);
                        self.define(f, i, part);
                    }
                    Some(p) => self.define(f, i, p),
                    None => {}
                }
            }
            InstKind::Freeze(value) | InstKind::ExtractElement { vector: value, .. } => {
                if let Some(p) = self.value(f, *value) {
                    self.define(f, i, p);
                }
            }
            InstKind::IntCompare { lhs, rhs, .. } => {
                // Addresses that are constants are known once they are asked for.
                self.value(f, *lhs);
                self.value(f, *rhs);
            }
            InstKind::Select { yes, no, .. } => self.merge(f, i, &[*yes, *no]),
            InstKind::Phi(incoming) => {
                let operands: Vec<Operand> = incoming.iter().map(|x| x.1).collect();
                self.merge(f, i, &operands);
            }
            InstKind::InsertElement { vector, element, .. } => self.merge(f, i, &[*vector, *element]),
            InstKind::ShuffleVector { first, second, .. } => self.merge(f, i, &[*first, *second]),
            InstKind::Alloca { ty, count, .. } => {
                let size =
                    operand_int(module, *count).and_then(|n| u64::try_from(n).ok()?.checked_mul(module.ty(*ty).size));
                let at = self.site(Maker::Alloca(f, i), size);
                self.define(f, i, at);
            }
            InstKind::Load { ptr, .. } => {
                if let Some(at) = self.value(f, *ptr)
                    && let Some(value) = self.load(at, inst.ty)
                {
                    self.define(f, i, value);
                }
            }
            InstKind::Store { ptr, value, ty, .. } => {
                if let Some(at) = self.value(f, *ptr) {
                    let value = self.value(f, *value);
                    self.store(at, *ty, value);
                }
            }
            InstKind::Gep(gep) => {
                if let Some(base) = self.value(f, gep.base) {
                    let at = self.gep(base, gep, |m, _, &v| operand_int(m, v), |&v| multiple(module, function, v));
                    self.define(f, i, at);
                }
            }
            InstKind::Call { callee, .. } => match callee {
                Callee::Function(g) => self.link(f, i, *g),
                Callee::Pointer(p) => {
                    self.callees.insert((f, i), Vec::new());
                    if let Some(p) = self.value(f, *p) {
                        self.pointer_calls.push((f, i));
                        self.nodes.add_call(p, self.pointer_calls.len() as u32 - 1);
                    }
                }
                Callee::Asm(template, constraints) => {
                    let assembly = Assembly::new(template, constraints);
                    self.assembly(f, i, &assembly);
                }
            },
            InstKind::ExtractValue { value, ty, path } => {
                if let Some(base) = self.value(f, *value) {
                    let at = base.plus(member(module, *ty, path));
                    if is_aggregate(module, inst.ty) {
                        self.define(f, i, at);
                    } else {
                        let slot = self.nodes.slot(at, module.ty(inst.ty).store_size);
                        self.define(f, i, slot.read);
                    }
                }
            }
            InstKind::InsertValue { value, member: new, path } => {
                let result = match (self.value(f, *value), value) {
                    (Some(p), Operand::Inst(_) | Operand::Param(_)) => p,
                    (Some(p), _) => {
                        let result = self.nodes.fresh();
                        self.nodes.copy(result, p, Some(module.ty(inst.ty).size));
                        result
                    }
                    (None, _) => self.nodes.fresh(),
                };
                if let Some(new) = self.value(f, *new) {
                    let at = result.plus(member(module, inst.ty, path));
                    let ty = member_type(module, inst.ty, path);
                    if is_aggregate(module, ty) {
                        self.nodes.copy(at, new, Some(module.ty(ty).size));
                    } else {
                        let slot = self.nodes.slot(at, module.ty(ty).store_size);
                        self.nodes.flow(new, slot.written, 0);
                    }
                }
                self.define(f, i, result);
            }
            InstKind::VaArg(list) => {
                if let Some(list) = self.value(f, *list) {
                    self.next_argument(f, i, list);
                }
            }
            InstKind::AtomicUpdate { op, ptr, value } => {
                if let Some(at) = self.value(f, *ptr) {
                    let old = self.load(at, inst.ty);
                    let new = self.value(f, *value);
                    self.store(at, inst.ty, new);
                    if let Some(old) = old {
                        if op != "xchg" {
                            // The sum, or what it is, of both.
                            let slot = self.nodes.slot(at, module.ty(inst.ty).store_size);
                            self.nodes.flow(old, slot.written, 1);
                        }
                        self.define(f, i, old);
                    }
                }
            }
            InstKind::CompareExchange { ptr, new, .. } => {
                let TypeKind::Struct(members) = &module.ty(inst.ty).kind else { return };
                let Some(&(ty, _)) = members.first() else { return };
                if let Some(at) = self.value(f, *ptr) {
                    let old = self.load(at, ty);
                    let new = self.value(f, *new);
                    self.store(at, ty, new);
                    let result = self.nodes.fresh();
                    if let Some(old) = old {
                        let slot = self.nodes.slot(result, module.ty(ty).store_size);
                        self.nodes.flow(old, slot.written, 0);
                    }
                    self.define(f, i, result);
                }
            }
            InstKind::Return(value) => {
                if let Some(value) = self.value(f, *value) {
                    let TypeKind::Function(ty, ..) = &module.ty(function.ty).kind else { return };
                    let to = self.returned(f);
                    self.pass(*ty, Some(value), Some(to));
                }
            }
            _ => {}
        }
    }

    /// The instruction's value is one of these.
    pub(super) fn merge(&mut self, f: FuncId, i: InstId, operands: &[Operand]) {
        let ty = self.module.functions[f.index()].inst(i).ty;
        for &o in operands {
            let (from, to) = (self.value(f, o), self.value(f, Operand::Inst(i)));
            self.pass(ty, from, to);
        }
    }
}

/// The type of a member of an aggregate.
fn member_type(module: &Module, mut ty: TypeId, path: &[u32]) -> TypeId {
    for &k in path {
        ty = match &module.ty(ty).kind {
            TypeKind::Struct(members) => members.get(k as usize).map_or(ty, |m| m.0),
            TypeKind::Array(e, _) => *e,
            _ => ty,
        };
    }
    ty
}

/// The byte at which a member of an aggregate starts.
fn member(module: &Module, mut ty: TypeId, path: &[u32]) -> i64 {
    let mut offset = 0;
    for &k in path {
        match &module.ty(ty).kind {
            TypeKind::Struct(members) => offset += members.get(k as usize).map_or(0, |m| m.1 as i64),
            TypeKind::Array(e, _) => offset += i64::from(k) * module.ty(*e).size as i64,
            _ => {}
        }
        ty = member_type(module, ty, &[k]);
    }
    offset
}
