//! Runs the engine on each entry and puts the answers together.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use lariat_engine::{Budget, Engine};
use lariat_localize::Localize;
use lariat_program::{
    AssertId, AssertKind, Assertion, Program, RegionId, Stmt, StmtKind,
    integers::{Integers, Untranslatable},
    interp,
    reduce::{Boxes, reduce},
};
use lariat_term::Terms;
use lariat_unfold::{Stats, StrategyKind, Target, Unasked};

use crate::{
    each::Each,
    options::{Arith, Options, Targets},
    passes::{OverIntegers, Pass, Reduction, View},
    portfolio::Given,
    report::{Bug, Certified, Cut, Fate, Incident, Report, Tracking, Verdict},
    search::Search,
    unsupported::{self, Behind},
    vacuity::{self, Vacuity},
    validate::Validated,
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
pub fn verify(program: &Arc<Program>, terms: &mut Terms, options: &Options, progress: Show<'_>) -> Report {
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
    // Engines take regions to be acyclic: of a loop they would see one round.
    if let Some(region) = program.cyclic_region() {
        run.unknown = Some(format!("a loop of {} is no region", program.regions[region.index()].name));
        return run.finish(start);
    }
    // No entry may use up the time of the others: one that takes longer than its slice is asked again, with a longer
    // one, when these have had theirs.
    let mut queue: VecDeque<(RegionId, Duration)> = options.entries.iter().map(|&e| (e, SLICE)).collect();
    while let Some((entry, slice)) = queue.pop_front() {
        let late = options.budget.deadline.is_some_and(|d| Instant::now() >= d);
        run.patient = queue.is_empty() || late;
        run.deadline = if run.patient { options.budget.deadline } else { part(options.budget.deadline, slice) };
        let mut reached = run.reached(entry);
        for a in &reached {
            if matches!(&options.targets, Targets::Only(list) if !list.contains(a)) || run.never_fails(*a) {
                run.report.assertions[a.index()] = Fate::NotChecked;
            }
        }
        // What is only approximated, or only proposed, does not fail.
        reached.retain(|&a| !run.never_fails(a));
        if run.entry(terms, entry, &reached, progress) == Turn::Again {
            queue.push_back((entry, slice * 2));
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
    program: &'a Arc<Program>,
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
        let exact = Arc::new(exact);
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
        let fails = |&a: &AssertId| !self.never_fails(a) && !self.is_unsupported(a);
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

    /// Is this something that does not fail: a place behind which there may be more executions than the program has, or a
    /// candidate for an invariant?
    fn never_fails(&self, a: AssertId) -> bool {
        !self.program.assertions[a.index()].kind.fails()
    }

    fn is_candidate(&self, a: AssertId) -> bool {
        self.program.assertions[a.index()].kind == AssertKind::Candidate
    }

    /// Was the run ended from outside?
    pub(crate) fn is_stopped(&self) -> bool {
        self.options.budget.stop.is_stopped()
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
            let mut reduced = reduce(self.program, terms, *entry, &|a| target.covers(a), boxes);
            let rotated = reduced.rotated(terms, *entry);
            if self.program.assertions.iter().any(|a| a.kind == AssertKind::Candidate) {
                // For those who look for invariants, what candidates are about counts, too.
                let counts = |a| target.covers(a) || self.is_candidate(a);
                reduced = reduce(self.program, terms, *entry, &counts, boxes);
            }
            let [rotated, reduced] = [rotated, reduced].map(|r| Arc::new(Reduction::new(r)) as Arc<dyn Pass>);
            match self.ask_of(vec![rotated], vec![reduced], terms, question, &left, progress) {
                Ok(turn) => return turn,
                Err(Lost(rest)) => left = rest,
            }
        }
        self.ask_of(Vec::new(), Vec::new(), terms, question, &left, progress).unwrap_or(Turn::Done)
    }

    /// Asks the engines about what some passes made of the program (those for unfolding, and those for the others), and takes their answer
    /// into the report.
    fn ask_of(
        &mut self,
        passes: Vec<Arc<dyn Pass>>,
        others: Vec<Arc<dyn Pass>>,
        terms: &mut Terms,
        question: &Question<'_>,
        covered: &[AssertId],
        progress: Show<'_>,
    ) -> Result<Turn, Lost> {
        let &Question { entry, ref target, behind } = question;
        let others = View { given: self.program.clone(), passes: others };
        let mut view = View { passes, ..others.clone() };
        let integers = match self.options.arith {
            Arith::Bits => None,
            Arith::Integers => match Integers::new(view.program(), terms, &[entry]) {
                Ok(integers) => Some(integers),
                Err(Untranslatable(what)) => {
                    self.record(covered, Answer::Unknown(format!("{what} cannot be read over integers")));
                    return Ok(Turn::Done);
                }
            },
        };
        view.passes.extend(integers.map(|i| Arc::new(OverIntegers::new(i)) as Arc<dyn Pass>));
        let mut search = match Search::new(&view, &others, terms, entry, target, self.options) {
            Ok(search) => search,
            Err(error) => {
                self.record(covered, Answer::Unknown(error.to_string()));
                return Ok(Turn::Done);
            }
        };
        let mut turn = Ok(Turn::Done);
        if self.options.targets == Targets::Each {
            let each = Each { search: &mut search, entry, behind, progress };
            turn = self.each(each, covered).map(|why| why.map_or(Turn::Done, Turn::Inexact));
        } else {
            let answer = self.answer(&mut search, entry, covered, self.deadline, progress);
            let late = self.deadline.is_some_and(|d| Instant::now() >= d);
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
        if let Some(stats) = search.stats() {
            self.report.stats.add(stats);
        }
        if self.options.strategy == StrategyKind::Infer {
            self.report.specifications.extend(search.specifications());
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

    /// What the engines say about these assertions, which must be those that count.
    pub(crate) fn answer(
        &mut self,
        search: &mut Search<'_>,
        entry: RegionId,
        covered: &[AssertId],
        deadline: Option<Instant>,
        progress: Show<'_>,
    ) -> Answer {
        let budget = Budget { deadline, ..self.options.budget.clone() };
        let name = &self.program.regions[entry.index()].name;
        let (before, assertions) = (&self.report.stats, &self.report.assertions[..]);
        let replayed = self.report.replayed;
        let given = search.ask(covered, &budget, &mut |stats, bound, open| {
            let mut all = before.clone();
            all.add(stats);
            progress(Progress { entry: name, bound, stats: &all, assertions, replayed, open });
        });
        for (reading, explored) in search.explorations() {
            self.report.explorations.retain(|(e, r, _)| (*e, *r) != (entry, *reading));
            self.report.explorations.push((entry, *reading, explored.clone()));
        }
        self.report.rejected.extend(search.rejected());
        self.report.rejected.sort_unstable();
        self.report.rejected.dedup();
        let tracked = search.tracked();
        self.decide(entry, given, tracked)
    }

    /// Puts the answers of engines together. Two that contradict each other are a fault of Lariat.
    fn decide(&mut self, entry: RegionId, given: Vec<Given>, tracked: Option<Arc<lariat_localize::Stats>>) -> Answer {
        let by = |wanted: fn(&Validated) -> bool| given.iter().find(|(_, s)| wanted(s)).map(|(name, _)| name.clone());
        let proof = by(|s| matches!(s, Validated::Proof(_)));
        if let (Some(bug), Some(proof)) = (by(|s| matches!(s, Validated::Bug(..))), proof) {
            let message = format!("engines contradict each other: {bug} found a bug, and {proof} a proof");
            let run =
                given.into_iter().find_map(|(_, s)| if let Validated::Bug(_, run) = s { Some(run) } else { None });
            self.report.incidents.push(Incident { message: message.clone(), entry, run, values: Vec::new() });
            self.report.contradiction = true;
            return Answer::Unknown(message);
        }
        // That of the unfolding comes first. An answer counts more than the reason why there is none.
        let best = |s: &Validated| match s {
            Validated::Bug(..) => 0,
            Validated::Proof(_) => 1,
            Validated::Lost | Validated::Incident(_) | Validated::Bounded(..) => 2,
            Validated::Rejected(_) => 3,
            Validated::Nothing(_) => 4,
        };
        let Some((engine, answer)) = given.into_iter().min_by_key(|(_, s)| best(s)) else {
            self.track(entry, false, tracked);
            let why = self.options.budget.used_up().map(|reason| reason.to_string());
            return Answer::Unknown(why.unwrap_or_else(|| "no engine was asked".into()));
        };
        let answers = matches!(answer, Validated::Bug(..) | Validated::Proof(_) | Validated::Bounded(..));
        if answers && !self.report.engines.contains(&engine) {
            self.report.engines.push(engine.clone());
        }
        if engine == Localize.name() {
            self.track(entry, matches!(answer, Validated::Proof(_)), tracked);
        }
        match answer {
            Validated::Bug(assertion, run) => {
                self.report.replayed.1 += 1;
                self.bug(entry, assertion, *run)
            }
            Validated::Proof(certified) => {
                self.report.certificates.extend(certified.map(|c| Certified { engine, ..*c }));
                Answer::Safe
            }
            Validated::Lost => Answer::Lost,
            Validated::Bounded(bound, cut) => {
                Answer::Bounded(bound, cut.into_iter().map(|(region, loc)| Cut { region, loc }).collect())
            }
            Validated::Incident(incident) => {
                self.report.replayed.1 += 1;
                let message = incident.message.clone();
                self.report.incidents.push(*incident);
                Answer::Unknown(message)
            }
            Validated::Rejected(incident) => {
                let message = format!("{engine}: {}", incident.message);
                self.report.incidents.push(Incident { message: message.clone(), ..*incident });
                Answer::Unknown(message)
            }
            Validated::Nothing(why) => {
                Answer::Unknown(self.options.budget.used_up().map_or(why, |reason| reason.to_string()))
            }
        }
    }

    /// Takes note of what variable abstraction did.
    fn track(&mut self, entry: RegionId, proved: bool, tracked: Option<Arc<lariat_localize::Stats>>) {
        if let Some(stats) = tracked {
            self.report.stats.add(&stats.unfolding);
            self.report.tracking.push(Tracking { entry, proved, stats: (*stats).clone() });
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
        let met = run.approximated?;
        Some(place(self.program, met, "an assertion may fail, but only after what is approximated"))
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

/// How long an entry or assertion may keep others waiting at first.
pub(crate) const SLICE: Duration = Duration::from_secs(2);

/// The end of one of several equal parts of the time that is left.
pub(crate) fn share(deadline: Option<Instant>, parts: usize) -> Option<Instant> {
    let now = Instant::now();
    let parts = u32::try_from(parts).unwrap_or(u32::MAX).max(1);
    deadline.map(|d| now + d.saturating_duration_since(now) / parts)
}

/// The end of a slice, or of the time.
pub(crate) fn part(deadline: Option<Instant>, slice: Duration) -> Option<Instant> {
    let end = Instant::now() + slice;
    Some(deadline.map_or(end, |d| d.min(end)))
}

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
