//! The result of a check, for people and for programs.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    path::PathBuf,
    time::{Duration, Instant},
};

use lariat_llvm::{assumptions::Assumptions, translate::Undefined};
use lariat_program::{AssertKind, Detail, Loc, Program};
use lariat_source::Notation;
use lariat_verify::{Certified, Engines, Fate, Report, Track, Vacuity, Verdict};
use serde_json::json;

use super::{
    native::Native,
    predicates,
    reached::{self, Asked, Reached},
    specs, stats, verify_certificate,
};
use crate::{
    args::{CheckArgs, Format, Trace},
    inputs, sarif, source_trace,
    trace::{self, View},
    witness::Invariant,
};

/// The version of the JSON form: its first number changes where a field goes away or means something else.
const FORMAT_VERSION: &str = "1.0";

/// What else there is to say.
#[derive(Default)]
pub struct Extra<'a> {
    /// Where the incidents are described.
    pub saved: &'a [Option<PathBuf>],
    /// How far the check came.
    pub reached: Reached,
    /// What a native execution has shown.
    pub native: Option<&'a Native>,
    /// The loop invariants of a proof, if they are asked for.
    pub invariants: &'a [Invariant],
}

/// What of a result to show, and how.
#[derive(Clone, Copy)]
pub struct Style {
    format: Format,
    trace: Trace,
    assertions: bool,
    stats: bool,
    specs: bool,
    invariants: bool,
    predicates: bool,
    /// Did somebody ask for variable abstraction?
    tracking: bool,
    asked: Asked,
    start: Instant,
    /// The time of the front end, and of its compiler.
    front_end: Option<(Duration, Duration)>,
}

/// Is all asked at once, about one entry?
fn one_question(args: &CheckArgs) -> bool {
    let one_entry = args.entry.len() <= 1 && !args.entry.iter().any(|name| name.contains('*'));
    !args.all_assertions && !args.input.modular && one_entry
}

impl Style {
    /// As the command line asks for; `start` is when the program started.
    pub fn of(args: &CheckArgs, start: Instant) -> Style {
        let assertions = args.all_assertions || args.assertion.is_some();
        Style {
            format: args.format,
            trace: args.trace,
            assertions,
            stats: args.stats,
            specs: args.show_specs,
            invariants: args.show_invariants,
            predicates: args.predicates.show_predicates,
            asked: Asked { selected: matches!(&args.engine, Engines::Only(_)), one: one_question(args) },
            tracking: args.track != Track::Auto || matches!(&args.engine, Engines::Only(_)),
            start,
            front_end: None,
        }
    }

    /// The same, with the time of the front end and of its compiler.
    pub fn after_front_end(self, times: (Duration, Duration)) -> Style {
        Style { front_end: Some(times), ..self }
    }

    /// How long the front end took, and how long after the start the solver was asked for the first time.
    fn times(&self, report: &Report) -> stats::Times {
        let first_query = report.stats.first_query.map(|first| first.saturating_duration_since(self.start));
        let (front_end, compiler) = self.front_end.unzip();
        stats::Times { front_end, compiler, first_query, processor: stats::processor_time() }
    }

    /// The result as SARIF.
    pub fn sarif(self, view: View<'_>, report: &Report, extra: &Extra<'_>) -> serde_json::Value {
        let reason = match &report.verdict {
            Verdict::Unknown(why) => Some(reached::reason(why, extra.reached)),
            _ => None,
        };
        sarif::log(view, report, reason.as_deref())
    }

    /// The result for people.
    pub fn text(self, view: View<'_>, report: &Report, extra: &Extra<'_>) -> String {
        text(self, view, report, extra)
    }

    /// The result in the form that is asked for.
    pub fn show(self, view: View<'_>, report: &Report, extra: &Extra<'_>) -> String {
        match self.format {
            Format::Text => self.text(view, report, extra),
            Format::Sarif => format!("{:#}\n", self.sarif(view, report, extra)),
            Format::Json => format!("{:#}\n", as_json(self, view, report, extra)),
        }
    }
}

