//! SARIF 2.1.0: a result for each assertion that fails, with the trace as a code flow, and a rule for each property.

use lariat_program::{AssertKind, Detail, Loc, Program};
use lariat_source::{Named, Notation, SourceTrace, StepKind};
use lariat_verify::{Report, Verdict};
use serde_json::{Value as Json, json};

use crate::{
    source_trace::line,
    trace::{self, View},
};

/// More steps than this are left out of a code flow, from the start.
const MAX_STEPS: usize = 2000;

/// The rules, by the kinds of assertions: a name and a sentence.
const RULES: [(AssertKind, &str, &str); 19] = [
    (AssertKind::User, "assertion", "An assertion can fail, or an error function can be called."),
    (AssertKind::Requires, "precondition", "A precondition may not hold at a call."),
    (AssertKind::Ensures, "postcondition", "A postcondition may not hold at a return."),
    (AssertKind::Invariant, "invariant", "A loop invariant may not hold."),
    (
        AssertKind::Deref,
        "memory-access",
        "Memory is accessed through a null, dangling or wild pointer, or out of bounds.",
    ),
    (AssertKind::Free, "free", "Something is freed that is not an allocated block, or twice."),
    (AssertKind::Leak, "memory-leak", "Allocated memory is lost."),
    (AssertKind::Null, "null-dereference", "The null pointer is dereferenced."),
    (AssertKind::Bounds, "array-bounds", "An index is outside of its array."),
    (AssertKind::Overflow, "signed-overflow", "A signed operation overflows."),
    (AssertKind::Division, "division-by-zero", "An integer is divided by zero."),
    (AssertKind::Shift, "shift", "The distance of a shift is negative or too large."),
    (AssertKind::Uninit, "uninitialised", "A value is used that was never set."),
    (AssertKind::Cast, "float-conversion", "A float is converted to an integer type that cannot hold it."),
    (AssertKind::Alignment, "alignment", "An access is not aligned."),
    (AssertKind::SameObject, "same-object", "Pointers into different objects are subtracted or ordered."),
    (AssertKind::Undefined, "undefined-behaviour", "The behaviour is undefined."),
    (AssertKind::String, "string", "A string or block is misused by a call of a library function."),
    (AssertKind::Unsupported, "unsupported", "Something is not supported."),
];

fn rule(kind: AssertKind) -> usize {
    RULES.iter().position(|(known, ..)| *known == kind).unwrap_or(0)
}

/// The log of one run.
pub fn log(view: View<'_>, report: &Report, reason: Option<&str>) -> Json {
    let rules: Vec<Json> = RULES
        .iter()
        .map(|(_, id, text)| {
            json!({ "id": id, "shortDescription": { "text": text }, "defaultConfiguration": { "level": "error" } })
        })
        .collect();
    let results: Vec<Json> = match &report.verdict {
        Verdict::Unsafe(bug) => vec![result(view, bug)],
        _ => Vec::new(),
    };
    let notifications: Vec<Json> = match &report.verdict {
        Verdict::Unknown(why) => {
            vec![json!({ "level": "warning", "message": { "text": format!("unknown: {}", reason.unwrap_or(why)) } })]
        }
        Verdict::Bounded { bound, .. } => {
            vec![json!({ "level": "note", "message": { "text": format!("bounded: no failure within bound {bound}") } })]
        }
        _ => Vec::new(),
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "Lariat", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "utf16CodeUnits",
            "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": notifications }],
            "results": results,
            "properties": { "verdict": verdict(&report.verdict) },
        }],
    })
}

fn verdict(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Safe => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Bounded { .. } => "bounded",
        Verdict::Unknown(_) => "unknown",
    }
}

fn result(view: View<'_>, bug: &lariat_verify::Bug) -> Json {
    let View { program, terms, tracer, .. } = view;
    let trace = tracer.trace(program, terms, &bug.run, Detail::default());
    let assertion = &program.assertions[bug.assertion.index()];
    let index = rule(assertion.kind);
    let at = trace::failed_at(program, bug.assertion, &bug.run, &trace);
    let message = trace::failed(assertion, &trace);
    let related = trace.failure.iter().flat_map(|f| &f.related);
    let related: Vec<Json> = related.filter_map(|Named { name, loc }| located(program, *loc, name)).collect();
    let mut result = json!({
        "ruleId": RULES[index].1,
        "ruleIndex": index,
        "level": "error",
        "message": { "text": message },
        "locations": location(program, at).into_iter().collect::<Vec<Json>>(),
        "codeFlows": [{ "threadFlows": [{ "locations": flow(program, &trace, at, &message) }] }],
    });
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    result
}

/// The steps of a trace; the last is the failure.
fn flow(program: &Program, trace: &SourceTrace, at: Loc, message: &str) -> Vec<Json> {
    let shows = |kind: &StepKind| trace.notation == Notation::Boogie || *kind != StepKind::Return { value: None };
    let steps: Vec<_> = trace.steps.iter().filter(|step| step.loc.line != 0 && shows(&step.kind)).collect();
    let first = steps.len().saturating_sub(MAX_STEPS);
    let mut flow: Vec<Json> = Vec::new();
    for step in &steps[first..] {
        if let Some(location) = located(program, step.loc, &line(trace, step)) {
            flow.push(json!({ "location": location, "nestingLevel": step.depth, "importance": "important" }));
        }
    }
    let last = located(program, at, message).unwrap_or_else(|| json!({ "message": { "text": message } }));
    flow.push(json!({ "location": last, "importance": "essential" }));
    flow
}

fn located(program: &Program, loc: Loc, message: &str) -> Option<Json> {
    let mut location = location(program, loc)?;
    location["message"] = json!({ "text": message });
    Some(location)
}

fn location(program: &Program, loc: Loc) -> Option<Json> {
    let file = program.files.get(loc.file.index()).filter(|_| loc.line != 0)?;
    let mut region = json!({ "startLine": loc.line });
    if loc.column != 0 {
        region["startColumn"] = loc.column.into();
    }
    Some(json!({ "physicalLocation": { "artifactLocation": { "uri": uri(file) }, "region": region } }))
}

/// A path as a URI: relative ones stay relative.
pub fn uri(path: &str) -> String {
    let mut out = String::new();
    if path.starts_with('/') {
        out.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(byte.into()),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri("a b/c.c"), "a%20b/c.c");
        assert_eq!(uri("/x/ä.c"), "file:///x/%C3%A4.c");
    }

    #[test]
    fn each_rule_has_its_own_name() {
        let mut names: Vec<&str> = RULES.iter().map(|rule| rule.1).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), RULES.len());
    }
}
