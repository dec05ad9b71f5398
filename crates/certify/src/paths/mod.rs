//! Re-execution: checks that no execution fails by following all of them on exact values, what is left open being any value.
//!
//! This is the check of certificates that say *by execution* ([`Certificate::by_execution`](crate::Certificate::by_execution)), whatever found
//! them: explicit-state execution of the program as it was given, of a few pages. It shares no code with the engine that
//! finds such proofs; only what an operator gives for exact values is computed by the one definition there is (`lariat_term::fold`).
//!
//! A region is executed round by round: its self-box (a loop's next round) starts the next one, so that the number of rounds costs no depth.
//! Where a branch depends on what is not known, both ways are followed, at first each for itself ([`Ways::Apart`]), and, if these become too
//! many, together from where they meet ([`Ways::Joined`]): a value that differs is then any value.
//!
//! What always holds: [`AbstractValue::Any`] stands for every value, and what is not understood is that. An assumption that is not known
//! to fail does not end a path. So whatever an execution does, a path that is followed does. An assertion that counts has to be known
//! to hold on each of them.

mod abstract_value;
mod body;

use std::rc::Rc;

use lariat_program::{AssertId, Loc, Program, RegionId, RegionKind};
use lariat_summary::Definitions;
use lariat_term::{Terms, Var};
use rustc_hash::FxHashMap;

use abstract_value::AbstractValue;
use body::{Body, Next, Slot, Step};

/// How many paths are followed at a time, each for itself.
const PATHS: usize = 2_000;

/// How deep calls may be nested.
const DEPTH: usize = 20_000;

/// How many elements may be stored in arrays, each store to a new index counted.
const ELEMENTS: u64 = 1 << 23;

/// After how many blocks it is asked whether to go on.
const BLOCKS: u32 = 1 << 12;

/// What following all executions came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Followed {
    /// None fails.
    Safe,
    /// This assertion fails, whatever is left open.
    Fails(AssertId, Loc),
    /// It is not known, and why.
    Unknown(&'static str),
}

/// What becomes of paths that meet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ways {
    Apart,
    Joined,
}

/// Why a path is not followed to its end.
enum Stop {
    Fails(AssertId, Loc),
    /// Whether paths that are joined could be followed is not known.
    Split(&'static str),
    Ends(&'static str),
}

/// Follows all executions from an entry.
pub(crate) fn follow(
    program: &Program,
    terms: &mut Terms,
    entry: RegionId,
    counts: &dyn Fn(AssertId) -> bool,
    stopped: &dyn Fn() -> bool,
) -> Followed {
    let definitions = Definitions::new(program, terms);
    let mut machine = Machine {
        globals: program.globals.iter().enumerate().map(|(i, d)| (d.var, i)).collect(),
        bodies: vec![None; program.regions.len()],
        registers: Vec::new(),
        program,
        terms,
        definitions,
        counts,
        stopped,
        ways: Ways::Apart,
        depth: 0,
        elements: 0,
        until_asked: BLOCKS,
    };
    let mut first = None;
    for ways in [Ways::Apart, Ways::Joined] {
        (machine.ways, machine.depth, machine.elements) = (ways, 0, 0);
        let region = &program.regions[entry.index()];
        let start = State {
            own: vec![AbstractValue::Any; region.inputs.len()],
            globals: vec![AbstractValue::Any; program.globals.len()],
            certain: true,
        };
        match machine.region(entry, start) {
            Ok(_) => return Followed::Safe,
            Err(Stop::Fails(id, loc)) => return Followed::Fails(id, loc),
            Err(Stop::Ends(why)) => return Followed::Unknown(first.unwrap_or(why)),
            Err(Stop::Split(why)) => first = first.or(Some(why)),
        }
    }
    Followed::Unknown(first.unwrap_or_default())
}

/// The values on a path.
#[derive(Clone)]
struct State {
    /// Those of the region's own variables; at its start and at its end, the inputs and the outputs alone.
    own: Vec<AbstractValue>,
    globals: Vec<AbstractValue>,
    /// Does being here depend on nothing that is not known?
    certain: bool,
}

impl State {
    /// What is known of both.
    fn join(&mut self, other: &State) {
        let same = |a: &mut Vec<AbstractValue>, b: &[AbstractValue]| a.iter_mut().zip(b).for_each(|(a, b)| a.join(b));
        same(&mut self.own, &other.own);
        same(&mut self.globals, &other.globals);
        self.certain &= other.certain;
    }

    fn is_same(&self, other: &State) -> bool {
        let same = |a: &[AbstractValue], b: &[AbstractValue]| a.iter().zip(b).all(|(a, b)| a.is_same(b));
        same(&self.own, &other.own) && same(&self.globals, &other.globals)
    }

    fn cell(&self, place: Slot) -> &AbstractValue {
        match place {
            Slot::Own(i) => &self.own[i],
            Slot::Global(i) => &self.globals[i],
        }
    }

    fn set(&mut self, place: Slot, cell: AbstractValue) {
        match place {
            Slot::Own(i) => self.own[i] = cell,
            Slot::Global(i) => self.globals[i] = cell,
        }
    }
}

/// A path in a round of a region, before a statement.
struct Path {
    block: usize,
    step: usize,
    state: State,
}

/// The rounds of an instance.
#[derive(Default)]
struct Rounds {
    /// Where the next rounds start.
    next: Vec<State>,
    /// Where the region returns.
    ends: Vec<State>,
}

struct Machine<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    definitions: Definitions,
    counts: &'a dyn Fn(AssertId) -> bool,
    stopped: &'a dyn Fn() -> bool,
    globals: FxHashMap<Var, usize>,
    bodies: Vec<Option<Rc<Body>>>,
    registers: Vec<AbstractValue>,
    ways: Ways,
    depth: usize,
    elements: u64,
    until_asked: u32,
}

impl Machine<'_> {
    /// The ends of an instance of a region.
    fn region(&mut self, id: RegionId, start: State) -> Result<Vec<State>, Stop> {
        if self.depth == DEPTH {
            return Err(Stop::Ends("calls are nested too deep"));
        }
        self.depth += 1;
        let ends = stacker::maybe_grow(256 << 10, 8 << 20, || self.rounds(id, start));
        self.depth -= 1;
        ends
    }

