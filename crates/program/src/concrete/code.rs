//! Regions as code for a register machine.
//!
//! A statement computes its operands into registers, each term once, and then acts on them. An assignment to an array that only
//! replaces elements is an update in place, so that no array is copied as long as nobody else holds it.

use lariat_term::{Op, SortKind, Term, Terms, Value, Var};
use rustc_hash::FxHashMap;

use super::abstract_value::AbstractValue;
use crate::ir::{AssertId, BlockId, Program, RegionId, StmtKind, Terminator};

/// Updates that are nested deeper than this are computed as whole arrays.
const NESTED: usize = 64;

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// In the frame.
    Own(u32),
    /// A global.
    Global(u32),
}

/// A register.
pub(super) type Register = u32;

/// What an operator does with two words; with their width, where that matters.
#[derive(Clone, Copy, Debug)]
pub(super) enum WordOp {
    Eq,
    Not,
    And,
    Or,
    BvNot(u32),
    BvNeg(u32),
    BvAnd,
    BvOr,
    BvXor,
    BvAdd(u32),
    BvMul(u32),
    BvUdiv(u32),
    BvUrem,
    BvSdiv(u32),
    BvSrem(u32),
    BvShl(u32),
    BvLshr(u32),
    BvAshr(u32),
    BvUlt,
    BvUle,
    BvSlt(u32),
    BvSle(u32),
    /// The width of the low part.
    Concat(u32),
    /// The lowest bit, and how many.
    Extract(u32, u32),
    /// From this width to that one.
    SignExt(u32, u32),
    /// The same word.
    Same,
}

/// An instruction: what it gives goes to its first register.
#[derive(Debug)]
pub(super) enum Instr {
    Const(Register, AbstractValue),
    Read(Register, Slot),
    Word(Register, WordOp, Register, Register),
    Ite(Register, [Register; 3]),
    /// An element of a variable, by its path of indices.
    Element(Register, Slot, Box<[Register]>),
    /// An element of an array in a register.
    ElementOf(Register, Register, Box<[Register]>),
    /// The array in a register with another element.
    Store(Register, [Register; 3]),
    /// An array with one element everywhere.
    Everywhere(Register, Register),
    /// Any other operator.
    Apply(Register, Op, Box<[(Register, SortKind)]>),
}

/// What an assignment makes of a variable.
#[derive(Debug)]
pub(super) enum Update {
    /// It stays as it is.
    Same,
    /// It becomes this.
    Whole(Register),
    /// After this update, the element at a path becomes that.
    Store(Box<Update>, Box<[Register]>, Register),
    /// One update or the other.
    Ite(Register, Box<Update>, Box<Update>),
}

#[derive(Debug)]
pub(super) enum Action {
    Assume(Register),
    Assert(AssertId, Register),
    Assign(Box<[(Slot, Update)]>),
    Havoc(Box<[Slot]>),
    Box {
        callee: RegionId,
        args: Box<[Register]>,
        results: Box<[Slot]>,
        /// Variables of the frame that hold arguments, and that the results replace.
        taken: Box<[u32]>,
        /// The region boxes itself and returns just what that returns.
        tail: bool,
    },
    Goto(Box<[BlockId]>),
    Branch(Register, BlockId, BlockId),
    Return,
}

/// A statement or jump.
#[derive(Debug)]
pub(super) struct Step {
    pub instrs: Box<[Instr]>,
    /// Registers that may hold arrays afterwards.
    pub held: Box<[Register]>,
    pub action: Action,
}

#[derive(Debug)]
pub(super) struct Code {
    pub region: RegionId,
    /// Variables of a frame; inputs come first.
    pub vars: Box<[Var]>,
    pub inputs: u32,
    pub registers: u32,
    pub outputs: Box<[u32]>,
    /// The steps of each block, the jump last.
    pub blocks: Box<[Box<[Step]>]>,
}

