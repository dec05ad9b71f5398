//! Expressions to terms: one walk, operands first, on an explicit stack.
//!
//! Bound variables become de Bruijn indices right away: a variable is known by how many variables
//! are bound outside of it, and its index at a place follows from how many are bound there. The
//! term of a `let` variable is shifted by the number of variables bound since it was made.

use lariat_term::{Op, RoundingMode, Sort, SortKind, Term};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::polarity::{Polarity, polarities};
use super::{Lower, Slot};
use crate::syntax::{BinOp, ExprId, ExprKind, ExprWalk, Step, UnOp, VarId};
use crate::typed::NameRef;
use crate::types::{Ty, TyKind};

/// What an expression is part of.
struct Root {
    expr: ExprId,
    role: Polarity,
    roles: Option<FxHashMap<ExprId, Polarity>>,
}

impl Root {
    fn role(&mut self, lower: &Lower<'_>, expr: ExprId) -> Polarity {
        let (root, role) = (self.expr, self.role);
        let roles = self.roles.get_or_insert_with(|| polarities(lower.ast, root, role));
        roles.get(&expr).copied().unwrap_or(Polarity::Mixed)
    }
}

impl Lower<'_> {
    /// The term of an expression in the scope of this place.
    pub(super) fn expr(&mut self, expr: ExprId, role: Polarity) -> Term {
        self.expr_in(expr, role, false)
    }

    /// The same, inside or outside of `old`.
    pub(super) fn expr_in(&mut self, expr: ExprId, role: Polarity, in_old: bool) -> Term {
        let mut root = Root { expr, role, roles: None };
        let mut walk = ExprWalk::new(expr);
        let mut old = u32::from(in_old);
        while let Some(step) = walk.next(self.ast) {
            match step {
                Step::Enter(id) => match self.ast[id].kind {
                    ExprKind::Old(_) => old += 1,
                    ExprKind::Quant(quant) => {
                        if self.ast[quant].type_params.is_empty() {
                            self.bind(quant);
                        } else {
                            let role = root.role(self, id);
                            let term = self.type_quantifier(id, quant, role, old > 0);
                            self.values.push(term);
                            walk.skip_operands(id);
                        }
                    }
                    ExprKind::Code(code) => {
                        let role = root.role(self, id);
                        let term = self.code(code, role, self.ast[id].span, old > 0);
                        self.values.push(term);
                    }
                    _ => {}
                },
                Step::LetBody(id) => self.bind_let(id),
                Step::Leave(id) => match self.ast[id].kind {
                    ExprKind::Old(_) => old -= 1,
                    ExprKind::Coerce { .. } | ExprKind::Let(_) | ExprKind::Code(_) => {}
                    ExprKind::Quant(quant) => {
                        if self.ast[quant].type_params.is_empty() {
                            self.close(quant);
                        }
                    }
                    _ => {
                        let term = self.leave(id, old > 0, &mut root);
                        self.values.push(term);
                    }
                },
            }
        }
        self.pop()
    }

    /// The last operand. There is always one, since every expression leaves exactly one.
    pub(super) fn pop(&mut self) -> Term {
        match self.values.pop() {
            Some(term) => term,
            None => self.dummy(Sort::BOOL),
        }
    }

    /// The last `n` operands in order.
    pub(super) fn pop_n(&mut self, n: usize) -> SmallVec<[Term; 4]> {
        let start = self.values.len().saturating_sub(n);
        self.values.drain(start..).collect()
    }

    /// The ground type of an expression.
    pub(super) fn ty(&mut self, expr: ExprId) -> Ty {
        self.mono.ground(self.typed.ty(expr))
    }

    /// The sort of an expression.
    pub(super) fn sort(&mut self, expr: ExprId) -> Sort {
        self.sort_of(self.typed.ty(expr), self.ast[expr].span)
    }

    fn bind_let(&mut self, id: ExprId) {
        let ExprKind::Let(let_id) = self.ast[id].kind else { return };
        let let_expr = self.ast[let_id];
        let values = self.pop_n(let_expr.values.len());
        for (var, value) in let_expr.vars.ids().zip(values) {
            self.lets[var.index()] = Some((value, self.depth));
        }
    }

    fn leave(&mut self, id: ExprId, old: bool, root: &mut Root) -> Term {
        let span = self.ast[id].span;
        match self.ast[id].kind {
            ExprKind::Bool(value) => self.terms.bool(value),
            ExprKind::Int(digits) => self.int_literal(digits),
            ExprKind::Bv { value, width } => self.bv_literal(value, width, span),
            ExprKind::Real(text) => self.real_literal(text, span),
            ExprKind::Float(text) => self.float_literal(text, span),
            ExprKind::Str(text) => self.string_literal(text),
            ExprKind::Rounding(mode) => self.rounding(mode),
            ExprKind::Var(_) => self.name(id, old),
            ExprKind::Call { args, .. } => self.application(id, args.len(), root),
            ExprKind::ToInt(_) => {
                let arg = self.pop();
                if self.terms.sort(arg) == Sort::INT { arg } else { self.terms.mk(Op::ToInt, &[arg]) }
            }
            ExprKind::ToReal(_) => {
                let arg = self.pop();
                self.as_real(arg)
            }
            ExprKind::Unary { op, .. } => {
                let arg = self.pop();
                match (op, self.is_float(arg)) {
                    (UnOp::Not, _) => self.terms.not(arg),
                    (UnOp::Neg, true) => self.terms.mk(Op::FpNeg, &[arg]),
                    (UnOp::Neg, false) => self.terms.neg(arg),
                }
            }
            ExprKind::Binary { op, lhs: left, rhs: right } => {
                let rhs = self.pop();
                let lhs = self.pop();
                // Where type variables decide, the types of two operands need not be the same; values
                // of different types are different.
                if matches!(op, BinOp::Eq | BinOp::Ne) && self.ty(left) != self.ty(right) {
                    return self.terms.bool(op == BinOp::Ne);
                }
                // A bit-vector of width 0 has been reported, and adds nothing.
                if op == BinOp::Concat {
                    let empty = |lower: &mut Self, expr| {
                        let ty = lower.ty(expr);
                        lower.mono.types.kind(ty) == TyKind::Bv(0)
                    };
                    match (empty(self, left), empty(self, right)) {
                        (true, _) => return rhs,
                        (_, true) => return lhs,
                        _ => {}
                    }
                }
                self.binary(op, lhs, rhs)
            }
            ExprKind::Is { arg, .. } => {
                let value = self.pop();
                let ty = self.ty(arg);
                self.tester(id, ty, value)
            }
            ExprKind::Field { arg, .. } => {
                let value = self.pop();
                let ty = self.ty(arg);
                match self.typed.reference(id) {
                    NameRef::Field(field) => self.field(ty, field, value),
                    _ => self.error(id),
                }
            }
            ExprKind::FieldUpdate { arg, .. } => {
                let new = self.pop();
                let value = self.pop();
                let ty = self.ty(arg);
                match self.typed.reference(id) {
                    NameRef::Field(field) => self.field_update(ty, field, value, new),
                    _ => self.error(id),
                }
            }
            ExprKind::Select { map, index } => {
                let index = self.pop_n(index.len());
                let value = self.pop();
                let ty = self.ty(map);
                let inst = self.mono.ground_all(self.typed.inst(id));
                match self.select(ty, &inst, value, &index) {
                    Some(term) => term,
                    None => self.error(id),
                }
            }
            ExprKind::Store { map, index_and_value } => {
                let mut index = self.pop_n(index_and_value.len());
                let value = self.pop();
                let ty = self.ty(map);
                let inst = self.mono.ground_all(self.typed.inst(id));
                let new = index.pop();
                match new.and_then(|new| self.store(ty, &inst, value, &index, new)) {
                    Some(term) => term,
                    None => self.error(id),
                }
            }
            ExprKind::Extract { hi, lo, .. } => {
                let arg = self.pop();
                if hi <= lo || self.terms.bv_width(arg).is_none_or(|width| hi > width) {
                    self.unsupported(span, "bit-vectors of width 0 are not supported");
                    return self.error(id);
                }
                self.terms.extract(hi - 1, lo, arg)
            }
            ExprKind::Ite { .. } => {
                let args = self.pop_n(3);
                match args[..] {
                    [cond, then, els] => self.terms.ite(cond, then, els),
                    _ => self.error(id),
                }
            }
            // Taken care of by the walk.
            ExprKind::Old(_)
            | ExprKind::Coerce { .. }
            | ExprKind::Let(_)
            | ExprKind::Code(_)
            | ExprKind::Quant(_)
            | ExprKind::Error => self.error(id),
        }
    }

    /// A term of the right sort to go on with; only after an error.
    pub(super) fn error(&mut self, id: ExprId) -> Term {
        let sort = self.sort(id);
        self.dummy(sort)
    }

    pub(super) fn name(&mut self, id: ExprId, old: bool) -> Term {
        match self.typed.reference(id) {
            NameRef::Global(var) if old => self.old_value(var),
            NameRef::Global(var) | NameRef::Const(var) | NameRef::Local(var) | NameRef::Bound(var) => {
                self.variable(var).unwrap_or_else(|| self.error(id))
            }
            NameRef::Let(var) => match self.lets[var.index()] {
                Some((term, depth)) if depth < self.depth && self.terms.loose(term) > 0 => {
                    self.terms.shift(term, self.depth - depth)
                }
                Some((term, _)) => term,
                None => self.error(id),
            },
            NameRef::Param(param) => self.params[param.index()].unwrap_or_else(|| self.error(id)),
            _ => self.error(id),
        }
    }

    pub(super) fn variable(&mut self, var: VarId) -> Option<Term> {
        match self.slots[var.index()] {
            Slot::Unset => None,
            Slot::Term(term) => Some(term),
            Slot::Bound { level, sort } => Some(self.terms.bound(self.depth - 1 - level, sort)),
        }
    }

    fn is_float(&self, term: Term) -> bool {
        matches!(self.terms.sort_kind(self.terms.sort(term)), SortKind::Float { .. })
    }

    fn as_real(&mut self, arg: Term) -> Term {
        if self.terms.sort(arg) == Sort::INT { self.terms.mk(Op::ToReal, &[arg]) } else { arg }
    }

    pub(super) fn binary(&mut self, op: BinOp, lhs: Term, rhs: Term) -> Term {
        if self.is_float(lhs) {
            return self.float_binary(op, lhs, rhs);
        }
        let t = &mut *self.terms;
        match op {
            BinOp::Iff | BinOp::Eq => t.eq(lhs, rhs),
            BinOp::Ne => t.ne(lhs, rhs),
            BinOp::Implies => t.implies(lhs, rhs),
            BinOp::Explies => t.implies(rhs, lhs),
            BinOp::And => t.and(&[lhs, rhs]),
            BinOp::Or => t.or(&[lhs, rhs]),
            BinOp::Lt => t.lt(lhs, rhs),
            BinOp::Le => t.le(lhs, rhs),
            BinOp::Gt => t.gt(lhs, rhs),
            BinOp::Ge => t.ge(lhs, rhs),
            BinOp::Concat => t.mk(Op::Concat, &[lhs, rhs]),
            BinOp::Add => t.add(&[lhs, rhs]),
            BinOp::Sub => t.sub(lhs, rhs),
            BinOp::Mul => t.mul(&[lhs, rhs]),
            BinOp::Div => t.mk(Op::IntDiv, &[lhs, rhs]),
            BinOp::Mod => t.mk(Op::IntMod, &[lhs, rhs]),
            BinOp::RealDiv => {
                let (lhs, rhs) = (self.as_real(lhs), self.as_real(rhs));
                self.terms.mk(Op::RealDiv, &[lhs, rhs])
            }
            BinOp::Pow => t.mk(Op::Pow, &[lhs, rhs]),
        }
    }

    fn float_binary(&mut self, op: BinOp, lhs: Term, rhs: Term) -> Term {
        let t = &mut *self.terms;
        let mode = t.rounding_mode(RoundingMode::Rne);
        match op {
            BinOp::Add => t.mk(Op::FpAdd, &[mode, lhs, rhs]),
            BinOp::Sub => t.mk(Op::FpSub, &[mode, lhs, rhs]),
            BinOp::Mul => t.mk(Op::FpMul, &[mode, lhs, rhs]),
            BinOp::RealDiv | BinOp::Div => t.mk(Op::FpDiv, &[mode, lhs, rhs]),
            BinOp::Lt => t.mk(Op::FpLt, &[lhs, rhs]),
            BinOp::Le => t.mk(Op::FpLe, &[lhs, rhs]),
            BinOp::Gt => t.mk(Op::FpLt, &[rhs, lhs]),
            BinOp::Ge => t.mk(Op::FpLe, &[rhs, lhs]),
            BinOp::Ne => t.ne(lhs, rhs),
            _ => t.eq(lhs, rhs),
        }
    }

    /// `f(args)` with the arguments on the stack.
    fn application(&mut self, id: ExprId, args: usize, root: &mut Root) -> Term {
        let args = self.pop_n(args);
        match self.typed.reference(id) {
            NameRef::Function(func) => {
                let inst = self.mono.ground_all(self.typed.inst(id));
                self.apply(func, &inst, &args, self.ast[id].span, &mut |lower| root.role(lower, id))
            }
            NameRef::Ctor(ctor) => {
                let ty = self.ty(id);
                self.sort(id);
                match self.mono.ctor(ty, ctor) {
                    Some(ctor) => self.terms.ctor(ctor, &args),
                    None => self.error(id),
                }
            }
            reference => {
                let ExprKind::Call { args: exprs, .. } = self.ast[id].kind else { return self.error(id) };
                let (&[expr], &[value]) = (&self.ast[exprs], &args[..]) else { return self.error(id) };
                let ty = self.ty(expr);
                match reference {
                    NameRef::Field(field) => self.field(ty, field, value),
                    NameRef::Tester(_) => self.tester(id, ty, value),
                    _ => self.error(id),
                }
            }
        }
    }

    fn tester(&mut self, id: ExprId, ty: Ty, value: Term) -> Term {
        let NameRef::Tester(ctor) = self.typed.reference(id) else { return self.error(id) };
        match self.mono.ctor(ty, ctor) {
            Some(ctor) => self.terms.tester(ctor, value),
            None => self.error(id),
        }
    }
}
