//! The counters of a check, for people and for programs.

use std::{fmt::Write as _, time::Duration};

use lariat_program::Program;
use lariat_unfold::{Queries, QueryKind};
use lariat_verify::{Report, Tracking};
use serde_json::{Value, json};

/// How long things took, from the start of the program on; `None` for what did not happen.
pub struct Times {
    pub front_end: Option<Duration>,
    /// Of the front end, the compiler's part.
    pub compiler: Option<Duration>,
    pub first_query: Option<Duration>,
    /// What the process has used of the processor so far, without the compiler's, which is a process of its own.
    pub processor: Option<Duration>,
}

/// The time of the processor that this process has used.
pub fn processor_time() -> Option<Duration> {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(Duration::new(now.tv_sec.try_into().ok()?, now.tv_nsec.try_into().ok()?))
}

/// Some lines of text.
pub fn text(report: &Report, times: &Times, variables: usize) -> String {
    let s = &report.stats;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "nodes {}: {} expanded ({} unasked, {} regions), {} open",
        s.nodes,
        s.expanded,
        s.unasked,
        s.distinct_regions(),
        s.open
    );
    let asked = QueryKind::ALL.map(|kind| (kind.name(), s.queries(kind)));
    let asked: Vec<String> = asked.iter().filter(|(_, q)| q.total() > 0).map(|(name, q)| counts(name, q)).collect();
    let _ = writeln!(out, "queries: {}", if asked.is_empty() { "none".into() } else { asked.join("; ") });
    if let Some(largest) = s.correction_sizes.iter().max() {
        let (sets, sum) = (s.correction_sizes.len(), s.correction_sizes.iter().map(|&n| u64::from(n)).sum::<u64>());
        let _ = writeln!(out, "correction sets: {sets}, with {sum} nodes in all, at most {largest}");
    }
    if s.specified > 0 {
        let _ = writeln!(out, "specifications: {} conjuncts", s.specified);
    }
    for (_, reading, explored) in &report.explorations {
        let s = &explored.statistics;
        let (places, sum) = (s.predicates.len(), s.predicates.iter().sum::<usize>());
        let average = sum as f64 / places.max(1) as f64;
        let most = s.predicates.iter().max().unwrap_or(&0);
        let _ = writeln!(
            out,
            "predicate abstraction ({}): {sum} predicates at {places} places ({average:.1} on average, at most {most}), {} refinements, \
             tree of {} facts ({} made), {} queries",
            reading.name(),
            s.refinements,
            s.facts,
            s.made,
            s.queries
        );
    }
    let (solver, total) = (s.solver_time.as_secs_f64(), report.time.as_secs_f64());
    let _ = writeln!(out, "terms: {}; solver {solver:.2} s, total {total:.2} s", s.terms);
    let seconds = |time: Option<Duration>| time.map_or("-".into(), |t| format!("{:.2} s", t.as_secs_f64()));
    let (front_end, compiler) = (seconds(times.front_end), seconds(times.compiler));
    let _ = writeln!(
        out,
        "front end {front_end}, its compiler {compiler}; first query after {}; processor {}",
        seconds(times.first_query),
        seconds(times.processor)
    );
    for t in &report.tracking {
        let s = &t.stats;
        let share = |time: Duration| match (s.refining + s.searching).as_secs_f64() {
            0.0 => 0.0,
            all => 100.0 * time.as_secs_f64() / all,
        };
        let _ = writeln!(
            out,
            "tracked variables: {} of {} ({} after slicing): {}",
            s.tracked.len(),
            variables,
            s.variables,
            if s.tracked.is_empty() { "none".into() } else { s.tracked.join(", ") }
        );
        let _ = writeln!(
            out,
            "refinement: {} rounds, {} spurious, {} checks ({}), {} instances reused; {:.0} % refining, {:.0} % searching",
            s.rounds,
            s.spurious,
            s.checks,
            s.minimizer,
            s.reused,
            share(s.refining),
            share(s.searching)
        );
    }
    let _ = writeln!(out, "bugs replayed: {} of {}", report.replayed.0, report.replayed.1);
    if !report.engines.is_empty() {
        let _ = writeln!(out, "answered by: {}", report.engines.join(", "));
    }
    out
}

