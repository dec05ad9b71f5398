//! Runs a module on concrete memory and compares each access with the layout that the analysis gave.
//!
//! An address is an object's number in the upper bits and an offset in the lower ones, so that
//! arithmetic on addresses is arithmetic on integers, and bytes of memory are plain bytes.

use std::collections::HashMap;

use lariat_llvm::library::{self, Operation};
use lariat_llvm::memory::{CellId, Content, Convention, Maker, Memory, Place, SiteId, Target, Variable, leaves};
use lariat_llvm::module::*;

/// Why a run ended.
#[derive(Debug, PartialEq)]
pub enum End {
    /// The entry function returned this.
    Returned(u128),
    /// The program called `exit`, `abort` or an assertion failed.
    Exit(String),
    /// Something that C leaves undefined, or that this interpreter does not do.
    Stopped(String),
    /// The analysis was wrong.
    Wrong(String),
}

#[derive(Clone, Debug)]
enum Value {
    Bits(u128),
    Parts(Vec<Value>),
}

impl Value {
    fn bits(&self) -> u128 {
        match self {
            Value::Bits(b) => *b,
            Value::Parts(_) => 0,
        }
    }
}

struct Object {
    bytes: Vec<u8>,
    /// By byte: the cell through which it was accessed.
    cells: Vec<Option<CellId>>,
    site: Option<SiteId>,
    /// The activation that made it.
    frame: usize,
    alive: bool,
}

pub struct Machine<'m> {
    module: &'m Module,
    memory: &'m Memory,
    objects: Vec<Object>,
    of_site: HashMap<SiteId, usize>,
    globals: HashMap<GlobalId, u64>,
    functions: HashMap<FuncId, u64>,
    frames: usize,
    depth: usize,
    steps: usize,
    /// How many accesses were compared.
    pub checked: usize,
}

struct Frame {
    id: usize,
    function: FuncId,
    params: Vec<Value>,
    values: Vec<Value>,
    owned: Vec<usize>,
    variable: u64,
}

fn stop<T>(why: impl Into<String>) -> Result<T, End> {
    Err(End::Stopped(why.into()))
}

fn mask(bits: u32, v: u128) -> u128 {
    if bits >= 128 { v } else { v & ((1 << bits) - 1) }
}

fn signed(bits: u32, v: u128) -> i128 {
    if bits == 0 { 0 } else { ((v << (128 - bits)) as i128) >> (128 - bits) }
}

