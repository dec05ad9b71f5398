//! A SAT solver that knows a circuit, as far as it is asked about.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use batsat::{Callbacks, Lit, Solver, SolverInterface, lbool};
use lariat_engine::Budget;

use crate::circuit::{Circuit, Gate, Signal};

/// The budget of the run that is under way.
pub type Watched = Rc<RefCell<Budget>>;

/// How many restarts a search that is to be quick may take.
const QUICK: u32 = 4;
/// How often it is asked whether to stop until the budget is looked at.
const LOOKS: u32 = 64;

/// Ends a search when the budget is used up, or it is to be quick and is not.
struct Watch {
    budget: Watched,
    quick: bool,
    asked: Cell<u32>,
    restarts: u32,
}

impl Callbacks for Watch {
    fn on_start(&mut self) {
        self.restarts = 0;
    }

    fn on_restart(&mut self) {
        self.restarts += 1;
    }

    fn stop(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        let looks = self.asked.get().is_multiple_of(LOOKS) || self.restarts > 0;
        (self.quick && self.restarts > QUICK) || (looks && self.budget.borrow().used_up().is_some())
    }
}

/// How a solver searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// It decides inputs only, which takes less time if few conflicts are needed, and gives up otherwise.
    Quick,
    /// It decides all gates.
    Thorough,
}

/// What a solver says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sat {
    /// There is a model.
    Yes,
    /// There is none.
    No,
    /// The solver gave up, or the budget is used up.
    Stopped,
}

/// A solver, and its literals of gates.
pub struct Solving {
    solver: Solver<Watch>,
    gates: Vec<Option<Lit>>,
    yes: Lit,
    effort: Effort,
}

impl Solving {
    /// A solver that knows nothing.
    pub fn new(watched: &Watched, effort: Effort) -> Solving {
        let quick = effort == Effort::Quick;
        let watch = Watch { budget: watched.clone(), quick, asked: Cell::new(0), restarts: 0 };
        let mut solver = Solver::new(Default::default(), watch);
        let yes = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![yes]);
        Solving { solver, gates: Vec::new(), yes, effort }
    }

    /// A literal of its own.
    pub fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// One of them holds.
    pub fn clause(&mut self, literals: &[Lit]) {
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }

    /// Leaves clauses out that hold for good.
    pub fn tidy(&mut self) {
        self.solver.simplify();
    }

    /// The literal of a signal; the clauses of its gates are added.
    pub fn literal(&mut self, circuit: &Circuit, signal: Signal) -> Lit {
        let mut stack = vec![signal.gate()];
        while let Some(&gate) = stack.last() {
            if self.gates.len() <= gate {
                self.gates.resize(gate + 1, None);
            }
            if self.gates[gate].is_some() {
                stack.pop();
                continue;
            }
            let literal = match circuit.gate(gate) {
                Gate::Constant => !self.yes,
                Gate::Input => self.fresh(),
                Gate::And(a, b) => match (self.known(a), self.known(b)) {
                    (Some(a), Some(b)) => {
                        // What gates are follows from the inputs.
                        let decided = self.effort == Effort::Thorough;
                        let both = Lit::new(self.solver.new_var(lbool::UNDEF, decided), true);
                        self.clause(&[!both, a]);
                        self.clause(&[!both, b]);
                        self.clause(&[both, !a, !b]);
                        both
                    }
                    _ => {
                        stack.extend([a.gate(), b.gate()]);
                        continue;
                    }
                },
            };
            self.gates[gate] = Some(literal);
            stack.pop();
        }
        self.known(signal).unwrap_or(self.yes)
    }

    /// The literal of a signal, if it has one.
    pub fn known(&self, signal: Signal) -> Option<Lit> {
        let literal = (*self.gates.get(signal.gate())?)?;
        Some(if signal.is_negated() { !literal } else { literal })
    }

    /// Is there a model in which these hold?
    pub fn solve(&mut self, assumptions: &[Lit]) -> Sat {
        match self.solver.solve_limited(assumptions) {
            answer if answer == lbool::TRUE => Sat::Yes,
            answer if answer == lbool::FALSE => Sat::No,
            _ => Sat::Stopped,
        }
    }

    /// Was the assumption needed to see that there is no model?
    pub fn needed(&self, assumption: Lit) -> bool {
        self.solver.unsat_core_contains_var(assumption.var())
    }

    /// The value of a literal in the model.
    pub fn value(&self, literal: Lit) -> bool {
        self.solver.value_lit(literal) == lbool::TRUE
    }

    /// The value of a signal in the model; nothing if the solver does not know the signal.
    pub fn signal_value(&self, signal: Signal) -> Option<bool> {
        self.known(signal).map(|literal| self.value(literal))
    }
}
