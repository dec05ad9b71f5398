//! The way that a model takes through the unfolding, and what a replay of it needs to know.

use lariat_engine::{Execution, Instance};
use lariat_program::{AssertId, BlockId, StmtKind, Terminator};
use lariat_smt::{Model, SolverError};
use lariat_summary::{Choice, Decision, Summary};
use lariat_term::{Evaluator, Substituter, Term, Terms, Value, Var};
use rustc_hash::FxHashMap;

use crate::{
    instance::{NodeId, State},
    unfolding::{EngineError, Unfolding},
};

/// The decisions of one instance in the terms of the unfolding.
struct Concrete {
    decisions: Vec<Decision>,
    errors: FxHashMap<(BlockId, usize), (AssertId, Term)>,
    boxes: FxHashMap<(BlockId, usize), NodeId>,
    havoc: FxHashMap<(BlockId, usize, Var), Term>,
    locals: Vec<(Var, Term)>,
}

impl Unfolding<'_> {
    /// The open nodes that the model's execution enters, in order. Where the model cannot be
    /// evaluated (quantifiers), all open nodes that may be entered.
    pub fn open_on_path(&self, model: &Model) -> Result<Vec<NodeId>, EngineError> {
        let mut nodes = self.entered(model)?;
        nodes.retain(|&n| self.node(n).state == State::Open);
        Ok(nodes)
    }

    /// All nodes that the model's execution enters (or may enter, where it cannot be evaluated).
    fn entered(&self, model: &Model) -> Result<Vec<NodeId>, EngineError> {
        let values = model.get(self.terms)?;
        let mut evaluator = Evaluator::new(self.terms, values);
        let mut found = Vec::new();
        let mut stack = vec![self.root()];
        while let Some(n) = stack.pop() {
            found.push(n);
            let children = self.node(n).children.iter().copied();
            stack.extend(children.filter(|&c| !matches!(evaluator.eval(self.node(c).guard), Ok(Value::Bool(false)))));
        }
        found.sort_unstable();
        Ok(found)
    }

    /// The execution that a model describes, up to the assertion that fails. `compute` is asked for
    /// the values of terms that cannot be evaluated in the model (quantifiers).
    pub fn execution(&mut self, model: &Model, compute: Compute<'_>) -> Result<Execution, EngineError> {
        let entered = self.entered(model)?;
        let mut concrete = FxHashMap::default();
        for n in entered {
            if self.node(n).state == State::Expanded {
                let c = self.concrete(n);
                concrete.insert(n, c);
            }
        }
        let values = model.get(self.terms)?;
        let mut walk = Walk {
            unfolding: self,
            evaluator: Evaluator::new(self.terms, values),
            compute,
            concrete,
            execution: Execution::default(),
        };
        walk.run()?;
        Ok(walk.execution)
    }

    fn concrete(&mut self, n: NodeId) -> Concrete {
        let region = self.node(n).region;
        let summary = self.summaries.get(self.program, self.terms, region);
        let map = self.instance_map(n, &summary);
        let mut substituter = Substituter::new(self.terms, map);
        let mut apply = |terms: &mut _, t: Term| substituter.apply(terms, t);
        let decisions = summary
            .decisions
            .iter()
            .map(|d| match d {
                Decision::None => Decision::None,
                Decision::Branch(t) => Decision::Branch(apply(self.terms, *t)),
                Decision::Goto(ts) => Decision::Goto(ts.iter().map(|&t| apply(self.terms, t)).collect()),
            })
            .collect();
        let mut errors = FxHashMap::default();
        for e in &summary.errors {
            errors.insert((e.block, e.stmt), (e.assertion, apply(self.terms, e.condition)));
        }
        let node = self.node(n);
        let boxes = node.children.iter().map(|&c| {
            let site = &summary.boxes[self.node(c).site];
            ((site.block, site.stmt), c)
        });
        let (havoc, locals) = open_values(&summary, &node.choices);
        Concrete { decisions, errors, boxes: boxes.collect(), havoc, locals }
    }
}

type OpenValues = (FxHashMap<(BlockId, usize, Var), Term>, Vec<(Var, Term)>);

fn open_values(summary: &Summary, choices: &[Term]) -> OpenValues {
    let (mut havoc, mut locals) = (FxHashMap::default(), Vec::new());
    for (open, &t) in summary.open.iter().zip(choices) {
        match open.choice {
            Choice::Havoc { block, stmt, var } => {
                havoc.insert((block, stmt, var), t);
            }
            Choice::Initial(v) => locals.push((v, t)),
            Choice::Goto(_) => {}
        }
    }
    (havoc, locals)
}