impl<'m> Machine<'m> {
    pub fn new(module: &'m Module, memory: &'m Memory) -> Machine<'m> {
        Machine {
            module,
            memory,
            objects: vec![],
            of_site: HashMap::new(),
            globals: HashMap::new(),
            functions: HashMap::new(),
            frames: 0,
            depth: 0,
            steps: 0,
            checked: 0,
        }
    }

    pub fn run(&mut self, entry: &str) -> End {
        let Some(entry) = self.module.function(entry) else { return End::Stopped("no entry".into()) };
        let result = self.start().and_then(|()| {
            let count = self.module.functions[entry.index()].params.len();
            self.call(entry, vec![Value::Bits(0); count], 0)
        });
        match result {
            Ok(v) => End::Returned(v.bits()),
            Err(end) => end,
        }
    }

    fn shift(&self) -> u32 {
        if self.module.pointer_bits == 64 { 32 } else { 20 }
    }

    fn start(&mut self) -> Result<(), End> {
        let module = self.module;
        self.new_object(0, None, 0)?;
        for g in 0..module.globals.len() as u32 {
            let id = GlobalId(g);
            let size = module.ty(module.globals[id.index()].ty).size;
            let at = self.new_object(size, Some(Maker::Global(id)), 0)?;
            self.globals.insert(id, at);
        }
        for f in 0..module.functions.len() as u32 {
            let at = self.new_object(0, Some(Maker::Function(FuncId(f))), 0)?;
            self.functions.insert(FuncId(f), at);
        }
        for (g, global) in module.globals.iter().enumerate() {
            if let Some(init) = global.init {
                let value = self.constant(init, global.ty)?;
                let at = self.globals[&GlobalId(g as u32)];
                self.put(at, global.ty, &value)?;
            }
        }
        Ok(())
    }

    fn new_object(&mut self, size: u64, maker: Option<Maker>, frame: usize) -> Result<u64, End> {
        if size > 1 << 20 || self.objects.len() >= 1 << 11 && self.module.pointer_bits == 32 {
            return stop("too much memory");
        }
        let site = maker.and_then(|m| self.memory.site(m));
        if let Some(s) = site {
            let old = self.of_site.insert(s, self.objects.len());
            if self.memory.sites[s.index()].single && old.is_some_and(|o| self.objects[o].alive) {
                return Err(End::Wrong(format!("two objects of {:?}", self.memory.sites[s.index()])));
            }
            let expected = self.memory.sites[s.index()].size;
            if expected.is_some_and(|e| e != size) {
                return Err(End::Wrong(format!("size {size} of {:?}", self.memory.sites[s.index()])));
            }
        }
        let n = size as usize;
        self.objects.push(Object { bytes: vec![0; n], cells: vec![None; n], site, frame, alive: true });
        Ok(((self.objects.len() - 1) as u64) << self.shift())
    }

    fn find(&self, address: u64, bytes: u64) -> Result<(usize, usize), End> {
        let object = (address >> self.shift()) as usize;
        let offset = address & ((1 << self.shift()) - 1);
        match self.objects.get(object) {
            Some(o) if o.alive && offset + bytes <= o.bytes.len() as u64 => Ok((object, offset as usize)),
            _ => stop(format!("access of {bytes} bytes at {address:#x}")),
        }
    }

    // ---- what the analysis says ----

    /// A load or store through an operand.
    fn check(&mut self, frame: &Frame, at: Operand, address: u64, ty: TypeId, write: bool) -> Result<(), End> {
        let target = self.memory.target(frame.function, at);
        self.check_at(frame, target, address, ty, write).map_err(|e| self.explain(frame, e))
    }

    fn explain(&self, frame: &Frame, end: End) -> End {
        match end {
            End::Wrong(w) => End::Wrong(format!("{}: {w}", self.module.functions[frame.function.index()].name)),
            end => end,
        }
    }

    fn check_at(
        &mut self,
        frame: &Frame,
        target: Option<Target>,
        address: u64,
        ty: TypeId,
        write: bool,
    ) -> Result<(), End> {
        for (offset, part) in leaves(self.module, ty).unwrap_or_default() {
            let bytes = self.module.ty(part).store_size;
            let (object, start) = self.find(address + offset, bytes)?;
            let mut target = target.ok_or_else(|| End::Wrong("access without target".into()))?;
            target.offset += offset as i64;
            self.check_place(target, object, start)?;
            let cells = self.memory.cells(target, Some(bytes));
            let [cell] = cells[..] else { return Err(End::Wrong(format!("cells {cells:?}"))) };
            self.check_cell(frame, cell, object, start, bytes as usize, write)?;
            match self.memory.cells[cell.index()].content {
                Content::Value(t) if t != part => return Err(End::Wrong("another type".into())),
                Content::Units(u) if !start.is_multiple_of(u as usize) || !bytes.is_multiple_of(u64::from(u)) => {
                    return Err(End::Wrong(format!("{bytes} bytes at {start} in units of {u}")));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn check_place(&self, target: Target, object: usize, start: usize) -> Result<(), End> {
        let site = self.objects[object].site.ok_or_else(|| End::Wrong("object without site".into()))?;
        let site = &self.memory.sites[site.index()];
        if site.group != target.group {
            return Err(End::Wrong(format!("{site:?} is not in {:?}", target.group)));
        }
        let modulus = self.memory.groups[target.group.index()].modulus as i64;
        let distance = start as i64 + site.start - target.offset;
        if if modulus == 0 { distance != 0 } else { distance.rem_euclid(modulus) != 0 } {
            return Err(End::Wrong(format!("offset {start} of {site:?} is not {target:?} modulo {modulus}")));
        }
        Ok(())
    }

    fn check_cell(
        &mut self,
        frame: &Frame,
        id: CellId,
        object: usize,
        start: usize,
        bytes: usize,
        write: bool,
    ) -> Result<(), End> {
        self.checked += 1;
        let cell = &self.memory.cells[id.index()];
        if write && cell.constant {
            return Err(End::Wrong("constant is written".into()));
        }
        let o = &mut self.objects[object];
        if let Place::Scalar(s) | Place::Object(s) = cell.place {
            let site = &self.memory.sites[s.index()];
            if o.site != Some(s) || self.of_site[&s] != object && !site.local || site.local && o.frame != frame.id {
                return Err(End::Wrong(format!("{:?} is accessed as {site:?}", o.site)));
            }
        }
        for known in &mut o.cells[start..start + bytes] {
            match known {
                Some(k) if *k != id => return Err(End::Wrong(format!("bytes of {k:?} and {id:?}"))),
                _ => *known = Some(id),
            }
        }
        Ok(())
    }

    /// A block operation: all cells that it meets lie in the right place and are not cut.
    fn check_block(
        &mut self,
        frame: &Frame,
        target: Option<Target>,
        address: u64,
        bytes: u64,
        constant: Option<u64>,
        write: bool,
    ) -> Result<(), End> {
        if bytes == 0 {
            return Ok(());
        }
        let (object, start) = self.find(address, bytes)?;
        let target = target.ok_or_else(|| End::Wrong("block without target".into()))?;
        self.check_place(target, object, start)?;
        let group = &self.memory.groups[target.group.index()];
        let cells = self.memory.cells(target, constant);
        for byte in 0..bytes {
            let offset = target.offset + byte as i64;
            let at = Target { group: target.group, offset };
            for id in self.memory.cells(at, Some(1)) {
                if !cells.contains(&id) {
                    return Err(End::Wrong(format!("block meets {id:?}")));
                }
                self.check_cell(frame, id, object, start + byte as usize, 1, write)?;
                // With a constant length, values are copied whole and units, too.
                let cell = &self.memory.cells[id.index()];
                let size = match cell.content {
                    Content::Value(t) => self.module.ty(t).store_size,
                    Content::Units(u) => u64::from(u),
                } as i64;
                let mut inner = match cell.content {
                    Content::Value(_) => offset - cell.offset,
                    Content::Units(_) => (start + byte as usize) as i64,
                };
                if group.modulus != 0 && matches!(cell.content, Content::Value(_)) {
                    inner = inner.rem_euclid(group.modulus as i64);
                }
                let first = byte as i64 - inner.rem_euclid(size);
                if constant.is_some() && (first < 0 || first + size > bytes as i64) {
                    return Err(End::Wrong(format!("block of {bytes} cuts {cell:?} at byte {byte}")));
                }
            }
        }
        Ok(())
    }

    // ---- values ----

    fn get(&self, address: u64, ty: TypeId) -> Result<Value, End> {
        let t = self.module.ty(ty);
        Ok(match &t.kind {
            TypeKind::Array(e, n) | TypeKind::Vector(e, n) => {
                let size = self.module.ty(*e).size;
                Value::Parts((0..*n).map(|k| self.get(address + k * size, *e)).collect::<Result<_, _>>()?)
            }
            TypeKind::Struct(members) => {
                Value::Parts(members.iter().map(|m| self.get(address + m.1, m.0)).collect::<Result<_, _>>()?)
            }
            _ => {
                let (object, start) = self.find(address, t.store_size)?;
                let bytes = &self.objects[object].bytes[start..start + t.store_size as usize];
                let bits = bytes.iter().rev().fold(0, |v, b| v << 8 | u128::from(*b));
                match t.kind {
                    TypeKind::Int(w) => Value::Bits(mask(w, bits)),
                    _ => Value::Bits(bits),
                }
            }
        })
    }

    fn put(&mut self, address: u64, ty: TypeId, value: &Value) -> Result<(), End> {
        let t = self.module.ty(ty);
        let zero = Value::Bits(0);
        let part = |k: usize| match value {
            Value::Parts(p) => p.get(k).unwrap_or(&zero),
            _ => &zero,
        };
        match &t.kind {
            TypeKind::Array(e, n) | TypeKind::Vector(e, n) => {
                let size = self.module.ty(*e).size;
                (0..*n).try_for_each(|k| self.put(address + k * size, *e, part(k as usize)))
            }
            TypeKind::Struct(members) => {
                members.iter().enumerate().try_for_each(|(k, m)| self.put(address + m.1, m.0, part(k)))
            }
            _ => {
                let (object, start) = self.find(address, t.store_size)?;
                let bits = value.bits();
                for k in 0..t.store_size as usize {
                    self.objects[object].bytes[start + k] = (bits >> (8 * k)) as u8;
                }
                Ok(())
            }
        }
    }

    fn constant(&self, c: ConstId, ty: TypeId) -> Result<Value, End> {
        let module = self.module;
        let words = |w: &[u64]| w.iter().rev().take(2).fold(0u128, |v, x| v << 64 | u128::from(*x));
        Ok(match module.constant(c) {
            Const::Int(_, w) => Value::Bits(words(w)),
            Const::Float(t, w) => match module.ty(*t).kind {
                TypeKind::Float(FloatKind::X86Extended) => Value::Bits(u128::from(extended(words(w)).to_bits())),
                _ => Value::Bits(words(w)),
            },
            Const::Null | Const::Zero(_) | Const::Undef(_) | Const::Label(..) => self.zero(ty),
            Const::Aggregate(t, members) => {
                let member = |k: usize| match &module.ty(*t).kind {
                    TypeKind::Struct(m) => m[k].0,
                    TypeKind::Array(e, _) | TypeKind::Vector(e, _) => *e,
                    _ => *t,
                };
                let parts = members.iter().enumerate().map(|(k, m)| self.constant(*m, member(k)));
                Value::Parts(parts.collect::<Result<_, _>>()?)
            }
            Const::Bytes(_, b) => Value::Parts(b.iter().map(|b| Value::Bits(u128::from(*b))).collect()),
            Const::Global(g) => Value::Bits(u128::from(self.globals[g])),
            Const::Function(f) => Value::Bits(u128::from(self.functions[f])),
            Const::Gep(gep) => {
                let mut at = self.constant(gep.base, ty)?.bits() as i64 + gep.offset;
                for (index, scale) in &gep.terms {
                    let Const::Int(t, _) = module.constant(*index) else { return stop("index") };
                    let TypeKind::Int(w) = module.ty(*t).kind else { return stop("index") };
                    at += signed(w, self.constant(*index, *t)?.bits()) as i64 * scale;
                }
                Value::Bits(mask(module.pointer_bits, at as u128))
            }
            Const::Cast(CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast, inner, _) => {
                self.constant(*inner, ty)?
            }
            Const::Binary(op, a, b) => {
                let (a, b) = (self.constant(*a, ty)?.bits(), self.constant(*b, ty)?.bits());
                Value::Bits(binary(*op, module.pointer_bits, a, b))
            }
            other => return stop(format!("constant {other:?}")),
        })
    }

    fn zero(&self, ty: TypeId) -> Value {
        match &self.module.ty(ty).kind {
            TypeKind::Array(e, n) | TypeKind::Vector(e, n) => Value::Parts(vec![self.zero(*e); *n as usize]),
            TypeKind::Struct(m) => Value::Parts(m.iter().map(|m| self.zero(m.0)).collect()),
            _ => Value::Bits(0),
        }
    }

    fn value(&self, frame: &Frame, op: Operand, ty: TypeId) -> Result<Value, End> {
        Ok(match op {
            Operand::Inst(i) => frame.values[i.index()].clone(),
            Operand::Param(k) => frame.params[k as usize].clone(),
            Operand::Const(c) => self.constant(c, ty)?,
            Operand::None => Value::Bits(0),
        })
    }

    fn bits(&self, frame: &Frame, op: Operand) -> Result<u128, End> {
        Ok(self.value(frame, op, TypeId(0))?.bits())
    }

    fn type_of(&self, frame: &Frame, op: Operand) -> Result<TypeId, End> {
        let function = &self.module.functions[frame.function.index()];
        match op {
            Operand::Inst(i) => Ok(function.inst(i).ty),
            Operand::Param(k) => Ok(function.params[k as usize].ty),
            Operand::Const(c) => match self.module.constant(c) {
                Const::Int(t, _)
                | Const::Float(t, _)
                | Const::Zero(t)
                | Const::Undef(t)
                | Const::Aggregate(t, _)
                | Const::Bytes(t, _)
                | Const::Cast(_, _, t) => Ok(*t),
                _ => {
                    let ptr = self.module.types.iter().position(|t| t.kind == TypeKind::Ptr);
                    ptr.map_or_else(|| stop("no pointers"), |p| Ok(TypeId(p as u32)))
                }
            },
            Operand::None => stop("no operand"),
        }
    }

    fn width(&self, ty: TypeId) -> u32 {
        match self.module.ty(ty).kind {
            TypeKind::Int(w) => w,
            TypeKind::Ptr => self.module.pointer_bits,
            _ => 128,
        }
    }

    // ---- execution ----

    fn call(&mut self, f: FuncId, params: Vec<Value>, variable: u64) -> Result<Value, End> {
        if self.depth > 60 {
            return stop("deep recursion");
        }
        self.depth += 1;
        self.frames += 1;
        let count = self.module.functions[f.index()].insts.len();
        let values = vec![Value::Bits(0); count];
        let mut frame = Frame { id: self.frames, function: f, params, values, owned: vec![], variable };
        let result = self.body(&mut frame);
        for o in frame.owned {
            self.objects[o].alive = false;
        }
        self.depth -= 1;
        result
    }

    fn body(&mut self, frame: &mut Frame) -> Result<Value, End> {
        let function = &self.module.functions[frame.function.index()];
        let (mut block, mut previous) = (BlockId(0), BlockId(0));
        loop {
            let mut next = None;
            for (i, inst) in function.block_insts(block) {
                self.steps += 1;
                if self.steps > 400_000 {
                    return stop("too many steps");
                }
                match &inst.kind {
                    InstKind::Jump(to) => next = Some(*to),
                    InstKind::Branch { cond, yes, no } => {
                        next = Some(if self.bits(frame, *cond)? != 0 { *yes } else { *no });
                    }
                    InstKind::Switch { value, cases, default } => {
                        let v = self.bits(frame, *value)?;
                        let mut to = *default;
                        for (c, b) in cases {
                            if self.constant(*c, TypeId(0))?.bits() == v {
                                to = *b;
                            }
                        }
                        next = Some(to);
                    }
                    InstKind::Return(v) => {
                        let TypeKind::Function(ty, ..) = self.module.ty(function.ty).kind else {
                            return stop("function type");
                        };
                        return self.value(frame, *v, ty);
                    }
                    InstKind::Unreachable => return stop("unreachable"),
                    InstKind::Phi(incoming) => {
                        let Some((_, v)) = incoming.iter().find(|x| x.0 == previous) else { return stop("phi") };
                        frame.values[i.index()] = self.value(frame, *v, inst.ty)?;
                    }
                    _ => frame.values[i.index()] = self.inst(frame, i, inst)?,
                }
            }
            previous = block;
            match next {
                Some(b) => block = b,
                None => return stop("end of block"),
            }
        }
    }

    fn inst(&mut self, frame: &mut Frame, i: InstId, inst: &Inst) -> Result<Value, End> {
        let module = self.module;
        Ok(match &inst.kind {
            InstKind::Binary { op, lhs, rhs, .. } => {
                let w = self.width(inst.ty);
                if w == 128 && !matches!(module.ty(inst.ty).kind, TypeKind::Int(_)) {
                    return stop("vector arithmetic");
                }
                Value::Bits(binary(*op, w, self.bits(frame, *lhs)?, self.bits(frame, *rhs)?))
            }
            InstKind::FloatBinary { op, lhs, rhs } => {
                let (a, b) = (self.float(frame, *lhs, inst.ty)?, self.float(frame, *rhs, inst.ty)?);
                self.to_value(
                    inst.ty,
                    match op {
                        FloatOp::Add => a + b,
                        FloatOp::Sub => a - b,
                        FloatOp::Mul => a * b,
                        FloatOp::Div => a / b,
                        FloatOp::Rem => a % b,
                    },
                )
            }
            InstKind::FloatNeg(v) => self.to_value(inst.ty, -self.float(frame, *v, inst.ty)?),
            InstKind::IntCompare { op, lhs, rhs } => {
                let w = self.width(self.type_of(frame, *lhs)?);
                let (a, b) = (self.bits(frame, *lhs)?, self.bits(frame, *rhs)?);
                let (sa, sb) = (signed(w, a), signed(w, b));
                Value::Bits(u128::from(match op {
                    IntPredicate::Eq => a == b,
                    IntPredicate::Ne => a != b,
                    IntPredicate::Ugt => a > b,
                    IntPredicate::Uge => a >= b,
                    IntPredicate::Ult => a < b,
                    IntPredicate::Ule => a <= b,
                    IntPredicate::Sgt => sa > sb,
                    IntPredicate::Sge => sa >= sb,
                    IntPredicate::Slt => sa < sb,
                    IntPredicate::Sle => sa <= sb,
                }))
            }
            InstKind::FloatCompare { op, lhs, rhs } => {
                let ty = self.type_of(frame, *lhs)?;
                let (a, b) = (self.float(frame, *lhs, ty)?, self.float(frame, *rhs, ty)?);
                let holds = match a.partial_cmp(&b) {
                    None => op.unordered,
                    Some(std::cmp::Ordering::Less) => op.less,
                    Some(std::cmp::Ordering::Equal) => op.equal,
                    Some(std::cmp::Ordering::Greater) => op.greater,
                };
                Value::Bits(u128::from(holds))
            }
            InstKind::Cast { op, value } => {
                let from = self.type_of(frame, *value)?;
                let (fw, tw) = (self.width(from), self.width(inst.ty));
                let v = self.bits(frame, *value)?;
                match op {
                    CastOp::SExt => Value::Bits(mask(tw, signed(fw, v) as u128)),
                    CastOp::FpToUi | CastOp::FpToSi => {
                        Value::Bits(mask(tw, self.float(frame, *value, from)? as i128 as u128))
                    }
                    CastOp::UiToFp => self.to_value(inst.ty, v as f64),
                    CastOp::SiToFp => self.to_value(inst.ty, signed(fw, v) as f64),
                    CastOp::FpTrunc | CastOp::FpExt => self.to_value(inst.ty, self.float(frame, *value, from)?),
                    CastOp::Bitcast => self.value(frame, *value, from)?,
                    _ => Value::Bits(mask(tw, v)),
                }
            }
            InstKind::Select { cond, yes, no } => {
                let chosen = if self.bits(frame, *cond)? != 0 { yes } else { no };
                self.value(frame, *chosen, inst.ty)?
            }
            InstKind::Freeze(v) => self.value(frame, *v, inst.ty)?,
            InstKind::Alloca { ty, count, .. } => {
                let size = module.ty(*ty).size * self.bits(frame, *count)? as u64;
                let at = self.new_object(size, Some(Maker::Alloca(frame.function, i)), frame.id)?;
                frame.owned.push(self.objects.len() - 1);
                Value::Bits(u128::from(at))
            }
            InstKind::Load { ptr, .. } => {
                let at = self.bits(frame, *ptr)? as u64;
                self.check(frame, *ptr, at, inst.ty, false)?;
                self.get(at, inst.ty)?
            }
            InstKind::Store { ptr, value, ty, .. } => {
                let at = self.bits(frame, *ptr)? as u64;
                let value = self.value(frame, *value, *ty)?;
                self.check(frame, *ptr, at, *ty, true)?;
                self.put(at, *ty, &value)?;
                Value::Bits(0)
            }
            InstKind::Gep(gep) => {
                let mut at = (self.bits(frame, gep.base)? as i64).wrapping_add(gep.offset);
                for (index, scale) in &gep.terms {
                    let w = self.width(self.type_of(frame, *index)?);
                    at = at.wrapping_add((signed(w, self.bits(frame, *index)?) as i64).wrapping_mul(*scale));
                }
                Value::Bits(mask(module.pointer_bits, at as u128))
            }
            InstKind::ExtractValue { value, ty, path } => {
                let mut v = self.value(frame, *value, *ty)?;
                for &k in path {
                    v = match v {
                        Value::Parts(mut p) if (k as usize) < p.len() => p.swap_remove(k as usize),
                        _ => Value::Bits(0),
                    };
                }
                v
            }
            InstKind::InsertValue { value, member, path } => {
                let mut v = self.value(frame, *value, inst.ty)?;
                let ty = self.type_of(frame, *member)?;
                let new = self.value(frame, *member, ty)?;
                let mut place = &mut v;
                for &k in path {
                    place = match place {
                        Value::Parts(p) if (k as usize) < p.len() => &mut p[k as usize],
                        _ => return stop("insertvalue"),
                    };
                }
                *place = new;
                v
            }
            InstKind::DebugValue { .. } | InstKind::Fence => Value::Bits(0),
            InstKind::Call { callee, args, arg_types, byval, .. } => {
                let values: Vec<Value> =
                    args.iter().zip(arg_types).map(|(a, t)| self.value(frame, *a, *t)).collect::<Result<_, _>>()?;
                let g = match callee {
                    Callee::Function(g) => *g,
                    Callee::Pointer(p) => {
                        let at = self.bits(frame, *p)? as u64;
                        let Some((&g, _)) = self.functions.iter().find(|x| *x.1 == at) else { return stop("callee") };
                        if !self.memory.callees(frame.function, i).contains(&g) {
                            return Err(End::Wrong(format!("{} is no callee", module.functions[g.index()].name)));
                        }
                        g
                    }
                    Callee::Asm(..) => return stop("assembly"),
                };
                self.invoke(frame, i, g, args, values, arg_types, byval)?
            }
            other => return stop(format!("{other:?}")),
        })
    }

    #[allow(clippy::too_many_arguments)]
    fn invoke(
        &mut self,
        frame: &mut Frame,
        i: InstId,
        g: FuncId,
        args: &[Operand],
        mut values: Vec<Value>,
        arg_types: &[TypeId],
        byval: &[Option<TypeId>],
    ) -> Result<Value, End> {
        let module = self.module;
        let callee = &module.functions[g.index()];
        let arg = |k: usize| values.get(k).map_or(0, |v| v.bits() as u64);
        let target = |m: &Memory, k: usize| m.target(frame.function, args[k]);
        if !callee.is_defined() {
            let name = callee.name.as_str();
            let operation = library::operation(module, callee);
            return Ok(match operation {
                Some(Operation::Allocate(sizes, _)) => {
                    let size = sizes.iter().map(|&k| arg(k)).product();
                    Value::Bits(self.new_object(size, Some(Maker::Heap(frame.function, i)), 0)?.into())
                }
                Some(Operation::Reallocate(_)) => {
                    let (old, size) = (arg(0), arg(1));
                    let at = self.new_object(size, Some(Maker::Heap(frame.function, i)), 0)?;
                    if old != 0 {
                        let object = (old >> self.shift()) as usize;
                        let kept = self.objects[object].bytes.clone();
                        let n = kept.len().min(size as usize);
                        let new = (at >> self.shift()) as usize;
                        self.objects[new].bytes[..n].copy_from_slice(&kept[..n]);
                    }
                    Value::Bits(at.into())
                }
                Some(Operation::Copy { .. }) => {
                    let constant = matches!(args[2], Operand::Const(_)).then_some(arg(2));
                    let (to, from, bytes) = (arg(0), arg(1), arg(2));
                    let (tt, tf) = (target(self.memory, 0), target(self.memory, 1));
                    self.copy(frame, (tt, to), (tf, from), bytes, constant)?;
                    Value::Bits(to.into())
                }
                Some(Operation::Fill) => {
                    let constant = matches!(args[2], Operand::Const(_)).then_some(arg(2));
                    let (to, byte, bytes) = (arg(0), arg(1), arg(2));
                    self.check_block(frame, target(self.memory, 0), to, bytes, constant, true)?;
                    if bytes > 0 {
                        let (o, s) = self.find(to, bytes)?;
                        self.objects[o].bytes[s..s + bytes as usize].fill(byte as u8);
                    }
                    Value::Bits(to.into())
                }
                Some(Operation::Argument(k)) => values.swap_remove(k),
                _ if name.starts_with("llvm.va_start") => {
                    let (list, area) = (arg(0), frame.variable);
                    self.start_arguments(list, area)?;
                    Value::Bits(0)
                }
                _ if name.starts_with("llvm.va_copy") => {
                    let bytes = if module.pointer_bits == 64 { 24 } else { 4 };
                    let (tt, tf) = (target(self.memory, 0), target(self.memory, 1));
                    self.copy(frame, (tt, arg(0)), (tf, arg(1)), bytes, Some(bytes))?;
                    Value::Bits(0)
                }
                Some(Operation::Free) => {
                    let object = (arg(0) >> self.shift()) as usize;
                    if let Some(o) = self.objects.get_mut(object).filter(|_| object != 0) {
                        o.alive = false;
                    }
                    Value::Bits(0)
                }
                Some(Operation::Exit { .. } | Operation::Abort | Operation::AssertionFails) => {
                    return Err(End::Exit(name.into()));
                }
                _ => self.zero(callee_result(module, callee)),
            });
        }
        if values.len() < callee.params.len() {
            return stop("too few arguments");
        }
        if !callee.varargs {
            values.truncate(callee.params.len());
        }
        let mut variable = 0;
        let mut made = Vec::new();
        let first = callee.params.len();
        if callee.varargs {
            let by: Vec<_> = (first..args.len()).map(|k| byval.get(k).copied().flatten()).collect();
            if self.memory.convention != Convention::Memory {
                return stop("variable arguments in registers");
            }
            let InstKind::Call { aligns, .. } = &module.functions[frame.function.index()].inst(i).kind else {
                return stop("a call that is none");
            };
            let passed = |k: usize| Variable { ty: arg_types[k], byval: by[k - first], align: aligns[k] };
            let passed: Vec<Variable> = (first..args.len()).map(passed).collect();
            let (offsets, size) = self.memory.convention.places(module, callee, &passed);
            variable = self.new_object(size, Some(Maker::VarArgs(g)), 0)?;
            made.push(self.objects.len() - 1);
            let start = self.memory.site(Maker::VarArgs(g)).map(|s| self.memory.start(s));
            for (k, offset) in offsets.into_iter().enumerate() {
                let at = variable + offset;
                let place = start.map(|t| Target { offset: t.offset + offset as i64, ..t });
                match by[k] {
                    Some(ty) => {
                        let from =
                            (self.memory.target(frame.function, args[first + k]), values[first + k].bits() as u64);
                        let bytes = module.ty(ty).size;
                        self.copy(frame, (place, at), from, bytes, Some(bytes))?;
                    }
                    None => {
                        if place.is_some() {
                            self.check_at(frame, place, at, arg_types[first + k], true)?;
                        }
                        self.put(at, arg_types[first + k], &values[first + k])?;
                    }
                }
            }
            values.truncate(first);
        }
        for (k, p) in callee.params.iter().enumerate() {
            if let Some(ty) = p.byval {
                let bytes = module.ty(ty).size;
                let at = self.new_object(bytes, Some(Maker::Copy(g, k as u32)), 0)?;
                made.push(self.objects.len() - 1);
                let place = self.memory.site(Maker::Copy(g, k as u32)).map(|s| self.memory.start(s));
                let from = (self.memory.target(frame.function, args[k]), values[k].bits() as u64);
                self.copy(frame, (place, at), from, bytes, Some(bytes))?;
                values[k] = Value::Bits(at.into());
            }
        }
        let result = self.call(g, values, variable);
        for o in made {
            self.objects[o].alive = false;
        }
        result
    }

    fn copy(
        &mut self,
        frame: &Frame,
        (to_target, to): (Option<Target>, u64),
        (from_target, from): (Option<Target>, u64),
        bytes: u64,
        constant: Option<u64>,
    ) -> Result<(), End> {
        if bytes == 0 {
            return Ok(());
        }
        self.check_block(frame, from_target, from, bytes, constant, false).map_err(|e| self.explain(frame, e))?;
        self.check_block(frame, to_target, to, bytes, constant, true).map_err(|e| self.explain(frame, e))?;
        // What is copied has the same layout on both sides.
        if let (Some(t), Some(f)) = (to_target, from_target) {
            for byte in 0..bytes as i64 {
                let kind = |target: Target| {
                    let cells = self.memory.cells(Target { offset: target.offset + byte, ..target }, Some(1));
                    cells.first().map(|c| match self.memory.cells[c.index()].content {
                        Content::Value(ty) => Ok(ty),
                        Content::Units(_) => Err(()),
                    })
                };
                if kind(t).is_some() != kind(f).is_some() {
                    return Err(End::Wrong(format!("byte {byte} of a copy is on one side only")));
                }
            }
        }
        let (o, s) = self.find(from, bytes)?;
        let data = self.objects[o].bytes[s..s + bytes as usize].to_vec();
        let (o, s) = self.find(to, bytes)?;
        self.objects[o].bytes[s..s + bytes as usize].copy_from_slice(&data);
        Ok(())
    }

    fn start_arguments(&mut self, list: u64, area: u64) -> Result<(), End> {
        let word = self.module.pointer_bits as usize / 8;
        let size = if word == 8 { 24 } else { 4 };
        let (o, s) = self.find(list, size)?;
        let bytes = &mut self.objects[o].bytes;
        if word == 8 {
            bytes[s..s + 4].copy_from_slice(&48u32.to_le_bytes());
            bytes[s + 4..s + 8].copy_from_slice(&304u32.to_le_bytes());
            bytes[s + 8..s + 16].copy_from_slice(&area.to_le_bytes());
        } else {
            bytes[s..s + 4].copy_from_slice(&(area as u32).to_le_bytes());
        }
        Ok(())
    }

    fn float(&self, frame: &Frame, op: Operand, ty: TypeId) -> Result<f64, End> {
        let bits = self.bits(frame, op)?;
        match self.module.ty(ty).kind {
            TypeKind::Float(FloatKind::Single) => Ok(f32::from_bits(bits as u32).into()),
            TypeKind::Float(FloatKind::Double | FloatKind::X86Extended) => Ok(f64::from_bits(bits as u64)),
            _ => stop("float format"),
        }
    }

    fn to_value(&self, ty: TypeId, v: f64) -> Value {
        match self.module.ty(ty).kind {
            TypeKind::Float(FloatKind::Single) => Value::Bits((v as f32).to_bits().into()),
            _ => Value::Bits(v.to_bits().into()),
        }
    }
}

fn callee_result(module: &Module, callee: &Function) -> TypeId {
    match module.ty(callee.ty).kind {
        TypeKind::Function(result, ..) => result,
        _ => callee.ty,
    }
}

/// The value of an 80-bit number, roughly.
fn extended(bits: u128) -> f64 {
    let mantissa = (bits as u64) as f64 / 2f64.powi(63);
    let exponent = ((bits >> 64) & 0x7fff) as i32 - 16383;
    let value = mantissa * 2f64.powi(exponent);
    if bits >> 79 & 1 == 1 { -value } else { value }
}

/// What C leaves undefined has some result.
fn binary(op: BinaryOp, w: u32, a: u128, b: u128) -> u128 {
    let (sa, sb) = (signed(w, a), signed(w, b));
    let by = (b % u128::from(w.max(1))) as u32;
    mask(
        w,
        match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::UDiv => a.checked_div(b).unwrap_or(0),
            BinaryOp::SDiv => sa.checked_div(sb).unwrap_or(0) as u128,
            BinaryOp::URem => a.checked_rem(b).unwrap_or(0),
            BinaryOp::SRem => sa.checked_rem(sb).unwrap_or(0) as u128,
            BinaryOp::Shl => a << by,
            BinaryOp::LShr => a >> by,
            BinaryOp::AShr => (sa >> by) as u128,
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor => a ^ b,
        },
    )
}