fn counts(name: &str, q: &Queries) -> String {
    let parts = [(q.sat, "sat"), (q.unsat, "unsat"), (q.unknown, "unknown")];
    let parts: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    format!("{name} {}", parts.join(", "))
}

/// Which variables were enough for the proofs, a sentence for each entry; nothing for proofs that tracked all of them.
///
/// Which engine is the first to find a proof may differ, so of programs with few variables this is told only if somebody asked.
pub fn needed(program: &Program, report: &Report, asked: bool) -> Vec<String> {
    if !asked && program.globals.len() < MANY {
        return Vec::new();
    }
    let proofs = || report.tracking.iter().filter(|t| t.proved);
    let several = proofs().any(|t| proofs().any(|other| other.entry != t.entry));
    let sentence = |t: &Tracking| {
        let (names, all) = (&t.stats.tracked, program.globals.len());
        // Without an abstraction, nothing is known about what is needed.
        if !t.stats.abstracted || names.len() >= all {
            return None;
        }
        let of = if several { format!("{}: ", program.regions[t.entry.index()].name) } else { String::new() };
        let some = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = names.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        match names.len() {
            0 => Some(format!("{of}the proof needs none of {all} variables")),
            n => Some(format!("{of}the proof needs only {n} of {all} variables: {some}{more}")),
        }
    };
    let mut sentences: Vec<String> = Vec::new();
    for found in proofs().filter_map(sentence) {
        if !sentences.contains(&found) {
            sentences.push(found);
        }
    }
    sentences
}

/// How many names of variables are shown.
const SHOWN: usize = 12;

/// With so many variables, people want to know which of them matter.
const MANY: usize = 64;

/// Answers by variable abstraction, as objects; the fields are in docs/json.md.
pub fn tracking(program: &Program, report: &Report) -> Vec<Value> {
    let object = |t: &Tracking| {
        let s = &t.stats;
        let compared = s.compared.iter().map(|c| {
            json!({ "path": c.path, "minimizer": c.minimizer, "open": c.open, "added": c.added, "checks": c.checks,
                    "seconds": c.time.as_secs_f64(), "minimal": c.minimal })
        });
        let mut json = json!({
            "entry": program.regions[t.entry.index()].name, "proved": t.proved,
            "tracked": s.tracked, "variables": program.globals.len(), "variables_after_slicing": s.variables,
            "rounds": s.rounds, "spurious": s.spurious, "minimizer": s.minimizer, "checks": s.checks,
            "instances_reused": s.reused,
            "refining_seconds": s.refining.as_secs_f64(), "searching_seconds": s.searching.as_secs_f64(),
        });
        if !s.compared.is_empty() {
            json["compared"] = compared.collect();
        }
        json
    };
    report.tracking.iter().map(object).collect()
}

/// An object; the fields are in docs/json.md.
pub fn as_json(report: &Report, times: &Times) -> Value {
    let s = &report.stats;
    let counts = |q: Queries| json!({ "sat": q.sat, "unsat": q.unsat, "unknown": q.unknown });
    let queries = QueryKind::ALL.map(|kind| (kind.name().to_owned(), counts(s.queries(kind))));
    let explored = report.explorations.iter().map(|(_, reading, e)| {
        let s = &e.statistics;
        json!({ "reading": reading.name(), "predicates": s.predicates, "refinements": s.refinements, "facts": s.facts,
                "made": s.made, "queries": s.queries })
    });
    let explored: Vec<Value> = explored.collect();
    json!({
        "predicate_abstraction": explored,
        "nodes": s.nodes, "expanded": s.expanded, "unasked": s.unasked, "regions": s.distinct_regions(),
        "open": s.open, "queries": Value::Object(queries.into_iter().collect()),
        "correction_sets": s.correction_sizes, "conjuncts": s.specified, "terms": s.terms,
        "solver_seconds": s.solver_time.as_secs_f64(), "seconds": report.time.as_secs_f64(),
        "front_end_seconds": times.front_end.map(|t| t.as_secs_f64()),
        "compiler_seconds": times.compiler.map(|t| t.as_secs_f64()),
        "first_query_seconds": times.first_query.map(|t| t.as_secs_f64()),
        "processor_seconds": times.processor.map(|t| t.as_secs_f64()),
        "bugs_found": report.replayed.1, "bugs_replayed": report.replayed.0,
    })
}
