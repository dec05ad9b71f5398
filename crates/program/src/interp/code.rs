//! Regions prepared for execution: variables are slots, small terms are stack code.
//!
//! A term becomes code if it is a small tree without binders; everything else goes to the evaluator
//! of `lariat-term`, as does a term whose code runs into something without a value (the evaluator
//! may find that it does not matter).

use lariat_term::{Func, Op, SortKind, Term, Terms, Value, Var};
use rustc_hash::FxHashMap;

use crate::ir::{AssertId, BlockId, Loc, Program, Region, RegionId, StmtKind, Terminator};

/// Terms with more nodes than this (counted as a tree) are not compiled.
const MAX_TREE: usize = 128;

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// In the frame.
    Own(u32),
    /// A global, by its position in the program.
    Global(u32),
    /// A constant, by its position in the program.
    Constant(u32),
}

/// Stack code.
#[derive(Debug)]
pub(super) enum Instr {
    Push(Value),
    Read(Slot, Var),
    Apply(Op, u32),
    Call(Func, u32),
    /// If the top is this Boolean, jump and keep it; else drop it.
    Decide(bool, u32),
    /// Drop the top; jump if it was false.
    Unless(u32),
    Jump(u32),
}

/// A term, and its code if it has some.
#[derive(Debug)]
pub(super) struct Code {
    pub term: Term,
    pub instrs: Option<Box<[Instr]>>,
}

#[derive(Debug)]
pub(super) struct Target {
    pub slot: Slot,
    pub var: Var,
}

#[derive(Debug)]
pub(super) struct Assignment {
    pub target: Target,
    pub code: Code,
    /// If this updates a few elements of the array that the target is: their indices, from the outside in, the last
    /// update first.
    pub writes: Vec<Vec<Code>>,
    /// The value does not come from the target: this is an assignment even where it changes nothing.
    pub fresh: bool,
}

#[derive(Debug)]
pub(super) enum Action {
    Assume(Code),
    Assert(AssertId, Code),
    Assign(Vec<Assignment>),
    Havoc(Vec<Target>),
    Box {
        callee: RegionId,
        args: Vec<Code>,
        results: Vec<Target>,
        /// The region boxes itself and returns just what that returns.
        tail: bool,
    },
}

#[derive(Debug)]
pub(super) enum Next {
    Goto(Vec<BlockId>),
    Branch(Code, BlockId, BlockId),
    Return,
}

#[derive(Debug)]
pub(super) struct Prepared {
    /// Slots of the frame; inputs have the first ones.
    pub slots: u32,
    pub outputs: Vec<u32>,
    pub vars: FxHashMap<Var, Slot>,
    pub blocks: Vec<(Vec<(Action, Loc)>, Next)>,
}

/// Prepares terms over some variables.
pub(super) struct Compiler<'a> {
    pub terms: &'a Terms,
    pub shared: &'a FxHashMap<Var, Slot>,
    pub own: FxHashMap<Var, Slot>,
}