    fn rounds(&mut self, id: RegionId, start: State) -> Result<Vec<State>, Stop> {
        let body = self.body(id);
        let mut rounds = Rounds::default();
        let mut starts = vec![start];
        // The state that a round started from alone, some rounds ago (Brent's way of finding cycles).
        let mut earlier: Option<State> = None;
        let mut number = 0u64;
        while !starts.is_empty() {
            if let [start] = &starts[..] {
                // What comes from the same state has been followed.
                if earlier.as_ref().is_some_and(|earlier| earlier.is_same(start)) {
                    break;
                }
                if number.is_power_of_two() {
                    earlier = Some(start.clone());
                }
            }
            number += 1;
            for start in starts {
                self.round(id, &body, start, &mut rounds)?;
            }
            starts = std::mem::take(&mut rounds.next);
        }
        Ok(rounds.ends)
    }

    fn round(&mut self, id: RegionId, body: &Rc<Body>, start: State, rounds: &mut Rounds) -> Result<(), Stop> {
        let State { own: mut cells, globals, certain } = start;
        cells.resize(body.variables, AbstractValue::Any);
        let mut open = vec![Path { block: 0, step: 0, state: State { own: cells, globals, certain } }];
        while let Some(path) = self.take(body, &mut open) {
            self.path(id, body, path, &mut open, rounds)?;
        }
        Ok(())
    }

    /// The path that is followed next: where paths are joined, one of those that are least far, so that others can still meet it.
    fn take(&self, body: &Body, open: &mut Vec<Path>) -> Option<Path> {
        if self.ways == Ways::Apart || open.len() < 2 {
            return open.pop();
        }
        // In a block, the later statement comes first: it is the one that goes on.
        let (at, _) = open.iter().enumerate().min_by_key(|(_, p)| (body.blocks[p.block].rank, usize::MAX - p.step))?;
        Some(open.swap_remove(at))
    }

    fn goto(&self, open: &mut Vec<Path>, path: Path) -> Result<(), Stop> {
        if self.ways == Ways::Joined
            && let Some(other) = open.iter_mut().find(|p| (p.block, p.step) == (path.block, path.step))
        {
            other.state.join(&path.state);
            return Ok(());
        }
        open.push(path);
        if open.len() > PATHS { Err(Stop::Split("there are too many paths")) } else { Ok(()) }
    }

