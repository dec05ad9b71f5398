//! What happened in a run, compactly and within bounds.

use std::collections::VecDeque;

use lariat_term::{Value, Var};

use crate::ir::{BlockId, Loc, RegionId};

/// How much of a run is recorded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum TraceLevel {
    /// Nothing.
    Off,
    /// Regions entered and left, choices, and variables whose value changes.
    #[default]
    Changes,
    /// Every statement as well.
    Full,
}

/// One thing that happened.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A region starts; the location is that of its box.
    Enter {
        /// The region.
        region: RegionId,
        /// Where it is boxed.
        loc: Loc,
    },
    /// A region returns.
    Leave {
        /// The region.
        region: RegionId,
    },
    /// A region boxes itself at its end: the next round of a loop.
    Again {
        /// The region.
        region: RegionId,
    },
    /// A statement is executed (at [`TraceLevel::Full`]).
    Stmt {
        /// Its region.
        region: RegionId,
        /// Its block.
        block: BlockId,
        /// Its position in the block.
        stmt: u32,
        /// Its location.
        loc: Loc,
    },
    /// A variable gets another value, an input its first one, or an array an element.
    Set {
        /// The region that is running; it or the program declares the variable.
        region: RegionId,
        /// The variable.
        var: Var,
        /// The new value.
        value: Value,
        /// The value before, if the variable had one in this instance of the region.
        old: Option<Value>,
        /// The statement's location.
        loc: Loc,
    },
    /// A variable that was not set in this instance of the region is read: it has this value.
    Found {
        /// The region that is running; it or the program declares the variable.
        region: RegionId,
        /// The variable.
        var: Var,
        /// The value.
        value: Value,
        /// The statement's location.
        loc: Loc,
    },
    /// An element of an array is assigned, to another value or the same. The array's [`Event::Set`] follows, and no other
    /// element changes with it.
    Write {
        /// The region that is running; it or the program declares the variable.
        region: RegionId,
        /// The variable.
        var: Var,
        /// The index, and the indices in the arrays inside.
        path: Vec<Value>,
        /// The statement's location.
        loc: Loc,
    },
    /// A variable is havocked: it gets this value, which may be the one it had.
    Havoc {
        /// The region that is running; it or the program declares the variable.
        region: RegionId,
        /// The variable.
        var: Var,
        /// The new value.
        value: Value,
        /// The statement's location.
        loc: Loc,
    },
    /// A `goto` with several possible targets.
    Choice {
        /// The region.
        region: RegionId,
        /// The target.
        target: BlockId,
        /// Where.
        loc: Loc,
    },
}

/// The events of a run, oldest first. If there were too many, the oldest are missing.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    events: VecDeque<Event>,
    dropped: u64,
    level: TraceLevel,
    capacity: usize,
}

impl Trace {
    pub(super) fn new(level: TraceLevel, capacity: usize) -> Trace {
        Trace { events: VecDeque::new(), dropped: 0, level, capacity }
    }

    /// The events.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = &Event> {
        self.events.iter()
    }

    /// How many older events are missing.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    #[inline]
    pub(super) fn wants(&self, level: TraceLevel) -> bool {
        self.level >= level
    }

    pub(super) fn add(&mut self, level: TraceLevel, event: Event) {
        if !self.wants(level) {
            return;
        }
        if self.events.len() >= self.capacity {
            self.events.pop_front();
            self.dropped += 1;
        }
        if self.capacity > 0 {
            self.events.push_back(event);
        }
    }
}
