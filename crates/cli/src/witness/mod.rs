//! Verification witnesses: a violation as the results of input functions and the place that is reached, a proof as loop invariants. Format 2.0 is
//! YAML (`yaml`), format 1.0 is an automaton in GraphML (`graphml`).

mod graphml;
mod yaml;

use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use lariat_program::{AssertKind, Detail, Loc, Program};
use lariat_source::{Raw, StepKind};
use lariat_verify::Bug;

use crate::{
    annotate,
    args::Input as Arguments,
    args::Model,
    sha256,
    trace::{self, View},
};

/// An invariant of a loop, as C.
pub struct Invariant {
    pub loc: Loc,
    pub function: String,
    pub formula: String,
}

/// A place in the source, and the function that it is in.
struct SourcePosition {
    file: String,
    line: u32,
    column: u32,
    function: String,
}

/// A result that an input function has returned.
struct Returned {
    /// The input function.
    from: String,
    value: String,
    /// The line where the call begins.
    line: u32,
    /// The bracket that closes the call.
    end: SourcePosition,
}

/// A run to a failure.
struct Violation {
    results: Vec<Returned>,
    target: SourcePosition,
}

/// What was asked, and who answers.
struct Task {
    /// The files with their hashes (SHA-256).
    files: Vec<(String, String)>,
    specification: String,
    narrow: bool,
    command: String,
    /// Seconds since 1970.
    created: u64,
}

/// The two formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Yaml,
    Graphml,
}

impl Format {
    /// What the name of a file asks for.
    pub fn of(path: &Path) -> Format {
        match path.extension().and_then(|e| e.to_str()) {
            Some("graphml" | "xml") => Format::Graphml,
            _ => Format::Yaml,
        }
    }
}

/// A violation witness.
pub fn violation(format: Format, input: &Arguments, view: View<'_>, bug: &Bug) -> Result<String, String> {
    let View { program, terms, tracer, .. } = view;
    let trace = tracer.trace(program, terms, &bug.run, Detail::default());
    let assertion = &program.assertions[bug.assertion.index()];
    let texts = Texts::read(program);
    let mut results = Vec::new();
    for asked in &trace.inputs {
        let (Raw::Integer { value, .. }, Some(from)) = (&asked.raw, asked.what.strip_suffix("()")) else { continue };
        // The place of a result is the end of the call.
        let Some((line, column)) = texts.end_of_call(asked.loc) else { continue };
        results.push(Returned {
            from: from.to_owned(),
            value: value.clone(),
            line: asked.loc.line,
            end: place(program, Loc { line, column, ..asked.loc }, &asked.function),
        });
    }
    let at = trace::failed_at(program, bug.assertion, &bug.run, &trace);
    let running = trace.steps.iter().rev().find(|step| !matches!(step.kind, StepKind::Return { .. }));
    let function = running.map_or("main", |step| step.function.as_str());
    let target = place(program, texts.statement(at), if function.is_empty() { "main" } else { function });
    let task = task(input, check(assertion.kind))?;
    let violation = Violation { results, target };
    Ok(match format {
        Format::Yaml => yaml::violation(&task, &violation),
        Format::Graphml => graphml::violation(&task, &violation),
    })
}

/// A correctness witness.
pub fn correctness(
    format: Format,
    input: &Arguments,
    program: &Program,
    invariants: &[Invariant],
) -> Result<String, String> {
    let mut checks: Vec<String> = Vec::new();
    for kind in program.assertions.iter().map(|a| a.kind).filter(|kind| kind.fails()) {
        let check = check(kind);
        if kind != AssertKind::Unsupported && !checks.contains(&check) {
            checks.push(check);
        }
    }
    if checks.is_empty() {
        checks.push(check(AssertKind::User));
    }
    let task = task(input, checks.join("\n"))?;
    // A number of 128 bits is no standard C.
    let told = invariants.iter().filter(|i| !i.formula.contains("__int128"));
    let places: Vec<(SourcePosition, &str)> =
        told.map(|i| (place(program, i.loc, &i.function), i.formula.as_str())).collect();
    Ok(match format {
        Format::Yaml => yaml::correctness(&task, &places),
        Format::Graphml => graphml::correctness(&task, &places),
    })
}

/// The property of the competition that a kind of assertion belongs to, as property files have it.
fn check(kind: AssertKind) -> String {
    let formula = match kind {
        AssertKind::Deref | AssertKind::Null | AssertKind::String | AssertKind::Bounds => "G valid-deref",
        AssertKind::Free => "G valid-free",
        AssertKind::Leak => "G valid-memtrack",
        AssertKind::Overflow => "G ! overflow",
        _ => "G ! call(reach_error())",
    };
    format!("CHECK( init(main()), LTL({formula}) )")
}

fn task(input: &Arguments, specification: String) -> Result<Task, String> {
    let mut files = Vec::new();
    for path in &input.files {
        let bytes = fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        files.push((path.display().to_string(), sha256::hex(&bytes)));
    }
    let created = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let command: Vec<String> = std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect();
    let narrow = input.c.data_model == Some(Model::Ilp32);
    Ok(Task { files, specification, narrow, command: command.join(" "), created })
}

fn place(program: &Program, loc: Loc, function: &str) -> SourcePosition {
    let file = program.files.get(loc.file.index()).cloned().unwrap_or_default();
    SourcePosition { file, line: loc.line, column: loc.column, function: function.to_owned() }
}

/// A time in UTC (ISO 8601), from the seconds since 1970.
fn utc(since: u64) -> String {
    let (days, rest) = (since / 86400, since % 86400);
    // Days since 0000-03-01, in eras of 400 years.
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, shift) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = year_of_era + era * 400 + shift;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// The texts of a program's files, as far as they are there.
struct Texts(Vec<Option<String>>);

impl Texts {
    fn read(program: &Program) -> Texts {
        Texts(program.files.iter().map(|file| fs::read_to_string(PathBuf::from(file)).ok()).collect())
    }

    /// The bracket that closes a call.
    fn end_of_call(&self, loc: Loc) -> Option<(u32, u32)> {
        let text = self.0.get(loc.file.index())?.as_ref()?;
        closing(text, annotate::offset(text, loc.line, loc.column)?)
    }

    /// Where the statement or the whole expression begins that has a place inside; without its column if that is not found.
    fn statement(&self, loc: Loc) -> Loc {
        let found = || {
            let text = self.0.get(loc.file.index())?.as_ref()?;
            let start = annotate::statement_start(text, annotate::offset(text, loc.line, loc.column)?)?;
            let (line, column) = annotate::line_and_column(text, start);
            Some(Loc { line, column, ..loc })
        };
        found().unwrap_or(Loc { column: 0, ..loc })
    }
}

/// Line and column of the bracket that closes the first one from here on.
fn closing(text: &str, start: usize) -> Option<(u32, u32)> {
    let mut depth = 0usize;
    for (i, c) in text.get(start..)?.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth <= 1 => {
                return Some(annotate::line_and_column(text, start + i));
            }
            ')' => depth -= 1,
            ';' | '{' | '}' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_utc() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(utc(1_735_689_599), "2024-12-31T23:59:59Z");
    }

    #[test]
    fn calls_end_at_their_bracket() {
        assert_eq!(closing("int x =\n f(a, g(1)) + 2;", 9), Some((2, 11)));
        assert_eq!(closing("x = y; f()", 0), None);
    }
}
