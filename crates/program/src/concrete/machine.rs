//! The machine: paths, frames and steps.

use std::{rc::Rc, sync::Arc};

use lariat_term::{Op, SortKind, Terms, Value, Var, fold};
use rustc_hash::FxHashMap;

use super::{
    abstract_value::AbstractValue,
    code::{Action, Code, Instr, Slot, Update, WordOp, compile},
};
use crate::ir::{AssertId, AssertKind, BlockId, Program, RegionId};

/// How many variables all frames of a path may hold, and how many frames there may be.
const STACK: usize = 1 << 22;

/// How many entries arrays may get.
const ENTRIES: u64 = 1 << 23;

/// An instance of a region that is running.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub code: Rc<Code>,
    /// Its variables start here on the stack.
    pub base: usize,
    pub block: BlockId,
    pub step: usize,
    /// Its number among the instances, as far as they are listed.
    pub instance: u32,
}

/// Where a path is: the statement that is executed.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub region: RegionId,
    pub instance: u32,
    pub block: BlockId,
    pub stmt: u32,
}

/// What a value is needed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    /// A variable is havocked.
    Havoc,
    /// A variable of the frame has not been set.
    Local,
    /// A global has not been set.
    Global,
}

/// Decides what a program leaves open.
pub(super) trait Resolver {
    /// A value for a variable.
    fn value(&mut self, terms: &Terms, asked: Asked, var: Var, at: At) -> AbstractValue;

    /// Where a jump to one of several blocks goes; `None` to follow them all.
    fn choose(&mut self, among: usize, at: At) -> Option<usize>;

    /// The number of the instance that a box enters.
    fn enter(&mut self, at: At, callee: RegionId) -> u32;

    /// Words are compared.
    fn compared(&mut self, _a: u64, _b: u64) {}

    /// A path goes from a block to another one.
    fn goes(&mut self, _at: At, _to: BlockId) {}
}

/// Where a path is.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub frames: Vec<Frame>,
    pub stack: Vec<AbstractValue>,
    pub globals: Vec<AbstractValue>,
    /// Does it depend on nothing unknown?
    pub certain: bool,
}

/// How a path goes on.
pub(super) enum Flow {
    On,
    /// With a further round of a loop.
    Again,
    Ended,
    Fork(Vec<BlockId>),
    Fails(AssertId),
    /// At something that is only approximated.
    Approximate,
    Unknown(&'static str),
}

/// Executes statements on paths.
pub(super) struct Machine<O> {
    pub program: Arc<Program>,
    pub terms: Arc<Terms>,
    /// Those that count (sorted); the others hold.
    pub asserts: Arc<[AssertId]>,
    globals: FxHashMap<Var, u32>,
    codes: Vec<Option<Rc<Code>>>,
    registers: Vec<AbstractValue>,
    pub entries: u64,
    pub open: O,
}

impl<O: Resolver> Machine<O> {
    pub fn new(program: Arc<Program>, terms: Arc<Terms>, asserts: Arc<[AssertId]>, open: O) -> Self {
        Machine {
            globals: program.globals.iter().enumerate().map(|(i, d)| (d.var, i as u32)).collect(),
            codes: vec![None; program.regions.len()],
            program,
            terms,
            asserts,
            registers: Vec::new(),
            entries: 0,
            open,
        }
    }

    /// The path at the beginning of a region.
    pub fn start(&mut self, entry: RegionId) -> Path {
        let code = self.code(entry);
        Path {
            stack: vec![AbstractValue::Unknown; code.vars.len()],
            frames: vec![Frame { code, base: 0, block: BlockId(0), step: 0, instance: 0 }],
            globals: vec![AbstractValue::Unknown; self.program.globals.len()],
            certain: true,
        }
    }

    fn code(&mut self, region: RegionId) -> Rc<Code> {
        if let Some(code) = &self.codes[region.index()] {
            return code.clone();
        }
        let code = Rc::new(compile(&self.program, &self.terms, &self.globals, region));
        if self.registers.len() < code.registers as usize {
            self.registers.resize(code.registers as usize, AbstractValue::Unknown);
        }
        self.codes[region.index()] = Some(code.clone());
        code
    }

