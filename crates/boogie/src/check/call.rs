//! Applications of functions and constructors, and call statements.

use rustc_hash::FxHashSet;

use super::Checker;
use crate::syntax::{Call, ExprId, Function, Id, Name, Slice, TypeId};
use crate::typed::{CtorId, FieldId, NameRef};
use crate::types::{Ty, TyKind, TyVar};
use lariat_source::{Diagnostic, DiagnosticKind, Span, counted};

impl Checker<'_> {
    /// The type of `f(args)`.
    pub(super) fn apply(&mut self, id: ExprId, name: Name, args: &[ExprId], span: Span) -> Ty {
        let what = self.functions[name.index()];
        self.out.expr_ref[id.index()] = what;
        let failed = args.iter().any(|&arg| self.out.expr_ty[arg.index()] == Ty::ERROR);
        match what {
            NameRef::Function(function) => {
                let arity = self.ast[function].params.len();
                match self.check_arity(name, arity, args, span) && !failed {
                    true => self.apply_function(id, function, args),
                    false => Ty::ERROR,
                }
            }
            NameRef::Ctor(ctor) => {
                let arity = self.out.ctors[ctor.index()].fields.len();
                match self.check_arity(name, arity, args, span) && !failed {
                    true => self.apply_ctor(id, ctor, args),
                    false => Ty::ERROR,
                }
            }
            NameRef::Field(field) => match self.check_arity(name, 1, args, span) && !failed {
                true => self.apply_selector(field, args[0]),
                false => Ty::ERROR,
            },
            NameRef::Tester(ctor) => match self.check_arity(name, 1, args, span) && !failed {
                true => self.apply_tester(ctor, args[0]),
                false => Ty::ERROR,
            },
            _ => {
                self.unknown(span, "the function", name, |checker, other| {
                    checker.functions[other.index()] != NameRef::None
                });
                Ty::ERROR
            }
        }
    }

    fn check_arity(&mut self, name: Name, arity: usize, args: &[ExprId], span: Span) -> bool {
        if arity == args.len() {
            return true;
        }
        let text = self.text(name);
        let message = format!("`{text}` takes {}, not {}", counted(arity, "argument", "arguments"), args.len());
        self.type_error(span, message);
        false
    }

    fn apply_function(&mut self, id: ExprId, function: Id<Function>, args: &[ExprId]) -> Ty {
        let ast = self.ast;
        let node = &ast[function];
        let result = self.out.functions[function.index()].result;
        let mut ok = true;
        if node.type_params.is_empty() {
            for (position, param) in ast[node.params].iter().enumerate() {
                let expected = self.out.type_ty[param.ty.index()];
                ok &= self.argument(args[position], expected, "argument", position);
            }
            return match ok {
                true => result,
                false => Ty::ERROR,
            };
        }
        let (vars, insts) = self.fresh_for(node.type_params);
        for (position, param) in ast[node.params].iter().enumerate() {
            let expected = self.out.type_ty[param.ty.index()];
            let expected = self.out.types.subst(expected, &vars, &insts);
            ok &= self.argument(args[position], expected, "argument", position);
        }
        let range = self.add_insts(&insts);
        self.set_inst(id, range);
        match ok {
            true => self.out.types.subst(result, &vars, &insts),
            false => Ty::ERROR,
        }
    }

    fn apply_ctor(&mut self, id: ExprId, ctor: CtorId, args: &[ExprId]) -> Ty {
        let (ty, fields) = self.instantiate_ctor(ctor);
        let mut ok = true;
        for (position, &expected) in fields.iter().enumerate() {
            ok &= self.argument(args[position], expected, "argument", position);
        }
        if let TyKind::Data { args, .. } = self.out.types.kind(ty)
            && !args.is_empty()
        {
            let insts = self.out.types.list(args).to_vec();
            let range = self.add_insts(&insts);
            self.set_inst(id, range);
        }
        match ok {
            true => ty,
            false => Ty::ERROR,
        }
    }

    /// The datatype of a constructor with fresh types for its parameters, and the types of the
    /// constructor's fields.
    pub(super) fn instantiate_ctor(&mut self, ctor: CtorId) -> (Ty, Vec<Ty>) {
        let data = self.out.ctors[ctor.index()].datatype;
        let (vars, insts) = self.fresh_for(self.out.datatypes[data.index()].params);
        let ty = self.out.types.data(data, &insts);
        let out = &mut self.out;
        let fields = out.ctors[ctor.index()].fields.iter();
        let fields = fields.map(|field| {
            let ty = out.fields[field.index()].ty;
            out.types.subst(ty, &vars, &insts)
        });
        let fields = fields.collect();
        (ty, fields)
    }

    fn apply_selector(&mut self, field: FieldId, arg: ExprId) -> Ty {
        let data = self.out.fields[field.index()].datatype;
        let (vars, insts) = self.fresh_for(self.out.datatypes[data.index()].params);
        let expected = self.out.types.data(data, &insts);
        if !self.argument(arg, expected, "argument", 0) {
            return Ty::ERROR;
        }
        let ty = self.out.fields[field.index()].ty;
        self.out.types.subst(ty, &vars, &insts)
    }

    fn apply_tester(&mut self, ctor: CtorId, arg: ExprId) -> Ty {
        let (expected, _) = self.instantiate_ctor(ctor);
        match self.argument(arg, expected, "argument", 0) {
            true => Ty::BOOL,
            false => Ty::ERROR,
        }
    }

    /// `call x, y := p(args);`
    pub(super) fn call(&mut self, id: Id<Call>, span: Span) {
        let ast = self.ast;
        let call = &ast[id];
        if call.is_async {
            self.unsupported(
                span,
                "asynchronous calls are not supported",
                "concurrency is not supported yet; write a plain `call`",
            );
            return;
        }
        self.stmt_attrs(call.attrs, span);
        let procedure = self.procedures[call.proc.name.index()];
        self.out.call_proc[id.index()] = procedure;
        if procedure.is_none() {
            self.unknown(span, "the procedure", call.proc.name, |checker, other| {
                checker.procedures[other.index()].is_some()
            });
        }
        let mut failed = false;
        for &arg in &ast[call.args] {
            failed |= self.expr(arg) == Ty::ERROR;
        }
        let mut seen = FxHashSet::default();
        for out in call.outs.ids() {
            let ident = ast[out];
            let what = self.variable(ident.name, ident.span);
            self.out.ident_ref[out.index()] = what;
            if what != NameRef::None && !seen.insert(ident.name) {
                let text = self.text(ident.name);
                let message = format!("`{text}` gets two results of the call");
                self.name_error(span, message);
            }
        }
        let Some(procedure) = procedure else {
            return;
        };
        let node = &ast[procedure];
        let text = self.text(node.name.name);
        for (count, expected, one, many) in [
            (call.args.len(), node.ins.len(), "argument", "arguments"),
            (call.outs.len(), node.outs.len(), "result", "results"),
        ] {
            if count != expected {
                let expected = counted(expected, one, many);
                let message = format!("the procedure `{text}` has {expected}, not {count}");
                let diagnostic = Diagnostic::error(DiagnosticKind::Resolve, span, message);
                let place = node.name.span;
                self.names.push(diagnostic.with_note(place, "it is declared here"));
                return;
            }
        }
        if self.context.pure && !node.pure {
            let message = format!("a pure procedure cannot call `{text}`, which is not pure");
            self.name_error(span, message);
        }
        for out in call.outs.ids() {
            let what = self.out.ident_ref[out.index()];
            self.assigned(what, ast[out].name, span);
        }
        self.called(procedure, span);
        if failed {
            return;
        }
        let (vars, insts) = self.fresh_for(node.type_params);
        for (position, (&arg, formal)) in ast[call.args].iter().zip(&ast[node.ins]).enumerate() {
            let expected = self.formal(formal.ty, &vars, &insts);
            self.argument(arg, expected, "argument", position);
        }
        for (position, (out, formal)) in call.outs.ids().zip(&ast[node.outs]).enumerate() {
            let expected = self.formal(formal.ty, &vars, &insts);
            let ty = self.variable_type(self.out.ident_ref[out.index()]);
            if !self.unify(ty, expected) {
                let message = format!(
                    "result {} is of type {}, but `{}` is of type {}",
                    position + 1,
                    self.show(expected),
                    self.text(ast[out].name),
                    self.show(ty)
                );
                self.type_error(ast[out].span, message);
            }
        }
        if !insts.is_empty() {
            let range = self.add_insts(&insts);
            self.out.call_inst.insert(id, range);
        }
    }

    fn formal(&mut self, ty: TypeId, vars: &[TyVar], insts: &[Ty]) -> Ty {
        let ty = self.out.type_ty[ty.index()];
        self.out.types.subst(ty, vars, insts)
    }

    /// Resolves a list of variables that a statement assigns to.
    pub(super) fn targets(&mut self, idents: Slice<crate::syntax::Ident>, span: Span) {
        for id in idents.ids() {
            let ident = self.ast[id];
            let what = self.variable(ident.name, ident.span);
            self.out.ident_ref[id.index()] = what;
            self.assigned(what, ident.name, span);
        }
    }
}
