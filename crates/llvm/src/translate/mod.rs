//! Translation: a module and the layout of its memory to a [`Program`] of regions over [`Terms`].
//!
//! Each function that can run is a region; a region `NAME@entry` initialises memory and boxes the
//! entry function. The regions may still have loops.
//!
//! **Values.** A value of LLVM is a term over the program's variables (`value::Value`). Inside a
//! block it stays a term until something that it mentions is about to change; then, and if other
//! blocks use it, it moves to a variable of its own.
//!
//! **Memory.** A pointer is an object and an offset. Each cell of the layout is a variable, a map
//! from offsets to values, or a map from objects to such maps. An object that is allocated while the
//! program runs gets the next number; numbers are never used again, so memory of a new object is
//! arbitrary without being havocked.
//!
//! **Decisions** (where C and LLVM leave a choice):
//!
//! - Signed overflow wraps, unless it is checked. Division by zero and shifts beyond the width give
//!   any value. Accesses to memory that is not there read and write the memory that the layout has
//!   for the place. None of them ever cuts an execution off.
//! - `undef`, `poison` and uninitialised variables are any value.
//! - A function that is neither defined nor known returns any value and may change what it is given, or changes
//!   nothing ([`Undefined`]); the result lists it.
//! - What cannot be translated is a failing assertion of kind [`lariat_program::AssertKind::Unsupported`] at its
//!   place: it does not matter unless it is reached.
//! - Rounding is to nearest, unless the program sets the mode (`fesetround`); what clang computes is always rounded to
//!   nearest. NaNs have sign and payload where the program can see them (`float`).
//! - Assignments to volatile variables are read back like others, unless reads of them are inputs.

mod access;
mod address;
mod address_order;
mod align;
mod allocate;
mod argv;
mod arithmetic;
mod asm;
mod behaviour;
mod blocks;
mod body;
mod bounds;
mod builtin;
mod call;
mod cast;
mod comparison;
mod compound;
mod consts;
mod copy;
mod definite_assignment;
mod dispatch;
mod entry;
mod explain;
mod float;
mod frames;
mod handed;
mod init;
mod inst;
mod intrinsics;
mod jumps;
mod leaks;
mod legend;
mod lifetimes;
mod literals;
mod load_store;
mod math;
mod names;
mod parts;
mod printed;
mod property;
mod registers;
mod returns;
mod reuse;
mod scope;
mod strings;
mod terminators;
mod undefined;
mod value;
mod vectors;
mod verifier;

use lariat_program::{FileId, Loc, Program, RegionId, Stage, VarDecl, check_pass, name_matches, place_candidates};
use lariat_term::{Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    assumptions::Assumptions,
    library::{self, EXIT_HANDLERS, READ_STRING, SET_ERRNO, STREAM_USED},
    memory::{CellId, Content, GroupId, Maker, Memory, Representation, Site, SiteId},
    module::{self, Const, ConstId, FuncId, Module, Operand, Param, TypeKind},
    trace::{Legend, is_model},
};

pub use builtin::is_known;
pub(crate) use printed::counts_itself;
pub use property::{NAMES as PROPERTY_NAMES, Properties};
pub use undefined::changing;
pub(crate) use verifier::asks_size;

/// How to translate.
#[derive(Clone, Debug)]
pub struct Options {
    /// The functions to start in: names, or patterns in which `*` stands for any text.
    pub entries: Vec<String>,
    /// What to check.
    pub properties: Properties,
    /// Allocation may give null.
    pub malloc_may_fail: bool,
    /// A volatile read gives any value, and not what was written.
    pub volatile_input: bool,
    /// Where the registers of devices are.
    pub registers: Vec<Registers>,
    /// What a call of a function is that is neither defined nor known.
    pub undefined: Undefined,
}

/// A range of addresses, below 4 GiB, with registers of a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Registers {
    /// The first address.
    pub start: u64,
    /// How many bytes there are.
    pub size: u64,
}

/// What a call of a function is that is neither defined nor known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// It returns any value and may change everything that its arguments lead to.
    Havoc,
    /// It returns any value and changes nothing.
    Any,
    /// It is a failure.
    Error,
}