/// The code of a region.
pub(super) fn compile(program: &Program, terms: &Terms, globals: &FxHashMap<Var, u32>, id: RegionId) -> Code {
    let region = &program.regions[id.index()];
    let mut own: FxHashMap<Var, u32> = FxHashMap::default();
    for d in region.inputs.iter().chain(&region.outputs).chain(&region.locals) {
        let next = own.len() as u32;
        own.entry(d.var).or_insert(next);
    }
    let mut registers = 0;
    let mut blocks = Vec::with_capacity(region.blocks.len());
    for block in &region.blocks {
        let mut steps = Vec::with_capacity(block.stmts.len() + 1);
        for (i, stmt) in block.stmts.iter().enumerate() {
            let mut c = Compiler::new(terms, globals, &own);
            let action = match &stmt.kind {
                StmtKind::Assume(t) => Action::Assume(c.term(*t)),
                StmtKind::Assert { id, cond } => Action::Assert(*id, c.term(*cond)),
                StmtKind::Assign(pairs) => {
                    let updates = pairs.iter().filter_map(|&(v, t)| Some((c.slot(v)?, c.update(v, t, 0))));
                    Action::Assign(updates.collect())
                }
                StmtKind::Havoc(vars) => Action::Havoc(vars.iter().filter_map(|&v| c.slot(v)).collect()),
                StmtKind::Box { callee, args, results } => {
                    let registers = args.iter().map(|&t| c.term(t)).collect();
                    let outputs = region.outputs.iter().map(|d| d.var);
                    let last = i + 1 == block.stmts.len() && block.next == Terminator::Return;
                    let given = |v: &Var| args.iter().any(|&t| terms.as_var(t) == Some(*v));
                    Action::Box {
                        callee: *callee,
                        args: registers,
                        results: results.iter().filter_map(|&v| c.slot(v)).collect(),
                        taken: results.iter().filter(|v| given(v)).filter_map(|v| own.get(v).copied()).collect(),
                        tail: *callee == id && last && outputs.eq(results.iter().copied()),
                    }
                }
            };
            steps.push(c.step(action, &mut registers));
        }
        let mut c = Compiler::new(terms, globals, &own);
        let action = match &block.next {
            Terminator::Goto(to) => Action::Goto(to.clone().into()),
            Terminator::Branch { cond, yes, no } => Action::Branch(c.term(*cond), *yes, *no),
            Terminator::Return => Action::Return,
        };
        steps.push(c.step(action, &mut registers));
        blocks.push(steps.into());
    }
    let outputs = region.outputs.iter().filter_map(|d| own.get(&d.var).copied()).collect();
    let mut vars: Vec<(u32, Var)> = own.iter().map(|(&var, &slot)| (slot, var)).collect();
    vars.sort_unstable();
    let vars = vars.into_iter().map(|(_, var)| var).collect();
    Code { region: id, vars, inputs: region.inputs.len() as u32, registers, outputs, blocks: blocks.into() }
}

/// Compiles the terms of one statement.
struct Compiler<'a> {
    terms: &'a Terms,
    globals: &'a FxHashMap<Var, u32>,
    own: &'a FxHashMap<Var, u32>,
    registers: FxHashMap<Term, Register>,
    instrs: Vec<Instr>,
    held: Vec<Register>,
}

impl<'a> Compiler<'a> {
    fn new(terms: &'a Terms, globals: &'a FxHashMap<Var, u32>, own: &'a FxHashMap<Var, u32>) -> Self {
        Compiler { terms, globals, own, registers: FxHashMap::default(), instrs: Vec::new(), held: Vec::new() }
    }

    fn step(self, action: Action, most: &mut u32) -> Step {
        *most = (*most).max(self.registers.len() as u32 + 1);
        Step { instrs: self.instrs.into(), held: self.held.into(), action }
    }

    fn slot(&self, v: Var) -> Option<Slot> {
        let own = self.own.get(&v).map(|&i| Slot::Own(i));
        own.or_else(|| self.globals.get(&v).map(|&i| Slot::Global(i)))
    }

    fn kind(&self, t: Term) -> SortKind {
        self.terms.sort_kind(self.terms.sort(t))
    }

