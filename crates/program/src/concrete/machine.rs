//! The machine: paths, frames and steps.

use std::{rc::Rc, sync::Arc};

use lariat_term::{Op, SortKind, Terms, Value, Var, fold};
use rustc_hash::FxHashMap;

use super::{
    cell::Cell,
    code::{Action, Code, Instr, Slot, Update, WordOp, compile},
};
use crate::ir::{AssertId, AssertKind, BlockId, Program, RegionId};

/// How many paths are followed.
const PATHS: usize = 2_000;

/// How many variables all frames of a path may hold, and how many frames there may be.
const STACK: usize = 1 << 22;

/// How many entries arrays may get.
const ENTRIES: u64 = 1 << 23;

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

/// An instance of a region that is running.
#[derive(Clone, Debug)]
struct Frame {
    code: Rc<Code>,
    /// Its variables start here on the stack.
    base: usize,
    block: BlockId,
    step: usize,
    /// Its number among the instances, as far as they are listed.
    instance: u32,
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

/// Where a path is.
#[derive(Clone, Debug)]
struct Path {
    frames: Vec<Frame>,
    stack: Vec<Cell>,
    globals: Vec<Cell>,
    /// Does it depend on nothing unknown?
    certain: bool,
}

/// How a path goes on.
enum Flow {
    On,
    Ended,
    Fork(Vec<BlockId>),
    Fails(AssertId),
    Unknown(&'static str),
}

/// Follows the paths of a program.
pub struct Explorer {
    program: Arc<Program>,
    terms: Arc<Terms>,
    asserts: Arc<[AssertId]>,
    globals: FxHashMap<Var, u32>,
    codes: Vec<Option<Rc<Code>>>,
    registers: Vec<Cell>,
    open: Vec<Path>,
    paths: usize,
    entries: u64,
    steps: u64,
    /// `None` if there are too many.
    calls: Option<Calls>,
}

impl Explorer {
    /// The paths of a program, with its loops as regions, from an entry. These assertions count (sorted); the others hold.
    pub fn new(program: Arc<Program>, terms: Arc<Terms>, entry: RegionId, asserts: Arc<[AssertId]>) -> Self {
        let mut path = Path {
            frames: Vec::new(),
            stack: Vec::new(),
            globals: vec![Cell::Unknown; program.globals.len()],
            certain: true,
        };
        let mut explorer = Explorer {
            globals: program.globals.iter().enumerate().map(|(i, d)| (d.var, i as u32)).collect(),
            codes: vec![None; program.regions.len()],
            program,
            terms,
            asserts,
            registers: Vec::new(),
            open: Vec::new(),
            paths: 1,
            entries: 0,
            steps: 0,
            calls: Some(Calls::default()),
        };
        let code = explorer.code(entry);
        path.stack.resize(code.slots as usize, Cell::Unknown);
        path.frames.push(Frame { code, base: 0, block: BlockId(0), step: 0, instance: 0 });
        explorer.open.push(path);
        explorer
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
        self.calls.as_ref().map(|calls| &calls.list[..])
    }

