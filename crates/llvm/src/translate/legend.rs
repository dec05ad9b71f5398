//! What the variables of the program stand for, for traces.

use lariat_program::VarDecl;
use lariat_term::Var;
use rustc_hash::FxHashMap;

use super::{Translator, names::Names, value};
use crate::{
    memory::{CellId, Content, Maker, Memory, Representation},
    module::{
        Callee, Const, DebugType, DebugTypeId, DebugTypeKind, DebugVar, FuncId, Function, InstKind, Module, TypeId,
        TypeKind,
    },
    trace::{CellLegend, Half, Legend, Meaning, Thing, ThingKind, Where, is_model, literal},
};

/// A legend in the making. The first things are the sites, by their numbers.
pub(super) struct Draft {
    pub legend: Legend,
    /// Types of inputs that only the names of functions tell.
    named: FxHashMap<&'static str, DebugTypeId>,
}

impl Draft {
    pub fn new(module: &Module, memory: &Memory, names: &Names) -> Draft {
        let things = memory.sites.iter().map(|site| thing(module, names, site.maker)).collect();
        let renamed = module.functions.iter().filter(|f| f.name != f.source);
        let legend = Legend {
            types: module.debug_types.clone(),
            pointer_bits: module.pointer_bits,
            offset_bits: value::split(module).1,
            things,
            renamed: renamed.map(|f| (f.name.clone(), f.source.clone())).collect(),
            ..Legend::default()
        };
        Draft { legend, named: FxHashMap::default() }
    }

    /// Something that nothing in the source names.
    pub fn add(&mut self, name: &str) -> usize {
        self.add_thing(other(name.to_owned(), ThingKind::Other))
    }

    fn add_thing(&mut self, thing: Thing) -> usize {
        self.legend.things.push(thing);
        self.legend.things.len() - 1
    }

    /// The type of what a function without a body returns: from its declaration, else from its name.
    pub fn input_type(&mut self, function: &Function) -> Option<DebugTypeId> {
        if function.result.is_some() {
            return function.result;
        }
        let what = function.name.split_once("nondet_")?.1;
        let (name, kind, bits) = match what {
            "bool" | "_Bool" => ("_Bool", DebugTypeKind::Bool, 8),
            "char" => ("char", DebugTypeKind::Char { signed: true }, 8),
            "uchar" | "unsigned_char" | "u8" => ("unsigned char", DebugTypeKind::Char { signed: false }, 8),
            "float" => ("float", DebugTypeKind::Float, 32),
            "double" => ("double", DebugTypeKind::Float, 64),
            "pointer" => ("void *", DebugTypeKind::Pointer(None), u64::from(self.legend.pointer_bits)),
            _ if what.starts_with('u') || what == "size_t" => ("unsigned", DebugTypeKind::Unsigned, 0),
            _ => return None,
        };
        let types = &mut self.legend.types;
        Some(*self.named.entry(name).or_insert_with(|| {
            types.push(DebugType { name: name.into(), kind, bits });
            DebugTypeId(types.len() as u32 - 1)
        }))
    }
}

fn other(name: String, kind: ThingKind) -> Thing {
    Thing { name, kind, ty: None, function: None, loc: lariat_program::Loc::NONE }
}

fn thing(module: &Module, names: &Names, maker: Maker) -> Thing {
    let variable = |var: &DebugVar, function: Option<FuncId>| Thing {
        name: var.name.clone(),
        kind: ThingKind::Variable,
        ty: var.ty,
        function: function.map(|f| module.functions[f.index()].source.clone()),
        loc: super::location(var.loc),
    };
    match maker {
        Maker::Global(g) => {
            let global = &module.globals[g.index()];
            match (global.debug, global.init.map(|c| module.constant(c))) {
                (Some(var), _) => variable(&module.debug_vars[var.index()], None),
                (None, Some(Const::Bytes(_, bytes))) => other(literal(bytes), ThingKind::Literal),
                _ => other(global.name.clone(), ThingKind::Other),
            }
        }
        Maker::Function(f) => other(module.functions[f.index()].source.clone(), ThingKind::Function),
        Maker::Alloca(f, slot) => match names.slot(f, slot) {
            Some(var) => variable(&module.debug_vars[var.index()], Some(f)),
            None => other(format!("slot{}", slot.0), ThingKind::Other),
        },
        Maker::Copy(f, param) => match names.param(f, param) {
            Some(var) => variable(&module.debug_vars[var.index()], Some(f)),
            None => other(format!("param{param}"), ThingKind::Other),
        },
        Maker::Heap(f, inst) => {
            let function = &module.functions[f.index()];
            let inst = function.inst(inst);
            // Memory that a model allocates is known by the function that it models.
            if let Some(file) = module.files.get(inst.loc.file as usize).filter(|file| is_model(file)) {
                let public = !function.name.starts_with("lariat_");
                let file = file.rsplit('/').next().unwrap_or("").trim_end_matches(".c");
                return other(if public { &function.name } else { file }.to_owned(), ThingKind::Heap);
            }
            let name = match &inst.kind {
                InstKind::Call { callee: Callee::Function(callee), .. } => {
                    module.functions[callee.index()].name.as_str()
                }
                _ => "block",
            };
            Thing { loc: super::location(inst.loc), ..other(name.into(), ThingKind::Heap) }
        }
        Maker::VarArgs(_) => other("varargs".into(), ThingKind::Other),
        Maker::Outside => other("outside".into(), ThingKind::Other),
    }
}