    fn is_array(&self, t: Term) -> bool {
        matches!(self.kind(t), SortKind::Array(..))
    }

    /// The width of what is one word whatever its value; Booleans have one bit.
    fn width(&self, t: Term) -> Option<u32> {
        match self.kind(t) {
            SortKind::Bool => Some(1),
            SortKind::BitVec(width) => Some(width).filter(|&w| w <= 64),
            _ => None,
        }
    }

    /// The array and the path of indices that a chain of selections reads.
    fn selection(&self, mut t: Term) -> (Term, Vec<Term>) {
        let mut path = Vec::new();
        while let (Op::Select, &[array, index]) = (self.terms.op(t), self.terms.args(t)) {
            path.push(index);
            t = array;
        }
        path.reverse();
        (t, path)
    }

    /// The terms that the instruction for a term reads.
    fn operands(&self, t: Term) -> Vec<Term> {
        match self.terms.op(t) {
            Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) | Op::App(_) => Vec::new(),
            Op::Select => {
                let (array, mut operands) = self.selection(t);
                if self.terms.as_var(array).is_none() {
                    operands.push(array);
                }
                operands
            }
            _ => self.terms.args(t).to_vec(),
        }
    }

    /// The register of a term, after the instructions so far. Arguments come before their users.
    fn term(&mut self, t: Term) -> Register {
        let mut needed = vec![t];
        while let Some(t) = needed.pop() {
            if self.registers.contains_key(&t) {
                continue;
            }
            let open: Vec<Term> = self.operands(t).into_iter().filter(|o| !self.registers.contains_key(o)).collect();
            if open.is_empty() {
                let to = self.registers.len() as Register;
                self.registers.insert(t, to);
                let instr = self.instr(t, to);
                self.instrs.push(instr);
                if self.is_array(t) {
                    self.held.push(to);
                }
            } else {
                needed.push(t);
                needed.extend(open);
            }
        }
        self.registers[&t]
    }

    fn instr(&self, t: Term, to: Register) -> Instr {
        let unknown = Instr::Const(to, AbstractValue::Unknown);
        let args = self.terms.args(t);
        let register = |t: &Term| self.registers[t];
        let width = args.first().and_then(|&a| self.width(a));
        let op = self.terms.op(t);
        match (op, args) {
            (Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) | Op::App(_) | Op::Bound(..), _) => unknown,
            (Op::Var(v), _) => self.slot(v).map_or(unknown, |slot| Instr::Read(to, slot)),
            (Op::True | Op::False, _) => Instr::Const(to, AbstractValue::bool(op == Op::True)),
            (Op::Const(c), _) => Instr::Const(to, AbstractValue::of(self.terms.const_value(c).clone())),
            (Op::RoundingMode(mode), _) => Instr::Const(to, AbstractValue::of(Value::RoundingMode(mode))),
            (Op::Ite, [c, a, b]) => Instr::Ite(to, [c, a, b].map(register)),
            (Op::Select, _) => {
                let (array, path) = self.selection(t);
                let path = path.iter().map(register).collect();
                match self.terms.as_var(array) {
                    Some(v) => self.slot(v).map_or(unknown, |slot| Instr::Element(to, slot, path)),
                    None => Instr::ElementOf(to, register(&array), path),
                }
            }
            (Op::Store, [a, i, x]) => Instr::Store(to, [a, i, x].map(register)),
            (Op::ConstArray(_), [x]) => Instr::Everywhere(to, register(x)),
            (Op::And | Op::Or, &[a, b]) => {
                let op = if op == Op::And { WordOp::And } else { WordOp::Or };
                Instr::Word(to, op, self.registers[&a], self.registers[&b])
            }
            _ if args.iter().any(|&a| self.is_array(a)) => unknown,
            _ => {
                let word = width.filter(|_| self.width(t).is_some()).and_then(|w| word_op(op, w, self.second(args)));
                match (word, args) {
                    (Some(op), &[a]) => Instr::Word(to, op, self.registers[&a], self.registers[&a]),
                    (Some(op), &[a, b]) => Instr::Word(to, op, self.registers[&a], self.registers[&b]),
                    _ => {
                        let args = args.iter().map(|a| (self.registers[a], self.kind(*a))).collect();
                        Instr::Apply(to, op, args)
                    }
                }
            }
        }
    }

    /// The width of the second argument.
    fn second(&self, args: &[Term]) -> u32 {
        args.get(1).and_then(|&b| self.width(b)).unwrap_or(0)
    }

    /// What the assignment of a term makes of a variable.
    fn update(&mut self, v: Var, t: Term, depth: usize) -> Update {
        if self.terms.as_var(t) == Some(v) {
            return Update::Same;
        }
        if !self.is_array(t) || depth > NESTED {
            return Update::Whole(self.term(t));
        }
        match (self.terms.op(t), self.terms.args(t)) {
            (Op::Store, &[array, index, value]) => {
                let (mut path, mut element) = (vec![self.term(index)], value);
                // The array whose element is replaced, and where.
                let (mut whole, mut at) = (array, index);
                while let (Op::Store, &[part, index, value]) = (self.terms.op(element), self.terms.args(element)) {
                    if self.terms.op(part) != Op::Select || *self.terms.args(part) != [whole, at] {
                        break;
                    }
                    path.push(self.term(index));
                    (whole, at, element) = (part, index, value);
                }
                let element = self.term(element);
                Update::Store(Box::new(self.update(v, array, depth + 1)), path.into(), element)
            }
            (Op::Ite, &[c, a, b]) => {
                let c = self.term(c);
                let [a, b] = [a, b].map(|t| Box::new(self.update(v, t, depth + 1)));
                Update::Ite(c, a, b)
            }
            _ => Update::Whole(self.term(t)),
        }
    }
}

