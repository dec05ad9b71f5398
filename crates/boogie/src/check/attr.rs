//! Attributes: their arguments, and the few attributes with rules of their own.

use super::{Checker, State};
use crate::syntax::{Attr, AttrArg, Slice};
use crate::types::{Ty, TyKind};
use lariat_source::Span;

impl Checker<'_> {
    /// Resolves and checks the arguments of attributes.
    pub(super) fn attrs(&mut self, attrs: Slice<Attr>) {
        if attrs.is_empty() {
            return;
        }
        let ast = self.ast;
        for attr in &ast[attrs] {
            let key = self.text(attr.name.name);
            let goal = matches!(key, "minimize" | "maximize");
            let under = key == "verified_under";
            let single = attr.args.len() == 1;
            if (goal || under) && !single {
                let message = format!("the attribute `:{key}` takes exactly one argument");
                self.name_error(attr.name.span, message);
            }
            for &arg in &ast[attr.args] {
                let ty = match arg {
                    AttrArg::Str(_) => Ty::STRING,
                    AttrArg::Expr(expr) => {
                        let before = self.state;
                        if before == State::One {
                            self.state = State::Two;
                        }
                        self.unit(attr.name.span, |checker| checker.expr(expr));
                        self.state = before;
                        self.out.expr_ty[expr.index()]
                    }
                };
                let number = matches!(self.out.types.kind(ty), TyKind::Int | TyKind::Real | TyKind::Bv(_));
                if goal && single && !number && ty != Ty::ERROR {
                    let message = format!("the argument of `:{key}` must be a number");
                    self.type_error(attr.name.span, message);
                }
                if under && single && ty != Ty::BOOL && ty != Ty::ERROR {
                    let message = format!("the argument of `:{key}` must be of type bool");
                    self.type_error(attr.name.span, message);
                }
            }
        }
    }

    /// The attributes of a statement: also its `{:id "…"}`, which must be unique.
    pub(super) fn stmt_attrs(&mut self, attrs: Slice<Attr>, span: Span) {
        if attrs.is_empty() {
            return;
        }
        self.attrs(attrs);
        if let Some(id) = self.string_attr(attrs, "id")
            && !self.statement_ids.insert(id)
        {
            let text = self.text(id);
            let message = format!("two statements have the id \"{text}\"");
            self.name_error(span, message);
        }
    }
}
