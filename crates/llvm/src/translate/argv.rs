//! The arguments of `main` and its environment: objects of pointers to strings, all from outside and of any number and length.
//!
//! Each vector has a fixed number, and its string `k` the number `k + 1` behind it. What is true of all of them at the start (where a
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
    memory::{CellId, Content, GroupId, Target},
    module::{FuncId, Function, TypeKind},
};

/// The ghosts of the vectors of strings.
pub(super) struct Argv {
    vectors: Vec<Vector>,
    /// Object to its size at the start, if the program may release what it did not allocate.
    sizes: Option<Var>,
    /// What cells hold at the start.
    cells: FxHashMap<CellId, Vec<Var>>,
}

/// A vector of strings that `main` is given.
#[derive(Clone)]
struct Vector {
    /// The number of the parameter.
    parameter: usize,
    /// How many strings there are, as wide as a pointer.
    count: Var,
    /// Its own number as an object, and the last one that a string of it may have.
    object: u32,
    last: u32,
    /// Where it is, and where its strings are.
    group: GroupId,
    strings: Vec<GroupId>,
}

/// How many objects there may be of a vector: itself and its strings.
const OBJECTS: u32 = 1 << 29;

impl Translator<'_> {
    /// Prepares for the vectors that the entry function is given, if it is `main` and uses them. What is said of
    /// them must not hold of the arguments of other entries, so it must be the only one.
    pub(super) fn declare_argv(&mut self, entries: &[FuncId]) {
        if !matches!(entries, [entry] if self.module.functions[entry.index()].name == "main") {
            return;
        }
        let (object, offset) = (self.object_sort(), self.offset_sort());
        let mut vectors = Vec::new();
        for arguments in self.memory.arguments.clone() {
            if self.memory.groups[arguments.vector.index()].cells.is_empty() {
                continue;
            }
            let name = if arguments.parameter == 1 { "argv.count" } else { "envp.count" };
            let count = self.global(name, offset, None, Loc::NONE);
            // No number of 32 bits leads there.
            let object = (1 << 30) + OBJECTS * (arguments.parameter as u32 - 1);
            vectors.push(Vector {
                parameter: arguments.parameter,
                count,
                object,
                last: object + OBJECTS - 1,
                group: arguments.vector,
                strings: arguments.strings,
            });
        }
        if vectors.is_empty() {
            return;
        }
        let releases = |f: &Function| library::operation(self.module, f).is_some_and(Operation::frees);
        let fixed = self.options.properties.free || !self.module.functions.iter().any(releases);
        let sizes = (self.lifetimes.size.is_none() || !fixed).then(|| {
            let sort = self.terms.array_sort(object, offset);
            self.global("argv.sizes", sort, None, Loc::NONE)
        });
        self.argv = Some(Argv { vectors, sizes, cells: FxHashMap::default() });
    }

    fn vectors(&self) -> Vec<Vector> {
        self.argv.as_ref().map(|argv| argv.vectors.clone()).unwrap_or_default()
    }

    /// The first and the last number of objects that `main` is given, if they are not among those from outside.
    pub(super) fn given_objects(&self) -> Option<(u32, u32)> {
        (self.argv.is_some() && self.module.pointer_bits != 64).then_some((1 << 30, (1 << 31) - 1))
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
    /// The vector that is this parameter of `main`, with this number of strings, if that is given.
    pub fn pass_strings(&mut self, parameter: usize, name: &str, given: Option<Term>) -> Option<Pointer> {
        let vector = self.t.vectors().into_iter().find(|vector| vector.parameter == parameter)?;
        let count = self.term(vector.count);
        // More do not fit the stack of a process by far.
        let word = i64::from(self.t.module.pointer_bits / 8);
        let most = i64::from(OBJECTS - 2).min(self.t.module.largest_object() as i64 / word - 1);
        let most = self.t.offset_term(most);
        let fits = self.t.terms.mk(Op::BvUle, &[count, most]);
        self.assume(fits);
        if let Some(given) = given {
            self.t.terms.bv_width(given)?;
            let given = value::resize(self.t.terms, given, self.t.module.pointer_bits, true);
            let same = self.t.terms.eq(count, given);
            self.assume(same);
        }
        let thing = self.t.draft.add(name);
        self.t.draft.legend.objects.insert(vector.object.into(), thing);
        Some(Pointer { object: self.t.object_term(vector.object), offset: self.t.offset_term(0) })
    }

    /// How many bytes of a vector are pointers to strings; null follows.
    fn pointer_bytes(&mut self, vector: &Vector) -> Term {
        let count = self.term(vector.count);
        let word = self.t.offset_term(i64::from(self.t.module.pointer_bits / 8));
        self.t.terms.mk(Op::BvMul, &[count, word])
    }

    /// The size of a vector.
    fn vector_bytes(&mut self, vector: &Vector) -> Term {
        let bytes = self.pointer_bytes(vector);
        let word = self.t.offset_term(i64::from(self.t.module.pointer_bits / 8));
        self.t.terms.mk(Op::BvAdd, &[bytes, word])
    }

    /// The sizes of objects at the start, before those of the program are added.
    pub fn initial_sizes(&mut self, none: Term) -> Term {
        let Some(argv) = &self.t.argv else { return none };
        let Some(sizes) = argv.sizes.or(self.t.lifetimes.size) else { return none };
        let sizes = self.term(sizes);
        let (null, zero) = (self.t.object_term(0), self.t.offset_term(0));
        let mut sizes = self.t.terms.store(sizes, null, zero);
        for vector in self.t.vectors() {
            let bytes = self.vector_bytes(&vector);
            let object = self.t.object_term(vector.object);
            sizes = self.t.terms.store(sizes, object, bytes);
        }
        sizes
    }

    /// What a cell holds at the start, if there are ghosts of it.
    pub fn initial_arguments(&mut self, cell: CellId) -> Option<Vec<Term>> {
        let ghosts = self.t.argv.as_ref()?.cells.get(&cell)?.clone();
        Some(ghosts.into_iter().map(|var| self.term(var)).collect())
    }

    /// The size of an object that may be a vector, given what it is otherwise.
    pub fn argv_size(&mut self, p: Pointer, target: Option<Target>, size: Term) -> Term {
        let mut size = size;
        if self.t.argv.as_ref().is_none_or(|argv| argv.sizes.is_some()) {
            return size;
        }
        for vector in self.t.vectors() {
            if target.is_some_and(|target| target.group == vector.group) {
                let bytes = self.vector_bytes(&vector);
                let object = self.t.object_term(vector.object);
                let here = self.t.terms.eq(p.object, object);
                size = self.t.terms.ite(here, bytes, size);
            }
        }
        size
    }

    /// Memory is read that may be an element of a vector or a part of a string of it.
    pub fn read_argument(&mut self, p: Pointer, target: Target, cell: CellId) {
        for vector in self.t.vectors() {
            self.read_vector(&vector, p, target, cell);
        }
    }

    fn read_vector(&mut self, vector: &Vector, p: Pointer, target: Target, cell: CellId) {
        let Some(argv) = &self.t.argv else { return };
        let sizes = argv.sizes.or(self.t.lifetimes.size);
        let (first, last) = (self.t.object_term(vector.object), self.t.object_term(vector.last));
        if vector.strings.contains(&target.group) && !self.t.is_byte_cell(cell) {
            let parts = [self.t.terms.mk(Op::BvUlt, &[first, p.object]), self.t.terms.mk(Op::BvUle, &[p.object, last])];
            let inside = self.t.terms.and(&parts);
            self.approximate_if(inside, "an argument of main that is read by other than bytes");
        }
        if target.group != vector.group {
            return;
        }
        let here = self.t.terms.eq(p.object, first);
        if !self.t.is_pointer_cell(cell) {
            return self.approximate_if(here, "an element of argv that is read as no pointer");
        }
        let end = self.pointer_bytes(vector);
        let (zero, word) = (self.t.offset_term(0), self.t.module.pointer_bits / 8);
        let shift = word.trailing_zeros();
        let low = self.t.terms.extract(shift - 1, 0, p.offset);
        let none = self.t.terms.bv(shift, 0u32);
        let conds = [here, self.t.terms.mk(Op::BvUlt, &[p.offset, end]), self.t.terms.eq(low, none)];
        let cond = self.t.terms.and(&conds);
        // String k has the number k + 1 behind the vector.
        let high = (shift + value::OBJECT_BITS).min(self.t.module.pointer_bits) - 1;
        let k = self.t.terms.extract(high, shift, p.offset);
        let k = value::resize(self.t.terms, k, value::OBJECT_BITS, false);
        let next = self.t.object_term(vector.object + 1);
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
        let cells = vector.strings.iter().flat_map(|group| self.t.memory.groups[group.index()].cells.clone());
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

    /// Memory is copied as it is: what is true of a vector is not known of the copy.
    pub fn copy_argument(&mut self, from: Pointer, source: Option<Target>) {
        for vector in self.t.vectors() {
            if source.is_some_and(|source| source.group == vector.group) {
                let object = self.t.object_term(vector.object);
                let here = self.t.terms.eq(from.object, object);
                self.approximate_if(here, "a copy of argv");
            }
        }
    }
}
