//! The rules, one by one: programs with the lines at which they are wrong.

use super::ModifiesMode;
use crate::analyze::{Analysis, Options, Source, analyze};

fn run(text: &str, modifies: ModifiesMode) -> Analysis {
    let mut options = Options::default();
    options.check.modifies = modifies;
    analyze([Source::new("t.bpl", text)], &options)
}

/// The lines with an error in them, each once.
fn lines_of(analysis: &Analysis) -> Vec<u32> {
    let errors = analysis.diagnostics.iter().filter(|d| d.severity == crate::diag::Severity::Error);
    let mut lines: Vec<u32> = errors.map(|d| analysis.sources.locate(d.span.start).unwrap().line).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Checks that exactly the lines with a comment `//!` are wrong.
fn check(text: &str) {
    check_with(text, ModifiesMode::Auto);
}

fn check_with(text: &str, modifies: ModifiesMode) {
    let analysis = run(text, modifies);
    let expected: Vec<u32> = (1..).zip(text.lines()).filter(|(_, l)| l.contains("//!")).map(|(n, _)| n).collect();
    let found = analysis.diagnostics.display(&analysis.sources).to_string();
    assert_eq!(lines_of(&analysis), expected, "{text}\n{found}");
}