fn text(style: Style, view: View<'_>, report: &Report, extra: &Extra<'_>) -> String {
    let reached = extra.reached;
    let mut out = String::new();
    let program = view.program;
    if let Verdict::Unsafe(bug) = &report.verdict {
        out.push_str(&trace::run(view, &bug.run, style.trace));
    }
    if style.assertions {
        for (i, fate) in report.assertions.iter().enumerate() {
            let a = &program.assertions[i];
            let place = trace::place(program, a.loc);
            let said = a.message.as_ref().filter(|_| a.kind == AssertKind::User);
            let said = said.map_or(String::new(), |message| format!(": {message}"));
            let _ = writeln!(out, "#{i:<4} {:<12} {place}: {}{said}", fate_name(*fate), trace::what(a.kind));
        }
    }
    if style.predicates {
        out.push_str(&predicates::text(program, report));
    }
    if style.invariants {
        for invariant in extra.invariants {
            let _ = writeln!(out, "{}: invariant {}", trace::place(program, invariant.loc), invariant.formula);
        }
    }
    if style.specs {
        out.push_str(&specs::text(program, view.terms, report));
    }
    if style.stats {
        out.push_str(&stats::text(report, &style.times(report), program.globals.len()));
    }
    vacuous(view, report).iter().for_each(|line| out.extend([line, "\n"]));
    out.extend(assumed(view, &report.verdict));
    if matches!(report.verdict, Verdict::Safe) {
        stats::needed(program, report, style.tracking).iter().for_each(|line| out.extend([line, "\n"]));
    }
    out.extend(verify_certificate::not_certified(program, report).map(|line| format!("{line}\n")));
    match &report.verdict {
        Verdict::Safe => out.push_str("safe\n"),
        Verdict::Unsafe(_) => {
            if let Some(native) = extra.native {
                let _ = writeln!(out, "{}", native.text);
            }
            out.push_str("unsafe\n");
        }
        Verdict::Bounded { bound, cut } => {
            for c in cut {
                let name = reached::named(program, c.region.index());
                let _ = writeln!(out, "{}: not explored further: {name}", trace::place(program, c.loc));
            }
            let _ = writeln!(out, "bounded: no failure within bound {bound}");
        }
        Verdict::Unknown(why) => {
            reached::text(program, report, reached, style.asked).iter().for_each(|line| out.extend([line, "\n"]));
            let _ = writeln!(out, "unknown: {}", reached::reason(why, reached));
        }
    }
    out
}

/// Why a safe verdict says little, a sentence each.
fn vacuous(view: View<'_>, report: &Report) -> Vec<String> {
    let sentence = |why: &Vacuity| match *why {
        Vacuity::NoAssertion => "nothing was checked: the program has no assertion".to_owned(),
        Vacuity::NotReached => "nothing was checked: no execution leads to an assertion".to_owned(),
        Vacuity::Blocked(Loc { line: 0, .. }) => {
            "nothing was checked: there is no execution, what is assumed cannot hold".to_owned()
        }
        Vacuity::Blocked(loc) => {
            let place = trace::place(view.program, loc);
            format!("no execution gets past {place}: what is assumed there cannot hold")
        }
    };
    report.vacuous.iter().map(sentence).collect()
}

/// What the verdict rests on, in one line; nothing if there is nothing to say, or no verdict.
fn assumed(view: View<'_>, verdict: &Verdict) -> Option<String> {
    let words = view.assumptions?.words(match verdict {
        Verdict::Safe | Verdict::Bounded { .. } => true,
        Verdict::Unsafe(_) => false,
        Verdict::Unknown(_) => return None,
    });
    (!words.is_empty()).then(|| format!("assuming: {}\n", words.join("; ")))
}

fn as_json_assumptions(assumed: &Assumptions, program: &Program) -> serde_json::Value {
    let approximate = program.assertions.iter().filter(|a| a.kind == AssertKind::Approximate);
    let approximated: BTreeSet<&str> = approximate.filter_map(|a| a.message.as_deref()).collect();
    let rule = match assumed.rule {
        Undefined::Havoc => "havoc",
        Undefined::Any => "any",
        Undefined::Error => "error",
    };
    json!({
        "undefined": assumed.undefined,
        "undefined_rule": rule,
        "models": assumed.models,
        "malloc_may_fail": assumed.malloc_may_fail,
        "largest_object": assumed.largest_object,
        "largest_object_from_outside": assumed.largest_outside,
        "formats_without_n": assumed.unread_formats,
        "approximated": approximated,
    })
}

fn fate_name(fate: Fate) -> String {
    match fate {
        Fate::Failed => "failed".into(),
        Fate::Proved => "proved".into(),
        Fate::Bounded(k) => format!("bounded({k})"),
        Fate::NotReached => "not reached".into(),
        Fate::NotChecked => "not checked".into(),
    }
}

