//! Which engines work on a program, in which reading, when they begin and with which share of the processor.
//!
//! Unfolding works from the start. The others join it where executions may go on without end, the cheap ones first; variable abstraction
//! also where they all end, if there are many globals. Each
//! has a thread; the operating system shares the processors among them, so that none has to be interrupted, and no share
//! depends on the time limit. Most answers are found soon or not at all: an engine has a larger share until it has used
//! some time of a processor.

use std::time::Duration;

use lariat_engine::{Engine, Reading, Task};
use lariat_horn::{
    SpacerMode,
    engines::{Annotations, ExplicitValues, KInduction, Spacer, has_reading},
};

use lariat_localize::Localize;
use lariat_pdr::Pdr;
use lariat_predicate::PredicateAbstraction;

use crate::engines::{Concrete, Houdini, RandomRuns, Unfold};

/// An engine with its reading and its share.
pub struct Row {
    /// The engine.
    pub engine: &'static dyn Engine,
    /// How it reads the program.
    pub reading: Reading,
    /// Only if the program has none of these readings, which suit it better.
    unless: &'static [Reading],
    /// When it begins, in milliseconds. It begins at once where nobody else works.
    starts: u64,
    /// Its share of the processors at first, against those of the others.
    pub first: u32,
    /// For how much work of a processor it has that, in milliseconds.
    ahead: u64,
    /// Its share afterwards.
    pub weight: u32,
}

impl Row {
    /// Its name: that of the engine, with the reading if it is not the program as it is.
    pub fn name(&self) -> String {
        match self.reading {
            Reading::Bits => self.engine.name().to_owned(),
            reading => format!("{} ({})", self.engine.name(), reading.name()),
        }
    }

    /// When it begins.
    pub(crate) fn starts(&self) -> Duration {
        Duration::from_millis(self.starts)
    }

    /// After how much work it has its share only.
    pub(crate) fn demoted(&self) -> Duration {
        Duration::from_millis(self.ahead)
    }

    /// Is the row meant for this task?
    pub(crate) fn is_for(&self, task: &Task) -> bool {
        !self.unless.iter().any(|&reading| has_reading(task, reading))
    }
}

/// A row: the engine and how it reads the program, unless it has one of some other readings; when it begins, in
/// milliseconds; its weight at first, and for how much work, in milliseconds; and its weight afterwards.
pub const fn row(
    engine: &'static dyn Engine,
    reading: Reading,
    unless: &'static [Reading],
    starts: u64,
    (first, ahead): (u32, u64),
    weight: u32,
) -> Row {
    Row { engine, reading, unless, starts, first, ahead, weight }
}

use Reading::{Bits, Cells, IntegerCells, Integers};

/// Z3's Spacer; neither way of search is the better one for all programs.
static SPACER: Spacer = Spacer(SpacerMode::Global);
static SPACER_LOCAL: Spacer = Spacer(SpacerMode::Local);

/// Lazy predicate abstraction.
static PREDICATE: PredicateAbstraction = PredicateAbstraction;

/// The largest weight: that of a thread with the priority of the process.
pub(crate) const LARGEST: u32 = 128;

/// The schedule. A reading that a program does not have leaves its row out: integers where there are no bit-vectors, cells
/// where there are no maps. Engines that end soon if they are of use at all have large weights at first.
#[rustfmt::skip]
pub static SCHEDULE: &[Row] = &[
    //  engine           reading       unless there is     starts  first: weight, for   weight
    row(&Unfold,         Bits,         &[],                0,      (32, 1_000),         12),
    row(&Concrete,       Bits,         &[],                20,     (32, 1_000),         4),
    row(&Localize,       Bits,         &[],                50,     (12, 1_000),         4),
    row(&Annotations,    Bits,         &[],                10,     (32, 4_000),         6),
    row(&ExplicitValues, Cells,        &[],                20,     (128, 1_000),        6),
    row(&ExplicitValues, Bits,         &[Cells],           20,     (128, 1_000),        6),
    row(&Pdr,            Cells,        &[],                80,     (16, 1_000),         6),
    row(&Pdr,            Bits,         &[Cells],           80,     (16, 1_000),         6),
    row(&KInduction,     Cells,        &[],                40,     (8, 200),            2),
    row(&KInduction,     Bits,         &[Cells],           40,     (8, 200),            2),
    row(&Houdini,        Bits,         &[],                50,     (8, 400),            2),
    row(&RandomRuns,     Bits,         &[],                30,     (16, 1_500),         6),
    row(&SPACER,         IntegerCells, &[],                100,    (8, 200),            2),
    row(&SPACER,         Integers,     &[],                100,    (8, 200),            2),
    row(&SPACER_LOCAL,   IntegerCells, &[],                150,    (8, 200),            2),
    row(&SPACER_LOCAL,   Integers,     &[IntegerCells],    150,    (8, 200),            2),
    row(&SPACER,         Cells,        &[],                200,    (8, 200),            2),
    row(&SPACER,         Bits,         &[IntegerCells],    200,    (8, 200),            2),
    row(&SPACER_LOCAL,   Cells,        &[IntegerCells],    250,    (8, 200),            2),
    row(&SPACER_LOCAL,   Bits,         &[Integers, Cells], 250,    (8, 200),            2),
    row(&PREDICATE,      IntegerCells, &[],                300,    (6, 200),            1),
    row(&PREDICATE,      Integers,     &[],                300,    (6, 200),            1),
    row(&PREDICATE,      Cells,        &[IntegerCells],    350,    (6, 200),            1),
    row(&PREDICATE,      Bits,         &[Integers],        350,    (6, 200),            1),
];

/// Which rows of the schedule may answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Engines {
    /// All of them.
    #[default]
    Portfolio,
    /// Those of these engines.
    Only(Vec<String>),
}

impl Engines {
    /// Those with these names; otherwise, the name that no engine has.
    pub fn named<'n>(names: &[&'n str]) -> Result<Engines, &'n str> {
        match names.iter().find(|name| !SCHEDULE.iter().any(|row| row.engine.name() == **name)) {
            Some(unknown) => Err(unknown),
            None => Ok(Engines::Only(names.iter().map(|&name| name.to_owned()).collect())),
        }
    }

    /// Unfolding alone.
    pub fn unfold() -> Engines {
        Engines::Only(vec![Unfold.name().to_owned()])
    }

    /// May this engine answer?
    pub fn has(&self, name: &str) -> bool {
        match self {
            Engines::Portfolio => true,
            Engines::Only(names) => names.iter().any(|n| n == name),
        }
    }

    /// Does unfolding answer?
    pub(crate) fn unfolds(&self) -> bool {
        self.has(Unfold.name())
    }

    /// The row of unfolding.
    pub(crate) fn unfolding() -> &'static Row {
        &SCHEDULE[0]
    }

    /// The rows of a schedule for engines other than unfolding.
    pub(crate) fn others(&self, schedule: &'static [Row]) -> Vec<&'static Row> {
        schedule.iter().filter(|row| row.engine.name() != Unfold.name() && self.has(row.engine.name())).collect()
    }
}

/// The engines, each once, in the order of the schedule.
pub fn engines() -> Vec<&'static dyn Engine> {
    let mut all: Vec<&'static dyn Engine> = Vec::new();
    for row in SCHEDULE {
        if !all.iter().any(|engine| engine.name() == row.engine.name()) {
            all.push(row.engine);
        }
    }
    all
}
