//! The start of execution: memory gets its initial content, and the entry function is boxed.

use lariat_program::{Loc, Region, RegionKind, StmtKind, Terminator};
use lariat_term::{Op, Term, Var};

use super::{
    Translator,
    body::Body,
    consts::Image,
    lifetimes::Storage,
    value::{self, Value},
};
use crate::{
    library::{self, EXIT_HANDLERS},
    memory::{CellId, Content, Maker, Representation, SiteId, Target, reduce},
    module::{FuncId, InstKind, Operand, TypeId, TypeKind},
};

impl<'a> Translator<'a> {
    /// The region where execution starts.
    pub(super) fn entry_region(&mut self, entry: FuncId) -> Region {
        let function = &self.module.functions[entry.index()];
        let loc = super::location(function.loc);
        let name = format!("{}@entry", function.name);
        let mut body = Body::new(self, None, name.clone());
        body.loc = loc;
        body.initialise();
        body.initial_states();
        for what in &body.t.module.unreadable {
            body.unsupported(what);
        }
        for &constructor in &body.t.module.constructors {
            body.loc = super::location(body.t.module.functions[constructor.index()].loc);
            body.start(constructor, None);
        }
        body.loc = loc;
        let results = body.start(entry, None);
        let returns = function.insts.iter().rev().filter(|inst| matches!(inst.kind, InstKind::Return(_)));
        body.loc = returns.map(|inst| super::location(inst.loc)).find(|&loc| loc != Loc::NONE).unwrap_or(loc);
        let module = body.t.module;
        if let Some(handlers) = module.function(EXIT_HANDLERS) {
            body.start(handlers, results.first().copied());
        }
        for &destructor in &module.destructors {
            body.start(destructor, None);
        }
        body.check_leaks();
        body.end(Terminator::Return);
        let mut region = Region {
            name,
            kind: RegionKind::Procedure,
            loc,
            inputs: Vec::new(),
            outputs: Vec::new(),
            locals: Vec::new(),
            blocks: Vec::new(),
        };
        body.finish(&mut region);
        region
    }

    /// Sets the first number for new objects in the entry regions, which start at this one: it is known only when all
    /// of them are there.
    pub(super) fn start_counting(&mut self, entries: usize) {
        let Some(counter) = self.counter else { return };
        let first = self.object_term(self.next_object);
        for region in &mut self.program.regions[entries..] {
            let kind = StmtKind::Assign(vec![(counter, first)]);
            region.blocks[0].stmts.insert(0, lariat_program::Stmt { kind, loc: Loc::NONE });
        }
    }

    fn image(&mut self, site: SiteId) -> Image {
        let mut image = Image::default();
        if let Maker::Global(g) = self.memory.sites[site.index()].maker {
            match self.module.globals[g.index()].init {
                Some(init) => self.add_to_image(&mut image, init, 0),
                None => image.incomplete = true,
            }
        }
        image
    }

    /// The content of a cell that is never written, if its objects are all initialised.
    pub(super) fn constant_cell(&mut self, cell: CellId) -> Option<Vec<Term>> {
        if let Some(known) = self.constants.get(&cell) {
            return known.clone();
        }
        let terms = self.compute_constant_cell(cell);
        self.constants.insert(cell, terms.clone());
        terms
    }

    fn compute_constant_cell(&mut self, cell: CellId) -> Option<Vec<Term>> {
        let info = self.memory.cells[cell.index()].clone();
        let sites = match info.place {
            Representation::Scalar(site) | Representation::Object(site) => vec![site],
            Representation::Map => self.memory.groups[info.group.index()].sites.clone(),
        };
        let mut result: Option<Vec<Term>> = None;
        for site in sites {
            match self.memory.sites[site.index()].maker {
                Maker::Global(_) => {}
                Maker::Function(_) => continue,
                _ => return None,
            }
            let image = self.image(site);
            if image.incomplete {
                return None;
            }
            let inner = self.cell_image(cell, &image, site)?;
            let object = self.objects[site.index()];
            let object = self.object_term(object);
            result = Some(match (info.place, result) {
                (Representation::Map, None) => {
                    let mut maps = Vec::new();
                    for inner in inner {
                        let sort = self.terms.sort(inner);
                        let index = self.object_sort();
                        let sort = self.terms.array_sort(index, sort);
                        maps.push(self.terms.const_array(sort, inner));
                    }
                    maps
                }
                (Representation::Map, Some(old)) => {
                    old.into_iter().zip(inner).map(|(map, inner)| self.terms.store(map, object, inner)).collect()
                }
                (_, _) => inner,
            });
        }
        result
    }

