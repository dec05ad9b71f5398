//! Coverage-guided random search (fuzzing) with saved states.
//!
//! Runs draw what the program leaves open. Where a loop begins a further round in a state that looks new, the state is saved; other runs go on from
//! there with other inputs, so that long sequences of inputs are found step by step. Two states look alike if their words lie between the same
//! constants that the program compares with.
//!
//! A failure comes with all that was decided on the way to it: it is made again from the beginning, with the words that were drawn.

use std::{rc::Rc, sync::Arc};

use lariat_term::{Op, Term, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    abstract_value::{AbstractValue, scramble},
    inputs::{Decisions, Inputs, Record},
    machine::{Flow, Machine, Path},
};
use crate::ir::{AssertId, AssertKind, Program, RegionId, StmtKind, Terminator};

/// Steps of short runs from the beginning.
const FROM_START: u64 = 50_000;

/// Steps of short runs from a saved state.
const FROM_SAVED: u64 = 2_000;

/// Steps of the first run in which all inputs are zeros; it is made again with more, for a part of all steps.
const ZEROS: u64 = 1_000_000;
const ZEROS_PART: u64 = 8;
const ZEROS_MOST: u64 = 1 << 26;

/// How many words a run may draw since the last state that was saved, and how many looks of states are remembered.
const DRAWN: usize = 1 << 21;
const LOOKS: usize = 1 << 21;

/// The shares of runs from the beginning, of those with changed inputs, and of those from favoured and from all saved states; what a run counts
/// besides its steps.
const SHARES: [u64; 4] = [2, 2, 3, 3];
const RUN: u64 = 100;

/// How many values saved states may hold, and how large one may be.
const SAVED: usize = 1 << 22;
const LARGE: usize = 1 << 13;

/// How many states are saved of one loop without any new jump.
const ALIKE: u32 = 1 << 14;

/// How many inputs a run may have whose inputs are kept to be changed.
const INPUTS: usize = 2_048;

/// How many steps are taken before it is asked whether to go on.
const ASK: u64 = 1 << 12;

/// How many variables are looked at to tell states apart.
const TOLD_APART: usize = 256;

