//! Inputs of random runs: where their values come from, and what is recorded of them.

use std::rc::Rc;

use lariat_term::{Terms, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    abstract_value::{AbstractValue, Shape, scramble},
    machine::{Asked, At, Resolver},
};
use crate::ir::{BlockId, RegionId};

/// How many values are remembered of a place.
const REMEMBERED: usize = 32;

/// How many instances a run may have that is recorded.
const INSTANCES: usize = 1 << 19;

/// All that a run decides which the program leaves open.
#[derive(Debug, Default)]
pub struct Decisions {
    /// The instances of regions in the order in which they are entered; the first is that of the entry.
    pub instances: Vec<Decided>,
    /// Globals that were read before they were set.
    pub globals: Vec<(Var, Value)>,
}

/// What is decided in an instance of a region.
#[derive(Debug)]
pub struct Decided {
    /// The region.
    pub region: RegionId,
    /// Variables that were read before they were set; inputs are among them.
    pub locals: Vec<(Var, Value)>,
    /// What havoc statements give.
    pub havoc: Vec<((BlockId, u32, Var), Value)>,
    /// Where jumps with several targets go.
    pub choices: Vec<(BlockId, usize)>,
    /// Which instance a box enters.
    pub boxes: Vec<((BlockId, u32), usize)>,
}

/// What is recorded while a run is made again. Values are taken at its end, when it is known which elements of arrays were looked at.
#[derive(Default)]
pub(super) struct Record {
    instances: Vec<Recorded>,
    globals: Vec<(Var, AbstractValue)>,
}

struct Recorded {
    region: RegionId,
    locals: Vec<(Var, AbstractValue)>,
    havoc: Vec<((BlockId, u32, Var), AbstractValue)>,
    choices: Vec<(BlockId, usize)>,
    boxes: Vec<((BlockId, u32), usize)>,
}

impl Recorded {
    fn new(region: RegionId) -> Recorded {
        let (locals, havoc, choices, boxes) = Default::default();
        Recorded { region, locals, havoc, choices, boxes }
    }
}

impl Record {
    pub fn new(entry: RegionId) -> Record {
        Record { instances: vec![Recorded::new(entry)], globals: Vec::new() }
    }

    /// The decisions; `None` if there are too many, or a value cannot be told.
    pub fn decisions(self, terms: &Terms) -> Option<Decisions> {
        if self.instances.len() > INSTANCES {
            return None;
        }
        let value = |var: Var, cell: &AbstractValue| cell.drawn(terms, terms.var_sort(var));
        let vars = |list: Vec<(Var, AbstractValue)>| -> Option<Vec<(Var, Value)>> {
            list.into_iter().map(|(var, cell)| Some((var, value(var, &cell)?))).collect()
        };
        let instances = self.instances.into_iter().map(|i| {
            let havoc = i.havoc.into_iter().map(|(at, cell)| Some((at, value(at.2, &cell)?)));
            let (locals, havoc) = (vars(i.locals)?, havoc.collect::<Option<_>>()?);
            Some(Decided { region: i.region, locals, havoc, choices: i.choices, boxes: i.boxes })
        });
        Some(Decisions { instances: instances.collect::<Option<_>>()?, globals: vars(self.globals)? })
    }
}

/// A place that asks for values.
#[derive(Default)]
struct Input {
    /// What its values were compared with.
    compared: Vec<u64>,
    /// Values with which a run went on to ask for more.
    useful: Vec<u64>,
}

fn remember(list: &mut Vec<u64>, word: u64, random: u64) {
    if !list.contains(&word) {
        match list.len() < REMEMBERED {
            true => list.push(word),
            false => list[(random % REMEMBERED as u64) as usize] = word,
        }
    }
}

