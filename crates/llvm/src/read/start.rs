//! What runs before the entry and after it: constructors and destructors, and the resolvers of `ifunc`s.
//!
//! A linker puts the addresses of constructors into one table, by priority and then in the order of the files, and
//! start-up calls them in this order; the table of destructors is run backwards. Resolvers come before all that: each
//! chooses the function that an `ifunc` stands for from then on. Such an `ifunc` becomes a function that calls what
//! its resolver has chosen, as the entries of a procedure linkage table do.

use super::Copier;
use super::raw::Value;
use crate::module::{
    Block, Callee, Const, ConstId, FuncId, Function, Global, GlobalId, Inst, InstId, InstKind, Operand, Param, ScopeId,
    TypeKind,
};

/// The priority of what has none.
const LAST: i64 = 65535;

impl<'s> Copier<'s> {
    /// Finds constructors and destructors; all globals have been copied.
    pub(super) fn start_and_end(&mut self, globals: &[Value<'s>]) {
        let (mut start, mut end) = (Vec::new(), Vec::new());
        for (value, global) in globals.iter().zip(0..) {
            let name = self.module.globals[global].name.clone();
            let section = value.section();
            let Some(init) = self.module.globals[global].init else { continue };
            let table = match name.as_str() {
                "llvm.global_ctors" => &mut start,
                "llvm.global_dtors" => &mut end,
                _ => {
                    let (list, priority) = match section.split_once("_array") {
                        Some((".preinit", _)) => (&mut start, Some(-1)),
                        Some((".init", rest)) => (&mut start, priority(rest)),
                        Some((".fini", rest)) => (&mut end, priority(rest)),
                        _ if section.starts_with(".ctors") || section.starts_with(".dtors") => (&mut start, None),
                        _ => continue,
                    };
                    match (priority, self.entries(init)) {
                        (Some(priority), Some(entries)) => list.extend(entries.into_iter().map(|f| (priority, f))),
                        _ => self.module.unreadable.push(format!("the table {section} of functions to start")),
                    }
                    continue;
                }
            };
            for entry in self.members(init) {
                match self.members(entry)[..] {
                    [priority, function, ..] => match (self.number(priority), self.entries(function)) {
                        (Some(priority), Some(entries)) => table.extend(entries.into_iter().map(|f| (priority, f))),
                        _ => self.module.unreadable.push("a constructor or destructor".into()),
                    },
                    _ => self.module.unreadable.push("a constructor or destructor".into()),
                }
            }
        }
        // Both sorts keep the order of what has the same priority.
        start.sort_by_key(|entry| entry.0);
        end.sort_by_key(|entry| entry.0);
        self.module.constructors.extend(start.into_iter().map(|entry| entry.1));
        self.module.destructors.extend(end.into_iter().rev().map(|entry| entry.1));
    }

    fn members(&self, c: ConstId) -> Vec<ConstId> {
        match self.module.constant(c) {
            Const::Aggregate(_, members) => members.clone(),
            _ => Vec::new(),
        }
    }

    fn number(&self, c: ConstId) -> Option<i64> {
        match self.module.constant(c) {
            Const::Int(_, words) => words.first().map(|&word| word as i64),
            Const::Zero(_) => Some(0),
            _ => None,
        }
    }

    /// The functions of a table, or the one that a constant is; null is none.
    fn entries(&self, c: ConstId) -> Option<Vec<FuncId>> {
        match self.module.constant(c) {
            Const::Function(f) => Some(vec![*f]),
            Const::Null | Const::Zero(_) => Some(Vec::new()),
            Const::Aggregate(ty, members) if matches!(self.module.ty(*ty).kind, TypeKind::Array(..)) => {
                let parts: Option<Vec<_>> = members.iter().map(|&member| self.entries(member)).collect();
                Some(parts?.concat())
            }
            _ => None,
        }
    }

    /// The code of an `ifunc`, its variable, and the function that sets it at the start.
    pub(super) fn ifunc(&mut self, value: Value<'s>, id: FuncId) {
        let name = self.module.functions[id.index()].name.clone();
        let ty = self.module.functions[id.index()].ty;
        let TypeKind::Function(result, params, false) = self.module.ty(ty).kind.clone() else {
            self.module.unreadable.push(format!("the resolver of {name}"));
            return;
        };
        let resolver = value.resolver().map(|r| self.resolve(r)).and_then(|r| self.functions.get(&r).copied());
        let Some(resolver) = resolver else {
            self.module.unreadable.push(format!("the resolver of {name}"));
            return;
        };
        let pointer = self.ty(value.ty());
        let void = self.ty_or_void(None);
        let null = self.intern(Const::Null);
        let global = GlobalId(self.module.globals.len() as u32);
        self.module.globals.push(Global {
            name: format!("{name}.chosen"),
            ty: pointer,
            init: Some(null),
            constant: false,
            align: self.module.pointer_bits / 8,
            thread_local: false,
            weak: false,
            debug: None,
            unnamed: false,
        });
        let chosen = Operand::Const(self.intern(Const::Global(global)));
        let loc = self.module.functions[resolver.index()].loc;
        let inst = |kind, ty| Inst { kind, ty, loc };
        let code = |insts: Vec<Inst>| {
            let all = 0..insts.len() as u32;
            (vec![Block { label: String::new(), source_label: None, label_scope: ScopeId::NONE, insts: all }], insts)
        };
        let call = |callee, args: Vec<Operand>, arg_types, ty| {
            let (byval, aligns) = (vec![None; args.len()], vec![0; args.len()]);
            InstKind::Call { callee, args, arg_types, byval, aligns, ty }
        };
        let args: Vec<Operand> = (0..params.len() as u32).map(Operand::Param).collect();
        let load = InstKind::Load { ptr: chosen, volatile: false, atomic: false, align: 1 };
        let called = call(Callee::Pointer(Operand::Inst(InstId(0))), args, params.clone(), ty);
        let is_void = self.module.ty(result).kind == TypeKind::Void;
        let returned = if is_void { Operand::None } else { Operand::Inst(InstId(1)) };
        let (blocks, insts) =
            code(vec![inst(load, pointer), inst(called, result), inst(InstKind::Return(returned), void)]);
        let function = &mut self.module.functions[id.index()];
        (function.blocks, function.insts, function.loc) = (blocks, insts, loc);
        let plain =
            |ty| Param { ty, byval: None, align: 0, sret: None, name: String::new(), signed: false, defined: false };
        function.params = params.into_iter().map(plain).collect();
        let resolver_type = self.module.functions[resolver.index()].ty;
        let resolved = call(Callee::Function(resolver), Vec::new(), Vec::new(), resolver_type);
        let store = InstKind::Store {
            ptr: chosen,
            value: Operand::Inst(InstId(0)),
            ty: pointer,
            volatile: false,
            atomic: false,
            align: 1,
        };
        let (blocks, insts) =
            code(vec![inst(resolved, pointer), inst(store, void), inst(InstKind::Return(Operand::None), void)]);
        let ty = self.procedure_type();
        self.module.constructors.push(FuncId(self.module.functions.len() as u32));
        self.module.functions.push(Function {
            name: format!("{name}.resolve"),
            source: format!("{name}.resolve"),
            ty,
            params: Vec::new(),
            varargs: false,
            blocks,
            insts,
            loc,
            result: None,
            noreturn: false,
            weak: false,
            result_defined: false,
        });
    }
}

/// The priority that the name of a section ends with: none, or `.101`.
fn priority(rest: &str) -> Option<i64> {
    if rest.is_empty() { Some(LAST) } else { rest.strip_prefix('.')?.parse().ok() }
}
