//! Loads, stores and allocation.

use lariat_term::{Op, Term, Var};
use rustc_hash::FxHashMap;

use super::{
    CellVars,
    address::Nowhere,
    body::Body,
    lifetimes::Storage,
    value::{self, Pointer, Value},
};
use crate::{
    memory::{Cell, CellId, Content, Maker, Representation, SiteId, Target, reduce},
    module::{InstId, Operand, TypeId, TypeKind},
    trace::Meaning,
};

/// New contents of variables, collected before they are assigned all at once.
#[derive(Default)]
pub(super) struct Updates {
    order: Vec<Var>,
    terms: FxHashMap<Var, Term>,
}

impl Updates {
    pub fn get(&self, body: &mut Body<'_, '_>, var: Var) -> Term {
        match self.terms.get(&var) {
            Some(&term) => term,
            None => body.term(var),
        }
    }

    pub fn set(&mut self, var: Var, term: Term) {
        if self.terms.insert(var, term).is_none() {
            self.order.push(var);
        }
    }

    pub fn pairs(self) -> Vec<(Var, Term)> {
        let Updates { order, terms } = self;
        order.into_iter().map(|var| (var, terms[&var])).collect()
    }
}

/// Which unit of a cell a target is.
pub(super) fn unit_index(target: Target, cell: &Cell, unit: u32) -> usize {
    (target.offset.saturating_sub(cell.offset) / i64::from(unit)).max(0) as usize
}

impl Body<'_, '_> {
    /// A pointer some bytes further on.
    pub fn moved(&mut self, pointer: Pointer, bytes: u64) -> Pointer {
        if bytes == 0 {
            return pointer;
        }
        let bytes = self.t.offset_term(bytes as i64);
        Pointer { object: pointer.object, offset: self.t.terms.mk(Op::BvAdd, &[pointer.offset, bytes]) }
    }

    /// A target some bytes further on.
    pub fn moved_target(&self, target: Option<Target>, bytes: u64) -> Option<Target> {
        let Target { group, offset } = target?;
        let modulus = self.t.memory.groups[group.index()].modulus;
        Some(Target { group, offset: reduce(offset.wrapping_add_unsigned(bytes), modulus) })
    }

    /// The one cell of an access.
    fn cell(&self, target: Target, bytes: u64) -> Option<CellId> {
        match self.t.memory.cells(target, Some(bytes))[..] {
            [cell] => Some(cell),
            _ => None,
        }
    }

    /// The members of an aggregate that is loaded or stored, each with its offset.
    fn members(&self, ty: TypeId) -> Option<Vec<(TypeId, u64)>> {
        match &self.t.module.ty(ty).kind {
            TypeKind::Struct(members) => Some(members.clone()),
            TypeKind::Array(element, count) | TypeKind::Vector(element, count) if *count <= value::MAX_MEMBERS => {
                let size = self.t.module.ty(*element).size;
                Some((0..*count).map(|i| (*element, i * size)).collect())
            }
            _ => None,
        }
    }

    // Reading

    /// Reads a value of a type.
    pub fn load(&mut self, pointer: Pointer, target: Option<Target>, ty: TypeId) -> Value {
        self.load_with(pointer, target, ty, None)
    }

    /// The same, where some variables have already been given new contents.
    pub fn load_with(&mut self, p: Pointer, target: Option<Target>, ty: TypeId, updates: Option<&Updates>) -> Value {
        if let Some(members) = self.members(ty) {
            let mut values = Vec::with_capacity(members.len());
            for (member, at) in members {
                let (p, target) = (self.moved(p, at), self.moved_target(target, at));
                values.push(self.load_with(p, target, member, updates));
            }
            return Value::Many(values);
        }
        let bytes = self.t.module.ty(ty).store_size;
        let Some(target) = target else {
            self.nowhere(p, Nowhere::Read);
            return self.any(ty);
        };
        let Some(cell) = self.cell(target, bytes) else {
            self.unsupported("a memory access that the layout does not know");
            return self.any(ty);
        };
        self.read_argument(p, target, cell);
        match self.read(cell, p, target, ty, updates) {
            Some(value) => value,
            None => {
                self.unsupported("a memory access of this type");
                self.any(ty)
            }
        }
    }

