//! Source traces as text and as JSON.

use std::fmt::Write;

use lariat_program::Program;
use lariat_source::{Input, Loc, Notation, SourceTrace, Step, StepKind};
use serde_json::{Value as Json, json};

use crate::trace::place;

/// Places take at least so many columns.
const MIN_WIDTH: usize = 20;

/// Longer texts of C programs lose their first steps, unless all is wanted.
const MAX_STEPS: usize = 1000;

/// The steps, one a line, indented by the depth of calls and loops; then the inputs.
pub fn text(program: &Program, trace: &SourceTrace, all: bool) -> String {
    let mut out = String::new();
    if trace.dropped > 0 {
        let _ = writeln!(out, "… {} earlier events are left out", trace.dropped);
    }
    let c = trace.notation == Notation::C;
    let first = if all || !c { 0 } else { trace.steps.len().saturating_sub(MAX_STEPS) };
    if first > 0 {
        let _ = writeln!(out, "… the first {first} steps are left out (--trace full shows all)");
    }
    // That a function of C returns nothing shows in what follows.
    let shows = |step: &&Step| all || !c || step.kind != StepKind::Return { value: None };
    let steps: Vec<(String, &Step)> =
        trace.steps[first..].iter().filter(shows).map(|step| (place(program, step.loc), step)).collect();
    let width = match trace.notation {
        Notation::C => steps.iter().map(|(place, _)| place.chars().count()).fold(MIN_WIDTH, usize::max),
        Notation::Boogie => MIN_WIDTH,
    };
    for (place, step) in steps {
        let _ = writeln!(out, "{place:<width$} {:2$}{}", "", line(trace, step), step.depth * 2);
    }
    for (i, input) in trace.inputs.iter().enumerate() {
        let _ = write!(out, "input {}: {} = {}", i + 1, input.what, input.value);
        let _ = match input.loc {
            Loc { line: 0, .. } => writeln!(out),
            loc => writeln!(out, " at {}", place(program, loc)),
        };
    }
    out
}

fn line(trace: &SourceTrace, step: &Step) -> String {
    let c = trace.notation == Notation::C;
    match &step.kind {
        StepKind::Call { function, arguments } if c => {
            let list: Vec<String> = arguments.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            format!("call {function}({})", list.join(", "))
        }
        StepKind::Call { function, .. } => format!("call {function}"),
        StepKind::Return { value: Some(value) } => format!("return {value}"),
        StepKind::Return { value: None } if c => "return".into(),
        StepKind::Return { value: None } => format!("return from {}", step.function),
        StepKind::Round { number: 1, .. } if c => "loop".into(),
        StepKind::Round { number, .. } if c => format!("round {number}"),
        StepKind::Round { name, number: 1, .. } => format!("loop {name}"),
        StepKind::Round { name, further: 1, .. } => format!("again {name}"),
        StepKind::Round { name, further, .. } => format!("again {name} ({further} times)"),
        StepKind::Statement(kind) => (*kind).into(),
        StepKind::Goto(label) => format!("goto {label}"),
        StepKind::Set { place, value } if c => format!("{place} = {value}"),
        StepKind::Set { place, value } => format!("{place} := {value}"),
        StepKind::Unset { place, value } => format!("{place} is {value}, never set"),
        StepKind::More(count) => format!("… {count} more changes"),
        StepKind::Input(i) => {
            let input = &trace.inputs[*i];
            format!("{} = {} (input {})", input.what, input.value, i + 1)
        }
    }
}

/// The steps as JSON, one object each.
pub fn steps(trace: &SourceTrace, location: &dyn Fn(Loc) -> Json) -> Vec<Json> {
    let c = trace.notation == Notation::C;
    let step = |step: &Step| {
        let mut json = event(step, c);
        if c {
            json["function"] = json!(step.function);
            json["depth"] = json!(step.depth);
        }
        // The end of a region and a next round have no place of their own.
        let placed = !matches!(step.kind, StepKind::Return { .. } | StepKind::Round { number: 2.., .. });
        if c || placed {
            json["location"] = location(step.loc);
        }
        json
    };
    trace.steps.iter().map(step).collect()
}

fn event(step: &Step, c: bool) -> Json {
    match &step.kind {
        StepKind::Call { function, arguments } if c => {
            let list: Vec<Json> = arguments.iter().map(|(n, v)| json!({ "name": n, "value": v })).collect();
            json!({ "event": "call", "region": function, "arguments": list })
        }
        StepKind::Call { function, .. } => json!({ "event": "call", "region": function }),
        StepKind::Return { value } if c => json!({ "event": "return", "region": step.function, "value": value }),
        StepKind::Return { .. } => json!({ "event": "return", "region": step.function }),
        StepKind::Round { number, .. } if c => json!({ "event": "loop", "round": number }),
        StepKind::Round { name, number: 1, .. } => json!({ "event": "loop", "region": name }),
        StepKind::Round { name, further, .. } => json!({ "event": "again", "region": name, "rounds": further }),
        StepKind::Statement(kind) => json!({ "event": "statement", "kind": kind }),
        StepKind::Goto(label) => json!({ "event": "goto", "target": label }),
        StepKind::Set { place, value } => json!({ "event": "set", "variable": place, "value": value }),
        StepKind::Unset { place, value } => json!({ "event": "unset", "variable": place, "value": value }),
        StepKind::More(count) => json!({ "event": "more", "count": count }),
        StepKind::Input(i) => json!({ "event": "input", "number": i + 1 }),
    }
}

/// The inputs as JSON, in order.
pub fn inputs(trace: &SourceTrace, location: &dyn Fn(Loc) -> Json) -> Vec<Json> {
    let input = |(i, input): (usize, &Input)| {
        json!({ "number": i + 1, "what": input.what, "value": input.value, "function": input.function,
                "location": location(input.loc) })
    };
    trace.inputs.iter().enumerate().map(input).collect()
}

/// The objects with made-up names as JSON.
pub fn objects(trace: &SourceTrace, location: &dyn Fn(Loc) -> Json) -> Vec<Json> {
    trace.objects.iter().map(|o| json!({ "name": o.name, "location": location(o.loc) })).collect()
}
