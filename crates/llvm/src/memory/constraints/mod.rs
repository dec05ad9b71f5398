//! The points-to constraints of a module, and their solution by unification.
//!
//! Each value that can carry an address (in particular every integer of at least a byte) has an
//! abstract pointer. Where a value is another one plus a constant, it shares that one's node; where
//! it comes from several values or calls, or is at an unknown distance, edges lead to it.

mod accesses;
mod assembly;
mod calls;
mod instructions;
mod values;
mod varargs;

use rustc_hash::{FxHashMap, FxHashSet};

use super::unify::{Event, FlowKind, HOLDS_OUTSIDE, LOOSE, Nodes, OUTSIDE, Ptr, REAL, gcd};
use super::{Convention, Maker, Outside};
use crate::library::{READ_STRING, SET_ERRNO, STREAM_USED};
use crate::module::{Const, ConstId, FuncId, GlobalId, InstId, Module, Operand, TypeId, TypeKind};

/// A load or store of one value.
pub(super) struct Access {
    pub at: Ptr,
    pub ty: TypeId,
    pub write: bool,
}

/// A block operation: a copy, or (without `from`) a write of one byte all over.
pub(super) struct Block {
    pub to: Ptr,
    pub from: Option<Ptr>,
    pub bytes: Option<u64>,
}

/// An object's origin while the analysis runs.
pub(super) struct Origin {
    pub maker: Maker,
    pub at: Ptr,
    pub size: Option<u64>,
}

/// All constraints of a module, and their solution.
pub(super) struct Constraints<'m> {
    module: &'m Module,
    pub nodes: Nodes,
    /// By function: what its parameters and then its instructions point to.
    pub values: Vec<Vec<Option<Ptr>>>,
    pub consts: FxHashMap<ConstId, Option<Ptr>>,
    pub origins: Vec<Origin>,
    pub site_of: FxHashMap<Maker, u32>,
    pub accesses: Vec<Access>,
    pub blocks: Vec<Block>,
    /// Who calls whom, resolved calls through pointers included.
    pub calls: Vec<Vec<(InstId, FuncId)>>,
    /// The functions that calls through pointers may reach.
    pub callees: FxHashMap<(FuncId, InstId), Vec<FuncId>>,
    /// Functions that they may reach, too, but that take another number of arguments.
    pub misfits: FxHashMap<(FuncId, InstId), Vec<FuncId>>,
    returns: Vec<Option<Ptr>>,
    outside: FxHashMap<FuncId, Ptr>,
    /// Which functions without a body may change what they are given, by index; and the numbers of those that are called.
    changing: &'m [bool],
    undefined_functions: FxHashMap<FuncId, u32>,
    /// The number of all inline assembly that may change memory that is no operand, as an undefined function.
    assembly_function: Option<u32>,
    /// What other inline assembly was given: it may be known to that assembly later.
    given_to_assembly: Vec<Ptr>,
    absolute: Option<Ptr>,
    /// What sets `errno` where a library function fails.
    set_errno: Option<FuncId>,
    /// What reads a string that a library function is given.
    read_string: Option<FuncId>,
    /// What is called before a library function uses a stream.
    stream_used: Option<FuncId>,
    pointer_calls: Vec<(FuncId, InstId)>,
    linked: FxHashSet<(u32, FuncId)>,
    new_globals: Vec<GlobalId>,
    pointer_type: Option<TypeId>,
    i32_type: Option<TypeId>,
    /// How variable arguments are passed.
    pub convention: Convention,
}

