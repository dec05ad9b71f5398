//! The concurrent part of Boogie (CIVL): recognised, reported as not supported, and skipped, so that
//! nothing else is reported because of it.

use super::{Parsed, Parser, Stop};
use crate::syntax::token::TokenKind;
use lariat_source::{Diagnostic, DiagnosticKind, Span};

impl Parser<'_> {
    /// Reports a construct that is correct Boogie but not supported.
    #[cold]
    pub(super) fn unsupported(&mut self, span: Span, what: &str) {
        if !self.fatal {
            let message = format!("{what} are not supported");
            self.diags.push(
                Diagnostic::error(DiagnosticKind::Unsupported, span, message)
                    .with_label("not supported")
                    .with_hint("only sequential programs are supported"),
            );
        }
    }

    /// Reports and skips a clause up to and including its semicolon.
    pub(super) fn unsupported_clause(&mut self, what: &str) -> Parsed<()> {
        self.unsupported(self.tok.span, what);
        self.skip_to_semi();
        self.semi()
    }

    /// Skips to the next semicolon, or to the end of the block if there is none.
    pub(super) fn skip_to_semi(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.tok.kind {
                TokenKind::Semi if depth == 0 => return,
                TokenKind::Eof => return,
                kind if kind.starts_declaration() => return,
                TokenKind::LBrace => depth += 1,
                TokenKind::RBrace => match depth.checked_sub(1) {
                    Some(outer) => depth = outer,
                    None => return,
                },
                _ => {}
            }
            self.bump();
        }
    }

    /// If a CIVL declaration starts here, reports it, skips it and returns true.
    pub(super) fn civl_decl(&mut self) -> bool {
        let what = match (self.tok.kind, self.peek()) {
            (TokenKind::Yield, TokenKind::Invariant) => "yield invariants",
            (TokenKind::Yield, _) => "yield procedures",
            (TokenKind::Action, _) => "actions",
            (
                TokenKind::Async
                | TokenKind::Atomic
                | TokenKind::Both
                | TokenKind::Left
                | TokenKind::Pure
                | TokenKind::Right,
                kind,
            ) if is_mover(kind) || kind == TokenKind::Action => "actions",
            (TokenKind::Atomic | TokenKind::Both | TokenKind::Left | TokenKind::Right, TokenKind::Procedure) => {
                "mover procedures"
            }
            (TokenKind::Invariant, _) => "invariant declarations",
            _ => return false,
        };
        self.unsupported(self.tok.span, what);
        // The words before the name, which look like the start of another declaration.
        while is_mover(self.tok.kind)
            || matches!(
                self.tok.kind,
                TokenKind::Action
                    | TokenKind::Async
                    | TokenKind::Invariant
                    | TokenKind::Procedure
                    | TokenKind::Pure
                    | TokenKind::Yield
            )
        {
            self.bump();
        }
        self.skip_civl_decl();
        true
    }

    fn skip_civl_decl(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.tok.kind {
                TokenKind::Eof => return,
                TokenKind::LBrace => depth += 1,
                TokenKind::RBrace => depth = depth.saturating_sub(1),
                // `refines atomic action A { … }` is part of the declaration.
                TokenKind::Refines if depth == 0 => {
                    self.bump();
                    while is_mover(self.tok.kind) || self.at(TokenKind::Action) {
                        self.bump();
                    }
                    continue;
                }
                // A problem of its own, since sequential procedures have measures too.
                TokenKind::Measure => self.unsupported(self.tok.span, "measures of concurrent procedures"),
                // An old yield invariant has clauses of this form.
                TokenKind::Invariant => {}
                _ if depth == 0 && self.starts_declaration() => return,
                kind if kind.starts_declaration() => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// Whether a declaration starts here, as far as one token can tell.
    pub(super) fn starts_declaration(&self) -> bool {
        match self.tok.kind {
            TokenKind::Var => true,
            TokenKind::Action
            | TokenKind::Async
            | TokenKind::Atomic
            | TokenKind::Both
            | TokenKind::Datatype
            | TokenKind::Hideable
            | TokenKind::Left
            | TokenKind::Pure
            | TokenKind::Revealed
            | TokenKind::Right
            | TokenKind::Yield => self.first_on_line(),
            kind => kind.starts_declaration(),
        }
    }

    /// Skips to the start of the next declaration.
    pub(super) fn recover_decl(&mut self) {
        let mut depth = 0usize;
        while !self.fatal {
            match self.tok.kind {
                TokenKind::Eof => return,
                kind if kind.starts_declaration() => return,
                TokenKind::LBrace => depth += 1,
                TokenKind::RBrace => depth = depth.saturating_sub(1),
                _ if depth == 0 && self.starts_declaration() => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// After an error in a clause: skips to the next clause, or gives up.
    pub(super) fn recover_clause(&mut self) -> Parsed<()> {
        let mut depth = 0usize;
        while !self.fatal {
            match self.tok.kind {
                TokenKind::Eof => return Err(Stop),
                kind if kind.starts_declaration() => return Err(Stop),
                TokenKind::LBrace => depth += 1,
                TokenKind::RBrace => match depth.checked_sub(1) {
                    Some(outer) => depth = outer,
                    None => return Err(Stop),
                },
                TokenKind::Semi if depth == 0 => {
                    self.bump();
                    return Ok(());
                }
                TokenKind::Requires | TokenKind::Ensures | TokenKind::Modifies | TokenKind::Free if depth == 0 => {
                    return Ok(());
                }
                _ => {}
            }
            self.bump();
        }
        Err(Stop)
    }
}

fn is_mover(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Atomic | TokenKind::Both | TokenKind::Left | TokenKind::Right)
}
