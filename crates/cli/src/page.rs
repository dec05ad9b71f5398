//! The result as one page of HTML that needs nothing else: the source, with the trace to step through or the loop invariants of a
//! proof; the values, the calls and a picture of the memory at each step; the report as text; which regions were expanded.

use std::fs;

use lariat_program::{Detail, Region};
use lariat_source::{Notation, SourceTrace, Step, StepKind};
use lariat_verify::{Report, Verdict};
use serde_json::{Value as Json, json};

use crate::{
    source_trace::line,
    trace::{self, View},
    witness::Invariant,
};

/// Steps before the last so many are left out.
const MAX_STEPS: usize = 5000;

const TEMPLATE: &str = include_str!("page.html");

/// The page; `text` is the report as text.
pub fn html(view: View<'_>, report: &Report, invariants: &[Invariant], text: &str) -> String {
    let (verdict, trace) = match &report.verdict {
        Verdict::Unsafe(bug) => {
            // What is stored belongs to the picture of the memory, also where it was the same before.
            let detail = Detail { all: false, repeated: true };
            ("unsafe", Some(view.tracer.trace(view.program, view.terms, &bug.run, detail)))
        }
        Verdict::Safe => ("safe", None),
        Verdict::Bounded { .. } => ("bounded", None),
        Verdict::Unknown(_) => ("unknown", None),
    };
    let mut steps: Vec<Json> = trace.iter().flat_map(steps).collect();
    if let (Verdict::Unsafe(bug), Some(trace)) = (&report.verdict, &trace) {
        let loc = trace::failed_at(view.program, bug.assertion, &bug.run, trace);
        let what = trace::failed(&view.program.assertions[bug.assertion.index()], trace);
        let depth = trace.steps.last().map_or(0, |step| step.depth);
        steps.push(
            json!({ "file": loc.file.index(), "line": loc.line, "depth": depth, "text": what, "kind": "failure" }),
        );
    }
    let text_of = |file: &String| json!({ "name": file, "text": fs::read_to_string(file).ok() });
    let files: Vec<Json> = view.program.files.iter().map(text_of).collect();
    let invariant = |i: &Invariant| json!({ "file": i.loc.file.index(), "line": i.loc.line, "formula": i.formula });
    let invariants: Vec<Json> = invariants.iter().map(invariant).collect();
    let data = json!({ "verdict": verdict, "files": files, "steps": steps, "report": text, "invariants": invariants,
                       "regions": regions(view, report), "statistics": statistics(report),
                       "version": env!("CARGO_PKG_VERSION") });
    // Nothing in the data may end the script.
    TEMPLATE.replace("/*DATA*/null", &data.to_string().replace('<', "\\u003c"))
}

/// The regions of the program: how often each was expanded, 0 for those that stayed abstract.
fn regions(view: View<'_>, report: &Report) -> Vec<Json> {
    let count = |i: usize| report.stats.regions.get(i).copied().unwrap_or(0);
    let region = |(i, region): (usize, &Region)| json!([region.name, trace::place(view.program, region.loc), count(i)]);
    view.program.regions.iter().enumerate().map(region).collect()
}

/// Counters with their names.
fn statistics(report: &Report) -> Json {
    let stats = &report.stats;
    json!([
        ["calls and rounds expanded", stats.expanded],
        ["left open", stats.open],
        ["queries", stats.all_queries()],
        ["seconds", format!("{:.1}", report.time.as_secs_f64())],
    ])
}

fn steps(trace: &SourceTrace) -> Vec<Json> {
    let c = trace.notation == Notation::C;
    let shown = |step: &&Step| step.loc.line != 0 || matches!(step.kind, StepKind::Return { .. });
    let all: Vec<&Step> = trace.steps.iter().filter(shown).collect();
    let first = all.len().saturating_sub(MAX_STEPS);
    let step = |step: &&Step| {
        let mut json = json!({ "file": step.loc.file.index(), "line": step.loc.line, "depth": step.depth,
                               "function": step.function, "text": line(trace, step) });
        match &step.kind {
            StepKind::Set { place, value } | StepKind::Unset { place, value } => {
                json["set"] = json!([place, value]);
            }
            StepKind::Call { function, arguments } => {
                let list: Vec<String> = arguments.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                json["call"] = json!(if c { format!("{function}({})", list.join(", ")) } else { function.clone() });
                json["arguments"] = json!(arguments);
            }
            StepKind::Return { .. } => json["return"] = json!(true),
            StepKind::Free { block } => json["set"] = json!([block, "freed"]),
            _ => {}
        }
        json
    };
    all[first..].iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_whole() {
        assert_eq!(TEMPLATE.matches("/*DATA*/null").count(), 1);
        assert!(!TEMPLATE.contains("http://") && !TEMPLATE.contains("https://"), "nothing is loaded from elsewhere");
    }
}