    /// The number of the instance that the statement before the next one boxes.
    fn enter(&mut self, path: &Path) -> u32 {
        let (Some(calls), Some(frame)) = (&mut self.calls, path.frames.last()) else { return 0 };
        let call = (frame.instance, frame.block, frame.step as u32 - 1);
        let next = calls.list.len() as u32 + 1;
        let number = *calls.numbers.entry(call).or_insert(next);
        if number == next {
            calls.list.push(call);
        }
        if calls.list.len() > LISTED {
            self.calls = None;
        }
        number
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
                match self.step(&mut path) {
                    Flow::On => {}
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

    fn code(&mut self, region: RegionId) -> Rc<Code> {
        if let Some(code) = &self.codes[region.index()] {
            return code.clone();
        }
        let code = Rc::new(compile(&self.program, &self.terms, &self.globals, region));
        if self.registers.len() < code.registers as usize {
            self.registers.resize(code.registers as usize, Cell::Unknown);
        }
        self.codes[region.index()] = Some(code.clone());
        code
    }

    fn step(&mut self, path: &mut Path) -> Flow {
        let Some(frame) = path.frames.last_mut() else { return Flow::Ended };
        let (code, base) = (frame.code.clone(), frame.base);
        let step = &code.blocks[frame.block.index()][frame.step];
        frame.step += 1;
        for instr in &step.instrs {
            self.execute(instr, path, base);
        }
        let flow = self.act(&step.action, path, base);
        for &held in &step.held {
            self.registers[held as usize] = Cell::Unknown;
        }
        flow
    }

    fn known(&self, register: u32) -> Option<bool> {
        self.registers[register as usize].word().map(|w| w != 0)
    }

    fn act(&mut self, action: &Action, path: &mut Path, base: usize) -> Flow {
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
                    let place = path.place(*slot, base);
                    self.update(place, update);
                }
                if self.entries > ENTRIES { Flow::Unknown("arrays have too many entries") } else { Flow::On }
            }
            Action::Havoc(slots) => {
                slots.iter().for_each(|&slot| *path.place(slot, base) = Cell::Unknown);
                Flow::On
            }
            Action::Box { callee, args, taken, tail, .. } => {
                let instance = self.enter(path);
                taken.iter().for_each(|&slot| path.stack[base + slot as usize] = Cell::Unknown);
                let base = if *tail {
                    path.stack[base..].fill(Cell::Unknown);
                    path.goto(BlockId(0));
                    path.frames.last_mut().into_iter().for_each(|frame| frame.instance = instance);
                    base
                } else {
                    let code = self.code(*callee);
                    let base = path.stack.len();
                    if base + code.slots as usize + path.frames.len() > STACK {
                        return Flow::Unknown("calls are nested too deep");
                    }
                    path.stack.resize(base + code.slots as usize, Cell::Unknown);
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
                Flow::On
            }
            Action::Goto(to) => match to[..] {
                [] => Flow::Ended,
                [to] => {
                    path.goto(to);
                    Flow::On
                }
                _ => Flow::Fork(to.to_vec()),
            },
            Action::Branch(c, yes, no) => match self.known(*c) {
                Some(holds) => {
                    path.goto(if holds { *yes } else { *no });
                    Flow::On
                }
                None => Flow::Fork(vec![*yes, *no]),
            },
            Action::Return => path.leave(),
        }
    }

