//! Lifetimes: which stack slots need a new object each time that they come to life, because a pointer may outlive
//! what it points to.
//!
//! A variable is a new object in each activation of its function and in each round of a loop around its block. A
//! constant can name all of them as long as no pointer to one of them is left when the next one comes. That is so if
//! whatever holds such a pointer goes away before, or with it: variables of the same block or of inner ones, and
//! variables of functions that are called meanwhile.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{GroupId, Maker, Memory, SiteId, objects::Calls};
use crate::module::{FuncId, Function, InstId, InstKind, Module, Operand, ScopeId};

/// A stack slot in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotScope {
    /// The block that it lives in.
    pub scope: ScopeId,
    /// It is a variable, declared by this instruction; otherwise a compound literal or a temporary object.
    pub declared: Option<InstId>,
    /// An instruction that uses it.
    pub used: InstId,
}

/// The blocks of the source that the stack slots of a function live in: the one that declares a variable, and for
/// other objects the innermost one around all their uses.
pub(crate) fn slot_scopes(module: &Module, f: &Function) -> FxHashMap<InstId, SlotScope> {
    let mut slots: FxHashMap<InstId, SlotScope> = FxHashMap::default();
    for (i, inst) in f.insts.iter().enumerate() {
        let id = InstId(i as u32);
        if let InstKind::DebugValue { var, value: Operand::Inst(slot), address: true } = inst.kind {
            let scope = module.debug_vars[var.index()].loc.scope;
            slots.insert(slot, SlotScope { scope, declared: Some(id), used: id });
        }
    }
    for (i, inst) in f.insts.iter().enumerate() {
        if matches!(inst.kind, InstKind::DebugValue { .. }) {
            continue;
        }
        // Whatever has no place in the source may be anywhere in the function.
        let here = if inst.loc.line == 0 { ScopeId::NONE } else { inst.loc.scope };
        let used = InstId(i as u32);
        inst.kind.operands(&mut |operand| {
            let Operand::Inst(slot) = operand else { return };
            if !matches!(f.inst(slot).kind, InstKind::Alloca { .. }) {
                return;
            }
            let known = slots.entry(slot).or_insert(SlotScope { scope: here, declared: None, used });
            if known.declared.is_none() {
                known.scope = module.common_scope(known.scope, here);
            }
        });
    }
    slots
}

impl Memory {
    /// Makes the stack slots whose objects have to be told apart objects with numbers of their own. `contents` are the
    /// groups that pointers in a group's memory may lead to, `returned` those that the result of a function may.
    pub(super) fn separate_lifetimes(
        &mut self,
        module: &Module,
        calls: &Calls,
        contents: &[Vec<GroupId>],
        returned: &FxHashSet<(FuncId, GroupId)>,
    ) {
        let mut holders: Vec<Vec<GroupId>> = vec![Vec::new(); self.groups.len()];
        for (holder, held) in contents.iter().enumerate() {
            held.iter().for_each(|group| holders[group.index()].push(GroupId(holder as u32)));
        }
        let mut scopes: FxHashMap<FuncId, FxHashMap<InstId, SlotScope>> = FxHashMap::default();
        let mut callers: FxHashMap<FuncId, Vec<bool>> = FxHashMap::default();
        for s in 0..self.sites.len() {
            let site = &self.sites[s];
            let (Maker::Alloca(f, _) | Maker::Copy(f, _)) = site.maker else { continue };
            if !site.single || site.local {
                continue;
            }
            let function = &module.functions[f.index()];
            let scopes = scopes.entry(f).or_insert_with(|| slot_scopes(module, function));
            let own = match site.maker {
                Maker::Alloca(_, slot) => scopes.get(&slot).copied(),
                _ => None,
            };
            let scope = own.map_or(ScopeId::NONE, |slot| slot.scope);
            let again = scope != ScopeId::NONE && own.is_some_and(|slot| calls.repeats(module, f, slot.used));
            if calls.once[f.index()] && !again {
                continue;
            }
            let callers = callers.entry(f).or_insert_with(|| calls.callers_of(f));
            let shorter = |holder: &SiteId| match self.sites[holder.index()].maker {
                Maker::Alloca(g, slot) if g == f => {
                    let other = scopes.get(&slot).map_or(ScopeId::NONE, |slot| slot.scope);
                    !again || module.is_within(other, scope)
                }
                Maker::Copy(g, _) | Maker::VarArgs(g) if g == f => !again,
                Maker::Alloca(g, _) | Maker::Copy(g, _) | Maker::VarArgs(g) => {
                    self.sites[holder.index()].local || !callers[g.index()]
                }
                Maker::Function(_) => true,
                Maker::Global(_) | Maker::Heap(..) | Maker::Outside => false,
            };
            let held = &holders[site.group.index()];
            let outlived = returned.contains(&(f, site.group))
                || held.iter().any(|group| !self.groups[group.index()].sites.iter().all(shorter));
            if outlived {
                self.sites[s].single = false;
            }
        }
    }
}