    /// What an initialiser puts into a cell of one object: the value or units (for a scalar), or maps
    /// from offsets.
    fn cell_image(&mut self, cell: CellId, image: &Image, site: SiteId) -> Option<Vec<Term>> {
        let info = self.memory.cells[cell.index()].clone();
        let size = match info.content {
            Content::Value(ty) => self.module.ty(ty).store_size,
            Content::Units(unit) => u64::from(unit),
        };
        let modulus = self.memory.groups[info.group.index()].modulus;
        let from_start = reduce(info.offset.wrapping_sub(self.memory.sites[site.index()].start), modulus);
        if let Representation::Scalar(_) = info.place {
            let first = u64::try_from(from_start).ok()?;
            return match info.content {
                Content::Value(ty) => self.image_value(image, first, ty),
                Content::Units(unit) => {
                    let count = info.bytes.div_ceil(u64::from(unit));
                    Some((0..count).map(|i| image.mixed_bits(self, first + i * size, size)).collect())
                }
            };
        }
        let offset = self.offset_sort();
        let mut maps = Vec::new();
        for element in self.element_sorts(cell) {
            let sort = self.terms.array_sort(offset, element);
            maps.push(value::zero(self.terms, sort));
        }
        // Only elements that are not zero are written, in order.
        let mut starts: Vec<u64> = Vec::new();
        let pointer = u64::from(self.module.pointer_bits / 8);
        let covered = image.pointers.keys().flat_map(|&at| at..at + pointer);
        for at in image.bytes.keys().copied().chain(covered) {
            let into = reduce((at as i64).wrapping_sub(from_start), modulus);
            let Some(into) = u64::try_from(into).ok().filter(|&into| into < info.bytes) else { continue };
            starts.extend(at.checked_sub(into % size));
        }
        starts.sort_unstable();
        starts.dedup();
        let limit = self.memory.sites[site.index()].size.unwrap_or(u64::MAX);
        for start in starts {
            if start + size > limit {
                continue;
            }
            let leaves = match info.content {
                Content::Value(ty) => self.image_value(image, start, ty)?,
                Content::Units(_) => vec![image.mixed_bits(self, start, size)],
            };
            let index = self.offset_term(start as i64);
            for (map, leaf) in maps.iter_mut().zip(leaves) {
                *map = self.terms.store(*map, index, leaf);
            }
        }
        Some(maps)
    }

    /// The value of a type at an offset of an image.
    fn image_value(&mut self, image: &Image, at: u64, ty: TypeId) -> Option<Vec<Term>> {
        let value = match (&self.module.ty(ty).kind, image.pointers.get(&at)) {
            (TypeKind::Ptr, Some(pointer)) => Value::Ptr(*pointer),
            _ => {
                let bits = image.mixed_bits(self, at, self.module.ty(ty).store_size);
                value::from_bits(self.module, self.terms, bits, ty)?
            }
        };
        let mut leaves = Vec::new();
        value.leaves(&mut leaves);
        Some(leaves)
    }
}

impl Body<'_, '_> {
    /// The initial content of all memory that the functions use.
    fn initialise(&mut self) {
        self.initial_life();
        self.initial_alignments();
        let mut used: Vec<CellId> = self.t.cells.keys().copied().collect();
        used.sort();
        let mut pairs: Vec<(Var, Term)> = self.initial_jumps();
        pairs.extend(self.t.initial_rounding());
        for &(_, flag) in self.t.escaped.iter().flatten() {
            pairs.push((flag, self.t.terms.bool(false)));
        }
        for cell in used {
            let info = self.t.memory.cells[cell.index()].clone();
            let vars = self.cell_vars(cell).vars;
            let sites = match info.place {
                Representation::Scalar(site) | Representation::Object(site) => vec![site],
                Representation::Map => self.t.memory.groups[info.group.index()].sites.clone(),
            };
            let mut terms: Vec<Term> = vars.iter().map(|&var| self.term(var)).collect();
            let mut initialised = false;
            if let Some(arguments) = self.initial_arguments(cell) {
                (terms, initialised) = (arguments, true);
            }
            for site in sites {
                let Maker::Global(g) = self.t.memory.sites[site.index()].maker else { continue };
                if self.t.module.globals[g.index()].init.is_none() {
                    continue;
                }
                let image = self.t.image(site);
                if image.incomplete {
                    self.unsupported(&format!("the initialiser of {}", self.t.module.globals[g.index()].name));
                }
                let Some(inner) = self.t.cell_image(cell, &image, site) else {
                    self.unsupported(&format!("the initialiser of {}", self.t.module.globals[g.index()].name));
                    continue;
                };
                let object = self.t.objects[site.index()];
                let object = self.t.object_term(object);
                initialised = true;
                for (term, inner) in terms.iter_mut().zip(inner) {
                    *term = match info.place {
                        Representation::Map => self.t.terms.store(*term, object, inner),
                        _ => inner,
                    };
                }
            }
            if initialised {
                pairs.extend(vars.into_iter().zip(terms));
            }
        }
        if self.t.misfits {
            self.unsupported("an initialiser with the address of one of so many objects as an integer");
        }
        for (var, term) in pairs {
            let source = self.t.program.globals.iter().find(|d| d.var == var).map(|d| d.loc);
            self.loc = source.unwrap_or(self.loc);
            self.assign(vec![(var, term)]);
        }
    }

