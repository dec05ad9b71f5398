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
        /// How many rounds further it is: more than one where what happened in between is left out.
        rounds: u32,
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

/// The events of a run, oldest first. If there were too many, the oldest are missing, but for those that say how
/// the run got to the others: inputs, and calls with their arguments that are running or asked for inputs.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// What is left of the oldest events.
    kept: Kept,
    events: VecDeque<Event>,
    dropped: u64,
    level: TraceLevel,
    capacity: usize,
}

impl Trace {
    pub(super) fn new(level: TraceLevel, capacity: usize) -> Trace {
        Trace { kept: Kept::default(), events: VecDeque::new(), dropped: 0, level, capacity }
    }

    /// The events.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = &Event> {
        self.kept.events.iter().chain(&self.events)
    }

    /// How many older events are missing.
    pub fn dropped(&self) -> u64 {
        self.dropped - (self.kept.events.len() as u64).min(self.dropped)
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
            self.dropped += 1;
            if let Some(oldest) = self.events.pop_front() {
                self.kept.add(oldest);
            }
        }
        if self.capacity > 0 {
            self.events.push_back(event);
        }
    }
}

/// So many inputs are enough.
const MAX_KEPT: usize = 1 << 20;

/// What is left of events that a trace has no room for.
#[derive(Clone, Debug, Default)]
struct Kept {
    events: Vec<Event>,
    /// Where the regions that are running were entered.
    running: Vec<usize>,
    /// Was the last event of all the start of a region, or an argument of it?
    starts: bool,
}

impl Kept {
    fn add(&mut self, event: Event) {
        let starts = std::mem::take(&mut self.starts);
        match &event {
            Event::Enter { .. } => {
                self.running.push(self.events.len());
                self.starts = true;
                self.events.push(event);
            }
            Event::Leave { .. } => {
                let start = self.running.pop();
                // A call that asked for no input.
                let silent = |e: &Event| matches!(e, Event::Set { .. } | Event::Again { .. });
                match start.filter(|&start| self.events[start + 1..].iter().all(silent)) {
                    Some(start) => self.events.truncate(start),
                    None => self.events.push(event),
                }
            }
            Event::Again { region, rounds } => match self.events.last_mut() {
                Some(Event::Again { region: same, rounds: before }) if same == region => *before += rounds,
                _ => self.events.push(event),
            },
            Event::Set { var, .. } if starts => {
                let start = self.running.last().copied().unwrap_or(0);
                let same = |e: &Event| matches!(e, Event::Set { var: other, .. } if other == var);
                // Each argument is set once.
                if !self.events[start..].iter().any(same) {
                    self.starts = true;
                    self.events.push(event);
                }
            }
            Event::Havoc { .. } | Event::Found { .. } if self.events.len() < MAX_KEPT => self.events.push(event),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_and_running_calls_are_kept() {
        let (main, quiet, asks) = (RegionId(0), RegionId(1), RegionId(2));
        let mut terms = lariat_term::Terms::new();
        let x = terms.var("x", lariat_term::Sort::INT);
        let (var, loc) = (terms.as_var(x).expect("a variable"), Loc::NONE);
        let set = |region| Event::Set { region, var, value: Value::int(1), old: None, loc };
        let havoc = |region| Event::Havoc { region, var, value: Value::int(2), loc };
        let enter = |region| Event::Enter { region, loc };
        let stmt = |region| Event::Stmt { region, block: BlockId(0), stmt: 0, loc };
        let mut trace = Trace::new(TraceLevel::Full, 1);
        let again = |rounds| Event::Again { region: main, rounds };
        for _ in 0..3 {
            for event in [enter(quiet), set(quiet), stmt(quiet), set(quiet), Event::Leave { region: quiet }] {
                trace.add(TraceLevel::Full, event);
            }
        }
        let rest = [enter(main), set(main), stmt(main), set(main), again(1), set(main), again(1)];
        let asked = [enter(asks), stmt(asks), havoc(asks), Event::Leave { region: asks }, stmt(main)];
        rest.into_iter().chain(asked).for_each(|event| trace.add(TraceLevel::Full, event));
        let expected =
            [enter(main), set(main), again(2), enter(asks), havoc(asks), Event::Leave { region: asks }, stmt(main)];
        assert_eq!(trace.events().cloned().collect::<Vec<_>>(), expected);
        assert_eq!(trace.dropped(), 15 + 7 + 5 - 7);
    }
}
