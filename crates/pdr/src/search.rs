//! Property-directed reachability (IC3, Bradley 2011) with one SAT solver for all frames.
//!
//! Frame i over-approximates the states after at most i steps. A *lemma* is a cube that no such state is in. From the error backwards,
//! cubes of states that lead to it are to be blocked: each by a lemma that is inductive relative to the frame before, and as general as it can be made. If a
//! frame equals the next one, it is an inductive invariant without the error.

use std::{cmp::Reverse, collections::BinaryHeap};

use lariat_term::{Terms, Value, Var};
use rustc_hash::FxHashMap;

use crate::{
    circuit::Signal,
    relation::{Relation, Step, Values},
    sat::{Effort, Sat, Solving, Watched},
    system::{Cube, ERROR, START, Transition, Transitions},
};

/// After so many questions the solver leaves out what was asked only once.
const TIDY: usize = 400;
/// How many counterexamples to generalisation are blocked for one cube.
const HINDRANCES: usize = 3;

/// The clauses of an execution, each with the values of its variables.
pub type Steps = Vec<(usize, Vec<(Var, Value)>)>;

/// What a search came to.
pub enum Conclusion {
    /// No state in any of these cubes can be reached, the error among them; and that is inductive.
    Invariant(Vec<Cube>),
    /// The error can be reached so.
    Error(Steps),
    /// The budget is used up.
    Stopped,
}

/// Ended before there was an answer.
struct Stopped;

type Result<T> = std::result::Result<T, Stopped>;

/// States that lead to the error.
struct Obligation {
    cube: Cube,
    /// How they do: by this transition with these inputs, to states of another one.
    by: Option<(usize, Values, usize)>,
    /// In how many steps.
    steps: usize,
}

/// Can a cube be reached from a frame in one step?
enum Query {
    /// It cannot, not even these parts of it.
    Blocked(Cube),
    /// From these states, by a transition with these inputs.
    From(Cube, usize, Values),
}

/// A search that can be interrupted.
pub struct Ic3 {
    transitions: Transitions,
    terms: Terms,
    /// What follows from frames, for most questions.
    quick: Relation,
    /// For those that take longer, once there is one.
    thorough: Option<Relation>,
    /// Which parts of a state a step needs.
    lifting: Solving,
    watched: Watched,
    /// By frame: the lemmas that hold there and in no later one.
    frames: Vec<Vec<Cube>>,
    obligations: Vec<Obligation>,
    queue: BinaryHeap<Reverse<(usize, usize, usize)>>,
    asked: usize,
    /// How often something was part of a lemma.
    activity: Vec<u32>,
    starts: Vec<bool>,
}

impl Ic3 {
    /// Nothing is known yet.
    pub fn new(transitions: Transitions, terms: Terms, watched: &Watched) -> Ic3 {
        let starts: Vec<bool> = (0..transitions.len()).map(|at| transitions.at_start(&terms, at)).collect();
        let mut search = Ic3 {
            quick: Relation::new(&transitions, watched, Effort::Quick),
            thorough: None,
            lifting: Solving::new(watched, Effort::Thorough),
            watched: watched.clone(),
            frames: vec![Vec::new()],
            obligations: Vec::new(),
            queue: BinaryHeap::new(),
            asked: 0,
            activity: vec![0; transitions.len()],
            starts,
            transitions,
            terms,
        };
        search.frame();
        search
    }

    /// One more frame.
    fn frame(&mut self) {
        self.frames.push(Vec::new());
        std::iter::once(&mut self.quick).chain(&mut self.thorough).for_each(Relation::frame);
    }

    /// Is the state at the start not in the cube?
    fn excludes_start(&self, cube: &[(usize, bool)]) -> bool {
        cube.iter().any(|&(at, value)| self.starts[at] != value)
    }

    /// Searches on, as long as the budget allows.
    pub fn run(&mut self) -> Conclusion {
        self.try_run().unwrap_or(Conclusion::Stopped)
    }

    fn try_run(&mut self) -> Result<Conclusion> {
        loop {
            let last = self.frames.len() - 1;
            if self.queue.is_empty() && !self.is_blocked(&vec![(ERROR, true)], last) {
                self.obligations.clear();
                self.obligations.push(Obligation { cube: vec![(ERROR, true)], by: None, steps: 0 });
                self.queue.push(Reverse((last, 0, 0)));
            }
            while let Some(&Reverse((level, _, number))) = self.queue.peek() {
                if let Some(error) = self.block(level, number)? {
                    return Ok(Conclusion::Error(error));
                }
            }
            if let Some(invariant) = self.propagate()? {
                return Ok(Conclusion::Invariant(invariant));
            }
            self.frame();
        }
    }

