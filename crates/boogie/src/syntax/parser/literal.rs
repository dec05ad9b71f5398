//! Literals: checks that do not need types.

use super::Parser;
use crate::syntax::ast::ExprKind;
use crate::syntax::float::FloatLit;
use crate::syntax::{MAX_DECIMAL_EXPONENT, MAX_LITERAL_LEN};
use lariat_source::Span;

impl Parser<'_> {
    /// The kind of a numeric literal that was just consumed.
    pub(super) fn number(&mut self, span: Span, make: fn(&mut Self, Span) -> ExprKind) -> ExprKind {
        if span.len() as usize > MAX_LITERAL_LEN {
            let message = format!("this literal has more than {MAX_LITERAL_LEN} characters");
            self.too_large(Span::new(span.start, span.start + 1), message);
            return ExprKind::Error;
        }
        make(self, span)
    }

    pub(super) fn integer(&mut self, span: Span) -> ExprKind {
        ExprKind::Int(self.intern(span))
    }

    pub(super) fn bit_vector(&mut self, span: Span) -> ExprKind {
        let text = self.source(span);
        let Some((value, width)) = text.split_once("bv") else {
            return ExprKind::Error;
        };
        let value = self.ast.names.intern(value);
        let width = self.width(width, span);
        ExprKind::Bv { value, width }
    }

    pub(super) fn decimal(&mut self, span: Span) -> ExprKind {
        let text = self.source(span);
        if let Some((_, exponent)) = text.split_once('e') {
            let size = exponent.strip_prefix('-').unwrap_or(exponent);
            if size.parse().is_ok_and(|size: u32| size <= MAX_DECIMAL_EXPONENT) {
                return ExprKind::Real(self.intern(span));
            }
            let message = format!("the exponent of this literal is larger than {MAX_DECIMAL_EXPONENT}");
            self.too_large(span, message);
            return ExprKind::Error;
        }
        ExprKind::Real(self.intern(span))
    }

    pub(super) fn float(&mut self, span: Span) -> ExprKind {
        let problem = match FloatLit::parse(self.source(span)) {
            Some(lit) => lit.problem(),
            None => Some("its format is out of range"),
        };
        if let Some(problem) = problem {
            self.complain(span, format!("this is not a float literal: {problem}"));
            return ExprKind::Error;
        }
        ExprKind::Float(self.intern(span))
    }
}
