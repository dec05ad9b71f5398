//! What local variables and values hold where a jump arrives.
//!
//! In C a variable of the function that has called `setjmp` is indeterminate if it is not volatile and has changed since: it
//! may be in a register, which the jump sets back, or not. That is so here for variables whose addresses nobody takes:
//! each has a flag beside it that says whether it was set. Others are in memory, and keep what they hold; so do all with
//! `__builtin_setjmp`, where no register survives.
//!
//! Values that the compiler has computed before `setjmp` and uses behind it have to survive: they get slots.

use rustc_hash::FxHashMap;

use super::{
    code::{Code, constant, number, type_of},
    rewrite::Site,
};
use crate::module::{BlockId, Const, InstId, InstKind, IntPredicate, Loc, Module, Operand, TypeId, TypeKind};

/// A variable that is indeterminate where a jump arrives, if it was set since.
pub(super) struct Flagged {
    /// Where it is, and of which type.
    pub slot: Operand,
    pub ty: TypeId,
    /// Not zero if it was set.
    pub flag: Operand,
}

/// The variables that may change behind each place, with their flags.
pub(super) fn indeterminate(module: &mut Module, code: &mut Code, sites: &[Site]) -> Vec<Vec<Flagged>> {
    let slots = candidates(module, code);
    let (byte, void) = (type_of(module, TypeKind::Int(8)), type_of(module, TypeKind::Void));
    let (off, on) = (number(module, 8, 0), number(module, 8, 1));
    let mut all = Vec::new();
    for site in sites {
        let slots = if site.saves_registers { &[][..] } else { &slots[..] };
        let mut flagged = Vec::new();
        for &(slot, ty) in slots {
            let flag = new_slot(module, code, byte);
            let reset = code.inst(store(flag, off, byte, 1), void, site.loc);
            code.insert_before(site.set, vec![reset]);
            for id in stores(code, slot) {
                let raise = code.inst(store(flag, on, byte, 1), void, code.loc(id));
                code.insert_after(id, vec![raise]);
            }
            flagged.push(Flagged { slot: Operand::Inst(slot), ty, flag });
        }
        all.push(flagged);
    }
    all
}

/// Where a jump arrives: makes a variable indeterminate if its flag says so. Returns the block that goes on.
pub(super) fn forget(module: &mut Module, code: &mut Code, block: BlockId, variable: &Flagged, loc: Loc) -> BlockId {
    let (byte, truth) = (type_of(module, TypeKind::Int(8)), type_of(module, TypeKind::Int(1)));
    let void = type_of(module, TypeKind::Void);
    let raised = code.push(block, load(variable.flag, 1), byte, loc);
    let rhs = number(module, 8, 0);
    let cond = code.push(block, InstKind::IntCompare { op: IntPredicate::Ne, lhs: raised, rhs }, truth, loc);
    let (yes, no) = (code.block("indeterminate"), code.block("arrived"));
    code.push(block, InstKind::Branch { cond, yes, no }, void, loc);
    let any = constant(module, Const::Undef(variable.ty));
    let align = module.ty(variable.ty).align;
    code.push(yes, store(variable.slot, any, variable.ty, align), void, loc);
    code.push(yes, InstKind::Jump(no), void, loc);
    no
}

/// The variables of the source that may be in a register: not volatile, and nothing but loads and stores use them.
fn candidates(module: &Module, code: &Code) -> Vec<(InstId, TypeId)> {
    let mut slots: FxHashMap<InstId, (TypeId, bool, bool)> = FxHashMap::default();
    for &id in &code.blocks[0].insts {
        if let InstKind::Alloca { ty, .. } = *code.kind(id)
            && code.loc(id).line == 0
            && matches!(module.ty(ty).kind, TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Ptr)
        {
            slots.insert(id, (ty, false, true));
        }
    }
    for &id in code.blocks.iter().flat_map(|piece| &piece.insts) {
        let kind = code.kind(id);
        kind.operands(&mut |operand| {
            let Operand::Inst(slot) = operand else { return };
            let Some((ty, declared, plain)) = slots.get_mut(&slot) else { return };
            match kind {
                InstKind::DebugValue { address: true, .. } => *declared = true,
                InstKind::Load { volatile: false, .. } => *plain &= code.insts[id.index()].ty == *ty,
                InstKind::Store { value, ty: stored, volatile: false, .. } => {
                    *plain &= *value != operand && stored == ty;
                }
                _ => *plain = false,
            }
        });
    }
    let mut found: Vec<(InstId, TypeId)> = slots
        .into_iter()
        .filter(|(_, (_, declared, plain))| *declared && *plain)
        .map(|(id, (ty, ..))| (id, ty))
        .collect();
    found.sort_unstable_by_key(|(id, _)| *id);
    // What is set but once at its start, such as a parameter, never changes; flags would cost something all the same.
    found.retain(|&(slot, _)| stores(code, slot).iter().any(|id| !code.blocks[0].insts.contains(id)));
    found
}

