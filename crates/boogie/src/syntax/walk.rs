//! Walking expressions of any depth without recursion.

use super::ast::{Ast, ExprId, ExprKind};
use lariat_source::Span;

/// A step of an [`ExprWalk`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Before the operands of an expression.
    Enter(ExprId),
    /// Only for [`ExprKind::Let`]: after its values and before its body.
    LetBody(ExprId),
    /// After the operands of an expression.
    Leave(ExprId),
}

/// Walks an expression and all its operands in the order of the source text.
///
/// Each expression is entered, then its operands are walked, then it is left. The operands of a
/// quantifier are the patterns of its triggers and its body. Not walked are the arguments of
/// attributes, and the statements of [`ExprKind::Code`]; a caller that cares about them finds them
/// when it enters the expression.
///
/// ```
/// use lariat_boogie::syntax::{Ast, BinOp, Expr, ExprKind, ExprWalk, Step};
/// let mut ast = Ast::new();
/// let span = Default::default();
/// let yes = ast.exprs.push(Expr { kind: ExprKind::Bool(true), span });
/// let and = ExprKind::Binary { op: BinOp::And, lhs: yes, rhs: yes };
/// let and = ast.exprs.push(Expr { kind: and, span });
/// let mut walk = ExprWalk::new(and);
/// let mut leaves = 0;
/// while let Some(step) = walk.next(&ast) {
///     if let Step::Leave(id) = step {
///         leaves += usize::from(matches!(ast[id].kind, ExprKind::Bool(_)));
///     }
/// }
/// assert_eq!(leaves, 2);
/// ```
#[derive(Clone, Debug)]
pub struct ExprWalk {
    stack: Vec<Step>,
}

impl ExprWalk {
    /// Starts a walk.
    pub fn new(root: ExprId) -> ExprWalk {
        ExprWalk { stack: vec![Step::Enter(root)] }
    }

    /// Starts over with another expression, keeping the memory of the stack.
    pub fn restart(&mut self, root: ExprId) {
        self.stack.clear();
        self.stack.push(Step::Enter(root));
    }

    /// The next step, or `None` at the end.
    pub fn next(&mut self, ast: &Ast) -> Option<Step> {
        let step = self.stack.pop()?;
        if let Step::Enter(id) = step {
            self.stack.push(Step::Leave(id));
            self.push_operands(ast, id);
        }
        Some(step)
    }

    /// Right after [`Step::Enter`]: skips the operands, so that the next step is the matching
    /// [`Step::Leave`].
    pub fn skip_operands(&mut self, entered: ExprId) {
        while let Some(&step) = self.stack.last() {
            if step == Step::Leave(entered) {
                break;
            }
            self.stack.pop();
        }
    }

    /// Pushes the operands so that the first is on top.
    fn push_operands(&mut self, ast: &Ast, id: ExprId) {
        let stack = &mut self.stack;
        match ast[id].kind {
            ExprKind::Error
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Bv { .. }
            | ExprKind::Real(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::Rounding(_)
            | ExprKind::Var(_)
            | ExprKind::Code(_) => {}
            ExprKind::Old(arg)
            | ExprKind::ToInt(arg)
            | ExprKind::ToReal(arg)
            | ExprKind::Unary { arg, .. }
            | ExprKind::Is { arg, .. }
            | ExprKind::Field { arg, .. }
            | ExprKind::Extract { arg, .. }
            | ExprKind::Coerce { arg, .. } => stack.push(Step::Enter(arg)),
            ExprKind::Binary { lhs, rhs, .. } => {
                stack.extend([Step::Enter(rhs), Step::Enter(lhs)]);
            }
            ExprKind::FieldUpdate { arg, value, .. } => {
                stack.extend([Step::Enter(value), Step::Enter(arg)]);
            }
            ExprKind::Ite { cond, then, els } => {
                stack.extend([Step::Enter(els), Step::Enter(then), Step::Enter(cond)]);
            }
            ExprKind::Call { args, .. } => {
                stack.extend(ast[args].iter().rev().map(|&arg| Step::Enter(arg)));
            }
            ExprKind::Select { map, index: args } | ExprKind::Store { map, index_and_value: args } => {
                stack.extend(ast[args].iter().rev().map(|&arg| Step::Enter(arg)));
                stack.push(Step::Enter(map));
            }
            ExprKind::Quant(quant) => {
                let quant = &ast[quant];
                stack.push(Step::Enter(quant.body));
                for trigger in ast[quant.triggers].iter().rev() {
                    let patterns = ast[trigger.patterns].iter().rev();
                    stack.extend(patterns.map(|&pattern| Step::Enter(pattern)));
                }
            }
            ExprKind::Let(let_id) => {
                let let_expr = &ast[let_id];
                stack.extend([Step::Enter(let_expr.body), Step::LetBody(id)]);
                let values = ast[let_expr.values].iter().rev();
                stack.extend(values.map(|&value| Step::Enter(value)));
            }
        }
    }
}

impl Ast {
    /// The smallest span that covers the tokens of an expression and of its operands.
    pub fn extent(&self, id: ExprId) -> Span {
        let mut span = self[id].span;
        let mut walk = ExprWalk::new(id);
        while let Some(step) = walk.next(self) {
            if let Step::Enter(id) = step {
                span = span.to(self[id].span);
            }
        }
        span
    }
}
