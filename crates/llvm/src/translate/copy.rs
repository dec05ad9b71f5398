//! Block operations: `memcpy`, `memmove`, `memset`.
//!
//! Memory is copied element by element, as the layout of the destination has them; the source is
//! read as it was before. Lengths that are not constant, or large, become a loop over the period of
//! the layout.

use lariat_term::{Op, SortKind, Term, Var};

use super::{
    CellVars,
    access::Updates,
    address::Nowhere,
    body::Body,
    value::{self, Pointer, Value},
};
use crate::{
    memory::{CellId, Content, GroupId, Representation, Target, reduce},
    module::TypeKind,
};

/// Up to so many elements are copied one by one.
const MAX_ELEMENTS: usize = 256;

/// What is written.
#[derive(Clone, Copy)]
enum Source {
    /// A copy of other memory.
    Memory(Pointer, Option<Target>),
    /// The same byte everywhere.
    Byte(Term),
    /// Any values.
    Any,
}

/// One element of memory: a byte range and its cell.
#[derive(Clone, Copy)]
struct Element {
    cell: CellId,
    /// Bytes from the start of the block.
    at: u64,
    bytes: u64,
}

impl Body<'_, '_> {
    /// The constant that a term is.
    pub fn number(&self, term: Term) -> Option<u64> {
        match self.t.terms.op(term) {
            Op::Const(c) => self.t.terms.const_value(c).as_bv().and_then(|bv| u64::try_from(bv.bits()).ok()),
            _ => None,
        }
    }

    /// Copies `bytes` bytes.
    pub fn copy(&mut self, to: Pointer, target: Option<Target>, from: Pointer, source: Option<Target>, bytes: Term) {
        self.copy_argument(from, source);
        self.block_operation(to, target, Source::Memory(from, source), bytes);
    }

    /// Sets `bytes` bytes.
    pub fn fill(&mut self, to: Pointer, target: Option<Target>, byte: Term, bytes: Term) {
        self.block_operation(to, target, Source::Byte(byte), bytes);
    }

    /// `bytes` bytes become any values.
    pub fn scramble(&mut self, to: Pointer, target: Option<Target>, bytes: Term) {
        self.block_operation(to, target, Source::Any, bytes);
    }

    fn block_operation(&mut self, to: Pointer, target: Option<Target>, source: Source, bytes: Term) {
        self.no_register(to, target, bytes);
        if let Source::Memory(from, from_target) = source {
            self.no_register(from, from_target, bytes);
        }
        let Some(target) = target else {
            // Nothing happens if there is nothing to write.
            return self.nowhere_if(to, Nowhere::Write, bytes);
        };
        if self.t.memory.groups[target.group.index()].cells.is_empty() || self.number(bytes) == Some(0) {
            return;
        }
        if let Some(length) = self.number(bytes) {
            if self.whole(to, target, source, length) {
                return;
            }
            if let Ok(Some(elements)) = self.elements(target, length, MAX_ELEMENTS) {
                let mut updates = Updates::default();
                for element in elements {
                    self.put(to, target, source, element, None, None, &mut updates);
                }
                self.assign(updates.pairs());
                return;
            }
        }
        self.block_loop(to, target, source, bytes);
    }

    /// The size of all objects of a group, if it is the same.
    fn object_size(&self, group: GroupId) -> Option<u64> {
        let sites = &self.t.memory.groups[group.index()].sites;
        let mut sizes = sites.iter().map(|site| self.t.memory.sites[site.index()].size);
        let first = sizes.next()??;
        sizes.all(|size| size == Some(first)).then_some(first)
    }