/// The operation on words for an operator whose first argument has this width, and the second that one.
fn word_op(op: Op, width: u32, second: u32) -> Option<WordOp> {
    Some(match op {
        Op::Eq => WordOp::Eq,
        Op::Not => WordOp::Not,
        Op::BvNot => WordOp::BvNot(width),
        Op::BvNeg => WordOp::BvNeg(width),
        Op::BvAnd => WordOp::BvAnd,
        Op::BvOr => WordOp::BvOr,
        Op::BvXor => WordOp::BvXor,
        Op::BvAdd => WordOp::BvAdd(width),
        Op::BvMul => WordOp::BvMul(width),
        Op::BvUdiv => WordOp::BvUdiv(width),
        Op::BvUrem => WordOp::BvUrem,
        Op::BvSdiv => WordOp::BvSdiv(width),
        Op::BvSrem => WordOp::BvSrem(width),
        Op::BvShl => WordOp::BvShl(width),
        Op::BvLshr => WordOp::BvLshr(width),
        Op::BvAshr => WordOp::BvAshr(width),
        Op::BvUlt => WordOp::BvUlt,
        Op::BvUle => WordOp::BvUle,
        Op::BvSlt => WordOp::BvSlt(width),
        Op::BvSle => WordOp::BvSle(width),
        Op::Concat => WordOp::Concat(second),
        Op::Extract { hi, lo } => WordOp::Extract(lo, hi - lo + 1),
        Op::ZeroExt(_) => WordOp::Same,
        Op::SignExt(by) => WordOp::SignExt(width, width + by),
        _ => return None,
    })
}