/// What a search came to.
#[derive(Debug)]
pub enum Searched {
    /// A run fails this assertion, having decided this.
    Fails(AssertId, Box<Decisions>),
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
    Passed,
    /// The steps were used up.
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
    /// How many states were saved of each loop.
    alike: FxHashMap<RegionId, u32>,
    /// Inputs of runs that took a jump that was new.
    inputs: Vec<Box<[u64]>>,
    /// Values that saved states hold.
    held: usize,
    /// The next state to go on from.
    cursor: usize,
    runs: u64,
    stuck: u64,
    steps: u64,
    /// How many runs were made from the beginning.
    starts: u64,
    /// Steps of runs from the beginning, of those with changed inputs, and of those from favoured and from all saved states.
    spent: [u64; 4],
    /// Steps of the next run with zeros; none if it has ended.
    zeros: Option<u64>,
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
            alike: FxHashMap::default(),
            inputs: Vec::new(),
            held: 0,
            cursor: 0,
            runs: 0,
            stuck: 0,
            steps: 0,
            starts: 0,
            spent: [0; 4],
            zeros: Some(ZEROS),
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
                // One that decides too much to be told may be found in a shorter way.
                End::Fails(id) => {
                    if let Some(decisions) = self.again(id, words) {
                        return Searched::Fails(id, Box::new(decisions));
                    }
                }
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
        self.machine.entries = 0;
        if let Some(steps) = self.zeros
            && (steps == ZEROS || self.steps / ZEROS_PART > steps)
        {
            self.machine.open.zeros = true;
            let (end, words) = self.run_from_start(Vec::new(), steps, stopped);
            self.machine.open.zeros = false;
            self.zeros = matches!(end, End::Cut).then(|| steps * ZEROS_PART).filter(|&steps| steps <= ZEROS_MOST);
            self.inputs.extend(self.inputs_since_start(words));
            return (end, words);
        }
        // Whichever kind of run has had the least for its share.
        let possible = [true, !self.inputs.is_empty(), !self.favoured.is_empty(), !self.saved.is_empty()];
        let next = (0..4).filter(|&kind| possible[kind]).min_by_key(|&kind| self.spent[kind] / SHARES[kind]);
        let kind = next.unwrap_or(0);
        let before = self.steps;
        let (end, words) = match kind {
            0 => {
                self.starts += 1;
                self.run_from_start(Vec::new(), FROM_START * luby(self.starts), stopped)
            }
            1 => self.with_changes(stopped),
            2 => {
                let which = self.late(self.favoured.len());
                self.run_from_saved(self.favoured[which] as usize, stopped)
            }
            _ => {
                self.cursor = (self.cursor + 1) % self.saved.len();
                self.run_from_saved(self.cursor, stopped)
            }
        };
        self.spent[kind] += self.steps - before + RUN;
        if self.machine.open.new_edges
            && let Some(inputs) = self.inputs_since_start(words)
        {
            self.inputs.push(inputs);
        }
        (end, words)
    }

    /// A number below another one, one of the last mostly.
    fn late(&mut self, all: usize) -> usize {
        let reach = if self.machine.open.below(2) == 0 { all.min(8) } else { all };
        all - 1 - self.machine.open.below(reach)
    }

    fn run_from_start(&mut self, given: Vec<Option<u64>>, steps: u64, stopped: &dyn Fn() -> bool) -> (End, u32) {
        self.machine.open.begin(given);
        let path = self.machine.start(self.entry);
        self.go(path, 0, steps, stopped)
    }

    /// A run with the inputs of another one, some of which are drawn anew.
    fn with_changes(&mut self, stopped: &dyn Fn() -> bool) -> (End, u32) {
        let which = self.late(self.inputs.len());
        let mut given: Vec<Option<u64>> = self.inputs[which].iter().map(|&word| Some(word)).collect();
        let changes = match self.machine.open.below(8) {
            0..=3 => 1,
            4 | 5 => 2,
            6 => 1 + given.len() / 8,
            _ => 1 + given.len() / 2,
        };
        // Often zeros are what is asked for, or equal numbers.
        let change = match self.machine.open.below(3) {
            0 => Some(0),
            1 => Some(self.machine.open.random() >> (48 + self.machine.open.below(16))),
            _ => None,
        };
        for _ in 0..changes {
            let at = self.machine.open.below(given.len());
            if let Some(word) = given.get_mut(at) {
                *word = change;
            }
        }
        self.starts += 1;
        self.run_from_start(given, FROM_START * luby(self.starts), stopped)
    }

    fn run_from_saved(&mut self, number: usize, stopped: &dyn Fn() -> bool) -> (End, u32) {
        self.machine.open.begin(Vec::new());
        let Saved { path, words } = &self.saved[number];
        let (mut path, words) = (path.clone(), *words);
        if let Some(frame) = path.frames.last() {
            path.stack.resize(frame.base + frame.code.vars.len(), AbstractValue::Unknown);
        }
        self.go(path, words, FROM_SAVED * luby(self.runs), stopped)
    }

    /// All words of the run that has just ended, if they are not too many.
    fn inputs_since_start(&self, words: u32) -> Option<Box<[u64]>> {
        let mut parts: Vec<&[u64]> = vec![&self.machine.open.drawn];
        let mut total = parts[0].len();
        let mut before = words;
        while before > 0 && total <= INPUTS {
            let (earlier, part) = &self.words[before as usize - 1];
            total += part.len();
            parts.push(part);
            before = *earlier;
        }
        (total <= INPUTS).then(|| parts.iter().rev().flat_map(|part| part.iter().copied()).collect())
    }

    /// Goes on until the run ends or has taken so many steps. States that look new are saved.
    fn go(&mut self, mut path: Path, mut words: u32, steps: u64, stopped: &dyn Fn() -> bool) -> (End, u32) {
        let mut taken = 0;
        let end = loop {
            if taken >= steps {
                break End::Cut;
            }
            taken += 1;
            if taken % ASK == 0 {
                if stopped() {
                    break End::Paused;
                }
                if self.machine.open.drawn.len() > DRAWN {
                    break End::Cut;
                }
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
        if (full || self.seen.len() > LOOKS) && !new_edge || self.held > 2 * SAVED {
            return None;
        }
        let look = self.look(path);
        if !self.seen.insert(look) && !new_edge {
            return None;
        }
        // Of the frame, only the inputs are set when a round begins.
        let frame = path.frames.last()?;
        let stack = &path.stack[..frame.base + frame.code.inputs as usize];
        let size = stack.len() + path.globals.iter().map(|cell| 1 + cell.entries()).sum::<usize>();
        if size > LARGE {
            return None;
        }
        let alike = self.alike.entry(frame.code.region).or_default();
        *alike += 1;
        if *alike > ALIKE && !new_edge {
            return None;
        }
        self.held += size + path.frames.len() + self.machine.open.drawn.len();
        self.words.push((words, std::mem::take(&mut self.machine.open.drawn).into()));
        let number = self.words.len() as u32;
        if new_edge {
            self.favoured.push(self.saved.len() as u32);
        }
        let path = Path {
            frames: path.frames.clone(),
            stack: stack.to_vec(),
            globals: path.globals.clone(),
            certain: path.certain,
        };
        self.saved.push(Saved { path, words: number });
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
        let cells: Box<dyn Iterator<Item = &AbstractValue>> =
            Box::new(inputs.iter().chain(&path.globals).take(TOLD_APART));
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
        let given = parts.iter().rev().flat_map(|part| part.iter().map(|&word| Some(word))).collect();
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
fn constants(program: &Program, terms: &Terms) -> Rc<[u64]> {
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
    found.into()
}

fn word(value: &Value) -> Option<u64> {
    AbstractValue::of(value.clone()).word()
}
