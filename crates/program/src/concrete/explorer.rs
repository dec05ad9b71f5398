//! Follows all paths, with unknown values for what is left open.

use std::sync::Arc;

use lariat_term::{Terms, Var};
use rustc_hash::FxHashMap;

use super::{
    abstract_value::AbstractValue,
    machine::{Asked, At, Flow, Machine, Path, Resolver},
};
use crate::ir::{AssertId, BlockId, Program, RegionId};

/// How many paths are followed.
const PATHS: usize = 2_000;

/// How many instances of regions are listed.
const LISTED: usize = 1 << 12;

/// How many steps are taken before it is asked whether to go on.
const STEPS: u32 = 1 << 12;

/// What following all paths came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Explored {
    /// No execution fails an assertion that counts.
    Safe,
    /// All executions fail this assertion.
    Fails(AssertId),
    /// It is not known, and why.
    Unknown(&'static str),
    /// It was told to stop; it can go on.
    Paused,
}

/// An instance of a region: the number of the instance that boxes it, and the statement that does.
pub type Call = (u32, BlockId, u32);

/// The instances that were entered: the first one is that of the entry.
#[derive(Default)]
struct Calls {
    numbers: FxHashMap<Call, u32>,
    /// In the order of their numbers, from 1 on.
    list: Vec<Call>,
}

/// What is left open is unknown. The calls are `None` if there are too many.
struct Unknowns(Option<Calls>);

impl Resolver for Unknowns {
    fn value(&mut self, _: &Terms, _: Asked, _: Var, _: At) -> AbstractValue {
        AbstractValue::Unknown
    }

    fn choose(&mut self, _: usize, _: At) -> Option<usize> {
        None
    }

    fn enter(&mut self, at: At, _: RegionId) -> u32 {
        let Some(calls) = &mut self.0 else { return 0 };
        let call = (at.instance, at.block, at.stmt);
        let next = calls.list.len() as u32 + 1;
        let number = *calls.numbers.entry(call).or_insert(next);
        if number == next {
            calls.list.push(call);
        }
        if calls.list.len() > LISTED {
            self.0 = None;
        }
        number
    }
}

/// Follows the paths of a program.
pub struct Explorer {
    machine: Machine<Unknowns>,
    open: Vec<Path>,
    paths: usize,
    steps: u64,
}

impl Explorer {
    /// The paths of a program, with its loops as regions, from an entry. These assertions count (sorted); the others hold.
    pub fn new(program: Arc<Program>, terms: Arc<Terms>, entry: RegionId, asserts: Arc<[AssertId]>) -> Self {
        let mut machine = Machine::new(program, terms, asserts, Unknowns(Some(Calls::default())));
        let open = vec![machine.start(entry)];
        Explorer { machine, open, paths: 1, steps: 0 }
    }

    /// How many statements and jumps were executed.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How many paths there are so far.
    pub fn paths(&self) -> usize {
        self.paths
    }

    /// The instances of regions that were entered, each after the one that boxes it (the entry has number 0); `None` if there are too many.
    pub fn calls(&self) -> Option<&[Call]> {
        self.machine.open.0.as_ref().map(|calls| &calls.list[..])
    }

    /// Follows all paths, until it is told to stop.
    pub fn run(&mut self, stopped: &dyn Fn() -> bool) -> Explored {
        let mut left = STEPS;
        while let Some(mut path) = self.open.pop() {
            loop {
                left -= 1;
                if left == 0 {
                    left = STEPS;
                    self.steps += u64::from(STEPS);
                    if stopped() {
                        self.open.push(path);
                        return Explored::Paused;
                    }
                }
                match self.machine.step(&mut path) {
                    // What follows takes in more than the program does.
                    Flow::On | Flow::Again | Flow::Approximate => {}
                    Flow::Ended => break,
                    Flow::Fails(id) if path.certain => return Explored::Fails(id),
                    Flow::Fails(_) => return Explored::Unknown("a failure depends on an unknown value"),
                    Flow::Unknown(why) => return Explored::Unknown(why),
                    Flow::Fork(to) => {
                        path.certain = false;
                        self.paths += to.len().saturating_sub(1);
                        if self.paths > PATHS {
                            return Explored::Unknown("there are too many paths");
                        }
                        for &block in to.iter().rev() {
                            let mut other = path.clone();
                            other.goto(block);
                            self.open.push(other);
                        }
                        break;
                    }
                }
            }
        }
        Explored::Safe
    }
}
