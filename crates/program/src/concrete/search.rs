//! Coverage-guided random search (fuzzing) with saved states.
//!
//! Runs draw what the program leaves open. Where a loop begins a further round in a state that looks new, the state is saved; other runs go on from
//! there with other inputs, so that long sequences of inputs are found step by step. Two states look alike if their words lie between the same
//! constants that the program compares with.
//!
//! A failure comes with all that was decided on the way to it: it is made again from the beginning, with the words that were drawn.

use std::sync::Arc;

use lariat_term::{Op, Term, Terms, Value};
use rustc_hash::FxHashSet;

use super::{
    cell::{Cell, scramble},
    inputs::{Decisions, Inputs, Record},
    machine::{Flow, Machine, Path},
};
use crate::ir::{AssertId, AssertKind, Program, RegionId, StmtKind, Terminator};

/// Steps of the first runs from the beginning; later ones may take more.
const FROM_START: u64 = 200_000;

/// Steps of short runs from a saved state.
const FROM_SAVED: u64 = 2_000;

/// Steps of the run in which all inputs are zeros.
const ZEROS: u64 = 50_000_000;

/// How many values saved states may hold, and how large one may be.
const SAVED: usize = 1 << 22;
const LARGE: usize = 1 << 13;

/// How many steps are taken before it is asked whether to go on.
const ASK: u64 = 1 << 12;

/// How many variables are looked at to tell states apart.
const TOLD_APART: usize = 256;

/// What a search came to.
#[derive(Debug)]
pub enum Searched {
    /// A run fails this assertion, having decided this; nothing is said if it decided too much.
    Fails(AssertId, Option<Box<Decisions>>),
    /// It was told to stop; it can go on.
    Paused,
    /// Runs meet what has no value here.
    Stuck,
}

/// A saved state: where a run was, and the words that led there.
struct Saved {
    path: Path,
    words: u32,
}

/// How a run ended.
enum End {
    Fails(AssertId),
    /// The run of an execution, or its end before the steps were used up.
    Passed,
    Cut,
    Stuck,
    Paused,
}

/// Random runs of a program.
pub struct RandomSearch {
    machine: Machine<Inputs>,
    entry: RegionId,
    /// Words since the state before, whose number comes first (one more; zero for the beginning).
    words: Vec<(u32, Box<[u64]>)>,
    saved: Vec<Saved>,
    /// Those that were reached by a jump that was new.
    favoured: Vec<u32>,
    seen: FxHashSet<u64>,
    /// Values that saved states hold.
    held: usize,
    /// The next state to go on from.
    cursor: usize,
    runs: u64,
    stuck: u64,
    steps: u64,
    from_start: u64,
}

impl RandomSearch {
    /// Runs of a program, with its loops as regions, from an entry. These assertions count (sorted); the others hold.
    pub fn new(program: Arc<Program>, terms: Arc<Terms>, entry: RegionId, asserts: Arc<[AssertId]>) -> Self {
        let constants = constants(&program, &terms);
        RandomSearch {
            machine: Machine::new(program, terms, asserts, Inputs::new(constants)),
            entry,
            words: Vec::new(),
            saved: Vec::new(),
            favoured: Vec::new(),
            seen: FxHashSet::default(),
            held: 0,
            cursor: 0,
            runs: 0,
            stuck: 0,
            steps: 0,
            from_start: FROM_START,
        }
    }

    /// How many runs were made.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// How many statements and jumps were executed.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How many states were saved.
    pub fn saved(&self) -> usize {
        self.saved.len()
    }

    /// Makes runs, until one fails or it is told to stop.
    pub fn run(&mut self, stopped: &dyn Fn() -> bool) -> Searched {
        loop {
            if stopped() {
                return Searched::Paused;
            }
            let (end, words) = self.attempt(stopped);
            match end {
                End::Paused => return Searched::Paused,
                End::Fails(id) => return Searched::Fails(id, self.again(id, words).map(Box::new)),
                End::Stuck => self.stuck += 1,
                End::Passed | End::Cut => {}
            }
            self.runs += 1;
            if self.stuck == self.runs && self.runs > 100 {
                return Searched::Stuck;
            }
        }
    }

    /// A run from the beginning or from a saved state; how it ended, and the number of the state (one more; zero for the beginning).
    fn attempt(&mut self, stopped: &dyn Fn() -> bool) -> (End, u32) {
        self.machine.open.zeros = self.runs == 0;
        self.machine.open.begin(Vec::new());
        self.machine.entries = 0;
        if self.runs == 0 {
            let path = self.machine.start(self.entry);
            return self.go(path, 0, ZEROS, stopped);
        }
        if self.saved.is_empty() || self.runs.is_multiple_of(16) {
            let path = self.machine.start(self.entry);
            let (end, words) = self.go(path, 0, self.from_start, stopped);
            if let End::Cut = end {
                self.from_start = self.from_start.saturating_mul(2);
            }
            return (end, words);
        }
        let number = if self.runs % 4 < 2 && !self.favoured.is_empty() {
            // The last ones mostly.
            let reach = if self.machine.open.below(2) == 0 { 8 } else { self.favoured.len() };
            let back = self.machine.open.below(reach.min(self.favoured.len()));
            self.favoured[self.favoured.len() - 1 - back] as usize
        } else {
            self.cursor = (self.cursor + 1) % self.saved.len();
            self.cursor
        };
        let Saved { path, words } = &self.saved[number];
        let (path, words) = (path.clone(), *words);
        self.go(path, words, FROM_SAVED * luby(self.runs), stopped)
    }

