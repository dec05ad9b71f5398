//! Runs a module on concrete memory and compares each access with the layout that the analysis gave.
//!
//! An address is an object's number in the upper bits and an offset in the lower ones, so that
//! arithmetic on addresses is arithmetic on integers, and bytes of memory are plain bytes.

mod calls;
mod layout;
mod values;

use std::collections::HashMap;

use lariat_llvm::memory::{CellId, Maker, Memory, SiteId};
use lariat_llvm::module::*;
use values::binary;

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

    // ---- values ----

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
}
