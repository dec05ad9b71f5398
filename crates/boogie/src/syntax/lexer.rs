//! Text to tokens, with comments, pragmas and conditional compilation taken out.
//!
//! The patterns of the tokens are in [`super::token`]. What Boogie decides by context is here:
//!
//! - `/* … */` nests, `// …` ends with the line;
//! - a line that starts with `#` in its first column is a pragma: `#line NUMBER [FILE]` is accepted
//!   (and ignored: positions are always those of the real file), anything else is an error;
//! - lines that start, after blanks, with `#if`, `#elsif`, `#else` or `#endif` select lines; the
//!   only symbol that is defined is `FILE_n` in the n-th file, counted from 0.
//!
//! Every byte is looked at a bounded number of times.

use logos::Logos;

use super::token::TokenKind;
use lariat_source::{Diagnostic, DiagnosticKind, Diagnostics, Span};

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

/// The branch state of one `#if`.
#[derive(Clone, Copy)]
struct Conditional {
    seen_else: bool,
}

/// The lexer of one file.
pub struct Lexer<'a> {
    inner: logos::Lexer<'a, TokenKind>,
    text: &'a str,
    base: u32,
    /// The number of the file, counted from 0.
    number: u32,
    conditionals: Vec<Conditional>,
    /// The start of the last token that was already reported as wrong, so that the parser does not
    /// report it again.
    pub reported: Option<u32>,
    /// The rest of the file cannot be read; this was reported, and only [`TokenKind::Eof`] follows.
    pub broken: bool,
}

impl<'a> Lexer<'a> {
    /// A lexer for a text that starts at the global offset `base`, and that is the `number`-th file
    /// of its program.
    pub fn new(text: &'a str, base: u32, number: u32) -> Lexer<'a> {
        let mut inner = TokenKind::lexer(text);
        if text.starts_with('\u{feff}') {
            inner.bump('\u{feff}'.len_utf8());
        }
        Lexer { inner, text, base, number, conditionals: Vec::new(), reported: None, broken: false }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start as u32, self.base + end as u32)
    }

    /// The next token; at the end of the file, and ever after, one of kind `Eof`.
    #[inline]
    pub fn next(&mut self, diags: &mut Diagnostics) -> Token {
        loop {
            let Some(found) = self.inner.next() else {
                return self.eof(diags);
            };
            let range = self.inner.span();
            let kind = found.unwrap_or(TokenKind::Unknown);
            match kind {
                TokenKind::Ident if self.text.as_bytes()[range.start] == b'#' && self.directive(range.start, diags) => {
                    continue;
                }
                TokenKind::LineComment => {
                    let rest = self.inner.remainder().as_bytes();
                    let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    self.inner.bump(len);
                    continue;
                }
                TokenKind::BlockComment => {
                    if !self.skip_comment() {
                        let span = self.span(range.start, range.end);
                        let message = "this comment is not closed";
                        diags.push(
                            Diagnostic::error(DiagnosticKind::Lex, span, message)
                                .with_label("the comment starts here")
                                .with_hint("comments nest: each `/*` needs its own `*/`"),
                        );
                        self.broken = true;
                        self.stop();
                    }
                    continue;
                }
                TokenKind::Unknown => return self.unknown(range.start, range.end, diags),
                _ => {}
            }
            return Token { kind, span: self.span(range.start, range.end) };
        }
    }

    /// The token after the next one, without errors and without moving on.
    pub fn peek(&self) -> TokenKind {
        let mut ahead = Lexer {
            inner: self.inner.clone(),
            text: self.text,
            base: self.base,
            number: self.number,
            conditionals: self.conditionals.clone(),
            reported: None,
            broken: false,
        };
        ahead.next(&mut Diagnostics::new()).kind
    }

    fn stop(&mut self) {
        let rest = self.inner.remainder().len();
        self.inner.bump(rest);
        self.conditionals.clear();
    }

    fn eof(&mut self, diags: &mut Diagnostics) -> Token {
        let end = self.text.len();
        let span = self.span(end, end);
        if !self.conditionals.is_empty() {
            self.conditionals.clear();
            diags.error(DiagnosticKind::Lex, span, "missing #endif");
        }
        Token { kind: TokenKind::Eof, span }
    }

    /// Skips the rest of a block comment; false if it does not end.
    fn skip_comment(&mut self) -> bool {
        let rest = self.inner.remainder().as_bytes();
        let mut depth = 1usize;
        let mut at = 0;
        while let Some(found) = memchr::memchr2(b'*', b'/', &rest[at..]) {
            at += found;
            match &rest[at..] {
                [b'*', b'/', ..] => {
                    depth -= 1;
                    at += 2;
                    if depth == 0 {
                        self.inner.bump(at);
                        return true;
                    }
                }
                [b'/', b'*', ..] => {
                    depth += 1;
                    at += 2;
                }
                _ => at += 1,
            }
        }
        false
    }

    /// Reports characters that form no token. A string that is not closed takes the rest of its
    /// line with it.
    fn unknown(&mut self, start: usize, end: usize, diags: &mut Diagnostics) -> Token {
        let mut end = end;
        let first = self.text[start..].chars().next().unwrap_or('\0');
        let diagnostic = if first == '"' {
            let rest = &self.text.as_bytes()[end..];
            let len = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            self.inner.bump(len);
            end += len;
            Diagnostic::error(DiagnosticKind::Lex, self.span(start, start + 1), "this string is not closed")
                .with_hint("a string ends on the line that it starts on")
        } else {
            // A run of such characters is one mistake.
            while let Some(next) = self.inner.remainder().chars().next() {
                if next != first {
                    break;
                }
                self.inner.bump(next.len_utf8());
                end += next.len_utf8();
            }
            let shown = first.escape_debug();
            let message = match first {
                '\\' => "`\\` must be followed by an identifier".to_owned(),
                '&' => "unexpected character `&`".to_owned(),
                _ => format!("unexpected character `{shown}`"),
            };
            let diagnostic = Diagnostic::error(DiagnosticKind::Lex, self.span(start, end), message);
            match first {
                '&' => diagnostic.with_hint("logical conjunction is written `&&`"),
                _ => diagnostic,
            }
        };
        diags.push(diagnostic);
        let span = self.span(start, end);
        self.reported = Some(span.start);
        Token { kind: TokenKind::Unknown, span }
    }

