//! The argument vector of `main`: an object of pointers to strings, all from outside and of any number and length.
//!
//! The vector has a fixed number, and string `k` the number `k + 1` behind it. What is true of all of them at the start (where a
//! pointer leads, that a string has an end) is assumed only of those that the program reads, when it reads the pointer. It
//! is said of memory that the program never writes, or else of ghost variables that hold the initial memory and sizes,
//! so it stays true whatever the program does.

use lariat_program::Loc;
use lariat_term::{Op, Term, Var};
use rustc_hash::FxHashMap;

use super::{
    Translator,
    body::Body,
    value::{self, Pointer},
};
use crate::{
    library::{self, Operation},
    memory::{CellId, Content, Target},
    module::{FuncId, Function, TypeKind},
};

/// The ghosts of the argument vector.
pub(super) struct Argv {
    /// The number of arguments, as wide as a pointer.
    count: Var,
    /// Object to its size at the start, if the program may release what it did not allocate.
    sizes: Option<Var>,
    /// What cells hold at the start.
    cells: FxHashMap<CellId, Vec<Var>>,
}

impl Translator<'_> {
    /// Prepares for the arguments of the entry function, if it is `main` and uses its second one. What is said of
    /// them must not hold of the arguments of other entries, so it must be the only one.
    pub(super) fn declare_argv(&mut self, entries: &[FuncId]) {
        let is_main = matches!(entries, [entry] if self.module.functions[entry.index()].name == "main");
        let Some(arguments) = self.memory.arguments.as_ref().filter(|_| is_main) else { return };
        // With 32 bits there are too few numbers for objects from outside.
        if self.memory.groups[arguments.vector.index()].cells.is_empty() || self.module.pointer_bits != 64 {
            return;
        }
        let (object, offset) = (self.object_sort(), self.offset_sort());
        let count = self.global("argv.count", offset, None, Loc::NONE);
        let releases = |f: &Function| library::operation(self.module, f).is_some_and(Operation::frees);
        let fixed = self.options.properties.free || !self.module.functions.iter().any(releases);
        let sizes = (self.lifetimes.size.is_none() || !fixed).then(|| {
            let sort = self.terms.array_sort(object, offset);
            self.global("argv.sizes", sort, None, Loc::NONE)
        });
        self.argv = Some(Argv { count, sizes, cells: FxHashMap::default() });
    }

    /// The number of the argument vector.
    fn argv_object(&self) -> u32 {
        value::outside(self.module).0
    }

    /// The variables of what a cell holds at the start.
    fn initial_cell(&mut self, cell: CellId) -> Vec<Var> {
        if let Some(vars) = self.argv.as_ref().and_then(|argv| argv.cells.get(&cell)) {
            return vars.clone();
        }
        let vars = self.shared_cell(cell).vars;
        if !self.memory.cells[cell.index()].written {
            return vars;
        }
        let mut ghosts = Vec::new();
        for var in vars {
            let sort = self.terms.var_sort(var);
            ghosts.push(self.global("argv.memory", sort, None, Loc::NONE));
        }
        if let Some(argv) = &mut self.argv {
            argv.cells.insert(cell, ghosts.clone());
        }
        ghosts
    }

    fn is_pointer_cell(&self, cell: CellId) -> bool {
        match self.memory.cells[cell.index()].content {
            Content::Value(ty) => self.module.ty(ty).kind == TypeKind::Ptr,
            Content::Units(_) => false,
        }
    }

    fn is_byte_cell(&self, cell: CellId) -> bool {
        match self.memory.cells[cell.index()].content {
            Content::Value(ty) => self.module.ty(ty).kind == TypeKind::Int(8),
            Content::Units(bytes) => bytes == 1,
        }
    }
}

impl Body<'_, '_> {
    /// The argument vector is passed to `main`, with this number of arguments.
    pub fn pass_argv(&mut self, given: Term) -> Option<Pointer> {
        let count = self.t.argv.as_ref()?.count;
        let count = self.term(count);
        let (first, last) = value::outside(self.t.module);
        // More do not fit the stack of a process by far.
        let most = self.t.offset_term(i64::from(last - first - 1));
        let fits = self.t.terms.mk(Op::BvUle, &[count, most]);
        self.assume(fits);
        self.t.terms.bv_width(given)?;
        let given = value::resize(self.t.terms, given, self.t.module.pointer_bits, true);
        let same = self.t.terms.eq(count, given);
        self.assume(same);
        let number = self.t.argv_object();
        let thing = self.t.draft.add("argv");
        self.t.draft.legend.objects.insert(number.into(), thing);
        Some(Pointer { object: self.t.object_term(number), offset: self.t.offset_term(0) })
    }

    /// How many bytes of the vector are pointers to strings; null follows.
    fn argv_bytes(&mut self) -> Option<Term> {
        let count = self.t.argv.as_ref()?.count;
        let count = self.term(count);
        let word = self.t.offset_term(i64::from(self.t.module.pointer_bits / 8));
        Some(self.t.terms.mk(Op::BvMul, &[count, word]))
    }

    /// The sizes of objects at the start, before those of the program are added.
    pub fn initial_sizes(&mut self, none: Term) -> Term {
        let (Some(bytes), Some(argv)) = (self.argv_bytes(), &self.t.argv) else { return none };
        let Some(sizes) = argv.sizes.or(self.t.lifetimes.size) else { return none };
        let sizes = self.term(sizes);
        let (null, zero) = (self.t.object_term(0), self.t.offset_term(0));
        let sizes = self.t.terms.store(sizes, null, zero);
        let word = self.t.offset_term(i64::from(self.t.module.pointer_bits / 8));
        let bytes = self.t.terms.mk(Op::BvAdd, &[bytes, word]);
        let vector = self.t.argv_object();
        let vector = self.t.object_term(vector);
        self.t.terms.store(sizes, vector, bytes)
    }