fn as_json(style: Style, view: View<'_>, report: &Report, extra: &Extra<'_>) -> serde_json::Value {
    let (saved, reached) = (extra.saved, extra.reached);
    let View { program, terms, tracer, assumptions } = view;
    let loc = |l: Loc| match program.files.get(l.file.index()) {
        Some(file) if l.line != 0 => json!({ "file": file, "line": l.line, "column": l.column }),
        _ => serde_json::Value::Null,
    };
    let assertions: Vec<serde_json::Value> = program
        .assertions
        .iter()
        .zip(&report.assertions)
        .enumerate()
        .map(|(i, (a, fate))| {
            json!({ "id": i, "kind": trace::kind_name(a.kind), "message": a.message, "location": loc(a.loc),
                    "result": fate_name(*fate) })
        })
        .collect();
    let incidents: Vec<serde_json::Value> = report
        .incidents
        .iter()
        .zip(saved)
        .map(|(i, file)| json!({ "message": i.message, "file": file.as_ref().map(|f| f.to_string_lossy()) }))
        .collect();
    let assumptions = assumptions.map(|assumed| as_json_assumptions(assumed, program));
    let mut result = json!({
        "format_version": FORMAT_VERSION,
        "lariat_version": env!("CARGO_PKG_VERSION"),
        "assertions": assertions,
        "incidents": incidents,
        "engines": report.engines,
        "statistics": stats::as_json(report, &style.times(report)),
    });
    if !report.tracking.is_empty() {
        result["tracking"] = stats::tracking(program, report).into();
    }
    if let Some(assumptions) = assumptions {
        result["assumptions"] = assumptions;
    }
    if matches!(report.verdict, Verdict::Safe) {
        result["certified"] = report.certificates.iter().all(Certified::is_accepted).into();
        result["certificates"] = report.certificates.iter().map(|c| verify_certificate::as_json(program, c)).collect();
    }
    if style.predicates {
        result["predicates"] = predicates::as_json(report, &loc);
    }
    if style.invariants && matches!(report.verdict, Verdict::Safe) {
        let one = |i: &Invariant| json!({ "location": loc(i.loc), "function": i.function, "formula": i.formula });
        result["invariants"] = extra.invariants.iter().map(one).collect();
    }
    if style.specs {
        result["specifications"] = specs::as_json(program, terms, report, &loc);
    }
    let verdict = match &report.verdict {
        Verdict::Safe => json!({ "verdict": "safe", "vacuous": vacuous(view, report) }),
        Verdict::Unsafe(bug) => {
            let mut json = json!({ "verdict": "unsafe", "failed": bug.assertion.0,
                    "entry": program.regions[bug.entry.index()].name });
            let detail = Detail { all: style.trace == Trace::Full, repeated: true };
            let trace = tracer.trace(program, terms, &bug.run, detail);
            json["trace"] = json!(source_trace::steps(&trace, &loc));
            let plain = tracer.trace(program, terms, &bug.run, Detail::default());
            json["brief"] = json!(source_trace::brief_steps(&plain, &loc));
            if trace.notation == Notation::C {
                json["inputs"] = json!(source_trace::inputs(&trace, &loc));
                json["objects"] = json!(source_trace::objects(&trace, &loc));
            }
            if let Some(place) = trace.called_at {
                json["called_at"] = loc(place);
            }
            if let Some(called) = &trace.called {
                json["called"] = json!(called);
            }
            let what = trace::failed(&program.assertions[bug.assertion.index()], &trace);
            if let Some(replay) = inputs::recorded(program, terms, &bug.run) {
                json["replay"] = replay;
            }
            if let Some(native) = extra.native {
                json["native"] = native.as_json();
            }
            json["failure"] = source_trace::failure(&trace, what, &loc);
            json["failure"]["location"] = loc(trace::failed_at(program, bug.assertion, &bug.run, &trace));
            json
        }
        Verdict::Bounded { bound, cut } => {
            let cut: Vec<_> = cut
                .iter()
                .map(|c| json!({ "region": program.regions[c.region.index()].name, "location": loc(c.loc) }))
                .collect();
            json!({ "verdict": "bounded", "bound": bound, "not_explored": cut })
        }
        Verdict::Unknown(why) => json!({ "verdict": "unknown", "reason": reached::reason(why, reached),
                "reached": reached::as_json(program, report, reached) }),
    };
    if let (Some(all), serde_json::Value::Object(first)) = (result.as_object_mut(), verdict) {
        all.extend(first);
    }
    result
}