/// A translated module.
#[derive(Debug)]
pub struct Translated {
    /// The program; its regions are acyclic.
    pub program: Program,
    /// What a verdict about it rests on.
    pub assumptions: Assumptions,
    /// What the program's variables stand for in the source.
    pub legend: Legend,
    /// Candidates for loop invariants that cannot be told at the head of a loop.
    pub misplaced: Vec<Loc>,
}

/// Why a module cannot be translated.
#[derive(Debug, thiserror::Error)]
pub enum TranslateError {
    /// An entry is missing; the first functions that there are.
    #[error("there is no function `{0}` with a body")]
    NoEntry(String, Vec<String>),
    /// A pattern fits no function of the program.
    #[error("no function with a body is called `{0}`")]
    NoMatch(String),
}

/// The functions to start in, each once and in the order of the names and patterns; each of these must fit one.
/// Patterns mean functions of the program, and not models of library functions.
pub fn entries(module: &Module, names: &[String]) -> Result<Vec<FuncId>, TranslateError> {
    let mut found: Vec<FuncId> = Vec::new();
    for name in names {
        let mut new: Vec<FuncId> = Vec::new();
        if name.contains('*') {
            let own = |f: &module::Function| !module.files.get(f.loc.file as usize).is_some_and(|file| is_model(file));
            let fits = |f: &module::Function| f.is_defined() && own(f) && name_matches(name, &f.name);
            let all = (0..).map(FuncId).zip(&module.functions);
            new.extend(all.filter(|(_, f)| fits(f)).map(|(id, _)| id));
            if new.is_empty() {
                return Err(TranslateError::NoMatch(name.clone()));
            }
        } else {
            let defined = module.function(name).filter(|f| module.functions[f.index()].is_defined());
            new.push(defined.ok_or_else(|| TranslateError::NoEntry(name.clone(), own_functions(module)))?);
        }
        new.retain(|f| !found.contains(f));
        found.extend(new);
    }
    Ok(found)
}

/// The first functions of the program itself, for messages.
fn own_functions(module: &Module) -> Vec<String> {
    let own = |f: &&module::Function| {
        f.is_defined() && !module.files.get(f.loc.file as usize).is_some_and(|file| is_model(file))
    };
    module.functions.iter().filter(own).map(|f| f.source.clone()).take(10).collect()
}

/// Which functions can run if execution starts in one of these, by index: constructors and destructors, and those that
/// are called or whose address is taken by one that can run, or by the initialiser of a variable that it uses.
pub fn reachable(module: &Module, entries: &[FuncId]) -> Vec<bool> {
    let mut found = Reach {
        module,
        functions: vec![false; module.functions.len()],
        globals: vec![false; module.globals.len()],
        constants: vec![false; module.constants.len()],
        work: Vec::new(),
    };
    let roots = [EXIT_HANDLERS, SET_ERRNO, READ_STRING, STREAM_USED]
        .iter()
        .filter_map(|name| module.function(name))
        .chain(entries.iter().copied());
    for root in roots.chain(module.constructors.iter().chain(&module.destructors).copied()) {
        found.function(root);
    }
    while let Some(function) = found.work.pop() {
        for inst in &module.functions[function.index()].insts {
            inst.kind.operands(&mut |operand| {
                if let Operand::Const(c) = operand {
                    found.constant(c);
                }
            });
            if let module::InstKind::Call { callee: module::Callee::Function(callee), .. } = &inst.kind {
                found.function(*callee);
            }
        }
    }
    found.functions
}

struct Reach<'a> {
    module: &'a Module,
    functions: Vec<bool>,
    globals: Vec<bool>,
    constants: Vec<bool>,
    work: Vec<FuncId>,
}

