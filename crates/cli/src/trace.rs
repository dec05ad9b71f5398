//! A run as text: what was called, which variables changed, and how it ended.

use std::{collections::HashMap, fmt::Write};

use lariat_llvm::{
    assumptions::Assumptions,
    trace::{Legend, story},
};
use lariat_program::{
    Loc, Program, RegionId, RegionKind, StmtKind,
    interp::{Event, Outcome, Run},
};
use lariat_term::{Terms, Value, Var};
use serde_json::{Value as Json, json};

use crate::{args::Trace, story};

/// A program with what is needed to show its runs.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub program: &'a Program,
    pub terms: &'a Terms,
    /// For C: what the variables stand for in the source.
    pub legend: Option<&'a Legend>,
    /// For C: what was assumed about its environment.
    pub assumptions: Option<&'a Assumptions>,
}

/// A run as text, in terms of C if the program came from there, and how it ended; all of it, or (for C) what
/// happens in the program's own files, or only the end.
pub fn run(view: View<'_>, run: &Run, level: Trace) -> String {
    let View { program, terms, legend, .. } = view;
    let full = level == Trace::Full;
    let story = legend.map(|legend| story(legend, program, run, full));
    let mut out = match &story {
        _ if level == Trace::None => String::new(),
        Some(story) => story::text(program, story, run.trace.dropped(), full),
        None => trace(program, terms, run, full),
    };
    out.push_str(&outcome(program, run));
    if let Some(loc) = story.as_ref().and_then(|story| story.called_at) {
        let _ = write!(out, " (called at {})", place(program, loc));
    }
    if let Some(lost) = story.and_then(|story| story.lost) {
        let _ = write!(out, ": {} (allocated at {})", lost.name, place(program, lost.loc));
    }
    out.push('\n');
    out
}

/// The trace, one event a line, indented by the depth of calls.
pub fn trace(program: &Program, terms: &Terms, run: &Run, statements: bool) -> String {
    let mut out = String::new();
    if run.trace.dropped() > 0 {
        let _ = writeln!(out, "… {} earlier events are left out", run.trace.dropped());
    }
    let mut depth = 0usize;
    let mut known = Known::default();
    for event in run.trace.events() {
        if !known.is_news(program, event) {
            continue;
        }
        let mut text = String::new();
        let mut at = Loc::NONE;
        match event {
            Event::Enter { region, loc } => {
                at = *loc;
                let _ = write!(text, "{} {}", verb(program, *region), name(program, *region));
            }
            Event::Leave { region } => {
                depth = depth.saturating_sub(1);
                if is_loop(program, *region) {
                    continue;
                }
                let _ = write!(text, "return from {}", name(program, *region));
            }
            Event::Again { region, rounds } => {
                let _ = write!(text, "again {}", name(program, *region));
                if *rounds > 1 {
                    let _ = write!(text, " ({rounds} times)");
                }
            }
            Event::Write { .. } | Event::Found { .. } => continue,
            Event::Stmt { .. } if !statements => continue,
            Event::Stmt { region, block, stmt, loc } => {
                at = *loc;
                let block = &program.regions[region.index()].blocks[block.index()];
                text.push_str(statement(&block.stmts[*stmt as usize].kind));
            }
            Event::Set { region, var, value, loc, .. } | Event::Havoc { region, var, value, loc } => {
                at = *loc;
                let Some(variable) = source_name(program, *region, *var) else { continue };
                let _ = write!(text, "{variable} := {}", value.display(terms));
            }
            Event::Choice { region, target, loc } => {
                at = *loc;
                let label = &program.regions[region.index()].blocks[target.index()].label;
                let _ = write!(text, "goto {label}");
            }
        }
        let _ = writeln!(out, "{:<20} {:2$}{text}", place(program, at), "", depth * 2);
        if matches!(event, Event::Enter { .. }) {
            depth += 1;
        }
    }
    out
}

/// The values that a reader of the trace knows. A loop is a region that gets its variables and gives
/// them back; where that changes nothing, it is no news.
#[derive(Default)]
struct Known<'a> {
    globals: HashMap<Var, &'a Value>,
    /// One table per call of a procedure, whose loops use the same variables.
    calls: Vec<HashMap<Var, &'a Value>>,
}

impl<'a> Known<'a> {
    /// Follows an event, and says whether it should be shown.
    fn is_news(&mut self, program: &Program, event: &'a Event) -> bool {
        match event {
            Event::Enter { region, .. } if !is_loop(program, *region) => self.calls.push(HashMap::new()),
            Event::Leave { region } if !is_loop(program, *region) => {
                self.calls.pop();
            }
            Event::Set { var, value, .. } | Event::Havoc { var, value, .. } => {
                let global = program.globals.iter().any(|decl| decl.var == *var);
                let table = if global { Some(&mut self.globals) } else { self.calls.last_mut() };
                return table.is_none_or(|table| table.insert(*var, value) != Some(value));
            }
            _ => {}
        }
        true
    }
}

