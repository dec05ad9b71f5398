//! Whether a Boolean part of a formula is something to be shown or something that is given.
//!
//! It matters for type quantifiers and code expressions only, and for inlined functions whose body
//! has one, so it is looked up when one of them is met.

use rustc_hash::FxHashMap;

use crate::syntax::{Ast, BinOp, ExprId, ExprKind, UnOp};

/// The role of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Polarity {
    /// It holds: the formula of an axiom or `assume`.
    Assumed,
    /// It is to be shown: the formula of an `assert`.
    Goal,
    /// Both, or its value matters as such.
    Mixed,
}

impl Polarity {
    fn negated(self) -> Polarity {
        match self {
            Polarity::Assumed => Polarity::Goal,
            Polarity::Goal => Polarity::Assumed,
            Polarity::Mixed => Polarity::Mixed,
        }
    }
}

/// The roles of all quantifiers, code expressions and applications inside a formula that only connectives
/// surround; the role of all others is [`Polarity::Mixed`].
pub(super) fn polarities(ast: &Ast, root: ExprId, role: Polarity) -> FxHashMap<ExprId, Polarity> {
    let mut found = FxHashMap::default();
    let mut stack = vec![(root, role)];
    while let Some((expr, role)) = stack.pop() {
        match ast[expr].kind {
            ExprKind::Unary { op: UnOp::Not, arg } => stack.push((arg, role.negated())),
            ExprKind::Coerce { arg, .. } | ExprKind::Old(arg) => stack.push((arg, role)),
            ExprKind::Binary { op: BinOp::And | BinOp::Or, lhs, rhs } => stack.extend([(lhs, role), (rhs, role)]),
            ExprKind::Binary { op: BinOp::Implies, lhs, rhs } => stack.extend([(lhs, role.negated()), (rhs, role)]),
            ExprKind::Binary { op: BinOp::Explies, lhs, rhs } => stack.extend([(lhs, role), (rhs, role.negated())]),
            ExprKind::Ite { then, els, .. } => stack.extend([(then, role), (els, role)]),
            ExprKind::Let(id) => stack.push((ast[id].body, role)),
            ExprKind::Quant(id) => {
                found.insert(expr, role);
                stack.push((ast[id].body, role));
            }
            ExprKind::Code(_) | ExprKind::Call { .. } => {
                found.insert(expr, role);
            }
            _ => {}
        }
    }
    found
}