/// The source of values.
pub(super) struct Inputs {
    state: u64,
    /// Decides how places choose in this run.
    habits: u64,
    /// Are all values zeros?
    pub zeros: bool,
    /// Words to use, in their order; others are drawn.
    given: Vec<Option<u64>>,
    used: usize,
    /// The words that were drawn in this run since it was saved.
    pub drawn: Vec<u64>,
    /// Constants that the program compares with, sorted.
    pub constants: Rc<[u64]>,
    shapes: FxHashMap<Var, Option<Shape>>,
    numbers: FxHashMap<(RegionId, BlockId, u32, Var), u32>,
    places: Vec<Input>,
    last: Option<(u32, u64)>,
    /// Values of this run, with the last places that had them.
    recent: FxHashMap<u64, [u32; 3]>,
    /// Jumps that some run took; whether this one took a new one, at all and since its state was saved.
    edges: FxHashSet<(RegionId, BlockId, BlockId)>,
    pub new_edges: bool,
    pub new_edge: bool,
    pub record: Option<Record>,
}

impl Inputs {
    pub fn new(constants: Rc<[u64]>) -> Inputs {
        Inputs {
            state: 1,
            habits: 0,
            zeros: false,
            given: Vec::new(),
            used: 0,
            drawn: Vec::new(),
            constants,
            shapes: FxHashMap::default(),
            numbers: FxHashMap::default(),
            places: Vec::new(),
            last: None,
            recent: FxHashMap::default(),
            edges: FxHashSet::default(),
            new_edges: false,
            new_edge: false,
            record: None,
        }
    }

    /// A run begins, which uses these words first.
    pub fn begin(&mut self, given: Vec<Option<u64>>) {
        (self.given, self.used) = (given, 0);
        self.habits = self.random();
        self.drawn.clear();
        self.last = None;
        self.recent.clear();
        (self.new_edges, self.new_edge) = (false, false);
    }

    /// The next of the words to use.
    fn given(&mut self) -> Option<u64> {
        let word = *self.given.get(self.used)?;
        self.used += 1;
        word
    }

    /// A random number.
    pub fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(1);
        scramble(self.state)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.random() % n.max(1) as u64) as usize
    }

    fn one_of(&mut self, list: impl Fn(&Inputs) -> &[u64]) -> Option<u64> {
        let at = self.below(list(self).len());
        list(self).get(at).copied()
    }

    /// A word for a place: often one that mattered there, or one that the program speaks of. For a run, some places have one way to choose
    /// (swarm testing): so there are runs with many rounds, with text of digits, and so on.
    fn word(&mut self, place: u32, shape: &Shape) -> u64 {
        const WAYS: u64 = 18;
        let habit = scramble(self.habits ^ u64::from(place));
        let random = self.random();
        let (way, random) = match habit % 2 {
            0 => ((habit >> 1) % WAYS, random >> 5),
            _ => (random % WAYS, random >> 5),
        };
        match (way, shape) {
            (0..=7, Shape::Array(_)) => return 0,
            (_, Shape::Array(_)) => return random,
            (0..=3, Shape::Word(1)) => return u64::from(random % 16 == 0),
            (4..=7, Shape::Word(1)) => return u64::from(random % 16 != 0),
            (_, Shape::Word(1)) => return random & 1,
            (0..=3, Shape::Float(..)) => return scramble(random),
            (4..=7, &Shape::Float(exp, sig)) => return float(random as i64 % 17, exp, sig),
            _ => {}
        }
        let place = place as usize;
        let found = match way {
            0..=3 => self.one_of(|i| &i.places[place].compared).map(|w| match random & 7 {
                0 => w.wrapping_add(1),
                1 => w.wrapping_sub(1),
                _ => w,
            }),
            4..=7 => self.one_of(|i| &i.places[place].useful),
            8 | 9 => self.one_of(|i| &i.constants).map(|w| w.wrapping_add(random & 1)),
            10 => self.one_of(|i| &i.drawn),
            11 => Some([u64::MAX, 1 << 31, (1 << 31) - 1, 1 << 63, (1 << 63) - 1][random as usize % 5]),
            12 => Some(random & 0xff),
            // Of any magnitude.
            13 | 15 => Some(scramble(random) >> (64 - (1 + random % shape.width()))),
            14 => Some(text(random)),
            _ => None,
        };
        found.unwrap_or_else(|| match random >> 4 & 7 {
            0 => u64::MAX - (random >> 8) % 4,
            _ => (random >> 8) % 12,
        })
    }

    fn next(&mut self, place: u32, shape: &Shape) -> u64 {
        let word = match self.given() {
            Some(word) => word,
            None if self.zeros => 0,
            None => self.word(place, shape),
        };
        self.drawn.push(word);
        word
    }

    fn shape(&mut self, terms: &Terms, var: Var) -> Option<Shape> {
        self.shapes.entry(var).or_insert_with(|| Shape::of(terms, terms.var_sort(var))).clone()
    }
}

