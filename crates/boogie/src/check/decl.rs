//! Signatures, and the declarations that are neither types nor procedures.

use super::{Checker, State};
use crate::syntax::{Axiom, BinOp, DeclId, DeclKind, ExprId, ExprKind, Function, Id, Ident, Slice, Var};
use crate::typed::NameRef;
use crate::types::{Ty, TyKind};
use lariat_source::{Diagnostic, DiagnosticKind, Span};

impl Checker<'_> {
    /// Resolves the types in the signatures of all declarations, so that bodies can be checked in
    /// any order.
    pub(super) fn resolve_signatures(&mut self) {
        let ast = self.ast;
        for (id, decl) in ast.decls.iter() {
            if self.out.ignored.contains(&id) {
                continue;
            }
            match decl.kind {
                DeclKind::Const { vars, .. } | DeclKind::Var(vars) => {
                    self.var_types(vars, &mut Vec::new());
                }
                DeclKind::Function(function) => self.function_signature(id, function),
                DeclKind::Procedure(procedure) => {
                    let node = &ast[procedure];
                    self.signature(node.type_params, node.ins, node.outs, id, "procedure");
                }
                DeclKind::Implementation(implementation) => {
                    let node = &ast[implementation];
                    self.signature(node.type_params, node.ins, node.outs, id, "implementation");
                }
                DeclKind::Type { .. } | DeclKind::Datatype { .. } | DeclKind::Axiom(_) => {}
            }
        }
        for list in [&self.out.globals, &self.out.constants] {
            for &var in list {
                let name = ast[var].name.name;
                self.globals_by_name.insert(name, self.vars.get(name));
            }
        }
        for index in 0..ast.procedures.len() {
            let declared = self.declared(Id::from_index(index));
            self.listed.extend(declared);
        }
    }

    fn signature(&mut self, type_params: Slice<Ident>, ins: Slice<Var>, outs: Slice<Var>, decl: DeclId, what: &str) {
        self.bind_type_vars(type_params, true);
        let mut types = Vec::new();
        self.var_types(ins, &mut types);
        self.var_types(outs, &mut types);
        let span = self.ast[decl].span;
        let what = format!("parameters and results of the {what}");
        self.check_type_params_used(type_params, &types, span, &what);
        self.unbind_type_vars(type_params);
    }

    fn var_types(&mut self, vars: Slice<Var>, types: &mut Vec<Ty>) {
        let mut last = None;
        for var in &self.ast[vars] {
            // Neighbours that were declared together share their type.
            if last != Some(var.ty) {
                last = Some(var.ty);
                types.push(self.resolve_type(var.ty));
            }
        }
    }

    fn function_signature(&mut self, decl: DeclId, id: Id<Function>) {
        let ast = self.ast;
        let node = &ast[id];
        self.bind_type_vars(node.type_params, true);
        let mut types: Vec<Ty> = Vec::with_capacity(node.params.len() + 1);
        for param in &ast[node.params] {
            types.push(self.resolve_type(param.ty));
        }
        let result = self.resolve_type(node.result.ty);
        types.push(result);
        self.out.functions[id.index()].result = result;
        let span = ast[decl].span;
        let what = "parameters and result of the function";
        self.check_type_params_used(node.type_params, &types, span, what);
        self.unbind_type_vars(node.type_params);
    }

    /// Checks everything that is not a signature, in the order of the source.
    pub(super) fn check_decls(&mut self) {
        let ast = self.ast;
        for (id, decl) in ast.decls.iter() {
            if self.out.ignored.contains(&id) {
                continue;
            }
            match decl.kind {
                DeclKind::Type { .. } | DeclKind::Datatype { .. } => self.attrs(decl.attrs),
                DeclKind::Const { vars, uses, .. } => {
                    self.attrs(decl.attrs);
                    self.var_attrs(vars);
                    self.axioms(uses);
                }
                DeclKind::Var(vars) => {
                    self.attrs(decl.attrs);
                    self.var_attrs(vars);
                }
                DeclKind::Function(function) => self.function(id, function),
                DeclKind::Axiom(axiom) => {
                    self.attrs(decl.attrs);
                    self.axiom(&axiom);
                }
                DeclKind::Procedure(procedure) => self.procedure(id, procedure),
                DeclKind::Implementation(implementation) => {
                    self.implementation(id, implementation);
                }
            }
        }
        for (id, decl) in ast.decls.iter() {
            if let DeclKind::Var(vars) = decl.kind
                && !self.out.ignored.contains(&id)
            {
                self.wheres(vars);
            }
        }
    }

    fn var_attrs(&mut self, vars: Slice<Var>) {
        for var in &self.ast[vars] {
            self.attrs(var.attrs);
        }
    }

    fn axioms(&mut self, axioms: Slice<Axiom>) {
        for axiom in &self.ast[axioms] {
            self.axiom(axiom);
        }
    }

    fn axiom(&mut self, axiom: &Axiom) {
        self.attrs(axiom.attrs);
        self.state = State::None;
        self.formula(axiom.cond, axiom.span, "an axiom");
        self.state = State::One;
    }

    fn function(&mut self, decl: DeclId, id: Id<Function>) {
        let ast = self.ast;
        let node = &ast[id];
        let attrs = ast[decl].attrs;
        self.bind_type_vars(node.type_params, false);
        self.vars.push();
        for param in node.params.ids() {
            if let Some(name) = ast[param].name
                && let Some(NameRef::Param(first)) = self.vars.declare(name.name, NameRef::Param(param))
            {
                let place = ast[first].name.map_or(name.span, |first| first.span);
                self.twice(name, place, "parameter");
            }
            self.attrs(ast[param].attrs);
        }
        self.attrs(node.result.attrs);
        self.attrs(attrs);
        if let Some(body) = node.body {
            let define = self.flag(attrs, "define");
            let inline = self.flag(attrs, "inline");
            if define && inline {
                let message = "a function cannot be both `:inline` and `:define`";
                self.structure_error(ast[body].span, message);
            } else if define && !node.type_params.is_empty() {
                let message = "a `:define` function cannot have type parameters";
                self.structure_error(ast[body].span, message);
            }
            self.state = State::None;
            let result = self.out.functions[id.index()].result;
            // A body that is not unfolded becomes an axiom, which Boogie blames on the function.
            let span = match define || inline {
                true => ast[body].span,
                false => ast[decl].span,
            };
            self.function_body(id, body, result, span);
            self.state = State::One;
        }
        self.vars.pop();
        self.unbind_type_vars(node.type_params);
        self.axioms(node.uses);
    }

    /// The body must be of the type of the result. Older tools print concatenations of the wrong
    /// width in functions that nobody calls, so those only cost the function its body.
    fn function_body(&mut self, id: Id<Function>, body: ExprId, result: Ty, span: Span) {
        let concat = matches!(self.ast[body].kind, ExprKind::Binary { op: BinOp::Concat, .. });
        if !concat {
            self.expect(body, result, span, "the body of the function");
            return;
        }
        self.unit(span, |checker| {
            let ty = checker.expr(body);
            if checker.unify(ty, result) {
                return;
            }
            let message =
                format!("the body of the function must be of type {}, not {}", checker.show(result), checker.show(ty));
            if let (TyKind::Bv(_), TyKind::Bv(_)) = (checker.out.types.kind(ty), checker.out.types.kind(result)) {
                checker.out.functions[id.index()].body = false;
                let warning = Diagnostic::warning(DiagnosticKind::Type, span, message);
                let hint = "the body is ignored, so the function may return anything";
                checker.types.push(warning.with_hint(hint));
            } else {
                checker.type_error(span, message);
            }
        });
    }
}