    /// Whole objects: their maps at once. False if that does not apply.
    fn whole(&mut self, to: Pointer, target: Target, source: Source, length: u64) -> bool {
        let cells = self.t.memory.groups[target.group.index()].cells.clone();
        let mapped =
            |body: &Self, c: &CellId| !matches!(body.t.memory.cells[c.index()].place, Representation::Scalar(_));
        if self.number(to.offset) != Some(0)
            || self.object_size(target.group) != Some(length)
            || !cells.iter().all(|c| mapped(self, c))
            || length <= 16
        {
            return false;
        }
        let mut pairs: Vec<(CellId, Option<CellId>)> = Vec::new();
        if let Source::Memory(from, source_target) = source {
            let Some(from_target) = source_target else { return false };
            if self.number(from.offset) != Some(0) || self.object_size(from_target.group) != Some(length) {
                return false;
            }
            let others = self.t.memory.groups[from_target.group.index()].cells.clone();
            for &cell in &cells {
                let a = &self.t.memory.cells[cell.index()];
                let same = others.iter().find(|o| {
                    let b = &self.t.memory.cells[o.index()];
                    a.offset.wrapping_sub(target.offset) == b.offset.wrapping_sub(from_target.offset)
                        && a.bytes == b.bytes
                        && a.content == b.content
                        && mapped(self, o)
                });
                let (Some(&same), true) = (same, self.same_period(target.group, from_target.group)) else {
                    return false;
                };
                pairs.push((cell, Some(same)));
            }
        } else {
            pairs.extend(cells.iter().map(|&cell| (cell, None)));
        }
        let mut updates = Vec::new();
        for (cell, other) in pairs {
            let place = self.t.memory.cells[cell.index()].place;
            let vars = self.cell_vars(cell).vars;
            let inner: Vec<Term> = match (source, other) {
                (Source::Memory(from, _), Some(other)) => {
                    let place = self.t.memory.cells[other.index()].place;
                    let contents = self.cell_contents(other);
                    let inner = |body: &mut Self, content| match place {
                        Representation::Map => body.t.terms.select(content, from.object),
                        _ => content,
                    };
                    contents.into_iter().map(|content| inner(self, content)).collect()
                }
                (Source::Byte(byte), _) => {
                    let Some(leaves) = self.filled(cell, byte) else { return false };
                    let offset = self.t.offset_sort();
                    let mut maps = Vec::new();
                    for leaf in leaves {
                        let sort = self.t.terms.sort(leaf);
                        let sort = self.t.terms.array_sort(offset, sort);
                        maps.push(self.t.terms.const_array(sort, leaf));
                    }
                    maps
                }
                (Source::Any, _) => {
                    // Not every pair is a pointer.
                    if matches!(self.t.memory.cells[cell.index()].content, Content::Value(ty) if self.t.module.ty(ty).kind == TypeKind::Ptr)
                    {
                        return false;
                    }
                    let offset = self.t.offset_sort();
                    let mut maps = Vec::new();
                    for sort in self.t.element_sorts(cell) {
                        let sort = self.t.terms.array_sort(offset, sort);
                        maps.push(self.fresh("any", sort));
                    }
                    maps
                }
                _ => return false,
            };
            let inner = self.with_states(cell, source, other, inner);
            let vars = vars.into_iter().chain(self.cell_vars(cell).states);
            for (var, inner) in vars.zip(inner) {
                let old = self.term(var);
                let new = match place {
                    Representation::Map => self.t.terms.store(old, to.object, inner),
                    _ => inner,
                };
                updates.push((var, new));
            }
        }
        self.assign(updates);
        true
    }

    /// The contents of a cell of a whole object, with those of its state behind them.
    fn with_states(&mut self, cell: CellId, source: Source, other: Option<CellId>, mut inner: Vec<Term>) -> Vec<Term> {
        let Some(&own) = self.cell_vars(cell).states.first() else { return inner };
        let state = match (source, other) {
            (Source::Memory(from, _), Some(other)) if !self.t.memory.cells[other.index()].constant => {
                let place = self.t.memory.cells[other.index()].place;
                self.cell_vars(other).states.first().map(|&var| {
                    let content = self.term(var);
                    if place == Representation::Map { self.t.terms.select(content, from.object) } else { content }
                })
            }
            _ => None,
        };
        inner.push(state.unwrap_or_else(|| {
            let mut sort = self.t.terms.var_sort(own);
            if let (Representation::Map, SortKind::Array(_, one)) =
                (self.t.memory.cells[cell.index()].place, self.t.terms.sort_kind(sort))
            {
                sort = one;
            }
            self.t.everywhere(sort, true)
        }));
        inner
    }