    /// Executes the next statement or jump.
    pub fn step(&mut self, path: &mut Path) -> Flow {
        let Some(frame) = path.frames.last_mut() else { return Flow::Ended };
        let (code, base) = (frame.code.clone(), frame.base);
        let step = &code.blocks[frame.block.index()][frame.step];
        let (instance, block, stmt) = (frame.instance, frame.block, frame.step as u32);
        let at = At { region: code.region, instance, block, stmt };
        frame.step += 1;
        for instr in &step.instrs {
            self.execute(instr, path, base, at);
        }
        let flow = self.act(&step.action, path, base, at);
        for &held in &step.held {
            self.registers[held as usize] = AbstractValue::Unknown;
        }
        flow
    }

    fn known(&self, register: u32) -> Option<bool> {
        self.registers[register as usize].word().map(|w| w != 0)
    }

    /// Gives a variable that has not been set a value.
    fn settle(&mut self, slot: Slot, path: &mut Path, base: usize, at: At) {
        let (asked, var) = match slot {
            Slot::Own(i) => {
                let Some(frame) = path.frames.last() else { return };
                (Asked::Local, frame.code.vars[i as usize])
            }
            Slot::Global(i) => (Asked::Global, self.program.globals[i as usize].var),
        };
        let cell = self.open.value(&self.terms, asked, var, at);
        *path.place(slot, base) = cell;
    }

    fn act(&mut self, action: &Action, path: &mut Path, base: usize, at: At) -> Flow {
        match action {
            Action::Assume(c) => match self.known(*c) {
                Some(true) => Flow::On,
                Some(false) => Flow::Ended,
                None => {
                    path.certain = false;
                    Flow::On
                }
            },
            Action::Assert(id, c) => self.assert(*id, self.known(*c), path),
            Action::Assign(updates) => {
                for (slot, update) in updates {
                    if !matches!(update, Update::Whole(_)) && path.cell(*slot, base).is_unknown() {
                        self.settle(*slot, path, base, at);
                    }
                    let place = path.place(*slot, base);
                    self.update(place, update);
                }
                if self.entries > ENTRIES { Flow::Unknown("arrays have too many entries") } else { Flow::On }
            }
            Action::Havoc(slots) => {
                let code = path.frames.last().map(|frame| frame.code.clone());
                for &slot in slots {
                    let var = match (slot, &code) {
                        (Slot::Own(i), Some(code)) => code.vars[i as usize],
                        (Slot::Global(i), _) => self.program.globals[i as usize].var,
                        _ => continue,
                    };
                    *path.place(slot, base) = self.open.value(&self.terms, Asked::Havoc, var, at);
                }
                Flow::On
            }
            Action::Box { callee, args, taken, tail, .. } => {
                let instance = self.open.enter(at, *callee);
                taken.iter().for_each(|&slot| path.stack[base + slot as usize] = AbstractValue::Unknown);
                let base = if *tail {
                    path.stack[base..].fill(AbstractValue::Unknown);
                    path.goto(BlockId(0));
                    path.frames.last_mut().into_iter().for_each(|frame| frame.instance = instance);
                    base
                } else {
                    let code = self.code(*callee);
                    let base = path.stack.len();
                    if base + code.vars.len() + path.frames.len() > STACK {
                        return Flow::Unknown("calls are nested too deep");
                    }
                    path.stack.resize(base + code.vars.len(), AbstractValue::Unknown);
                    path.frames.push(Frame { code, base, block: BlockId(0), step: 0, instance });
                    base
                };
                for (i, &arg) in args.iter().enumerate() {
                    path.stack[base + i] = std::mem::take(&mut self.registers[arg as usize]);
                    // The same term may be several arguments.
                    if args[i + 1..].contains(&arg) {
                        self.registers[arg as usize] = path.stack[base + i].clone();
                    }
                }
                if *tail { Flow::Again } else { Flow::On }
            }
            Action::Goto(to) => match to[..] {
                [] => Flow::Ended,
                [to] => self.goto(path, to, at),
                _ => match self.open.choose(to.len(), at) {
                    Some(choice) => self.goto(path, to[choice], at),
                    None => Flow::Fork(to.to_vec()),
                },
            },
            Action::Branch(c, yes, no) => match self.known(*c) {
                Some(holds) => self.goto(path, if holds { *yes } else { *no }, at),
                None => Flow::Fork(vec![*yes, *no]),
            },
            Action::Return => self.leave(path, at),
        }
    }