    /// Works on the obligation at the top of the queue.
    fn block(&mut self, level: usize, number: usize) -> Result<Option<Steps>> {
        let last = self.frames.len() - 1;
        let cube = self.obligations[number].cube.clone();
        if self.is_blocked(&cube, level) {
            self.queue.pop();
            if level < last {
                self.queue.push(Reverse((level + 1, self.obligations[number].steps, number)));
            }
            return Ok(None);
        }
        match self.query(level - 1, &cube, true)? {
            Query::Blocked(core) => {
                let lemma = self.generalize(level, &cube, core, true)?;
                let at = self.push_forward(lemma, level)?;
                self.queue.pop();
                if at < last {
                    self.queue.push(Reverse((at + 1, self.obligations[number].steps, number)));
                }
            }
            Query::From(from, transition, inputs) => {
                let steps = self.obligations[number].steps + 1;
                let reached = level == 1 || !self.excludes_start(&from);
                self.obligations.push(Obligation { cube: from, by: Some((transition, inputs, number)), steps });
                let first = self.obligations.len() - 1;
                if reached {
                    return Ok(Some(self.execution(first)));
                }
                self.queue.push(Reverse((level - 1, steps, first)));
            }
        }
        Ok(None)
    }

    /// Is it known that no state of the cube is in a frame?
    fn is_blocked(&self, cube: &Cube, level: usize) -> bool {
        self.frames[level..].iter().flatten().any(|lemma| is_part(lemma, cube))
    }

    /// Can a state of the cube be reached in one step from a frame, if `outside` from a state that is not in the cube?
    fn query(&mut self, level: usize, cube: &Cube, outside: bool) -> Result<Query> {
        self.asked += 1;
        if self.asked.is_multiple_of(TIDY) {
            std::iter::once(&mut self.quick).chain(&mut self.thorough).for_each(Relation::tidy);
            self.lifting.tidy();
        }
        let transitions = &self.transitions;
        let mut relation = &mut self.quick;
        let mut answer = relation.ask(transitions, level, cube, outside);
        if answer == Sat::Stopped {
            if self.watched.borrow().used_up().is_some() {
                return Err(Stopped);
            }
            relation = self.thorough.get_or_insert_with(|| {
                let mut relation = Relation::new(transitions, &self.watched, Effort::Thorough);
                for (level, lemmas) in self.frames.iter().enumerate().skip(1) {
                    relation.frame();
                    lemmas.iter().for_each(|lemma| relation.lemma(transitions, level, lemma));
                }
                relation
            });
            answer = relation.ask(transitions, level, cube, outside);
        }
        match answer {
            Sat::Stopped => Err(Stopped),
            Sat::No => Ok(Query::Blocked(relation.needed(cube))),
            Sat::Yes => {
                let step = relation.step(transitions);
                self.lift(cube, step)
            }
        }
    }

    /// Which parts of the state before a step into a cube are needed for it.
    fn lift(&mut self, cube: &Cube, step: Step) -> Result<Query> {
        let Step { transition, inputs, state } = step;
        let Transition { condition, from, .. } = self.transitions.all[transition];
        let mut clause = Vec::new();
        for &(at, holds) in cube {
            let after = self.transitions.after(&self.terms, transition, at);
            clause.extend(after.map(|s| s.with(!holds)));
        }
        clause.push(!condition);
        let circuit = &self.transitions.circuit;
        let asked = self.lifting.fresh();
        let mut literals = vec![!asked];
        for s in clause {
            literals.push(self.lifting.literal(circuit, s));
        }
        self.lifting.clause(&literals);
        let mut assumed = vec![asked];
        for &(s, holds) in &inputs {
            assumed.push(self.lifting.literal(circuit, s.with(holds)));
        }
        let mut of_state = Vec::new();
        for &(at, holds) in &state {
            of_state.push(self.lifting.literal(circuit, self.transitions.now(at).with(holds)));
        }
        assumed.extend(&of_state);
        let answer = self.lifting.solve(&assumed);
        let mut before: Cube = match answer {
            Sat::Stopped => return Err(Stopped),
            Sat::No => {
                let needed = state.iter().zip(&of_state).filter(|(_, l)| self.lifting.needed(**l));
                needed.map(|(&c, _)| c).collect()
            }
            // Something that is not listed as an input matters: all of the state, to be safe.
            Sat::Yes => state,
        };
        self.lifting.clause(&[!asked]);
        before.push((from, true));
        before.sort_unstable();
        Ok(Query::From(before, transition, inputs))
    }