    fn same_period(&self, a: GroupId, b: GroupId) -> bool {
        self.t.memory.groups[a.index()].modulus == self.t.memory.groups[b.index()].modulus
    }

    /// The leaves of one element of a cell all of whose bytes are the same.
    fn filled(&mut self, cell: CellId, byte: Term) -> Option<Vec<Term>> {
        let bytes = self.element_size(cell);
        let mut bits = byte;
        for _ in 1..bytes {
            bits = self.t.terms.mk(Op::Concat, &[bits, byte]);
        }
        let mut leaves = Vec::new();
        match self.t.memory.cells[cell.index()].content {
            Content::Value(ty) => {
                let value = value::from_bits(self.t.module, self.t.terms, bits, ty)?;
                value.leaves(&mut leaves);
            }
            Content::Units(_) => leaves.push(bits),
        }
        Some(leaves)
    }

    /// The elements of the first bytes from a target on: `None` if there are too many, an error if
    /// the block starts or ends inside an element.
    fn elements(&self, start: Target, length: u64, limit: usize) -> Result<Option<Vec<Element>>, ()> {
        let group = &self.t.memory.groups[start.group.index()];
        let mut found = Vec::new();
        let mut add = |at: u64, cell: CellId, whole: u64| -> Result<(), ()> {
            if at + whole > length {
                return Err(());
            }
            found.push(Element { cell, at, bytes: whole });
            Ok(())
        };
        for &cell in &group.cells {
            let info = &self.t.memory.cells[cell.index()];
            let size = self.element_size(cell);
            let (count, period) = (info.bytes.div_ceil(size.max(1)), group.modulus);
            let rounds = if period == 0 { 1 } else { length.div_ceil(period) };
            if rounds.saturating_mul(count) > limit as u64 {
                return Ok(None);
            }
            for k in 0..count {
                // Where the element is, from the start of the block; before it, if it is negative.
                let from_cell = info.offset.wrapping_add_unsigned(k * size).wrapping_sub(start.offset);
                let first = reduce(from_cell, period);
                let before = if period == 0 { first } else { first.wrapping_sub_unsigned(period) };
                if before < 0 && before.saturating_add_unsigned(size) > 0 {
                    return Err(());
                }
                for round in 0..rounds {
                    let at = first.saturating_add_unsigned(round * period);
                    if at < 0 || at as u64 >= length {
                        continue;
                    }
                    add(at as u64, cell, size)?;
                }
            }
        }
        if found.len() > limit {
            return Ok(None);
        }
        Ok(Some(found))
    }

    /// Whether a part of an element can be written: it is a bit-vector.
    fn has_parts(&self, element: Element) -> bool {
        match self.t.memory.cells[element.cell.index()].content {
            Content::Units(_) => true,
            Content::Value(ty) => {
                matches!(self.t.module.ty(ty).kind, TypeKind::Int(width) if u64::from(width) == 8 * element.bytes)
            }
        }
    }

    /// A bit-vector whose low parts (of so many bits each) are those of another one. There are `left - start` of them:
    /// some, but not all.
    fn mixed(&mut self, new: Term, old: Term, left: Term, start: Term, bits: u32) -> Term {
        let terms = &mut *self.t.terms;
        let Some(width) = terms.bv_width(new) else { return new };
        let count = terms.bv_sub(left, start);
        let count = value::resize(terms, count, width, false);
        let (size, one) = (terms.bv(width, bits), terms.bv(width, 1u32));
        let shift = terms.mk(Op::BvMul, &[count, size]);
        let mask = terms.mk(Op::BvShl, &[one, shift]);
        let mask = terms.bv_sub(mask, one);
        let rest = terms.mk(Op::BvNot, &[mask]);
        let (low, high) = (terms.mk(Op::BvAnd, &[new, mask]), terms.mk(Op::BvAnd, &[old, rest]));
        terms.mk(Op::BvOr, &[low, high])
    }