    fn contents(&mut self, cell: CellId, updates: Option<&Updates>) -> Vec<Term> {
        if self.t.memory.cells[cell.index()].constant
            && let Some(terms) = self.t.constant_cell(cell)
        {
            return terms;
        }
        let CellVars { vars, .. } = self.cell_vars(cell);
        match updates {
            Some(updates) => vars.into_iter().map(|var| updates.get(self, var)).collect(),
            None => vars.into_iter().map(|var| self.term(var)).collect(),
        }
    }

    fn read(
        &mut self,
        cell: CellId,
        p: Pointer,
        target: Target,
        ty: TypeId,
        updates: Option<&Updates>,
    ) -> Option<Value> {
        match self.t.memory.cells[cell.index()].content {
            Content::Value(content) => {
                let leaves = self.leaves_at(cell, p, target, updates);
                let value = value::build(self.t.module, content, &mut leaves.into_iter())?;
                self.reinterpret(value, content, ty)
            }
            Content::Units(unit) => {
                let unit = u64::from(unit);
                let size = self.t.module.ty(ty).store_size;
                let mut all: Option<Term> = None;
                for i in 0..size.div_ceil(unit) {
                    let (at, here) = (self.moved(p, i * unit), self.moved_target(Some(target), i * unit)?);
                    let part = *self.leaves_at(cell, at, here, updates).first()?;
                    all = Some(match all {
                        Some(low) => self.t.terms.mk(Op::Concat, &[part, low]),
                        None => part,
                    });
                }
                let bits = value::resize(self.t.terms, all?, (size * 8) as u32, false);
                value::from_bits(self.t.module, self.t.terms, bits, ty)
            }
        }
    }

    /// The terms of one element (a value or a unit) of a cell.
    pub fn leaves_at(&mut self, cell: CellId, p: Pointer, target: Target, updates: Option<&Updates>) -> Vec<Term> {
        let info = self.t.memory.cells[cell.index()].clone();
        let contents = self.contents(cell, updates);
        match (info.place, info.content) {
            (Representation::Scalar(_), Content::Units(unit)) => {
                let index = unit_index(target, &info, unit);
                contents.get(index).copied().into_iter().collect()
            }
            _ => {
                let mut leaves = Vec::with_capacity(contents.len());
                for content in contents {
                    leaves.push(self.element(info.place, content, p.object, p.offset));
                }
                leaves
            }
        }
    }

    /// Records new terms of one element of a cell, and their state (see `init`).
    pub fn put_leaves(
        &mut self,
        cell: CellId,
        p: Pointer,
        target: Target,
        leaves: &[Term],
        state: Term,
        updates: &mut Updates,
    ) {
        self.put_state(cell, p, target, state, updates);
        let info = self.t.memory.cells[cell.index()].clone();
        let CellVars { vars, .. } = self.cell_vars(cell);
        let vars = match (info.place, info.content) {
            (Representation::Scalar(_), Content::Units(unit)) => {
                let index = unit_index(target, &info, unit);
                vars.get(index).copied().into_iter().collect()
            }
            _ => vars,
        };
        for (var, &leaf) in vars.into_iter().zip(leaves) {
            let old = updates.get(self, var);
            let new = self.with_element(info.place, old, p.object, p.offset, leaf);
            updates.set(var, new);
        }
    }

    pub fn element(&mut self, place: Representation, content: Term, object: Term, offset: Term) -> Term {
        match place {
            Representation::Scalar(_) => content,
            Representation::Object(_) => self.t.terms.select(content, offset),
            Representation::Map => {
                let inner = self.t.terms.select(content, object);
                self.t.terms.select(inner, offset)
            }
        }
    }

