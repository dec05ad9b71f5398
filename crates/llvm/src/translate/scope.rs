//! Blocks of the source: a variable lives while execution is in the block that declares it.
//!
//! clang could mark the ends of lives, but at the price of code that leads every way out of a block through
//! one place. The debug information says in which block an instruction stands, so that it is enough to look
//! where execution goes from one block to another. What is recorded there does not depend on where it comes
//! from: variables of the new block live, others do not.

use super::{
    body::Body,
    value::{Pointer, Value},
};
use crate::{
    memory::Maker,
    module::{Function, InstId, InstKind, Module, Operand, ScopeId},
};

/// The variables of inner blocks of a function that pointers may lead to, and where they live.
#[derive(Default)]
pub(super) struct Scopes {
    slots: Vec<ScopedSlot>,
    /// The block of the source at the start of each block of code, if it is known.
    starts: Vec<Option<ScopeId>>,
    /// Those from which execution comes there.
    before: Vec<Vec<Option<ScopeId>>>,
    now: Option<ScopeId>,
}

#[derive(Clone, Copy)]
struct ScopedSlot {
    slot: InstId,
    scope: ScopeId,
    bytes: u64,
}

/// Whether a block of the source lies in another one, or is it.
fn within(module: &Module, mut inner: ScopeId, outer: ScopeId) -> bool {
    // The outer blocks of a block have smaller numbers.
    while inner > outer {
        inner = module.scopes[inner.0 as usize - 1];
    }
    inner == outer
}

impl Body<'_, '_> {
    /// Looks for variables of inner blocks. `order` is that of the blocks, dominators first.
    pub fn find_scopes(&mut self, f: &Function, order: &[usize], next: &[Vec<usize>]) {
        let (Some(func), Some(_)) = (self.func, self.t.life.size) else { return };
        let module = self.t.module;
        for inst in &f.insts {
            let InstKind::DebugValue { var, value: Operand::Inst(slot), address: true } = inst.kind else { continue };
            let scope = module.debug_vars[var.index()].loc.scope;
            let InstKind::Alloca { .. } = f.inst(slot).kind else { continue };
            let site = self.t.memory.site(Maker::Alloca(func, slot)).map(|site| &self.t.memory.sites[site.index()]);
            if let Some(site) = site
                && let Some(bytes) = site.size
                && !site.local
                && scope != ScopeId::NONE
                && self.is_entry_slot(slot)
            {
                self.scopes.slots.push(ScopedSlot { slot, scope, bytes });
            }
        }
        if self.scopes.slots.is_empty() {
            return;
        }
        let (mut starts, mut before) = (vec![None; f.blocks.len()], vec![Vec::new(); f.blocks.len()]);
        for &b in order {
            let mut scopes = f.blocks[b].insts.clone().filter_map(|i| {
                let loc = f.insts[i as usize].loc;
                (loc.line != 0).then_some(loc.scope)
            });
            starts[b] = scopes.next();
            let end = scopes.next_back().or(starts[b]);
            next[b].iter().for_each(|&to| before[to].push(end));
        }
        (self.scopes.starts, self.scopes.before) = (starts, before);
    }

    /// Whether the life of a stack slot ends with an inner block of the source.
    pub fn is_scoped(&self, slot: InstId) -> bool {
        self.scopes.slots.iter().any(|s| s.slot == slot)
    }

    /// Execution comes to the start of a block of code.
    pub fn block_starts(&mut self, block: usize) {
        if self.scopes.slots.is_empty() {
            return;
        }
        self.scopes.now = None;
        // Slots are made in the first block, before anything of the source is executed.
        if block == 0 {
            return;
        }
        if let Some(scope) = self.scopes.starts[block] {
            let before = std::mem::take(&mut self.scopes.before[block]);
            self.scope_changes(&before, scope);
        }
    }

    /// Execution comes to an instruction of this block of the source.
    pub fn scope_is(&mut self, scope: ScopeId) {
        if !self.scopes.slots.is_empty() && self.scopes.now != Some(scope) {
            let before = [self.scopes.now];
            self.scope_changes(&before, scope);
        }
    }

    fn scope_changes(&mut self, before: &[Option<ScopeId>], now: ScopeId) {
        self.scopes.now = Some(now);
        let Some(var) = self.t.life.size else { return };
        let mut sizes = self.term(var);
        for i in 0..self.scopes.slots.len() {
            let ScopedSlot { slot, scope, bytes } = self.scopes.slots[i];
            let lives = within(self.t.module, now, scope);
            let differs = |old: &Option<ScopeId>| old.is_none_or(|old| within(self.t.module, old, scope) != lives);
            if !before.iter().any(differs) {
                continue;
            }
            if let Some(Value::Ptr(Pointer { object, .. })) = self.values[slot.index()] {
                let bytes = self.t.offset_term(if lives { bytes as i64 } else { 0 });
                sizes = self.t.terms.store(sizes, object, bytes);
            }
        }
        self.assign(vec![(var, sizes)]);
    }
}