impl Translator<'_> {
    /// What the objects of a maker are.
    pub(super) fn thing(&mut self, maker: Maker) -> usize {
        match self.memory.site(maker) {
            Some(site) => site.index(),
            None => self.draft.add_thing(thing(self.module, &self.names, maker)),
        }
    }

    /// Takes note of the variables of a cell.
    pub(super) fn note_cell(&mut self, cell: CellId, vars: &[Var]) {
        let info = &self.memory.cells[cell.index()];
        let object = |site: crate::memory::SiteId| u64::from(self.objects[site.index()]);
        let place = match info.place {
            Representation::Scalar(site) => {
                let offset = info.offset.saturating_sub(self.memory.sites[site.index()].start).max(0) as u64;
                Where::Scalar { object: object(site), offset }
            }
            Representation::Object(site) => Where::Object(object(site)),
            Representation::Map => Where::Map,
        };
        let (size, units) = match info.content {
            Content::Value(ty) => (self.module.ty(ty).store_size, false),
            Content::Units(bytes) => (u64::from(bytes), true),
        };
        let number = self.draft.legend.cells.len();
        self.draft.legend.cells.push(CellLegend { vars: vars.to_vec(), place, size: size.max(1), units });
        for (i, &var) in vars.iter().enumerate() {
            self.draft.legend.vars.insert(var, Meaning::Cell(number, i));
        }
    }

    /// Takes note of the variables of a parameter.
    pub(super) fn note_param(&mut self, f: FuncId, param: u32, ty: TypeId, decls: &[VarDecl]) {
        let Some(var) = self.names.param(f, param).map(|var| &self.module.debug_vars[var.index()]) else { return };
        let record = |ty: DebugTypeId| {
            let kind = &self.module.debug_types[crate::trace::strip(&self.module.debug_types, ty).index()].kind;
            matches!(kind, DebugTypeKind::Struct(_) | DebugTypeKind::Union(_))
        };
        // A structure comes in pieces, or as a pointer to a copy.
        if var.ty.is_some_and(record) {
            return;
        }
        for (half, decl) in halves(self.module, ty).into_iter().zip(decls) {
            let meaning = Meaning::Param { name: var.name.clone(), ty: var.ty, half };
            self.draft.legend.vars.insert(decl.var, meaning);
        }
    }

    /// Takes note of the variables of a result.
    pub(super) fn note_result(&mut self, f: FuncId, ty: TypeId, decls: &[VarDecl]) {
        let result = self.module.functions[f.index()].result;
        for (half, decl) in halves(self.module, ty).into_iter().zip(decls) {
            self.draft.legend.vars.insert(decl.var, Meaning::Result { ty: result, half });
        }
    }

    /// Takes note of an input.
    pub(super) fn note_input(&mut self, var: Var, what: &str, ty: Option<DebugTypeId>) {
        self.draft.legend.vars.insert(var, Meaning::Input { what: what.to_owned(), ty });
    }

    /// Everything that is noted, after the translation.
    pub(super) fn finish_legend(&mut self) -> Legend {
        let mut legend = std::mem::take(&mut self.draft.legend);
        legend.globals = self.globals.iter().copied().collect();
        legend.watched = self.lifetimes.watched;
        (legend.sizes, legend.blocks) = (self.lifetimes.size, self.lifetimes.heap);
        let fixed = self.objects.iter().enumerate().filter(|(_, object)| **object != 0);
        legend.objects.extend(fixed.map(|(site, &object)| (u64::from(object), site)));
        legend
    }
}

/// Which halves of a pointer the variables of a value are; none for a value of several parts.
fn halves(module: &Module, ty: TypeId) -> Vec<Option<Half>> {
    match module.ty(ty).kind {
        TypeKind::Ptr => vec![Some(Half::Object), Some(Half::Offset)],
        TypeKind::Int(_) | TypeKind::Float(_) => vec![None],
        _ => Vec::new(),
    }
}
