//! Lifetimes of variables in the blocks of the source: an object lives while execution is in its block, and is another
//! one when the block is entered again.
//!
//! clang could mark the ends of lives, but at the price of code that leads every way out of a block through
//! one place, and with no marks for compound literals. The debug information says in which block an instruction
//! stands, so that it is enough to look where execution goes from one block to another. What is recorded there does
//! not depend on where it comes from: outside of its block a variable has the size 0, no value, and the number of an
//! object that no pointer leads to yet. Where `cleanup` functions are called for the variables of a block, clang gives its
//! end a place outside of it; it counts as inside ([`inner_scopes`]).

use lariat_term::{Op, Term, Var};
use rustc_hash::FxHashMap;

use super::{
    body::Body,
    value::{Pointer, Value},
};
use crate::{
    memory::{Maker, SiteId, SlotScope, repeated_blocks, slot_scopes},
    module::{Function, InstId, InstKind, Loc, Module, Operand, ScopeId},
};

/// The objects of inner blocks of a function, and where execution enters and leaves these blocks.
#[derive(Default)]
pub(super) struct Scopes {
    slots: Vec<ScopedSlot>,
    /// What changes where execution comes to the start of a block of code.
    starts: Vec<Change>,
    /// What changes where it comes to an instruction.
    inside: FxHashMap<u32, Change>,
    /// The blocks of code that may be executed more than once in an activation.
    repeated: Vec<bool>,
}

#[derive(Clone, Copy)]
struct ScopedSlot {
    slot: InstId,
    site: SiteId,
    bytes: u64,
    /// Its size is followed: it may be accessed through pointers.
    sized: bool,
    /// The variable for the number of its object, if each lifetime needs another one.
    object: Option<Var>,
}

/// Blocks of the source are left and entered: the slots whose objects end or begin.
#[derive(Clone, Default)]
struct Change {
    left: Vec<usize>,
    entered: Vec<usize>,
}

/// The slots of each block of the source.
type SlotsOf = FxHashMap<ScopeId, Vec<usize>>;

impl Change {
    /// Execution goes from one block to another, and on the way through one that has both or only the second in it.
    fn add(&mut self, module: &Module, slots: &SlotsOf, from: ScopeId, to: ScopeId, through: ScopeId) {
        let common = module.common_scope(from, through);
        for (mut scope, list) in [(from, &mut self.left), (to, &mut self.entered)] {
            while scope != common {
                list.extend(slots.get(&scope).into_iter().flatten());
                scope = module.scopes[scope.0 as usize - 1];
            }
        }
    }

    fn finish(mut self) -> Change {
        for list in [&mut self.left, &mut self.entered] {
            list.sort_unstable();
            list.dedup();
        }
        self
    }
}

/// The block of the source that each instruction stands in; nothing if it has no place there.
///
/// The source cannot name a variable outside of its block. So a call that is given the address of one there is that of its `cleanup`
/// function at the end of the block, and so are the steps at the same place that lead to it.
fn inner_scopes(module: &Module, f: &Function, slots: &FxHashMap<InstId, SlotScope>) -> Vec<Option<ScopeId>> {
    let mut scopes: Vec<Option<ScopeId>> =
        f.insts.iter().map(|inst| (inst.loc.line != 0).then_some(inst.loc.scope)).collect();
    // The ends of blocks; nothing where several blocks (of a macro) end in one place.
    let mut ends: FxHashMap<Loc, Option<ScopeId>> = FxHashMap::default();
    for (inst, scope) in f.insts.iter().zip(&mut scopes) {
        let (InstKind::Call { args, .. }, Some(here)) = (&inst.kind, *scope) else { continue };
        let named = args.iter().filter_map(|arg| match arg {
            Operand::Inst(slot) => slots.get(slot).filter(|slot| slot.declared.is_some()).map(|slot| slot.scope),
            _ => None,
        });
        let inner = named.filter(|&inner| inner != here && module.common_scope(inner, here) == here).max();
        if let Some(inner) = inner {
            *scope = Some(inner);
            let end = ends.entry(inst.loc).or_insert(Some(inner));
            *end = end.filter(|&end| end == inner);
        }
    }
    for (inst, scope) in f.insts.iter().zip(&mut scopes) {
        if matches!(inst.kind, InstKind::Jump(_) | InstKind::Store { value: Operand::Const(_), .. })
            && let Some(&Some(inner)) = ends.get(&inst.loc)
        {
            *scope = Some(inner);
        }
    }
    scopes
}

