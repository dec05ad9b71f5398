//! Runs the engine on each entry and puts the answers together.

use std::{collections::VecDeque, time::Instant};

use lariat_program::{
    AssertId, AssertKind, Assertion, Program, RegionId, Stmt, StmtKind,
    integers::{Integers, Untranslatable},
    interp,
    reduce::{Boxes, reduce},
};
use lariat_smt::{Model, Reason, solvers};
use lariat_term::Terms;
use lariat_unfold::{Engine, EngineError, Limits, NodeId, Outcome, Stats, Stop, StrategyKind, Target, Unasked, check};

use crate::{
    each::Each,
    options::{Arith, EngineKind, Options, Targets},
    prove::{Phases, beside, proved},
    replay::{ReplayError, Trust},
    report::{Bug, Cut, Fate, Incident, Report, Verdict},
    trial::trial,
    unsupported::{self, Behind},
    vacuity::{self, Vacuity},
    view::{Means, View},
};

/// Where a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The entry's name.
    pub entry: &'a str,
    /// The current recursion bound.
    pub bound: u32,
    /// Counters so far.
    pub stats: &'a Stats,
    /// What is known of each assertion so far.
    pub assertions: &'a [Fate],
    /// Bugs that replayed, and bugs found, so far.
    pub replayed: (u64, u64),
    /// How many nodes are open.
    pub open: usize,
}

/// Shows how far a run is.
pub(crate) type Show<'a> = &'a mut dyn FnMut(Progress<'_>);

/// Checks a program.
pub fn verify(program: &Program, terms: &mut Terms, options: &Options, progress: Show<'_>) -> Report {
    let start = Instant::now();
    let mut run = Run {
        program,
        options,
        report: Report::new(program),
        unknown: None,
        bounded: None,
        cut: Vec::new(),
        deadline: None,
        patient: true,
    };
    // No entry may use up the time of the others: one that takes longer than its share is asked again
    // when these have had theirs.
    let mut queue: VecDeque<(RegionId, bool)> = options.entries.iter().map(|&e| (e, true)).collect();
    while let Some((entry, first)) = queue.pop_front() {
        run.deadline = share(options.limits.deadline, queue.len() + 1);
        run.patient = !first || queue.is_empty();
        let mut reached = run.reached(entry);
        for a in &reached {
            if matches!(&options.targets, Targets::Only(list) if !list.contains(a)) || run.is_approximate(*a) {
                run.report.assertions[a.index()] = Fate::NotChecked;
            }
        }
        // What is only approximated does not fail.
        reached.retain(|&a| !run.is_approximate(a));
        if run.entry(terms, entry, &reached, progress) == Turn::Again {
            queue.push_back((entry, false));
        }
        if options.targets == Targets::Any && matches!(run.report.verdict, Verdict::Unsafe(_)) {
            break;
        }
    }
    if run.unknown.is_none() && run.bounded.is_none() && matches!(run.report.verdict, Verdict::Safe) {
        run.report.vacuous = run.vacuity(terms);
    }
    run.finish(start)
}

pub(crate) struct Run<'a> {
    program: &'a Program,
    options: &'a Options,
    report: Report,
    unknown: Option<String>,
    bounded: Option<u32>,
    cut: Vec<Cut>,
    /// When the time of this entry is over.
    pub(crate) deadline: Option<Instant>,
    /// Is this the last time that the entry is asked about?
    patient: bool,
}

/// What is asked about one entry.
pub(crate) struct Question<'a> {
    entry: RegionId,
    /// Which failures count.
    target: Target,
    /// What may come behind something unsupported.
    behind: &'a Behind,
}

/// What the engines found.
enum Found {
    Unfolded(Outcome),
    /// A plain run that fails.
    Run(AssertId, Box<interp::Run>),
}

/// Whether an entry is done with.
#[derive(PartialEq, Eq)]
enum Turn {
    Done,
    Again,
    /// It met something that is not supported, or only approximated.
    Inexact(String),
}