    /// If a directive starts at `start`, handles it, skips its line and returns true.
    fn directive(&mut self, start: usize, diags: &mut Diagnostics) -> bool {
        let before = &self.text.as_bytes()[..start];
        let mut line_start = start;
        while line_start > 0 && matches!(before[line_start - 1], b' ' | b'\t') {
            line_start -= 1;
        }
        let at_line_start = match line_start.checked_sub(1).map(|at| before[at]) {
            None | Some(b'\n' | b'\r') => true,
            // Right after a byte order mark.
            Some(_) => line_start == '\u{feff}'.len_utf8() && self.text.starts_with('\u{feff}'),
        };
        if !at_line_start {
            return false;
        }
        let line = first_line(&self.text[start..]);
        let trimmed = line.trim_end();
        let span = self.span(start, start + trimmed.len());
        if trimmed.starts_with("#if") || trimmed.starts_with("#elsif") {
            self.jump(start + line.len());
            self.conditional(trimmed, span, diags);
            return true;
        }
        if matches!(trimmed, "#else" | "#endif") {
            self.jump(start + line.len());
            self.conditional(trimmed, span, diags);
            return true;
        }
        if line_start != start {
            return false;
        }
        self.jump(start + line.len());
        if trimmed == "#line" || trimmed.starts_with("#line ") {
            let number = trimmed[5..].split_ascii_whitespace().next().unwrap_or("");
            if number.parse::<i32>().is_err() {
                diags.error(DiagnosticKind::Lex, span, "malformed pragma: expected #line NUMBER [FILE]");
            }
            return true;
        }
        diags.push(
            Diagnostic::error(DiagnosticKind::Lex, span, "unrecognized pragma")
                .with_hint("a line that starts with `#` in its first column is a pragma"),
        );
        true
    }

    /// Moves to an offset after the current token.
    fn jump(&mut self, to: usize) {
        let here = self.inner.span().end;
        self.inner.bump(to.saturating_sub(here));
    }

    /// Handles `#if`, `#elsif`, `#else` or `#endif`, which was reached because the lines before it
    /// are included.
    fn conditional(&mut self, line: &str, span: Span, diags: &mut Diagnostics) {
        if let Some(condition) = line.strip_prefix("#if") {
            self.conditionals.push(Conditional { seen_else: false });
            if !holds(condition, self.number) {
                self.skip_branches();
            }
            return;
        }
        let known = match self.conditionals.last() {
            Some(state) => line == "#endif" || !state.seen_else,
            None => false,
        };
        if !known {
            let message = format!("misplaced {}", first_word(line));
            diags.error(DiagnosticKind::Lex, span, message);
            self.broken = true;
            self.stop();
        } else if line == "#endif" {
            self.conditionals.pop();
        } else {
            // The branch before was included, so no other one is.
            self.skip_to_endif();
        }
    }

    /// After a false condition: goes to the branch that holds, or past the `#endif`.
    fn skip_branches(&mut self) {
        while let Some(line) = self.skip_to_sibling() {
            if line == "#endif" {
                self.conditionals.pop();
                return;
            }
            if line == "#else" {
                if let Some(state) = self.conditionals.last_mut() {
                    state.seen_else = true;
                }
                return;
            }
            let number = self.number;
            if line.strip_prefix("#elsif").is_some_and(|condition| holds(condition, number)) {
                return;
            }
        }
    }

    fn skip_to_endif(&mut self) {
        while let Some(line) = self.skip_to_sibling() {
            if line == "#endif" {
                self.conditionals.pop();
                return;
            }
        }
    }

    /// Skips lines up to and including the next directive of the same `#if`; `None` at the end.
    fn skip_to_sibling(&mut self) -> Option<&'a str> {
        let mut depth = 0usize;
        let rest: &'a str = self.inner.remainder();
        let mut at = 0;
        while at < rest.len() {
            let line = first_line(&rest[at..]);
            at += line.len();
            let line = line.trim();
            if line.starts_with("#if") {
                depth += 1;
            } else if line == "#endif" && depth > 0 {
                depth -= 1;
            } else if depth == 0 && (line.starts_with("#elsif") || line == "#else" || line == "#endif") {
                self.inner.bump(at);
                return Some(line);
            }
        }
        self.inner.bump(rest.len());
        None
    }
}

/// A text up to and including its first line end.
fn first_line(text: &str) -> &str {
    let end = memchr::memchr(b'\n', text.as_bytes()).map_or(text.len(), |at| at + 1);
    &text[..end]
}

fn first_word(text: &str) -> &str {
    text.split_ascii_whitespace().next().unwrap_or("")
}

/// Whether a condition holds when no symbol is defined.
fn holds(condition: &str, file: u32) -> bool {
    let symbol = condition.trim_start_matches(|c: char| c.is_whitespace() || c == '!');
    let before = &condition[..condition.len() - symbol.len()];
    let negations = before.chars().filter(|&c| c == '!').count();
    let number = symbol.trim_end().strip_prefix("FILE_").and_then(|number| number.parse().ok());
    (number == Some(file)) != (negations % 2 == 1)
}