    fn goto(&mut self, path: &mut Path, to: BlockId, at: At) -> Flow {
        self.open.goes(at, to);
        path.goto(to);
        Flow::On
    }

    fn assert(&self, id: AssertId, holds: Option<bool>, path: &mut Path) -> Flow {
        match self.program.assertions[id.index()].kind {
            AssertKind::Candidate => return Flow::On,
            // What follows takes in more than the program does.
            AssertKind::Approximate => {
                path.certain = false;
                return Flow::Approximate;
            }
            _ => {}
        }
        match (holds, self.asserts.binary_search(&id).is_ok()) {
            (Some(true), _) => Flow::On,
            (Some(false), true) => Flow::Fails(id),
            (Some(false), false) => Flow::Ended,
            (None, true) => Flow::Unknown("an assertion depends on an unknown value"),
            (None, false) => {
                path.certain = false;
                Flow::On
            }
        }
    }

    /// Returns from the running region.
    fn leave(&mut self, path: &mut Path, at: At) -> Flow {
        let Some(left) = path.frames.last().map(|frame| (frame.code.clone(), frame.base)) else { return Flow::Ended };
        let (left, from) = left;
        if path.frames.len() < 2 {
            return Flow::Ended;
        }
        for &output in &left.outputs {
            if path.stack[from + output as usize].is_unknown() {
                self.settle(Slot::Own(output), path, from, at);
            }
        }
        path.frames.pop();
        let Some(caller) = path.frames.last() else { return Flow::Ended };
        let (code, base) = (caller.code.clone(), caller.base);
        // The caller is behind the box.
        if let Action::Box { results, .. } = &code.blocks[caller.block.index()][caller.step - 1].action {
            for (&output, &result) in left.outputs.iter().zip(results) {
                let value = path.stack[from + output as usize].clone();
                *path.place(result, base) = value;
            }
        }
        path.stack.truncate(from);
        Flow::On
    }

    fn update(&mut self, place: &mut AbstractValue, update: &Update) {
        match update {
            Update::Same => {}
            Update::Whole(register) => *place = self.registers[*register as usize].clone(),
            Update::Store(before, indices, element) => {
                self.update(place, before);
                let path = indices.iter().map(|&i| &self.registers[i as usize]);
                let element = self.registers[*element as usize].clone();
                self.entries += u64::from(place.store(path, element));
            }
            Update::Ite(c, a, b) => match self.known(*c) {
                Some(true) => self.update(place, a),
                Some(false) => self.update(place, b),
                None => *place = AbstractValue::Unknown,
            },
        }
    }