impl Run<'_> {
    /// The assertions in the regions that an entry may enter.
    fn reached(&self, entry: RegionId) -> Vec<AssertId> {
        let regions = self.program.reached(entry);
        let stmts = regions.iter().flat_map(|r| &self.program.regions[r.index()].blocks).flat_map(|b| &b.stmts);
        let assertion = |s: &Stmt| if let StmtKind::Assert { id, .. } = s.kind { Some(id) } else { None };
        let mut found: Vec<AssertId> = stmts.filter_map(assertion).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Can an execution from the entry go on without end, so that a proof for every bound is worth its time?
    fn proves(&self, view: View<'_>, entry: RegionId) -> bool {
        // Whoever gives a bound wants to know what happens within it.
        if self.options.engine != EngineKind::Portfolio || self.options.limits.bound.is_some() {
            return false;
        }
        let recursive = lariat_summary::recursive_regions(view.program);
        view.program.reached(entry).iter().any(|r| recursive[r.index()])
    }

    /// Checks what is asked of one entry. Whatever that is, reachable unsupported constructs count as well: behind one,
    /// nothing is known.
    fn entry(&mut self, terms: &mut Terms, entry: RegionId, reached: &[AssertId], progress: Show<'_>) -> Turn {
        let behind = Behind::new(self.program, terms.bool(false), entry);
        let covered = match &self.options.targets {
            Targets::Any | Targets::Each => reached.to_vec(),
            Targets::Only(list) => {
                let exact = !list.iter().any(|&a| behind.contains(a));
                let asked = |a: &AssertId| list.contains(a) || !exact && self.is_unsupported(*a);
                reached.iter().copied().filter(asked).collect()
            }
        };
        let target = match &self.options.targets {
            Targets::Each => Target::Selected(covered.clone()),
            Targets::Any | Targets::Only(_) => Target::Only(covered.clone()),
        };
        let question = Question { entry, target, behind: &behind };
        let mut turn = self.ask(terms, &question, &covered, progress);
        if let Turn::Inexact(why) = turn {
            self.unknown.get_or_insert(why.clone());
            // There may still be an error on a path that is exact.
            let each = self.options.targets == Targets::Each;
            let known = self.report.assertions.clone();
            let open = |a: &AssertId| !self.is_unsupported(*a) && (!each || known[a.index()] == Fate::NotChecked);
            let rest: Vec<AssertId> = covered.iter().copied().filter(open).collect();
            let target = if each { Target::Selected(rest.clone()) } else { Target::Only(rest.clone()) };
            let question = Question { target, ..question };
            turn = self.ask_exact(terms, &question, &rest, progress);
            // What holds up to there may fail behind it.
            let now = self.report.assertions.iter_mut().zip(known);
            now.filter(|(now, _)| **now != Fate::Failed).for_each(|(now, known)| *now = known);
            self.record(&rest, Answer::Unsupported(why));
        }
        turn
    }

    /// Asks about the executions that meet nothing that is approximated.
    fn ask_exact(&mut self, terms: &mut Terms, question: &Question<'_>, rest: &[AssertId], progress: Show<'_>) -> Turn {
        let Some(exact) = unsupported::exact(self.program, terms) else {
            return self.ask(terms, question, rest, progress);
        };
        // The places are the same in both programs.
        let report = std::mem::replace(&mut self.report, Report::new(&exact));
        let mut run = Run { program: &exact, report, unknown: None, bounded: None, cut: Vec::new(), ..*self };
        let turn = run.ask(terms, question, rest, progress);
        self.report = run.report;
        turn
    }

    /// Why a safe verdict says little, if it does.
    fn vacuity(&self, terms: &mut Terms) -> Vec<Vacuity> {
        let asked = |a: &AssertId| match &self.options.targets {
            Targets::Any | Targets::Each => true,
            Targets::Only(list) => list.contains(a),
        };
        let fails = |&a: &AssertId| !self.is_approximate(a) && !self.is_unsupported(a);
        let all = (0..self.program.assertions.len() as u32).map(AssertId);
        if all.filter(asked).filter(fails).count() == 0 {
            return vec![Vacuity::NoAssertion];
        }
        let reached = |&e: &RegionId| self.reached(e).into_iter().filter(asked).filter(fails).collect();
        let reached: Vec<Vec<AssertId>> = self.options.entries.iter().map(reached).collect();
        if reached.iter().all(Vec::is_empty) {
            return vec![Vacuity::NotReached];
        }
        let entries = self.options.entries.iter().zip(&reached).filter(|(_, asked)| !asked.is_empty());
        let blocked = |(&e, asked): (&RegionId, &Vec<_>)| vacuity::blocked(self.program, terms, e, asked, self.options);
        let mut found: Vec<Vacuity> = entries.filter_map(blocked).map(Vacuity::Blocked).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Is this a place behind which there may be more executions than the program has?
    fn is_approximate(&self, a: AssertId) -> bool {
        self.program.assertions[a.index()].kind == AssertKind::Approximate
    }

    /// Is this a construct that is not supported?
    pub(crate) fn is_unsupported(&self, a: AssertId) -> bool {
        self.program.assertions[a.index()].kind == AssertKind::Unsupported
    }

    /// Asks about the reduced program, and about the program as it was given where an error of the reduced one
    /// does not replay (something that was left out of it need not end).
    fn ask(&mut self, terms: &mut Terms, question: &Question<'_>, covered: &[AssertId], progress: Show<'_>) -> Turn {
        let Question { entry, target, .. } = question;
        let mut left = covered.to_vec();
        if self.options.reduce {
            // Strategies that choose what to look into want to choose among all calls.
            let boxes = match self.options.strategy.unasked() {
                Unasked::All => Boxes::Inline,
                Unasked::Loops => Boxes::Keep,
            };
            let reduced = reduce(self.program, terms, *entry, &|a| target.covers(a), boxes);
            let (program, reduced) = (&reduced.program, Some(&reduced.origins[..]));
            let view = View { given: self.program, program, reduced, integers: None };
            match self.ask_of(view, terms, question, &left, progress) {
                Ok(turn) => return turn,
                Err(Lost(rest)) => left = rest,
            }
        }
        let view = View { given: self.program, program: self.program, reduced: None, integers: None };
        self.ask_of(view, terms, question, &left, progress).unwrap_or(Turn::Done)
    }

    /// Makes an engine and takes its answer into the report.
    fn ask_of(
        &mut self,
        view: View<'_>,
        terms: &mut Terms,
        question: &Question<'_>,
        covered: &[AssertId],
        progress: Show<'_>,
    ) -> Result<Turn, Lost> {
        let &Question { entry, ref target, behind } = question;
        let integers = match self.options.arith {
            Arith::Bits => None,
            Arith::Integers => match Integers::new(view.program, terms, &[entry]) {
                Ok(integers) => Some(integers),
                Err(Untranslatable(what)) => {
                    self.record(covered, Answer::Unknown(format!("{what} cannot be read over integers")));
                    return Ok(Turn::Done);
                }
            },
        };
        let view = View { integers: integers.as_ref(), ..view };
        let deadline = self.deadline;
        let first = if self.proves(view, entry) { Some(Phases::new(deadline).unfold) } else { deadline };
        let limits =
            Limits { unasked: self.options.strategy.unasked(), deadline: first, ..self.options.limits.clone() };
        let solver = solvers::open(&self.options.solver, None).map_err(EngineError::from);
        let engine = solver.and_then(|s| Engine::new(view.unfolded(), terms, s, entry, target.clone(), limits));
        let mut engine = match engine {
            Ok(engine) => engine,
            Err(error) => {
                self.record(covered, Answer::Unknown(error.to_string()));
                return Ok(Turn::Done);
            }
        };
        engine.set_deadline(deadline);
        let mut turn = Ok(Turn::Done);
        if self.options.targets == Targets::Each {
            let each = Each { view, engine: &mut engine, entry, behind, progress };
            turn = self.each(each, covered).map(|why| why.map_or(Turn::Done, Turn::Inexact));
        } else {
            let answer = self.answer(view, &mut engine, entry, covered, progress);
            let late = deadline.is_some_and(|d| Instant::now() >= d);
            if matches!(answer, Answer::Lost) {
                turn = Err(Lost(covered.to_vec()));
            } else if let Answer::Unsupported(why) | Answer::Approximate(why) = answer {
                turn = Ok(Turn::Inexact(why));
            } else if matches!(answer, Answer::Unknown(_)) && late && !self.patient {
                turn = Ok(Turn::Again);
            } else {
                self.record(covered, answer);
            }
        }
        self.report.stats.add(engine.stats());
        if self.options.strategy == StrategyKind::Infer {
            self.report.specifications.extend(engine.specifications());
        }
        turn
    }

    /// Takes an answer about some assertions into the report.
    pub(crate) fn record(&mut self, covered: &[AssertId], answer: Answer) {
        let fate = match answer {
            Answer::Safe => Fate::Proved,
            Answer::Unsafe(assertion) => {
                self.report.assertions[assertion.index()] = Fate::Failed;
                Fate::NotChecked
            }
            Answer::Bounded(bound, cut) => {
                self.bounded = Some(self.bounded.map_or(bound, |b| b.min(bound)));
                self.cut.extend(cut);
                Fate::Bounded(bound)
            }
            Answer::Unsupported(why) | Answer::Approximate(why) | Answer::Unknown(why) => {
                self.unknown.get_or_insert(why);
                Fate::NotChecked
            }
            // Is asked about again.
            Answer::Lost => Fate::NotChecked,
        };
        for a in covered {
            let known = &mut self.report.assertions[a.index()];
            *known = worse(*known, fate);
        }
    }

    /// An answer about some assertions that the engine has for its target.
    pub(crate) fn answer(
        &mut self,
        view: View<'_>,
        engine: &mut Engine<'_>,
        entry: RegionId,
        covered: &[AssertId],
        progress: Show<'_>,
    ) -> Answer {
        let found = self.try_answer(view, engine, entry, covered, progress);
        found.unwrap_or_else(|error| Answer::Unknown(self.no_answer(engine, &error.to_string())))
    }

    /// Why engines have no answer. A solver that was cut short may say anything: then, the limit is the reason.
    fn no_answer(&self, engine: &Engine<'_>, said: &str) -> String {
        match self.options.limits.stop.cause().or_else(|| engine.must_stop()) {
            Some(cause) => cause.to_string(),
            None if said.contains("out of memory") => Reason::MemoryLimit.to_string(),
            None => said.to_owned(),
        }
    }

    fn try_answer(
        &mut self,
        view: View<'_>,
        engine: &mut Engine<'_>,
        entry: RegionId,
        covered: &[AssertId],
        progress: Show<'_>,
    ) -> Result<Answer, EngineError> {
        let outcome = match self.outcome(view, engine, entry, covered, progress)? {
            Found::Run(assertion, run) => {
                self.report.replayed.1 += 1;
                return Ok(self.bug(entry, assertion, *run));
            }
            Found::Unfolded(outcome) => outcome,
        };
        let means = Means { solver: &self.options.solver, limits: &self.options.limits };
        Ok(match outcome {
            Outcome::Safe => Answer::Safe,
            Outcome::Unknown(reason) => Answer::Unknown(self.no_answer(engine, &reason.to_string())),
            Outcome::Bounded(bound) => {
                let mut cut: Vec<Cut> = bound.cut.iter().map(|&n| cut(engine, n)).collect();
                cut.sort();
                cut.dedup();
                Answer::Bounded(bound.bound, cut)
            }
            // A proposal must stand on its own: the solver does not vouch for it.
            Outcome::Candidate(model, reason) => match view.replayed(engine, entry, &model, Trust::Nothing, means) {
                Ok((assertion, run)) if !view.contradictory(engine, means)? => {
                    self.report.replayed.1 += 1;
                    self.bug(entry, assertion, run)
                }
                _ => Answer::Unknown(self.no_answer(engine, &reason.to_string())),
            },
            Outcome::Unsafe(_) if view.contradictory(engine, means)? => Answer::Unknown(CONTRADICTION.into()),
            Outcome::Unsafe(model) => {
                let replayed = view.replayed(engine, entry, &model, Trust::Axioms, means);
                if replayed.is_err() && view.reduced.is_some() {
                    return Ok(Answer::Lost);
                }
                self.report.replayed.1 += 1;
                match replayed {
                    Ok((assertion, run)) => self.bug(entry, assertion, run),
                    Err(why) => self.incident(engine, entry, &model, why),
                }
            }
        })
    }

    /// Unfolds; where that goes on and on, some plain runs are made beside it, and a proof for every bound is looked for.
    fn outcome(
        &self,
        view: View<'_>,
        engine: &mut Engine<'_>,
        entry: RegionId,
        covered: &[AssertId],
        progress: Show<'_>,
    ) -> Result<Found, EngineError> {
        let name = &self.program.regions[entry.index()].name;
        let mut strategy = self.options.strategy.make(&|| solvers::open(&self.options.solver, None))?;
        let mut unfold = |engine: &mut Engine<'_>| {
            check(engine, &mut *strategy, &mut |engine, bound| {
                let mut stats = self.report.stats.clone();
                stats.add(engine.stats());
                let (open, assertions) = (engine.open().len(), &self.report.assertions[..]);
                let replayed = self.report.replayed;
                progress(Progress { entry: name, bound, stats: &stats, assertions, replayed, open });
            })
        };
        if !self.proves(view, entry) {
            return unfold(engine).map(Found::Unfolded);
        }
        let deadline = engine.deadline();
        let phases = Phases::new(deadline);
        engine.set_deadline(Some(phases.unfold));
        engine.set_pause(Some(PAUSE));
        let first = unfold(engine);
        engine.set_deadline(deadline);
        engine.set_pause(None);
        // That the solver gives up here does not keep others from a proof.
        let ends = |found: &Result<Outcome, EngineError>| !matches!(found, Ok(Outcome::Unknown(Reason::Incomplete(_))));
        if ends(&first) && !matches!(first, Ok(Outcome::Unknown(Reason::Timeout) | Outcome::Bounded(_))) {
            return first.map(Found::Unfolded);
        }
        let (program, solver, limits) = (self.program, &self.options.solver, &self.options.limits);
        let terms = engine.terms().clone();
        let search = |stop: &Stop| {
            let now = Instant::now();
            let until = now + phases.prove.saturating_duration_since(now) / RUNS;
            if let Some((assertion, run)) = trial(program, &terms, entry, covered, until, &|| stop.is_stopped()) {
                return Some(Found::Run(assertion, Box::new(run)));
            }
            let limits = Limits { stop: stop.clone(), ..limits.clone() };
            // Whatever goes wrong there, unfolding may still find an answer.
            let proved = proved(view.program, &terms, entry, covered, solver, &limits, phases.prove);
            matches!(proved, Ok(true)).then_some(Found::Unfolded(Outcome::Safe))
        };
        let now = Instant::now();
        let end = now + phases.prove.saturating_duration_since(now) / PATIENCE;
        let go_on = |stop: &Stop| {
            engine.set_stop(stop.clone());
            let outcome = unfold(engine);
            engine.set_stop(limits.stop.clone());
            outcome
        };
        let (found, unfolded) = beside(&limits.stop, end, search, go_on, ends);
        match (unfolded, found) {
            (Some(Ok(outcome @ (Outcome::Safe | Outcome::Unsafe(_)))), _) => Ok(Found::Unfolded(outcome)),
            (_, Some(found)) => Ok(found),
            (Some(outcome), None) => outcome.map(Found::Unfolded),
            (None, None) => Ok(Found::Unfolded(Outcome::Unknown(Reason::Timeout))),
        }
    }

    fn bug(&mut self, entry: RegionId, assertion: AssertId, run: interp::Run) -> Answer {
        self.report.replayed.0 += 1;
        if self.is_unsupported(assertion) {
            return Answer::Unsupported(unsupported(self.program, assertion));
        }
        if let Some(why) = self.approximated(&run) {
            return Answer::Approximate(why);
        }
        // Of several bugs, that of the first assertion in the first entry is shown.
        let shown = |old: &Bug| old.entry != entry || old.assertion < assertion;
        if !matches!(&self.report.verdict, Verdict::Unsafe(old) if shown(old)) {
            self.report.verdict = Verdict::Unsafe(Box::new(Bug { assertion, entry, run }));
        }
        Answer::Unsafe(assertion)
    }

    /// Why a run need not be an execution of the program: it meets something that is only approximated.
    fn approximated(&self, run: &interp::Run) -> Option<String> {
        if !self.program.assertions.iter().any(|a| a.kind == AssertKind::Approximate) {
            return None;
        }
        let mut events = run.trace.events();
        let met = events.find_map(|e| {
            let &interp::Event::Stmt { region, block, stmt, .. } = e else { return None };
            let block = &self.program.regions[region.index()].blocks[block.index()];
            match block.stmts.get(stmt as usize)?.kind {
                StmtKind::Assert { id, .. } if self.is_approximate(id) => Some(id),
                _ => None,
            }
        });
        match met {
            Some(id) => Some(place(self.program, id, "an assertion may fail, but only after what is approximated")),
            None if run.trace.dropped() > 0 => Some("an assertion may fail after what is approximated".into()),
            None => None,
        }
    }

    fn incident(&mut self, engine: &Engine<'_>, entry: RegionId, model: &Model, why: ReplayError) -> Answer {
        let message = format!("a counterexample did not replay: {why}");
        let terms = engine.terms();
        let mut values = Vec::new();
        if let Ok(model) = model.get(terms) {
            let name = |v| terms.var_name(v).to_owned();
            values.extend(model.vars().map(|(v, value)| (name(v), value.display(terms).to_string())));
            values.sort();
        }
        self.report.incidents.push(Incident { message: message.clone(), entry, run: why.run(), values });
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

/// The end of one of several equal parts of the time that is left.
pub(crate) fn share(deadline: Option<Instant>, parts: usize) -> Option<Instant> {
    let now = Instant::now();
    let parts = u32::try_from(parts).unwrap_or(u32::MAX).max(1);
    deadline.map(|d| now + d.saturating_duration_since(now) / parts)
}

/// For this part of its time the search for a proof is waited for; then unfolding goes on beside it.
const PATIENCE: u32 = 8;
/// This part of it is for plain runs.
const RUNS: u32 = 10;

/// At which bound the engine pauses for an attempt at a proof for every bound.
const PAUSE: u32 = 16;

const CONTRADICTION: &str = "an assertion fails, but the axioms of the program contradict each other";

/// An error of the reduced program did not replay; nothing is known about these assertions.
pub(crate) struct Lost(pub Vec<AssertId>);

pub(crate) enum Answer {
    /// An error of the reduced program did not replay.
    Lost,
    Safe,
    Unsafe(AssertId),
    Bounded(u32, Vec<Cut>),
    /// An execution reaches something that is not supported.
    Unsupported(String),
    /// An execution that fails meets something that is only approximated.
    Approximate(String),
    Unknown(String),
}

fn unsupported(program: &Program, assertion: AssertId) -> String {
    place(program, assertion, "an execution reaches what is not supported")
}

/// A reason that has to do with the construct at some check.
fn place(program: &Program, assertion: AssertId, why: &str) -> String {
    let Assertion { message, loc, .. } = &program.assertions[assertion.index()];
    let what = message.as_deref().unwrap_or("a construct");
    let why = format!("{why}: {what}");
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
