//! Definite assignment: the loads to which every way leads over a store, by a forward data-flow analysis of each
//! function. Local variables all of whose loads are such have no state of initialisation (see `init`).

use lariat_term::Term;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Translator, body::Body, scope::Scopes};
use crate::{
    library::{self, Operation},
    memory::{Cell, CellId, Content, Maker, Representation},
    module::{BinaryOp, Callee, FuncId, Function, Gep, InstId, InstKind, Operand, TypeId, TypeKind},
};

/// What is known about a function.
#[derive(Default)]
pub(super) struct Settled {
    /// How each load reads, by instruction.
    pub reads: FxHashMap<InstId, Read>,
    /// Loads of what has been set for certain.
    pub certain: FxHashSet<InstId>,
    /// Calls whose result is not only moved.
    pub used: FxHashSet<InstId>,
    /// Local cells whose state nobody asks for.
    pub cells: FxHashSet<CellId>,
    /// The state of what these instructions have read or received and is only moved.
    pub moved: FxHashMap<InstId, Term>,
    /// The state of parameters that come with it.
    pub params: Vec<Option<Term>>,
}

/// What becomes of what a load reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    /// It is only stored again, passed or returned.
    Moved,
    /// It is nothing that the source reads.
    Unchecked,
}

impl Body<'_, '_> {
    /// Whether the state of a cell of this function is of no use.
    pub fn is_settled(&self, cell: CellId) -> bool {
        self.settled.cells.contains(&cell)
    }

    /// Finds out which loads need a check.
    pub fn find_settled(&mut self, f: &Function, order: &[usize], next: &[Vec<usize>]) {
        let Some(func) = self.func else { return };
        if !self.t.options.properties.uninit {
            return;
        }
        let pass = Pass { t: self.t, scopes: &self.scopes, func, f, users: users(f) };
        let (reads, used) = (pass.reads(), pass.used());
        let (certain, cells) = pass.settled(&reads, order, next);
        let params = std::mem::take(&mut self.settled.params);
        self.settled = Settled { reads, certain, used, cells, moved: FxHashMap::default(), params };
    }
}

/// The instructions that use the result of each instruction.
fn users(f: &Function) -> Vec<Vec<InstId>> {
    let mut users = vec![Vec::new(); f.insts.len()];
    for (i, inst) in f.insts.iter().enumerate() {
        if !matches!(inst.kind, InstKind::DebugValue { .. }) {
            inst.kind.operands(&mut |operand| {
                if let Operand::Inst(used) = operand {
                    users[used.index()].push(InstId(i as u32));
                }
            });
        }
    }
    users
}

/// A pass over one function.
struct Pass<'p, 'a> {
    t: &'p Translator<'a>,
    scopes: &'p Scopes,
    func: FuncId,
    f: &'p Function,
    users: Vec<Vec<InstId>>,
}

impl Pass<'_, '_> {
    fn cell(&self, ptr: Operand, bytes: u64) -> Option<(CellId, &Cell)> {
        let target = self.t.memory.target(self.func, ptr)?;
        match self.t.memory.cells(target, Some(bytes))[..] {
            [cell] => Some((cell, &self.t.memory.cells[cell.index()])),
            _ => None,
        }
    }

    /// The cell of a variable of this function that an access is to as a whole.
    fn own_cell(&self, ptr: Operand, ty: TypeId) -> Option<CellId> {
        let bytes = self.t.module.ty(ty).store_size;
        let (id, cell) = self.cell(ptr, bytes)?;
        self.is_own(cell).then_some(id)
    }

    fn is_own(&self, cell: &Cell) -> bool {
        let (Representation::Scalar(site), Content::Value(_)) = (cell.place, cell.content) else { return false };
        matches!(self.t.memory.sites[site.index()].maker, Maker::Alloca(func, _) if func == self.func)
    }

