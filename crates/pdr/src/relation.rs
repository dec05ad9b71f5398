//! The transition relation and the frames in a SAT solver.

use batsat::Lit;

use crate::{
    circuit::Signal,
    sat::{Effort, Sat, Solving, Watched},
    system::{Cube, START, Transitions},
};

/// Values of inputs.
pub type Values = Vec<(Signal, bool)>;

/// A step that the solver found.
pub struct Step {
    /// The transition.
    pub transition: usize,
    /// The values of its inputs.
    pub inputs: Values,
    /// The state before it, without the location: facts first.
    pub state: Cube,
}

/// A solver that knows what a step does, and what is known of frames.
pub struct Relation {
    solver: Solving,
    /// By transition: it is taken.
    taken: Vec<Lit>,
    /// By frame: its lemmas count.
    levels: Vec<Lit>,
    /// Assumptions of the last question: about the state after the step, and one that is of no use any more.
    after: Vec<Lit>,
    once: Option<Lit>,
}

impl Relation {
    /// With the frame of the start only.
    pub fn new(transitions: &Transitions, watched: &Watched, effort: Effort) -> Relation {
        let solver = Solving::new(watched, effort);
        let mut relation = Relation { solver, taken: Vec::new(), levels: Vec::new(), after: Vec::new(), once: None };
        relation.tell(transitions);
        for at in 0..transitions.len() {
            relation.solver.literal(&transitions.circuit, transitions.now(at));
            relation.solver.literal(&transitions.circuit, transitions.then(at));
        }
        relation.frame();
        for at in 0..transitions.state.len() {
            let literal = relation.now(transitions, at, at == START);
            relation.solver.clause(&[!relation.levels[0], literal]);
        }
        relation
    }

    /// Tells the solver what a step does.
    fn tell(&mut self, transitions: &Transitions) {
        let solver = &mut self.solver;
        let circuit = &transitions.circuit;
        for step in &transitions.all {
            let taken = solver.fresh();
            let condition = solver.literal(circuit, step.condition);
            let from = solver.literal(circuit, transitions.now(step.from));
            solver.clause(&[!taken, condition]);
            solver.clause(&[!taken, from]);
            for (&next, &after) in step.next.iter().zip(&transitions.after) {
                let (next, after) = (solver.literal(circuit, next), solver.literal(circuit, after));
                solver.clause(&[!taken, !next, after]);
                solver.clause(&[!taken, next, !after]);
            }
            self.taken.push(taken);
        }
        solver.clause(&self.taken);
        // A state is at one location, and only that one's slots are used.
        let at: Vec<Lit> = (0..transitions.locations).map(|l| solver.literal(circuit, transitions.now(l))).collect();
        solver.clause(&at);
        for (i, &a) in at.iter().enumerate() {
            at[i + 1..].iter().for_each(|&b| solver.clause(&[!a, !b]));
        }
        for (location, unused) in &transitions.unused {
            for &bit in unused {
                let bit = solver.literal(circuit, transitions.now(bit));
                solver.clause(&[!at[*location], !bit]);
            }
        }
    }

    fn now(&mut self, transitions: &Transitions, at: usize, value: bool) -> Lit {
        self.solver.literal(&transitions.circuit, transitions.now(at).with(value))
    }

    /// One more frame.
    pub fn frame(&mut self) {
        let level = self.solver.fresh();
        self.levels.push(level);
    }

    /// No state of a frame, or of one before it, is in the cube.
    pub fn lemma(&mut self, transitions: &Transitions, level: usize, cube: &Cube) {
        let mut clause = vec![!self.levels[level]];
        for &(at, value) in cube {
            clause.push(self.now(transitions, at, !value));
        }
        self.solver.clause(&clause);
    }

    /// Can a state of the cube be reached in one step from a frame, if `outside` from a state that is not in the cube?
    pub fn ask(&mut self, transitions: &Transitions, level: usize, cube: &Cube, outside: bool) -> Sat {
        if let Some(asked) = self.once.take() {
            self.solver.clause(&[!asked]);
        }
        let mut assumed: Vec<Lit> = self.levels[level..].to_vec();
        if outside {
            let asked = self.solver.fresh();
            let mut clause = vec![!asked];
            for &(at, value) in cube {
                clause.push(self.now(transitions, at, !value));
            }
            self.solver.clause(&clause);
            assumed.push(asked);
            self.once = Some(asked);
        }
        let circuit = &transitions.circuit;
        self.after = cube.iter().map(|&(at, v)| self.solver.literal(circuit, transitions.then(at).with(v))).collect();
        assumed.extend(&self.after);
        self.solver.solve(&assumed)
    }

    /// The parts of the cube that was asked about which are needed to see that it cannot be reached.
    pub fn needed(&self, cube: &Cube) -> Cube {
        let needed = cube.iter().zip(&self.after).filter(|(_, literal)| self.solver.needed(**literal));
        needed.map(|(&part, _)| part).collect()
    }

    /// The step into the cube that was asked about.
    pub fn step(&self, transitions: &Transitions) -> Step {
        let transition = self.taken.iter().position(|&t| self.solver.value(t)).unwrap_or(0);
        let value = |s: Signal| self.solver.signal_value(s);
        let inputs = transitions.all[transition].inputs.iter().flat_map(|(_, word)| word);
        let inputs = inputs.map(|&s| (s, value(s).unwrap_or(false))).collect();
        let facts = (transitions.state.len()..transitions.len()).rev();
        let all = facts.chain(transitions.locations..transitions.state.len());
        let state = all.filter_map(|at| Some((at, value(transitions.now(at))?))).collect();
        Step { transition, inputs, state }
    }

    /// Leaves out what holds for good.
    pub fn tidy(&mut self) {
        self.solver.tidy();
    }
}