    /// Writes one element, or what lies in a block of which so many bytes are left.
    #[allow(clippy::too_many_arguments)]
    fn put(
        &mut self,
        to: Pointer,
        target: Target,
        source: Source,
        element: Element,
        snapshot: Option<&Updates>,
        left: Option<Term>,
        updates: &mut Updates,
    ) {
        let info = self.t.memory.cells[element.cell.index()].clone();
        let place = self.moved(to, element.at);
        let Some(at) = self.moved_target(Some(target), element.at) else { return };
        let mut state = self.t.all_set(element.bytes.max(1));
        let leaves = match source {
            Source::Byte(byte) => self.filled(element.cell, byte),
            Source::Any => Some(self.any_element(element.cell)),
            Source::Memory(from, from_target) => {
                let from = self.moved(from, element.at);
                let from_target = self.moved_target(from_target, element.at);
                if self.t.options.properties.uninit {
                    state = self.state_of(from, from_target, element.bytes, snapshot);
                }
                self.fetch(from, from_target, info.content, element.bytes, snapshot)
            }
        };
        let Some(mut leaves) = leaves else {
            self.unsupported("a block operation on a part of a value");
            return;
        };
        if let Some(left) = left {
            let (start, end) = (self.t.offset_term(element.at as i64), element.at + element.bytes);
            let end = self.t.offset_term(end as i64);
            let inside = self.t.terms.mk(Op::BvUle, &[end, left]);
            let outside = self.t.terms.mk(Op::BvUle, &[left, start]);
            let partly = element.bytes > 1 && self.has_parts(element);
            if element.bytes > 1 && !partly {
                let clean = self.t.terms.or(&[inside, outside]);
                self.supported_if(clean, "a block operation on a part of a value");
            }
            let choose = |body: &mut Self, new: Term, old: Term, bits: u32| {
                let rest = if partly {
                    let mixed = body.mixed(new, old, left, start, bits);
                    body.t.terms.ite(outside, old, mixed)
                } else {
                    old
                };
                body.t.terms.ite(inside, new, rest)
            };
            let old = self.leaves_at(element.cell, place, at, Some(updates));
            let was = self.state_at(element.cell, place, at, Some(updates));
            state = choose(self, state, was, 1);
            leaves = leaves.into_iter().zip(old).map(|(new, old)| choose(self, new, old, 8)).collect();
        }
        self.put_leaves(element.cell, place, at, &leaves, state, updates);
    }

    /// Any value of an element of a cell.
    fn any_element(&mut self, cell: CellId) -> Vec<Term> {
        let mut leaves = Vec::new();
        match self.t.memory.cells[cell.index()].content {
            Content::Value(ty) => self.any(ty).leaves(&mut leaves),
            Content::Units(bytes) => {
                let sort = self.t.terms.bv_sort(bytes * 8);
                leaves.push(self.fresh("any", sort));
            }
        }
        leaves
    }

    /// What the source has where the destination has an element of this content.
    fn fetch(
        &mut self,
        from: Pointer,
        target: Option<Target>,
        content: Content,
        bytes: u64,
        snapshot: Option<&Updates>,
    ) -> Option<Vec<Term>> {
        if let (Content::Value(ty), Some(target)) = (content, target)
            && let [cell] = self.t.memory.cells(target, Some(bytes))[..]
            && let Content::Value(other) = self.t.memory.cells[cell.index()].content
            && self.t.module.ty(ty).kind == self.t.module.ty(other).kind
            && self.starts_at(cell, target)
        {
            return Some(self.leaves_at(cell, from, target, snapshot));
        }
        let bits = self.raw_bits(from, target, bytes, snapshot)?;
        match content {
            Content::Units(_) => Some(vec![bits]),
            Content::Value(ty) => {
                let value = value::from_bits(self.t.module, self.t.terms, bits, ty)?;
                let mut leaves = Vec::new();
                value.leaves(&mut leaves);
                Some(leaves)
            }
        }
    }

