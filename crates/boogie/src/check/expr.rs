//! Expressions: one walk, without recursion, that resolves names on the way down and infers types
//! on the way up.

use super::{Access, Checker, State};
use crate::syntax::{BinOp, Code, ExprId, ExprKind, FloatLit, Id, Name, Quant, QuantKind, UnOp};
use crate::typed::NameRef;
use crate::types::{Ty, TyVar};
use lariat_source::{Diagnostic, DiagnosticKind, Span};

/// A step of the walk.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Before the operands.
    Enter(ExprId),
    /// Between the values and the body of a `let`.
    LetBody(ExprId),
    /// Before the patterns of a trigger.
    EnterTrigger,
    /// After the patterns of a trigger, given by its position.
    LeaveTrigger(Id<Quant>, u32),
    /// After the operands.
    Leave(ExprId),
}

impl Checker<'_> {
    /// Checks an expression with all its operands, inside a unit.
    ///
    /// The only recursion is through attributes and code expressions, whose nesting the parser
    /// bounds.
    pub(super) fn expr(&mut self, root: ExprId) -> Ty {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let base = self.walk.len();
            self.walk.push(Step::Enter(root));
            while self.walk.len() > base {
                let Some(step) = self.walk.pop() else {
                    break;
                };
                match step {
                    Step::Enter(id) => self.enter(id),
                    Step::LetBody(id) => self.enter_let_body(id),
                    Step::EnterTrigger => {
                        self.in_trigger = true;
                        self.triggers += 1;
                    }
                    Step::LeaveTrigger(quant, index) => self.leave_trigger(quant, index),
                    Step::Leave(id) => {
                        let ty = self.leave(id);
                        self.set_type(id, ty);
                    }
                }
            }
        });
        self.out.expr_ty[root.index()]
    }

    /// Checks that a formula is of type bool, as a unit of its own.
    pub(super) fn formula(&mut self, expr: ExprId, span: Span, what: &str) {
        self.expect(expr, Ty::BOOL, span, what);
    }

    /// Checks that an expression has a type, as a unit of its own.
    pub(super) fn expect(&mut self, expr: ExprId, expected: Ty, span: Span, what: &str) {
        self.unit(span, |checker| {
            let ty = checker.expr(expr);
            if !checker.unify(ty, expected) {
                let message = format!("{what} must be of type {}, not {}", checker.show(expected), checker.show(ty));
                checker.type_error(span, message);
            }
        });
    }

    pub(super) fn unify(&mut self, a: Ty, b: Ty) -> bool {
        a == b || self.infer.unify(&mut self.out.types, a, b)
    }

    /// The type of an expression that was checked, as far as it is known.
    pub(super) fn ty(&mut self, id: ExprId) -> Ty {
        let ty = self.out.expr_ty[id.index()];
        self.infer.shallow(&self.out.types, ty)
    }

    fn set_type(&mut self, id: ExprId, ty: Ty) {
        self.out.expr_ty[id.index()] = ty;
        if self.out.types.has_proxy(ty) {
            self.open_exprs.push(id);
        }
    }

    fn enter(&mut self, id: ExprId) {
        let ast = self.ast;
        let expr = &ast[id];
        let ty = match expr.kind {
            ExprKind::Error => Ty::ERROR,
            ExprKind::Bool(_) => Ty::BOOL,
            ExprKind::Int(_) => Ty::INT,
            ExprKind::Real(_) => Ty::REAL,
            ExprKind::Str(_) => Ty::STRING,
            ExprKind::Rounding(_) => Ty::RMODE,
            ExprKind::Bv { value, width } => {
                if !fits(self.text(value), width) {
                    let message = format!("the number does not fit {width} bits");
                    let warning = Diagnostic::warning(DiagnosticKind::Type, expr.span, message);
                    let hint = "Boogie keeps only the lower bits, and so does Lariat";
                    self.types.push(warning.with_hint(hint));
                }
                self.out.types.bv(width)
            }
            ExprKind::Float(text) => match FloatLit::parse(self.text(text)) {
                Some(lit) => self.out.types.float(lit.significand, lit.exponent),
                None => Ty::ERROR,
            },
            ExprKind::Var(name) => {
                let what = self.variable(name, expr.span);
                self.out.expr_ref[id.index()] = what;
                if let NameRef::Bound(var) = what {
                    self.mentioned[var.index()] = self.triggers;
                }
                self.variable_type(what)
            }
            ExprKind::Code(code) => {
                self.code(code);
                Ty::BOOL
            }
            _ => return self.enter_operands(id),
        };
        self.set_type(id, ty);
    }

    fn enter_operands(&mut self, id: ExprId) {
        let ast = self.ast;
        let expr = &ast[id];
        self.walk.push(Step::Leave(id));
        match expr.kind {
            ExprKind::Binary { op, lhs, rhs } => {
                if self.in_trigger {
                    self.check_trigger_op(op, expr.span);
                }
                self.walk.extend([Step::Enter(rhs), Step::Enter(lhs)]);
            }
            ExprKind::Unary { op, arg } => {
                if self.in_trigger && op == UnOp::Not {
                    let message = "a trigger must not contain a Boolean operator";
                    self.name_error(expr.span, message);
                }
                self.walk.push(Step::Enter(arg));
            }
            ExprKind::Old(arg) => {
                if self.state != State::Two {
                    let message = "`old` makes sense only in postconditions and bodies";
                    self.name_error(expr.span, message);
                }
                self.walk.push(Step::Enter(arg));
            }
            ExprKind::Coerce { arg, ty } => {
                self.resolve_type(ty);
                self.walk.push(Step::Enter(arg));
            }
            ExprKind::ToInt(arg)
            | ExprKind::ToReal(arg)
            | ExprKind::Is { arg, .. }
            | ExprKind::Field { arg, .. }
            | ExprKind::Extract { arg, .. } => self.walk.push(Step::Enter(arg)),
            ExprKind::FieldUpdate { arg, value, .. } => {
                self.walk.extend([Step::Enter(value), Step::Enter(arg)]);
            }
            ExprKind::Ite { cond, then, els } => {
                let operands = [els, then, cond];
                self.walk.extend(operands.map(Step::Enter));
            }
            ExprKind::Call { args, .. } => {
                let operands = ast[args].iter().rev();
                self.walk.extend(operands.map(|&arg| Step::Enter(arg)));
            }
            ExprKind::Select { map, index: args } | ExprKind::Store { map, index_and_value: args } => {
                let operands = ast[args].iter().rev();
                self.walk.extend(operands.map(|&arg| Step::Enter(arg)));
                self.walk.push(Step::Enter(map));
            }
            ExprKind::Quant(quant) => self.enter_quant(quant, expr.span),
            ExprKind::Let(let_id) => {
                let node = &ast[let_id];
                if node.vars.len() != node.values.len() {
                    let message = format!("{} variables but {} values", node.vars.len(), node.values.len());
                    self.name_error(expr.span, message);
                }
                self.walk.extend([Step::Enter(node.body), Step::LetBody(id)]);
                let values = ast[node.values].iter().rev();
                self.walk.extend(values.map(|&value| Step::Enter(value)));
            }
            _ => {}
        }
    }

    fn check_trigger_op(&mut self, op: BinOp, span: Span) {
        let what = match op {
            BinOp::Eq => "an equality",
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => "a comparison",
            BinOp::And | BinOp::Or | BinOp::Implies | BinOp::Explies | BinOp::Iff => "a Boolean operator",
            _ => return,
        };
        self.name_error(span, format!("a trigger must not contain {what}"));
    }

    /// Resolves a variable.
    pub(super) fn variable(&mut self, name: Name, span: Span) -> NameRef {
        let what = self.vars.get(name);
        match what {
            NameRef::None => {
                self.unknown(span, "the variable", name, |checker, other| checker.vars.get(other) != NameRef::None);
            }
            NameRef::Global(_) if self.state == State::None => {
                let text = self.text(name);
                let message = format!("the global variable `{text}` cannot be used here");
                self.name_error(span, message);
            }
            _ => {}
        }
        what
    }

    /// The type of a variable.
    pub(super) fn variable_type(&self, what: NameRef) -> Ty {
        let ty = match what {
            NameRef::Global(var) | NameRef::Const(var) | NameRef::Local(var) | NameRef::Bound(var) => self.ast[var].ty,
            NameRef::Param(param) => self.ast[param].ty,
            NameRef::Let(var) => return self.out.let_ty[var.index()],
            _ => return Ty::ERROR,
        };
        self.out.type_ty[ty.index()]
    }

    fn enter_quant(&mut self, id: Id<Quant>, span: Span) {
        let ast = self.ast;
        let quant = &ast[id];
        if self.in_trigger {
            self.name_error(span, "a trigger must not contain a quantifier");
        }
        self.bind_type_vars(quant.type_params, true);
        self.vars.push();
        for var in quant.vars.ids() {
            let node = &ast[var];
            if let Some(NameRef::Bound(first)) = self.vars.declare(node.name.name, NameRef::Bound(var)) {
                self.twice(node.name, ast[first].name.span, "variable");
            }
            self.resolve_type(node.ty);
            self.attrs(node.attrs);
        }
        self.attrs(quant.attrs);
        self.walk.push(Step::Enter(quant.body));
        for (index, trigger) in ast[quant.triggers].iter().enumerate().rev() {
            self.walk.push(Step::LeaveTrigger(id, index as u32));
            let patterns = ast[trigger.patterns].iter().rev();
            self.walk.extend(patterns.map(|&pattern| Step::Enter(pattern)));
            self.walk.push(Step::EnterTrigger);
        }
    }

    fn leave_trigger(&mut self, id: Id<Quant>, index: u32) {
        let ast = self.ast;
        self.in_trigger = false;
        let quant = &ast[id];
        let Some(trigger) = ast[quant.triggers].get(index as usize) else {
            return;
        };
        let mut alone = false;
        for &pattern in &ast[trigger.patterns] {
            if let ExprKind::Var(name) = ast[pattern].kind {
                alone = true;
                let message = format!("a trigger must be more than the variable `{}`", self.text(name));
                self.name_error(ast[pattern].span, message);
            }
        }
        if trigger.negated || alone {
            return;
        }
        for var in quant.vars.ids() {
            if self.mentioned[var.index()] != self.triggers {
                let name = ast[var].name.name;
                // A variable that is hidden by another of the same name was reported already.
                if self.vars.get(name) == NameRef::Bound(var) {
                    let message = format!("the trigger does not mention the variable `{}`", self.text(name));
                    self.name_error(trigger.span, message);
                }
            }
        }
    }

    fn enter_let_body(&mut self, id: ExprId) {
        let ast = self.ast;
        let ExprKind::Let(let_id) = ast[id].kind else {
            return;
        };
        let node = &ast[let_id];
        self.vars.push();
        for (index, var) in node.vars.ids().enumerate() {
            let ident = ast[var].name;
            if let Some(NameRef::Let(first)) = self.vars.declare(ident.name, NameRef::Let(var)) {
                self.twice(ident, ast[first].name.span, "variable");
            }
            let ty = match ast[node.values].get(index) {
                Some(value) => self.out.expr_ty[value.index()],
                None => Ty::ERROR,
            };
            self.out.let_ty[var.index()] = ty;
            if self.out.types.has_proxy(ty) {
                self.open_lets.push(var);
            }
            self.attrs(ast[var].attrs);
        }
        self.attrs(node.attrs);
    }

    /// The type of an expression whose operands are done.
    fn leave(&mut self, id: ExprId) -> Ty {
        let ast = self.ast;
        let expr = &ast[id];
        match expr.kind {
            ExprKind::Binary { op, lhs, rhs } => self.binary(op, lhs, rhs, expr.span),
            ExprKind::Unary { op, arg } => self.unary(op, arg, expr.span),
            ExprKind::Old(arg) => self.out.expr_ty[arg.index()],
            ExprKind::ToInt(arg) => self.convert(arg, Ty::REAL, Ty::INT, expr.span),
            ExprKind::ToReal(arg) => self.convert(arg, Ty::INT, Ty::REAL, expr.span),
            ExprKind::Coerce { arg, ty } => self.coerce(arg, ty, expr.span),
            ExprKind::Extract { arg, hi, lo } => self.extract(arg, hi, lo, expr.span),
            ExprKind::Ite { cond, then, els } => self.ite(cond, then, els, expr.span),
            ExprKind::Is { arg, ctor } => self.is_ctor(id, arg, ctor, expr.span),
            ExprKind::Field { arg, field } => {
                let data = self.out.expr_ty[arg.index()];
                match self.field(data, field, expr.span) {
                    Some((field, ty)) => {
                        self.out.expr_ref[id.index()] = NameRef::Field(field);
                        ty
                    }
                    None => Ty::ERROR,
                }
            }
            ExprKind::FieldUpdate { arg, field, value } => self.field_update(id, arg, field, value, expr.span),
            ExprKind::Select { map, index } => {
                let ty = self.out.expr_ty[map.index()];
                let index = &ast[index];
                match self.map_access(ty, ast[map].span, index, expr.span) {
                    Some((ty, insts)) => {
                        self.set_access(Access::Expr(id), insts);
                        ty
                    }
                    None => Ty::ERROR,
                }
            }
            ExprKind::Store { map, index_and_value } => self.store(id, map, &ast[index_and_value], expr.span),
            ExprKind::Call { func, args } => self.apply(id, func, &ast[args], expr.span),
            ExprKind::Quant(quant) => self.leave_quant(quant, expr.span),
            ExprKind::Let(let_id) => {
                self.vars.pop();
                self.out.expr_ty[ast[let_id].body.index()]
            }
            _ => Ty::ERROR,
        }
    }

    fn leave_quant(&mut self, id: Id<Quant>, span: Span) -> Ty {
        let ast = self.ast;
        let quant = &ast[id];
        let body = self.out.expr_ty[quant.body.index()];
        let unused = self.unused_type_params(quant);
        self.vars.pop();
        self.unbind_type_vars(quant.type_params);
        if quant.kind != QuantKind::Lambda {
            if !self.unify(body, Ty::BOOL) {
                let message = format!("the body of a quantifier must be of type bool, not {}", self.show(body));
                self.type_error(span, message);
                return Ty::ERROR;
            }
            if !unused.is_empty() {
                self.check_triggers_mention(quant, &unused);
            }
            return match body {
                Ty::ERROR => Ty::ERROR,
                _ => Ty::BOOL,
            };
        }
        if let Some(&var) = unused.first() {
            let message = format!(
                "the type variable `{}` does not occur in the types of the lambda's variables",
                self.text(ast[var].name)
            );
            self.type_error(span, message);
            return Ty::ERROR;
        }
        if body == Ty::ERROR {
            return Ty::ERROR;
        }
        let params: Vec<TyVar> = quant.type_params.ids().collect();
        let args: Vec<Ty> = ast[quant.vars].iter().map(|var| self.out.type_ty[var.ty.index()]).collect();
        if args.contains(&Ty::ERROR) {
            return Ty::ERROR;
        }
        // The parameters of the map can only be found in what is known.
        let body = match params.is_empty() {
            true => body,
            false => self.infer.deep(&mut self.out.types, body),
        };
        self.out.types.map(&params, &args, body)
    }

    /// The type parameters of a quantifier that do not occur in the types of its variables.
    fn unused_type_params(&mut self, quant: &Quant) -> Vec<TyVar> {
        let mut params: Vec<TyVar> = quant.type_params.ids().collect();
        if !params.is_empty() {
            params.retain(|&var| self.is_bound(var));
            for var in &self.ast[quant.vars] {
                let ty = self.out.type_ty[var.ty.index()];
                self.out.types.for_each_var(ty, &mut |used| params.retain(|&var| var != used));
            }
        }
        params
    }

    /// Type parameters that no variable mentions must occur in every trigger.
    fn check_triggers_mention(&mut self, quant: &Quant, params: &[TyVar]) {
        let ast = self.ast;
        for trigger in &ast[quant.triggers] {
            if trigger.negated {
                continue;
            }
            let mut missing = params.to_vec();
            for &pattern in &ast[trigger.patterns] {
                let mut walk = crate::syntax::ExprWalk::new(pattern);
                while let Some(step) = walk.next(ast) {
                    let crate::syntax::Step::Leave(id) = step else {
                        continue;
                    };
                    for inst in self.out.inst(id).to_vec() {
                        let ty = self.infer.deep(&mut self.out.types, inst);
                        let mut found = |used| missing.retain(|&var| var != used);
                        self.out.types.for_each_var(ty, &mut found);
                    }
                }
            }
            if let Some(&var) = missing.first() {
                let message = format!(
                    "neither the trigger nor the types of the variables mention the type \
                     variable `{}`",
                    self.text(ast[var].name)
                );
                self.type_error(trigger.span, message);
            }
        }
    }

    pub(super) fn set_inst(&mut self, id: ExprId, range: (u32, u32)) {
        if range.0 < range.1 {
            self.out.expr_inst.insert(id, range);
        }
    }

    fn code(&mut self, id: Id<Code>) {
        let ast = self.ast;
        let code = &ast[id];
        let trigger = std::mem::replace(&mut self.in_trigger, false);
        let labels = std::mem::take(&mut self.labels);
        let enclosing = std::mem::take(&mut self.enclosing);
        let in_code = std::mem::replace(&mut self.in_code, true);
        self.vars.push();
        self.locals(code.locals);
        self.collect_labels(code.stmts);
        self.stmts(code.stmts);
        self.vars.pop();
        self.in_code = in_code;
        self.enclosing = enclosing;
        self.labels = labels;
        self.in_trigger = trigger;
    }
}