    /// A part of a cube that is still inductive relative to the frame before a level, given one that may not exclude the start.
    fn generalize(&mut self, level: usize, cube: &Cube, core: Cube, hindrances: bool) -> Result<Cube> {
        let mut lemma = self.with_start_excluded(core, cube);
        let mut order = lemma.clone();
        // Bits go before facts, and those that lemmas rarely have before others.
        order.sort_by_key(|&(at, _)| (self.transitions.is_fact(at), self.activity[at]));
        for part in order {
            if lemma.len() == 1 {
                break;
            }
            if !lemma.contains(&part) {
                continue;
            }
            let mut smaller: Cube = lemma.iter().copied().filter(|&p| p != part).collect();
            if let Some(found) = self.inductive(level, &mut smaller, hindrances)? {
                lemma = found;
            }
        }
        for &(at, _) in &lemma {
            self.activity[at] += 1;
        }
        Ok(lemma)
    }

    fn with_start_excluded(&self, mut core: Cube, cube: &Cube) -> Cube {
        if !self.excludes_start(&core) {
            let outside = cube.iter().find(|&&(at, value)| self.starts[at] != value && at != START);
            let outside = outside.or_else(|| cube.iter().find(|&&(at, value)| self.starts[at] != value));
            core.extend(outside);
            core.sort_unstable();
        }
        core
    }

    /// A part of the cube that is inductive relative to the frame before a level, if the cube is. States that only hinder it are blocked
    /// (counterexamples to generalisation).
    fn inductive(&mut self, level: usize, cube: &mut Cube, hindrances: bool) -> Result<Option<Cube>> {
        let mut blocked = 0;
        loop {
            if !self.excludes_start(cube) {
                return Ok(None);
            }
            match self.query(level - 1, cube, true)? {
                Query::Blocked(core) => return Ok(Some(self.with_start_excluded(core, cube))),
                Query::From(from, ..) => {
                    if !hindrances || blocked == HINDRANCES || level == 1 || !self.excludes_start(&from) {
                        return Ok(None);
                    }
                    let Query::Blocked(core) = self.query(level - 2, &from, true)? else { return Ok(None) };
                    blocked += 1;
                    let lemma = self.generalize(level - 1, &from, core, false)?;
                    self.push_forward(lemma, level - 1)?;
                }
            }
        }
    }

    /// Adds a lemma to the last frame in which it is inductive, from this one on; which frame that is.
    fn push_forward(&mut self, mut lemma: Cube, mut level: usize) -> Result<usize> {
        while level + 1 < self.frames.len() {
            let Query::Blocked(core) = self.query(level, &lemma, true)? else { break };
            lemma = self.with_start_excluded(core, &lemma);
            level += 1;
        }
        self.add(lemma, level);
        Ok(level)
    }

    fn add(&mut self, lemma: Cube, level: usize) {
        for frame in &mut self.frames[1..=level] {
            frame.retain(|old| !is_part(&lemma, old));
        }
        for relation in std::iter::once(&mut self.quick).chain(&mut self.thorough) {
            relation.lemma(&self.transitions, level, &lemma);
        }
        self.frames[level].push(lemma);
    }

    /// Moves lemmas to later frames. If one is left without any of its own, it is inductive: all lemmas from there on.
    fn propagate(&mut self) -> Result<Option<Vec<Cube>>> {
        let last = self.frames.len() - 1;
        for level in 1..last {
            for lemma in self.frames[level].clone() {
                if !self.frames[level].contains(&lemma) {
                    continue;
                }
                if let Query::Blocked(core) = self.query(level, &lemma, false)? {
                    let lemma = self.with_start_excluded(core, &lemma);
                    self.add(lemma, level + 1);
                }
            }
            if self.frames[level].is_empty() {
                return Ok(Some(self.frames[level + 1..].iter().flatten().cloned().collect()));
            }
        }
        Ok(None)
    }

    /// The execution from the start that meets an obligation and those that follow.
    fn execution(&self, first: usize) -> Steps {
        let transitions = &self.transitions;
        let mut state: Vec<bool> = (0..transitions.state.len()).map(|at| at == START).collect();
        let mut steps = Steps::new();
        let mut at = first;
        while let Some((transition, inputs, next)) = &self.obligations[at].by {
            let mut values: FxHashMap<Signal, bool> = inputs.iter().copied().collect();
            values.extend(transitions.state.iter().copied().zip(state.iter().copied()));
            let gates = transitions.circuit.values(&values);
            let value = |s: Signal| gates[s.gate()] != s.is_negated();
            let step = &transitions.all[*transition];
            steps.push((step.clause, transitions.values(&self.terms, *transition, &value)));
            state = step.next.iter().map(|&s| value(s)).collect();
            at = *next;
        }
        steps
    }

    /// The system that is searched.
    pub fn transitions(&self) -> &Transitions {
        &self.transitions
    }
}

/// Has the larger cube all that the smaller one has? Both are sorted.
fn is_part(smaller: &[(usize, bool)], larger: &[(usize, bool)]) -> bool {
    let mut rest = larger.iter();
    smaller.len() <= larger.len() && smaller.iter().all(|part| rest.any(|other| other == part))
}