    fn assert(&self, id: AssertId, holds: Option<bool>, path: &mut Path) -> Flow {
        match self.program.assertions[id.index()].kind {
            AssertKind::Candidate => return Flow::On,
            // What follows takes in more than the program does.
            AssertKind::Approximate => {
                path.certain = false;
                return Flow::On;
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

    fn update(&mut self, place: &mut Cell, update: &Update) {
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
                None => *place = Cell::Unknown,
            },
        }
    }

    fn execute(&mut self, instr: &Instr, path: &Path, base: usize) {
        let registers = &mut self.registers;
        let (to, cell) = match instr {
            Instr::Const(to, cell) => (to, cell.clone()),
            Instr::Read(to, slot) => (to, path.cell(*slot, base).clone()),
            Instr::Word(to, op, a, b) => {
                let (a, b) = (registers[*a as usize].word(), registers[*b as usize].word());
                let word = match (op, a, b) {
                    (_, Some(a), Some(b)) => Some(op.apply(a, b)),
                    (WordOp::And, Some(0), None) | (WordOp::And, None, Some(0)) => Some(0),
                    (WordOp::Or, Some(1), None) | (WordOp::Or, None, Some(1)) => Some(1),
                    _ => None,
                };
                (to, word.map_or(Cell::Unknown, Cell::Word))
            }
            Instr::Ite(to, [c, a, b]) => {
                let cell = match registers[*c as usize].word() {
                    Some(0) => registers[*b as usize].clone(),
                    Some(_) => registers[*a as usize].clone(),
                    None => match (registers[*a as usize].word(), registers[*b as usize].word()) {
                        (Some(a), Some(b)) if a == b => Cell::Word(a),
                        _ => Cell::Unknown,
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
            Instr::Everywhere(to, element) => (to, Cell::constant(registers[*element as usize].clone())),
            Instr::Apply(to, op, args) => (to, apply(&self.terms, *op, args, registers)),
        };
        registers[*to as usize] = cell;
    }
}

/// An operator that is not one on words.
fn apply(terms: &Terms, op: Op, args: &[(u32, SortKind)], registers: &[Cell]) -> Cell {
    let cells = || args.iter().map(|(a, _)| &registers[*a as usize]);
    if let Op::And | Op::Or = op {
        let decided = u64::from(op == Op::Or);
        if cells().any(|c| c.word() == Some(decided)) {
            return Cell::Word(decided);
        }
    }
    if args.iter().all(|(_, kind)| *kind == SortKind::Int)
        && let Some(words) = cells().map(|c| c.word().map(|w| w as i64)).collect::<Option<Vec<i64>>>()
        && let Some(cell) = integers(op, &words)
    {
        return cell;
    }
    let values = args.iter().map(|(a, kind)| registers[*a as usize].value(*kind));
    let Some(values) = values.collect::<Option<Vec<Value>>>() else { return Cell::Unknown };
    match fold::apply(terms, op, &values, &|_| None) {
        Ok(Value::Array(_)) | Err(_) => Cell::Unknown,
        Ok(value) => Cell::of(value),
    }
}

/// An operator on small integers, if the result is one or a Boolean.
fn integers(op: Op, words: &[i64]) -> Option<Cell> {
    let number = |n: i64| Cell::Word(n as u64);
    match (op, words) {
        (Op::Add, _) => words.iter().try_fold(0i64, |sum, &n| sum.checked_add(n)).map(number),
        (Op::Mul, _) => words.iter().try_fold(1i64, |product, &n| product.checked_mul(n)).map(number),
        (Op::Le, [a, b]) => Some(Cell::bool(a <= b)),
        (Op::Lt, [a, b]) => Some(Cell::bool(a < b)),
        (Op::Eq, [a, b]) => Some(Cell::bool(a == b)),
        (Op::IntDiv, [a, b]) => a.checked_div_euclid(*b).map(number),
        (Op::IntMod, [a, b]) => a.checked_rem_euclid(*b).map(number),
        _ => None,
    }
}

impl Path {
    fn cell(&self, slot: Slot, base: usize) -> &Cell {
        match slot {
            Slot::Own(i) => &self.stack[base + i as usize],
            Slot::Global(i) => &self.globals[i as usize],
        }
    }

    fn place(&mut self, slot: Slot, base: usize) -> &mut Cell {
        match slot {
            Slot::Own(i) => &mut self.stack[base + i as usize],
            Slot::Global(i) => &mut self.globals[i as usize],
        }
    }

    fn goto(&mut self, block: BlockId) {
        if let Some(frame) = self.frames.last_mut() {
            (frame.block, frame.step) = (block, 0);
        }
    }

    /// Returns from the running region.
    fn leave(&mut self) -> Flow {
        let Some(left) = self.frames.pop() else { return Flow::Ended };
        let Some(caller) = self.frames.last() else { return Flow::Ended };
        let (code, base) = (caller.code.clone(), caller.base);
        // The caller is behind the box.
        if let Action::Box { results, .. } = &code.blocks[caller.block.index()][caller.step - 1].action {
            for (&output, &result) in left.code.outputs.iter().zip(results) {
                let value = self.stack[left.base + output as usize].clone();
                *self.place(result, base) = value;
            }
        }
        self.stack.truncate(left.base);
        Flow::On
    }
}