    fn execute(&mut self, instr: &Instr, path: &mut Path, base: usize, at: At) {
        if let Instr::Read(_, slot) | Instr::Element(_, slot, _) = instr
            && path.cell(*slot, base).is_unknown()
        {
            self.settle(*slot, path, base, at);
        }
        let registers = &mut self.registers;
        let (to, cell) = match instr {
            Instr::Const(to, cell) => (to, cell.clone()),
            Instr::Read(to, slot) => (to, path.cell(*slot, base).clone()),
            Instr::Word(to, op, a, b) => {
                let (a, b) = (registers[*a as usize].word(), registers[*b as usize].word());
                if let (true, Some(a), Some(b)) = (op.compares(), a, b) {
                    self.open.compared(a, b);
                }
                let word = match (op, a, b) {
                    (_, Some(a), Some(b)) => Some(op.apply(a, b)),
                    (WordOp::And, Some(0), None) | (WordOp::And, None, Some(0)) => Some(0),
                    (WordOp::Or, Some(1), None) | (WordOp::Or, None, Some(1)) => Some(1),
                    _ => None,
                };
                (to, word.map_or(AbstractValue::Unknown, AbstractValue::Word))
            }
            Instr::Ite(to, [c, a, b]) => {
                let cell = match registers[*c as usize].word() {
                    Some(0) => registers[*b as usize].clone(),
                    Some(_) => registers[*a as usize].clone(),
                    None => match (registers[*a as usize].word(), registers[*b as usize].word()) {
                        (Some(a), Some(b)) if a == b => AbstractValue::Word(a),
                        _ => AbstractValue::Unknown,
                    },
                };
                (to, cell)
            }
            Instr::Element(to, slot, indices) => {
                let indices = indices.iter().map(|&i| &registers[i as usize]);
                (to, path.cell(*slot, base).element(indices))
            }
            Instr::ElementOf(to, array, indices) => {
                let indices = indices.iter().map(|&i| &registers[i as usize]);
                (to, registers[*array as usize].element(indices))
            }
            Instr::Store(to, [array, index, element]) => {
                let mut cell = registers[*array as usize].clone();
                let index = registers[*index as usize].clone();
                self.entries += u64::from(cell.store([&index].into_iter(), registers[*element as usize].clone()));
                (to, cell)
            }
            Instr::Everywhere(to, element) => (to, AbstractValue::constant(registers[*element as usize].clone())),
            Instr::Apply(to, op, args) => (to, apply(&self.terms, *op, args, registers)),
        };
        registers[*to as usize] = cell;
    }
}

/// An operator that is not one on words.
fn apply(terms: &Terms, op: Op, args: &[(u32, SortKind)], registers: &[AbstractValue]) -> AbstractValue {
    let cells = || args.iter().map(|(a, _)| &registers[*a as usize]);
    if let Op::And | Op::Or = op {
        let decided = u64::from(op == Op::Or);
        if cells().any(|c| c.word() == Some(decided)) {
            return AbstractValue::Word(decided);
        }
    }
    if args.iter().all(|(_, kind)| *kind == SortKind::Int)
        && let Some(words) = cells().map(|c| c.word().map(|w| w as i64)).collect::<Option<Vec<i64>>>()
        && let Some(cell) = integers(op, &words)
    {
        return cell;
    }
    let values = args.iter().map(|(a, kind)| registers[*a as usize].value(*kind));
    let Some(values) = values.collect::<Option<Vec<Value>>>() else { return AbstractValue::Unknown };
    match fold::apply(terms, op, &values, &|_| None) {
        Ok(Value::Array(_)) | Err(_) => AbstractValue::Unknown,
        Ok(value) => AbstractValue::of(value),
    }
}

/// An operator on small integers, if the result is one or a Boolean.
fn integers(op: Op, words: &[i64]) -> Option<AbstractValue> {
    let number = |n: i64| AbstractValue::Word(n as u64);
    match (op, words) {
        (Op::Add, _) => words.iter().try_fold(0i64, |sum, &n| sum.checked_add(n)).map(number),
        (Op::Mul, _) => words.iter().try_fold(1i64, |product, &n| product.checked_mul(n)).map(number),
        (Op::Le, [a, b]) => Some(AbstractValue::bool(a <= b)),
        (Op::Lt, [a, b]) => Some(AbstractValue::bool(a < b)),
        (Op::Eq, [a, b]) => Some(AbstractValue::bool(a == b)),
        (Op::IntDiv, [a, b]) => a.checked_div_euclid(*b).map(number),
        (Op::IntMod, [a, b]) => a.checked_rem_euclid(*b).map(number),
        _ => None,
    }
}

impl Path {
    pub fn cell(&self, slot: Slot, base: usize) -> &AbstractValue {
        match slot {
            Slot::Own(i) => &self.stack[base + i as usize],
            Slot::Global(i) => &self.globals[i as usize],
        }
    }

    pub fn place(&mut self, slot: Slot, base: usize) -> &mut AbstractValue {
        match slot {
            Slot::Own(i) => &mut self.stack[base + i as usize],
            Slot::Global(i) => &mut self.globals[i as usize],
        }
    }

    pub fn goto(&mut self, block: BlockId) {
        if let Some(frame) = self.frames.last_mut() {
            (frame.block, frame.step) = (block, 0);
        }
    }
}
