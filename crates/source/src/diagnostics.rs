//! Diagnostics: what a front end has to say about a program, errors and warnings with their places.
//!
//! Every stage takes a [`Diagnostics`] and pushes to it; nothing here prints. The list is capped:
//! past [`Diagnostics::LIMIT`] errors it only counts, so that a broken 100 MB file costs neither
//! time nor memory, and [`Diagnostics::omitted`] tells how many were left out.

use std::fmt;

use crate::files::{SourceMap, Span};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The program means something, though maybe not what was wanted.
    Warning,
    /// The program is rejected.
    Error,
}

/// Which kind of problem it is, that is, which stage found it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DiagnosticKind {
    /// The characters do not form tokens.
    Lex,
    /// The tokens do not form a program.
    Parse,
    /// A name is unknown, declared twice, or used as something that it is not.
    Resolve,
    /// The types do not fit.
    Type,
    /// The program is (or may be) correct, but uses what Lariat does not support.
    Unsupported,
    /// The program is larger or deeper than Lariat accepts.
    Limit,
}

/// One message with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Which kind of problem it is.
    pub kind: DiagnosticKind,
    /// The place that the message is about.
    pub span: Span,
    /// The message: one line, no full stop at the end.
    pub message: String,
    /// A few words to put under the caret; may be empty.
    pub label: String,
    /// What the user can do about it.
    pub hint: Option<String>,
    /// Other places that matter, with what to say there.
    pub notes: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error.
    pub fn error(kind: DiagnosticKind, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            kind,
            span,
            message: message.into(),
            label: String::new(),
            hint: None,
            notes: Vec::new(),
        }
    }

    /// A warning.
    pub fn warning(kind: DiagnosticKind, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(kind, span, message) }
    }

    /// The same with words under the caret.
    pub fn with_label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// The same with a hint.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// The same with one more place.
    pub fn with_note(mut self, span: Span, note: impl Into<String>) -> Diagnostic {
        self.notes.push((span, note.into()));
        self
    }

    /// The diagnostic as one line of text: `file:line:column: error: message`.
    pub fn display<'a>(&'a self, map: &'a SourceMap) -> impl fmt::Display + 'a {
        Line { diag: self, map }
    }
}

struct Line<'a> {
    diag: &'a Diagnostic,
    map: &'a SourceMap,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(location) = self.map.locate(self.diag.span.start) {
            write!(f, "{location}: ")?;
        }
        let severity = match self.diag.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}: {}", self.diag.message)
    }
}

/// A number of things: "1 index", "2 indices".
pub fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The diagnostics of a run, in the order in which they were found.
#[derive(Clone, Default, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    omitted: usize,
}

impl Diagnostics {
    /// How many diagnostics are kept.
    pub const LIMIT: usize = 100;

    /// An empty list.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds a diagnostic, or only counts it if the list is full.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
        }
        if self.list.len() < Diagnostics::LIMIT {
            self.list.push(diagnostic);
        } else {
            self.omitted += 1;
        }
    }

    /// Adds the diagnostics of a later stage, and the number of those that it did not keep.
    pub fn append(&mut self, other: &Diagnostics) {
        let errors = self.errors + other.errors;
        for diagnostic in other {
            self.push(diagnostic.clone());
        }
        self.errors = errors;
        self.omitted += other.omitted;
    }

    /// Adds an error.
    pub fn error(&mut self, kind: DiagnosticKind, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::error(kind, span, message));
    }

    /// Whether there was any error, kept or not.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many errors there were, kept or not.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// How many diagnostics were counted but not kept.
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// Whether the list is full, so that it makes no sense to look for more.
    pub fn is_full(&self) -> bool {
        self.list.len() >= Diagnostics::LIMIT
    }

    /// The diagnostics that were kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// How many were kept.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Puts the kept diagnostics into the order of the source text.
    pub fn sort(&mut self) {
        self.list.sort_by_key(|diagnostic| diagnostic.span);
    }

    /// All as text, one line each, with a last line for those that were left out.
    pub fn display<'a>(&'a self, map: &'a SourceMap) -> impl fmt::Display + 'a {
        Lines { all: self, map }
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

struct Lines<'a> {
    all: &'a Diagnostics,
    map: &'a SourceMap,
}

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in self.all {
            writeln!(f, "{}", diagnostic.display(self.map))?;
        }
        match self.all.omitted {
            0 => Ok(()),
            n => writeln!(f, "and {n} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_capped_and_says_so() {
        let mut map = SourceMap::new();
        map.add("a.bpl", "x\ny").unwrap();
        let mut all = Diagnostics::new();
        all.push(Diagnostic::warning(DiagnosticKind::Parse, Span::new(2, 3), "odd"));
        assert!(!all.has_errors());
        for _ in 0..Diagnostics::LIMIT + 4 {
            all.error(DiagnosticKind::Lex, Span::new(0, 1), "bad");
        }
        assert!(all.has_errors() && all.is_full());
        assert_eq!(all.len(), Diagnostics::LIMIT);
        assert_eq!(all.omitted(), 5);
        let text = all.display(&map).to_string();
        assert!(text.starts_with("a.bpl:2:1: warning: odd\na.bpl:1:1: error: bad\n"));
        assert!(text.ends_with("and 5 more\n"));
        let mut earlier = Diagnostics::new();
        earlier.error(DiagnosticKind::Lex, Span::new(0, 1), "first");
        earlier.append(&all);
        assert_eq!((earlier.len(), earlier.omitted()), (Diagnostics::LIMIT, 6));
        assert_eq!(earlier.error_count(), all.error_count() + 1);
        all.sort();
        assert_eq!(all.iter().next().unwrap().message, "bad");
    }
}