    /// What a cell holds at the start, if there are ghosts of it.
    pub fn initial_arguments(&mut self, cell: CellId) -> Option<Vec<Term>> {
        let ghosts = self.t.argv.as_ref()?.cells.get(&cell)?.clone();
        Some(ghosts.into_iter().map(|var| self.term(var)).collect())
    }

    /// The size of an object that may be the vector, given what it is otherwise.
    pub fn argv_size(&mut self, p: Pointer, target: Option<Target>, size: Term) -> Term {
        let (Some(argv), Some(arguments)) = (&self.t.argv, &self.t.memory.arguments) else { return size };
        if target.is_none_or(|target| target.group != arguments.vector) || argv.sizes.is_some() {
            return size;
        }
        let vector = self.t.argv_object();
        let vector = self.t.object_term(vector);
        let Some(bytes) = self.argv_bytes() else { return size };
        let word = self.t.offset_term(i64::from(self.t.module.pointer_bits / 8));
        let bytes = self.t.terms.mk(Op::BvAdd, &[bytes, word]);
        let here = self.t.terms.eq(p.object, vector);
        self.t.terms.ite(here, bytes, size)
    }

    /// Memory is read that may be an element of the argument vector or a part of a string of it.
    pub fn read_argument(&mut self, p: Pointer, target: Target, cell: CellId) {
        let (Some(argv), Some(arguments)) = (&self.t.argv, &self.t.memory.arguments) else { return };
        let (sizes, vector) = (argv.sizes.or(self.t.lifetimes.size), self.t.argv_object());
        let strings = &arguments.strings;
        let (first, last) = (self.t.object_term(vector), self.t.object_term(value::outside(self.t.module).1));
        if strings.contains(&target.group) && !self.t.is_byte_cell(cell) {
            let parts = [self.t.terms.mk(Op::BvUlt, &[first, p.object]), self.t.terms.mk(Op::BvUle, &[p.object, last])];
            let inside = self.t.terms.and(&parts);
            self.approximate_if(inside, "an argument of main that is read by other than bytes");
        }
        if target.group != arguments.vector {
            return;
        }
        let here = self.t.terms.eq(p.object, first);
        if !self.t.is_pointer_cell(cell) {
            return self.approximate_if(here, "an element of argv that is read as no pointer");
        }
        let Some(end) = self.argv_bytes() else { return };
        let (zero, word) = (self.t.offset_term(0), self.t.module.pointer_bits / 8);
        let shift = word.trailing_zeros();
        let low = self.t.terms.extract(shift - 1, 0, p.offset);
        let none = self.t.terms.bv(shift, 0u32);
        let conds = [here, self.t.terms.mk(Op::BvUlt, &[p.offset, end]), self.t.terms.eq(low, none)];
        let cond = self.t.terms.and(&conds);
        // String k has the number k + 1 behind the vector.
        let k = self.t.terms.extract(shift + value::OBJECT_BITS - 1, shift, p.offset);
        let next = self.t.object_term(vector + 1);
        let string = self.t.terms.mk(Op::BvAdd, &[next, k]);
        let ghosts = self.t.initial_cell(cell);
        let place = self.t.memory.cells[cell.index()].place;
        let (mut facts, mut null) = (Vec::new(), Vec::new());
        let none = self.t.object_term(0);
        for (ghost, (value, none)) in ghosts.into_iter().zip([(string, none), (zero, zero)]) {
            let ghost = self.term(ghost);
            let element = self.element(place, ghost, first, p.offset);
            facts.push(self.t.terms.eq(element, value));
            null.push(self.t.terms.eq(element, none));
        }
        // The last pointer is null.
        let last = self.t.terms.ne(p.offset, end);
        let other = self.t.terms.not(here);
        let null = self.t.terms.and(&null);
        let null = self.t.terms.or(&[other, last, null]);
        self.assume(null);
        // The others lead to strings, which have an end.
        let Some(sizes) = sizes else { return };
        let sizes = self.term(sizes);
        let size = self.t.terms.select(sizes, string);
        let largest = self.t.offset_term(self.t.module.largest_object() as i64);
        facts.push(self.t.terms.ne(size, zero));
        facts.push(self.t.terms.mk(Op::BvUle, &[size, largest]));
        let one = self.t.offset_term(1);
        let at = self.t.terms.bv_sub(size, one);
        let cells = arguments.strings.iter().flat_map(|group| self.t.memory.groups[group.index()].cells.clone());
        let cells: Vec<CellId> = cells.filter(|&cell| self.t.is_byte_cell(cell)).collect();
        for cell in cells {
            let place = self.t.memory.cells[cell.index()].place;
            for ghost in self.t.initial_cell(cell) {
                let ghost = self.term(ghost);
                let byte = self.element(place, ghost, string, at);
                let nul = self.t.terms.bv(8, 0u32);
                facts.push(self.t.terms.eq(byte, nul));
            }
        }
        let facts = self.t.terms.and(&facts);
        let other = self.t.terms.not(cond);
        let facts = self.t.terms.or(&[other, facts]);
        self.assume(facts);
    }

    /// Memory is copied as it is: what is true of an argument vector is not known of the copy.
    pub fn copy_argument(&mut self, from: Pointer, source: Option<Target>) {
        let Some(arguments) = self.t.memory.arguments.as_ref().filter(|_| self.t.argv.is_some()) else { return };
        if source.is_some_and(|source| source.group == arguments.vector) {
            let vector = self.t.argv_object();
            let vector = self.t.object_term(vector);
            let here = self.t.terms.eq(from.object, vector);
            self.approximate_if(here, "a copy of argv");
        }
    }
}
