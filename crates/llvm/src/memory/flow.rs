//! What instructions do with pointers.
//!
//! Each value that can carry an address (in particular every integer of at least a byte) has an
//! abstract pointer. Where a value is another one plus a constant, it shares that one's node; where
//! it comes from several values or calls, or is at an unknown distance, edges lead to it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::unify::{
    ALIGNED, ARBITRARY, Event, FlowKind, HOLDS_OUTSIDE, LOOSE, Nodes, OUTSIDE, Ptr, REAL, Slot, USED, gcd,
};
use super::{Convention, Maker, Variable, leaves};
use crate::assembly::{Assembly, Write};
use crate::library::{self, Operation, READ_STRING, SET_ERRNO, STREAM_USED};
use crate::module::{
    BinaryOp, Callee, CastOp, Const, ConstId, FuncId, Function, Gep, GlobalId, Inst, InstId, InstKind, Module, Operand,
    TypeId, TypeKind,
};

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
pub(super) struct Flows<'m> {
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

impl<'m> Flows<'m> {
    /// Collects and solves the constraints of the functions that can run.
    pub fn new(module: &'m Module, reachable: &[bool], changing: &'m [bool]) -> Flows<'m> {
        let find = |kind: &TypeKind| module.types.iter().position(|t| t.kind == *kind).map(|i| TypeId(i as u32));
        let mut flows = Flows {
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
            changing,
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
                flows.inst(FuncId(f as u32), InstId(i as u32));
            }
        }
        if let Some(number) = flows.assembly_function {
            for p in std::mem::take(&mut flows.given_to_assembly) {
                let given = flows.nodes.given(number);
                flows.nodes.flow(p, given, 0);
                flows.nodes.escape(p, number);
            }
        }
        flows.solve();
        // What nobody calls gets its arguments from outside.
        let mut called = vec![false; module.functions.len()];
        for calls in &flows.calls {
            for (_, c) in calls {
                called[c.index()] = true;
            }
        }
        for f in (0..module.functions.len()).filter(|&f| runs(f)) {
            if !called[f] || module.functions[f].name == "main" {
                flows.enter(FuncId(f as u32));
            }
        }
        flows.solve();
        for callees in flows.callees.values_mut().chain(flows.misfits.values_mut()) {
            callees.sort_unstable();
        }
        flows
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

    // ---- values ----

    /// What an operand points to; `None` if it never points to anything.
    fn value(&mut self, f: FuncId, op: Operand) -> Option<Ptr> {
        let module = self.module;
        let function = &module.functions[f.index()];
        match op {
            Operand::None => None,
            Operand::Const(c) => self.const_value(c),
            Operand::Param(k) => {
                let param = function.params.get(k as usize)?;
                let known = self.values[f.index()][k as usize];
                Some(known.unwrap_or_else(|| {
                    let at = match param.byval {
                        Some(ty) => self.site(Maker::Copy(f, k), Some(module.ty(ty).size)),
                        None => self.nodes.fresh(),
                    };
                    self.values[f.index()][k as usize] = Some(at);
                    at
                }))
            }
            Operand::Inst(i) => {
                if !carries(module, function.insts.get(i.index())?) {
                    return None;
                }
                let k = function.params.len() + i.index();
                Some(*self.values[f.index()][k].get_or_insert_with(|| self.nodes.fresh()))
            }
        }
    }

    fn define(&mut self, f: FuncId, i: InstId, value: Ptr) {
        let function = &self.module.functions[f.index()];
        if !carries(self.module, function.inst(i)) {
            return;
        }
        let known = &mut self.values[f.index()][function.params.len() + i.index()];
        match *known {
            // Something has used it before, such as a phi of a loop.
            Some(known) => self.nodes.unify(known, value),
            None => *known = Some(value),
        }
    }

    fn const_value(&mut self, c: ConstId) -> Option<Ptr> {
        let Const::Aggregate(ty, _) = self.module.constant(c) else { return self.const_ptr(c) };
        if let Some(&known) = self.consts.get(&c) {
            return known;
        }
        let value = self.nodes.fresh();
        self.consts.insert(c, Some(value));
        if is_aggregate(self.module, *ty) {
            self.fill(value, c);
        } else {
            // A vector: one pointer for all elements.
            let memory = self.nodes.fresh();
            self.fill(memory, c);
            for (offset, element) in leaves(self.module, *ty).unwrap_or_default() {
                let slot = self.nodes.slot(memory.plus(offset as i64), self.module.ty(element).store_size);
                self.nodes.flow(slot.read, value, 0);
            }
        }
        Some(value)
    }

    /// What a constant that is no aggregate points to.
    fn const_ptr(&mut self, c: ConstId) -> Option<Ptr> {
        let module = self.module;
        let mut stack = vec![c];
        while let Some(&c) = stack.last() {
            if self.consts.contains_key(&c) {
                stack.pop();
                continue;
            }
            let operands: Vec<ConstId> = match module.constant(c) {
                Const::Gep(gep) => vec![gep.base],
                Const::Cast(_, inner, _) => vec![*inner],
                Const::Binary(_, a, b) => vec![*a, *b],
                _ => vec![],
            };
            let before = stack.len();
            stack.extend(operands.into_iter().filter(|o| !self.consts.contains_key(o)));
            if stack.len() > before {
                continue;
            }
            let known = |flows: &Self, c: &ConstId| flows.consts.get(c).copied().flatten();
            let value = match module.constant(c) {
                Const::Global(g) => Some(self.site(Maker::Global(*g), module.global_size(*g))),
                Const::Function(g) => Some(self.site(Maker::Function(*g), None)),
                Const::Gep(gep) => {
                    known(self, &gep.base).map(|base| self.gep(base, gep, |_, _, &c| int(module, c), |_| 1))
                }
                Const::Cast(CastOp::IntToPtr, inner, _) => match known(self, inner) {
                    Some(p) => Some(p),
                    None if int(module, *inner).is_some_and(|k| !is_address(k)) => None,
                    None => Some(self.absolute()),
                },
                Const::Cast(_, inner, _) => known(self, inner),
                Const::Binary(op, a, b) => {
                    let operand = |c: &ConstId| (known(self, c), int(module, *c), 1);
                    let (a, b) = (operand(a), operand(b));
                    self.arithmetic(*op, a, b, false)
                }
                _ => None,
            };
            self.consts.insert(c, value);
        }
        self.consts[&c]
    }

    /// Memory at a fixed address.
    fn absolute(&mut self) -> Ptr {
        match self.absolute {
            Some(p) => p,
            None => {
                let p = self.nodes.fresh();
                self.nodes.flag(p, OUTSIDE);
                self.nodes.stride(p, 1);
                *self.absolute.insert(p)
            }
        }
    }

    fn gep<V>(
        &mut self,
        base: Ptr,
        gep: &Gep<V>,
        constant: impl Fn(&Module, &Gep<V>, &V) -> Option<i64>,
        multiple: impl Fn(&V) -> u64,
    ) -> Ptr {
        let mut at = base.plus(gep.offset);
        let mut stride = 0;
        for (index, scale) in &gep.terms {
            match constant(self.module, gep, index) {
                Some(k) => at = at.plus(k.saturating_mul(*scale)),
                None => stride = gcd(stride, scale.unsigned_abs().saturating_mul(multiple(index))),
            }
        }
        if stride == 0 {
            return at;
        }
        let result = self.nodes.fresh();
        self.nodes.flow(at, result, stride);
        result
    }

    /// An integer operation; an operand is what it points to, its value if it is constant, and a
    /// power of two that divides it. `number`: no address can come of it.
    fn arithmetic(
        &mut self,
        op: BinaryOp,
        (a, a_value, a_multiple): (Option<Ptr>, Option<i64>, u64),
        (b, b_value, b_multiple): (Option<Ptr>, Option<i64>, u64),
        number: bool,
    ) -> Option<Ptr> {
        match (op, a, a_value, b, b_value) {
            (BinaryOp::Add, Some(p), _, _, Some(k)) | (BinaryOp::Add, _, Some(k), Some(p), _) => {
                return Some(p.plus(k));
            }
            (BinaryOp::Sub, Some(p), _, _, Some(k)) => return Some(p.plus(k.saturating_neg())),
            (_, None, _, None, _) => return None,
            _ => {}
        }
        let result = self.nodes.fresh();
        let linear = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        let kind = match op {
            _ if number => FlowKind::Number,
            BinaryOp::Add | BinaryOp::Sub => FlowKind::Address,
            // Tags and rounding; numbers come only of two variables.
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor if a_value.or(b_value).is_some() => FlowKind::Address,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => FlowKind::Either,
            _ => FlowKind::Number,
        };
        if let Some(a) = a {
            self.nodes.flow_as(a, result, if linear { b_multiple } else { 1 }, kind);
        }
        if let Some(b) = b {
            self.nodes.flow_as(b, result, if op == BinaryOp::Add { a_multiple } else { 1 }, kind);
        }
        Some(result)
    }

    // ---- memory ----

    fn access(&mut self, at: Ptr, ty: TypeId, write: bool) {
        self.nodes.flag(at, USED);
        self.accesses.push(Access { at, ty, write });
    }

    /// Reads a value of a type; returns what it points to.
    fn load(&mut self, at: Ptr, ty: TypeId) -> Option<Ptr> {
        let module = self.module;
        let parts = leaves(module, ty)?;
        for &(offset, part) in &parts {
            self.access(at.plus(offset as i64), part, false);
        }
        if is_aggregate(module, ty) {
            let value = self.nodes.fresh();
            self.nodes.copy(value, at, Some(module.ty(ty).size));
            return Some(value);
        }
        if let [(0, part)] = parts[..] {
            let slot = self.nodes.slot(at, module.ty(part).store_size);
            return Some(match module.ty(part).kind {
                TypeKind::Int(bits) if bits >= module.pointer_bits => {
                    let value = self.nodes.fresh();
                    self.nodes.load_integer(slot.read, value, at);
                    value
                }
                _ => slot.read,
            });
        }
        let value = self.nodes.fresh();
        for (offset, part) in parts {
            let slot = self.nodes.slot(at.plus(offset as i64), module.ty(part).store_size);
            self.nodes.flow(slot.read, value, 0);
        }
        Some(value)
    }

    fn store(&mut self, at: Ptr, ty: TypeId, value: Option<Ptr>) {
        let module = self.module;
        let Some(parts) = leaves(module, ty) else { return };
        for &(offset, part) in &parts {
            self.access(at.plus(offset as i64), part, true);
        }
        let Some(value) = value else { return };
        if is_aggregate(module, ty) {
            self.nodes.copy(at, value, Some(module.ty(ty).size));
            return;
        }
        for (offset, part) in parts {
            let slot = self.nodes.slot(at.plus(offset as i64), module.ty(part).store_size);
            let kind = match module.ty(part).kind {
                TypeKind::Ptr => FlowKind::PointerStored,
                TypeKind::Int(_) => FlowKind::IntegerStored,
                _ => FlowKind::Address,
            };
            self.nodes.flow_as(value, slot.written, 0, kind);
        }
    }

    fn block(&mut self, to: Option<Ptr>, from: Option<Ptr>, bytes: Option<u64>) {
        for p in to.iter().chain(&from) {
            self.nodes.flag(*p, USED);
        }
        let (Some(to), Some(from)) = (to, from) else { return };
        self.nodes.copy(to, from, bytes);
        self.blocks.push(Block { to, from: Some(from), bytes });
    }

    /// A value of a type becomes another one.
    fn pass(&mut self, ty: TypeId, from: Option<Ptr>, to: Option<Ptr>) {
        let (Some(from), Some(to)) = (from, to) else { return };
        if is_aggregate(self.module, ty) {
            self.nodes.unify(from, to);
        } else {
            self.nodes.flow(from, to, 0);
        }
    }

    // ---- instructions ----

    fn inst(&mut self, f: FuncId, i: InstId) {
        let module = self.module;
        let function = &module.functions[f.index()];
        let inst = function.inst(i);
        match &inst.kind {
            InstKind::Binary { op, lhs, rhs, .. } => {
                let a = (self.value(f, *lhs), operand_int(module, *lhs), multiple(module, function, *lhs));
                let b = (self.value(f, *rhs), operand_int(module, *rhs), multiple(module, function, *rhs));
                let converted = |o: &Operand| matches!(o, Operand::Inst(i) if matches!(function.inst(*i).kind, InstKind::Cast { op: CastOp::PtrToInt, .. }));
                let difference = *op == BinaryOp::Sub && converted(lhs) && converted(rhs);
                if let Some(p) = self.arithmetic(*op, a, b, difference) {
                    self.define(f, i, p);
                }
            }
            InstKind::Cast { op, value } => {
                let p = self.value(f, *value);
                if *op == CastOp::IntToPtr {
                    match p {
                        Some(p) => self.nodes.flag(p, ARBITRARY),
                        None if operand_int(module, *value).is_some_and(is_address) => {
                            let p = self.absolute();
                            self.define(f, i, p);
                        }
                        None => {}
                    }
                }
                let narrow =
                    |ty: TypeId| matches!(module.ty(ty).kind, TypeKind::Int(bits) if bits < module.pointer_bits);
                match p {
                    Some(p) if matches!(op, CastOp::Trunc | CastOp::PtrToInt) && narrow(inst.ty) => {
                        let part = self.nodes.fresh();
                        self.nodes.flow_as(p, part, 1, FlowKind::Number);
                        self.define(f, i, part);
                    }
                    Some(p) => self.define(f, i, p),
                    None => {}
                }
            }
            InstKind::Freeze(value) | InstKind::ExtractElement { vector: value, .. } => {
                if let Some(p) = self.value(f, *value) {
                    self.define(f, i, p);
                }
            }
            InstKind::IntCompare { lhs, rhs, .. } => {
                // Addresses that are constants are known once they are asked for.
                self.value(f, *lhs);
                self.value(f, *rhs);
            }
            InstKind::Select { yes, no, .. } => self.merge(f, i, &[*yes, *no]),
            InstKind::Phi(incoming) => {
                let operands: Vec<Operand> = incoming.iter().map(|x| x.1).collect();
                self.merge(f, i, &operands);
            }
            InstKind::InsertElement { vector, element, .. } => self.merge(f, i, &[*vector, *element]),
            InstKind::ShuffleVector { first, second, .. } => self.merge(f, i, &[*first, *second]),
            InstKind::Alloca { ty, count, .. } => {
                let size =
                    operand_int(module, *count).and_then(|n| u64::try_from(n).ok()?.checked_mul(module.ty(*ty).size));
                let at = self.site(Maker::Alloca(f, i), size);
                self.define(f, i, at);
            }
            InstKind::Load { ptr, .. } => {
                if let Some(at) = self.value(f, *ptr)
                    && let Some(value) = self.load(at, inst.ty)
                {
                    self.define(f, i, value);
                }
            }
            InstKind::Store { ptr, value, ty, .. } => {
                if let Some(at) = self.value(f, *ptr) {
                    let value = self.value(f, *value);
                    self.store(at, *ty, value);
                }
            }
            InstKind::Gep(gep) => {
                if let Some(base) = self.value(f, gep.base) {
                    let at = self.gep(base, gep, |m, _, &v| operand_int(m, v), |&v| multiple(module, function, v));
                    self.define(f, i, at);
                }
            }
            InstKind::Call { callee, .. } => match callee {
                Callee::Function(g) => self.link(f, i, *g),
                Callee::Pointer(p) => {
                    self.callees.insert((f, i), Vec::new());
                    if let Some(p) = self.value(f, *p) {
                        self.pointer_calls.push((f, i));
                        self.nodes.add_call(p, self.pointer_calls.len() as u32 - 1);
                    }
                }
                Callee::Asm(template, constraints) => {
                    let assembly = Assembly::new(template, constraints);
                    self.assembly(f, i, &assembly);
                }
            },
            InstKind::ExtractValue { value, ty, path } => {
                if let Some(base) = self.value(f, *value) {
                    let at = base.plus(member(module, *ty, path));
                    if is_aggregate(module, inst.ty) {
                        self.define(f, i, at);
                    } else {
                        let slot = self.nodes.slot(at, module.ty(inst.ty).store_size);
                        self.define(f, i, slot.read);
                    }
                }
            }
            InstKind::InsertValue { value, member: new, path } => {
                let result = match (self.value(f, *value), value) {
                    (Some(p), Operand::Inst(_) | Operand::Param(_)) => p,
                    (Some(p), _) => {
                        let result = self.nodes.fresh();
                        self.nodes.copy(result, p, Some(module.ty(inst.ty).size));
                        result
                    }
                    (None, _) => self.nodes.fresh(),
                };
                if let Some(new) = self.value(f, *new) {
                    let at = result.plus(member(module, inst.ty, path));
                    let ty = member_type(module, inst.ty, path);
                    if is_aggregate(module, ty) {
                        self.nodes.copy(at, new, Some(module.ty(ty).size));
                    } else {
                        let slot = self.nodes.slot(at, module.ty(ty).store_size);
                        self.nodes.flow(new, slot.written, 0);
                    }
                }
                self.define(f, i, result);
            }
            InstKind::VaArg(list) => {
                if let Some(list) = self.value(f, *list) {
                    self.next_argument(f, i, list);
                }
            }
            InstKind::AtomicUpdate { op, ptr, value } => {
                if let Some(at) = self.value(f, *ptr) {
                    let old = self.load(at, inst.ty);
                    let new = self.value(f, *value);
                    self.store(at, inst.ty, new);
                    if let Some(old) = old {
                        if op != "xchg" {
                            // The sum, or what it is, of both.
                            let slot = self.nodes.slot(at, module.ty(inst.ty).store_size);
                            self.nodes.flow(old, slot.written, 1);
                        }
                        self.define(f, i, old);
                    }
                }
            }
            InstKind::CompareExchange { ptr, new, .. } => {
                let TypeKind::Struct(members) = &module.ty(inst.ty).kind else { return };
                let Some(&(ty, _)) = members.first() else { return };
                if let Some(at) = self.value(f, *ptr) {
                    let old = self.load(at, ty);
                    let new = self.value(f, *new);
                    self.store(at, ty, new);
                    let result = self.nodes.fresh();
                    if let Some(old) = old {
                        let slot = self.nodes.slot(result, module.ty(ty).store_size);
                        self.nodes.flow(old, slot.written, 0);
                    }
                    self.define(f, i, result);
                }
            }
            InstKind::Return(value) => {
                if let Some(value) = self.value(f, *value) {
                    let TypeKind::Function(ty, ..) = &module.ty(function.ty).kind else { return };
                    let to = self.returned(f);
                    self.pass(*ty, Some(value), Some(to));
                }
            }
            _ => {}
        }
    }

    /// The instruction's value is one of these.
    fn merge(&mut self, f: FuncId, i: InstId, operands: &[Operand]) {
        let ty = self.module.functions[f.index()].inst(i).ty;
        for &o in operands {
            let (from, to) = (self.value(f, o), self.value(f, Operand::Inst(i)));
            self.pass(ty, from, to);
        }
    }

    fn returned(&mut self, f: FuncId) -> Ptr {
        *self.returns[f.index()].get_or_insert_with(|| self.nodes.fresh())
    }

    // ---- calls ----

    /// A call through a pointer: links it with the functions that the pointer may point to.
    fn resolve(&mut self, call: u32) {
        let module = self.module;
        let (f, i) = self.pointer_calls[call as usize];
        let InstKind::Call { callee: Callee::Pointer(pointer), args, ty, .. } =
            &module.functions[f.index()].inst(i).kind
        else {
            return;
        };
        // A call without a prototype passes what it is given.
        let open = matches!(module.ty(*ty).kind, TypeKind::Function(_, _, true));
        let Some(p) = self.value(f, *pointer) else { return };
        for g in self.nodes.functions(p) {
            let function = &module.functions[g.index()];
            if !self.linked.insert((call, g)) {
                continue;
            }
            // A function defined with `()` takes anything.
            let lenient = function.varargs || function.params.is_empty();
            if !open && args.len() != function.params.len() && !(lenient && args.len() > function.params.len()) {
                self.misfits.entry((f, i)).or_default().push(g);
            } else {
                self.callees.entry((f, i)).or_default().push(g);
                self.link(f, i, g);
            }
        }
    }

    /// A call of a function: its arguments flow in, its result flows back.
    fn link(&mut self, f: FuncId, i: InstId, g: FuncId) {
        let module = self.module;
        let inst = module.functions[f.index()].inst(i);
        let InstKind::Call { args, arg_types, byval, aligns, .. } = &inst.kind else { return };
        let callee = &module.functions[g.index()];
        self.calls[f.index()].push((i, g));
        if library::of(module, callee).is_some_and(|row| row.errno) {
            self.calls[f.index()].extend(self.set_errno.map(|setter| (i, setter)));
        }
        self.hand_over(f, i, callee, args);
        if !callee.is_defined() {
            return self.undefined(f, i, g, args);
        }
        for (k, param) in callee.params.iter().enumerate().take(args.len()) {
            let from = self.value(f, args[k]);
            let to = self.value(g, Operand::Param(k as u32));
            match param.byval {
                Some(ty) => self.block(to, from, Some(module.ty(ty).size)),
                None => self.pass(param.ty, from, to),
            }
        }
        if callee.varargs && args.len() > callee.params.len() {
            let first = callee.params.len();
            let object = self.site(Maker::VarArgs(g), None);
            let variable = |k: usize| Variable { ty: arg_types[k], byval: byval[k], align: aligns[k] };
            let passed: Vec<Variable> = (first..args.len()).map(variable).collect();
            let (places, _) = self.convention.places(module, callee, &passed);
            for (k, (arg, place)) in passed.into_iter().zip(places).enumerate() {
                let value = self.value(f, args[first + k]);
                let at = object.plus(place as i64);
                match arg.byval {
                    Some(ty) => self.block(Some(at), value, Some(module.ty(ty).size)),
                    None => self.store(at, arg.ty, value),
                }
            }
        }
        if let Some(result) = self.value(f, Operand::Inst(i)) {
            let from = self.returned(g);
            self.pass(inst.ty, Some(from), Some(result));
        }
    }

    /// What is done first with the strings and streams that a library function is given.
    fn hand_over(&mut self, f: FuncId, i: InstId, callee: &Function, args: &[Operand]) {
        for handed in library::handed(self.module, callee) {
            let Some(&arg) = args.get(handed.argument) else { continue };
            let user = if handed.stream { self.stream_used } else { self.read_string };
            let Some(user) = user.filter(|_| handed.stream || !self.module.is_literal(arg)) else { continue };
            let Some(param) = self.module.functions[user.index()].params.first() else { continue };
            self.calls[f.index()].push((i, user));
            let (from, to) = (self.value(f, arg), self.value(user, Operand::Param(0)));
            self.pass(param.ty, from, to);
        }
    }

    /// A call of a function without a body.
    fn undefined(&mut self, f: FuncId, i: InstId, g: FuncId, args: &[Operand]) {
        let module = self.module;
        let function = &module.functions[f.index()];
        let name = module.functions[g.index()].name.as_str();
        let inst = function.inst(i);
        let arg = |k: usize| args.get(k).copied().unwrap_or(Operand::None);
        let bytes = |op: Operand| operand_int(module, op).and_then(|n| u64::try_from(n).ok());
        match library::operation(module, &module.functions[g.index()]) {
            Some(Operation::Allocate(sizes, _)) => {
                let size = sizes.iter().try_fold(1u64, |n, &k| n.checked_mul(bytes(arg(k))?));
                let at = self.site(Maker::Heap(f, i), size);
                self.define(f, i, at);
            }
            Some(Operation::Reallocate(_)) => {
                let at = self.site(Maker::Heap(f, i), None);
                if let Some(old) = self.value(f, arg(0)) {
                    self.nodes.flag(old, USED);
                    self.nodes.unify(old, at);
                }
                self.define(f, i, at);
            }
            Some(Operation::Copy { .. }) => {
                let (to, from) = (self.value(f, arg(0)), self.value(f, arg(1)));
                self.block(to, from, bytes(arg(2)));
                self.merge(f, i, &[arg(0)]);
            }
            Some(Operation::Fill) => {
                if let Some(to) = self.value(f, arg(0)) {
                    self.nodes.flag(to, USED);
                    self.blocks.push(Block { to, from: None, bytes: bytes(arg(2)) });
                }
                self.merge(f, i, &[arg(0)]);
            }
            Some(Operation::Havoc) => {
                if let Some(to) = self.value(f, arg(0)) {
                    self.nodes.flag(to, USED | HOLDS_OUTSIDE);
                    self.blocks.push(Block { to, from: None, bytes: bytes(arg(1)) });
                }
            }
            Some(Operation::HavocObject) => {
                if let Some(to) = self.value(f, arg(0)) {
                    self.nodes.flag(to, USED | HOLDS_OUTSIDE);
                    self.nodes.change(to);
                }
            }
            Some(Operation::Argument(k)) => self.merge(f, i, &[arg(k)]),
            Some(Operation::Destructors) => self.calls[f.index()].extend(module.destructors.iter().map(|&d| (i, d))),
            _ if name.starts_with("llvm.va_start") => self.start_arguments(f, arg(0)),
            _ if name.starts_with("llvm.va_copy") => {
                let (to, from) = (self.value(f, arg(0)), self.value(f, arg(1)));
                let bytes = if module.pointer_bits == 64 { 24 } else { 4 };
                self.block(to, from, Some(bytes));
            }
            _ if name.starts_with("llvm.") => {
                let Some(result) = self.value(f, Operand::Inst(i)) else { return };
                // Whatever it computes, it computes from its arguments.
                let to = match &module.ty(inst.ty).kind {
                    TypeKind::Struct(members) if !members.is_empty() => {
                        self.nodes.slot(result, module.ty(members[0].0).store_size).written
                    }
                    _ => result,
                };
                for &a in args {
                    if let Some(from) = self.value(f, a) {
                        self.nodes.flow_as(from, to, 1, FlowKind::Number);
                    }
                }
            }
            _ => {
                if self.changing.get(g.index()) == Some(&true) {
                    self.escape(f, i, g);
                }
                let Some(result) = self.value(f, Operand::Inst(i)) else { return };
                if is_aggregate(module, inst.ty) {
                    self.nodes.flag(result, HOLDS_OUTSIDE);
                } else if module.ty(inst.ty).kind == TypeKind::Ptr {
                    let nodes = &mut self.nodes;
                    let from = *self.outside.entry(g).or_insert_with(|| nodes.fresh());
                    self.nodes.flag(from, OUTSIDE);
                    self.nodes.flow(from, result, 0);
                }
            }
        }
    }

    /// Inline assembly: what an operand holds before, if nothing is executed; else anything, also what the assembly was
    /// given.
    fn assembly(&mut self, f: FuncId, i: InstId, assembly: &Assembly) {
        let module = self.module;
        let inst = module.functions[f.index()].inst(i);
        let InstKind::Call { args, byval, .. } = &inst.kind else { return };
        let result = self.value(f, Operand::Inst(i));
        let members = match &module.ty(inst.ty).kind {
            TypeKind::Struct(members) => Some(members),
            _ => None,
        };
        let mut member = 0;
        let given = assembly.computes().then(|| self.give_to_assembly(f, i, assembly));
        for output in &assembly.outputs {
            let before = output.before.filter(|_| assembly.empty).and_then(|k| args.get(k).copied());
            let value = before.and_then(|before| self.value(f, before));
            match output.place {
                Some(k) => {
                    if let (Some(&place), Some(&Some(ty))) = (args.get(k), byval.get(k))
                        && let Some(at) = self.value(f, place)
                    {
                        self.store(at, ty, value);
                    }
                }
                None => {
                    let ty = members.map_or(Some(inst.ty), |members| members.get(member).map(|member| member.0));
                    let to = match (members.map(|members| members.get(member)), result) {
                        (Some(Some(&(ty, offset))), Some(result)) => {
                            Some(self.nodes.slot(result.plus(offset as i64), module.ty(ty).store_size).written)
                        }
                        (None, result) => result,
                        _ => None,
                    };
                    member += 1;
                    match (to, before) {
                        (Some(to), Some(_)) => value.into_iter().for_each(|value| self.nodes.flow(value, to, 0)),
                        (Some(to), None) => {
                            self.nodes.flag(to, ARBITRARY);
                            if let (Some(given), Some(ty)) = (given, ty) {
                                self.computed(given, to, module.ty(ty).store_size);
                            }
                        }
                        (None, _) => {}
                    }
                }
            }
        }
        let Some(given) = given else { return };
        for (k, &place) in args.iter().enumerate().filter(|&(k, _)| assembly.places.get(k) == Some(&true)) {
            let (Some(at), Some(&Some(ty))) = (self.value(f, place), byval.get(k)) else { continue };
            match assembly.write(k, module.ty(ty).store_size) {
                Write::No => {}
                Write::Bytes(_) => {
                    self.store(at, ty, None);
                    for (bytes, slot) in self.slots(at, ty) {
                        self.computed(given, slot.written, bytes);
                    }
                }
                Write::Object => {
                    self.nodes.flag(at, USED);
                    self.nodes.change(at);
                }
            }
        }
    }

    /// What instructions may compute with: arguments, and what is stored in operands. If they access other memory, too,
    /// they may change whatever they are given and all that it leads to.
    fn give_to_assembly(&mut self, f: FuncId, i: InstId, assembly: &Assembly) -> Ptr {
        let nodes = &mut self.nodes;
        let number = match assembly.accesses_memory() {
            true => *self.assembly_function.get_or_insert_with(|| nodes.undefined_function(true)),
            false => nodes.undefined_function(false),
        };
        let given = self.nodes.given(number);
        let InstKind::Call { args, arg_types, byval, .. } = &self.module.functions[f.index()].inst(i).kind else {
            return given;
        };
        for (k, &arg) in args.iter().enumerate() {
            let Some(p) = self.value(f, arg) else { continue };
            let place = assembly.places.get(k) == Some(&true);
            if place && let Some(&Some(ty)) = byval.get(k) {
                self.nodes.flag(p, USED);
                for (_, slot) in self.slots(p, ty) {
                    self.nodes.flow(slot.read, given, 0);
                }
            }
            // The address of a place may come out, too.
            if !place || assembly.accesses_memory() {
                self.nodes.flow(p, given, 0);
            }
            if !place && self.module.ty(arg_types[k]).store_size >= self.word() {
                self.given_to_assembly.push(p);
            }
            if assembly.accesses_memory() && (!place || assembly.memory) {
                self.nodes.escape(p, number);
            }
        }
        given
    }

    /// Assembly makes a value of so many bytes of what it was given: an address, or a part of one.
    fn computed(&mut self, given: Ptr, to: Ptr, bytes: u64) {
        match bytes >= self.word() {
            true => self.nodes.flow(given, to, ALIGNED),
            false => self.nodes.flow_as(given, to, 1, FlowKind::Number),
        }
    }

    /// The parts of a value of a type in memory, with their sizes.
    fn slots(&mut self, at: Ptr, ty: TypeId) -> Vec<(u64, Slot)> {
        let module = self.module;
        let parts = leaves(module, ty).unwrap_or_default().into_iter();
        let parts = parts.map(|(offset, part)| (offset, module.ty(part).store_size));
        parts.map(|(offset, bytes)| (bytes, self.nodes.slot(at.plus(offset as i64), bytes))).collect()
    }

    /// The size of an address.
    fn word(&self) -> u64 {
        u64::from(self.module.pointer_bits / 8)
    }

    /// A call of a function that may change whatever its arguments lead to, and store there, or return, what it was
    /// given.
    fn escape(&mut self, f: FuncId, i: InstId, g: FuncId) {
        let module = self.module;
        let inst = module.functions[f.index()].inst(i);
        let InstKind::Call { args, arg_types, byval, .. } = &inst.kind else { return };
        let nodes = &mut self.nodes;
        let function = *self.undefined_functions.entry(g).or_insert_with(|| nodes.undefined_function(true));
        let given = self.nodes.given(function);
        for (k, &arg) in args.iter().enumerate() {
            let Some(p) = self.value(f, arg) else { continue };
            let copied = byval.get(k).copied().flatten().or(Some(arg_types[k]).filter(|&ty| is_aggregate(module, ty)));
            match (copied, &module.ty(arg_types[k]).kind) {
                // It gets a copy, which nobody sees.
                (Some(ty), _) => {
                    let copy = self.nodes.fresh();
                    self.nodes.copy(copy, p, Some(module.ty(ty).size));
                    self.nodes.escape(copy, function);
                }
                (None, TypeKind::Int(bits)) if *bits < module.pointer_bits => {}
                (None, _) => {
                    self.nodes.flow(p, given, 0);
                    self.nodes.escape(p, function);
                }
            }
        }
        if let Some(result) = self.value(f, Operand::Inst(i)) {
            match is_aggregate(module, inst.ty) {
                true => self.nodes.hold(result, function),
                false => self.nodes.flow(given, result, ALIGNED),
            }
        }
    }

    /// Where a list of variable arguments keeps the address of the next one, and the address's size.
    fn list_layout(&self) -> (i64, u64) {
        if self.module.pointer_bits == 64 { (8, 8) } else { (0, 4) }
    }

    fn start_arguments(&mut self, f: FuncId, list: Operand) {
        let Some(list) = self.value(f, list) else { return };
        let object = self.site(Maker::VarArgs(f), None);
        let (offset, word) = self.list_layout();
        let slot = self.nodes.slot(list.plus(offset), word);
        let start = self.convention.start(self.module, &self.module.functions[f.index()]);
        self.nodes.flow(object.plus(start.overflow as i64), slot.written, 0);
        if let Some(ptr) = self.pointer_type {
            self.access(list.plus(offset), ptr, true);
        }
        if self.convention == Convention::Registers {
            let saved = self.nodes.slot(list.plus(16), word);
            self.nodes.flow(object, saved.written, 0);
        }
        if word == 8 {
            // The counters of registers, and the area where registers are saved.
            if let Some(ty) = self.i32_type {
                self.access(list, ty, true);
                self.access(list.plus(4), ty, true);
            }
            if let Some(ptr) = self.pointer_type {
                self.access(list.plus(16), ptr, true);
            }
        }
    }

    fn next_argument(&mut self, f: FuncId, i: InstId, list: Ptr) {
        let (offset, word) = self.list_layout();
        let slot = self.nodes.slot(list.plus(offset), word);
        if let Some(ptr) = self.pointer_type {
            self.access(list.plus(offset), ptr, true);
            self.access(list.plus(offset), ptr, false);
        }
        let at = self.nodes.fresh();
        self.nodes.flow(slot.read, at, word);
        self.nodes.flow(at, slot.written, 0);
        if let Some(value) = self.load(at, self.module.functions[f.index()].inst(i).ty) {
            self.define(f, i, value);
        }
    }
}