impl Compiler<'_> {
    fn slot(&self, v: Var) -> Option<Slot> {
        self.own.get(&v).or_else(|| self.shared.get(&v)).copied()
    }

    pub fn code(&self, term: Term) -> Code {
        if !self.small(term) {
            return Code { term, instrs: None };
        }
        let mut instrs = Vec::new();
        let ok = self.emit(term, &mut instrs);
        Code { term, instrs: ok.then(|| instrs.into_boxed_slice()) }
    }

    fn small(&self, term: Term) -> bool {
        let mut stack = vec![term];
        let mut count = 0;
        while let Some(t) = stack.pop() {
            count += 1;
            let binds = matches!(self.terms.op(t), Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) | Op::Bound(..));
            if binds || count > MAX_TREE {
                return false;
            }
            stack.extend_from_slice(self.terms.args(t));
        }
        true
    }

    /// The recursion is no deeper than [`MAX_TREE`].
    fn emit(&self, t: Term, out: &mut Vec<Instr>) -> bool {
        let args = self.terms.args(t);
        match self.terms.op(t) {
            Op::Var(v) => match self.slot(v) {
                Some(slot) => out.push(Instr::Read(slot, v)),
                None => return false,
            },
            op @ (Op::And | Op::Or) => {
                let mut jumps = Vec::new();
                for (i, &a) in args.iter().enumerate() {
                    if !self.emit(a, out) {
                        return false;
                    }
                    if i + 1 < args.len() {
                        jumps.push(out.len());
                        out.push(Instr::Decide(op == Op::Or, 0));
                    }
                }
                let end = out.len() as u32;
                for j in jumps {
                    out[j] = Instr::Decide(op == Op::Or, end);
                }
            }
            Op::Ite => {
                let &[c, a, b] = args else { return false };
                if !self.emit(c, out) {
                    return false;
                }
                let unless = out.len();
                out.push(Instr::Unless(0));
                if !self.emit(a, out) {
                    return false;
                }
                let jump = out.len();
                out.push(Instr::Jump(0));
                out[unless] = Instr::Unless(out.len() as u32);
                if !self.emit(b, out) {
                    return false;
                }
                out[jump] = Instr::Jump(out.len() as u32);
            }
            op => {
                for &a in args {
                    if !self.emit(a, out) {
                        return false;
                    }
                }
                out.push(match op {
                    Op::App(f) => Instr::Call(f, args.len() as u32),
                    op if args.is_empty() => match lariat_term::fold::apply(self.terms, op, &[], &|_| None) {
                        Ok(v) => Instr::Push(v),
                        Err(_) => return false,
                    },
                    op => Instr::Apply(op, args.len() as u32),
                });
            }
        }
        true
    }

    /// The elements of a variable that a term updates, if it does no more than that, and they are few.
    fn writes(&self, var: Var, mut term: Term) -> Vec<Vec<Code>> {
        const FEW: usize = 16;
        let mut paths = Vec::new();
        while let (Op::Store, &[array, index, value]) = (self.terms.op(term), self.terms.args(term)) {
            let mut path = vec![self.code(index)];
            let (mut inner, mut at) = (value, index);
            while let (Op::Store, &[part, index, value]) = (self.terms.op(inner), self.terms.args(inner)) {
                let updates = self.terms.op(part) == Op::Select && self.terms.args(part)[1] == at;
                if !updates || path.len() > FEW {
                    return Vec::new();
                }
                path.push(self.code(index));
                (inner, at) = (value, index);
            }
            paths.push(path);
            term = array;
            if paths.len() > FEW {
                return Vec::new();
            }
        }
        if self.terms.as_var(term) == Some(var) { paths } else { Vec::new() }
    }

    /// Is this a value that does not come from the variable? Large terms and arrays are taken to be updates of it.
    fn is_fresh(&self, var: Var, term: Term) -> bool {
        const FEW: usize = 64;
        let mut open = vec![term];
        let mut seen = 0;
        while let Some(term) = open.pop() {
            seen += 1;
            if seen > FEW || self.terms.as_var(term) == Some(var) {
                return false;
            }
            open.extend(self.terms.args(term));
        }
        !matches!(self.terms.sort_kind(self.terms.sort(term)), SortKind::Array(..))
    }

    fn target(&self, var: Var) -> Target {
        // The verifier has seen to it that every target is visible.
        Target { slot: self.slot(var).unwrap_or(Slot::Own(0)), var }
    }

    fn targets(&self, vars: &[Var]) -> Vec<Target> {
        vars.iter().map(|&v| self.target(v)).collect()
    }
}

/// Prepares a region.
pub(super) fn prepare(program: &Program, terms: &Terms, shared: &FxHashMap<Var, Slot>, id: RegionId) -> Prepared {
    let region: &Region = &program.regions[id.index()];
    let mut own = FxHashMap::default();
    for d in region.inputs.iter().chain(&region.outputs).chain(&region.locals) {
        let next = own.len() as u32;
        own.entry(d.var).or_insert(Slot::Own(next));
    }
    let c = Compiler { terms, shared, own };
    let outputs: Vec<Var> = region.outputs.iter().map(|d| d.var).collect();
    let blocks = region.blocks.iter().map(|b| {
        let actions = b.stmts.iter().enumerate().map(|(i, s)| {
            let action = match &s.kind {
                StmtKind::Assume(t) => Action::Assume(c.code(*t)),
                StmtKind::Assert { id, cond } => Action::Assert(*id, c.code(*cond)),
                StmtKind::Assign(pairs) => {
                    let one = |&(v, t): &(Var, Term)| Assignment {
                        target: c.target(v),
                        code: c.code(t),
                        writes: c.writes(v, t),
                        fresh: c.is_fresh(v, t),
                    };
                    Action::Assign(pairs.iter().map(one).collect())
                }
                StmtKind::Havoc(vars) => Action::Havoc(c.targets(vars)),
                StmtKind::Box { callee, args, results } => Action::Box {
                    callee: *callee,
                    args: args.iter().map(|&t| c.code(t)).collect(),
                    results: c.targets(results),
                    tail: *callee == id
                        && i + 1 == b.stmts.len()
                        && b.next == Terminator::Return
                        && *results == outputs,
                },
            };
            (action, s.loc)
        });
        let next = match &b.next {
            Terminator::Goto(to) => Next::Goto(to.clone()),
            Terminator::Branch { cond, yes, no } => Next::Branch(c.code(*cond), *yes, *no),
            Terminator::Return => Next::Return,
        };
        (actions.collect(), next)
    });
    let blocks = blocks.collect();
    let outputs = outputs.iter().filter_map(|v| match c.own.get(v) {
        Some(Slot::Own(s)) => Some(*s),
        _ => None,
    });
    Prepared { slots: c.own.len() as u32, outputs: outputs.collect(), blocks, vars: c.own }
}
