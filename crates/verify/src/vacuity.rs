//! Vacuity: is there anything that a verdict of safe is about?
//!
//! Contradictory assumptions leave no execution, and then nothing can fail. Some runs of the interpreter tell most
//! programs apart at no cost: one that gets through is enough. Only where assumptions block all of them, short queries
//! ask whether any execution gets to an assertion or to the end, and which assumption is to blame.

use std::time::{Duration, Instant};

use lariat_engine::Budget;
use lariat_program::{
    AssertId, AssertKind, Assertion, Loc, Program, RegionId, Stmt, StmtKind, Terminator,
    interp::{Defaults, Interpreter, Options as RunOptions, Outcome as Ended, Random, TraceLevel, ValueSource},
    reduce::{Boxes, reduce},
};
use lariat_smt::solvers;
use lariat_term::Terms;
use lariat_unfold::{CheckResult, Limits, Target, Unfolding, check};

use crate::options::Options;

/// How many runs are made, and how many steps each may take.
const RUNS: u64 = 8;
const STEPS: u64 = 20_000;

/// How many assumptions that no run meets are asked about.
const CANDIDATES: usize = 6;

/// How long the queries may take.
const TIME: Duration = Duration::from_secs(1);

/// Why a safe verdict says little.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Vacuity {
    /// The program has no assertion, or none of those that were asked about.
    NoAssertion,
    /// No entry leads to what was asked about.
    NotReached,
    /// No execution reaches an assertion or the end. None gets past the assumption there, if there is a place.
    Blocked(Loc),
}

/// If no execution from the entry reaches one of these (sorted) assertions or the end, because of what is assumed, and
/// that is easily seen: where, or no place if that is not.
pub(crate) fn blocked(
    program: &Program,
    terms: &mut Terms,
    entry: RegionId,
    asked: &[AssertId],
    options: &Options,
) -> Option<Loc> {
    let run_into = blocks_runs(program, terms, entry)?;
    let deadline = options.budget.deadline.into_iter().chain([Instant::now() + TIME]).min();
    let budget = Budget { deadline, ..options.budget.clone() };
    let limits = Limits { budget, bound: options.bound, eager_nodes: options.eager_nodes, ..Limits::default() };
    let mut question = Question { program, entry, asked, options, limits };
    if !question.never(terms, Destination::End) {
        return None;
    }
    let mut others: Vec<Loc> = Vec::new();
    for r in program.reached(entry) {
        let stmts = program.regions[r.index()].blocks.iter().flat_map(|b| &b.stmts);
        let assumed = stmts.filter(|s| matches!(s.kind, StmtKind::Assume(_)) && s.loc.line > 0).map(|s| s.loc);
        others.extend(assumed.filter(|loc| !run_into.contains(loc)));
    }
    others.sort_unstable();
    others.dedup();
    let found = run_into.iter().copied().find(|&loc| question.never(terms, Destination::Behind(loc))).or_else(|| {
        let mut others = others.into_iter().take(CANDIDATES);
        others.find(|&loc| {
            question.never(terms, Destination::Behind(loc)) && question.sometimes(terms, Destination::Before(loc))
        })
    });
    Some(found.unwrap_or(Loc::NONE))
}

/// A place in a program.
#[derive(Clone, Copy)]
enum Destination {
    /// The end, and what was asked about.
    End,
    /// Before an assumption.
    Before(Loc),
    /// Behind an assumption; the end, and what was asked about.
    Behind(Loc),
}

/// Whether executions get somewhere.
struct Question<'a> {
    program: &'a Program,
    entry: RegionId,
    asked: &'a [AssertId],
    options: &'a Options,
    limits: Limits,
}

impl Question<'_> {
    /// Does no execution get there?
    fn never(&mut self, terms: &mut Terms, place: Destination) -> bool {
        matches!(self.outcome(terms, place), Some(CheckResult::Safe))
    }

    /// Does an execution get there?
    fn sometimes(&mut self, terms: &mut Terms, place: Destination) -> bool {
        matches!(self.outcome(terms, place), Some(CheckResult::Unsafe(_)))
    }

    fn outcome(&mut self, terms: &mut Terms, place: Destination) -> Option<CheckResult> {
        let marked = mark(self.program, terms, self.entry, place, self.asked);
        let past = AssertId(self.program.assertions.len() as u32);
        let counts = |id: &AssertId| *id == past || self.program.assertions[id.index()].kind == AssertKind::Unsupported;
        let target = Target::Only((0..=past.0).map(AssertId).filter(counts).collect());
        let reduced = reduce(&marked, terms, self.entry, &|a| target.covers(a), Boxes::Inline);
        let reduced = reduced.rotated(terms, self.entry);
        let open = || solvers::open(&self.options.solver, None);
        let mut unfolding =
            Unfolding::new(&reduced.program, terms, open().ok()?, self.entry, target, self.limits.clone()).ok()?;
        let mut strategy = self.options.strategy.make(&open).ok()?;
        check(&mut unfolding, &mut *strategy, &mut |_, _| {}).ok()
    }
}

/// The assumptions that block some runs, those after the most steps first; nothing if a run is not blocked.
fn blocks_runs(program: &Program, terms: &Terms, entry: RegionId) -> Option<Vec<Loc>> {
    let options = RunOptions { steps: STEPS, trace: TraceLevel::Off, ..RunOptions::default() };
    let interpreter = Interpreter::new(program, terms, options).ok()?;
    let mut found = Vec::new();
    for seed in 0..RUNS {
        let mut source: Box<dyn ValueSource> = if seed == 0 { Box::new(Defaults) } else { Box::new(Random::new(seed)) };
        let run = interpreter.run(entry, &mut *source);
        let Ended::AssumeFailed { loc } = run.outcome else { return None };
        found.push((std::cmp::Reverse(run.steps), loc));
    }
    found.sort_unstable();
    let mut found: Vec<Loc> = found.into_iter().map(|(_, loc)| loc).collect();
    found.dedup();
    Some(found)
}

/// The program, with a last assertion that fails at a place.
fn mark(program: &Program, terms: &mut Terms, entry: RegionId, place: Destination, asked: &[AssertId]) -> Program {
    let mut marked = program.clone();
    let past = AssertId(program.assertions.len() as u32);
    marked.assertions.push(Assertion { kind: AssertKind::User, message: None, loc: Loc::NONE });
    let mark = Stmt { kind: StmtKind::Assert { id: past, cond: terms.bool(false) }, loc: Loc::NONE };
    let assumes = |s: &Stmt, loc: Loc| matches!(s.kind, StmtKind::Assume(_)) && s.loc == loc;
    let is_asked = |s: &Stmt| matches!(s.kind, StmtKind::Assert { id, .. } if asked.binary_search(&id).is_ok());
    let ends = !matches!(place, Destination::Before(_));
    for (r, region) in marked.regions.iter_mut().enumerate() {
        for block in &mut region.blocks {
            let mut stmts = Vec::with_capacity(block.stmts.len());
            for stmt in std::mem::take(&mut block.stmts) {
                let before =
                    ends && is_asked(&stmt) || matches!(place, Destination::Before(loc) if assumes(&stmt, loc));
                let behind = matches!(place, Destination::Behind(loc) if assumes(&stmt, loc));
                stmts.extend(before.then(|| mark.clone()));
                stmts.push(stmt);
                stmts.extend(behind.then(|| mark.clone()));
            }
            if ends && r == entry.index() && block.next == Terminator::Return {
                stmts.push(mark.clone());
            }
            block.stmts = stmts;
        }
    }
    marked
}
