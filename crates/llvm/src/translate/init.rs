//! Which memory has been set; kept only where the use of values that were never set is checked.
//!
//! Beside the variables of a cell stands one for its *state*: a bit for each byte of an element, 1 if it has been
//! set. It is 0 where a stack slot or an allocated block is made, and where a declaration is reached (again);
//! stores and initialisers make it 1; copies copy it. Memory without a state counts as set.
//!
//! What is checked is a load, unless it just moves memory: a byte that is only stored again, a structure that
//! is passed or returned in registers, or the rest of the word around a bit-field that is written. What is moved
//! brings its state with it, also as additional inputs and outputs of regions. Compilers' own variables and the
//! models of library functions are not checked either.
//!
//! Most variables are obviously set before they are read. So a pass over each function finds the loads to which
//! every way leads over a store (`Settled`), and where that is so for all loads of a local variable, it has no
//! such state at all.

use lariat_program::AssertKind;
use lariat_term::{Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Translator,
    access::Updates,
    body::Body,
    scope::Scopes,
    value::{Pointer, Value},
};
use crate::{
    library::{self, Operation},
    memory::{Cell, CellId, Content, GroupId, Maker, Place, SiteId, Target},
    module::{BinaryOp, Callee, FuncId, Function, Gep, InstId, InstKind, Operand, TypeId, TypeKind},
};

/// What is known about a function.
#[derive(Default)]
pub(super) struct Settled {
    /// How each load reads, by instruction.
    reads: FxHashMap<InstId, Read>,
    /// Loads of what has been set for certain.
    certain: FxHashSet<InstId>,
    /// Calls whose result is not only moved.
    used: FxHashSet<InstId>,
    /// Local cells whose state nobody asks for.
    cells: FxHashSet<CellId>,
    /// The state of what these instructions have read or received and is only moved.
    pub moved: FxHashMap<InstId, Term>,
    /// The state of parameters that come with it.
    pub params: Vec<Option<Term>>,
}

/// How many bytes of each parameter, and of the result, come with their state.
#[derive(Clone, Default)]
pub(super) struct Carried {
    pub params: Vec<u64>,
    pub result: u64,
}

/// What becomes of what a load reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    /// It is only stored again, passed or returned.
    Moved,
    /// It is nothing that the source reads.
    Unchecked,
}

impl Translator<'_> {
    /// Finds out which parameters and results of a function come with their state: structures in registers.
    pub(super) fn find_carried(&self, func: FuncId) -> Carried {
        let f = &self.module.functions[func.index()];
        let mut carried = Carried { params: vec![0; f.params.len()], result: 0 };
        if !self.options.properties.uninit {
            return carried;
        }
        let (mut uses, mut stored) = (vec![0; f.params.len()], vec![0; f.params.len()]);
        for inst in f.insts.iter().filter(|inst| !matches!(inst.kind, InstKind::DebugValue { .. })) {
            inst.kind.operands(&mut |operand| {
                if let Operand::Param(k) = operand {
                    uses[k as usize] += 1;
                }
            });
            match inst.kind {
                InstKind::Store { value: Operand::Param(k), ty, .. } if !f.params[k as usize].defined => {
                    stored[k as usize] += 1;
                    carried.params[k as usize] = self.module.ty(ty).store_size;
                }
                InstKind::Return(Operand::Inst(load))
                    if !f.result_defined && matches!(f.inst(load).kind, InstKind::Load { .. }) =>
                {
                    carried.result = self.module.ty(f.inst(load).ty).store_size;
                }
                _ => {}
            }
        }
        for (k, bytes) in carried.params.iter_mut().enumerate() {
            if uses[k] != stored[k] {
                *bytes = 0;
            }
        }
        carried
    }

    /// Whether the state of a cell has to be followed.
    pub(super) fn follows(&self, cell: CellId) -> bool {
        let info = &self.memory.cells[cell.index()];
        if !self.options.properties.uninit || info.constant {
            return false;
        }
        let unset = |site: &SiteId| {
            matches!(self.memory.sites[site.index()].maker, Maker::Alloca(..) | Maker::Heap(..) | Maker::Copy(..))
        };
        match info.place {
            Place::Scalar(site) | Place::Object(site) => unset(&site),
            Place::Map => self.memory.groups[info.group.index()].sites.iter().any(unset),
        }
    }

    /// The sorts of the variables for the state of a cell.
    pub(super) fn state_sorts(&mut self, cell: CellId) -> Vec<Sort> {
        let info = self.memory.cells[cell.index()].clone();
        let bytes = match info.content {
            Content::Value(ty) => self.module.ty(ty).store_size,
            Content::Units(unit) => u64::from(unit),
        };
        let element = self.terms.bv_sort(bytes.max(1) as u32);
        match (info.place, info.content) {
            (Place::Scalar(_), Content::Units(_)) => vec![element; info.bytes.div_ceil(bytes.max(1)) as usize],
            _ => vec![self.cell_sort(info.place, element)],
        }
    }

    fn follows_group(&self, group: GroupId) -> bool {
        self.memory.groups[group.index()].cells.iter().any(|&cell| self.follows(cell))
    }

    /// The state of so many bytes that are all set.
    pub(super) fn all_set(&mut self, bytes: u64) -> Term {
        self.terms.bv(bytes as u32, dashu_int::UBig::ones(bytes as usize))
    }

    /// A state, or maps to such, all of it set or not.
    pub(super) fn everywhere(&mut self, sort: Sort, value: bool) -> Term {
        match self.terms.sort_kind(sort) {
            lariat_term::SortKind::Array(_, element) => {
                let element = self.everywhere(element, value);
                self.terms.const_array(sort, element)
            }
            lariat_term::SortKind::BitVec(bytes) if value => self.all_set(u64::from(bytes)),
            _ => super::value::zero(self.terms, sort),
        }
    }
}