impl Reach<'_> {
    fn function(&mut self, f: FuncId) {
        if !std::mem::replace(&mut self.functions[f.index()], true) {
            self.work.push(f);
        }
    }

    fn constant(&mut self, root: ConstId) {
        let mut stack = vec![root];
        while let Some(c) = stack.pop() {
            if std::mem::replace(&mut self.constants[c.index()], true) {
                continue;
            }
            match self.module.constant(c) {
                Const::Global(g) if !std::mem::replace(&mut self.globals[g.index()], true) => {
                    stack.extend(self.module.globals[g.index()].init);
                }
                Const::Function(f) | Const::Label(f, _) => self.function(*f),
                Const::Aggregate(_, members) => stack.extend(members),
                Const::Gep(gep) => {
                    stack.push(gep.base);
                    stack.extend(gep.terms.iter().map(|&(index, _)| index));
                }
                Const::Cast(_, value, _) => stack.push(*value),
                Const::Binary(_, lhs, rhs) => stack.extend([lhs, rhs]),
                _ => {}
            }
        }
    }
}

/// The library functions that can run, have no body, and are not built in: those for which there may be a model.
pub fn undefined(module: &Module, reachable: &[bool]) -> Vec<String> {
    let all = module.functions.iter().zip(reachable);
    let open = all.filter(|(f, reached)| {
        **reached && !f.is_defined() && library::of(module, f).is_some() && library::operation(module, f).is_none()
    });
    open.map(|(f, _)| f.name.clone()).collect()
}

/// Translates a module.
pub fn translate(
    module: &Module,
    memory: &Memory,
    reachable: &[bool],
    terms: &mut Terms,
    options: &Options,
) -> Result<Translated, TranslateError> {
    let entries = entries(module, &options.entries)?;
    let mut translator = Translator::new(module, memory, terms, options);
    translator.run(&entries, reachable);
    let legend = translator.finish_legend();
    let assumptions = translator.assumptions();
    let Translator { mut program, marker, .. } = translator;
    check_pass("translation", &program, terms, Stage::Graph);
    let misplaced = match marker {
        Some(marker) => place_candidates(&mut program, terms, marker),
        None => Vec::new(),
    };
    Ok(Translated { program, assumptions, legend, misplaced })
}

/// The variables of a cell: one per component (pointers have two), and for the units of a
/// [`Representation::Scalar`] one per unit.
#[derive(Clone, Debug)]
struct CellVars {
    vars: Vec<Var>,
    /// Whether the elements have been set: one variable, or one per unit; none if nobody asks.
    states: Vec<Var>,
}

/// A place of the module as one of the program.
fn location(loc: module::Loc) -> Loc {
    if loc.line == 0 { Loc::NONE } else { Loc { file: FileId(loc.file), line: loc.line, column: loc.column } }
}

