//! What checks are about, in terms of the source: pointers as C writes them, and the operations behind the traps that
//! the driver asks clang for.

use lariat_term::Term;

use super::{arithmetic::about, body::Body, value::Value};
use crate::{
    module::{
        BinaryOp, BlockId, Callee, CastOp, Const, DebugTypeId, DebugTypeKind, FuncId, Function, Gep, InstId, InstKind,
        Operand, TypeKind,
    },
    trace::{Check, leaves, strip},
};

/// How many instructions are looked through.
const DEPTH: u32 = 12;

/// A text of C with its type.
type Typed = (String, Option<DebugTypeId>);

impl Body<'_, '_> {
    /// The pointer that an address is computed from, as C writes it: `p` for `p->next`.
    pub(super) fn pointer_text(&self, operand: Operand) -> Option<String> {
        if self.in_model {
            return None;
        }
        let (f, func) = (self.function()?, self.func?);
        let mut root = operand;
        for _ in 0..DEPTH {
            root = match root {
                Operand::Inst(inst) => match &f.inst(inst).kind {
                    InstKind::Gep(gep) => gep.base,
                    InstKind::Cast { op: CastOp::Bitcast, value } => *value,
                    _ => break,
                },
                _ => break,
            };
        }
        self.value_text(f, func, root, DEPTH).map(|(text, _)| text)
    }

    /// A value as C writes it, if it is short.
    fn value_text(&self, f: &Function, func: FuncId, operand: Operand, depth: u32) -> Option<Typed> {
        let depth = depth.checked_sub(1)?;
        let var = |var: crate::module::DebugVarId| {
            let var = &self.t.module.debug_vars[var.index()];
            (var.name.clone(), var.ty)
        };
        match operand {
            Operand::Param(param) => self.t.names.param(func, param).map(var),
            Operand::Inst(inst) => match &f.inst(inst).kind {
                InstKind::Load { ptr, .. } => self.place_text(f, func, *ptr, depth),
                InstKind::Cast { value, .. } => self.value_text(f, func, *value, depth),
                InstKind::Call { callee: Callee::Function(g), .. } => {
                    let callee = &self.t.module.functions[g.index()];
                    Some((format!("{}()", callee.source), callee.result))
                }
                _ => None,
            },
            Operand::Const(c) => match self.t.module.constant(c) {
                Const::Int(_, words) => Some((words.first()?.to_string(), None)),
                _ => None,
            },
            Operand::None => None,
        }
    }

