//! Variable arguments: `va_start` and `va_arg`.

use super::super::unify::Ptr;
use super::super::{Convention, Maker};
use super::Constraints;
use crate::module::{FuncId, InstId, Operand};

impl Constraints<'_> {
    /// Where a list of variable arguments keeps the address of the next one, and the address's size.
    fn list_layout(&self) -> (i64, u64) {
        if self.module.pointer_bits == 64 { (8, 8) } else { (0, 4) }
    }

    pub(super) fn start_arguments(&mut self, f: FuncId, list: Operand) {
        let Some(list) = self.value(f, list) else { return };
        let object = self.site(Maker::VarArgs(f), None);
        let (offset, word) = self.list_layout();
        let slot = self.nodes.slot(list.plus(offset), word);
        let start = self.convention.start(self.module, &self.module.functions[f.index()]);
        self.nodes.flow(object.plus(start.overflow as i64), slot.written, 0);
        if let Some(ptr) = self.pointer_type {
            self.access(list.plus(offset), ptr, true);
        }
        if self.convention == Convention::Registers {
            let saved = self.nodes.slot(list.plus(16), word);
            self.nodes.flow(object, saved.written, 0);
        }
        if word == 8 {
            // The counters of registers, and the area where registers are saved.
            if let Some(ty) = self.i32_type {
                self.access(list, ty, true);
                self.access(list.plus(4), ty, true);
            }
            if let Some(ptr) = self.pointer_type {
                self.access(list.plus(16), ptr, true);
            }
        }
    }

    pub(super) fn next_argument(&mut self, f: FuncId, i: InstId, list: Ptr) {
        let (offset, word) = self.list_layout();
        let slot = self.nodes.slot(list.plus(offset), word);
        if let Some(ptr) = self.pointer_type {
            self.access(list.plus(offset), ptr, true);
            self.access(list.plus(offset), ptr, false);
        }
        let at = self.nodes.fresh();
        self.nodes.flow(slot.read, at, word);
        self.nodes.flow(at, slot.written, 0);
        if let Some(value) = self.load(at, self.module.functions[f.index()].inst(i).ty) {
            self.define(f, i, value);
        }
    }
}
