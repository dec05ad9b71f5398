//! What values point to: operands, constants, address computations and arithmetic on addresses.

use super::super::unify::{FlowKind, OUTSIDE, Ptr, gcd};
use super::super::{Maker, leaves};
use super::{Constraints, is_aggregate};
use crate::module::{
    BinaryOp, CastOp, Const, ConstId, FuncId, Function, Gep, Inst, InstId, InstKind, Module, Operand, TypeId, TypeKind,
};

impl Constraints<'_> {
    /// What an operand points to; `None` if it never points to anything.
    pub(super) fn value(&mut self, f: FuncId, op: Operand) -> Option<Ptr> {
        let module = self.module;
        let function = &module.functions[f.index()];
        match op {
            Operand::None => None,
            Operand::Const(c) => self.const_value(c),
            Operand::Param(k) => {
                let param = function.params.get(k as usize)?;
                let known = self.values[f.index()][k as usize];
                Some(known.unwrap_or_else(|| {
                    let at = match param.byval {
                        Some(ty) => self.site(Maker::Copy(f, k), Some(module.ty(ty).size)),
                        None => self.nodes.fresh(),
                    };
                    self.values[f.index()][k as usize] = Some(at);
                    at
                }))
            }
            Operand::Inst(i) => {
                if !carries(module, function.insts.get(i.index())?) {
                    return None;
                }
                let k = function.params.len() + i.index();
                Some(*self.values[f.index()][k].get_or_insert_with(|| self.nodes.fresh()))
            }
        }
    }

    pub(super) fn define(&mut self, f: FuncId, i: InstId, value: Ptr) {
        let function = &self.module.functions[f.index()];
        if !carries(self.module, function.inst(i)) {
            return;
        }
        let known = &mut self.values[f.index()][function.params.len() + i.index()];
        match *known {
            // Something has used it before, such as a phi of a loop.
            Some(known) => self.nodes.unify(known, value),
            None => *known = Some(value),
        }
    }

    pub(super) fn const_value(&mut self, c: ConstId) -> Option<Ptr> {
        let Const::Aggregate(ty, _) = self.module.constant(c) else { return self.const_ptr(c) };
        if let Some(&known) = self.consts.get(&c) {
            return known;
        }
        let value = self.nodes.fresh();
        self.consts.insert(c, Some(value));
        if is_aggregate(self.module, *ty) {
            self.fill(value, c);
        } else {
            // A vector: one pointer for all elements.
            let memory = self.nodes.fresh();
            self.fill(memory, c);
            for (offset, element) in leaves(self.module, *ty).unwrap_or_default() {
                let slot = self.nodes.slot(memory.plus(offset as i64), self.module.ty(element).store_size);
                self.nodes.flow(slot.read, value, 0);
            }
        }
        Some(value)
    }

    /// What a constant that is no aggregate points to.
    pub(super) fn const_ptr(&mut self, c: ConstId) -> Option<Ptr> {
        let module = self.module;
        let mut stack = vec![c];
        while let Some(&c) = stack.last() {
            if self.consts.contains_key(&c) {
                stack.pop();
                continue;
            }
            let operands: Vec<ConstId> = match module.constant(c) {
                Const::Gep(gep) => vec![gep.base],
                Const::Cast(_, inner, _) => vec![*inner],
                Const::Binary(_, a, b) => vec![*a, *b],
                _ => vec![],
            };
            let before = stack.len();
            stack.extend(operands.into_iter().filter(|o| !self.consts.contains_key(o)));
            if stack.len() > before {
                continue;
            }
            let known = |constraints: &Self, c: &ConstId| constraints.consts.get(c).copied().flatten();
            let value = match module.constant(c) {
                Const::Global(g) => Some(self.site(Maker::Global(*g), module.global_size(*g))),
                Const::Function(g) => Some(self.site(Maker::Function(*g), None)),
                Const::Gep(gep) => {
                    known(self, &gep.base).map(|base| self.gep(base, gep, |_, _, &c| int(module, c), |_| 1))
                }
                Const::Cast(CastOp::IntToPtr, inner, _) => match known(self, inner) {
                    Some(p) => Some(p),
                    None if int(module, *inner).is_some_and(|k| !is_address(k)) => None,
                    None => Some(self.absolute()),
                },
                Const::Cast(_, inner, _) => known(self, inner),
                Const::Binary(op, a, b) => {
                    let operand = |c: &ConstId| (known(self, c), int(module, *c), 1);
                    let (a, b) = (operand(a), operand(b));
                    self.arithmetic(*op, a, b, false)
                }
                _ => None,
            };
            self.consts.insert(c, value);
        }
        self.consts[&c]
    }

    /// Memory at a fixed address.
    pub(super) fn absolute(&mut self) -> Ptr {
        match self.absolute {
            Some(p) => p,
            None => {
                let p = self.nodes.fresh();
                self.nodes.flag(p, OUTSIDE);
                self.nodes.stride(p, 1);
                *self.absolute.insert(p)
            }
        }
    }

    pub(super) fn gep<V>(
        &mut self,
        base: Ptr,
        gep: &Gep<V>,
        constant: impl Fn(&Module, &Gep<V>, &V) -> Option<i64>,
        multiple: impl Fn(&V) -> u64,
    ) -> Ptr {
        let mut at = base.plus(gep.offset);
        let mut stride = 0;
        for (index, scale) in &gep.terms {
            match constant(self.module, gep, index) {
                Some(k) => at = at.plus(k.saturating_mul(*scale)),
                None => stride = gcd(stride, scale.unsigned_abs().saturating_mul(multiple(index))),
            }
        }
        if stride == 0 {
            return at;
        }
        let result = self.nodes.fresh();
        self.nodes.flow(at, result, stride);
        result
    }

    /// An integer operation; an operand is what it points to, its value if it is constant, and a
    /// power of two that divides it. `number`: no address can come of it.
    pub(super) fn arithmetic(
        &mut self,
        op: BinaryOp,
        (a, a_value, a_multiple): (Option<Ptr>, Option<i64>, u64),
        (b, b_value, b_multiple): (Option<Ptr>, Option<i64>, u64),
        number: bool,
    ) -> Option<Ptr> {
        match (op, a, a_value, b, b_value) {
            (BinaryOp::Add, Some(p), _, _, Some(k)) | (BinaryOp::Add, _, Some(k), Some(p), _) => {
                return Some(p.plus(k));
            }
            (BinaryOp::Sub, Some(p), _, _, Some(k)) => return Some(p.plus(k.saturating_neg())),
            (_, None, _, None, _) => return None,
            _ => {}
        }
        let result = self.nodes.fresh();
        let linear = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        let kind = match op {
            _ if number => FlowKind::Number,
            BinaryOp::Add | BinaryOp::Sub => FlowKind::Address,
            // Tags and rounding; numbers come only of two variables.
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor if a_value.or(b_value).is_some() => FlowKind::Address,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => FlowKind::Either,
            _ => FlowKind::Number,
        };
        if let Some(a) = a {
            self.nodes.flow_as(a, result, if linear { b_multiple } else { 1 }, kind);
        }
        if let Some(b) = b {
            self.nodes.flow_as(b, result, if op == BinaryOp::Add { a_multiple } else { 1 }, kind);
        }
        Some(result)
    }
}

