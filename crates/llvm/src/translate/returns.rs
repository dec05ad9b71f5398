//! Missing returns: functions that may end without a `return` though they have a result. In C that is defined as long
//! as no caller uses the result, so such a function has one more output that says whether it did return.

use lariat_program::StmtKind;
use lariat_term::{Sort, Var};

use super::{Translator, blocks::all_successors, body::Body};
use crate::module::{FuncId, InstId, InstKind, Operand, TypeKind};

impl Translator<'_> {
    /// The slot in which clang collects the result of a function, if control may reach the end without a result there.
    pub(super) fn find_missing_return(&self, func: FuncId) -> Option<InstId> {
        let f = &self.module.functions[func.index()];
        if !self.options.properties.undefined || f.loc.line == 0 {
            return None;
        }
        let mut returned = f.insts.iter().filter_map(|inst| match inst.kind {
            InstKind::Return(Operand::Inst(load)) => Some(load),
            _ => None,
        });
        let load = returned.next().filter(|_| returned.next().is_none())?;
        let InstKind::Load { ptr: Operand::Inst(slot), .. } = f.inst(load).kind else { return None };
        let scalar =
            matches!(self.module.ty(f.inst(load).ty).kind, TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Ptr);
        if !scalar || !matches!(f.inst(slot).kind, InstKind::Alloca { .. }) {
            return None;
        }
        // It is the compiler's own, and nothing but stores sets it.
        let plain = f.insts.iter().all(|inst| {
            let mut used = false;
            inst.kind.operands(&mut |operand| used |= operand == Operand::Inst(slot));
            !used
                || match inst.kind {
                    InstKind::Store { value, .. } => value != Operand::Inst(slot),
                    InstKind::Load { .. } => true,
                    _ => false,
                }
        });
        if !plain {
            return None;
        }
        let next = all_successors(f);
        let mut seen = vec![false; f.blocks.len()];
        let mut stack = vec![0];
        while let Some(block) = stack.pop() {
            if std::mem::replace(&mut seen[block], true) {
                continue;
            }
            let mut insts = f.blocks[block].insts.clone();
            let end = insts.find(|&i| match f.insts[i as usize].kind {
                InstKind::Store { ptr, .. } => ptr == Operand::Inst(slot),
                _ => InstId(i) == load,
            });
            match end {
                Some(i) if InstId(i) == load => return Some(slot),
                Some(_) => {}
                None => stack.extend(&next[block]),
            }
        }
        None
    }

    /// The output of a region that says whether its function returned a value.
    pub(super) fn returned_var(&mut self, func: FuncId) -> Option<Var> {
        self.missing_returns[func.index()]?;
        let name = format!("{}.returned", self.module.functions[func.index()].name);
        Some(self.variable(&name, Sort::BOOL))
    }
}

impl Body<'_, '_> {
    /// The slot of the result, and the output that says whether it has been set.
    fn returned(&self) -> Option<(InstId, Var)> {
        let slot = self.t.missing_returns[self.func?.index()]?;
        Some((slot, *self.outputs.last()?))
    }

    /// Nothing has been returned at the start.
    pub fn nothing_returned(&mut self) {
        if let Some((_, var)) = self.returned() {
            let never = self.t.terms.bool(false);
            self.push(StmtKind::Assign(vec![(var, never)]));
        }
    }

    /// A store may set the result.
    pub fn note_returned(&mut self, ptr: Operand) {
        if let Some((slot, var)) = self.returned()
            && ptr == Operand::Inst(slot)
        {
            let always = self.t.terms.bool(true);
            self.push(StmtKind::Assign(vec![(var, always)]));
        }
    }

    /// The function ends without a result that anybody could use.
    pub fn no_result(&mut self) {
        if let Some((_, var)) = self.returned() {
            let always = self.t.terms.bool(true);
            self.push(StmtKind::Assign(vec![(var, always)]));
        }
    }

    /// How many outputs the result of this function has.
    pub fn result_outputs(&self) -> usize {
        self.outputs.len() - usize::from(self.returned().is_some())
    }
}