impl Scopes {
    /// The sites of the slots that are left at the start of a block of code, or at an instruction.
    pub fn left(&self, block: Option<usize>, inst: Option<u32>) -> impl Iterator<Item = SiteId> + '_ {
        let start = block.and_then(|block| self.starts.get(block));
        let here = inst.and_then(|inst| self.inside.get(&inst));
        start.into_iter().chain(here).flat_map(|change| &change.left).map(|&k| self.slots[k].site)
    }
}

impl Body<'_, '_> {
    /// Looks for objects of inner blocks. `order` is that of the blocks, dominators first.
    pub fn find_scopes(&mut self, f: &Function, order: &[usize], next: &[Vec<usize>]) {
        let Some(func) = self.func else { return };
        let module = self.t.module;
        self.scopes.repeated = repeated_blocks(f);
        let slots = slot_scopes(module, f);
        let scopes = inner_scopes(module, f, &slots);
        let mut slots: Vec<_> = slots.into_iter().collect();
        slots.sort_unstable_by_key(|(slot, _)| *slot);
        let mut of = SlotsOf::default();
        for (slot, place) in slots {
            let Some(site) = self.t.memory.site(Maker::Alloca(func, slot)) else { continue };
            let info = &self.t.memory.sites[site.index()];
            let sized = !info.local && self.t.lifetimes.size.is_some();
            if let Some(bytes) = info.size
                && place.scope != ScopeId::NONE
                && self.is_entry_slot(slot)
            {
                of.entry(place.scope).or_default().push(self.scopes.slots.len());
                self.scopes.slots.push(ScopedSlot { slot, site, bytes, sized, object: None });
            }
        }
        if self.scopes.slots.is_empty() {
            return;
        }
        // Where each block of code starts, and where execution may be at its end.
        let mut position = vec![usize::MAX; f.blocks.len()];
        order.iter().enumerate().for_each(|(at, &b)| position[b] = at);
        let mut starts: Vec<Option<ScopeId>> = vec![None; f.blocks.len()];
        let mut ends: Vec<Vec<ScopeId>> = vec![Vec::new(); f.blocks.len()];
        for &b in order {
            let scopes = f.blocks[b].insts.clone().filter_map(|i| scopes[i as usize]);
            let label = f.blocks[b].source_label.is_some().then_some(f.blocks[b].label_scope);
            // Slots are made in the first block, before anything of the source is executed.
            let first = (b == 0).then_some(ScopeId::NONE);
            let mut scopes = first.or(label).into_iter().chain(scopes);
            starts[b] = scopes.next();
            ends[b].extend(scopes.last().or(starts[b]));
        }
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); f.blocks.len()];
        for &b in order {
            next[b].iter().for_each(|&to| before[to].push(b));
        }
        // A block of code without a place in the source is wherever execution comes from.
        let mut changed = true;
        while changed {
            changed = false;
            for &b in order.iter().filter(|&&b| starts[b].is_none()) {
                let mut all: Vec<ScopeId> = before[b].iter().flat_map(|&from| ends[from].iter().copied()).collect();
                all.sort_unstable();
                all.dedup();
                changed |= all != ends[b];
                ends[b] = all;
            }
        }
        self.scopes.starts = vec![Change::default(); f.blocks.len()];
        for &b in order {
            let Some(start) = starts[b] else { continue };
            // The head of a loop: what the loop is in stays, and the rest is entered again in each round. But a label is
            // where it stands.
            let (back, forth): (Vec<usize>, Vec<usize>) =
                before[b].iter().partition(|&&from| position[from] >= position[b]);
            let around = forth.iter().flat_map(|&from| &ends[from]).map(|&end| module.common_scope(end, start)).max();
            let through = match around {
                Some(around) if !back.is_empty() && f.blocks[b].source_label.is_none() => around,
                _ => start,
            };
            let mut change = Change::default();
            for (&from, back) in back.iter().map(|from| (from, true)).chain(forth.iter().map(|from| (from, false))) {
                for &end in &ends[from] {
                    change.add(module, &of, end, start, if back { through } else { start });
                }
            }
            self.scopes.starts[b] = change.finish();
            let mut now = start;
            for i in f.blocks[b].insts.clone() {
                if let Some(scope) = scopes[i as usize].filter(|&scope| scope != now) {
                    let mut change = Change::default();
                    change.add(module, &of, now, scope, scope);
                    now = scope;
                    if !(change.left.is_empty() && change.entered.is_empty()) {
                        self.scopes.inside.insert(i, change);
                    }
                }
            }
        }
    }

    /// Whether the lifetime of a stack slot is that of an inner block of the source.
    pub fn is_scoped(&self, slot: InstId) -> bool {
        self.scopes.slots.iter().any(|s| s.slot == slot && s.sized)
    }

    /// Whether a block of code may be executed more than once in an activation.
    pub fn is_repeated(&self, block: usize) -> bool {
        self.scopes.repeated.get(block).copied().unwrap_or(true)
    }

    /// The number of the object of a slot is in this variable, and changes with each lifetime.
    pub fn numbered(&mut self, slot: InstId, object: Term) {
        if let Some(var) = self.t.terms.as_var(object)
            && let Some(scoped) = self.scopes.slots.iter_mut().find(|s| s.slot == slot)
        {
            scoped.object = Some(var);
            self.t.mutable.insert(var);
        }
    }

    /// Execution comes to the start of a block of code.
    pub fn block_starts(&mut self, block: usize) {
        if let Some(change) = self.scopes.starts.get_mut(block).map(std::mem::take) {
            self.scope_changes(&change, block);
        }
    }

    /// Execution comes to an instruction.
    pub fn instruction_starts(&mut self, inst: u32, block: usize) {
        if let Some(change) = self.scopes.inside.remove(&inst) {
            self.scope_changes(&change, block);
        }
    }

    fn scope_changes(&mut self, change: &Change, block: usize) {
        let object = |body: &Self, k: usize| match body.values[body.scopes.slots[k].slot.index()] {
            Some(Value::Ptr(Pointer { object, .. })) => Some(object),
            _ => None,
        };
        let again = self.is_repeated(block);
        let sized = |body: &Self, list: &[usize]| -> Vec<(Term, u64)> {
            let sized = list.iter().filter(|&&k| body.scopes.slots[k].sized);
            sized.filter_map(|&k| Some((object(body, k)?, body.scopes.slots[k].bytes))).collect()
        };
        let dead: Vec<(Term, u64)> = sized(self, &change.left).into_iter().map(|(object, _)| (object, 0)).collect();
        self.resize_objects(&dead);
        for &k in change.left.iter().filter(|_| again) {
            let (site, number) = (self.scopes.slots[k].site, self.scopes.slots[k].object);
            let Some(object) = object(self, k) else { continue };
            match number {
                Some(var) => self.next_number(var),
                None => self.forget(site, object),
            }
            let start = self.t.memory.start(site);
            self.mark_object(start, object, false);
        }
        let born = sized(self, &change.entered);
        self.resize_objects(&born);
    }

    fn resize_objects(&mut self, objects: &[(Term, u64)]) {
        let (Some(var), false) = (self.t.lifetimes.size, objects.is_empty()) else { return };
        let mut sizes = self.term(var);
        for &(object, bytes) in objects {
            let bytes = self.t.offset_term(bytes as i64);
            sizes = self.t.terms.store(sizes, object, bytes);
        }
        self.assign(vec![(var, sizes)]);
    }

    /// A variable gets the number of the next object.
    pub fn next_number(&mut self, var: Var) {
        let counter = self.t.counter();
        let next = self.term(counter);
        let object = self.term(var);
        let one = self.t.object_term(1);
        let more = self.t.terms.mk(Op::BvAdd, &[object, one]);
        self.assign(vec![(var, next)]);
        self.assign(vec![(counter, more)]);
    }
}
