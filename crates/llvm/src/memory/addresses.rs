//! Taint analysis: which values may carry the address of an object, and how such objects are aligned.
//!
//! Addresses start where objects are made and where pointers come from outside, and flow along the
//! edges of the points-to analysis. A product, a shifted value and the difference of two pointers are
//! plain numbers again.

use rustc_hash::FxHashSet;

use super::constraints::{Access, Constraints};
use super::unify::{OUTSIDE, Ptr, USED};
use super::{Maker, Memory, leaves};
use crate::module::{CastOp, InstKind, Module, Operand, TypeKind};

/// What blocks of the C library are aligned to.
const BLOCK: u32 = 16;

/// Fills in [`Memory::address`], [`Memory::derived`], [`Memory::part`] and [`Memory::wild`].
pub(super) fn find(module: &Module, constraints: &mut Constraints, memory: &mut Memory) {
    let mut seeds: Vec<(Ptr, u32)> = constraints.origins.iter().map(|o| (o.at, alignment(module, o.maker))).collect();
    for (function, values) in module.functions.iter().zip(&constraints.values) {
        let params = function.params.iter().map(|p| p.ty);
        let types = params.chain(function.insts.iter().map(|i| i.ty));
        for (value, ty) in values.iter().zip(types) {
            if let Some(p) = *value
                && module.ty(ty).kind == TypeKind::Ptr
                && constraints.nodes.flags(p) & OUTSIDE != 0
            {
                memory.outside = true;
                seeds.push((p, 1));
            }
        }
    }
    let (aligned, derived) = constraints.nodes.carried(&seeds);
    let pointers = only_pointers(module, constraints);
    let numbers = numbers_written(module, constraints);
    let parts = constraints.nodes.parts(&aligned, &pointers, &numbers);
    let wild = wild(module, constraints, &aligned);
    let nodes = &mut constraints.nodes;
    if !wild.is_empty() {
        let mut is_wild = |p: &Option<Ptr>| p.is_some_and(|p| wild[nodes.value(p) as usize]);
        memory.wild = constraints.values.iter().map(|values| values.iter().map(&mut is_wild).collect()).collect();
    }
    if !parts.is_empty() {
        let mut is_part = |p: &Option<Ptr>| p.is_some_and(|p| parts[nodes.value(p) as usize]);
        memory.parts = constraints.values.iter().map(|values| values.iter().map(&mut is_part).collect()).collect();
    }
    let mut is_derived = |p: &Option<Ptr>| p.is_some_and(|p| derived[nodes.value(p) as usize]);
    memory.derived = constraints.values.iter().map(|values| values.iter().map(&mut is_derived).collect()).collect();
    let mut align = |p: &Option<Ptr>| p.map_or(0, |p| aligned[nodes.value(p) as usize]);
    memory.addresses = constraints.values.iter().map(|values| values.iter().map(&mut align).collect()).collect();
    memory.constant_addresses = constraints.consts.iter().map(|(&c, p)| (c, align(p))).collect();
}

/// The nodes of objects that hold nothing but pointers, by their types: bytes that are read there are parts of addresses.
fn only_pointers(module: &Module, constraints: &mut Constraints) -> FxHashSet<u32> {
    let (mut pointers, mut others) = (FxHashSet::default(), FxHashSet::default());
    for i in 0..constraints.origins.len() {
        let ty = match constraints.origins[i].maker {
            Maker::Global(g) => Some(module.globals[g.index()].ty),
            Maker::Alloca(f, i) => match module.functions[f.index()].inst(i).kind {
                InstKind::Alloca { ty, .. } => Some(ty),
                _ => None,
            },
            _ => None,
        };
        let leaves = ty.and_then(|ty| leaves(module, ty)).filter(|leaves| !leaves.is_empty());
        let all = leaves.is_some_and(|leaves| leaves.iter().all(|&(_, ty)| module.ty(ty).kind == TypeKind::Ptr));
        let root = constraints.nodes.normal(constraints.origins[i].at).node;
        if all {
            pointers.insert(root)
        } else {
            others.insert(root)
        };
    }
    pointers.difference(&others).copied().collect()
}

/// Where numbers are written: node, offset and size.
fn numbers_written(module: &Module, constraints: &mut Constraints) -> FxHashSet<(u32, i64, u64)> {
    let mut found = FxHashSet::default();
    for i in 0..constraints.accesses.len() {
        let Access { at, ty, write } = constraints.accesses[i];
        if write && matches!(module.ty(ty).kind, TypeKind::Int(_)) {
            let place = constraints.nodes.normal(at);
            found.insert((place.node, place.offset, module.ty(ty).store_size));
        }
    }
    found
}

/// By value: whether it may be an integer that no address flows to and that becomes a pointer for accesses. Empty if there are none.
fn wild(module: &Module, constraints: &mut Constraints, aligned: &[u32]) -> Vec<bool> {
    let mut seeds = Vec::new();
    for (function, values) in module.functions.iter().zip(&constraints.values) {
        for inst in &function.insts {
            let InstKind::Cast { op: CastOp::IntToPtr, value } = inst.kind else { continue };
            let index = match value {
                Operand::Param(k) => k as usize,
                Operand::Inst(i) => function.params.len() + i.index(),
                _ => continue,
            };
            if let Some(p) = values.get(index).copied().flatten()
                && constraints.nodes.flags(p) & USED != 0
            {
                let value = constraints.nodes.value(p);
                seeds.extend((aligned[value as usize] == 0).then_some(value));
            }
        }
    }
    if seeds.is_empty() { Vec::new() } else { constraints.nodes.around(&seeds) }
}

/// A power of two that divides the addresses of all objects of a maker.
fn alignment(module: &Module, maker: Maker) -> u32 {
    let align = match maker {
        Maker::Global(g) => module.globals[g.index()].align,
        Maker::Alloca(f, i) => match module.functions[f.index()].inst(i).kind {
            InstKind::Alloca { align, .. } => align,
            _ => 1,
        },
        Maker::Copy(f, k) => {
            let copied = module.functions[f.index()].params.get(k as usize).and_then(|p| p.byval);
            copied.map_or(1, |ty| module.ty(ty).align)
        }
        Maker::Heap(..) => BLOCK,
        Maker::VarArgs(_) => module.pointer_bits / 8,
        Maker::Function(_) | Maker::Outside => 1,
    };
    // What is aligned to more than a page is not known better than that.
    if align.is_power_of_two() { align.min(4096) } else { 1 }
}