    /// Adds a state to those at one place.
    fn gather(&self, states: &mut Vec<State>, state: State) -> Result<(), Stop> {
        match states.first_mut() {
            Some(other) if self.ways == Ways::Joined => other.join(&state),
            _ => states.push(state),
        }
        if states.len() > PATHS { Err(Stop::Split("there are too many paths")) } else { Ok(()) }
    }

    /// Follows a path to the end of its block.
    fn path(
        &mut self,
        id: RegionId,
        body: &Rc<Body>,
        path: Path,
        open: &mut Vec<Path>,
        rounds: &mut Rounds,
    ) -> Result<(), Stop> {
        self.until_asked -= 1;
        if self.until_asked == 0 {
            self.until_asked = BLOCKS;
            if (self.stopped)() {
                return Err(Stop::Ends("there was not enough time to execute it"));
            }
        }
        if self.elements > ELEMENTS {
            return Err(Stop::Ends("arrays have too many elements"));
        }
        let Path { block, step, mut state } = path;
        for (at, step) in body.blocks[block].steps.iter().enumerate().skip(step) {
            match step {
                Step::Assume(code) => match self.truth(code, &state) {
                    Some(true) => {}
                    Some(false) => return Ok(()),
                    None => state.certain = false,
                },
                Step::Assert { id, loc, code, counts } => match (self.truth(code, &state), counts) {
                    (Some(true), _) => {}
                    (Some(false), true) if state.certain => return Err(Stop::Fails(*id, *loc)),
                    (Some(false), true) => return Err(Stop::Split("a failure depends on a value that is not known")),
                    (None, true) => return Err(Stop::Split("an assertion depends on a value that is not known")),
                    (Some(false), false) => return Ok(()),
                    (None, false) => state.certain = false,
                },
                Step::Assign(updates) => {
                    let cells: Vec<AbstractValue> = updates.iter().map(|(_, code)| self.value(code, &state)).collect();
                    updates.iter().zip(cells).for_each(|(&(place, _), cell)| state.set(place, cell));
                }
                Step::Havoc(places) => places.iter().for_each(|&place| state.set(place, AbstractValue::Any)),
                Step::Box { callee, args, results } => {
                    let args: Vec<AbstractValue> = args.iter().map(|code| self.value(code, &state)).collect();
                    let State { own, globals, certain } = state;
                    let start = State { own: args, globals, certain };
                    if *callee == id && matches!(self.program.regions[id.index()].kind, RegionKind::Loop { .. }) {
                        return self.gather(&mut rounds.next, start);
                    }
                    let mut ends = self.region(*callee, start)?;
                    let last = ends.pop();
                    let after = |own: Vec<AbstractValue>, end: State| {
                        let mut state = State { own, globals: end.globals, certain: end.certain };
                        results.iter().zip(end.own).for_each(|(&place, cell)| state.set(place, cell));
                        Path { block, step: at + 1, state }
                    };
                    ends.into_iter().try_for_each(|end| self.goto(open, after(own.clone(), end)))?;
                    return last.map_or(Ok(()), |end| self.goto(open, after(own, end)));
                }
            }
        }
        match &body.blocks[block].next {
            Next::Return => {
                let own = body.outputs.iter().map(|&i| state.own[i].clone()).collect();
                self.gather(&mut rounds.ends, State { own, ..state })
            }
            Next::Branch(code, yes, no) => match self.truth(code, &state) {
                Some(holds) => self.goto(open, Path { block: if holds { *yes } else { *no }, step: 0, state }),
                None => self.fork(open, state, &[*yes, *no]),
            },
            Next::Goto(to) => match to[..] {
                [block] => self.goto(open, Path { block, step: 0, state }),
                _ => self.fork(open, state, to),
            },
        }
    }

    fn fork(&self, open: &mut Vec<Path>, mut state: State, to: &[usize]) -> Result<(), Stop> {
        state.certain = false;
        to.iter().try_for_each(|&block| self.goto(open, Path { block, step: 0, state: state.clone() }))
    }
}