impl Body<'_, '_> {
    /// The state of an element of a cell.
    pub fn state_at(&mut self, cell: CellId, p: Pointer, target: Target, updates: Option<&Updates>) -> Term {
        let bytes = self.element_size(cell).max(1);
        let yes = self.t.all_set(bytes);
        if self.t.memory.cells[cell.index()].constant {
            return yes;
        }
        let states = self.cell_vars(cell).states;
        let info = self.t.memory.cells[cell.index()].clone();
        let state = match (info.place, info.content) {
            (Place::Scalar(_), Content::Units(unit)) => states.get(super::access::unit_index(target, &info, unit)),
            _ => states.first(),
        };
        let Some(&var) = state else { return yes };
        let content = match updates {
            Some(updates) => updates.get(self, var),
            None => self.term(var),
        };
        self.element(info.place, content, p.object, p.offset)
    }

    /// Records the state of an element of a cell.
    pub fn put_state(&mut self, cell: CellId, p: Pointer, target: Target, state: Term, updates: &mut Updates) {
        let states = self.cell_vars(cell).states;
        let info = self.t.memory.cells[cell.index()].clone();
        let var = match (info.place, info.content) {
            (Place::Scalar(_), Content::Units(unit)) => states.get(super::access::unit_index(target, &info, unit)),
            _ => states.first(),
        };
        let Some(&var) = var else { return };
        let old = updates.get(self, var);
        let new = self.with_element(info.place, old, p.object, p.offset, state);
        updates.set(var, new);
    }

    /// The state of some bytes.
    pub fn state_of(&mut self, p: Pointer, target: Option<Target>, bytes: u64, updates: Option<&Updates>) -> Term {
        let mut all: Option<Term> = None;
        let mut done = 0;
        while done < bytes {
            let here = self.moved_target(target, done);
            let cells = here.map_or(Vec::new(), |here| self.t.memory.cells(here, Some(1)));
            let (state, size) = match (here, &cells[..]) {
                (Some(here), &[cell]) if self.starts_at(cell, here) => {
                    let p = self.moved(p, done);
                    (self.state_at(cell, p, here, updates), self.element_size(cell).max(1))
                }
                _ => (self.t.all_set(1), 1),
            };
            all = Some(match all {
                Some(low) => self.t.terms.mk(lariat_term::Op::Concat, &[state, low]),
                None => state,
            });
            done += size;
        }
        let all = all.unwrap_or_else(|| self.t.all_set(1));
        if done > bytes { self.t.terms.extract(bytes as u32 - 1, 0, all) } else { all }
    }

    /// The memory of a new object has been set or not.
    pub fn mark_object(&mut self, target: Target, object: Term, set: bool) {
        if !self.t.options.properties.uninit {
            return;
        }
        let mut pairs = Vec::new();
        for cell in self.t.memory.groups[target.group.index()].cells.clone() {
            let place = self.t.memory.cells[cell.index()].place;
            for var in self.cell_vars(cell).states {
                let old = self.term(var);
                let sort = self.t.terms.var_sort(var);
                let new = match place {
                    Place::Scalar(_) | Place::Object(_) => self.t.everywhere(sort, set),
                    Place::Map => {
                        let inner = self.t.terms.select(old, object);
                        let inner = self.t.terms.sort(inner);
                        let inner = self.t.everywhere(inner, set);
                        self.t.terms.store(old, object, inner)
                    }
                };
                pairs.push((var, new));
            }
        }
        self.assign(pairs);
    }

    /// All memory has been set at the start.
    pub fn initial_states(&mut self) {
        let mut vars: Vec<_> = self.t.cells.values().flat_map(|cell| cell.states.iter().copied()).collect();
        vars.sort();
        let pairs: Vec<_> = vars
            .into_iter()
            .map(|var| {
                let sort = self.t.terms.var_sort(var);
                (var, self.t.everywhere(sort, true))
            })
            .collect();
        self.assign(pairs);
    }

