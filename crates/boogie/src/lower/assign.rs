//! Assignments, with paths into maps and datatypes, and unpacking.

use lariat_program::{AssertKind, StmtKind};
use lariat_term::{Term, Var};
use smallvec::SmallVec;

use super::Lower;
use super::body::Builder;
use super::polarity::Polarity;
use crate::syntax::{ExprId, Id, Lhs, LhsStep, Slice, Unpack};
use crate::typed::NameRef;
use crate::types::Ty;
use lariat_source::Span;

/// A step of a path, and the value (with its type) that it is taken from.
struct PathStep {
    id: Id<LhsStep>,
    value: Term,
    ty: Ty,
    index: Vec<Term>,
    inst: SmallVec<[Ty; 4]>,
}

impl Lower<'_> {
    /// The variables that a parallel assignment changes, with their new values over the old state.
    pub(super) fn assignments(&mut self, lhs: Slice<Lhs>, rhs: Slice<ExprId>, old: bool) -> Vec<(Var, Term)> {
        let mut assigns: Vec<(Var, Term)> = Vec::with_capacity(lhs.len());
        for (id, &value) in lhs.ids().zip(&self.ast[rhs]) {
            let value = self.expr_in(value, Polarity::Mixed, old);
            let Some(var) = self.target_var(self.typed.lhs(id)) else { continue };
            let (Some(target), Some(now)) = (self.term_var(var), self.variable(var)) else { continue };
            let ty = self.typed.var_ty(self.ast, var);
            let new = self.updated(now, ty, self.ast[id].path, value, old);
            assigns.push((target, new));
        }
        assigns
    }

    /// A value in which what a path leads to is replaced.
    fn updated(&mut self, value: Term, ty: Ty, path: Slice<LhsStep>, new: Term, old: bool) -> Term {
        // Down the path, then up again.
        let mut steps: Vec<PathStep> = Vec::with_capacity(path.len());
        let (mut value, mut ty) = (value, self.mono.ground(ty));
        for id in path.ids() {
            let last = steps.len() + 1 == path.len();
            let next_ty = self.mono.ground(self.typed.step_ty[id.index()]);
            let (index, inst) = match self.ast[id] {
                LhsStep::Index { index, .. } => {
                    let exprs = &self.ast[index];
                    let index: Vec<Term> = exprs.iter().map(|&at| self.expr_in(at, Polarity::Mixed, old)).collect();
                    (index, self.mono.ground_all(self.typed.inst_of_step(id)))
                }
                LhsStep::Field(_) => (Vec::new(), SmallVec::new()),
            };
            let inner = match self.ast[id] {
                _ if last => None,
                LhsStep::Index { .. } => self.select(ty, &inst, value, &index),
                LhsStep::Field(_) => match self.typed.step_ref[id.index()] {
                    NameRef::Field(field) => Some(self.field(ty, field, value)),
                    _ => None,
                },
            };
            steps.push(PathStep { id, value, ty, index, inst });
            if let Some(inner) = inner {
                value = inner;
            } else if !last {
                // Only while polymorphic maps are rehearsed.
                let sort = self.ground_sort(next_ty, Span::default());
                value = self.dummy(sort);
            }
            ty = next_ty;
        }
        let mut new = new;
        while let Some(PathStep { id, value, ty, index, inst }) = steps.pop() {
            new = match (self.ast[id], self.typed.step_ref[id.index()]) {
                (LhsStep::Index { .. }, _) => self.store(ty, &inst, value, &index, new).unwrap_or(value),
                (LhsStep::Field(_), NameRef::Field(field)) => self.field_update(ty, field, value, new),
                _ => value,
            };
        }
        new
    }

    /// `C(x, y) := e;` asserts that the value was made by the constructor.
    pub(super) fn unpack(&mut self, builder: &mut Builder, unpack: Id<Unpack>, span: Span) {
        let Unpack { attrs, vars, value: expr, .. } = self.ast[unpack];
        let value = self.expr(expr, Polarity::Mixed);
        let ty = self.ty(expr);
        let Some(ctor) = self.typed.unpack_ctor[unpack.index()].and_then(|ctor| self.mono.ctor(ty, ctor)) else {
            return;
        };
        let loc = self.locs.of(span);
        let cond = self.terms.tester(ctor, value);
        let id = self.assertion(AssertKind::User, attrs, span);
        builder.push(StmtKind::Assert { id, cond }, loc);
        let mut assigns = Vec::with_capacity(vars.len());
        for (at, ident) in vars.ids().enumerate() {
            let Some(target) = self.target_var(self.typed.ident(ident)).and_then(|var| self.term_var(var)) else {
                continue;
            };
            assigns.push((target, self.terms.selector(ctor, at as u32, value)));
        }
        if !assigns.is_empty() {
            builder.push(StmtKind::Assign(assigns), loc);
        }
    }
}
