//! Statements.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Access, Checker, Enclosing};
use crate::syntax::{
    BinOp, ExprId, ExprKind, Id, Ident, If, Lhs, LhsStep, Name, Slice, Stmt, StmtKind, Unpack, Var, While,
};
use crate::typed::NameRef;
use crate::types::Ty;
use lariat_source::{Diagnostic, DiagnosticKind, Span};

impl Checker<'_> {
    /// Declares local variables.
    pub(super) fn locals(&mut self, locals: Slice<Var>) {
        let ast = self.ast;
        for id in locals.ids() {
            let var = &ast[id];
            self.declare_local(id);
            self.resolve_type(var.ty);
            self.attrs(var.attrs);
            if self.flag(var.attrs, "assumption") {
                let ty = self.out.type_ty[var.ty.index()];
                if ty != Ty::BOOL && ty != Ty::ERROR {
                    let message = "an assumption variable must be of type bool";
                    self.type_error(var.name.span, message);
                }
                if var.wher.is_some() {
                    let message = "an assumption variable cannot have a where clause";
                    self.name_error(var.name.span, message);
                }
            }
        }
        self.wheres(locals);
    }

    /// Declares a parameter, result or local variable.
    pub(super) fn declare_local(&mut self, id: Id<Var>) {
        let name = self.ast[id].name;
        if let Some(NameRef::Local(first)) = self.vars.declare(name.name, NameRef::Local(id)) {
            self.twice(name, self.ast[first].name.span, "variable");
        }
    }

    /// Checks where clauses. Neighbours that were declared together share theirs.
    pub(super) fn wheres(&mut self, vars: Slice<Var>) {
        let mut last = None;
        for var in &self.ast[vars] {
            if let Some(condition) = var.wher
                && last != Some(condition)
            {
                last = Some(condition);
                self.formula(condition, var.name.span, "a where clause");
            }
        }
    }

    /// Collects the labels of a body, complaining about those that occur twice.
    pub(super) fn collect_labels(&mut self, body: Slice<Stmt>) {
        let ast = self.ast;
        self.labels.clear();
        let mut stack: Vec<Id<Stmt>> = body.ids().rev().collect();
        while let Some(id) = stack.pop() {
            match ast[id].kind {
                StmtKind::Label(name) => {
                    let first = *self.labels.entry(name).or_insert(id);
                    if first != id {
                        let span = ast[id].span;
                        self.twice(Ident { name, span }, ast[first].span, "label");
                    }
                }
                StmtKind::If(node) => {
                    let arms = ast[ast[node].arms].iter().map(|arm| arm.body);
                    let lists = arms.chain(ast[node].els);
                    let start = stack.len();
                    stack.extend(lists.flat_map(|list| list.ids()));
                    stack[start..].reverse();
                }
                StmtKind::While(node) => stack.extend(ast[node].body.ids().rev()),
                _ => {}
            }
        }
    }

    /// Checks a list of statements. The recursion is bounded by the nesting of statements.
    pub(super) fn stmts(&mut self, list: Slice<Stmt>) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let ast = self.ast;
            let mut label = None;
            let mut block = Block::default();
            for id in list.ids() {
                let stmt = &ast[id];
                let before = label.take();
                match stmt.kind {
                    StmtKind::Label(name) => {
                        label = Some(name);
                        block = Block { head: Some(stmt.span), measures: 0 };
                    }
                    StmtKind::Assert { .. } | StmtKind::Assume { .. } => self.stmt(id, before),
                    StmtKind::Measure { .. } => {
                        self.measure_place(&mut block, stmt.span);
                        self.stmt(id, before);
                    }
                    _ => {
                        block.head = None;
                        self.stmt(id, before);
                    }
                }
            }
        });
    }

    /// A measure stands at the head of a block, after nothing but conditions, and only once.
    fn measure_place(&mut self, block: &mut Block, span: Span) {
        match block.head {
            None => {
                let message = "a measure must be at the head of a loop";
                self.type_error(span, message);
            }
            Some(head) => {
                block.measures += 1;
                if block.measures == 2 {
                    self.type_error(head, "the block has more than one measure");
                }
            }
        }
    }

    /// A measure is a list of integers and Booleans.
    pub(super) fn measure(&mut self, exprs: Slice<ExprId>, span: Span) {
        for &expr in &self.ast[exprs] {
            self.unit(span, |checker| {
                let ty = checker.expr(expr);
                if ty != Ty::BOOL && !checker.unify(ty, Ty::INT) {
                    let message = format!("a measure must be of type int, not {}", checker.show(ty));
                    checker.type_error(span, message);
                }
            });
        }
    }

    fn stmt(&mut self, id: Id<Stmt>, label: Option<Name>) {
        let ast = self.ast;
        let stmt = &ast[id];
        let span = stmt.span;
        match stmt.kind {
            StmtKind::Error | StmtKind::Label(_) | StmtKind::Push | StmtKind::Pop => {}
            StmtKind::Assert { attrs, cond } => {
                self.stmt_attrs(attrs, span);
                self.formula(cond, span, "an assertion");
            }
            StmtKind::Assume { attrs, cond } => {
                self.stmt_attrs(attrs, span);
                self.formula(cond, span, "an assumption");
            }
            StmtKind::Havoc(vars) => self.targets(vars, span),
            StmtKind::Assign { attrs, lhs, rhs } => {
                self.attrs(attrs);
                self.unit(span, |checker| checker.assign(lhs, rhs, span));
            }
            StmtKind::Unpack(unpack) => {
                self.attrs(ast[unpack].attrs);
                self.unit(span, |checker| checker.unpack(unpack, span));
            }
            StmtKind::Call(call) => self.unit(span, |checker| checker.call(call, span)),
            StmtKind::If(node) => self.if_stmt(id, node, label),
            StmtKind::While(node) => self.while_stmt(id, node, label, span),
            StmtKind::Break(target) => self.break_stmt(id, target, span),
            StmtKind::Goto { attrs, labels } => {
                self.attrs(attrs);
                for label in labels.ids() {
                    let name = ast[label].name;
                    match self.labels.get(&name) {
                        Some(&target) => {
                            self.out.ident_ref[label.index()] = NameRef::Label(target);
                        }
                        None => {
                            let text = self.text(name);
                            let message = format!("the label `{text}` is not declared");
                            self.structure_error(span, message);
                        }
                    }
                }
            }
            StmtKind::Return { attrs, value } => {
                self.attrs(attrs);
                if let Some(value) = value {
                    self.formula(value, span, "the value of a code expression");
                }
            }
            StmtKind::Reveal(name) | StmtKind::Hide(name) => {
                if let Some(name) = name
                    && self.functions[name.name.index()] == NameRef::None
                {
                    self.unknown(name.span, "the function", name.name, |checker, other| {
                        checker.functions[other.index()] != NameRef::None
                    });
                }
            }
            StmtKind::Measure { attrs, exprs } => {
                self.attrs(attrs);
                self.measure(exprs, span);
            }
        }
    }

    fn if_stmt(&mut self, id: Id<Stmt>, node: Id<If>, label: Option<Name>) {
        let ast = self.ast;
        for arm in &ast[ast[node].arms] {
            self.attrs(arm.attrs);
            if let Some(guard) = arm.guard {
                self.formula(guard, arm.span, "a condition");
            }
        }
        self.enclosing.push(Enclosing { stmt: id, label, is_loop: false });
        for arm in &ast[ast[node].arms] {
            self.stmts(arm.body);
        }
        if let Some(els) = ast[node].els {
            self.stmts(els);
        }
        self.enclosing.pop();
    }

    fn while_stmt(&mut self, id: Id<Stmt>, node: Id<While>, label: Option<Name>, span: Span) {
        let ast = self.ast;
        let node = &ast[node];
        if let Some(guard) = node.guard {
            self.formula(guard, span, "a condition");
        }
        for invariant in &ast[node.invariants] {
            self.stmt_attrs(invariant.attrs, invariant.span);
            self.formula(invariant.cond, invariant.span, "an invariant");
        }
        for (index, measure) in ast[node.measures].iter().enumerate() {
            if index == 1 {
                self.type_error(measure.span, "the loop has more than one measure");
            }
            self.attrs(measure.attrs);
            self.measure(measure.exprs, measure.span);
        }
        self.enclosing.push(Enclosing { stmt: id, label, is_loop: true });
        self.stmts(node.body);
        self.enclosing.pop();
    }

    fn break_stmt(&mut self, id: Id<Stmt>, target: Option<Ident>, span: Span) {
        let found = self.enclosing.iter().rev().find(|outer| match target {
            Some(label) => outer.label == Some(label.name),
            None => outer.is_loop,
        });
        if let Some(outer) = found {
            self.out.break_target.insert(id, outer.stmt);
            return;
        }
        match target {
            None => self.structure_error(span, "`break` is not inside a loop"),
            Some(label) => {
                let text = self.text(label.name);
                let message = format!("`{text}` does not label a statement around this `break`");
                self.structure_error(span, message);
            }
        }
    }

    fn assign(&mut self, lhs: Slice<Lhs>, rhs: Slice<ExprId>, span: Span) {
        let ast = self.ast;
        if lhs.len() != rhs.len() {
            let message = format!("{} targets but {} values", lhs.len(), rhs.len());
            self.name_error(span, message);
        }
        let mut failed = false;
        for id in lhs.ids() {
            let ty = self.lhs(id);
            self.out.lhs_ty[id.index()] = ty;
            if self.out.types.has_proxy(ty) {
                self.open_lhss.push(id);
            }
            failed |= ty == Ty::ERROR;
        }
        for &value in &ast[rhs] {
            failed |= self.expr(value) == Ty::ERROR;
        }
        if lhs.len() > 1 {
            self.check_distinct(lhs);
        }
        for (id, &value) in lhs.ids().zip(&ast[rhs]) {
            self.check_assumption(id, value, span);
        }
        if failed {
            return;
        }
        for (id, &value) in lhs.ids().zip(&ast[rhs]) {
            let target = &ast[id];
            let what = self.out.lhs_ref[id.index()];
            self.assigned(what, target.base.name, span);
            let (to, from) = (self.out.lhs_ty[id.index()], self.ty(value));
            if !self.unify(to, from) {
                let message = format!(
                    "a value of type {} cannot be assigned to a target of type {}",
                    self.show(from),
                    self.show(to)
                );
                let place = match ast[target.path].last() {
                    Some(LhsStep::Index { span, .. }) => *span,
                    Some(LhsStep::Field(field)) => field.span,
                    None => target.base.span,
                };
                self.type_error(place, message);
            }
        }
    }

    fn check_distinct(&mut self, lhs: Slice<Lhs>) {
        let mut seen = FxHashMap::default();
        for id in lhs.ids() {
            let base = self.ast[id].base;
            if self.out.lhs_ref[id.index()] == NameRef::None {
                continue;
            }
            if let Some(first) = seen.insert(base.name, base.span) {
                let text = self.text(base.name);
                let message = format!("`{text}` is assigned twice at once");
                let diagnostic = Diagnostic::error(DiagnosticKind::Resolve, base.span, message);
                self.names.push(diagnostic.with_note(first, "also here"));
            }
        }
    }

    /// The name of a variable if it is an assumption variable.
    fn assumption(&self, what: NameRef) -> Option<Name> {
        match what {
            NameRef::Local(var) | NameRef::Global(var) => {
                let var = &self.ast[var];
                self.flag(var.attrs, "assumption").then_some(var.name.name)
            }
            _ => None,
        }
    }

    /// An assumption variable `a` may only be assigned once, and only by `a := a && e`.
    fn check_assumption(&mut self, id: Id<Lhs>, value: ExprId, span: Span) {
        let what = self.out.lhs_ref[id.index()];
        if !self.ast[id].path.is_empty() {
            return;
        }
        let (Some(name), NameRef::Local(var) | NameRef::Global(var)) = (self.assumption(what), what) else {
            return;
        };
        let text = self.text(name);
        let right = match self.ast[value].kind {
            ExprKind::Binary { op: BinOp::And, lhs, .. } => self.out.expr_ref[lhs.index()] == what,
            _ => false,
        };
        if !right {
            let message = format!("the assumption variable `{text}` can only be assigned `{text} && condition`");
            self.name_error(span, message);
        } else if !self.assumed.insert(var) {
            let message = format!("the assumption variable `{text}` is assigned more than once");
            self.name_error(span, message);
        }
    }

    /// Resolves a target of an assignment, and says of which type it is.
    fn lhs(&mut self, id: Id<Lhs>) -> Ty {
        let ast = self.ast;
        let lhs = &ast[id];
        let what = self.variable(lhs.base.name, lhs.base.span);
        self.out.lhs_ref[id.index()] = what;
        let mut ty = self.variable_type(what);
        let mut place = lhs.base.span;
        for step in lhs.path.ids() {
            match ast[step] {
                LhsStep::Index { index, span } => {
                    let index = &ast[index];
                    for &expr in index {
                        self.expr(expr);
                    }
                    ty = match self.map_access(ty, place, index, span) {
                        Some((ty, range)) => {
                            self.set_access(Access::Step(step), range);
                            ty
                        }
                        None => Ty::ERROR,
                    };
                    place = span;
                }
                LhsStep::Field(name) => {
                    ty = match self.field(ty, name.name, name.span) {
                        Some((field, ty)) => {
                            self.out.step_ref[step.index()] = NameRef::Field(field);
                            ty
                        }
                        None => Ty::ERROR,
                    };
                    place = name.span;
                }
            }
            self.out.step_ty[step.index()] = ty;
            if self.out.types.has_proxy(ty) {
                self.open_steps.push(step);
            }
        }
        ty
    }

    fn unpack(&mut self, id: Id<Unpack>, span: Span) {
        let ast = self.ast;
        let node = &ast[id];
        let ctor = match self.functions[node.ctor.name.index()] {
            NameRef::Ctor(ctor) => Some(ctor),
            NameRef::None => {
                let known =
                    |checker: &Checker<'_>, other: Name| matches!(checker.functions[other.index()], NameRef::Ctor(_));
                self.unknown(node.ctor.span, "the constructor", node.ctor.name, known);
                None
            }
            _ => {
                let text = self.text(node.ctor.name);
                let message = format!("`{text}` is not a constructor");
                self.type_error(span, message);
                None
            }
        };
        self.out.unpack_ctor[id.index()] = ctor;
        self.targets(node.vars, span);
        let mut seen = FxHashSet::default();
        for var in node.vars.ids() {
            let known = self.out.ident_ref[var.index()] != NameRef::None;
            if known && !seen.insert(ast[var].name) {
                let text = self.text(ast[var].name);
                let message = format!("`{text}` gets two fields of the value");
                self.type_error(span, message);
            }
        }
        let value = self.expr(node.value);
        let Some(ctor) = ctor else {
            return;
        };
        let (ty, fields) = self.instantiate_ctor(ctor);
        if fields.len() != node.vars.len() {
            let text = self.text(node.ctor.name);
            let message = format!("`{text}` has {} fields, not {}", fields.len(), node.vars.len());
            self.type_error(span, message);
            return;
        }
        for (var, field) in node.vars.ids().zip(fields) {
            let own = self.variable_type(self.out.ident_ref[var.index()]);
            if !self.unify(own, field) {
                let message = format!(
                    "a field of type {} cannot be assigned to a variable of type {}",
                    self.show(field),
                    self.show(own)
                );
                self.type_error(ast[var].span, message);
                return;
            }
        }
        if !self.unify(ty, value) {
            let message = format!("a value of type {} cannot be unpacked as {}", self.show(value), self.show(ty));
            self.type_error(span, message);
        }
    }
}

/// Where a list of statements is, as far as measures care.
#[derive(Default)]
struct Block {
    /// The label of the block, as long as only conditions follow it.
    head: Option<Span>,
    measures: u32,
}