pub(super) fn ones(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// A word of this width as a signed number.
fn signed(word: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((word << unused) as i64) >> unused
}

impl WordOp {
    /// Does it compare its operands?
    pub fn compares(self) -> bool {
        matches!(self, WordOp::Eq | WordOp::BvUlt | WordOp::BvUle | WordOp::BvSlt(_) | WordOp::BvSle(_))
    }

    /// The result, as SMT-LIB has it.
    pub fn apply(self, a: u64, b: u64) -> u64 {
        match self {
            WordOp::Eq => u64::from(a == b),
            WordOp::Not => a ^ 1,
            WordOp::And | WordOp::BvAnd => a & b,
            WordOp::Or | WordOp::BvOr => a | b,
            WordOp::BvXor => a ^ b,
            WordOp::BvNot(w) => !a & ones(w),
            WordOp::BvNeg(w) => a.wrapping_neg() & ones(w),
            WordOp::BvAdd(w) => a.wrapping_add(b) & ones(w),
            WordOp::BvMul(w) => a.wrapping_mul(b) & ones(w),
            WordOp::BvUdiv(w) => a.checked_div(b).unwrap_or(ones(w)),
            WordOp::BvUrem => a.checked_rem(b).unwrap_or(a),
            WordOp::BvSdiv(w) => {
                let (x, y) = (signed(a, w), signed(b, w));
                // By zero: one for a negative number, else minus one.
                let quotient = if y == 0 { if x < 0 { 1 } else { -1 } } else { x.wrapping_div(y) };
                quotient as u64 & ones(w)
            }
            WordOp::BvSrem(w) => {
                let (x, y) = (signed(a, w), signed(b, w));
                (if y == 0 { x } else { x.wrapping_rem(y) }) as u64 & ones(w)
            }
            WordOp::BvShl(w) => {
                if b < u64::from(w) {
                    (a << b) & ones(w)
                } else {
                    0
                }
            }
            WordOp::BvLshr(w) => {
                if b < u64::from(w) {
                    a >> b
                } else {
                    0
                }
            }
            WordOp::BvAshr(w) => (signed(a, w) >> b.min(63)) as u64 & ones(w),
            WordOp::BvUlt => u64::from(a < b),
            WordOp::BvUle => u64::from(a <= b),
            WordOp::BvSlt(w) => u64::from(signed(a, w) < signed(b, w)),
            WordOp::BvSle(w) => u64::from(signed(a, w) <= signed(b, w)),
            WordOp::Concat(low) => (a << low) | b,
            WordOp::Extract(lo, n) => (a >> lo) & ones(n),
            WordOp::SignExt(from, to) => signed(a, from) as u64 & ones(to),
            WordOp::Same => a,
        }
    }
}

#[cfg(test)]
mod tests {
    use lariat_term::{Terms, Value, fold};

    use super::*;

    #[test]
    fn operators_on_words_are_those_of_terms() {
        let terms = Terms::new();
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ (state >> 29)
        };
        let binary = [
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvAdd,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
            Op::BvUlt,
            Op::BvUle,
            Op::BvSlt,
            Op::BvSle,
            Op::Eq,
        ];
        for width in [1, 2, 7, 8, 31, 32, 33, 63, 64] {
            for round in 0..300 {
                // Also what is small, and the ends of the range.
                let mut word = || match (round % 4, random()) {
                    (0, r) => (r % 4) & ones(width),
                    (1, r) => (ones(width) >> (r % 2)).wrapping_sub(r % 3) & ones(width),
                    (_, r) => r & ones(width),
                };
                let (a, b) = (word(), word());
                let value = |w| Value::bv(width, w);
                let agree = |op: Op, args: &[Value], second| {
                    let expected = fold::apply(&terms, op, args, &|_| None).map(AbstractValue::of);
                    let found = word_op(op, width, second).map(|op| op.apply(a, b));
                    assert_eq!(found, expected.ok().and_then(|c| c.word()), "{op:?} {width} {a:x} {b:x}");
                };
                binary.iter().for_each(|&op| agree(op, &[value(a), value(b)], width));
                [Op::BvNot, Op::BvNeg].iter().for_each(|&op| agree(op, &[value(a)], 0));
                let (hi, lo) = (width - 1, round % width);
                agree(Op::Extract { hi, lo }, &[value(a)], 0);
                if width < 64 {
                    [Op::ZeroExt(64 - width), Op::SignExt(64 - width)].iter().for_each(|&op| agree(op, &[value(a)], 0));
                }
                if width <= 32 {
                    agree(Op::Concat, &[value(a), value(b)], width);
                }
            }
        }
    }
}
