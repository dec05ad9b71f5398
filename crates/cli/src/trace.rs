//! A run as text: what was called, which variables changed, and how it ended.

use std::fmt::Write;

use lariat_llvm::assumptions::Assumptions;
use lariat_program::{
    AssertId, Assertion, Detail, Loc, Program, Tracer,
    interp::{Outcome, Run},
};
use lariat_source::SourceTrace;
use lariat_term::Terms;

use crate::{args::Trace, source_trace};

/// A program with what is needed to show its runs.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub program: &'a Program,
    pub terms: &'a Terms,
    /// What shows its runs in terms of the source.
    pub tracer: &'a dyn Tracer,
    /// For C: what was assumed about its environment.
    pub assumptions: Option<&'a Assumptions>,
}

/// A run as text, in terms of the source, and how it ended; all of it, or what happens in the program's own files, or
/// only the end.
pub fn run(view: View<'_>, run: &Run, level: Trace) -> String {
    let View { program, terms, tracer, .. } = view;
    let all = level == Trace::Full;
    let trace = tracer.trace(program, terms, run, Detail { all, repeated: false });
    let mut out = match level {
        Trace::None => String::new(),
        _ => source_trace::text(program, &trace, level),
    };
    out.push_str(&outcome(program, run, &trace));
    out.push('\n');
    out
}

/// How a run ended, in one or two lines; the last is the verdict.
pub fn outcome(program: &Program, run: &Run, trace: &SourceTrace) -> String {
    match &run.outcome {
        Outcome::Completed => "completed: the execution ended normally".into(),
        Outcome::Stopped => "stopped: the execution ended without failing".into(),
        Outcome::AssumeFailed { loc } => {
            format!("{}: blocked: an assumption does not hold, so this is no execution", place(program, *loc))
        }
        Outcome::StepLimit => format!("unknown: the limit of {} steps was reached", run.steps),
        Outcome::Stuck { reason, loc } => format!("{}: unknown: {reason}", place(program, *loc)),
        Outcome::AssertionFailed { id, loc } => {
            let assertion = &program.assertions[id.index()];
            // What library functions do is known by where the program calls them.
            let mut text =
                format!("{}: failed: {}", place(program, trace.called_at.unwrap_or(*loc)), failed(assertion, trace));
            if let Some(called) = &trace.called {
                let _ = write!(text, " (in {called})");
                return text;
            }
            if assertion.loc != *loc && assertion.loc.line != 0 {
                let _ = write!(text, " (stated at {})", place(program, assertion.loc));
            }
            text
        }
    }
}

/// Where a failure is: where the program calls the library function that fails, or where the run has ended.
pub fn failed_at(program: &Program, assertion: AssertId, run: &Run, trace: &SourceTrace) -> Loc {
    match run.outcome {
        Outcome::AssertionFailed { loc, .. } => trace.called_at.unwrap_or(loc),
        _ => program.assertions[assertion.index()].loc,
    }
}

pub fn what(kind: lariat_program::AssertKind) -> &'static str {
    use lariat_program::AssertKind::*;
    match kind {
        User => "the assertion",
        Requires => "the precondition",
        Ensures => "the postcondition",
        Invariant => "the loop invariant",
        Candidate => "the candidate for a loop invariant",
        Unsupported => "support for this construct",
        Approximate => "that this construct is approximated",
        Deref => "valid memory access",
        Free => "valid free",
        Leak => "no memory leak",
        Null => "no null dereference",
        Bounds => "index within bounds",
        Overflow => "no signed overflow",
        Division => "no division by zero",
        Shift => "shift within the width",
        Uninit => "no use of an unset value",
        Cast => "a float within the range of the integer type",
        Alignment => "aligned access",
        SameObject => "pointers into the same object",
        Undefined => "no undefined behaviour",
        String => "a string or block within its memory",
    }
}

/// What has gone wrong where an assertion fails.
pub fn failed(assertion: &Assertion, trace: &SourceTrace) -> String {
    match (&trace.failure, &assertion.message) {
        (Some(failure), _) => failure.text.clone(),
        (None, Some(message)) => format!("{}: {message}", failure(assertion.kind)),
        (None, None) => failure(assertion.kind),
    }
}

/// What a failed assertion means.
fn failure(kind: lariat_program::AssertKind) -> String {
    use lariat_program::AssertKind::*;
    let text = match kind {
        User | Requires | Ensures | Invariant | Candidate | Unsupported | Approximate => {
            return format!("{} does not hold", what(kind));
        }
        Deref => "invalid memory access",
        Free => "invalid free: it is not an allocated block",
        Leak => "memory leak where the program ends",
        Null => "null pointer dereference",
        Bounds => "index out of bounds",
        Overflow => "signed overflow",
        Division => "division by zero",
        Shift => "shift out of range: the distance is negative or too large",
        Uninit => "use of an uninitialised value",
        Cast => "conversion out of range: the integer type cannot hold the value of the float",
        Alignment => "misaligned access: the address is not aligned for the type",
        SameObject => "pointers into different objects are subtracted or ordered",
        Undefined => "undefined behaviour",
        String => "misuse of a string or block",
    };
    text.into()
}

/// The kind of an assertion in one word.
pub fn kind_name(kind: lariat_program::AssertKind) -> &'static str {
    match kind {
        lariat_program::AssertKind::User => "assert",
        other => other.name(),
    }
}

pub fn place(program: &Program, loc: Loc) -> String {
    match program.files.get(loc.file.index()) {
        Some(file) if loc.line > 0 && loc.column == 0 => format!("{file}:{}", loc.line),
        Some(file) if loc.line > 0 => format!("{file}:{}:{}", loc.line, loc.column),
        _ => String::from("-"),
    }
}