    /// What lies at an address, as C writes it.
    fn place_text(&self, f: &Function, func: FuncId, address: Operand, depth: u32) -> Option<Typed> {
        let depth = depth.checked_sub(1)?;
        let module = self.t.module;
        match address {
            Operand::Const(c) => match module.constant(c) {
                Const::Global(g) => {
                    let var = &module.debug_vars[module.globals[g.index()].debug?.index()];
                    Some((var.name.clone(), var.ty))
                }
                Const::Gep(gep) if gep.terms.is_empty() => {
                    let base = self.place_text(f, func, Operand::Const(gep.base), depth)?;
                    self.part_text(base, gep.offset)
                }
                _ => None,
            },
            Operand::Inst(inst) => match &f.inst(inst).kind {
                InstKind::Alloca { .. } => {
                    let var = &module.debug_vars[self.t.names.slot(func, inst)?.index()];
                    Some((var.name.clone(), var.ty))
                }
                InstKind::Gep(gep) => self.element_text(f, func, gep, depth),
                InstKind::Load { .. } => {
                    let (text, ty) = self.value_text(f, func, address, depth)?;
                    Some((format!("*{text}"), self.target_type(ty?)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn target_type(&self, ty: DebugTypeId) -> Option<DebugTypeId> {
        let types = &self.t.module.debug_types;
        match types[strip(types, ty).index()].kind {
            DebugTypeKind::Pointer(target) => target,
            _ => None,
        }
    }

    /// A part of a variable, or of what a pointer points to.
    fn element_text(&self, f: &Function, func: FuncId, gep: &Gep<Operand>, depth: u32) -> Option<Typed> {
        let types = &self.t.module.debug_types;
        let is_slot = |i: InstId| matches!(f.inst(i).kind, InstKind::Alloca { .. } | InstKind::Gep(_));
        let inside = match gep.base {
            Operand::Inst(i) => is_slot(i),
            Operand::Const(_) => true,
            _ => false,
        };
        if let [(index, _)] = gep.terms[..] {
            let base = match inside {
                true => self.place_text(f, func, gep.base, depth)?,
                false => self.value_text(f, func, gep.base, depth)?,
            };
            let (index, _) = self.value_text(f, func, index, depth)?;
            let element = match types[strip(types, base.1?).index()].kind {
                DebugTypeKind::Array(element, _) | DebugTypeKind::Pointer(element) => element,
                _ => return None,
            };
            return (gep.offset == 0).then(|| (format!("{}[{index}]", base.0), element));
        }
        if !gep.terms.is_empty() {
            return None;
        }
        if inside {
            let base = self.place_text(f, func, gep.base, depth)?;
            return self.part_text(base, gep.offset);
        }
        let (text, ty) = self.value_text(f, func, gep.base, depth)?;
        let (part, ty) = self.part_text((String::new(), self.target_type(ty?)), gep.offset)?;
        let part = part.strip_prefix('.')?;
        Some((format!("{text}->{part}"), ty))
    }

    fn part_text(&self, (text, ty): Typed, offset: i64) -> Option<Typed> {
        let at = u64::try_from(offset).ok()?.checked_mul(8)?;
        let leaf = leaves(&self.t.module.debug_types, ty?, at..at + 1).into_iter().next()?;
        (leaf.start == at).then(|| (format!("{text}{}", leaf.path), Some(leaf.ty)))
    }

    /// The operation whose trap a branch guards: its condition is that an operation with overflow has none, or else it
    /// guards the first operation behind it.
    pub(super) fn trapped_operation(&mut self, f: &Function, cond: Operand, next: BlockId) -> Option<Check> {
        let mut at = cond;
        for _ in 0..DEPTH {
            let Operand::Inst(inst) = at else { break };
            match &f.inst(inst).kind {
                InstKind::Binary { op: BinaryOp::Xor, lhs, .. } => at = *lhs,
                InstKind::ExtractValue { value, .. } => at = *value,
                InstKind::Call { .. } => return self.operations.get(&inst).cloned(),
                _ => break,
            }
        }
        let mut block = next;
        for _ in 0..DEPTH {
            let mut further = None;
            for i in f.blocks[block.index()].insts.clone() {
                match f.insts[i as usize].kind {
                    InstKind::Binary { op, lhs, rhs, .. } if is_trapped(op) => {
                        return about(op, self.known_term(lhs)?, self.known_term(rhs)?);
                    }
                    InstKind::Cast { op: op @ (CastOp::FpToSi | CastOp::FpToUi), value } => {
                        let TypeKind::Int(bits) = self.t.module.ty(f.insts[i as usize].ty).kind else { return None };
                        let (value, signed) = (self.known_term(value)?, op == CastOp::FpToSi);
                        return Some(Check::FloatCast { value, bits, signed });
                    }
                    // One operation may have several traps.
                    InstKind::Branch { yes, .. } => further = Some(yes),
                    _ => {}
                }
            }
            block = further?;
        }
        None
    }

    fn known_term(&mut self, operand: Operand) -> Option<Term> {
        match self.still_known(operand)? {
            Value::Term(term) => Some(term),
            _ => None,
        }
    }
}

/// Operations that have traps, but no operation with overflow.
fn is_trapped(op: BinaryOp) -> bool {
    use BinaryOp::{AShr, LShr, SDiv, SRem, Shl, UDiv, URem};
    matches!(op, SDiv | SRem | UDiv | URem | Shl | AShr | LShr)
}
