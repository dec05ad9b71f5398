//! Calls: arguments flow in and results flow back; calls through pointers are resolved as the analysis goes on;
//! functions without a body do what the library table says, or let their arguments escape.

use super::super::unify::{ALIGNED, FlowKind, HOLDS_OUTSIDE, OUTSIDE, Ptr, USED};
use super::super::{Maker, Variable};
use super::values::operand_int;
use super::{Block, Constraints, is_aggregate};
use crate::library::{self, Operation};
use crate::module::{Callee, FuncId, Function, InstId, InstKind, Operand, TypeKind};

impl Constraints<'_> {
    /// A call through a pointer: links it with the functions that the pointer may point to.
    pub(super) fn resolve(&mut self, call: u32) {
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
    pub(super) fn link(&mut self, f: FuncId, i: InstId, g: FuncId) {
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

    pub(super) fn returned(&mut self, f: FuncId) -> Ptr {
        *self.returns[f.index()].get_or_insert_with(|| self.nodes.fresh())
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
            Some(Operation::Peek) => {
                if let Some(at) = self.value(f, arg(0))
                    && let Some(value) = self.load(at, inst.ty)
                {
                    self.define(f, i, value);
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
}