    /// Goes on until the run ends or has taken so many steps. States that look new are saved.
    fn go(&mut self, mut path: Path, mut words: u32, steps: u64, stopped: &dyn Fn() -> bool) -> (End, u32) {
        let mut taken = 0;
        let end = loop {
            if taken >= steps {
                break End::Cut;
            }
            taken += 1;
            if taken % ASK == 0 && stopped() {
                break End::Paused;
            }
            match self.machine.step(&mut path) {
                Flow::On => {}
                Flow::Again => {
                    if let Some(number) = self.save(&path, words) {
                        words = number;
                    }
                }
                Flow::Ended => break End::Passed,
                Flow::Fails(_) if !path.certain => break End::Stuck,
                Flow::Fails(id) => match self.machine.program.assertions[id.index()].kind {
                    AssertKind::Unsupported => break End::Passed,
                    _ => break End::Fails(id),
                },
                // What follows need not be an execution.
                Flow::Approximate => break End::Passed,
                Flow::Fork(_) | Flow::Unknown(_) => break End::Stuck,
            }
        };
        self.steps += taken;
        (end, words)
    }

    /// Saves a state that looks new; gives the number of the words that led there (one more).
    fn save(&mut self, path: &Path, words: u32) -> Option<u32> {
        let new_edge = std::mem::take(&mut self.machine.open.new_edge);
        let full = self.held > SAVED;
        if full && !new_edge || self.held > 2 * SAVED {
            return None;
        }
        let look = self.look(path);
        if !self.seen.insert(look) && !new_edge {
            return None;
        }
        let size = path.stack.len() + path.globals.iter().map(|cell| 1 + cell.entries()).sum::<usize>();
        if size > LARGE {
            return None;
        }
        self.held += size + path.frames.len() + self.machine.open.drawn.len();
        self.words.push((words, std::mem::take(&mut self.machine.open.drawn).into()));
        let number = self.words.len() as u32;
        if new_edge {
            self.favoured.push(self.saved.len() as u32);
        }
        self.saved.push(Saved { path: path.clone(), words: number });
        Some(number)
    }

    /// A number for what a state looks like.
    fn look(&self, path: &Path) -> u64 {
        let Some(frame) = path.frames.last() else { return 0 };
        let constants = &self.machine.open.constants;
        let classify = |word: u64| match constants.binary_search(&word) {
            Ok(at) => 2 * at as u64 + 1,
            Err(at) => 2 * at as u64,
        };
        let inputs = &path.stack[frame.base..][..frame.code.inputs as usize];
        let cells: Box<dyn Iterator<Item = &Cell>> = Box::new(inputs.iter().chain(&path.globals).take(TOLD_APART));
        let start = scramble(u64::from(frame.code.region.0) ^ (path.frames.len() as u64) << 32);
        cells.fold(start, |look, cell| scramble(look ^ cell.digest(&classify)))
    }

    /// Makes a failing run again, from the beginning, and records what it decides.
    fn again(&mut self, id: AssertId, mut words: u32) -> Option<Decisions> {
        let mut parts: Vec<Box<[u64]>> = vec![std::mem::take(&mut self.machine.open.drawn).into()];
        while words > 0 {
            let (before, part) = &self.words[words as usize - 1];
            parts.push(part.clone());
            words = *before;
        }
        let given = parts.iter().rev().flat_map(|part| part.iter().copied()).collect();
        self.machine.open.begin(given);
        self.machine.entries = 0;
        self.machine.open.record = Some(Record::new(self.entry));
        let mut path = self.machine.start(self.entry);
        let failed = loop {
            match self.machine.step(&mut path) {
                Flow::On | Flow::Again => {}
                Flow::Fails(failed) => break Some(failed),
                _ => break None,
            }
        };
        let record = self.machine.open.record.take()?;
        if failed != Some(id) {
            return None;
        }
        record.decisions(&self.machine.terms)
    }
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, 1, …
fn luby(mut n: u64) -> u64 {
    loop {
        n += 1;
        if n.is_power_of_two() {
            return n / 2;
        }
        n -= 1;
        n -= (1 << n.ilog2()) - 1;
    }
}

/// The words that the program compares with, and the ends of ranges; sorted.
fn constants(program: &Program, terms: &Terms) -> Vec<u64> {
    let mut found: FxHashSet<u64> = FxHashSet::from_iter([0, 1, 1 << 31, 1 << 63]);
    let mut work: Vec<Term> = Vec::new();
    for block in program.regions.iter().flat_map(|region| &region.blocks) {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Assume(t) | StmtKind::Assert { cond: t, .. } => work.push(*t),
                StmtKind::Assign(pairs) => work.extend(pairs.iter().map(|(_, t)| *t)),
                StmtKind::Box { args, .. } => work.extend(args),
                StmtKind::Havoc(_) => {}
            }
        }
        if let Terminator::Branch { cond, .. } = &block.next {
            work.push(*cond);
        }
    }
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    while let Some(t) = work.pop() {
        if !seen.insert(t) {
            continue;
        }
        let args = terms.args(t);
        let compares = matches!(terms.op(t), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::Lt | Op::Le);
        for &arg in args {
            work.push(arg);
            if let (true, Op::Const(c)) = (compares, terms.op(arg)) {
                found.extend(word(terms.const_value(c)));
            }
        }
    }
    let mut found: Vec<u64> = found.into_iter().collect();
    found.sort_unstable();
    found
}

fn word(value: &Value) -> Option<u64> {
    Cell::of(value.clone()).word()
}