    /// A function that is not known may set what its arguments point to.
    pub fn arguments_are_set(&mut self, args: &[super::call::Arg]) {
        for arg in args {
            if let (Value::Ptr(p), Some(target)) = (&arg.value, self.target(arg.operand)) {
                self.mark_object(target, p.object, true);
            }
        }
    }

    /// A declaration is reached: its variable has no value (any more).
    pub fn declared(&mut self, inst: &InstKind, block: usize) {
        let InstKind::DebugValue { var, value: Operand::Inst(slot), address: true } = *inst else { return };
        let (Some(func), var) = (self.func, &self.t.module.debug_vars[var.index()]) else { return };
        let Some(site) = self.t.memory.site(Maker::Alloca(func, slot)) else { return };
        // What is not in the source (the lengths of arrays) has its value already.
        if var.parameter || var.loc.line == 0 {
            return;
        }
        if let Some(Value::Ptr(p)) = self.values[slot.index()] {
            if self.is_repeated(block) && self.is_entry_slot(slot) {
                self.forget(site, p.object);
            }
            let target = self.t.memory.start(site);
            self.mark_object(target, p.object, false);
        }
    }

    /// Checks a load, or notes what it moves.
    pub fn check_set(&mut self, inst: InstId, ptr: Operand, p: Pointer, ty: TypeId) {
        if !self.t.options.properties.uninit || self.settled.certain.contains(&inst) {
            return;
        }
        let read = self.settled.reads.get(&inst).copied();
        if read == Some(Read::Unchecked) {
            return;
        }
        let bytes = self.t.module.ty(ty).store_size;
        let state = self.state_of(p, self.target(ptr), bytes, None);
        if read == Some(Read::Moved) {
            if let Value::Term(state) = self.frozen(&Value::Term(state)) {
                self.settled.moved.insert(inst, state);
            }
            return;
        }
        let whole = self.t.all_set(bytes);
        let all = self.t.terms.eq(state, whole);
        self.check(AssertKind::Uninit, None, all);
    }

    /// A call has returned a value with its state: it is checked here if the function computes with it.
    pub fn returned_state(&mut self, call: InstId, state: Term) {
        if self.settled.used.contains(&call) {
            let width = self.t.terms.bv_width(state).unwrap_or(1);
            let whole = self.t.all_set(u64::from(width));
            let all = self.t.terms.eq(state, whole);
            self.check(AssertKind::Uninit, None, all);
        }
        self.settled.moved.insert(call, state);
    }

    /// The state of a value that is moved; `None` if all of it is set.
    pub fn moved_state(&mut self, value: Operand) -> Option<Term> {
        let inst = match value {
            Operand::Inst(inst) => inst,
            Operand::Param(k) => return self.settled.params.get(k as usize).copied().flatten(),
            _ => return None,
        };
        if let Some(&state) = self.settled.moved.get(&inst) {
            return Some(state);
        }
        let inst = self.function()?.inst(inst);
        let InstKind::ExtractValue { value: Operand::Inst(whole), path, .. } = &inst.kind else { return None };
        let &state = self.settled.moved.get(whole)?;
        let mut ty = self.function()?.inst(*whole).ty;
        let mut at = 0;
        for &i in path {
            let (member, offset) = match &self.t.module.ty(ty).kind {
                TypeKind::Struct(members) => *members.get(i as usize)?,
                TypeKind::Array(element, _) => (*element, u64::from(i) * self.t.module.ty(*element).size),
                _ => return None,
            };
            (ty, at) = (member, at + offset);
        }
        self.part_of_state(Some(state), at, self.t.module.ty(ty).store_size)
    }

    /// The state of some bytes of a value.
    pub fn part_of_state(&mut self, state: Option<Term>, at: u64, bytes: u64) -> Option<Term> {
        let (state, end) = (state?, at + bytes);
        let width = u64::from(self.t.terms.bv_width(state)?);
        (bytes > 0 && end <= width).then(|| self.t.terms.extract(end as u32 - 1, at as u32, state))
    }

    /// The state of so many bytes of a value that is passed or returned.
    pub fn carried_state(&mut self, value: Operand, bytes: u64) -> Option<Term> {
        if bytes == 0 {
            return None;
        }
        let state = self.moved_state(value).filter(|&state| self.t.terms.bv_width(state) == Some(bytes as u32));
        Some(state.unwrap_or_else(|| self.t.all_set(bytes)))
    }

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
        let (Place::Scalar(site), Content::Value(_)) = (cell.place, cell.content) else { return false };
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
            let Place::Scalar(site) = self.t.memory.cells[cell.index()].place else { return false };
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
                        let Place::Scalar(site) = memory.cells[cell.index()].place else { continue };
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
