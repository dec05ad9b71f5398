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
//! every way leads over a store (`definite_assignment`), and where that is so for all loads of a local variable, it has
//! no such state at all.

use lariat_program::AssertKind;
use lariat_term::{Sort, Term};

use super::{
    Translator,
    access::Updates,
    body::Body,
    definite_assignment::Read,
    value::{Pointer, Value},
};
use crate::{
    memory::{CellId, Content, GroupId, Maker, Representation, SiteId, Target},
    module::{FuncId, InstId, InstKind, Operand, TypeId, TypeKind},
};

/// How many bytes of each parameter, and of the result, come with their state.
#[derive(Clone, Default)]
pub(super) struct Carried {
    pub params: Vec<u64>,
    pub result: u64,
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
            Representation::Scalar(site) | Representation::Object(site) => unset(&site),
            Representation::Map => self.memory.groups[info.group.index()].sites.iter().any(unset),
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
            (Representation::Scalar(_), Content::Units(_)) => vec![element; info.bytes.div_ceil(bytes.max(1)) as usize],
            _ => vec![self.cell_sort(info.place, element)],
        }
    }

    pub(super) fn follows_group(&self, group: GroupId) -> bool {
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
            (Representation::Scalar(_), Content::Units(unit)) => {
                states.get(super::access::unit_index(target, &info, unit))
            }
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
            (Representation::Scalar(_), Content::Units(unit)) => {
                states.get(super::access::unit_index(target, &info, unit))
            }
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
                    Representation::Scalar(_) | Representation::Object(_) => self.t.everywhere(sort, set),
                    Representation::Map => {
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
}
