//! Declarations.

use super::Printer;
use crate::syntax::Slice;
use crate::syntax::ast::{Axiom, Decl, DeclKind, Function, Ident, Procedure, SpecKind, Var};

impl Printer<'_> {
    /// Prints a blank line between declarations of different kinds, and around those with bodies.
    pub(super) fn separate(&mut self, last: Option<&Decl>, next: &Decl) {
        if let Some(last) = last {
            let same = std::mem::discriminant(&last.kind) == std::mem::discriminant(&next.kind);
            let long = matches!(next.kind, DeclKind::Procedure(_) | DeclKind::Implementation(_));
            if !same || long {
                self.text("\n");
            }
        }
    }

    /// Prints a declaration with a line end after it.
    pub(super) fn decl(&mut self, decl: &Decl) {
        match decl.kind {
            DeclKind::Type { name, params, synonym } => {
                self.text("type ");
                self.attrs(decl.attrs);
                self.name(name.name);
                for param in &self.ast[params] {
                    self.text(" ");
                    self.name(param.name);
                }
                if let Some(ty) = synonym {
                    self.text(" = ");
                    self.ty(ty);
                }
                self.text(";");
            }
            DeclKind::Datatype { name, params, ctors } => {
                self.text("datatype ");
                self.attrs(decl.attrs);
                self.name(name.name);
                self.type_params(params);
                self.text(" {");
                for (i, ctor) in self.ast[ctors].iter().enumerate() {
                    self.text(if i > 0 { ",\n  " } else { "\n  " });
                    self.name(ctor.name.name);
                    self.text("(");
                    self.vars(ctor.fields, true);
                    self.text(")");
                }
                self.text("\n}");
            }
            DeclKind::Const { unique, vars, uses } => {
                self.text("const ");
                self.attrs(decl.attrs);
                self.text(if unique { "unique " } else { "" });
                self.vars(vars, false);
                match uses.is_empty() {
                    true => self.text(";"),
                    false => self.uses(uses),
                }
            }
            DeclKind::Function(function) => {
                let function = &self.ast[function];
                self.text(if function.revealed { "revealed " } else { "" });
                self.text("function ");
                self.attrs(decl.attrs);
                self.function(function);
            }
            DeclKind::Axiom(axiom) => self.axiom(&axiom),
            DeclKind::Var(vars) => {
                self.text("var ");
                self.attrs(decl.attrs);
                self.vars(vars, false);
                self.text(";");
            }
            DeclKind::Procedure(procedure) => {
                let procedure = &self.ast[procedure];
                self.text(if procedure.pure { "pure " } else { "" });
                self.text("procedure ");
                self.attrs(decl.attrs);
                self.procedure(procedure);
            }
            DeclKind::Implementation(implementation) => {
                let implementation = &self.ast[implementation];
                self.text("implementation ");
                self.attrs(decl.attrs);
                self.signature(
                    implementation.name,
                    implementation.type_params,
                    implementation.ins,
                    implementation.outs,
                );
                self.new_line();
                self.body(&implementation.body);
            }
        }
        self.text("\n");
    }

    fn uses(&mut self, axioms: Slice<Axiom>) {
        self.text(" uses {");
        self.indent += 2;
        for axiom in &self.ast[axioms] {
            self.new_line();
            self.axiom(axiom);
        }
        self.indent -= 2;
        self.new_line();
        self.text("}");
    }

    fn function(&mut self, function: &Function) {
        self.name(function.name.name);
        self.type_params(function.type_params);
        self.text("(");
        for (i, param) in self.ast[function.params].iter().enumerate() {
            self.text(if i > 0 { ", " } else { "" });
            self.param(param);
        }
        self.text(")");
        let result = &function.result;
        if result.name.is_some() || !result.attrs.is_empty() {
            self.text(" returns (");
            self.param(result);
            self.text(")");
        } else {
            self.text(": ");
            self.ty(result.ty);
        }
        if let Some(body) = function.body {
            self.text(" { ");
            self.expr(body);
            self.text(" }");
        }
        match (function.uses.is_empty(), function.body) {
            (false, _) => self.uses(function.uses),
            (true, None) => self.text(";"),
            (true, Some(_)) => {}
        }
    }

    fn signature(&mut self, name: Ident, type_params: Slice<Ident>, ins: Slice<Var>, outs: Slice<Var>) {
        self.name(name.name);
        self.type_params(type_params);
        self.text("(");
        self.vars(ins, true);
        self.text(")");
        if !outs.is_empty() {
            self.text(" returns (");
            self.vars(outs, true);
            self.text(")");
        }
    }

    fn procedure(&mut self, procedure: &Procedure) {
        self.signature(procedure.name, procedure.type_params, procedure.ins, procedure.outs);
        if procedure.body.is_none() {
            self.text(";");
        }
        self.indent += 2;
        for spec in &self.ast[procedure.specs] {
            self.new_line();
            let (keyword, free, cond) = match spec.kind {
                SpecKind::Requires { free, cond } => ("requires ", free, cond),
                SpecKind::Ensures { free, cond } => ("ensures ", free, cond),
                SpecKind::Preserves { free, cond } => ("preserves ", free, cond),
                SpecKind::Modifies(names) => {
                    self.text("modifies ");
                    self.idents(names);
                    self.trim_blank();
                    self.text(";");
                    continue;
                }
                SpecKind::Measure(exprs) => {
                    self.text("measure ");
                    self.attrs(spec.attrs);
                    self.exprs(exprs);
                    self.text(";");
                    continue;
                }
            };
            self.text(if free { "free " } else { "" });
            self.text(keyword);
            self.attrs(spec.attrs);
            self.expr(cond);
            self.text(";");
        }
        self.indent -= 2;
        if let Some(body) = &procedure.body {
            self.new_line();
            self.body(body);
        }
    }
}
