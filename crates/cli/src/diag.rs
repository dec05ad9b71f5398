//! Shows diagnostics the way compilers do: file, line, column, the source line with a caret, and a
//! hint. Everything goes to standard error.

use std::{borrow::Cow, io::Write};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use anstream::{AutoStream, ColorChoice};
use lariat_source::{Diagnostic, DiagnosticKind, Diagnostics, Severity, SourceMap, Span};

use crate::{
    args::{Color, Common},
    console,
    exit::Exit,
};

/// Where messages go, and how.
pub struct Reporter {
    quiet: bool,
    color: ColorChoice,
}

/// A source line longer than this is cut around the place that matters.
const MAX_LINE: usize = 400;

impl Reporter {
    /// As the command line asks for.
    pub fn new(common: &Common) -> Reporter {
        let color = match common.color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        Reporter { quiet: common.quiet, color }
    }

    /// Standard output, with colours if they are wanted.
    pub fn stdout(&self) -> AutoStream<std::io::Stdout> {
        AutoStream::new(std::io::stdout(), self.color)
    }

    /// Writes a command's result to standard output. A reader that has gone away (`| head`) is no error.
    pub fn write(&self, bytes: &[u8]) -> Exit {
        let mut out = self.stdout();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Ok(()) => Exit::Success,
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Success,
            Err(error) => {
                self.error(&format!("cannot write the output: {error}"));
                Exit::Internal
            }
        }
    }

    /// An error without a place in a source text.
    pub fn error(&self, message: &str) {
        self.print(&[Group::with_title(Level::ERROR.primary_title(shortened(message)))]);
    }

    /// An error with what to do about it.
    pub fn error_with_hint(&self, message: &str, hint: &str) {
        let title = Level::ERROR.primary_title(shortened(message));
        self.print(&[Group::with_title(title).element(Level::HELP.message(hint))]);
    }

    /// A remark that is no error; silent with `--quiet`.
    pub fn note(&self, message: &str) {
        if !self.quiet {
            self.print(&[Group::with_title(Level::NOTE.primary_title(shortened(message)))]);
        }
    }

    /// All diagnostics of a front end, in the order of the source.
    pub fn diagnostics(&self, diagnostics: &Diagnostics, map: &SourceMap) {
        let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
        sorted.sort_by_key(|d| d.span);
        for d in sorted {
            if d.severity == Severity::Error || !self.quiet {
                self.diagnostic(d, map);
            }
        }
        if diagnostics.omitted() > 0 {
            self.note(&format!("{} more errors or warnings are not shown", diagnostics.omitted()));
        }
    }

    fn diagnostic(&self, d: &Diagnostic, map: &SourceMap) {
        let level = match d.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut title = level.primary_title(shortened(&d.message));
        if d.kind == DiagnosticKind::Unsupported {
            title = title.id("unsupported");
        }
        let mut group = Group::with_title(title);
        let mut places = Vec::new();
        let notes = d.notes.iter().map(|(span, note)| (*span, note, AnnotationKind::Context));
        for (span, label, kind) in [(d.span, &d.label, AnnotationKind::Primary)].into_iter().chain(notes) {
            if let Some(place) = SourceLine::of(span, map) {
                group = group.element(place.snippet(kind, label));
                places.push(place);
            }
        }
        if let Some(hint) = &d.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        self.print_with(&[group], |text| places.iter().fold(text, |text, place| place.with_true_column(text)));
    }

    fn print(&self, report: &[Group<'_>]) {
        self.print_with(report, |text| text);
    }

    fn print_with(&self, report: &[Group<'_>], edit: impl FnOnce(String) -> String) {
        let text = edit(Renderer::styled().render(report));
        console::print_styled(&format!("{text}\n\n"), self.color);
    }
}

/// The one line that a span starts in, and the part of it that the span covers.
struct SourceLine<'a> {
    path: &'a str,
    line: u32,
    column: u32,
    text: &'a str,
    range: std::ops::Range<usize>,
}

impl<'a> SourceLine<'a> {
    /// Only one line is handed to the renderer, so a diagnostic costs no more than its line however
    /// large the file is.
    fn of(span: Span, map: &'a SourceMap) -> Option<SourceLine<'a>> {
        let at = map.locate(span.start)?;
        let text = at.line_text;
        let mut start = (span.start.saturating_sub(at.file.line_start(at.line)) as usize).min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = (start + span.len() as usize).min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        let cut = window(text, start);
        let (start, end) = (start - cut.start, end.clamp(start, cut.end) - cut.start);
        Some(SourceLine { path: at.file.name(), line: at.line, column: at.column, text: &text[cut], range: start..end })
    }

    /// The renderer counts columns in the line that it is given. Where that is a part of the line,
    /// this puts the column of the whole line in its place.
    fn with_true_column(&self, text: String) -> String {
        let shown = self.text[..self.range.start].chars().count() + 1;
        if shown == self.column as usize {
            return text;
        }
        let place = |column| format!("{}:{}:{column}", self.path, self.line);
        text.replacen(&place(shown), &place(self.column as usize), 1)
    }

    fn snippet(&self, kind: AnnotationKind, label: &'a str) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let mut annotation = kind.span(self.range.clone());
        if !label.is_empty() {
            annotation = annotation.label(label);
        }
        Snippet::source(self.text).path(self.path).line_start(self.line as usize).annotation(annotation)
    }
}

/// A message may quote a name, and a name may have any length.
fn shortened(message: &str) -> Cow<'_, str> {
    const LONG: usize = 1000;
    if message.chars().nth(LONG).is_none() {
        return message.into();
    }
    let head: String = message.chars().take(LONG / 2).collect();
    let tail = message.char_indices().rev().take(LONG / 4).last().map_or(0, |(at, _)| at);
    format!("{head}…{}", &message[tail..]).into()
}

/// The part of a long line around an offset, on character boundaries; short lines stay whole.
fn window(text: &str, offset: usize) -> std::ops::Range<usize> {
    if text.len() <= MAX_LINE {
        return 0..text.len();
    }
    let mut start = offset.saturating_sub(MAX_LINE / 2);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (start + MAX_LINE).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = "ä".repeat(1000);
        let cut = window(&text, 1000);
        assert!(cut.contains(&1000) && cut.len() <= MAX_LINE + 4);
        assert_eq!(window("short", 3), 0..5);
    }

    #[test]
    fn long_messages_are_cut_in_the_middle() {
        assert_eq!(shortened("short"), "short");
        let long = format!("the name `{}` is unknown", "λ".repeat(5000));
        let cut = shortened(&long);
        assert!(cut.starts_with("the name `λλ") && cut.ends_with("λλ` is unknown") && cut.chars().count() < 1000);
    }

    #[test]
    fn a_place_is_one_line() {
        let mut map = SourceMap::new();
        map.add("a.bpl", "one\nλ two\nthree").unwrap();
        let place = SourceLine::of(Span::new(7, 14), &map).unwrap();
        assert_eq!((place.line, place.column, place.text, place.range), (2, 3, "λ two", 3..6));
        let end = SourceLine::of(Span::new(900, 901), &map).unwrap();
        assert_eq!((end.line, end.range), (3, 5..5));
    }
}