    /// The loads that are not checked.
    fn reads(&self) -> FxHashMap<InstId, Read> {
        let module = self.t.module;
        let in_models = module.files.get(self.f.loc.file as usize).is_some_and(|name| name.starts_with("<models>"));
        let mut named = FxHashSet::default();
        for inst in &self.f.insts {
            if let InstKind::DebugValue { value: Operand::Inst(slot), address: true, .. } = inst.kind {
                named.insert(slot);
            }
        }
        let mut reads = FxHashMap::default();
        for (i, inst) in self.f.insts.iter().enumerate() {
            let InstKind::Load { ptr, .. } = inst.kind else { continue };
            let id = InstId(i as u32);
            let users = &self.users[i];
            let kind = &module.ty(inst.ty).kind;
            let byte = *kind == TypeKind::Int(8);
            let scalar = matches!(kind, TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Ptr);
            let own =
                matches!(ptr, Operand::Inst(slot) if self.is_slot(slot) && !named.contains(&slot) && !named.is_empty());
            if self.is_moved(id, byte || self.is_coerced(ptr, inst.ty)) {
                reads.insert(id, Read::Moved);
            } else if in_models || own || !scalar || users.is_empty() || self.is_field_write(id, ptr) {
                reads.insert(id, Read::Unchecked);
            }
        }
        reads
    }

    /// The calls with whose results the function computes something, or decides where to go on.
    fn used(&self) -> FxHashSet<InstId> {
        let computes = |u: &InstId| {
            matches!(
                self.f.inst(*u).kind,
                InstKind::Binary { .. }
                    | InstKind::FloatBinary { .. }
                    | InstKind::FloatNeg(_)
                    | InstKind::IntCompare { .. }
                    | InstKind::FloatCompare { .. }
                    | InstKind::Cast { .. }
                    | InstKind::Gep(_)
                    | InstKind::Load { .. }
                    | InstKind::Branch { .. }
                    | InstKind::Switch { .. }
            )
        };
        let calls = self.f.insts.iter().zip(0..).filter(|(inst, _)| matches!(inst.kind, InstKind::Call { .. }));
        calls.filter(|(_, i)| self.users[*i as usize].iter().any(computes)).map(|(_, i)| InstId(i)).collect()
    }

    fn is_slot(&self, inst: InstId) -> bool {
        matches!(self.f.inst(inst).kind, InstKind::Alloca { .. })
    }

    /// Whether a load reads more than one element, or all of a structure.
    fn is_coerced(&self, ptr: Operand, ty: TypeId) -> bool {
        let bytes = self.t.module.ty(ty).store_size;
        let several = self.cell(ptr, bytes).is_none_or(|(_, cell)| match cell.content {
            Content::Value(_) => false,
            Content::Units(unit) => u64::from(unit) < bytes,
        });
        let mut root = ptr;
        for _ in 0..8 {
            if let Operand::Inst(i) = root
                && let InstKind::Gep(Gep { base, offset: 0, terms, .. }) = &self.f.inst(i).kind
                && terms.is_empty()
            {
                root = *base;
            }
        }
        let whole = matches!(root, Operand::Inst(i) if matches!(self.f.inst(i).kind, InstKind::Alloca { ty, .. }
            if matches!(self.t.module.ty(ty).kind, TypeKind::Struct(_)) && self.t.module.ty(ty).size == bytes));
        several || whole
    }

    /// Whether what a load reads is only passed or returned as (a part of) a structure, or stored if that is
    /// a move.
    fn is_moved(&self, load: InstId, stores: bool) -> bool {
        let value = Operand::Inst(load);
        let moves = |u: &InstId| match &self.f.inst(*u).kind {
            InstKind::Store { ptr, .. } => stores && *ptr != value,
            InstKind::Call { callee: Callee::Function(g), args, .. } => {
                let params = &self.t.module.functions[g.index()].params;
                let undefined = |k: usize| params.get(k).is_some_and(|param| !param.defined);
                self.t.module.functions[g.index()].is_defined()
                    && args.iter().enumerate().all(|(k, &arg)| arg != value || undefined(k))
            }
            InstKind::Return(_) => !self.f.result_defined,
            _ => false,
        };
        let users = &self.users[load.index()];
        !users.is_empty() && users.iter().all(moves)
    }