    /// The bytes of one element of a cell.
    pub fn element_size(&self, cell: CellId) -> u64 {
        match self.t.memory.cells[cell.index()].content {
            Content::Value(ty) => self.t.module.ty(ty).store_size,
            Content::Units(unit) => u64::from(unit),
        }
    }

    /// Whether an element of a cell starts at a target.
    pub fn starts_at(&self, cell: CellId, target: Target) -> bool {
        let info = &self.t.memory.cells[cell.index()];
        let modulus = self.t.memory.groups[target.group.index()].modulus;
        let into = reduce(target.offset.wrapping_sub(info.offset), modulus);
        into % (self.element_size(cell).max(1) as i64) == 0
    }

    /// The bits of some bytes, whatever the layout is there.
    fn raw_bits(
        &mut self,
        from: Pointer,
        target: Option<Target>,
        bytes: u64,
        snapshot: Option<&Updates>,
    ) -> Option<Term> {
        let mut all: Option<Term> = None;
        let mut done = 0;
        while done < bytes {
            let here = self.moved_target(target, done);
            let cells = here.map_or(Vec::new(), |here| self.t.memory.cells(here, Some(1)));
            let (part, size) = match (here, &cells[..]) {
                (Some(here), &[cell]) if self.starts_at(cell, here) => {
                    let pointer = self.moved(from, done);
                    let leaves = self.leaves_at(cell, pointer, here, snapshot);
                    match self.t.memory.cells[cell.index()].content {
                        Content::Units(unit) => (*leaves.first()?, u64::from(unit)),
                        Content::Value(ty) => {
                            let value = value::build(self.t.module, ty, &mut leaves.into_iter())?;
                            let bits = match &value {
                                Value::Ptr(pointer) => self.pointer_bits(*pointer, None),
                                _ => value::to_bits(self.t.module, self.t.terms, &value, ty)?,
                            };
                            (bits, self.t.module.ty(ty).store_size)
                        }
                    }
                }
                (_, []) => {
                    // Nothing ever reads or writes it there.
                    let sort = self.t.terms.bv_sort(8);
                    (self.fresh("any", sort), 1)
                }
                _ => return None,
            };
            all = Some(match all {
                Some(low) => self.t.terms.mk(Op::Concat, &[part, low]),
                None => part,
            });
            done += size;
        }
        let all = all?;
        (done == bytes).then_some(all)
    }