/// A character: a digit mostly.
fn text(random: u64) -> u64 {
    match random & 15 {
        0 | 1 => u64::from(b'-'),
        2 => u64::from(b' ') + (random >> 4) % 95,
        _ => u64::from(b'0') + (random >> 4) % 10,
    }
}

/// The bits of a small number as a float of a common format.
fn float(number: i64, exp: u32, sig: u32) -> u64 {
    match (exp, sig) {
        (8, 24) => u64::from((number as f32).to_bits()),
        (11, 53) => (number as f64).to_bits(),
        _ => 0,
    }
}

impl Resolver for Inputs {
    fn value(&mut self, terms: &Terms, asked: Asked, var: Var, at: At) -> AbstractValue {
        let Some(shape) = self.shape(terms, var) else { return AbstractValue::Unknown };
        let next = self.numbers.len() as u32;
        let place = *self.numbers.entry((at.region, at.block, at.stmt, var)).or_insert(next);
        if place == next {
            self.places.push(Input::default());
        }
        let word = self.next(place, &shape);
        let cell = shape.cell(word, &self.constants);
        if asked == Asked::Havoc && !matches!(shape, Shape::Array(_) | Shape::Word(1)) {
            let random = self.random();
            if let Some((place, word)) = self.last.replace((place, word)) {
                remember(&mut self.places[place as usize].useful, word, random);
            }
            if let Some(word) = cell.word() {
                let [a, b, _] = self.recent.get(&word).copied().unwrap_or([place; 3]);
                self.recent.insert(word, [place, a, b]);
            }
        }
        if let Some(record) = &mut self.record
            && let Some(instance) = record.instances.get_mut(at.instance as usize)
        {
            match asked {
                Asked::Havoc => instance.havoc.push(((at.block, at.stmt, var), cell.clone())),
                Asked::Local => instance.locals.push((var, cell.clone())),
                Asked::Global => record.globals.push((var, cell.clone())),
            }
        }
        cell
    }

    fn choose(&mut self, among: usize, at: At) -> Option<usize> {
        let word = match self.given() {
            Some(word) => word,
            None if self.zeros => 0,
            None => self.below(among) as u64,
        };
        self.drawn.push(word);
        let choice = (word % among.max(1) as u64) as usize;
        if let Some(record) = &mut self.record
            && let Some(instance) = record.instances.get_mut(at.instance as usize)
        {
            instance.choices.push((at.block, choice));
        }
        Some(choice)
    }

    fn enter(&mut self, at: At, callee: RegionId) -> u32 {
        let Some(record) = &mut self.record else { return 0 };
        let number = record.instances.len();
        if number <= INSTANCES {
            record.instances.push(Recorded::new(callee));
            if let Some(instance) = record.instances.get_mut(at.instance as usize) {
                instance.boxes.push(((at.block, at.stmt), number));
            }
        }
        number as u32
    }

    fn compared(&mut self, a: u64, b: u64) {
        for (a, b) in [(a, b), (b, a)] {
            if let Some(places) = self.recent.get(&a)
                && a != b
            {
                // One of them, in turn.
                let place = places[(self.state % 3) as usize];
                remember(&mut self.places[place as usize].compared, b, scramble(self.state));
            }
        }
    }

    fn goes(&mut self, at: At, to: BlockId) {
        if self.edges.insert((at.region, at.block, to)) {
            (self.new_edges, self.new_edge) = (true, true);
        }
    }
}
