//! Source traces as text and as JSON.

use std::{collections::BTreeMap, fmt::Write};

use lariat_program::Program;
use lariat_source::{Input, Loc, Notation, Raw, SourceTrace, Step, StepKind};
use serde_json::{Value as Json, json};

use crate::{args::Trace, brief, trace::place};

/// Places take at least so many columns.
const MIN_WIDTH: usize = 20;

/// A name of a file with more characters than this is told once.
const LONG_NAME: usize = 32;

/// The file that most steps are in, if its name is long.
fn long_name<'a>(program: &'a Program, steps: &[&Step]) -> Option<&'a str> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    steps
        .iter()
        .filter(|step| step.loc.line > 0)
        .for_each(|step| *counts.entry(step.loc.file.index()).or_default() += 1);
    let (&file, _) = counts.iter().max_by_key(|&(&file, &count)| (count, std::cmp::Reverse(file)))?;
    program.files.get(file).map(|name| name.as_str()).filter(|name| name.chars().count() > LONG_NAME)
}

/// The steps, one a line, indented by the depth of calls and loops; then the inputs. A brief text leaves out what is alike
/// or far from the end.
pub fn text(program: &Program, trace: &SourceTrace, level: Trace) -> String {
    let mut out = String::new();
    if trace.dropped > 0 {
        let _ = writeln!(out, "… {} earlier events are left out", trace.dropped);
    }
    let c = trace.notation == Notation::C;
    // That a function of C returns nothing shows in what follows.
    let shows = |step: &&Step| level == Trace::Full || !c || step.kind != StepKind::Return { value: None };
    let steps: Vec<&Step> = trace.steps.iter().filter(shows).collect();
    let file = long_name(program, &steps).filter(|_| c);
    let prefix = file.map(|file| format!("{file}:"));
    let short = |text: String| match &prefix {
        Some(prefix) => text.replace(prefix, ""),
        None => text,
    };
    let inputs = match level {
        Trace::Brief => brief::inputs(program, trace),
        _ => trace.inputs.iter().enumerate().map(|(i, input)| whole_input(program, i, input)).collect(),
    };
    let lines = match level {
        Trace::Brief if c => {
            brief::steps(&steps, brief::LINES.saturating_sub(inputs.len() + usize::from(file.is_some())))
        }
        _ => steps.into_iter().map(brief::Line::Step).collect(),
    };
    let at = |line: &brief::Line<'_>| match line {
        brief::Line::Step(step) => short(place(program, step.loc)),
        brief::Line::Folded { .. } => String::new(),
    };
    let width = match trace.notation {
        Notation::C if file.is_some() => lines.iter().map(|line| at(line).chars().count()).fold(0, usize::max),
        Notation::C => lines.iter().map(|line| at(line).chars().count()).fold(MIN_WIDTH, usize::max),
        Notation::Boogie => MIN_WIDTH,
    };
    if let Some(file) = file {
        let _ = writeln!(out, "in {file}:");
    }
    for shown in &lines {
        let (text, depth) = match shown {
            brief::Line::Step(step) => (line(trace, step), step.depth),
            brief::Line::Folded { text, depth } => (text.clone(), *depth),
        };
        let _ = writeln!(out, "{:<width$} {:2$}{3}", at(shown), "", depth * 2, short(text));
    }
    inputs.into_iter().for_each(|input| _ = writeln!(out, "{}", short(input)));
    if lines.iter().any(|line| matches!(line, brief::Line::Folded { .. })) {
        out.push_str("(--trace full shows all steps)\n");
    }
    out
}

/// An input, in one line.
pub fn whole_input(program: &Program, number: usize, input: &Input) -> String {
    let at = if input.loc.line == 0 { String::new() } else { format!(" at {}", place(program, input.loc)) };
    format!("input {}: {} = {}{at}", number + 1, input.what, input.value)
}

/// A step in one line.
pub fn line(trace: &SourceTrace, step: &Step) -> String {
    let c = trace.notation == Notation::C;
    match &step.kind {
        StepKind::Free { block } => format!("free {block}"),
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

/// The brief trace as JSON: each line with its text, its depth and where it is.
pub fn brief_steps(trace: &SourceTrace, location: &dyn Fn(Loc) -> Json) -> Vec<Json> {
    let c = trace.notation == Notation::C;
    let shows = |step: &&Step| !c || step.kind != StepKind::Return { value: None };
    let steps: Vec<&Step> = trace.steps.iter().filter(shows).collect();
    let shown = |line: &brief::Line<'_>| match line {
        brief::Line::Step(step) => {
            json!({ "text": self::line(trace, step), "depth": step.depth, "location": location(step.loc) })
        }
        brief::Line::Folded { text, depth } => json!({ "text": text, "depth": depth, "location": null }),
    };
    brief::steps(&steps, brief::LINES).iter().map(shown).collect()
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
        StepKind::Free { block } => json!({ "event": "free", "object": block }),
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
                "raw": raw(&input.raw), "location": location(input.loc) })
    };
    trace.inputs.iter().enumerate().map(input).collect()
}

/// The objects with made-up names as JSON.
pub fn objects(trace: &SourceTrace, location: &dyn Fn(Loc) -> Json) -> Vec<Json> {
    trace.objects.iter().map(|o| json!({ "name": o.name, "location": location(o.loc) })).collect()
}

/// What has gone wrong as JSON.
pub fn failure(trace: &SourceTrace, what: String, location: &dyn Fn(Loc) -> Json) -> Json {
    let mut json = json!({ "message": what });
    if let Some(failure) = &trace.failure {
        let related = failure.related.iter().map(|r| json!({ "what": r.name, "location": location(r.loc) }));
        json["class"] = json!(failure.class);
        json["related"] = related.collect();
    }
    json
}

/// A value as a machine has it.
fn raw(raw: &Raw) -> Json {
    match raw {
        Raw::Integer { bits, signed, value } => json!({ "bits": bits, "signed": signed, "integer": value }),
        Raw::Float { bits, pattern } => json!({ "bits": bits, "pattern": pattern }),
        Raw::Other => Json::Null,
    }
}
