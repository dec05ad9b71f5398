//! Calls: functions of the module, and what is known of library functions.

use lariat_llvm::library::{self, Operation};
use lariat_llvm::memory::{Content, Convention, Maker, Memory, Target, Variable};
use lariat_llvm::module::*;

use super::{End, Frame, Machine, Value, stop};

impl Machine<'_> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn invoke(
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
}

fn callee_result(module: &Module, callee: &Function) -> TypeId {
    match module.ty(callee.ty).kind {
        TypeKind::Function(result, ..) => result,
        _ => callee.ty,
    }
}
