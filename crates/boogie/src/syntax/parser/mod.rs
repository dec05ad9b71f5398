//! The parser: tokens to [`Ast`], by recursive descent with one token of lookahead.
//!
//! - A syntax error is reported at the token that does not fit, as Boogie does. The function that
//!   found it returns [`Stop`]; the enclosing statement list, contract or program skips to a place
//!   where it can go on, so that each independent error is reported once.
//! - No two errors are reported at the same token.
//! - Recursion is limited to [`MAX_DEPTH`] levels, and runs on a stack that grows; chains of
//!   operators, `else if`, statements and so on are loops. So no input overflows the stack.
//! - Every token is consumed once, and skipping also consumes: parsing is linear.

mod attr;
mod civl;
mod decl;
mod expr;
mod literal;
mod stmt;
mod types;

use super::arena::Slice;
use super::ast::{Ast, ExprId, Ident};
use super::lexer::{Lexer, Token};
use super::token::TokenKind;
use super::{MAX_DEPTH, Name};
use lariat_source::{Diagnostic, DiagnosticKind, Diagnostics, FileId, SourceMap, Span};
use smallvec::SmallVec;

/// Parses a file and adds its declarations to `ast`.
///
/// Errors go to `diags`; whatever could be understood is in the tree nevertheless.
///
/// ```
/// use lariat_source::{Diagnostics, SourceMap};
/// use lariat_boogie::{syntax::{Ast, parse}};
/// let mut map = SourceMap::new();
/// let file = map.add("a.bpl", "var x: int;\nprocedure P() { x := ; x := 2 }\n").unwrap();
/// let (mut ast, mut diags) = (Ast::new(), Diagnostics::new());
/// parse(&mut ast, &map, file, &mut diags);
/// assert_eq!(ast.decls.len(), 2);
/// assert_eq!(
///     diags.display(&map).to_string(),
///     "a.bpl:2:22: error: expected an expression, found `;`\n\
///      a.bpl:2:31: error: expected `;`, found `}`\n"
/// );
/// ```
pub fn parse(ast: &mut Ast, map: &SourceMap, file: FileId, diags: &mut Diagnostics) {
    let number = file.0;
    let file = map.file(file);
    let mut lexer = Lexer::new(file.text(), file.base(), number);
    let tok = lexer.next(diags);
    let mut parser = Parser {
        text: file.text(),
        base: file.base(),
        lexer,
        tok,
        prev: Span::new(file.base(), file.base()),
        ast,
        diags,
        depth: 0,
        fatal: false,
        last_error: None,
        bounds: None,
    };
    parser.program();
}

/// A syntax error was reported; the caller cannot go on and leaves it to a caller that can.
struct Stop;

type Parsed<T> = Result<T, Stop>;

/// `hi:lo` was read where an expression was expected, for which `expr` stands.
#[derive(Clone, Copy)]
struct Bounds {
    expr: ExprId,
    hi: u32,
    lo: u32,
}

struct Parser<'a> {
    text: &'a str,
    base: u32,
    lexer: Lexer<'a>,
    /// The next token.
    tok: Token,
    /// The token before it.
    prev: Span,
    ast: &'a mut Ast,
    diags: &'a mut Diagnostics,
    depth: usize,
    /// A limit was exceeded, so that nothing more is parsed.
    fatal: bool,
    /// Where the last error was reported.
    last_error: Option<u32>,
    bounds: Option<Bounds>,
}

impl<'a> Parser<'a> {
    #[inline]
    fn at(&self, kind: TokenKind) -> bool {
        self.tok.kind == kind
    }

    /// Consumes the next token.
    #[inline]
    fn bump(&mut self) -> Span {
        self.prev = self.tok.span;
        self.tok = self.lexer.next(self.diags);
        self.prev
    }

    /// Consumes the next token if it is of that kind.
    #[inline]
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Consumes a token that must be there.
    #[inline]
    fn expect(&mut self, kind: TokenKind) -> Parsed<Span> {
        if self.at(kind) { Ok(self.bump()) } else { Err(self.unexpected(kind.describe())) }
    }

    /// The kind of the token after the next one.
    fn peek(&self) -> TokenKind {
        self.lexer.peek()
    }

