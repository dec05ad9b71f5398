//! What predicate abstraction tracks, for people and for programs.

use std::{collections::BTreeMap, fmt::Write as _};

use lariat_predicate::{Exploration, Tracked, write_predicates};
use lariat_program::{Loc, Program};
use lariat_term::{Term, Var};
use lariat_verify::Report;
use serde_json::{Value, json};

use crate::{args::CheckArgs, diag::Reporter, expr};

/// Says what was left out of predicates that were given, and writes those that were tracked, if that is asked for.
pub fn save(args: &CheckArgs, report: &Report, reporter: &Reporter) -> Result<(), String> {
    let mut notes: Vec<&String> = report.explorations.iter().flat_map(|(_, _, e)| &e.notes).collect();
    notes.sort();
    notes.dedup();
    notes.iter().for_each(|note| reporter.note(note));
    let Some(path) = &args.predicates.save_predicates else { return Ok(()) };
    let mut text = String::from("; Predicates by place, for `lariat check --predicates`.\n");
    for (_, reading, explored) in &report.explorations {
        text.push_str(&write_predicates(&mut explored.terms.clone(), *reading, &explored.tracked));
    }
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// The predicates of a place in infix notation, but for those that are not about variables.
fn texts(explored: &Exploration, at: &Tracked) -> Vec<String> {
    let terms = &explored.terms;
    let named = |p: &&Term| terms.free_vars(&[**p]).iter().all(|v| at.names.contains_key(v));
    let name = |v: Var| at.names.get(&v).cloned().unwrap_or_default();
    let mut texts: Vec<String> = at.predicates.iter().filter(named).map(|&p| expr::infix(terms, p, &name)).collect();
    match at.predicates.len() - texts.len() {
        0 => {}
        others => texts.push(format!("{others} about no variable")),
    }
    texts
}

/// The source with the predicates of each place before the line where its loop or procedure begins.
pub fn text(program: &Program, report: &Report) -> String {
    let mut lines: BTreeMap<(u32, u32), Vec<String>> = BTreeMap::new();
    let mut elsewhere = Vec::new();
    for (_, _, explored) in &report.explorations {
        for at in &explored.tracked {
            let line = format!("// {}: {}", at.place.name, texts(explored, at).join(", "));
            let Loc { file, line: number, .. } = at.place.loc;
            match number {
                0 => elsewhere.push(line),
                _ => lines.entry((file.0, number)).or_default().push(line),
            }
        }
    }
    let mut out = String::new();
    for (number, file) in program.files.iter().enumerate() {
        let of_file = |line: usize| lines.get(&(number as u32, line as u32));
        if !lines.keys().any(|(file, _)| *file == number as u32) {
            continue;
        }
        let Ok(source) = std::fs::read_to_string(file) else {
            elsewhere.extend(lines.iter().filter(|((f, _), _)| *f == number as u32).flat_map(|(_, l)| l.clone()));
            continue;
        };
        for (i, line) in source.lines().enumerate() {
            let indent: String = line.chars().take_while(|c| c.is_whitespace()).collect();
            for predicates in of_file(i + 1).into_iter().flatten() {
                let _ = writeln!(out, "{indent}{predicates}");
            }
            let _ = writeln!(out, "{line}");
        }
    }
    elsewhere.iter().for_each(|line| out.extend([line, "\n"]));
    out
}

/// An array; the fields are in docs/json.md.
pub fn as_json(report: &Report, location: &dyn Fn(Loc) -> Value) -> Value {
    let of = |(_, reading, explored): &(_, lariat_engine::Reading, std::sync::Arc<Exploration>)| {
        let one = |at: &Tracked| {
            json!({ "place": at.place.name, "location": location(at.place.loc), "reading": reading.name(),
                    "predicates": texts(explored, at) })
        };
        explored.tracked.iter().map(one).collect::<Vec<Value>>()
    };
    report.explorations.iter().flat_map(of).collect()
}
