//! Verification witnesses, format 2.0: a violation as the results of input functions and the place that is reached, a
//! correctness witness as loop invariants.

use std::{fmt::Write, fs, path::PathBuf, time::SystemTime};

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

/// A violation witness.
pub fn violation(input: &Arguments, view: View<'_>, bug: &Bug) -> Result<String, String> {
    let View { program, terms, tracer, .. } = view;
    let trace = tracer.trace(program, terms, &bug.run, Detail::default());
    let assertion = &program.assertions[bug.assertion.index()];
    let texts = Texts::read(program);
    let mut out = head("violation_sequence", input, specification(assertion.kind))?;
    out.push_str("  content:\n");
    for asked in &trace.inputs {
        let Raw::Integer { value, .. } = &asked.raw else { continue };
        // The place of a result is the end of the call.
        let Some((line, column)) = asked.what.ends_with("()").then(|| texts.end_of_call(asked.loc)).flatten() else {
            continue;
        };
        out.push_str("  - segment:\n    - waypoint:\n        type: \"function_return\"\n        action: \"follow\"\n");
        let _ = writeln!(out, "        constraint:\n          value: {}", quoted(&format!("\\result == {value}")));
        out.push_str("          format: \"ext_c_expression\"\n");
        place(&mut out, program, Loc { line, column, ..asked.loc }, &asked.function);
    }
    let at = trace::failed_at(program, bug.assertion, &bug.run, &trace);
    let running = trace.steps.iter().rev().find(|step| !matches!(step.kind, StepKind::Return { .. }));
    let function = running.map_or("main", |step| step.function.as_str());
    out.push_str("  - segment:\n    - waypoint:\n        type: \"target\"\n        action: \"follow\"\n");
    place(&mut out, program, at, if function.is_empty() { "main" } else { function });
    Ok(out)
}

/// A correctness witness.
pub fn correctness(input: &Arguments, program: &Program, invariants: &[Invariant]) -> Result<String, String> {
    let checked = program.assertions.iter().map(|a| a.kind).find(|kind| kind.fails());
    let mut out = head("invariant_set", input, specification(checked.unwrap_or(AssertKind::User)))?;
    out.push_str(if invariants.is_empty() { "  content: []\n" } else { "  content:\n" });
    for Invariant { loc, function, formula } in invariants {
        out.push_str("  - invariant:\n      type: \"loop_invariant\"\n");
        let mut at = String::new();
        place(&mut at, program, *loc, function);
        at.lines().for_each(|line| _ = writeln!(out, "{}", line.strip_prefix("  ").unwrap_or(line)));
        let _ = writeln!(out, "      value: {}\n      format: \"c_expression\"", quoted(formula));
    }
    Ok(out)
}

/// The property of the competition that a kind of assertion belongs to.
fn specification(kind: AssertKind) -> &'static str {
    match kind {
        AssertKind::Deref | AssertKind::Null | AssertKind::String => "G valid-deref",
        AssertKind::Free => "G valid-free",
        AssertKind::Leak => "G valid-memtrack",
        AssertKind::Overflow => "G ! overflow",
        _ => "G ! call(reach_error())",
    }
}

fn head(kind: &str, input: &Arguments, formula: &str) -> Result<String, String> {
    let mut files = Vec::new();
    for path in &input.files {
        let bytes = fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        files.push((path.display().to_string(), sha256::hex(&bytes)));
    }
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let command: Vec<String> = std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect();
    let seed = format!("{since} {} {command:?} {files:?}", std::process::id());
    let model = if input.c.data_model == Some(Model::Ilp32) { "ILP32" } else { "LP64" };
    let mut out = String::new();
    let _ = writeln!(out, "- entry_type: \"{kind}\"\n  metadata:\n    format_version: \"2.0\"");
    let _ =
        writeln!(out, "    uuid: \"{}\"\n    creation_time: \"{}\"", uuid(&sha256::hex(seed.as_bytes())), utc(since));
    let _ = writeln!(out, "    producer:\n      name: \"Lariat\"\n      version: \"{}\"", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(out, "      command_line: {}", quoted(&command.join(" ")));
    out.push_str("    task:\n      input_files:\n");
    files.iter().for_each(|(name, _)| _ = writeln!(out, "      - {}", quoted(name)));
    out.push_str("      input_file_hashes:\n");
    files.iter().for_each(|(name, hash)| _ = writeln!(out, "        {}: \"{hash}\"", quoted(name)));
    let _ = writeln!(out, "      specification: {}", quoted(&format!("CHECK( init(main()), LTL({formula}) )")));
    let _ = writeln!(out, "      data_model: \"{model}\"\n      language: \"C\"");
    Ok(out)
}

fn place(out: &mut String, program: &Program, loc: Loc, function: &str) {
    let file = program.files.get(loc.file.index()).map_or("", String::as_str);
    let _ = writeln!(out, "        location:\n          file_name: {}\n          line: {}", quoted(file), loc.line);
    if loc.column != 0 {
        let _ = writeln!(out, "          column: {}", loc.column);
    }
    let _ = writeln!(out, "          function: {}", quoted(function));
}

/// A string of YAML in double quotes, which are those of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A random UUID (version 4), from the digits of a hash.
fn uuid(hash: &str) -> String {
    format!("{}-{}-4{}-a{}-{}", &hash[..8], &hash[8..12], &hash[13..16], &hash[17..20], &hash[20..32])
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

    #[test]
    fn uuids_have_their_form() {
        let id = uuid(&sha256::hex(b"x"));
        assert_eq!(id.len(), 36);
        assert_eq!((&id[14..15], &id[19..20]), ("4", "a"));
    }
}
