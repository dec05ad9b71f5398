//! Object lifetimes: sizes, allocation and release; kept only where a property asks for it.
//!
//! An object that does not live (any more) has size 0, so one comparison shows whether an access is
//! inside a living object. For leaks, any one of the allocated objects is *watched* (see `leaks`).

use lariat_program::{AssertKind, Loc, StmtKind};
use lariat_term::{Op, Sort, Term, Var};

use super::{
    Translator,
    body::Body,
    frames::Frames,
    value::{Pointer, Value},
};
use crate::{
    memory::{Maker, SiteId, Target},
    module::{Function, InstId, InstKind, Operand},
    trace::{Access, Check, WRITES_CONSTANT},
};

/// Where the lifetimes of objects are recorded.
#[derive(Clone, Copy, Default)]
pub(super) struct Lifetimes {
    /// Object to size in bytes.
    pub size: Option<Var>,
    /// Object to whether it is an allocated block.
    pub heap: Option<Var>,
    /// Object to whether it was freed, where that tells something about pointers.
    pub freed: Option<Var>,
    /// Object to whether it is a stream that was closed, where streams are.
    pub closed: Option<Var>,
    /// Object to how many bytes it has up to the terminator of a string, or 0, where strings of unknown text are.
    pub terminators: Option<Var>,
    /// The object that is watched for leaks, or 0.
    pub watched: Option<Var>,
    /// The frames of the stack, if some object is made in the middle of a function.
    pub frames: Option<Frames>,
}

/// What an object is made by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    Stack,
    Heap,
}

impl Translator<'_> {
    pub(super) fn declare_life(&mut self) {
        let properties = self.options.properties.clone();
        let (object, offset) = (self.object_sort(), self.offset_sort());
        if properties.sizes() {
            let sort = self.terms.array_sort(object, offset);
            self.lifetimes.size = Some(self.global("object.size", sort, None, Loc::NONE));
        }
        if properties.sizes() {
            self.declare_frames();
        }
        if properties.free || properties.watches() {
            let sort = self.terms.array_sort(object, Sort::BOOL);
            self.lifetimes.heap = Some(self.global("object.heap", sort, None, Loc::NONE));
        }
        if properties.watches() {
            self.lifetimes.watched = Some(self.global("object.watched", object, None, Loc::NONE));
        }
    }

    /// The site of the object with a constant number.
    pub fn site_of_object(&self, object: u64) -> Option<SiteId> {
        let at = self.objects.iter().position(|&number| u64::from(number) == object && number != 0)?;
        Some(SiteId(at as u32))
    }
}

impl Body<'_, '_> {
    /// What lives at the start.
    pub fn initial_life(&mut self) {
        let lifetimes = self.t.lifetimes;
        let mut pairs = Vec::new();
        if let Some(var) = lifetimes.size {
            let sort = self.t.terms.var_sort(var);
            let none = self.t.offset_term(0);
            let sizes = self.t.terms.const_array(sort, none);
            let mut sizes = self.initial_sizes(sizes);
            for (i, site) in self.t.memory.sites.iter().enumerate() {
                let Maker::Global(_) = site.maker else { continue };
                // What is defined elsewhere and of unknown size is large enough.
                let bytes = site.size.unwrap_or_else(|| self.t.module.largest_object());
                let object = self.t.objects[i];
                let (object, bytes) = (self.t.object_term(object), self.t.offset_term(bytes as i64));
                sizes = self.t.terms.store(sizes, object, bytes);
            }
            pairs.push((var, sizes));
        }
        pairs.extend(self.initial_frames());
        for var in lifetimes.heap.into_iter().chain(lifetimes.freed).chain(lifetimes.closed) {
            let sort = self.t.terms.var_sort(var);
            let never = self.t.terms.bool(false);
            pairs.push((var, self.t.terms.const_array(sort, never)));
        }
        if let Some(var) = lifetimes.terminators {
            let (sort, none) = (self.t.terms.var_sort(var), self.t.offset_term(0));
            pairs.push((var, self.t.terms.const_array(sort, none)));
        }
        if let Some(var) = lifetimes.watched {
            pairs.push((var, self.t.object_term(0)));
        }
        if !pairs.is_empty() {
            self.push(StmtKind::Assign(pairs));
        }
    }

    /// An object comes to life.
    pub fn live(&mut self, object: Term, size: Term, storage: Storage) {
        let lifetimes = self.t.lifetimes;
        let mut pairs = Vec::new();
        if let Some(var) = lifetimes.size {
            let sizes = self.term(var);
            pairs.push((var, self.t.terms.store(sizes, object, size)));
        }
        if storage == Storage::Heap {
            if let Some(var) = lifetimes.heap {
                let (heap, yes) = (self.term(var), self.t.terms.bool(true));
                pairs.push((var, self.t.terms.store(heap, object, yes)));
            }
            if let Some(var) = lifetimes.watched {
                let chosen = self.fresh("watch", Sort::BOOL);
                let old = self.term(var);
                pairs.push((var, self.t.terms.ite(chosen, object, old)));
            }
        }
        self.assign(pairs);
    }