    /// Calls a function from outside; the first argument may be a result of another one. Returns its results.
    fn start(&mut self, f: FuncId, first: Option<Var>) -> Vec<Var> {
        let Some(callee) = self.t.regions[f.index()] else {
            self.unsupported(&format!("{} at the start or the end", self.t.module.functions[f.index()].name));
            return Vec::new();
        };
        let mut args = self.entry_arguments(f);
        if let (Some(first), Some(arg)) = (first, args.first_mut()) {
            let given = self.term(first);
            if self.t.terms.sort(given) == self.t.terms.sort(*arg) {
                *arg = given;
            }
        }
        let outputs = self.t.program.regions[callee.index()].outputs.clone();
        let mut results: Vec<Var> = Vec::new();
        for output in outputs {
            let sort = self.t.terms.var_sort(output.var);
            results.push(self.local("result", sort));
        }
        self.push(StmtKind::Box { callee, args, results: results.clone() });
        results
    }

    /// Any arguments; those of `main` as an environment gives them.
    fn entry_arguments(&mut self, entry: FuncId) -> Vec<Term> {
        let function = &self.t.module.functions[entry.index()];
        let is_main = function.name == "main";
        let mut terms = Vec::new();
        for (i, param) in function.params.iter().enumerate() {
            let var = self.t.names.param(entry, i as u32).map(|var| &self.t.module.debug_vars[var.index()]);
            let name = var.map_or(param.name.as_str(), |var| var.name.as_str());
            if is_main && self.t.module.ty(param.ty).kind == TypeKind::Ptr {
                let count = terms.first().copied().filter(|_| i == 1 && terms.len() == 1);
                if (count.is_some() || i == 2)
                    && let Some(vector) = self.pass_strings(i, name, count)
                {
                    if i == 2 && self.t.module.globals.iter().any(|g| g.name == library::ENVIRONMENT) {
                        self.approximate("the third parameter of main beside environ");
                    }
                    terms.extend([vector.object, vector.offset]);
                    continue;
                }
                let target: Option<Target> = self.t.memory.target(entry, Operand::Param(i as u32));
                let used = target.is_some_and(|t| !self.t.memory.groups[t.group.index()].cells.is_empty());
                if used && self.t.options.properties.memory() {
                    self.unsupported("the arguments of main, where memory is checked");
                } else if used && self.t.several_entries {
                    self.approximate("the arguments of main, where it is not the only entry");
                }
                let size = self.t.offset_term(0);
                let thing = self.t.draft.add(name);
                let pointer = self.new_object(size, Storage::Stack, thing);
                terms.extend([pointer.object, pointer.offset]);
                continue;
            }
            let value = self.input(param.ty, "argument", name, var.and_then(|var| var.ty));
            if let (Value::Term(count), true, 0) = (&value, is_main, i)
                && let Some(width) = self.t.terms.bv_width(*count)
            {
                let zero = self.t.terms.bv(width, 0u32);
                let count = self.t.terms.mk(Op::BvSle, &[zero, *count]);
                self.assume(count);
            }
            if let Value::Ptr(pointer) = value
                && self.t.memory.target(entry, Operand::Param(i as u32)).is_some()
            {
                self.assume_null_or_memory(pointer);
            }
            value.leaves(&mut terms);
        }
        if function.varargs {
            let (object, offset) = (self.t.object_term(0), self.t.offset_term(0));
            terms.extend([object, offset]);
        }
        for bytes in self.t.carried[entry.index()].params.clone() {
            terms.extend(self.carried_state(Operand::None, bytes));
        }
        terms.extend(self.pass_held(entry));
        terms
    }
}