fn stores(code: &Code, slot: InstId) -> Vec<InstId> {
    let all = code.blocks.iter().flat_map(|piece| &piece.insts).copied();
    all.filter(|&id| matches!(*code.kind(id), InstKind::Store { ptr, .. } if ptr == Operand::Inst(slot))).collect()
}

/// Values that are used where a jump may lead without passing their definition move to slots.
pub(super) fn spill(module: &mut Module, code: &mut Code) {
    let mut home: Vec<Option<BlockId>> = vec![None; code.insts.len()];
    for (b, piece) in code.blocks.iter().enumerate() {
        piece.insts.iter().for_each(|id| home[id.index()] = Some(BlockId(b as u32)));
    }
    let mut around: FxHashMap<BlockId, Vec<bool>> = FxHashMap::default();
    let mut spilled: Vec<InstId> = Vec::new();
    for (user, block) in uses(code, &home) {
        let Some(defined) = home[user.index()].filter(|&defined| defined != block && defined != BlockId(0)) else {
            continue;
        };
        let reached = around.entry(defined).or_insert_with(|| code.reachable(&[BlockId(0)], Some(defined)));
        if reached[block.index()] && !spilled.contains(&user) {
            spilled.push(user);
        }
    }
    for id in spilled {
        to_slot(module, code, id);
    }
}

/// The values that instructions use, each with the block in which it must be there.
fn uses(code: &Code, home: &[Option<BlockId>]) -> Vec<(InstId, BlockId)> {
    let mut uses = Vec::new();
    for (i, inst) in code.insts.iter().enumerate() {
        let Some(block) = home[i] else { continue };
        match &inst.kind {
            InstKind::DebugValue { .. } => {}
            InstKind::Phi(incoming) => {
                for (from, operand) in incoming {
                    if let Operand::Inst(id) = operand {
                        uses.push((*id, *from));
                    }
                }
            }
            kind => kind.operands(&mut |operand| {
                if let Operand::Inst(id) = operand {
                    uses.push((id, block));
                }
            }),
        }
    }
    uses
}

/// A value is stored where it is computed, and loaded where it is used.
fn to_slot(module: &mut Module, code: &mut Code, id: InstId) {
    let (ty, void) = (code.insts[id.index()].ty, type_of(module, TypeKind::Void));
    let align = module.ty(ty).align;
    let slot = new_slot(module, code, ty);
    for user in 0..code.insts.len() as u32 {
        let user = InstId(user);
        if let InstKind::Phi(incoming) = code.kind(user).clone() {
            for (k, (from, _)) in incoming.iter().enumerate().filter(|(_, (_, operand))| *operand == Operand::Inst(id))
            {
                let value = code.inst(load(slot, align), ty, Loc::default());
                if let Some(&last) = code.blocks[from.index()].insts.last() {
                    code.insert_before(last, vec![value]);
                }
                if let InstKind::Phi(incoming) = &mut code.insts[user.index()].kind {
                    incoming[k].1 = Operand::Inst(value);
                }
            }
            continue;
        }
        let mut used = false;
        code.kind(user).operands(&mut |operand| used |= operand == Operand::Inst(id));
        if used && !matches!(code.kind(user), InstKind::DebugValue { .. }) {
            let value = code.inst(load(slot, align), ty, code.loc(user));
            code.insert_before(user, vec![value]);
            code.insts[user.index()].kind.operands_mut(&mut |operand| {
                if *operand == Operand::Inst(id) {
                    *operand = Operand::Inst(value);
                }
            });
        }
    }
    let keep = code.inst(store(slot, Operand::Inst(id), ty, align), void, code.loc(id));
    let phis = |code: &Code, at: InstId| {
        let piece = code.blocks.iter().find(|piece| piece.insts.contains(&at))?;
        piece.insts.iter().copied().take_while(|&id| matches!(code.kind(id), InstKind::Phi(_))).last()
    };
    let at = if matches!(code.kind(id), InstKind::Phi(_)) { phis(code, id).unwrap_or(id) } else { id };
    code.insert_after(at, vec![keep]);
}

fn new_slot(module: &mut Module, code: &mut Code, ty: TypeId) -> Operand {
    let (count, align, pointer) = (number(module, 32, 1), module.ty(ty).align, type_of(module, TypeKind::Ptr));
    let slot = code.inst(InstKind::Alloca { ty, count, align }, pointer, Loc::default());
    code.blocks[0].insts.insert(0, slot);
    Operand::Inst(slot)
}

fn load(ptr: Operand, align: u32) -> InstKind {
    InstKind::Load { ptr, volatile: false, atomic: false, align }
}

fn store(ptr: Operand, value: Operand, ty: TypeId, align: u32) -> InstKind {
    InstKind::Store { ptr, value, ty, volatile: false, atomic: false, align }
}