    /// Whether a load reads the word around a bit-field that is about to be written.
    fn is_field_write(&self, load: InstId, ptr: Operand) -> bool {
        let back = |u: &InstId| matches!(self.f.inst(*u).kind, InstKind::Store { ptr: to, .. } if to == ptr);
        let [mask] = self.users[load.index()][..] else { return false };
        let InstKind::Binary { op: BinaryOp::And, lhs: Operand::Inst(_), rhs: Operand::Const(_), .. } =
            self.f.inst(mask).kind
        else {
            return false;
        };
        match self.users[mask.index()][..] {
            [next] if matches!(self.f.inst(next).kind, InstKind::Binary { op: BinaryOp::Or, .. }) => {
                matches!(self.users[next.index()][..], [store] if back(&store))
            }
            [store] => back(&store),
            _ => false,
        }
    }

    /// The loads to which every way leads over a store, and the cells of which that holds for all loads.
    fn settled(
        &self,
        reads: &FxHashMap<InstId, Read>,
        order: &[usize],
        next: &[Vec<usize>],
    ) -> (FxHashSet<InstId>, FxHashSet<CellId>) {
        let mut numbers: FxHashMap<CellId, usize> = FxHashMap::default();
        let mut asked: FxHashSet<CellId> = FxHashSet::default();
        for inst in &self.f.insts {
            let (ptr, ty) = match inst.kind {
                InstKind::Load { ptr, .. } => (ptr, inst.ty),
                InstKind::Store { ptr, ty, .. } => (ptr, ty),
                _ => continue,
            };
            if let Some(cell) = self.own_cell(ptr, ty) {
                let count = numbers.len();
                numbers.entry(cell).or_insert(count);
            }
        }
        // Blocks of bits, one bit for each cell: those that are set on every way to a block.
        let words = numbers.len().div_ceil(64);
        let mut sets: Vec<Option<Vec<u64>>> = vec![None; self.f.blocks.len()];
        sets[0] = Some(vec![0; words]);
        let mut changed = true;
        while changed {
            changed = false;
            for &b in order {
                let Some(mut set) = sets[b].clone() else { continue };
                self.leave(Some(b), None, &numbers, &mut set);
                for i in self.f.blocks[b].insts.clone() {
                    self.leave(None, Some(i), &numbers, &mut set);
                    self.effect(InstId(i), reads, &numbers, &mut set);
                }
                for &to in &next[b] {
                    match &mut sets[to] {
                        Some(old) => {
                            for (old, new) in old.iter_mut().zip(&set) {
                                changed |= *old & !*new != 0;
                                *old &= *new;
                            }
                        }
                        entry => {
                            *entry = Some(set.clone());
                            changed = true;
                        }
                    }
                }
            }
        }
        let mut certain = FxHashSet::default();
        for &b in order {
            let Some(mut set) = sets[b].clone() else { continue };
            self.leave(Some(b), None, &numbers, &mut set);
            for i in self.f.blocks[b].insts.clone() {
                self.leave(None, Some(i), &numbers, &mut set);
                let (id, inst) = (InstId(i), &self.f.insts[i as usize]);
                match &inst.kind {
                    InstKind::Load { ptr, .. } => {
                        let cell = self.own_cell(*ptr, inst.ty);
                        if let Some(cell) = cell
                            && has(&set, numbers[&cell])
                        {
                            certain.insert(id);
                        } else if reads.get(&id) != Some(&Read::Unchecked) {
                            asked.extend(cell);
                        }
                    }
                    InstKind::Call { callee, args, byval, .. } => {
                        // Sources of copies.
                        for (k, &arg) in args.iter().enumerate() {
                            let copies = byval.get(k).is_some_and(Option::is_some)
                                || k == 1 && matches!(self.operation(callee), Some(Operation::Copy { .. }));
                            if copies && let Some(target) = self.t.memory.target(self.func, arg) {
                                asked.extend(&self.t.memory.groups[target.group.index()].cells);
                            }
                        }
                    }
                    _ => {}
                }
                self.effect(id, reads, &numbers, &mut set);
            }
        }
        let local = |cell: &CellId| {
            let Representation::Scalar(site) = self.t.memory.cells[cell.index()].place else { return false };
            self.t.memory.sites[site.index()].local
        };
        let quiet = numbers.into_keys().filter(|cell| local(cell) && !asked.contains(cell)).collect();
        (certain, quiet)
    }