    pub fn with_element(
        &mut self,
        place: Representation,
        content: Term,
        object: Term,
        offset: Term,
        new: Term,
    ) -> Term {
        match place {
            Representation::Scalar(_) => new,
            Representation::Object(_) => self.t.terms.store(content, offset, new),
            Representation::Map => {
                let inner = self.t.terms.select(content, object);
                let inner = self.t.terms.store(inner, offset, new);
                self.t.terms.store(content, object, inner)
            }
        }
    }

    /// The same bits as a value of another type.
    pub fn reinterpret(&mut self, value: Value, from: TypeId, to: TypeId) -> Option<Value> {
        if from == to || self.t.module.ty(from).kind == self.t.module.ty(to).kind {
            return Some(value);
        }
        if self.t.module.ty(from).store_size != self.t.module.ty(to).store_size {
            return None;
        }
        let bits = match &value {
            Value::Ptr(pointer) => self.pointer_bits(*pointer, None),
            _ => value::to_bits(self.t.module, self.t.terms, &value, from)?,
        };
        value::from_bits(self.t.module, self.t.terms, bits, to)
    }

    // Writing

    /// Writes a value of a type.
    pub fn store(&mut self, pointer: Pointer, target: Option<Target>, value: &Value, ty: TypeId) {
        self.store_moved(pointer, target, value, ty, None);
    }

    /// The same for a value that may be unset: with its state (see `init`).
    pub fn store_moved(&mut self, p: Pointer, target: Option<Target>, value: &Value, ty: TypeId, state: Option<Term>) {
        let mut updates = Updates::default();
        self.store_to(p, target, value, ty, state, &mut updates);
        self.assign(updates.pairs());
    }

    /// The same, unless a condition holds.
    pub fn store_unless(
        &mut self,
        cond: Term,
        p: Pointer,
        target: Target,
        value: &Value,
        ty: TypeId,
        state: Option<Term>,
    ) {
        let mut updates = Updates::default();
        self.store_to(p, Some(target), value, ty, state, &mut updates);
        let mut pairs = updates.pairs();
        for (var, new) in &mut pairs {
            let old = self.term(*var);
            *new = self.t.terms.ite(cond, old, *new);
        }
        self.assign(pairs);
    }

