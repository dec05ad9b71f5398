//! Runs the engine on each entry and puts the answers together.

use std::time::{Duration, Instant};

use lariat_program::{AssertId, AssertKind, Assertion, Program, RegionId, StmtKind, interp};
use lariat_smt::{Model, solvers};
use lariat_term::{Interpretation, Terms};
use lariat_unfold::{Engine, EngineError, Limits, NodeId, Outcome, Stats, StrategyKind, Target, check};

use crate::{
    oracle::Oracle,
    replay::{ReplayError, replay},
    report::{Bug, Cut, Fate, Report, Verdict},
};

/// Which assertions to check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Targets {
    /// Whether any fails; the first one found wins.
    #[default]
    Any,
    /// Each one on its own.
    Each,
    /// Only these.
    Only(Vec<AssertId>),
}

/// What to do and with what means.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where executions start; each is checked on its own.
    pub entries: Vec<RegionId>,
    /// Which assertions count.
    pub targets: Targets,
    /// How to choose what to expand.
    pub strategy: StrategyKind,
    /// The solver, as [`solvers::open`] takes it.
    pub solver: String,
    /// Deadline, interruption, memory and recursion bound.
    pub limits: Limits,
}

/// Where a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The entry's name.
    pub entry: &'a str,
    /// The current recursion bound.
    pub bound: u32,
    /// Counters so far, of this entry.
    pub stats: &'a Stats,
    /// How many nodes are open.
    pub open: usize,
}

/// Checks a program.
pub fn verify(
    program: &Program,
    terms: &mut Terms,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Report {
    let start = Instant::now();
    let mut run = Run {
        program,
        options,
        report: Report {
            verdict: Verdict::Safe,
            assertions: vec![Fate::NotReached; program.assertions.len()],
            stats: Stats::default(),
            time: Duration::ZERO,
            replayed: (0, 0),
            incidents: Vec::new(),
        },
        unknown: None,
        bounded: None,
        cut: Vec::new(),
    };
    for &entry in &options.entries {
        let reached = run.reached(entry);
        if let Targets::Only(list) = &options.targets {
            for a in reached.iter().filter(|a| !list.contains(a)) {
                run.report.assertions[a.index()] = Fate::NotChecked;
            }
        }
        for target in run.targets(&reached) {
            run.one(terms, entry, &target, &reached, progress);
        }
        if options.targets == Targets::Any && matches!(run.report.verdict, Verdict::Unsafe(_)) {
            break;
        }
    }
    run.finish(start)
}

struct Run<'a> {
    program: &'a Program,
    options: &'a Options,
    report: Report,
    unknown: Option<String>,
    bounded: Option<u32>,
    cut: Vec<Cut>,
}