    /// A loop over the period of the layouts, and the rest that is shorter than one.
    fn block_loop(&mut self, to: Pointer, target: Target, source: Source, bytes: Term) {
        let width = self.t.module.pointer_bits;
        let bytes = value::resize(self.t.terms, bytes, width, false);
        let own = self.t.memory.groups[target.group.index()].modulus;
        let other = match source {
            Source::Memory(_, Some(source)) => self.t.memory.groups[source.group.index()].modulus,
            _ => own,
        };
        let Value::Many(frozen) = self.frozen(&Value::Many(vec![
            Value::Ptr(to),
            Value::Term(bytes),
            match source {
                Source::Memory(from, _) => Value::Ptr(from),
                Source::Byte(byte) => Value::Term(byte),
                Source::Any => Value::Term(bytes),
            },
        ])) else {
            return;
        };
        let (to, bytes, source) = match (&frozen[..], source) {
            (&[Value::Ptr(to), Value::Term(bytes), Value::Ptr(from)], Source::Memory(_, at)) => {
                (to, bytes, Source::Memory(from, at))
            }
            (&[Value::Ptr(to), Value::Term(bytes), Value::Term(byte)], Source::Byte(_)) => {
                (to, bytes, Source::Byte(byte))
            }
            (&[Value::Ptr(to), Value::Term(bytes), _], Source::Any) => (to, bytes, Source::Any),
            _ => return,
        };
        // The source as it is before: copies of the maps that both touch.
        let mut snapshot = Updates::default();
        if let Source::Memory(_, Some(from)) = source
            && from.group == target.group
        {
            let mut pairs = Vec::new();
            for cell in self.t.memory.groups[from.group.index()].cells.clone() {
                let CellVars { vars, states } = self.cell_vars(cell);
                for var in vars.into_iter().chain(states) {
                    let sort = self.t.terms.var_sort(var);
                    let copy = self.local("before", sort);
                    let (old, term) = (self.term(var), self.term(copy));
                    pairs.push((copy, old));
                    snapshot.set(var, term);
                }
            }
            self.assign(pairs);
        }
        self.save(|t, var| t.mutable.contains(&var));
        let period = match (own, other) {
            (0, 0) => 0,
            (0, p) | (p, 0) => p,
            (p, q) => lcm(p, q),
        };
        let sort = self.t.offset_sort();
        let zero = self.t.offset_term(0);
        let index = self.local("index", sort);
        self.push(lariat_program::StmtKind::Assign(vec![(index, zero)]));
        if period != 0 {
            let Ok(Some(elements)) = self.elements(target, period, MAX_ELEMENTS) else {
                self.unsupported("a block operation of unknown length on a part of a value");
                return;
            };
            let (head, round, done) = (self.block("copy"), self.block("round"), self.block("copied"));
            self.goto(head);
            self.current = head;
            let i = self.term(index);
            let left = self.t.terms.bv_sub(bytes, i);
            let step = self.t.offset_term(period as i64);
            let more = self.t.terms.mk(Op::BvUle, &[step, left]);
            self.branch(more, round, done);
            self.current = round;
            let mut updates = Updates::default();
            for element in elements {
                let (to, source) = self.advanced(to, source, i);
                self.put(to, target, source, element, Some(&snapshot), None, &mut updates);
            }
            self.assign(updates.pairs());
            let next = self.t.terms.mk(Op::BvAdd, &[i, step]);
            self.push(lariat_program::StmtKind::Assign(vec![(index, next)]));
            self.goto(head);
            self.current = done;
        }
        if period == 1 {
            return;
        }
        // What is left, the last element perhaps in part.
        let i = self.term(index);
        let left = self.t.terms.bv_sub(bytes, i);
        let extent = match period {
            0 => {
                let cells = &self.t.memory.groups[target.group.index()].cells;
                let ends = cells
                    .iter()
                    .map(|c| &self.t.memory.cells[c.index()])
                    .map(|c| c.offset.saturating_add_unsigned(c.bytes));
                ends.max().unwrap_or(0).saturating_sub(target.offset).max(0) as u64
            }
            period => period,
        };
        let Ok(Some(elements)) = self.elements(target, extent, 4 * MAX_ELEMENTS) else {
            self.unsupported("a block operation of unknown length on a part of a value");
            return;
        };
        let mut updates = Updates::default();
        for element in elements {
            let (to, source) = self.advanced(to, source, i);
            self.put(to, target, source, element, Some(&snapshot), Some(left), &mut updates);
        }
        self.assign(updates.pairs());
    }

    fn advanced(&mut self, to: Pointer, source: Source, by: Term) -> (Pointer, Source) {
        let mut add = |p: Pointer| Pointer { object: p.object, offset: self.t.terms.mk(Op::BvAdd, &[p.offset, by]) };
        let to = add(to);
        let source = match source {
            Source::Memory(from, target) => Source::Memory(add(from), target),
            byte => byte,
        };
        (to, source)
    }

    /// The variables of a cell as terms (or its constant content).
    fn cell_contents(&mut self, cell: CellId) -> Vec<Term> {
        if self.t.memory.cells[cell.index()].constant
            && let Some(terms) = self.t.constant_cell(cell)
        {
            return terms;
        }
        let vars: Vec<Var> = self.cell_vars(cell).vars;
        vars.into_iter().map(|var| self.term(var)).collect()
    }
}

fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
