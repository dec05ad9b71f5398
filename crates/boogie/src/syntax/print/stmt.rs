//! Statements.

use super::Printer;
use crate::syntax::Slice;
use crate::syntax::ast::{Body, ExprId, LhsStep, Stmt, StmtKind, Var};

impl Printer<'_> {
    pub(super) fn body(&mut self, body: &Body) {
        self.text("{");
        self.indent += 2;
        self.locals(body.locals);
        self.stmts(body.stmts);
        self.indent -= 2;
        self.new_line();
        self.text("}");
    }

    /// Prints local variables, one declaration per group of attributes.
    pub(super) fn locals(&mut self, locals: Slice<Var>) {
        for var in &self.ast[locals] {
            self.new_line();
            self.text("var ");
            self.attrs(var.attrs);
            self.name(var.name.name);
            self.type_and_where(var);
            self.text(";");
        }
    }

    pub(super) fn stmts(&mut self, stmts: Slice<Stmt>) {
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            for stmt in &self.ast[stmts] {
                self.new_line();
                self.stmt(stmt);
            }
        });
    }

    fn block(&mut self, stmts: Slice<Stmt>) {
        self.text("{");
        self.indent += 2;
        self.stmts(stmts);
        self.indent -= 2;
        self.new_line();
        self.text("}");
    }

    fn guard(&mut self, guard: Option<ExprId>) {
        self.text("(");
        match guard {
            Some(guard) => self.expr(guard),
            None => self.text("*"),
        }
        self.text(")");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt.kind {
            StmtKind::Error => self.text("/* error */"),
            StmtKind::Label(name) => {
                self.name(name);
                self.text(":");
                return;
            }
            StmtKind::If(id) => {
                let if_stmt = &self.ast[id];
                for (i, arm) in self.ast[if_stmt.arms].iter().enumerate() {
                    self.text(if i > 0 { " else if " } else { "if " });
                    self.attrs(arm.attrs);
                    self.guard(arm.guard);
                    self.text(" ");
                    self.block(arm.body);
                }
                if let Some(els) = if_stmt.els {
                    self.text(" else ");
                    self.block(els);
                }
                return;
            }
            StmtKind::While(id) => {
                let while_stmt = &self.ast[id];
                self.text("while ");
                self.guard(while_stmt.guard);
                self.indent += 2;
                for invariant in &self.ast[while_stmt.invariants] {
                    self.new_line();
                    self.text(if invariant.free { "free " } else { "" });
                    self.text("invariant ");
                    self.attrs(invariant.attrs);
                    self.expr(invariant.cond);
                    self.text(";");
                }
                for measure in &self.ast[while_stmt.measures] {
                    self.new_line();
                    self.text("measure ");
                    self.attrs(measure.attrs);
                    self.exprs(measure.exprs);
                    self.text(";");
                }
                self.indent -= 2;
                if while_stmt.invariants.is_empty() && while_stmt.measures.is_empty() {
                    self.text(" ");
                } else {
                    self.new_line();
                }
                self.block(while_stmt.body);
                return;
            }
            StmtKind::Assert { attrs, cond } => {
                self.text("assert ");
                self.attrs(attrs);
                self.expr(cond);
            }
            StmtKind::Assume { attrs, cond } => {
                self.text("assume ");
                self.attrs(attrs);
                self.expr(cond);
            }
            StmtKind::Havoc(vars) => {
                self.text("havoc ");
                self.idents(vars);
            }
            StmtKind::Assign { attrs, lhs, rhs } => {
                for (i, target) in self.ast[lhs].iter().enumerate() {
                    self.text(if i > 0 { ", " } else { "" });
                    self.name(target.base.name);
                    for step in &self.ast[target.path] {
                        match *step {
                            LhsStep::Index { index, .. } => {
                                self.text("[");
                                self.exprs(index);
                                self.text("]");
                            }
                            LhsStep::Field(field) => {
                                self.text("->");
                                self.name(field.name);
                            }
                        }
                    }
                }
                self.text(" := ");
                self.attrs(attrs);
                self.exprs(rhs);
            }
            StmtKind::Unpack(id) => {
                let unpack = &self.ast[id];
                self.name(unpack.ctor.name);
                self.text("(");
                self.idents(unpack.vars);
                self.text(") := ");
                self.attrs(unpack.attrs);
                self.expr(unpack.value);
            }
            StmtKind::Call(id) => {
                let call = &self.ast[id];
                self.text(if call.is_async { "async " } else { "" });
                self.text(if call.is_free { "free " } else { "" });
                self.text("call ");
                self.attrs(call.attrs);
                if !call.outs.is_empty() {
                    self.idents(call.outs);
                    self.text(" := ");
                }
                self.name(call.proc.name);
                self.text("(");
                self.exprs(call.args);
                self.text(")");
            }
            StmtKind::Break(label) => {
                self.text("break");
                if let Some(label) = label {
                    self.text(" ");
                    self.name(label.name);
                }
            }
            StmtKind::Goto { attrs, labels } => {
                self.text("goto ");
                self.attrs(attrs);
                self.idents(labels);
            }
            StmtKind::Return { attrs, value } => {
                self.text("return ");
                self.attrs(attrs);
                match value {
                    Some(value) => self.expr(value),
                    None => self.trim_blank(),
                }
            }
            StmtKind::Reveal(name) | StmtKind::Hide(name) => {
                let hide = matches!(stmt.kind, StmtKind::Hide(_));
                self.text(if hide { "hide " } else { "reveal " });
                match name {
                    Some(name) => self.name(name.name),
                    None => self.text("*"),
                }
            }
            StmtKind::Measure { attrs, exprs } => {
                self.text("measure ");
                self.attrs(attrs);
                self.exprs(exprs);
            }
            StmtKind::Push => self.text("push"),
            StmtKind::Pop => self.text("pop"),
        }
        self.text(";");
    }

    /// Takes back a blank that nothing follows.
    pub(super) fn trim_blank(&mut self) {
        if self.out.ends_with(' ') {
            self.out.pop();
        }
    }
}
