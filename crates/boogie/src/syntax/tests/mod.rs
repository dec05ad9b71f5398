//! Tests of the lexer, the parser and the printer together.

mod corpus;
mod errors;
mod limits;
mod programs;
mod random;

use super::print::print_structure;
use super::{Ast, parse, print};
use lariat_source::{DiagnosticKind, Diagnostics, SourceMap};

/// What became of a program text.
struct Parsed {
    ast: Ast,
    map: SourceMap,
    diags: Diagnostics,
}

fn read(text: &str) -> Parsed {
    let mut map = SourceMap::new();
    let file = map.add("t.bpl", text).unwrap();
    let mut ast = Ast::new();
    let mut diags = Diagnostics::new();
    parse(&mut ast, &map, file, &mut diags);
    Parsed { ast, map, diags }
}

impl Parsed {
    /// Each diagnostic as `line:column message`.
    fn messages(&self) -> Vec<String> {
        let line = |d: &lariat_source::Diagnostic| {
            let at = self.map.locate(d.span.start).unwrap();
            format!("{}:{} {}", at.line, at.column, d.message)
        };
        self.diags.iter().map(line).collect()
    }

    fn lines(&self) -> Vec<u32> {
        let line = |d: &lariat_source::Diagnostic| self.map.locate(d.span.start).unwrap().line;
        self.diags.iter().map(line).collect()
    }

    fn kinds(&self) -> Vec<DiagnosticKind> {
        self.diags.iter().map(|d| d.kind).collect()
    }
}

/// Reads a program that must be correct.
fn good(text: &str) -> Ast {
    let outcome = read(text);
    assert_eq!(outcome.messages(), Vec::<String>::new(), "in {text}");
    outcome.ast
}

/// Checks that printing a program and reading it again gives the same program.
fn check_round_trip(ast: &Ast) -> Result<(), String> {
    let text = print(ast);
    let again = read(&text);
    if !again.diags.is_empty() {
        return Err(format!("{:?} in\n{text}", again.messages()));
    }
    let (before, after) = (print_structure(ast), print_structure(&again.ast));
    if before != after {
        return Err(format!("before:\n{before}\nafter:\n{after}"));
    }
    Ok(())
}

/// The text of an expression as the printer writes it, with and without all parentheses.
fn expr(text: &str) -> (String, String) {
    let ast = good(&format!("axiom {text};"));
    check_round_trip(&ast).unwrap();
    let strip = |text: String| {
        let text = text.trim_end().strip_prefix("axiom ").unwrap().to_owned();
        text.strip_suffix(';').unwrap().to_owned()
    };
    (strip(print(&ast)), strip(print_structure(&ast)))
}