struct Translator<'a> {
    module: &'a Module,
    memory: &'a Memory,
    terms: &'a mut Terms,
    options: &'a Options,
    program: Program,
    /// The region of each function that has one.
    regions: Vec<Option<RegionId>>,
    /// The number of the object of each site that is single or local, by index; else 0.
    objects: Vec<u32>,
    /// The largest number of an object that must not be written.
    last_constant: u32,
    /// Objects of globals, functions and labels without a site.
    extra: FxHashMap<Maker, u32>,
    labels: FxHashMap<FuncId, u32>,
    next_object: u32,
    /// The number of the next object that is allocated at run time.
    counter: Option<Var>,
    /// The rounding mode, if the program may set it: bits 10 and 11 of what `fegetround` gives.
    rounding: Option<Var>,
    /// String literals that may share memory.
    literals: literals::Literals,
    lifetimes: lifetimes::Lifetimes,
    /// The state of jumps, if there may be any.
    jumps: Option<jumps::Jumps>,
    /// The argument vector of `main`, if that is used.
    argv: Option<argv::Argv>,
    /// There are several entries.
    several_entries: bool,
    /// An entry other than `main` is given pointers.
    given_pointers: bool,
    /// The comparisons that may be with a pointer to a freed block.
    dangling: FxHashSet<(FuncId, module::InstId)>,
    /// Object to alignment, where that is needed.
    alignments: Option<Var>,
    /// The program looks at the low bits of addresses.
    masks: bool,
    /// The ghost map from objects to their places, if the program looks at addresses.
    places: Option<Var>,
    /// The variables of cells that are shared by all functions.
    cells: FxHashMap<CellId, CellVars>,
    /// The content of constant cells, one term per component or unit.
    constants: FxHashMap<CellId, Option<Vec<Term>>>,
    /// The size of the largest global variable.
    largest_global: u64,
    /// An initialiser needs an address as an integer that has no room for it.
    misfits: bool,
    /// All variables of cells: what stores change.
    mutable: FxHashSet<Var>,
    /// Whether code is that of a candidate for a loop invariant, which is never run.
    marker: Option<Var>,
    globals: FxHashSet<Var>,
    names: names::Names,
    undefined: FxHashSet<String>,
    /// The program allocates memory; objects, or memory from outside, must not be too large for offsets.
    allocates: bool,
    limits_objects: bool,
    limits_outside: bool,
    /// Formats that are no constants are printed, and not read.
    unread_formats: bool,
    /// What sets `errno`, if the program may look at it.
    set_errno: Option<FuncId>,
    /// What reads a string to its end, where that matters.
    read_string: Option<FuncId>,
    /// How far library functions have gone in their arguments.
    extents: strings::Extents,
    /// What is called before a stream is used, where that matters.
    stream_used: Option<FuncId>,
    /// Which global variables undefined functions know, once somebody asks.
    escaped: Option<Vec<(SiteId, Var)>>,
    /// The groups with addresses that are moved as integers, once they have been asked for.
    moved: Option<FxHashSet<GroupId>>,
    /// The groups of blocks that may not be there, once they have been asked for.
    nullable: Option<FxHashSet<GroupId>>,
    draft: legend::Draft,
    dispatchers: dispatch::Dispatchers<'a>,
    /// What is passed to and from each function with its state.
    carried: Vec<init::Carried>,
    /// Where pointers to allocated blocks may be.
    holders: leaks::Holders,
    /// The slot of the result, for each function that may end without one.
    missing_returns: Vec<Option<module::InstId>>,
}