    fn operation(&self, callee: &Callee) -> Option<Operation> {
        match callee {
            Callee::Function(f) => library::operation(self.t.module, &self.t.module.functions[f.index()]),
            _ => None,
        }
    }

    /// Variables whose block is left are not set any more.
    fn leave(&self, block: Option<usize>, inst: Option<u32>, numbers: &FxHashMap<CellId, usize>, set: &mut [u64]) {
        for site in self.scopes.left(block, inst) {
            for cell in &self.t.memory.groups[self.t.memory.sites[site.index()].group.index()].cells {
                if let Some(&number) = numbers.get(cell) {
                    put(set, number, false);
                }
            }
        }
    }

    /// What an instruction does to the set of cells that are set for certain.
    fn effect(&self, id: InstId, reads: &FxHashMap<InstId, Read>, numbers: &FxHashMap<CellId, usize>, set: &mut [u64]) {
        let memory = self.t.memory;
        match &self.f.inst(id).kind {
            InstKind::Store { ptr, value, ty, .. } => {
                let Some(cell) = self.own_cell(*ptr, *ty) else { return };
                // What may come with its state may be unset.
                let moved = match value {
                    Operand::Inst(v) => match &self.f.inst(*v).kind {
                        InstKind::Call { callee: Callee::Function(g), .. } => self.t.carried[g.index()].result != 0,
                        InstKind::ExtractValue { .. } => true,
                        _ => reads.get(v) == Some(&Read::Moved),
                    },
                    Operand::Param(k) => self.t.carried[self.func.index()].params.get(*k as usize) != Some(&0),
                    _ => false,
                };
                put(set, numbers[&cell], !moved);
            }
            InstKind::DebugValue { value: Operand::Inst(slot), address: true, var } => {
                if self.t.module.debug_vars[var.index()].parameter {
                    return;
                }
                let Some(site) = memory.site(Maker::Alloca(self.func, *slot)) else { return };
                for cell in &memory.groups[memory.sites[site.index()].group.index()].cells {
                    if let Some(&number) = numbers.get(cell) {
                        put(set, number, false);
                    }
                }
            }
            InstKind::Call { callee, args, .. } => match self.operation(callee) {
                Some(copy @ (Operation::Copy { .. } | Operation::Fill)) => {
                    let Some(target) = args.first().and_then(|&to| memory.target(self.func, to)) else { return };
                    let from = args.get(1).and_then(|&from| memory.target(self.func, from));
                    let unset = copy != Operation::Fill && from.is_none_or(|from| self.t.follows_group(from.group));
                    if unset {
                        for cell in &memory.groups[target.group.index()].cells {
                            if let Some(&number) = numbers.get(cell) {
                                put(set, number, false);
                            }
                        }
                    }
                }
                // What is called may copy something unset to what it has the address of.
                _ => {
                    for (cell, &number) in numbers {
                        let Representation::Scalar(site) = memory.cells[cell.index()].place else { continue };
                        if !memory.sites[site.index()].local && !self.is_harmless(callee) {
                            put(set, number, false);
                        }
                    }
                }
            },
            _ => {}
        }
    }

    fn is_harmless(&self, callee: &Callee) -> bool {
        matches!(callee, Callee::Function(f) if !self.t.module.functions[f.index()].is_defined())
    }
}

fn has(set: &[u64], number: usize) -> bool {
    set[number / 64] >> (number % 64) & 1 == 1
}

fn put(set: &mut [u64], number: usize, value: bool) {
    let bit = 1 << (number % 64);
    if value {
        set[number / 64] |= bit;
    } else {
        set[number / 64] &= !bit;
    }
}