    /// Records the effect of writing a value of a type.
    fn store_to(
        &mut self,
        p: Pointer,
        target: Option<Target>,
        value: &Value,
        ty: TypeId,
        state: Option<Term>,
        updates: &mut Updates,
    ) {
        if let (Some(members), Value::Many(values)) = (self.members(ty), value) {
            for ((member, at), value) in members.into_iter().zip(values) {
                let (p, target) = (self.moved(p, at), self.moved_target(target, at));
                let state = self.part_of_state(state, at, self.t.module.ty(member).store_size);
                self.store_to(p, target, value, member, state, updates);
            }
            return;
        }
        let bytes = self.t.module.ty(ty).store_size;
        let Some(target) = target else { return self.nowhere(p, Nowhere::Write) };
        let Some(cell) = self.cell(target, bytes) else {
            // A cell that nothing reads need not exist.
            if !self.t.memory.cells(target, Some(bytes)).is_empty() {
                self.unsupported("a memory access that the layout does not know");
            }
            return;
        };
        if self.write(cell, p, target, value, ty, state, updates).is_none() {
            self.unsupported("a memory access of this type");
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn write(
        &mut self,
        cell: CellId,
        p: Pointer,
        target: Target,
        value: &Value,
        ty: TypeId,
        state: Option<Term>,
        updates: &mut Updates,
    ) -> Option<()> {
        match self.t.memory.cells[cell.index()].content {
            Content::Value(content) => {
                let value = self.reinterpret(value.clone(), ty, content)?;
                let mut leaves = Vec::new();
                value.leaves(&mut leaves);
                let size = self.t.module.ty(content).store_size;
                let state = self.part_of_state(state, 0, size).unwrap_or_else(|| self.t.all_set(size));
                self.put_leaves(cell, p, target, &leaves, state, updates);
            }
            Content::Units(unit) => {
                let bytes = self.t.module.ty(ty).store_size;
                let bits = match value {
                    Value::Ptr(pointer) => self.pointer_bits(*pointer, None),
                    _ => value::to_bits(self.t.module, self.t.terms, value, ty)?,
                };
                if !bytes.is_multiple_of(u64::from(unit)) {
                    return None;
                }
                for i in 0..bytes / u64::from(unit) {
                    let low = i as u32 * unit * 8;
                    let part = self.t.terms.extract(low + unit * 8 - 1, low, bits);
                    let step = i * u64::from(unit);
                    let (at, here) = (self.moved(p, step), self.moved_target(Some(target), step)?);
                    let unit = u64::from(unit);
                    let state = self.part_of_state(state, step, unit).unwrap_or_else(|| self.t.all_set(unit));
                    self.put_leaves(cell, at, here, &[part], state, updates);
                }
            }
        }
        Some(())
    }

    /// The only site of a group.
    pub fn only_site(&self, target: Target) -> Option<SiteId> {
        match self.t.memory.groups[target.group.index()].sites[..] {
            [site] => Some(site),
            _ => None,
        }
    }

    // Allocation

    /// A new object of this size, with the next number; its memory is arbitrary.
    pub fn new_object(&mut self, size: Term, storage: Storage, thing: usize) -> Pointer {
        let sort = self.t.object_sort();
        let var = self.local("object", sort);
        self.t.draft.legend.vars.insert(var, Meaning::Made(thing));
        let object = self.term(var);
        self.next_number(var);
        self.live(object, size, storage);
        Pointer { object, offset: self.t.offset_term(0) }
    }

    /// A stack slot.
    pub fn alloca(&mut self, inst: InstId, ty: TypeId, count: Operand) {
        let Some(func) = self.func else { return };
        let maker = Maker::Alloca(func, inst);
        let size = self.t.module.ty(ty).size;
        let width = self.t.module.pointer_bits;
        let bytes = match self.scalar(count) {
            Some(count) => {
                let count = value::resize(self.t.terms, count, width, false);
                self.assume_at_most(count, self.t.module.largest_object() / size.max(1));
                let size = self.t.offset_term(size as i64);
                self.t.terms.mk(Op::BvMul, &[count, size])
            }
            None => self.t.offset_term(size as i64),
        };
        self.operands_done();
        let pointer = self.make_object(maker, bytes);
        self.put_in_frame(inst, pointer.object);
        if self.is_scoped(inst) && self.is_used(inst) {
            // Wherever it is used, the object is the one of that time.
            self.numbered(inst, pointer.object);
            self.values[inst.index()] = Some(Value::Ptr(pointer));
        } else {
            self.define(inst, Value::Ptr(pointer));
        }
    }

    /// Executions in which a number is larger are not considered.
    pub fn assume_at_most(&mut self, number: Term, limit: u64) {
        let width = self.t.module.pointer_bits;
        let limit = self.t.terms.bv(width, limit);
        let cond = self.t.terms.mk(Op::BvUle, &[number, limit]);
        if cond != self.t.terms.bool(true) {
            self.t.limits_objects = true;
            self.assume(cond);
        }
    }

    /// An object of the stack: with its constant number if it has one, else a new one.
    pub fn make_object(&mut self, maker: Maker, bytes: Term) -> Pointer {
        let Some(site) = self.t.memory.site(maker) else {
            // Nothing uses it.
            return Pointer { object: self.t.object_term(0), offset: self.t.offset_term(0) };
        };
        let info = &self.t.memory.sites[site.index()];
        let (local, object) = (info.local, self.t.objects[site.index()]);
        let start = self.t.memory.start(site);
        let scoped = matches!(maker, Maker::Alloca(_, slot) if self.is_scoped(slot));
        if object == 0 && !local {
            let bytes = if scoped { self.t.offset_term(0) } else { bytes };
            let pointer = self.new_object(bytes, Storage::Stack, site.index());
            self.new_slot(site, pointer.object);
            self.mark_object(start, pointer.object, false);
            return pointer;
        }
        let object = self.t.object_term(object);
        let at_entry = matches!(maker, Maker::Alloca(_, slot) if self.is_entry_slot(slot));
        // Variables of a region are arbitrary at its start.
        if !(local && at_entry) {
            self.forget(site, object);
        }
        self.mark_object(start, object, false);
        let fixed = at_entry && self.number(bytes).is_some();
        if local
            && !fixed
            && self.t.lifetimes.size.is_some()
            && let Value::Term(size) = self.frozen(&Value::Term(bytes))
        {
            self.variable_sizes.insert(site, size);
        }
        if !local && !scoped {
            self.live(object, bytes, Storage::Stack);
        }
        Pointer { object, offset: self.t.offset_term(0) }
    }

    /// The memory of an object with a constant number becomes arbitrary.
    pub fn forget(&mut self, site: SiteId, object: Term) {
        let group = self.t.memory.sites[site.index()].group;
        let mut vars = Vec::new();
        for cell in self.t.memory.groups[group.index()].cells.clone() {
            match self.t.memory.cells[cell.index()].place {
                Representation::Scalar(owner) | Representation::Object(owner) if owner == site => {
                    vars.extend(self.cell_vars(cell).vars)
                }
                Representation::Scalar(_) | Representation::Object(_) => {}
                Representation::Map => {
                    let mut pairs = Vec::new();
                    for var in self.cell_vars(cell).vars {
                        let content = self.term(var);
                        let inner = self.t.terms.select(content, object);
                        let sort = self.t.terms.sort(inner);
                        let fresh = self.fresh("memory", sort);
                        pairs.push((var, self.t.terms.store(content, object, fresh)));
                    }
                    self.assign(pairs);
                }
            }
        }
        self.havoc(vars);
    }

    /// The memory of a new object is zero.
    pub fn clear_object(&mut self, target: Option<Target>, object: Term) {
        let Some(target) = target else { return };
        let mut updates = Updates::default();
        for cell in self.t.memory.groups[target.group.index()].cells.clone() {
            let place = self.t.memory.cells[cell.index()].place;
            for var in self.cell_vars(cell).vars {
                let sort = self.t.terms.var_sort(var);
                let new = match place {
                    Representation::Scalar(_) | Representation::Object(_) => value::zero(self.t.terms, sort),
                    Representation::Map => {
                        let content = updates.get(self, var);
                        let inner = self.t.terms.select(content, object);
                        let sort = self.t.terms.sort(inner);
                        let zero = value::zero(self.t.terms, sort);
                        self.t.terms.store(content, object, zero)
                    }
                };
                updates.set(var, new);
            }
        }
        self.assign(updates.pairs());
    }

    /// The memory of an object becomes that of another one of the same group.
    pub fn copy_object(&mut self, target: Option<Target>, to: Term, from: Term) {
        let Some(target) = target else { return };
        let mut updates = Updates::default();
        for cell in self.t.memory.groups[target.group.index()].cells.clone() {
            if self.t.memory.cells[cell.index()].place != Representation::Map {
                continue;
            }
            // There is nothing to copy from null.
            let null = self.t.object_term(0);
            let some = self.t.terms.ne(from, null);
            let CellVars { vars, states, .. } = self.cell_vars(cell);
            for var in vars.into_iter().chain(states) {
                let content = self.term(var);
                let (old, inner) = (self.t.terms.select(content, to), self.t.terms.select(content, from));
                let inner = self.t.terms.ite(some, inner, old);
                let new = self.t.terms.store(content, to, inner);
                updates.set(var, new);
            }
        }
        self.assign(updates.pairs());
    }
}