impl<'a> Translator<'a> {
    fn new(module: &'a Module, memory: &'a Memory, terms: &'a mut Terms, options: &'a Options) -> Translator<'a> {
        // Constants come first: one comparison tells them from the rest.
        let mut next_object = 1;
        let mut objects = vec![0; memory.sites.len()];
        let constant = |site: &Site| matches!(site.maker, Maker::Global(g) if module.globals[g.index()].constant);
        for (object, _) in objects.iter_mut().zip(&memory.sites).filter(|(_, site)| constant(site)) {
            *object = next_object;
            next_object += 1;
        }
        let last_constant = next_object - 1;
        for (object, site) in objects.iter_mut().zip(&memory.sites) {
            if *object == 0 && (site.single || site.local) {
                *object = next_object;
                next_object += 1;
            }
        }
        let names = names::Names::new(module);
        let draft = legend::Draft::new(module, memory, &names);
        Translator {
            module,
            memory,
            terms,
            options,
            program: Program { files: module.files.clone(), ..Program::default() },
            regions: vec![None; module.functions.len()],
            objects,
            extra: FxHashMap::default(),
            labels: FxHashMap::default(),
            last_constant,
            next_object,
            counter: None,
            rounding: None,
            literals: literals::Literals::default(),
            lifetimes: lifetimes::Lifetimes::default(),
            jumps: None,
            argv: None,
            several_entries: false,
            given_pointers: false,
            dangling: FxHashSet::default(),
            alignments: None,
            masks: false,
            places: None,
            cells: FxHashMap::default(),
            constants: FxHashMap::default(),
            largest_global: module.globals.iter().map(|g| module.ty(g.ty).size).max().unwrap_or(0),
            misfits: false,
            mutable: FxHashSet::default(),
            marker: None,
            globals: FxHashSet::default(),
            names,
            undefined: FxHashSet::default(),
            allocates: false,
            limits_objects: false,
            limits_outside: false,
            unread_formats: false,
            escaped: None,
            moved: None,
            nullable: None,
            set_errno: module.function(SET_ERRNO),
            read_string: module.function(READ_STRING),
            extents: strings::Extents::default(),
            stream_used: module.function(STREAM_USED),
            draft,
            dispatchers: dispatch::Dispatchers::default(),
            carried: vec![init::Carried::default(); module.functions.len()],
            holders: leaks::Holders::default(),
            missing_returns: vec![None; module.functions.len()],
        }
    }

    fn run(&mut self, entries: &[FuncId], reachable: &[bool]) {
        self.declare_life();
        self.declare_extents();
        self.several_entries = entries.len() > 1;
        self.given_pointers = entries.iter().map(|entry| &self.module.functions[entry.index()]).any(|entry| {
            let is_pointer = |param: &Param| self.module.ty(param.ty).kind == TypeKind::Ptr;
            entry.name != "main" && entry.params.iter().any(is_pointer)
        });
        self.declare_argv(entries);
        self.declare_freed();
        self.declare_literals(reachable);
        self.declare_closed(reachable);
        self.declare_terminators(reachable);
        self.declare_alignments(reachable);
        self.declare_jumps(reachable);
        self.holders = self.find_holders();
        self.declare_rounding(reachable);
        let defined = |f: &FuncId| reachable[f.index()] && self.module.functions[f.index()].is_defined();
        let functions: Vec<FuncId> = (0..self.module.functions.len() as u32).map(FuncId).filter(defined).collect();
        for (i, f) in functions.iter().enumerate() {
            self.regions[f.index()] = Some(RegionId(i as u32));
            self.carried[f.index()] = self.find_carried(*f);
            self.missing_returns[f.index()] = self.find_missing_return(*f);
        }
        self.count_calls(&functions);
        // The regions first, so that a box finds the parameters of what it boxes.
        for &f in &functions {
            let region = self.signature(f);
            self.program.regions.push(region);
        }
        for &f in &functions {
            self.function(f);
        }
        let first = self.program.regions.len();
        for &entry in entries {
            let region = self.entry_region(entry);
            self.program.entries.push(RegionId(self.program.regions.len() as u32));
            self.program.regions.push(region);
        }
        self.start_counting(first);
    }

    /// What has been assumed about the environment.
    fn assumptions(&self) -> Assumptions {
        let mut undefined: Vec<String> = self.undefined.iter().cloned().collect();
        undefined.sort();
        let functions = self.module.functions.iter().zip(&self.regions).filter(|(_, region)| region.is_some());
        let modelled = |f: &module::Function| {
            let file = self.module.files.get(f.loc.file as usize);
            file.is_some_and(|file| is_model(file))
                && library::named(&f.name).is_some()
                && ![SET_ERRNO, READ_STRING, STREAM_USED].contains(&f.name.as_str())
        };
        let mut models: Vec<String> = functions.filter(|(f, _)| modelled(f)).map(|(f, _)| f.source.clone()).collect();
        models.sort();
        Assumptions {
            undefined,
            rule: self.options.undefined,
            models,
            malloc_may_fail: self.allocates.then_some(self.options.malloc_may_fail),
            largest_object: self.limits_objects.then(|| self.module.largest_object()),
            largest_outside: self.limits_outside.then_some((1 << 31) - 1),
            unread_formats: self.unread_formats,
        }
    }

    fn object_sort(&mut self) -> Sort {
        self.terms.bv_sort(value::OBJECT_BITS)
    }

    fn offset_sort(&mut self) -> Sort {
        self.terms.bv_sort(self.module.pointer_bits)
    }

    fn object_term(&mut self, object: u32) -> Term {
        self.terms.bv(value::OBJECT_BITS, object)
    }

    fn offset_term(&mut self, offset: i64) -> Term {
        let width = self.module.pointer_bits;
        let bits = (offset as u64) & (u64::MAX >> (64 - width));
        self.terms.bv(width, bits)
    }

    /// A new variable of the whole program.
    fn global(&mut self, name: &str, sort: Sort, source: Option<String>, loc: Loc) -> Var {
        let var = self.variable(name, sort);
        self.program.globals.push(VarDecl { var, source, loc });
        self.mutable.insert(var);
        self.globals.insert(var);
        var
    }

    /// A variable with a name like this one that nothing has yet.
    fn variable(&mut self, name: &str, sort: Sort) -> Var {
        let name = self.names.unique(name);
        let term = self.terms.var(&name, sort);
        match self.terms.as_var(term) {
            Some(var) => var,
            None => unreachable!("a variable is a variable"),
        }
    }

    /// The constant that marks the code of candidates for loop invariants.
    fn candidate_marker(&mut self) -> Var {
        if let Some(marker) = self.marker {
            return marker;
        }
        let var = self.variable("candidate", Sort::BOOL);
        self.program.constants.push(VarDecl { var, source: None, loc: Loc::NONE });
        self.marker = Some(var);
        var
    }

    /// The variable that counts objects.
    fn counter(&mut self) -> Var {
        if let Some(counter) = self.counter {
            return counter;
        }
        let sort = self.object_sort();
        let counter = self.global("object.next", sort, None, Loc::NONE);
        self.counter = Some(counter);
        counter
    }

    /// The number of the object of a maker whose object has a constant number.
    fn object_of(&mut self, maker: Maker) -> Option<u32> {
        if let Some(site) = self.memory.site(maker) {
            let object = self.objects[site.index()];
            return (object != 0).then_some(object);
        }
        match maker {
            Maker::Global(_) | Maker::Function(_) => {
                if let Some(&object) = self.extra.get(&maker) {
                    return Some(object);
                }
                let object = self.next_object;
                self.next_object += 1;
                self.extra.insert(maker, object);
                let thing = self.thing(maker);
                self.draft.legend.objects.insert(object.into(), thing);
                Some(object)
            }
            _ => None,
        }
    }

    /// The sorts of what one element of a cell holds.
    fn element_sorts(&mut self, cell: CellId) -> Vec<Sort> {
        match self.memory.cells[cell.index()].content {
            Content::Value(ty) => {
                let mut sorts = Vec::new();
                if value::sorts(self.module, self.terms, ty, &mut sorts).is_none() {
                    sorts.clear();
                }
                sorts
            }
            Content::Units(bytes) => vec![self.terms.bv_sort(bytes * 8)],
        }
    }

    fn cell_sort(&mut self, place: Representation, element: Sort) -> Sort {
        let (object, offset) = (self.object_sort(), self.offset_sort());
        match place {
            Representation::Scalar(_) => element,
            Representation::Object(_) => self.terms.array_sort(offset, element),
            Representation::Map => {
                let inner = self.terms.array_sort(offset, element);
                self.terms.array_sort(object, inner)
            }
        }
    }

    /// What the variables of a cell are: sorts, names, and names in the source.
    fn cell_decls(&mut self, cell: CellId) -> Vec<(Sort, String, Option<String>, Loc)> {
        let info = self.memory.cells[cell.index()].clone();
        let elements = self.element_sorts(cell);
        let sorts: Vec<Sort> = match (info.place, info.content) {
            (Representation::Scalar(_), Content::Units(bytes)) => {
                let count = info.bytes.div_ceil(u64::from(bytes).max(1)) as usize;
                vec![elements[0]; count]
            }
            _ => elements.iter().map(|&element| self.cell_sort(info.place, element)).collect(),
        };
        let count = sorts.len();
        let mut decls = Vec::with_capacity(count);
        for (i, sort) in sorts.into_iter().enumerate() {
            let (name, source, loc) = self.names.cell(self.module, self.memory, cell, i, count);
            decls.push((sort, name, source, location(loc)));
        }
        decls
    }

    /// The variables of a cell that all functions share.
    fn shared_cell(&mut self, cell: CellId) -> CellVars {
        if let Some(vars) = self.cells.get(&cell) {
            return vars.clone();
        }
        let decls = self.cell_decls(cell);
        let name = format!("{}.set", decls.first().map_or("cell", |decl| &decl.1));
        let vars: Vec<Var> =
            decls.into_iter().map(|(sort, name, source, loc)| self.global(&name, sort, source, loc)).collect();
        self.note_cell(cell, &vars);
        let sorts = if self.follows(cell) { self.state_sorts(cell) } else { Vec::new() };
        let states = sorts.into_iter().map(|sort| self.global(&name, sort, None, Loc::NONE)).collect();
        let vars = CellVars { vars, states };
        self.cells.insert(cell, vars.clone());
        vars
    }
}