    /// Stack slots are no objects any more once their function has returned.
    pub fn slots_die(&mut self, f: &Function) {
        let Some(func) = self.func else { return };
        let mut objects = Vec::new();
        for (i, inst) in f.insts.iter().enumerate() {
            let InstKind::Alloca { .. } = inst.kind else { continue };
            let Some(site) = self.t.memory.site(Maker::Alloca(func, InstId(i as u32))) else { continue };
            if self.t.memory.sites[site.index()].local || !self.is_entry_slot(InstId(i as u32)) {
                continue;
            }
            if let Some(Value::Ptr(Pointer { object, .. })) = self.values[i] {
                objects.push(object);
            }
        }
        self.objects_die(&objects);
        self.frame_ends();
    }

    /// These objects are not there any more.
    pub fn objects_die(&mut self, objects: &[Term]) {
        let Some(var) = self.t.lifetimes.size else { return };
        let mut sizes = self.term(var);
        let none = self.t.offset_term(0);
        for &object in objects {
            sizes = self.t.terms.store(sizes, object, none);
        }
        self.assign(vec![(var, sizes)]);
    }

    /// The size of the object of a pointer.
    fn size_of(&mut self, p: Pointer, target: Option<Target>, sizes: Var) -> Term {
        // A stack slot of this very function, or a global variable, is there for certain.
        let slot = target.and_then(|target| self.only_site(target));
        let slot = slot.filter(|site| self.t.memory.sites[site.index()].local);
        let fixed = slot.or_else(|| self.t.site_of_object(self.number(p.object)?)).filter(|site| {
            match self.t.memory.sites[site.index()].maker {
                Maker::Global(_) => true,
                Maker::Alloca(f, slot) => Some(f) == self.func && self.is_entry_slot(slot),
                _ => false,
            }
        });
        let variable = slot.and_then(|site| self.variable_sizes.get(&site).copied());
        match fixed.and_then(|site| self.t.memory.sites[site.index()].size) {
            Some(size) => self.t.offset_term(size as i64),
            None if variable.is_some() => variable.unwrap_or(p.offset),
            None => {
                let sizes = self.term(sizes);
                self.t.terms.select(sizes, p.object)
            }
        }
    }

    /// Whether a stack slot is there from the start of the function.
    pub fn is_entry_slot(&self, slot: InstId) -> bool {
        self.function().is_some_and(|f| f.is_entry_slot(slot))
    }

    /// Checks that an access of so many bytes is to memory that is there.
    pub fn check_access(&mut self, operand: Operand, p: Pointer, bytes: Term) {
        self.check_memory(operand, p, bytes, (false, false));
    }

    /// The same of a block that a library function reads.
    pub fn check_block(&mut self, operand: Operand, p: Pointer, bytes: Term) {
        self.check_memory(operand, p, bytes, (true, false));
    }

    fn check_memory(&mut self, operand: Operand, p: Pointer, bytes: Term, (library, write): (bool, bool)) {
        let properties = &self.t.options.properties;
        let (null, deref) = (properties.null, properties.deref);
        let device = self.in_registers(p, self.target(operand), bytes);
        let through = self.pointer_text(operand);
        let (object, offset) = (p.object, p.offset);
        let access = Access { write, object, offset, bytes, size: None, through };
        if null && !deref {
            let zero = self.t.object_term(0);
            let cond = self.t.terms.ne(p.object, zero);
            let cond = self.t.terms.or(&[cond, device]);
            self.check_about(AssertKind::Null, None, cond, Some(Check::Access(access.clone())));
        }
        let target = self.target(operand);
        let (Some(sizes), Some(kind)) = (self.t.lifetimes.size, self.access_kind(library)) else {
            return self.ends_at_null(p, target, bytes, device);
        };
        let size = self.size_of(p, target, sizes);
        let size = self.argv_size(p, target, size);
        // bytes <= size and 0 <= offset <= size - bytes, all unsigned.
        let enough = self.t.terms.mk(Op::BvUle, &[bytes, size]);
        let room = self.t.terms.bv_sub(size, bytes);
        let inside = self.t.terms.mk(Op::BvUle, &[p.offset, room]);
        let there = self.frame_is_there(target, p.object);
        let mut cond = self.t.terms.and(&[enough, inside, there]);
        if self.number(bytes).is_none() {
            let zero = self.t.offset_term(0);
            let none = self.t.terms.eq(bytes, zero);
            cond = self.t.terms.or(&[none, cond]);
        }
        let cond = self.t.terms.or(&[cond, device]);
        self.check_about(kind, None, cond, Some(Check::Access(Access { size: Some(size), ..access })));
    }

    /// The size of the object that a pointer points to, where sizes are followed; 0 if it does not live.
    pub fn pointed_size(&mut self, operand: Operand, p: Pointer) -> Option<Term> {
        let sizes = self.t.lifetimes.size?;
        let target = self.target(operand);
        let size = self.size_of(p, target, sizes);
        Some(self.argv_size(p, target, size))
    }