    /// The text of a token of this file.
    #[inline]
    fn source(&self, span: Span) -> &'a str {
        let range = (span.start - self.base) as usize..(span.end - self.base) as usize;
        self.text.get(range).unwrap_or("")
    }

    /// Whether nothing but blanks stands before the next token on its line.
    fn first_on_line(&self) -> bool {
        let start = (self.tok.span.start - self.base) as usize;
        // Only the gap to the token before can hold a line end.
        let gap_start = (self.prev.end - self.base) as usize;
        match self.text.as_bytes().get(gap_start..start) {
            Some(gap) => start == 0 || memchr::memchr(b'\n', gap).is_some(),
            None => false,
        }
    }

    /// Reports that the next token does not fit.
    #[cold]
    fn unexpected(&mut self, expected: &str) -> Stop {
        let found = match self.tok.kind {
            TokenKind::Eof => "the end of the file".to_owned(),
            _ => {
                let text = self.source(self.tok.span);
                let short: String = text.chars().take(40).collect();
                let dots = if short.len() < text.len() { "…" } else { "" };
                format!("`{short}{dots}`")
            }
        };
        let message = format!("expected {expected}, found {found}");
        self.stop_with(
            Diagnostic::error(DiagnosticKind::Parse, self.tok.span, message).with_label(format!("expected {expected}")),
        )
    }

    /// Reports an error at the next token, unless one was reported there already.
    #[cold]
    fn stop_with(&mut self, diagnostic: Diagnostic) -> Stop {
        let at = self.tok.span.start;
        let known = self.last_error == Some(at) || self.lexer.reported == Some(at);
        let at_broken_end = self.lexer.broken && self.at(TokenKind::Eof);
        if !known && !at_broken_end && !self.fatal {
            self.diags.push(diagnostic);
        }
        self.last_error = Some(at);
        Stop
    }

    /// Reports an error that does not keep the parser from going on.
    #[cold]
    fn complain(&mut self, span: Span, message: impl Into<String>) {
        if !self.fatal {
            self.diags.error(DiagnosticKind::Parse, span, message);
        }
    }

    /// Reports that a limit is exceeded.
    #[cold]
    fn too_large(&mut self, span: Span, message: impl Into<String>) {
        if !self.fatal {
            self.diags.error(DiagnosticKind::Limit, span, message);
        }
    }

    /// Parses something one level deeper.
    #[inline]
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("the program is nested more than {MAX_DEPTH} levels deep");
            self.too_large(self.tok.span, message);
            self.fatal = true;
            return Err(Stop);
        }
        self.depth += 1;
        let result = stacker::maybe_grow(128 << 10, 2 << 20, || inner(self));
        self.depth -= 1;
        result
    }

    /// Consumes a `;`. Where it is missing, but something new starts, its absence is reported and
    /// the parser goes on as if it were there.
    fn semi(&mut self) -> Parsed<()> {
        if self.eat(TokenKind::Semi) {
            return Ok(());
        }
        let stop = self.unexpected("`;`");
        let resume = self.at(TokenKind::RBrace) || self.tok.kind.starts_declaration() || self.first_on_line();
        if resume && !self.at(TokenKind::Eof) { Ok(()) } else { Err(stop) }
    }

    fn intern(&mut self, span: Span) -> Name {
        let text = self.source(span);
        self.ast.names.intern(text)
    }

    /// Parses an identifier.
    #[inline]
    fn ident(&mut self) -> Parsed<Ident> {
        if !self.tok.kind.is_ident() {
            return Err(self.unexpected("an identifier"));
        }
        let span = self.bump();
        let text = self.source(span);
        let text = text.strip_prefix('\\').unwrap_or(text);
        Ok(Ident { name: self.ast.names.intern(text), span })
    }

    /// Parses one or more identifiers separated by commas.
    fn idents(&mut self) -> Parsed<Slice<Ident>> {
        let mut list: SmallVec<[Ident; 4]> = SmallVec::new();
        list.push(self.ident()?);
        while self.eat(TokenKind::Comma) {
            list.push(self.ident()?);
        }
        Ok(self.ast.idents.extend(list))
    }

    /// Parses type parameters `<a, b>` if there are any.
    fn type_params(&mut self) -> Parsed<Slice<Ident>> {
        if !self.eat(TokenKind::Less) {
            return Ok(Slice::EMPTY);
        }
        let params = self.idents()?;
        self.expect(TokenKind::Greater)?;
        Ok(params)
    }
}
