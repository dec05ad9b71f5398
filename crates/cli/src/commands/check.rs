//! `lariat check`: can an assertion fail?

use std::{
    fmt::Write as _,
    io::{IsTerminal, Write as _},
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use lariat_program::{AssertId, AssertKind, Assertion, Loc, Program, RegionId, Stmt, StmtKind, Terminator};
use lariat_term::Terms;
use lariat_unfold::{Limits, Stop};
use lariat_verify::{Correction, EngineKind, Fate, Options, Progress, Report, StrategyKind, Targets, Verdict, verify};
use serde_json::json;

use super::{incidents, specs, stats, watch::Watch};
use crate::{
    args::{CheckArgs, Common, EngineName, Format, Mcs, Strategy, TargetKind, Trace},
    diag::Reporter,
    exit::Exit,
    load::{self, Loaded},
    story,
    trace::{self, View},
};

pub fn run(args: &CheckArgs, common: &Common, reporter: &Reporter) -> Exit {
    let start = Instant::now();
    let deadline = (!args.timeout.is_zero()).then(|| start + args.timeout);
    let style = Style::of(args, start);
    // Nothing is known yet, but the time may be over before it is.
    let watch = Watch::new(Stop::default(), Arc::default(), style, start);
    if let Some(deadline) = deadline {
        watch.deadline(deadline);
    }
    let loaded = load::program(&args.input, args.entry.first().map(String::as_str), deadline, reporter);
    watch.end();
    let Loaded { mut terms, mut program, legend, compiler } = match loaded {
        Ok(loaded) => loaded,
        Err(Exit::Unknown) => {
            return match reporter.write(watch.unknown("time limit reached").as_bytes()) {
                Exit::Success => Exit::Unknown,
                failed => failed,
            };
        }
        Err(exit) => return exit,
    };
    let front_end = (start.elapsed(), compiler);
    let options = match options(args, &mut program, &mut terms, deadline) {
        Ok(options) => options,
        Err((message, hint)) => {
            reporter.error_with_hint(&message, &hint);
            return Exit::Usage;
        }
    };
    let program = Arc::new(program);
    let style = Style { front_end: Some(front_end), ..style };
    let watch = Watch::new(options.limits.stop.clone(), program.clone(), style, start);
    watch.interrupts();
    if let Some(deadline) = options.limits.deadline {
        watch.deadline(deadline);
    }
    let mut line = ProgressLine::new(common);
    let report = verify(&program, &mut terms, &options, &mut |p| {
        watch.note(&p);
        line.show(p);
    });
    watch.end();
    line.clear();
    let mut saved = Vec::new();
    for incident in &report.incidents {
        reporter.note(&incident.message);
        let text = incidents::text(&program, &terms, args, incident);
        match incidents::save(args, &text) {
            Ok(path) => {
                reporter.note(&format!("the incident is described in {}", path.display()));
                saved.push(Some(path));
            }
            Err(why) => {
                reporter.note(&format!("the incident could not be saved: {why}"));
                saved.push(None);
            }
        }
    }
    let view = View { program: &program, terms: &terms, legend: legend.as_ref() };
    match reporter.write(style.show(view, &report, &saved).as_bytes()) {
        Exit::Success => exit(&report),
        failed => failed,
    }
}

/// What of a result to show, and how.
#[derive(Clone, Copy)]
pub(super) struct Style {
    format: Format,
    trace: Trace,
    assertions: bool,
    stats: bool,
    specs: bool,
    start: Instant,
    /// The time of the front end, and of its compiler.
    front_end: Option<(Duration, Duration)>,
}

impl Style {
    fn of(args: &CheckArgs, start: Instant) -> Style {
        let assertions = args.all_assertions || args.assertion.is_some();
        Style {
            format: args.format,
            trace: args.trace,
            assertions,
            stats: args.stats,
            specs: args.show_specs,
            start,
            front_end: None,
        }
    }

    /// How long the front end took, and how long after the start the solver was asked for the first time.
    fn times(&self, report: &Report) -> stats::Times {
        let first_query = report.stats.first_query.map(|first| first.saturating_duration_since(self.start));
        let (front_end, compiler) = self.front_end.unzip();
        stats::Times { front_end, compiler, first_query }
    }

    /// The result as text; `saved` says where the incidents are described.
    pub(super) fn show(self, view: View<'_>, report: &Report, saved: &[Option<PathBuf>]) -> String {
        match self.format {
            Format::Text => text(self, view, report),
            Format::Json => format!("{:#}\n", as_json(self, view, report, saved)),
        }
    }
}

fn exit(report: &Report) -> Exit {
    match report.verdict {
        Verdict::Safe => Exit::Success,
        Verdict::Unsafe(_) => Exit::Unsafe,
        Verdict::Bounded { .. } => Exit::Bounded,
        Verdict::Unknown(_) => Exit::Unknown,
    }
}

fn options(
    args: &CheckArgs,
    program: &mut Program,
    terms: &mut Terms,
    deadline: Option<Instant>,
) -> Result<Options, (String, String)> {
    let mut entries = Vec::new();
    match &args.entry[..] {
        [] if args.input.modular => entries.clone_from(&program.entries),
        [] => entries = load::entries(program, None)?,
        names if args.input.modular || names.iter().any(|n| n.contains('*')) => {
            let fits = |e: &&RegionId| names.iter().any(|n| matches(n, load::procedure(program, **e)));
            entries.extend(program.entries.iter().filter(fits));
            if entries.is_empty() {
                return Err((format!("no procedure is called {}", names.join(" or ")), load::procedures(program)));
            }
        }
        names => {
            for name in names {
                entries.extend(load::entries(program, Some(name))?);
            }
        }
    }
    let targets = match (args.target, &args.assertion) {
        (TargetKind::Exit, _) => Targets::Only(entries.iter().map(|&e| add_exit(program, terms, e)).collect()),
        (_, Some(which)) => Targets::Only(find_assertions(program, which)?),
        _ if args.all_assertions => Targets::Each,
        _ => Targets::Any,
    };
    let engine = match args.engine {
        EngineName::Portfolio => EngineKind::Portfolio,
        EngineName::Unfold => EngineKind::Unfold,
    };
    let correction = match args.mcs {
        Mcs::Linear => Correction::Linear,
        Mcs::Clause => Correction::ClauseD,
        Mcs::Cheapest => Correction::Cheapest,
        Mcs::Maxsat => Correction::MaxSat,
    };
    let strategy = match args.strategy {
        Strategy::Stratified => StrategyKind::Stratified,
        Strategy::Eager => StrategyKind::Eager,
        Strategy::Naive => StrategyKind::Naive,
        Strategy::Dcr => StrategyKind::Dcr,
        Strategy::DcrPlus => StrategyKind::DcrPlus,
        Strategy::Inertial => StrategyKind::Inertial(correction),
        Strategy::Infer => StrategyKind::Infer,
        Strategy::Auto => StrategyKind::Auto,
    };
    let limits =
        Limits { deadline, stop: Stop::default(), memory: args.memory, bound: args.bound, ..Limits::default() };
    Ok(Options { entries, targets, engine, strategy, solver: args.solver.clone(), limits, reduce: !args.no_reduce })
}

/// Whether a name fits a pattern in which `*` stands for any text.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let mut open = false;
    for part in parts {
        open = true;
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty() || open && pattern.rsplit('*').next().is_some_and(|last| name.ends_with(last))
}

/// An assertion that fails where a region returns.
fn add_exit(program: &mut Program, terms: &mut Terms, entry: RegionId) -> AssertId {
    let id = AssertId(program.assertions.len() as u32);
    let region = &mut program.regions[entry.index()];
    let message = Some(format!("the end of {} is reached", region.name));
    program.assertions.push(Assertion { kind: AssertKind::User, message, loc: region.loc });
    for block in &mut region.blocks {
        if block.next == Terminator::Return {
            let kind = StmtKind::Assert { id, cond: terms.bool(false) };
            block.stmts.push(Stmt { kind, loc: region.loc });
        }
    }
    id
}

fn find_assertions(program: &Program, which: &str) -> Result<Vec<AssertId>, (String, String)> {
    let found: Vec<AssertId> = match which.strip_prefix('#') {
        Some(number) => {
            let id = number.parse().ok().filter(|&n: &u32| (n as usize) < program.assertions.len());
            id.map(AssertId).into_iter().collect()
        }
        None => {
            let line: Option<u32> = which.parse().ok();
            let on_line = |loc: Loc| loc.line != 0 && Some(loc.line) == line;
            let mut ids = Vec::new();
            for stmt in program.regions.iter().flat_map(|r| &r.blocks).flat_map(|b| &b.stmts) {
                if let StmtKind::Assert { id, .. } = stmt.kind
                    && (on_line(stmt.loc) || on_line(program.assertions[id.index()].loc))
                {
                    ids.push(id);
                }
            }
            ids.sort_unstable();
            ids.dedup();
            ids
        }
    };
    if found.is_empty() {
        return Err((format!("there is no assertion {which}"), "`lariat show --as regions` lists them".into()));
    }
    Ok(found)
}

fn text(style: Style, view: View<'_>, report: &Report) -> String {
    let mut out = String::new();
    let program = view.program;
    if let Verdict::Unsafe(bug) = &report.verdict {
        out.push_str(&trace::run(view, &bug.run, style.trace));
    }
    if style.assertions {
        for (i, fate) in report.assertions.iter().enumerate() {
            let a = &program.assertions[i];
            let place = trace::place(program, a.loc);
            let _ = writeln!(out, "#{i:<4} {:<12} {place}: {}", fate_name(*fate), trace::what(a.kind));
        }
    }
    if style.specs {
        out.push_str(&specs::text(program, view.terms, report));
    }
    if style.stats {
        out.push_str(&stats::text(report, &style.times(report)));
    }
    match &report.verdict {
        Verdict::Safe => out.push_str("safe\n"),
        Verdict::Unsafe(_) => out.push_str("unsafe\n"),
        Verdict::Bounded { bound, cut } => {
            for c in cut {
                let name = &program.regions[c.region.index()].name;
                let _ = writeln!(out, "{}: not explored further: {name}", trace::place(program, c.loc));
            }
            let _ = writeln!(out, "bounded: no failure within bound {bound}");
        }
        Verdict::Unknown(why) => {
            let _ = writeln!(out, "unknown: {why}");
        }
    }
    out
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

fn as_json(style: Style, view: View<'_>, report: &Report, saved: &[Option<PathBuf>]) -> serde_json::Value {
    let View { program, terms, legend } = view;
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
    let mut result = json!({
        "assertions": assertions,
        "incidents": incidents,
        "statistics": stats::as_json(report, &style.times(report)),
    });
    if style.specs {
        result["specifications"] = specs::as_json(program, terms, report, &loc);
    }
    let verdict = match &report.verdict {
        Verdict::Safe => json!({ "verdict": "safe" }),
        Verdict::Unsafe(bug) => {
            let full = style.trace == Trace::Full;
            let mut json = json!({ "verdict": "unsafe", "failed": bug.assertion.0,
                    "entry": program.regions[bug.entry.index()].name });
            match legend {
                Some(legend) => {
                    let story = lariat_llvm::trace::story(legend, program, &bug.run, full);
                    json["trace"] = json!(story::steps(&story, &loc));
                    json["inputs"] = json!(story::inputs(&story, &loc));
                    json["objects"] = json!(story::objects(&story, &loc));
                    if let Some(place) = story.called_at {
                        json["called_at"] = loc(place);
                    }
                }
                None => json["trace"] = json!(trace::steps(program, terms, &bug.run, full, &loc)),
            }
            json
        }
        Verdict::Bounded { bound, cut } => {
            let cut: Vec<_> = cut
                .iter()
                .map(|c| json!({ "region": program.regions[c.region.index()].name, "location": loc(c.loc) }))
                .collect();
            json!({ "verdict": "bounded", "bound": bound, "not_explored": cut })
        }
        Verdict::Unknown(why) => json!({ "verdict": "unknown", "reason": why }),
    };
    if let (Some(all), serde_json::Value::Object(first)) = (result.as_object_mut(), verdict) {
        all.extend(first);
    }
    result
}

/// A live line on a terminal, nothing elsewhere.
struct ProgressLine {
    on: bool,
    last: Option<Instant>,
    start: Instant,
}

impl ProgressLine {
    fn new(common: &Common) -> ProgressLine {
        let on = !common.quiet && std::io::stderr().is_terminal();
        ProgressLine { on, last: None, start: Instant::now() }
    }

    fn show(&mut self, p: Progress<'_>) {
        let due = self.last.is_none_or(|t| t.elapsed().as_millis() >= 100);
        if !self.on || !due {
            return;
        }
        self.last = Some(Instant::now());
        let _ = write!(
            std::io::stderr(),
            "\r\x1b[K{}: bound {}, {} expanded, {} open, {} queries, {:.1} s",
            p.entry,
            p.bound,
            p.stats.expanded,
            p.open,
            p.stats.all_queries(),
            self.start.elapsed().as_secs_f64()
        );
    }

    fn clear(&mut self) {
        if self.on && self.last.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, name) in [("a", "a"), ("*", ""), ("a*", "abc"), ("*c", "abc"), ("a*c", "abcc"), ("*b*", "abc")] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("a", "ab"), ("a*d", "abc"), ("b*", "abc"), ("a*b*c", "acb")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
