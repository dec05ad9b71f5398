//! The facade: source files in, a checked program out.

use std::sync::Arc;

use crate::check::{self, check};
use crate::syntax::{self, Ast};
use crate::typed::Typed;
use lariat_source::{Diagnostic, DiagnosticKind, Diagnostics, SourceMap, Span};

/// A source file: its name for messages, and its text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
}

impl Source {
    /// A source file.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> Source {
        Source { name: name.into(), text: text.into() }
    }
}

/// A library that is part of the front end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Library {
    /// Operations on maps, options, vectors, sequences, sets and finite maps, with the names that
    /// Boogie's own `/lib:base` gives them.
    Base,
    /// Linked lists; needs [`Library::Base`].
    Node,
    /// Sizes of sets; needs [`Library::Base`].
    SetSize,
}

impl Library {
    /// The library that Boogie's option `/lib:name` names.
    pub fn find(name: &str) -> Option<Library> {
        match name {
            "base" => Some(Library::Base),
            "node" => Some(Library::Node),
            "set_size" => Some(Library::SetSize),
            _ => None,
        }
    }

    /// Its text.
    pub fn text(self) -> &'static str {
        match self {
            Library::Base => include_str!("lib/base.bpl"),
            Library::Node => include_str!("lib/node.bpl"),
            Library::SetSize => include_str!("lib/set_size.bpl"),
        }
    }

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Library::Base => "<library base>",
            Library::Node => "<library node>",
            Library::SetSize => "<library set_size>",
        }
    }
}

/// How to analyze a program.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// How to check it.
    pub check: check::Options,
    /// The libraries to load beside its files.
    pub libraries: Vec<Library>,
}

/// A program that was read, resolved and checked.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The texts, those of libraries last.
    pub sources: SourceMap,
    /// The syntax tree of all files together.
    pub ast: Ast,
    /// What names and types mean; `None` if the files could not be parsed.
    pub typed: Option<Typed>,
    /// What there is to say.
    pub diagnostics: Diagnostics,
}

impl Analysis {
    /// Whether the program is accepted.
    pub fn is_ok(&self) -> bool {
        self.typed.is_some() && !self.diagnostics.has_errors()
    }
}

/// Reads, resolves and checks the files of one program.
///
/// ```
/// use lariat_boogie::analyze::{Options, Source, analyze};
/// let text = "procedure P(x: int) { assert x > true; }";
/// let analysis = analyze([Source::new("a.bpl", text)], &Options::default());
/// let text = analysis.diagnostics.display(&analysis.sources).to_string();
/// assert_eq!(text, "a.bpl:1:32: error: the operator `>` does not take int and bool\n");
/// ```
pub fn analyze(files: impl IntoIterator<Item = Source>, options: &Options) -> Analysis {
    let mut sources = SourceMap::new();
    let mut ast = Ast::new();
    let mut diagnostics = Diagnostics::new();
    let libraries = options.libraries.iter();
    let libraries = libraries.map(|library| Source::new(library.name(), library.text()));
    // Libraries come last, so that the number of a file is that of the command line.
    for Source { name, text } in files.into_iter().chain(libraries) {
        match sources.add(name, text) {
            Ok(file) => syntax::parse(&mut ast, &sources, file, &mut diagnostics),
            Err(error) => {
                let message = error.to_string();
                let span = Span::default();
                diagnostics.push(Diagnostic::error(DiagnosticKind::Limit, span, message));
            }
        }
    }
    ast.shrink_to_fit();
    let mut typed = None;
    if !diagnostics.has_errors() {
        let (result, found) = check(&ast, &options.check);
        diagnostics.append(&found);
        typed = Some(result);
    }
    Analysis { sources, ast, typed, diagnostics }
}
