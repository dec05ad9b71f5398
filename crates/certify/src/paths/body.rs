//! Regions as they are re-executed: variables are places, and expressions lists of operations.

use std::rc::Rc;

use lariat_program::{AssertId, Loc, RegionId, StmtKind, Terminator};
use lariat_term::{Op, SortKind, Term, Var};
use rustc_hash::FxHashMap;

use super::{
    Machine, State,
    abstract_value::{AbstractValue, apply},
};
use crate::execute::topological;

/// Where a variable is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    /// One of the region's own.
    Own(usize),
    Global(usize),
}

/// A region.
pub(super) struct Body {
    /// How many variables of its own it has: the inputs first.
    pub variables: usize,
    /// Which of them are the outputs.
    pub outputs: Vec<usize>,
    pub blocks: Vec<Block>,
}

/// A block.
pub(super) struct Block {
    /// Its number in an order in which each block comes after those that lead to it.
    pub rank: usize,
    pub steps: Vec<Step>,
    pub next: Next,
}

/// A statement.
pub(super) enum Step {
    Assume(Code),
    Assert { id: AssertId, loc: Loc, code: Code, counts: bool },
    Assign(Vec<(Slot, Code)>),
    Havoc(Vec<Slot>),
    Box { callee: RegionId, args: Vec<Code>, results: Vec<Slot> },
}

/// Where a block leads.
pub(super) enum Next {
    Return,
    Branch(Code, usize, usize),
    Goto(Vec<usize>),
}

/// An expression: each node is over earlier ones, and the last is its value.
pub(super) struct Code(Vec<Node>);

enum Node {
    Known(AbstractValue),
    Variable(Slot),
    Apply(Operation),
}

/// An operator, the nodes that it is applied to, and what their sorts are.
pub(super) struct Operation {
    pub op: Op,
    pub args: Vec<usize>,
    pub kinds: Vec<SortKind>,
}

impl Machine<'_> {
    pub fn body(&mut self, id: RegionId) -> Rc<Body> {
        if let Some(body) = &self.bodies[id.index()] {
            return body.clone();
        }
        let body = Rc::new(self.compile(id));
        self.bodies[id.index()] = Some(body.clone());
        body
    }

    fn compile(&mut self, id: RegionId) -> Body {
        let program = self.program;
        let region = &program.regions[id.index()];
        let mut own: FxHashMap<Var, usize> = FxHashMap::default();
        for d in region.inputs.iter().chain(&region.outputs).chain(&region.locals) {
            let next = own.len();
            own.entry(d.var).or_insert(next);
        }
        let mut ranks = vec![0; region.blocks.len()];
        topological(region).into_iter().enumerate().for_each(|(rank, b)| ranks[b.index()] = rank);
        let blocks = region.blocks.iter().zip(ranks);
        let blocks = blocks.map(|(block, rank)| {
            let steps = block.stmts.iter().map(|s| self.step(&own, &s.kind, s.loc)).collect();
            let next = match &block.next {
                Terminator::Return => Next::Return,
                Terminator::Branch { cond, yes, no } => Next::Branch(self.code(&own, *cond), yes.index(), no.index()),
                Terminator::Goto(to) => Next::Goto(to.iter().map(|b| b.index()).collect()),
            };
            Block { rank, steps, next }
        });
        let blocks = blocks.collect();
        Body { variables: own.len(), outputs: region.outputs.iter().map(|d| own[&d.var]).collect(), blocks }
    }

    fn step(&mut self, own: &FxHashMap<Var, usize>, kind: &StmtKind, loc: Loc) -> Step {
        let places = |x: &Self, vars: &[Var]| vars.iter().filter_map(|&v| x.place(own, v)).collect::<Vec<Slot>>();
        match kind {
            StmtKind::Assume(t) => Step::Assume(self.code(own, *t)),
            StmtKind::Assert { id, cond } => {
                Step::Assert { id: *id, loc, code: self.code(own, *cond), counts: (self.counts)(*id) }
            }
            StmtKind::Assign(pairs) => {
                let update = |&(v, t): &(Var, Term)| Some((self.place(own, v)?, self.code(own, t)));
                Step::Assign(pairs.iter().filter_map(update).collect())
            }
            StmtKind::Havoc(vars) => Step::Havoc(places(self, vars)),
            StmtKind::Box { callee, args, results } => Step::Box {
                callee: *callee,
                args: args.iter().map(|&t| self.code(own, t)).collect(),
                results: places(self, results),
            },
        }
    }

    /// Where a variable that may be set is; every one has a place ([`lariat_program::verify`]).
    fn place(&self, own: &FxHashMap<Var, usize>, v: Var) -> Option<Slot> {
        let global = || self.globals.get(&v).map(|&i| Slot::Global(i));
        own.get(&v).map(|&i| Slot::Own(i)).or_else(global)
    }

    fn code(&mut self, own: &FxHashMap<Var, usize>, t: Term) -> Code {
        let t = self.definitions.expand(self.terms, t);
        let order = self.terms.post_order(&[t]);
        let at: FxHashMap<Term, usize> = order.iter().enumerate().map(|(i, &t)| (t, i)).collect();
        let node = |&t: &Term| match self.terms.op(t) {
            // A constant of the program may have any value.
            Op::Var(v) => self.place(own, v).map_or(Node::Known(AbstractValue::Any), Node::Variable),
            Op::True => Node::Known(AbstractValue::bool(true)),
            Op::False => Node::Known(AbstractValue::bool(false)),
            Op::Const(c) => Node::Known(AbstractValue::of(self.terms.const_value(c).clone())),
            op => {
                let args = self.terms.args(t);
                let kinds = args.iter().map(|&a| self.terms.sort_kind(self.terms.sort(a))).collect();
                Node::Apply(Operation { op, args: args.iter().map(|a| at[a]).collect(), kinds })
            }
        };
        Code(order.iter().map(node).collect())
    }

    /// The value of an expression.
    pub fn value(&mut self, code: &Code, state: &State) -> AbstractValue {
        let mut registers = std::mem::take(&mut self.registers);
        registers.clear();
        for node in &code.0 {
            let cell = match node {
                Node::Known(cell) => cell.clone(),
                Node::Variable(place) => state.cell(*place).clone(),
                Node::Apply(operation) => apply(self.terms, operation, &registers, &mut self.elements),
            };
            registers.push(cell);
        }
        let value = registers.pop().unwrap_or(AbstractValue::Any);
        self.registers = registers;
        value
    }

    /// Whether a condition holds, if that is known.
    pub fn truth(&mut self, code: &Code, state: &State) -> Option<bool> {
        self.value(code, state).word().map(|w| w != 0)
    }
}