/// Finds the value of a closed term of the unfolding under the model, where that is possible.
pub type Compute<'a> = &'a mut dyn FnMut(&Terms, Term) -> Option<Value>;

struct Walk<'a> {
    unfolding: &'a Unfolding<'a>,
    evaluator: Evaluator<'a>,
    compute: Compute<'a>,
    concrete: FxHashMap<NodeId, Concrete>,
    execution: Execution,
}

/// Where the walk is inside an instance.
struct Position {
    node: NodeId,
    instance: usize,
    block: BlockId,
    stmt: usize,
}

impl Walk<'_> {
    fn run(&mut self) -> Result<(), EngineError> {
        let mut stack = vec![self.enter(self.unfolding.root())?];
        while let Some(at) = stack.last_mut() {
            let (node, instance, block, stmt) = (at.node, at.instance, at.block, at.stmt);
            let region = &self.unfolding.program.regions[self.unfolding.node(node).region.index()];
            let code = &region.blocks[block.index()];
            if let Some(s) = code.stmts.get(stmt) {
                at.stmt += 1;
                match &s.kind {
                    StmtKind::Assume(_) | StmtKind::Assign(_) => {}
                    StmtKind::Havoc(vars) => {
                        for &v in vars {
                            let t = self.concrete[&node].havoc.get(&(block, stmt, v)).copied();
                            let value = self.value(t)?;
                            self.execution.instances[instance].havoc.insert((block, stmt as u32, v), value);
                        }
                    }
                    StmtKind::Assert { .. } => {
                        if let Some(&(assertion, t)) = self.concrete[&node].errors.get(&(block, stmt))
                            && self.holds(t)?
                        {
                            self.execution.assertion = Some(assertion);
                            self.execution.end = Some((instance, block, stmt as u32));
                            return Ok(());
                        }
                    }
                    StmtKind::Box { .. } => {
                        let child = self.concrete[&node].boxes.get(&(block, stmt)).copied();
                        let child = child.ok_or_else(|| lost("a box that cannot be reached"))?;
                        let position = self.enter(child)?;
                        let boxes = &mut self.execution.instances[instance].boxes;
                        boxes.insert((block, stmt as u32), position.instance);
                        stack.push(position);
                    }
                }
                continue;
            }
            let next = match &code.next {
                Terminator::Return => None,
                Terminator::Branch { yes, no, .. } => {
                    let Decision::Branch(t) = self.concrete[&node].decisions[block.index()] else {
                        return Err(lost("a branch without a decision").into());
                    };
                    let holds = self.holds(t)?;
                    self.execution.instances[instance].branches.insert(block, holds);
                    Some(if holds { *yes } else { *no })
                }
                Terminator::Goto(to) => match to[..] {
                    [] => return Err(lost("the execution stops without failing").into()),
                    [only] => Some(only),
                    _ => {
                        let Decision::Goto(ts) = self.concrete[&node].decisions[block.index()].clone() else {
                            return Err(lost("a goto without a decision").into());
                        };
                        let mut taken = ts.len();
                        for (i, t) in ts.into_iter().enumerate() {
                            if self.holds(t)? {
                                taken = i;
                                break;
                            }
                        }
                        self.execution.instances[instance].choices.insert(block, taken);
                        Some(to[taken])
                    }
                },
            };
            match next {
                Some(block) => *at = Position { node, instance, block, stmt: 0 },
                None => {
                    stack.pop();
                }
            }
        }
        Err(lost("the execution ends without failing").into())
    }

    fn enter(&mut self, node: NodeId) -> Result<Position, EngineError> {
        let Some(concrete) = self.concrete.get(&node) else { return Err(lost("a node that is not expanded").into()) };
        let mut entered = Instance::new(self.unfolding.node(node).region);
        for &(v, t) in &concrete.locals {
            if let Ok(value) = self.evaluator.eval(t) {
                entered.locals.insert(v, value);
            }
        }
        let instance = self.execution.instances.len();
        self.execution.instances.push(entered);
        Ok(Position { node, instance, block: BlockId(0), stmt: 0 })
    }

    fn value(&mut self, t: Option<Term>) -> Result<Value, EngineError> {
        let t = t.ok_or_else(|| lost("a value that the summary does not have"))?;
        let value = match self.evaluator.eval(t) {
            Ok(value) => Ok(value),
            Err(e) => (self.compute)(self.unfolding.terms, t).ok_or(SolverError::NoValue { what: e.to_string() }),
        };
        Ok(value?)
    }

    fn holds(&mut self, t: Term) -> Result<bool, EngineError> {
        Ok(self.value(Some(t))? == Value::Bool(true))
    }
}

/// The model does not lead anywhere.
fn lost(why: &str) -> SolverError {
    SolverError::NoValue { what: format!("the execution: {why}") }
}