    /// How many bytes there are from a pointer to the end of its object.
    pub fn room_behind(&mut self, operand: Operand, p: Pointer) -> Term {
        let none = self.t.offset_term(0);
        let Some(sizes) = self.t.lifetimes.size else { return none };
        let target = self.target(operand);
        let size = self.size_of(p, target, sizes);
        let size = self.argv_size(p, target, size);
        let inside = [self.t.terms.mk(Op::BvUle, &[p.offset, size]), self.frame_is_there(target, p.object)];
        let inside = self.t.terms.and(&inside);
        let room = self.t.terms.bv_sub(size, p.offset);
        self.t.terms.ite(inside, room, none)
    }

    /// Checks that a write of so many bytes is to memory that is there, and that is no constant.
    pub fn check_write(&mut self, operand: Operand, p: Pointer, bytes: Term) {
        self.check_memory(operand, p, bytes, (false, true));
        self.check_not_constant(operand, p, bytes);
    }

    /// The same of a block that a library function writes.
    pub fn check_block_write(&mut self, operand: Operand, p: Pointer, bytes: Term) {
        self.check_memory(operand, p, bytes, (true, true));
        self.check_unchanging(operand, p, bytes, true);
    }

    /// Checks that what is accessed is no constant.
    pub fn check_not_constant(&mut self, operand: Operand, p: Pointer, bytes: Term) {
        self.check_unchanging(operand, p, bytes, false);
    }

    fn check_unchanging(&mut self, operand: Operand, p: Pointer, bytes: Term, library: bool) {
        let (Some(target), Some(_)) = (self.target(operand), self.t.lifetimes.size) else { return };
        let Some(kind) = self.access_kind(library) else { return };
        let constant = |site: &SiteId| {
            let object = self.t.objects[site.index()];
            object != 0 && object <= self.t.last_constant
        };
        if !self.t.memory.groups[target.group.index()].sites.iter().any(constant) {
            return;
        }
        let last = self.t.object_term(self.t.last_constant);
        let (other, zero) = (self.t.terms.mk(Op::BvUlt, &[last, p.object]), self.t.offset_term(0));
        let none = self.t.terms.eq(bytes, zero);
        let cond = self.t.terms.or(&[none, other]);
        let access = Access { write: true, object: p.object, offset: p.offset, bytes, size: None, through: None };
        self.check_about(kind, Some(WRITES_CONSTANT.into()), cond, Some(Check::Access(access)));
    }

    /// An object has not been allocated after all.
    pub fn not_allocated_if(&mut self, fails: Term, object: Term) {
        let lifetimes = self.t.lifetimes;
        let mut pairs = Vec::new();
        if let Some(var) = lifetimes.heap {
            let (heap, there) = (self.term(var), self.t.terms.not(fails));
            pairs.push((var, self.t.terms.store(heap, object, there)));
        }
        if let Some(var) = lifetimes.watched {
            let (watched, none) = (self.term(var), self.t.object_term(0));
            let same = self.t.terms.eq(watched, object);
            let lost = self.t.terms.and(&[fails, same]);
            pairs.push((var, self.t.terms.ite(lost, none, watched)));
        }
        self.assign(pairs);
    }

    /// Checks that what is to be released is a block, or null.
    pub fn check_free(&mut self, p: Pointer) {
        let (Some(var), true) = (self.t.lifetimes.heap, self.t.options.properties.free) else { return };
        let (zero, none) = (self.t.offset_term(0), self.t.object_term(0));
        let heap = self.term(var);
        let allocated = self.t.terms.select(heap, p.object);
        let start = self.t.terms.eq(p.offset, zero);
        let is_null = self.t.terms.eq(p.object, none);
        let valid = self.t.terms.or(&[is_null, allocated]);
        let valid = self.t.terms.and(&[valid, start]);
        let about = Check::Free { object: p.object, offset: p.offset };
        self.check_about(AssertKind::Free, None, valid, Some(about));
    }

    /// Releases a block, if the condition holds.
    pub fn release(&mut self, p: Pointer, cond: Term) {
        let lifetimes = self.t.lifetimes;
        let (zero, none) = (self.t.offset_term(0), self.t.object_term(0));
        let mut pairs = Vec::new();
        if let Some(var) = lifetimes.heap {
            let (heap, never) = (self.term(var), self.t.terms.bool(false));
            pairs.push((var, self.t.terms.store(heap, p.object, never)));
        }
        if let Some(var) = lifetimes.freed {
            let (freed, yes) = (self.term(var), self.t.terms.bool(true));
            pairs.push((var, self.t.terms.store(freed, p.object, yes)));
        }
        if let Some(var) = lifetimes.size {
            let sizes = self.term(var);
            pairs.push((var, self.t.terms.store(sizes, p.object, zero)));
        }
        if let Some(var) = lifetimes.watched {
            let watched = self.term(var);
            let same = self.t.terms.eq(watched, p.object);
            pairs.push((var, self.t.terms.ite(same, none, watched)));
        }
        for (var, new) in &mut pairs {
            let old = self.term(*var);
            *new = self.t.terms.ite(cond, *new, old);
        }
        self.assign(pairs);
    }
}