impl<'m> Constraints<'m> {
    /// Collects and solves the constraints of the functions that can run.
    pub fn new(module: &'m Module, reachable: &[bool], outside: Outside<'m>) -> Constraints<'m> {
        let find = |kind: &TypeKind| module.types.iter().position(|t| t.kind == *kind).map(|i| TypeId(i as u32));
        let mut constraints = Constraints {
            module,
            nodes: Nodes::new(u64::from(module.pointer_bits / 8)),
            values: module.functions.iter().map(|f| vec![None; f.params.len() + f.insts.len()]).collect(),
            consts: FxHashMap::default(),
            origins: Vec::new(),
            site_of: FxHashMap::default(),
            accesses: Vec::new(),
            blocks: Vec::new(),
            calls: vec![Vec::new(); module.functions.len()],
            callees: FxHashMap::default(),
            misfits: FxHashMap::default(),
            returns: vec![None; module.functions.len()],
            outside: FxHashMap::default(),
            changing: outside.changing,
            undefined_functions: FxHashMap::default(),
            assembly_function: None,
            given_to_assembly: Vec::new(),
            absolute: None,
            set_errno: module.function(SET_ERRNO),
            read_string: module.function(READ_STRING),
            stream_used: module.function(STREAM_USED),
            pointer_calls: Vec::new(),
            linked: FxHashSet::default(),
            new_globals: Vec::new(),
            pointer_type: find(&TypeKind::Ptr),
            i32_type: find(&TypeKind::Int(32)),
            convention: Convention::new(module, reachable),
        };
        let runs = |f: usize| reachable.get(f).copied().unwrap_or(false) && module.functions[f].is_defined();
        for f in (0..module.functions.len()).filter(|&f| runs(f)) {
            for i in 0..module.functions[f].insts.len() {
                constraints.inst(FuncId(f as u32), InstId(i as u32));
            }
        }
        if let Some(number) = constraints.assembly_function {
            for p in std::mem::take(&mut constraints.given_to_assembly) {
                let given = constraints.nodes.given(number);
                constraints.nodes.flow(p, given, 0);
                constraints.nodes.escape(p, number);
            }
        }
        constraints.solve();
        // What nobody calls gets its arguments from outside.
        let mut called = vec![false; module.functions.len()];
        for calls in &constraints.calls {
            for (_, c) in calls {
                called[c.index()] = true;
            }
        }
        for f in (0..module.functions.len()).filter(|&f| runs(f)) {
            let id = FuncId(f as u32);
            if !called[f] || module.functions[f].name == "main" || outside.entries.contains(&id) {
                constraints.enter(id);
            }
        }
        constraints.solve();
        for callees in constraints.callees.values_mut().chain(constraints.misfits.values_mut()) {
            callees.sort_unstable();
        }
        constraints
    }

    /// Makes sure that every place that is accessed can be told.
    pub fn settle(&mut self) {
        let blocks = self.blocks.iter().flat_map(|b| b.from.into_iter().chain([b.to]));
        let all: Vec<Ptr> = self.accesses.iter().map(|a| a.at).chain(blocks).collect();
        loop {
            while all.iter().any(|&p| self.nodes.settle(p)) {
                self.solve();
            }
            if !self.loosen() {
                return;
            }
        }
    }

    /// Offsets in the node of a pointer are not told apart any more.
    pub fn collapse(&mut self, p: Ptr) {
        self.nodes.stride(p, 1);
        self.solve();
    }

    fn solve(&mut self) {
        loop {
            self.init_globals();
            match self.nodes.run() {
                Event::Call(call) => self.resolve(call),
                Event::Done if self.new_globals.is_empty() => return,
                Event::Done => {}
            }
        }
    }

    /// Gives up offsets where pointers may lead to any place that is aligned for what is accessed there; says if
    /// it did.
    fn loosen(&mut self) -> bool {
        let mut loosened = false;
        while self.nodes.may_escape() {
            let accesses = self.accesses.iter().map(|a| (a.at, u64::from(self.module.ty(a.ty).align).max(1)));
            let blocks = self.blocks.iter().flat_map(|b| b.from.into_iter().chain([b.to])).map(|at| (at, 1));
            let places: Vec<(Ptr, u64)> = accesses.chain(blocks).collect();
            let mut changed = false;
            for (at, align) in places {
                let modulus = self.nodes.modulus(at);
                if self.nodes.flags(at) & LOOSE != 0 && gcd(modulus, align) != modulus {
                    self.nodes.stride(at, align);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
            loosened = true;
            self.solve();
        }
        loosened
    }

    /// The function is called from outside.
    fn enter(&mut self, f: FuncId) {
        let module = self.module;
        for (k, p) in module.functions[f.index()].params.iter().enumerate() {
            let Some(at) = self.value(f, Operand::Param(k as u32)) else { continue };
            if p.byval.is_some() || is_aggregate(module, p.ty) {
                self.nodes.flag(at, HOLDS_OUTSIDE);
            } else if module.ty(p.ty).kind == TypeKind::Ptr {
                self.nodes.flag(at, OUTSIDE);
            }
        }
    }

    // ---- objects ----

    fn site(&mut self, maker: Maker, size: Option<u64>) -> Ptr {
        if let Some(&s) = self.site_of.get(&maker) {
            return self.origins[s as usize].at;
        }
        let at = self.nodes.fresh();
        self.nodes.flag(at, REAL);
        self.site_of.insert(maker, self.origins.len() as u32);
        self.origins.push(Origin { maker, at, size });
        match maker {
            Maker::Function(f) => self.nodes.add_function(at, f),
            Maker::Global(g) => self.new_globals.push(g),
            _ => {}
        }
        at
    }

    fn init_globals(&mut self) {
        while let Some(g) = self.new_globals.pop() {
            let global = &self.module.globals[g.index()];
            let at = self.site(Maker::Global(g), None);
            match global.init {
                Some(init) => self.fill(at, init),
                None => self.nodes.flag(at, HOLDS_OUTSIDE),
            }
        }
    }

    /// A constant is stored at `at` from the beginning.
    fn fill(&mut self, at: Ptr, init: ConstId) {
        let module = self.module;
        let mut stack = vec![(init, 0i64)];
        while let Some((c, offset)) = stack.pop() {
            if let Const::Aggregate(ty, members) = module.constant(c) {
                let place = |k: usize| match &module.ty(*ty).kind {
                    TypeKind::Struct(fields) => fields.get(k).map_or(0, |f| f.1 as i64),
                    TypeKind::Array(e, _) | TypeKind::Vector(e, _) => k as i64 * module.ty(*e).size as i64,
                    _ => 0,
                };
                stack.extend(members.iter().enumerate().map(|(k, &m)| (m, offset + place(k))));
            } else if let Some(value) = self.const_ptr(c) {
                let slot = self.nodes.slot(at.plus(offset), const_size(module, c));
                let kind = match module.constant(c) {
                    Const::Cast(..) | Const::Binary(..) => FlowKind::IntegerStored,
                    _ => FlowKind::PointerStored,
                };
                self.nodes.flow_as(value, slot.written, 0, kind);
            }
        }
    }

    /// The size of an address.
    fn word(&self) -> u64 {
        u64::from(self.module.pointer_bits / 8)
    }
}

/// Is a value of this type a little memory of its own (see [`Constraints::load`])?
fn is_aggregate(module: &Module, ty: TypeId) -> bool {
    matches!(module.ty(ty).kind, TypeKind::Struct(_) | TypeKind::Array(..))
}

/// The size in bytes of a constant that is no aggregate.
fn const_size(module: &Module, mut c: ConstId) -> u64 {
    loop {
        match module.constant(c) {
            Const::Int(t, _)
            | Const::Float(t, _)
            | Const::Zero(t)
            | Const::Undef(t)
            | Const::Poison(t)
            | Const::Aggregate(t, _)
            | Const::Bytes(t, _)
            | Const::Cast(_, _, t)
            | Const::Other(t, _) => return module.ty(*t).store_size,
            Const::Binary(_, a, _) => c = *a,
            Const::Null | Const::Global(_) | Const::Function(_) | Const::Label(..) | Const::Gep(_) => {
                return u64::from(module.pointer_bits / 8);
            }
        }
    }
}
