//! A run of a C program as text and as JSON.

use std::fmt::Write;

use lariat_llvm::trace::{Step, StepKind, Story};
use lariat_program::{Loc, Program};
use serde_json::{Value as Json, json};

use crate::trace::place;

/// Places take at least so many columns.
const MIN_WIDTH: usize = 20;

/// Longer texts lose their first steps, unless all is wanted.
const MAX_STEPS: usize = 1000;

/// The steps, one a line, indented by the depth of calls and loops; then the inputs.
pub fn text(program: &Program, story: &Story, dropped: u64, all: bool) -> String {
    let mut out = String::new();
    if dropped > 0 {
        let _ = writeln!(out, "… {dropped} earlier events are left out");
    }
    let first = if all { 0 } else { story.steps.len().saturating_sub(MAX_STEPS) };
    if first > 0 {
        let _ = writeln!(out, "… the first {first} steps are left out (--trace full shows all)");
    }
    // That a function returns nothing shows in what follows.
    let told = |step: &&Step| all || step.kind != StepKind::Return { value: None };
    let steps: Vec<(String, &Step)> =
        story.steps[first..].iter().filter(told).map(|step| (place(program, step.loc), step)).collect();
    let width = steps.iter().map(|(place, _)| place.chars().count()).fold(MIN_WIDTH, usize::max);
    for (place, step) in steps {
        let _ = writeln!(out, "{place:<width$} {:2$}{}", "", line(story, step), step.depth * 2);
    }
    for (i, input) in story.inputs.iter().enumerate() {
        let _ = write!(out, "input {}: {} = {}", i + 1, input.what, input.value);
        let _ = match input.loc {
            Loc { line: 0, .. } => writeln!(out),
            loc => writeln!(out, " at {}", place(program, loc)),
        };
    }
    out
}

fn line(story: &Story, step: &Step) -> String {
    match &step.kind {
        StepKind::Call { function, arguments } => {
            let list: Vec<String> = arguments.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            format!("call {function}({})", list.join(", "))
        }
        StepKind::Return { value: Some(value) } => format!("return {value}"),
        StepKind::Return { value: None } => "return".into(),
        StepKind::Round(1) => "loop".into(),
        StepKind::Round(round) => format!("round {round}"),
        StepKind::Set { place, value } => format!("{place} = {value}"),
        StepKind::Unset { place, value } => format!("{place} is {value}, never set"),
        StepKind::More(count) => format!("… {count} more changes"),
        StepKind::Input(i) => {
            let input = &story.inputs[*i];
            format!("{} = {} (input {})", input.what, input.value, i + 1)
        }
    }
}

/// The steps as JSON, one object each.
pub fn steps(story: &Story, location: &dyn Fn(Loc) -> Json) -> Vec<Json> {
    let step = |step: &Step| {
        let mut json = match &step.kind {
            StepKind::Call { function, arguments } => {
                let list: Vec<Json> = arguments.iter().map(|(n, v)| json!({ "name": n, "value": v })).collect();
                json!({ "event": "call", "region": function, "arguments": list })
            }
            StepKind::Return { value } => json!({ "event": "return", "region": step.function, "value": value }),
            StepKind::Round(round) => json!({ "event": "loop", "round": round }),
            StepKind::Set { place, value } => json!({ "event": "set", "variable": place, "value": value }),
            StepKind::Unset { place, value } => json!({ "event": "unset", "variable": place, "value": value }),
            StepKind::More(count) => json!({ "event": "more", "count": count }),
            StepKind::Input(i) => json!({ "event": "input", "number": i + 1 }),
        };
        json["function"] = json!(step.function);
        json["depth"] = json!(step.depth);
        json["location"] = location(step.loc);
        json
    };
    story.steps.iter().map(step).collect()
}

/// The inputs as JSON, in order.
pub fn inputs(story: &Story, location: &dyn Fn(Loc) -> Json) -> Vec<Json> {
    let input = |(i, input): (usize, &lariat_llvm::trace::Input)| {
        json!({ "number": i + 1, "what": input.what, "value": input.value, "function": input.function,
                "location": location(input.loc) })
    };
    story.inputs.iter().enumerate().map(input).collect()
}

/// The objects with made-up names as JSON.
pub fn objects(story: &Story, location: &dyn Fn(Loc) -> Json) -> Vec<Json> {
    story.objects.iter().map(|o| json!({ "name": o.name, "location": location(o.loc) })).collect()
}