/// Can the value of this instruction be an address, or hold one?
fn carries(module: &Module, inst: &Inst) -> bool {
    let kind = match &inst.kind {
        InstKind::IntCompare { .. }
        | InstKind::FloatCompare { .. }
        | InstKind::FloatBinary { .. }
        | InstKind::FloatNeg(_)
        | InstKind::Unsupported { .. } => return false,
        InstKind::Cast {
            op: CastOp::FpToUi | CastOp::FpToSi | CastOp::UiToFp | CastOp::SiToFp | CastOp::FpTrunc | CastOp::FpExt,
            ..
        } => return false,
        _ => &module.ty(inst.ty).kind,
    };
    !matches!(kind, TypeKind::Void | TypeKind::Int(0..8) | TypeKind::Other(_) | TypeKind::Function(..))
}

/// Is a value of this type a little memory of its own (see [`Flows::load`])?
fn is_aggregate(module: &Module, ty: TypeId) -> bool {
    matches!(module.ty(ty).kind, TypeKind::Struct(_) | TypeKind::Array(..))
}

/// The signed value of a constant that is a number, such as the offset of a member that is written as
/// the address of a member of a structure at address 0.
fn int(module: &Module, c: ConstId) -> Option<i64> {
    int_within(module, c, 16)
}

fn int_within(module: &Module, c: ConstId, depth: u32) -> Option<i64> {
    let depth = depth.checked_sub(1)?;
    let sign_extended = |ty: TypeId, word: u64| match module.ty(ty).kind {
        TypeKind::Int(bits @ 1..=64) => Some(((word << (64 - bits)) as i64) >> (64 - bits)),
        TypeKind::Ptr => Some(word as i64),
        _ => None,
    };
    match module.constant(c) {
        Const::Int(ty, words) => sign_extended(*ty, words.first().copied().unwrap_or(0)),
        Const::Null | Const::Zero(_) => Some(0),
        Const::Gep(gep) => {
            let base = int_within(module, gep.base, depth)?.checked_add(gep.offset)?;
            gep.terms.iter().try_fold(base, |at, (index, scale)| {
                at.checked_add(int_within(module, *index, depth)?.checked_mul(*scale)?)
            })
        }
        Const::Cast(op, inner, ty) => {
            let value = int_within(module, *inner, depth)?;
            match op {
                CastOp::ZExt if value < 0 => None,
                CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Trunc | CastOp::SExt | CastOp::ZExt => {
                    sign_extended(*ty, value as u64)
                }
                _ => None,
            }
        }
        Const::Binary(op, a, b) => {
            let (a, b) = (int_within(module, *a, depth)?, int_within(module, *b, depth)?);
            match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Numbers near 0 are no addresses, but error codes.
fn is_address(number: i64) -> bool {
    !(-4096..4096).contains(&number)
}

fn operand_int(module: &Module, op: Operand) -> Option<i64> {
    match op {
        Operand::Const(c) => int(module, c),
        _ => None,
    }
}

/// A power of two that divides an integer.
fn multiple(module: &Module, function: &Function, mut op: Operand) -> u64 {
    let mut power = 0;
    for _ in 0..8 {
        let Operand::Inst(i) = op else { break };
        match &function.inst(i).kind {
            InstKind::Cast { op: CastOp::ZExt | CastOp::SExt, value } => op = *value,
            InstKind::Binary { op: BinaryOp::Mul, lhs, rhs, .. } => match operand_int(module, *rhs) {
                Some(k) if k != 0 => {
                    power += k.trailing_zeros();
                    op = *lhs;
                }
                _ => break,
            },
            InstKind::Binary { op: BinaryOp::Shl, lhs, rhs, .. } => match operand_int(module, *rhs) {
                Some(k @ 0..16) => {
                    power += k as u32;
                    op = *lhs;
                }
                _ => break,
            },
            _ => break,
        }
    }
    1 << power.min(30)
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

/// The type of a member of an aggregate.
fn member_type(module: &Module, mut ty: TypeId, path: &[u32]) -> TypeId {
    for &k in path {
        ty = match &module.ty(ty).kind {
            TypeKind::Struct(members) => members.get(k as usize).map_or(ty, |m| m.0),
            TypeKind::Array(e, _) => *e,
            _ => ty,
        };
    }
    ty
}

/// The byte at which a member of an aggregate starts.
fn member(module: &Module, mut ty: TypeId, path: &[u32]) -> i64 {
    let mut offset = 0;
    for &k in path {
        match &module.ty(ty).kind {
            TypeKind::Struct(members) => offset += members.get(k as usize).map_or(0, |m| m.1 as i64),
            TypeKind::Array(e, _) => offset += i64::from(k) * module.ty(*e).size as i64,
            _ => {}
        }
        ty = member_type(module, ty, &[k]);
    }
    offset
}