/// Whether a number in decimal digits fits so many bits.
fn fits(digits: &str, width: u32) -> bool {
    let digits = digits.trim_start_matches('0');
    if let (Ok(value), true) = (digits.parse::<u128>(), width < 128) {
        return value >> width == 0;
    }
    // 2^10 is a little more than 10^3, and 2^93 a little less than 10^28: decide by length what is
    // clear from it, and count exactly only in the narrow gap.
    let (len, width) = (digits.len() as u64, u64::from(width));
    if len <= width * 301 / 1000 {
        return true;
    }
    if len > width * 30103 / 100_000 + 1 {
        return false;
    }
    let mut limbs: Vec<u32> = Vec::new();
    for digit in digits.bytes() {
        let mut carry = u64::from(digit - b'0');
        for limb in &mut limbs {
            carry += u64::from(*limb) * 10;
            *limb = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            limbs.push(carry as u32);
        }
        // Quadratic work is not worth it for literals of absurd length.
        if limbs.len() > 4096 {
            return true;
        }
    }
    let top = limbs.last().map_or(0, |limb| 32 - limb.leading_zeros());
    (limbs.len() as u64).saturating_sub(1) * 32 + u64::from(top) <= width
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn literals_fit_their_widths() {
        assert!(fits("255", 8) && !fits("256", 8) && fits("000255", 8));
        assert!(fits("0", 0) && !fits("1", 0) && fits("0", 1));
        let max = u128::MAX.to_string();
        assert!(fits(&max, 128) && !fits(&max, 127));
        assert!(!fits("340282366920938463463374607431768211456", 128));
        assert!(fits("340282366920938463463374607431768211456", 129));
        assert!(!fits(&"9".repeat(1_000_000), 64));
    }
}
