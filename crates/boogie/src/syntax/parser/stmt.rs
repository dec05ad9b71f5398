//! Statements.

use smallvec::SmallVec;

use super::{Parsed, Parser, Stop};
use crate::syntax::arena::Slice;
use crate::syntax::ast::{
    Call, ExprId, Ident, If, IfArm, Invariant, Lhs, LhsStep, Measure, Stmt, StmtKind, Unpack, Var, While,
};
use crate::syntax::token::TokenKind;
use lariat_source::{Diagnostic, DiagnosticKind};

impl Parser<'_> {
    /// Parses the `var` declarations at the start of a body.
    pub(super) fn locals(&mut self) -> Parsed<Slice<Var>> {
        let mut vars: SmallVec<[Var; 8]> = SmallVec::new();
        while self.at(TokenKind::Var) {
            if self.local(&mut vars).is_err() {
                self.recover_stmt()?;
            }
        }
        Ok(self.ast.vars.extend(vars))
    }

    fn local(&mut self, vars: &mut SmallVec<[Var; 8]>) -> Parsed<()> {
        self.bump();
        let attrs = self.attrs()?;
        self.ids_type_where(attrs, None, vars)?;
        while self.eat(TokenKind::Comma) {
            self.ids_type_where(attrs, None, vars)?;
        }
        self.semi()
    }

    /// Parses statements up to the closing brace and the brace itself.
    pub(super) fn block(&mut self) -> Parsed<Slice<Stmt>> {
        self.expect(TokenKind::LBrace)?;
        self.block_rest()
    }

    /// The rest of a block after its opening brace (and its local variables).
    pub(super) fn block_rest(&mut self) -> Parsed<Slice<Stmt>> {
        self.nested(Self::stmts)
    }

    fn stmts(&mut self) -> Parsed<Slice<Stmt>> {
        let mut list: SmallVec<[Stmt; 4]> = SmallVec::new();
        loop {
            match self.tok.kind {
                TokenKind::RBrace => {
                    self.bump();
                    return Ok(self.ast.stmts.extend(list));
                }
                TokenKind::Eof => return Err(self.unexpected("a statement or `}`")),
                kind if kind.starts_declaration() => {
                    return Err(self.unexpected("a statement or `}`"));
                }
                _ => match self.stmt() {
                    Ok(stmt) => list.push(stmt),
                    Err(Stop) => self.recover_stmt()?,
                },
            }
        }
    }

    /// Skips to where the next statement starts, or to the end of the block.
    pub(super) fn recover_stmt(&mut self) -> Parsed<()> {
        let mut depth = 0usize;
        while !self.fatal {
            match self.tok.kind {
                TokenKind::Eof => return Ok(()),
                kind if kind.starts_declaration() => return Ok(()),
                TokenKind::LBrace | TokenKind::LCode => depth += 1,
                TokenKind::RBrace | TokenKind::RCode => match depth.checked_sub(1) {
                    Some(0) => {
                        // The end of a block, rather than of an attribute in a line.
                        self.bump();
                        if self.first_on_line() && !self.at(TokenKind::Else) {
                            return Ok(());
                        }
                        depth = 0;
                        continue;
                    }
                    Some(outer) => depth = outer,
                    None if self.at(TokenKind::RBrace) => return Ok(()),
                    None => {}
                },
                TokenKind::Semi if depth == 0 => {
                    self.bump();
                    return Ok(());
                }
                TokenKind::Assert
                | TokenKind::Assume
                | TokenKind::Break
                | TokenKind::Call
                | TokenKind::Goto
                | TokenKind::Havoc
                | TokenKind::If
                | TokenKind::Return
                | TokenKind::While
                    if depth == 0 && self.first_on_line() =>
                {
                    return Ok(());
                }
                _ => {}
            }
            self.bump();
        }
        Err(Stop)
    }

    fn stmt(&mut self) -> Parsed<Stmt> {
        let span = self.tok.span;
        let kind = match self.tok.kind {
            TokenKind::If => self.if_stmt()?,
            TokenKind::While => self.while_stmt()?,
            TokenKind::Break => {
                self.bump();
                let label = match self.tok.kind.is_ident() {
                    true => Some(self.ident()?),
                    false => None,
                };
                self.semi()?;
                StmtKind::Break(label)
            }
            TokenKind::Goto => self.goto()?,
            TokenKind::Return => {
                self.bump();
                let attrs = self.attrs()?;
                self.semi()?;
                StmtKind::Return { attrs, value: None }
            }
            _ => return self.command(),
        };
        Ok(Stmt { kind, span })
    }

    fn goto(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let attrs = self.attrs()?;
        let labels = self.idents()?;
        self.semi()?;
        Ok(StmtKind::Goto { attrs, labels })
    }

    /// Parses the blocks of a code expression and the closing `}|`.
    pub(super) fn code_blocks(&mut self) -> Parsed<Slice<Stmt>> {
        let mut list: SmallVec<[Stmt; 4]> = SmallVec::new();
        loop {
            let label = self.ident()?;
            self.expect(TokenKind::Colon)?;
            list.push(Stmt { kind: StmtKind::Label(label.name), span: label.span });
            let last = loop {
                let span = self.tok.span;
                match self.tok.kind {
                    TokenKind::Goto => {
                        let kind = self.goto()?;
                        break Stmt { kind, span };
                    }
                    TokenKind::Return => {
                        self.bump();
                        let attrs = self.attrs()?;
                        let value = Some(self.expr()?);
                        self.semi()?;
                        let kind = StmtKind::Return { attrs, value };
                        break Stmt { kind, span };
                    }
                    _ => {
                        let stmt = self.command()?;
                        if matches!(stmt.kind, StmtKind::Label(_)) {
                            let message = "a block of a code expression has only one label";
                            self.complain(self.prev, message);
                        }
                        list.push(stmt);
                    }
                }
            };
            list.push(last);
            if self.eat(TokenKind::RCode) {
                return Ok(self.ast.stmts.extend(list));
            }
        }
    }

    fn if_stmt(&mut self) -> Parsed<StmtKind> {
        let mut arms: SmallVec<[IfArm; 2]> = SmallVec::new();
        let mut els = None;
        loop {
            let span = self.expect(TokenKind::If)?;
            let attrs = self.attrs()?;
            let guard = self.guard()?;
            let body = self.block()?;
            arms.push(IfArm { span, attrs, guard, body });
            if !self.eat(TokenKind::Else) {
                break;
            }
            if !self.at(TokenKind::If) {
                els = Some(self.block()?);
                break;
            }
        }
        let arms = self.ast.if_arms.extend(arms);
        Ok(StmtKind::If(self.ast.ifs.push(If { arms, els })))
    }

    fn guard(&mut self) -> Parsed<Option<ExprId>> {
        self.expect(TokenKind::LParen)?;
        let guard = match self.eat(TokenKind::Star) {
            true => None,
            false => Some(self.expr()?),
        };
        self.expect(TokenKind::RParen)?;
        Ok(guard)
    }

    fn while_stmt(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let guard = self.guard()?;
        let mut invariants: SmallVec<[Invariant; 4]> = SmallVec::new();
        let mut measures: SmallVec<[Measure; 1]> = SmallVec::new();
        loop {
            let span = self.tok.span;
            let free = match self.tok.kind {
                TokenKind::Free => {
                    self.bump();
                    true
                }
                TokenKind::Invariant => false,
                TokenKind::Measure => {
                    self.bump();
                    let attrs = self.attrs()?;
                    let exprs = self.exprs()?;
                    self.semi()?;
                    measures.push(Measure { span, attrs, exprs });
                    continue;
                }
                _ => break,
            };
            self.expect(TokenKind::Invariant)?;
            let attrs = self.attrs()?;
            if self.at(TokenKind::Call) {
                self.unsupported_clause("yield invariants")?;
                continue;
            }
            let cond = self.expr()?;
            self.semi()?;
            invariants.push(Invariant { span, free, attrs, cond });
        }
        let body = self.block()?;
        let invariants = self.ast.invariants.extend(invariants);
        let measures = self.ast.measures.extend(measures);
        Ok(StmtKind::While(self.ast.whiles.push(While { guard, invariants, measures, body })))
    }

    /// Parses a label, or a statement that is neither structured nor a jump.
    fn command(&mut self) -> Parsed<Stmt> {
        let span = self.tok.span;
        let kind = match self.tok.kind {
            TokenKind::Assert => {
                self.bump();
                let attrs = self.attrs()?;
                let cond = self.expr()?;
                StmtKind::Assert { attrs, cond }
            }
            TokenKind::Assume => {
                self.bump();
                let attrs = self.attrs()?;
                let cond = self.expr()?;
                StmtKind::Assume { attrs, cond }
            }
            TokenKind::Havoc => {
                self.bump();
                StmtKind::Havoc(self.idents()?)
            }
            TokenKind::Call => self.call(false, false)?,
            TokenKind::Free => {
                self.bump();
                let stmt = self.free_call(false)?;
                return self.end(stmt);
            }
            TokenKind::Async if matches!(self.peek(), TokenKind::Call | TokenKind::Free) => {
                self.bump();
                let stmt = match self.eat(TokenKind::Free) {
                    true => self.free_call(true)?,
                    false => {
                        let span = self.tok.span;
                        let kind = self.call(true, false)?;
                        Stmt { kind, span }
                    }
                };
                return self.end(stmt);
            }
            TokenKind::Reveal | TokenKind::Hide if self.peek().is_ident() || self.peek() == TokenKind::Star => {
                let reveal = self.at(TokenKind::Reveal);
                self.bump();
                let name = match self.eat(TokenKind::Star) {
                    true => None,
                    false => Some(self.ident()?),
                };
                match reveal {
                    true => StmtKind::Reveal(name),
                    false => StmtKind::Hide(name),
                }
            }
            TokenKind::Push if self.peek() == TokenKind::Semi => {
                self.bump();
                StmtKind::Push
            }
            TokenKind::Pop if self.peek() == TokenKind::Semi => {
                self.bump();
                StmtKind::Pop
            }
            TokenKind::Measure if !follows_target(self.peek()) => {
                self.bump();
                let attrs = self.attrs()?;
                let exprs = self.exprs()?;
                StmtKind::Measure { attrs, exprs }
            }
            TokenKind::Yield if self.peek() == TokenKind::Semi => {
                self.unsupported(span, "`yield` statements");
                self.bump();
                StmtKind::Error
            }
            TokenKind::Par if self.peek().is_ident() || self.peek() == TokenKind::LBrace => {
                self.unsupported(span, "parallel calls");
                self.skip_to_semi();
                StmtKind::Error
            }
            kind if kind.is_ident() => return self.label_or_assign(),
            TokenKind::Var => {
                let message = "local variables must be declared at the start of the body";
                let diagnostic = Diagnostic::error(DiagnosticKind::Parse, span, message);
                return Err(self.stop_with(diagnostic));
            }
            _ => return Err(self.unexpected("a statement or `}`")),
        };
        self.end(Stmt { kind, span })
    }

    fn end(&mut self, stmt: Stmt) -> Parsed<Stmt> {
        self.semi()?;
        Ok(stmt)
    }

    /// Parses the rest of a call after `free`. Its place is its `call` all the same.
    fn free_call(&mut self, is_async: bool) -> Parsed<Stmt> {
        let span = self.tok.span;
        if !self.at(TokenKind::Call) {
            return Err(self.unexpected("`call`"));
        }
        let kind = self.call(is_async, true)?;
        Ok(Stmt { kind, span })
    }

    /// Parses a call from its keyword on, without the semicolon.
    pub(super) fn call(&mut self, is_async: bool, is_free: bool) -> Parsed<StmtKind> {
        self.bump();
        if self.at(TokenKind::Forall) {
            let diagnostic = Diagnostic::error(
                DiagnosticKind::Parse,
                self.tok.span,
                "`call forall` is not part of the language any more",
            )
            .with_hint("state what the procedure proves as an axiom or a quantified assumption");
            return Err(self.stop_with(diagnostic));
        }
        let attrs = self.attrs()?;
        let first = self.ident()?;
        let mut outs: SmallVec<[Ident; 4]> = SmallVec::new();
        let mut proc = first;
        if !self.at(TokenKind::LParen) {
            outs.push(first);
            while self.eat(TokenKind::Comma) {
                outs.push(self.ident()?);
            }
            self.expect(TokenKind::Assign)?;
            proc = self.ident()?;
        }
        self.expect(TokenKind::LParen)?;
        if self.at(TokenKind::Star) {
            let diagnostic =
                Diagnostic::error(DiagnosticKind::Parse, self.tok.span, "`*` cannot be an argument any more")
                    .with_hint("use a variable after `havoc`");
            return Err(self.stop_with(diagnostic));
        }
        let args = self.args()?;
        if self.at(TokenKind::Bar) {
            self.unsupported(self.tok.span, "parallel calls");
            self.skip_to_semi();
            return Ok(StmtKind::Error);
        }
        let outs = self.ast.idents.extend(outs);
        Ok(StmtKind::Call(self.ast.calls.push(Call { is_async, is_free, attrs, outs, proc, args })))
    }

    fn label_or_assign(&mut self) -> Parsed<Stmt> {
        let first = self.ident()?;
        match self.tok.kind {
            TokenKind::Colon => {
                self.bump();
                Ok(Stmt { kind: StmtKind::Label(first.name), span: first.span })
            }
            TokenKind::LParen => {
                self.bump();
                let vars = self.idents()?;
                self.expect(TokenKind::RParen)?;
                let span = self.expect(TokenKind::Assign)?;
                let attrs = self.attrs()?;
                let value = self.expr()?;
                let unpack = self.ast.unpacks.push(Unpack { attrs, ctor: first, vars, value });
                self.end(Stmt { kind: StmtKind::Unpack(unpack), span })
            }
            _ => {
                let mut targets: SmallVec<[Lhs; 4]> = SmallVec::new();
                targets.push(self.lhs(first)?);
                while self.eat(TokenKind::Comma) {
                    let base = self.ident()?;
                    targets.push(self.lhs(base)?);
                }
                let span = self.expect(TokenKind::Assign)?;
                let attrs = self.attrs()?;
                let rhs = self.exprs()?;
                let lhs = self.ast.lhss.extend(targets);
                self.end(Stmt { kind: StmtKind::Assign { attrs, lhs, rhs }, span })
            }
        }
    }

    fn lhs(&mut self, base: Ident) -> Parsed<Lhs> {
        let mut path: SmallVec<[LhsStep; 2]> = SmallVec::new();
        loop {
            match self.tok.kind {
                TokenKind::LBracket => {
                    let span = self.bump();
                    let index = match self.at(TokenKind::RBracket) {
                        true => Slice::EMPTY,
                        false => self.exprs()?,
                    };
                    self.expect(TokenKind::RBracket)?;
                    path.push(LhsStep::Index { index, span });
                }
                TokenKind::Arrow => {
                    self.bump();
                    path.push(LhsStep::Field(self.ident()?));
                }
                _ => break,
            }
        }
        let path = self.ast.lhs_steps.extend(path);
        Ok(Lhs { base, path })
    }
}

/// Whether a token follows a name that is a label or a target of an assignment.
fn follows_target(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Colon | TokenKind::Assign | TokenKind::Comma | TokenKind::LBracket | TokenKind::Arrow)
}