/// Can the value of this instruction be an address, or hold one?
pub(super) fn carries(module: &Module, inst: &Inst) -> bool {
    let kind = match &inst.kind {
        InstKind::IntCompare { .. }
        | InstKind::FloatCompare { .. }
        | InstKind::FloatBinary { .. }
        | InstKind::FloatNeg(_)
        | InstKind::Unsupported { .. } => return false,
        InstKind::Cast {
            op: CastOp::FpToUi | CastOp::FpToSi | CastOp::UiToFp | CastOp::SiToFp | CastOp::FpTrunc | CastOp::FpExt,
            ..
        } => return false,
        _ => &module.ty(inst.ty).kind,
    };
    !matches!(kind, TypeKind::Void | TypeKind::Int(0..8) | TypeKind::Other(_) | TypeKind::Function(..))
}

/// The signed value of a constant that is a number, such as the offset of a member that is written as
/// the address of a member of a structure at address 0.
pub(super) fn int(module: &Module, c: ConstId) -> Option<i64> {
    int_within(module, c, 16)
}

fn int_within(module: &Module, c: ConstId, depth: u32) -> Option<i64> {
    let depth = depth.checked_sub(1)?;
    let sign_extended = |ty: TypeId, word: u64| match module.ty(ty).kind {
        TypeKind::Int(bits @ 1..=64) => Some(((word << (64 - bits)) as i64) >> (64 - bits)),
        TypeKind::Ptr => Some(word as i64),
        _ => None,
    };
    match module.constant(c) {
        Const::Int(ty, words) => sign_extended(*ty, words.first().copied().unwrap_or(0)),
        Const::Null | Const::Zero(_) => Some(0),
        Const::Gep(gep) => {
            let base = int_within(module, gep.base, depth)?.checked_add(gep.offset)?;
            gep.terms.iter().try_fold(base, |at, (index, scale)| {
                at.checked_add(int_within(module, *index, depth)?.checked_mul(*scale)?)
            })
        }
        Const::Cast(op, inner, ty) => {
            let value = int_within(module, *inner, depth)?;
            match op {
                CastOp::ZExt if value < 0 => None,
                CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Trunc | CastOp::SExt | CastOp::ZExt => {
                    sign_extended(*ty, value as u64)
                }
                _ => None,
            }
        }
        Const::Binary(op, a, b) => {
            let (a, b) = (int_within(module, *a, depth)?, int_within(module, *b, depth)?);
            match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Numbers near 0 are no addresses, but error codes.
pub(super) fn is_address(number: i64) -> bool {
    !(-4096..4096).contains(&number)
}

pub(super) fn operand_int(module: &Module, op: Operand) -> Option<i64> {
    match op {
        Operand::Const(c) => int(module, c),
        _ => None,
    }
}

/// A power of two that divides an integer.
pub(super) fn multiple(module: &Module, function: &Function, mut op: Operand) -> u64 {
    let mut power = 0;
    for _ in 0..8 {
        let Operand::Inst(i) = op else { break };
        match &function.inst(i).kind {
            InstKind::Cast { op: CastOp::ZExt | CastOp::SExt, value } => op = *value,
            InstKind::Binary { op: BinaryOp::Mul, lhs, rhs, .. } => match operand_int(module, *rhs) {
                Some(k) if k != 0 => {
                    power += k.trailing_zeros();
                    op = *lhs;
                }
                _ => break,
            },
            InstKind::Binary { op: BinaryOp::Shl, lhs, rhs, .. } => match operand_int(module, *rhs) {
                Some(k @ 0..16) => {
                    power += k as u32;
                    op = *lhs;
                }
                _ => break,
            },
            _ => break,
        }
    }
    1 << power.min(30)
}
