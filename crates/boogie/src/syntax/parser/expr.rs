//! Expressions.
//!
//! Binary operators are parsed with an explicit stack of operators that wait for their right
//! operand, prefix and postfix operators and `else if` with loops. So only brackets recurse.

use smallvec::SmallVec;

use super::{Bounds, Parsed, Parser};
use crate::syntax::Name;
use crate::syntax::arena::Slice;
use crate::syntax::ast::{BinOp, Code, Expr, ExprId, ExprKind, Let, LetVar, Quant, QuantKind, RoundingMode, UnOp};
use crate::syntax::token::TokenKind;
use lariat_source::{Diagnostic, DiagnosticKind, Span};

/// An operator that waits for its right operand.
struct Waiting {
    op: BinOp,
    span: Span,
    lhs: ExprId,
}

type Operators = SmallVec<[Waiting; 6]>;

impl Parser<'_> {
    #[inline]
    fn new_expr(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.ast.exprs.push(Expr { kind, span })
    }

    /// Parses an expression.
    pub(super) fn expr(&mut self) -> Parsed<ExprId> {
        let expr = self.nested(Self::operators)?;
        if let Some(bounds) = self.bounds.take() {
            let span = self.ast[bounds.expr].span;
            self.complain(span, "bit-vector bounds are only allowed in brackets");
        }
        Ok(expr)
    }

    /// Parses an expression or, in its place, bit-vector bounds.
    fn expr_or_bounds(&mut self) -> Parsed<(ExprId, Option<Bounds>)> {
        let expr = self.nested(Self::operators)?;
        match self.bounds.take() {
            Some(bounds) if bounds.expr == expr => Ok((expr, Some(bounds))),
            Some(bounds) => {
                let span = self.ast[bounds.expr].span;
                self.complain(span, "bit-vector bounds are only allowed in brackets");
                Ok((expr, None))
            }
            None => Ok((expr, None)),
        }
    }

    fn operators(&mut self) -> Parsed<ExprId> {
        let mut stack = Operators::new();
        let mut operand = self.operand()?;
        while let Some(op) = binary_operator(self.tok.kind) {
            let level = op.level();
            while let Some(top) = stack.last() {
                let top_level = top.op.level();
                if top_level < level {
                    break;
                }
                if top_level == level {
                    self.check_mixture(top.op, op);
                    if op.is_right_associative() {
                        break;
                    }
                }
                operand = self.reduce(&mut stack, operand);
            }
            let span = self.bump();
            stack.push(Waiting { op, span, lhs: operand });
            operand = self.operand()?;
        }
        while !stack.is_empty() {
            operand = self.reduce(&mut stack, operand);
        }
        Ok(operand)
    }

    fn reduce(&mut self, stack: &mut Operators, rhs: ExprId) -> ExprId {
        match stack.pop() {
            Some(Waiting { op, span, lhs }) => self.new_expr(ExprKind::Binary { op, lhs, rhs }, span),
            None => rhs,
        }
    }

    /// Reports two neighbouring operators of one level that need parentheses. The parser then goes
    /// on as if they were there.
    #[inline]
    fn check_mixture(&mut self, left: BinOp, right: BinOp) {
        let message = match (left, right) {
            (BinOp::Implies, BinOp::Explies) | (BinOp::Explies, BinOp::Implies) => "`==>` and `<==` cannot be mixed",
            (BinOp::And, BinOp::Or) | (BinOp::Or, BinOp::And) => "`&&` and `||` cannot be mixed",
            _ if left.is_relation() => "comparisons cannot be chained",
            _ => return,
        };
        let diagnostic = Diagnostic::error(DiagnosticKind::Parse, self.tok.span, message)
            .with_hint("use parentheses to say which comes first");
        let _reported = self.stop_with(diagnostic);
    }

    /// Parses an operand of binary operators.
    fn operand(&mut self) -> Parsed<ExprId> {
        let mut prefix: SmallVec<[(UnOp, Span); 4]> = SmallVec::new();
        loop {
            let op = match self.tok.kind {
                TokenKind::Minus => UnOp::Neg,
                TokenKind::Not => UnOp::Not,
                _ => break,
            };
            prefix.push((op, self.bump()));
        }
        let mut expr = self.coercion()?;
        while let Some((op, span)) = prefix.pop() {
            expr = self.new_expr(ExprKind::Unary { op, arg: expr }, span);
        }
        if self.at(TokenKind::Is) {
            let span = self.bump();
            let ctor = self.ident()?;
            let kind = ExprKind::Is { arg: expr, ctor: ctor.name };
            expr = self.new_expr(kind, span.to(ctor.span));
        }
        Ok(expr)
    }

    /// Parses `e`, `e : T`, or bit-vector bounds `hi : lo`.
    fn coercion(&mut self) -> Parsed<ExprId> {
        let mut expr = self.postfix()?;
        while self.at(TokenKind::Colon) {
            let colon = self.bump();
            if self.at(TokenKind::Digits) {
                let lo = self.bump();
                let lo = self.bound(lo);
                let hi = match self.ast[expr].kind {
                    ExprKind::Int(digits) => {
                        let span = self.ast[expr].span;
                        match self.ast.text(digits).parse() {
                            Ok(hi) => hi,
                            Err(_) => self.bound(span),
                        }
                    }
                    ExprKind::Error => 0,
                    _ => {
                        let message = "the bounds of an extraction must be integer literals";
                        self.complain(self.prev, message);
                        0
                    }
                };
                if let Some(earlier) = self.bounds {
                    let span = self.ast[earlier.expr].span;
                    self.complain(span, "bit-vector bounds are only allowed in brackets");
                }
                expr = self.new_expr(ExprKind::Error, colon);
                self.bounds = Some(Bounds { expr, hi, lo });
            } else {
                let ty = self.ty()?;
                expr = self.new_expr(ExprKind::Coerce { arg: expr, ty }, colon);
            }
        }
        Ok(expr)
    }

    fn bound(&mut self, span: Span) -> u32 {
        match self.source(span).parse() {
            Ok(bound) => bound,
            Err(_) => {
                self.too_large(span, "this bound is larger than any bit-vector");
                0
            }
        }
    }

    /// Parses an atom with map accesses and field accesses after it.
    fn postfix(&mut self) -> Parsed<ExprId> {
        let mut expr = self.atom()?;
        loop {
            match self.tok.kind {
                TokenKind::LBracket => expr = self.brackets(expr)?,
                TokenKind::Arrow => {
                    let arrow = self.bump();
                    if self.eat(TokenKind::LParen) {
                        let field = self.ident()?;
                        let span = self.expect(TokenKind::Assign)?;
                        let value = self.expr()?;
                        self.expect(TokenKind::RParen)?;
                        let kind = ExprKind::FieldUpdate { arg: expr, field: field.name, value };
                        expr = self.new_expr(kind, span);
                    } else {
                        let field = self.ident()?;
                        let kind = ExprKind::Field { arg: expr, field: field.name };
                        expr = self.new_expr(kind, arrow.to(field.span));
                    }
                }
                _ => return Ok(expr),
            }
        }
    }

    /// Parses `[…]` after a map or bit-vector.
    fn brackets(&mut self, arg: ExprId) -> Parsed<ExprId> {
        let span = self.expect(TokenKind::LBracket)?;
        let mut list: SmallVec<[ExprId; 4]> = SmallVec::new();
        let mut extract = None;
        if !self.at(TokenKind::RBracket) && !self.at(TokenKind::Assign) {
            let (first, bounds) = self.expr_or_bounds()?;
            extract = bounds;
            list.push(first);
            while self.eat(TokenKind::Comma) {
                let (next, bounds) = self.expr_or_bounds()?;
                if extract.is_some() || bounds.is_some() {
                    self.complain(self.prev, "bit-vectors only have one dimension");
                }
                list.push(next);
            }
        }
        let store = self.at(TokenKind::Assign);
        if store {
            self.bump();
            let (value, bounds) = self.expr_or_bounds()?;
            if extract.is_some() || bounds.is_some() {
                self.complain(self.prev, "bits of a bit-vector cannot be assigned");
            }
            list.push(value);
        }
        self.expect(TokenKind::RBracket)?;
        let kind = match extract {
            Some(_) if list.len() > 1 => ExprKind::Error,
            Some(Bounds { hi, lo, .. }) => ExprKind::Extract { arg, hi, lo },
            None => {
                let list = self.ast.expr_lists.extend(list);
                match store {
                    true => ExprKind::Store { map: arg, index_and_value: list },
                    false => ExprKind::Select { map: arg, index: list },
                }
            }
        };
        Ok(self.new_expr(kind, span))
    }

    fn atom(&mut self) -> Parsed<ExprId> {
        let kind = self.tok.kind;
        if kind.is_ident() {
            let id = self.ident()?;
            let kind = match self.eat(TokenKind::LParen) {
                true => ExprKind::Call { func: id.name, args: self.args()? },
                false => ExprKind::Var(id.name),
            };
            return Ok(self.new_expr(kind, id.span));
        }
        let span = self.tok.span;
        let kind = match kind {
            TokenKind::False => ExprKind::Bool(false),
            TokenKind::True => ExprKind::Bool(true),
            TokenKind::Rne => ExprKind::Rounding(RoundingMode::Rne),
            TokenKind::Rna => ExprKind::Rounding(RoundingMode::Rna),
            TokenKind::Rtp => ExprKind::Rounding(RoundingMode::Rtp),
            TokenKind::Rtn => ExprKind::Rounding(RoundingMode::Rtn),
            TokenKind::Rtz => ExprKind::Rounding(RoundingMode::Rtz),
            TokenKind::Digits => self.number(span, Self::integer),
            TokenKind::BvLit => self.number(span, Self::bit_vector),
            TokenKind::Decimal => self.number(span, Self::decimal),
            TokenKind::Float => self.number(span, Self::float),
            TokenKind::Str => ExprKind::Str(self.string(span)),
            TokenKind::Old => return self.keyword_call(ExprKind::Old),
            TokenKind::Int => return self.keyword_call(ExprKind::ToInt),
            TokenKind::Real => return self.keyword_call(ExprKind::ToReal),
            TokenKind::LParen => return self.parenthesized(),
            TokenKind::If => return self.if_then_else(),
            TokenKind::LCode => return self.code(),
            _ => return Err(self.unexpected("an expression")),
        };
        self.bump();
        Ok(self.new_expr(kind, span))
    }

    /// The contents of a string literal.
    pub(super) fn string(&mut self, span: Span) -> Name {
        let text = self.source(span);
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
        self.ast.names.intern(inner)
    }

    fn keyword_call(&mut self, make: fn(ExprId) -> ExprKind) -> Parsed<ExprId> {
        let span = self.bump();
        self.expect(TokenKind::LParen)?;
        let arg = self.expr()?;
        self.expect(TokenKind::RParen)?;
        Ok(self.new_expr(make(arg), span))
    }

    fn parenthesized(&mut self) -> Parsed<ExprId> {
        self.expect(TokenKind::LParen)?;
        let expr = match self.tok.kind {
            TokenKind::Forall => self.quantifier(QuantKind::Forall)?,
            TokenKind::Exists => self.quantifier(QuantKind::Exists)?,
            TokenKind::Lambda => self.quantifier(QuantKind::Lambda)?,
            TokenKind::Var => self.let_expr()?,
            _ => {
                let (expr, bounds) = self.expr_or_bounds()?;
                if bounds.is_some() {
                    let message = "parentheses around bit-vector bounds are not allowed";
                    self.complain(self.prev, message);
                }
                expr
            }
        };
        self.expect(TokenKind::RParen)?;
        Ok(expr)
    }

    fn quantifier(&mut self, kind: QuantKind) -> Parsed<ExprId> {
        let span = self.bump();
        let type_params = self.type_params()?;
        let vars = match type_params.is_empty() || !self.at(TokenKind::ColonColon) {
            true => self.formals(Some("bound variables"))?,
            false => Slice::EMPTY,
        };
        self.expect(TokenKind::ColonColon)?;
        let (attrs, mut triggers) = self.attrs_and_triggers()?;
        let body = self.expr()?;
        if kind == QuantKind::Lambda && !triggers.is_empty() {
            self.complain(self.prev, "a lambda expression cannot have triggers");
            triggers = Slice::EMPTY;
        }
        let quant = self.ast.quants.push(Quant { kind, type_params, vars, attrs, triggers, body });
        Ok(self.new_expr(ExprKind::Quant(quant), span))
    }

    fn let_expr(&mut self) -> Parsed<ExprId> {
        let span = self.bump();
        let mut vars: SmallVec<[LetVar; 2]> = SmallVec::new();
        loop {
            let attrs = self.attrs()?;
            let name = self.ident()?;
            vars.push(LetVar { attrs, name });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Assign)?;
        let values = self.exprs()?;
        self.expect(TokenKind::Semi)?;
        let attrs = self.attrs()?;
        let body = self.expr()?;
        let vars = self.ast.let_vars.extend(vars);
        let let_id = self.ast.lets.push(Let { vars, values, attrs, body });
        Ok(self.new_expr(ExprKind::Let(let_id), span))
    }

    /// Parses `if … then … else if … then … else …` with a loop over the branches. The last `else`
    /// takes all operators that follow, so an `else if` is never their operand.
    fn if_then_else(&mut self) -> Parsed<ExprId> {
        let mut branches: SmallVec<[(Span, ExprId, ExprId); 2]> = SmallVec::new();
        while self.at(TokenKind::If) {
            let span = self.bump();
            let cond = self.expr()?;
            self.expect(TokenKind::Then)?;
            let then = self.expr()?;
            self.expect(TokenKind::Else)?;
            branches.push((span, cond, then));
        }
        let mut expr = self.expr()?;
        while let Some((span, cond, then)) = branches.pop() {
            let kind = ExprKind::Ite { cond, then, els: expr };
            expr = self.new_expr(kind, span);
        }
        Ok(expr)
    }

    fn code(&mut self) -> Parsed<ExprId> {
        let span = self.expect(TokenKind::LCode)?;
        let locals = self.locals()?;
        let stmts = self.nested(Self::code_blocks)?;
        let code = self.ast.codes.push(Code { locals, stmts });
        Ok(self.new_expr(ExprKind::Code(code), span))
    }
}

/// The binary operator that a token is.
#[inline]
fn binary_operator(kind: TokenKind) -> Option<BinOp> {
    Some(match kind {
        TokenKind::Iff => BinOp::Iff,
        TokenKind::Implies => BinOp::Implies,
        TokenKind::Explies => BinOp::Explies,
        TokenKind::And => BinOp::And,
        TokenKind::Or => BinOp::Or,
        TokenKind::EqEq => BinOp::Eq,
        TokenKind::NotEq => BinOp::Ne,
        TokenKind::Less => BinOp::Lt,
        TokenKind::LessEq => BinOp::Le,
        TokenKind::Greater => BinOp::Gt,
        TokenKind::GreaterEq => BinOp::Ge,
        TokenKind::PlusPlus => BinOp::Concat,
        TokenKind::Plus => BinOp::Add,
        TokenKind::Minus => BinOp::Sub,
        TokenKind::Star => BinOp::Mul,
        TokenKind::Slash => BinOp::RealDiv,
        TokenKind::Div => BinOp::Div,
        TokenKind::Mod => BinOp::Mod,
        TokenKind::StarStar => BinOp::Pow,
        _ => return None,
    })
}
