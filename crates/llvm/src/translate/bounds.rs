//! Array bounds: an index stays inside of the array type that it selects an element of.
//!
//! The index just past the end makes an address (`&a[10]`), but nothing to access. So what counts is whether an
//! instruction accesses the address, or one that is computed from it. Constant indices have been added up by the
//! reader, which notes where one is outside (`Gep::overrun`); constant addresses are checked where an instruction
//! has them as operands.

use lariat_program::AssertKind;
use lariat_term::{Op, Term};

use super::{body::Body, value};
use crate::{
    library::Operation,
    module::{Callee, CastOp, Const, Function, Inst, InstId, InstKind, Module, Operand, Overrun},
    trace::Check,
};

/// Calls the function with each address that an instruction accesses.
fn accesses(module: &Module, kind: &InstKind, found: &mut dyn FnMut(Operand)) {
    match kind {
        InstKind::Load { ptr, .. }
        | InstKind::Store { ptr, .. }
        | InstKind::AtomicUpdate { ptr, .. }
        | InstKind::CompareExchange { ptr, .. } => found(*ptr),
        InstKind::Call { callee, args, byval, .. } => {
            args.iter().zip(byval).filter(|(_, copied)| copied.is_some()).for_each(|(arg, _)| found(*arg));
            let Callee::Function(f) = callee else { return };
            let Some(intrinsic) = module.functions[f.index()].name.strip_prefix("llvm.") else { return };
            let count = match Operation::of_intrinsic(intrinsic) {
                Some(Operation::Copy { .. }) => 2,
                Some(Operation::Fill) => 1,
                _ => return,
            };
            // A block of any size may be empty.
            if let Some(Operand::Const(size)) = args.get(2)
                && matches!(module.constant(*size), Const::Int(_, words) if words.iter().any(|&word| word != 0))
            {
                args.iter().take(count).for_each(|arg| found(*arg));
            }
        }
        _ => {}
    }
}

impl Body<'_, '_> {
    /// Finds the address computations whose result is accessed.
    pub fn find_accessed(&mut self, f: &Function) {
        if !self.t.options.properties.bounds {
            return;
        }
        let mut accessed = vec![false; f.insts.len()];
        for inst in &f.insts {
            accesses(self.t.module, &inst.kind, &mut |mut address| {
                while let Operand::Inst(i) = address {
                    if std::mem::replace(&mut accessed[i.index()], true) {
                        break;
                    }
                    address = match &f.inst(i).kind {
                        InstKind::Gep(gep) => gep.base,
                        InstKind::Cast { op: CastOp::Bitcast | CastOp::AddrSpace, value } => *value,
                        _ => break,
                    };
                }
            });
        }
        self.accessed = accessed;
    }

    /// Checks an index of an address computation.
    pub fn check_index(&mut self, inst: InstId, index: Term, length: Option<u64>) {
        let (Some(&accessed), Some(length)) = (self.accessed.get(inst.index()), length) else { return };
        let about = Check::Index { index, length };
        let own = self.t.terms.bv_width(index).unwrap_or(self.t.module.pointer_bits).max(64);
        let wide = value::resize(self.t.terms, index, own, true);
        let length = self.t.terms.bv(own, length);
        let op = if accessed { Op::BvUlt } else { Op::BvUle };
        let cond = self.t.terms.mk(op, &[wide, length]);
        self.check_about(AssertKind::Bounds, None, cond, Some(about));
    }

    /// Checks the index of an element of a vector, and says when it is inside. Vectors are values, but one in a variable is an
    /// object, too.
    pub fn vector_index(&mut self, index: Term, length: usize) -> Term {
        let length = length as u64;
        let width = self.t.terms.bv_width(index).unwrap_or(64);
        let limit = self.t.terms.bv(width, length);
        let inside = self.t.terms.mk(Op::BvUlt, &[index, limit]);
        let properties = &self.t.options.properties;
        let kind = match (properties.bounds, properties.deref) {
            (true, _) => AssertKind::Bounds,
            (false, true) => AssertKind::Deref,
            (false, false) => return inside,
        };
        if inside != self.t.terms.bool(true) {
            self.check_about(kind, None, inside, Some(Check::Index { index, length }));
        }
        inside
    }

    /// Checks the constant indices in an instruction and in its operands.
    pub fn check_constant_indices(&mut self, id: InstId, inst: &Inst) {
        let Some(&accessed) = self.accessed.get(id.index()) else { return };
        let module = self.t.module;
        let fails = |overrun: Overrun, accessed: bool| match overrun {
            Overrun::None => false,
            Overrun::End => accessed,
            Overrun::Beyond => true,
        };
        let overrun = |operand: Operand| match operand {
            Operand::Const(c) => match module.constant(c) {
                Const::Gep(gep) => gep.overrun,
                _ => Overrun::None,
            },
            _ => Overrun::None,
        };
        let mut outside = match &inst.kind {
            // Only one of the operands is taken.
            InstKind::Phi(_) | InstKind::Select { .. } | InstKind::DebugValue { .. } => return,
            InstKind::Gep(gep) => fails(gep.overrun, accessed) || fails(overrun(gep.base), accessed),
            _ => false,
        };
        inst.kind.operands(&mut |operand| outside |= fails(overrun(operand), false));
        accesses(module, &inst.kind, &mut |operand| outside |= fails(overrun(operand), true));
        if outside {
            let never = self.t.terms.bool(false);
            self.check(AssertKind::Bounds, None, never);
        }
    }
}