impl Run<'_> {
    /// The assertions in the regions that an entry may enter.
    fn reached(&self, entry: RegionId) -> Vec<AssertId> {
        let mut seen = vec![false; self.program.regions.len()];
        let mut work = vec![entry];
        let mut found = Vec::new();
        seen[entry.index()] = true;
        while let Some(r) = work.pop() {
            for stmt in self.program.regions[r.index()].blocks.iter().flat_map(|b| &b.stmts) {
                match stmt.kind {
                    StmtKind::Assert { id, .. } => found.push(id),
                    StmtKind::Box { callee, .. } if !std::mem::replace(&mut seen[callee.index()], true) => {
                        work.push(callee);
                    }
                    _ => {}
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn targets(&self, reached: &[AssertId]) -> Vec<Target> {
        match &self.options.targets {
            Targets::Any => vec![Target::Any],
            Targets::Each => reached.iter().map(|&a| Target::Only(vec![a])).collect(),
            Targets::Only(list) => {
                let mut list = list.clone();
                list.sort_unstable();
                vec![Target::Only(list)]
            }
        }
    }

    fn one(
        &mut self,
        terms: &mut Terms,
        entry: RegionId,
        target: &Target,
        reached: &[AssertId],
        progress: &mut dyn FnMut(Progress<'_>),
    ) {
        let covered: Vec<AssertId> = match target {
            Target::Any => reached.to_vec(),
            Target::Only(list) => reached.iter().copied().filter(|a| list.binary_search(a).is_ok()).collect(),
        };
        let fate = match self.engine(terms, entry, target, progress) {
            Ok(Answer::Safe) => Fate::Proved,
            Ok(Answer::Unsafe(assertion)) => {
                self.report.assertions[assertion.index()] = Fate::Failed;
                Fate::NotChecked
            }
            Ok(Answer::Bounded(bound, cut)) => {
                self.bounded = Some(self.bounded.map_or(bound, |b| b.min(bound)));
                self.cut.extend(cut);
                Fate::Bounded(bound)
            }
            Ok(Answer::Unsupported(why)) => {
                // Another assertion may still fail before anything of that kind is reached.
                let is_real = |a: &AssertId| self.program.assertions[a.index()].kind != AssertKind::Unsupported;
                let real: Vec<AssertId> = covered.iter().copied().filter(is_real).collect();
                self.unknown.get_or_insert(why);
                if *target == Target::Any && !real.is_empty() {
                    self.one(terms, entry, &Target::Only(real), reached, progress);
                }
                Fate::NotChecked
            }
            Ok(Answer::Unknown(why)) => {
                self.unknown.get_or_insert(why);
                Fate::NotChecked
            }
            Err(error) => {
                self.unknown.get_or_insert(error.to_string());
                Fate::NotChecked
            }
        };
        for a in covered {
            let known = &mut self.report.assertions[a.index()];
            *known = worse(*known, fate);
        }
    }

    fn engine(
        &mut self,
        terms: &mut Terms,
        entry: RegionId,
        target: &Target,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Answer, EngineError> {
        let solver = solvers::open(&self.options.solver, None)?;
        let limits = Limits { unasked: self.options.strategy.unasked(), ..self.options.limits.clone() };
        let mut engine = Engine::new(self.program, terms, solver, entry, target.clone(), limits)?;
        let name = &self.program.regions[entry.index()].name;
        let mut strategy = self.options.strategy.make(&|| solvers::open(&self.options.solver, None))?;
        let outcome = check(&mut engine, &mut *strategy, &mut |engine, bound| {
            progress(Progress { entry: name, bound, stats: engine.stats(), open: engine.open().len() });
        });
        let answer = match outcome? {
            Outcome::Safe => Answer::Safe,
            Outcome::Unknown(reason) => Answer::Unknown(reason.to_string()),
            Outcome::Bounded(bound) => {
                let mut cut: Vec<Cut> = bound.cut.iter().map(|&n| cut(&engine, n)).collect();
                cut.sort();
                cut.dedup();
                Answer::Bounded(bound.bound, cut)
            }
            Outcome::Unsafe(_) if self.contradictory(&mut engine)? => Answer::Unknown(CONTRADICTION.into()),
            Outcome::Unsafe(model) => {
                self.report.replayed.1 += 1;
                match self.replayed(&mut engine, entry, &model) {
                    Ok((assertion, run)) => {
                        self.report.replayed.0 += 1;
                        if self.program.assertions[assertion.index()].kind == AssertKind::Unsupported {
                            return Ok(Answer::Unsupported(unsupported(self.program, assertion)));
                        }
                        let bug = Bug { assertion, entry, run };
                        if !matches!(self.report.verdict, Verdict::Unsafe(_)) {
                            self.report.verdict = Verdict::Unsafe(Box::new(bug));
                        }
                        Answer::Unsafe(assertion)
                    }
                    Err(why) => self.incident(why.to_string()),
                }
            }
        };
        add(&mut self.report.stats, engine.stats());
        Ok(answer)
    }

    /// The run of the interpreter that a model describes, and the assertion that fails in it.
    fn replayed(
        &self,
        engine: &mut Engine<'_>,
        entry: RegionId,
        model: &Model,
    ) -> Result<(AssertId, interp::Run), ReplayError> {
        let values = model.get(engine.terms()).map_err(EngineError::from)?;
        let oracle = || Oracle::new(self.program, values, &self.options.solver, &self.options.limits);
        let mut walker = oracle();
        let execution = engine.execution(model, &mut |terms, t| walker.compute(terms, t, &|v| values.var(terms, v)))?;
        let run = replay(self.program, engine.terms(), entry, &execution, values, oracle(), engine.axioms())?;
        Ok((execution.assertion.unwrap_or(AssertId(0)), run))
    }

    /// Do the axioms contradict each other, those included that were left out because nothing
    /// reachable speaks about them? Then there are no executions, and what was found is no error.
    fn contradictory(&self, engine: &mut Engine<'_>) -> Result<bool, EngineError> {
        if engine.axioms().len() == self.program.axioms.len() {
            return Ok(false);
        }
        let axioms = engine.all_axioms();
        let mut solver = solvers::open(&self.options.solver, None)?;
        for axiom in axioms {
            solver.assert(engine.terms(), axiom)?;
        }
        solver.set_limits(lariat_smt::Limits {
            resource: Some(1_000_000),
            ..lariat_smt::Limits::time(Duration::from_secs(1))
        });
        Ok(solver.check(engine.terms(), &[])?.is_unsat())
    }

    fn incident(&mut self, why: String) -> Answer {
        let message = format!("a counterexample did not replay: {why}");
        self.report.incidents.push(message.clone());
        Answer::Unknown(message)
    }

    fn finish(mut self, start: Instant) -> Report {
        if !matches!(self.report.verdict, Verdict::Unsafe(_)) {
            self.report.verdict = match (self.unknown, self.bounded) {
                (Some(why), _) => Verdict::Unknown(why),
                (None, Some(bound)) => {
                    self.cut.sort();
                    self.cut.dedup();
                    Verdict::Bounded { bound, cut: self.cut }
                }
                (None, None) => Verdict::Safe,
            };
        }
        self.report.time = start.elapsed();
        self.report
    }
}

const CONTRADICTION: &str = "an assertion fails, but the axioms of the program contradict each other";

enum Answer {
    Safe,
    Unsafe(AssertId),
    Bounded(u32, Vec<Cut>),
    /// An execution reaches something that is not supported.
    Unsupported(String),
    Unknown(String),
}

fn unsupported(program: &Program, assertion: AssertId) -> String {
    let Assertion { message, loc, .. } = &program.assertions[assertion.index()];
    let what = message.as_deref().unwrap_or("a construct");
    let why = format!("an execution reaches what is not supported: {what}");
    match program.files.get(loc.file.index()) {
        Some(file) if loc.line > 0 => format!("{why} ({file}:{}:{})", loc.line, loc.column),
        _ => why,
    }
}

fn cut(engine: &Engine<'_>, n: NodeId) -> Cut {
    let node = engine.node(n);
    let loc = engine.box_loc(n);
    Cut { region: node.region, loc }
}

/// The less that is known of the two, except that a failure stays a failure.
fn worse(a: Fate, b: Fate) -> Fate {
    use Fate::*;
    match (a, b) {
        (Failed, _) | (_, Failed) => Failed,
        (NotReached, other) | (other, NotReached) => other,
        (NotChecked, _) | (_, NotChecked) => NotChecked,
        (Bounded(x), Bounded(y)) => Bounded(x.min(y)),
        (Bounded(x), Proved) | (Proved, Bounded(x)) => Bounded(x),
        (Proved, Proved) => Proved,
    }
}

fn add(total: &mut Stats, more: &Stats) {
    total.nodes += more.nodes;
    total.expanded += more.expanded;
    total.unasked += more.unasked;
    total.under += more.under;
    total.over += more.over;
    total.solver_time += more.solver_time;
    total.correction += more.correction;
    total.claims += more.claims;
    total.specified += more.specified;
    total.correction_sizes.extend(&more.correction_sizes);
    total.regions.resize(total.regions.len().max(more.regions.len()), 0);
    total.regions.iter_mut().zip(&more.regions).for_each(|(t, m)| *t += m);
}