/// How a run ended, in one or two lines; the last is the verdict.
pub fn outcome(program: &Program, run: &Run) -> String {
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
            let message = assertion.message.as_deref().map_or(String::new(), |m| format!(": {m}"));
            let what = failure(assertion.kind);
            let mut text = format!("{}: failed: {what}{message}", place(program, *loc));
            if assertion.loc != *loc && assertion.loc.line != 0 {
                let _ = write!(text, " (stated at {})", place(program, assertion.loc));
            }
            text
        }
    }
}

pub fn what(kind: lariat_program::AssertKind) -> &'static str {
    use lariat_program::AssertKind::*;
    match kind {
        User => "the assertion",
        Requires => "the precondition",
        Ensures => "the postcondition",
        Invariant => "the loop invariant",
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
        Undefined => "no undefined behaviour",
        String => "a string or block within its memory",
    }
}

/// What a failed assertion means.
fn failure(kind: lariat_program::AssertKind) -> String {
    use lariat_program::AssertKind::*;
    let text = match kind {
        User | Requires | Ensures | Invariant | Unsupported | Approximate => {
            return format!("{} does not hold", what(kind));
        }
        Deref => "memory is accessed where there is none",
        Free => "what is freed is not an allocated block",
        Leak => "allocated memory is lost where the program ends",
        Null => "the null pointer is dereferenced",
        Bounds => "the index is out of bounds",
        Overflow => "the signed result overflows",
        Division => "the divisor is zero",
        Shift => "the distance of the shift is negative or too large",
        Uninit => "the value was never set",
        Cast => "the integer type cannot hold the value of the float",
        Alignment => "the address is not aligned for the type",
        Undefined => "undefined behaviour",
        String => "a string or block is misused",
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

/// The trace as JSON, one object an event.
pub fn steps(
    program: &Program,
    terms: &Terms,
    run: &Run,
    statements: bool,
    location: &dyn Fn(Loc) -> Json,
) -> Vec<Json> {
    let step = |event: &Event| {
        Some(match event {
            Event::Enter { region, loc } => {
                json!({ "event": verb(program, *region), "region": name(program, *region), "location": location(*loc) })
            }
            Event::Leave { region } => json!({ "event": "return", "region": name(program, *region) }),
            Event::Again { region, rounds } => {
                json!({ "event": "again", "region": name(program, *region), "rounds": rounds })
            }
            Event::Write { .. } | Event::Found { .. } => return None,
            Event::Stmt { .. } if !statements => return None,
            Event::Stmt { region, block, stmt, loc } => {
                let block = &program.regions[region.index()].blocks[block.index()];
                let kind = statement(&block.stmts[*stmt as usize].kind);
                json!({ "event": "statement", "kind": kind, "location": location(*loc) })
            }
            Event::Set { region, var, value, loc, .. } | Event::Havoc { region, var, value, loc } => {
                let variable = source_name(program, *region, *var)?;
                json!({ "event": "set", "variable": variable, "value": value.display(terms).to_string(),
                        "location": location(*loc) })
            }
            Event::Choice { region, target, loc } => {
                let label = &program.regions[region.index()].blocks[target.index()].label;
                json!({ "event": "goto", "target": label, "location": location(*loc) })
            }
        })
    };
    run.trace.events().filter_map(step).collect()
}

fn is_loop(program: &Program, region: RegionId) -> bool {
    matches!(program.regions[region.index()].kind, RegionKind::Loop { .. })
}

fn verb(program: &Program, region: RegionId) -> &'static str {
    if is_loop(program, region) { "loop" } else { "call" }
}

fn name(program: &Program, region: RegionId) -> &str {
    &program.regions[region.index()].name
}

/// The variable's name in the source; what the front end made up is not shown.
fn source_name(program: &Program, region: RegionId, var: Var) -> Option<&str> {
    let region = &program.regions[region.index()];
    let own = region.locals.iter().chain(&region.outputs).chain(&region.inputs);
    own.chain(&program.globals).find(|d| d.var == var)?.source.as_deref()
}

fn statement(kind: &StmtKind) -> &'static str {
    match kind {
        StmtKind::Assume(_) => "assume",
        StmtKind::Assert { .. } => "assert",
        StmtKind::Assign(_) => "assign",
        StmtKind::Havoc(_) => "havoc",
        StmtKind::Box { .. } => "box",
    }
}

pub fn place(program: &Program, loc: Loc) -> String {
    match program.files.get(loc.file.index()) {
        Some(file) if loc.line > 0 && loc.column == 0 => format!("{file}:{}", loc.line),
        Some(file) if loc.line > 0 => format!("{file}:{}:{}", loc.line, loc.column),
        _ => String::from("-"),
    }
}
