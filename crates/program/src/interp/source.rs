//! Where a run takes the values that the program leaves open from.

use std::collections::VecDeque;

use lariat_term::{ArrayValue, Func, Op, RoundingMode, Sort, SortKind, Term, Terms, Value, Var};
use rustc_hash::FxHashMap;

use crate::ir::{BlockId, Loc, RegionId};

/// What a value is needed for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Asked<'a> {
    /// A variable is havocked.
    Havoc(Var),
    /// A local or output is read before it is set.
    Local(Var),
    /// A global is read before it is set.
    Global(Var),
    /// A constant is read for the first time.
    Constant(Var),
    /// An input of the region where the run starts.
    Input(Var),
    /// An undefined function is applied to these arguments for the first time.
    Function(Func, &'a [Value]),
    /// An operator is applied to arguments where SMT-LIB leaves the result open, for the first time.
    Unspecified(Op, &'a [Value]),
}

/// A question for a value.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// What for.
    pub asked: Asked<'a>,
    /// The name in the source, or else the variable's or function's own; empty for operators.
    pub name: &'a str,
    /// The sort that the value must have.
    pub sort: Sort,
    /// Where the run is.
    pub at: At,
}

/// Where a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// The region that is running.
    pub region: RegionId,
    /// Which instance of a region that is: how many were entered before it in this run (a further
    /// round of a loop counts as an instance).
    pub instance: u64,
    /// The block that is running.
    pub block: BlockId,
    /// The position of the running statement in it; at a jump, the number of statements.
    pub stmt: u32,
    /// Where the statement stands in the source.
    pub loc: Loc,
}

/// Decides everything that a program leaves open. A run asks for nothing twice: the answer for a
/// constant, or for a function at some arguments, holds for the whole run.
pub trait ValueSource {
    /// A value of the query's sort; `None` if there is none, and the run is stuck.
    fn value(&mut self, terms: &Terms, query: &Query) -> Option<Value>;

    /// Where a `goto` with several targets goes on: a number below `among`.
    fn choose(&mut self, among: usize, at: At) -> Option<usize>;

    /// The box at this place enters the next instance: its number is one more than that of the last one
    /// entered. (The instance where the run starts has the number 0 and is not told of.)
    fn enter(&mut self, from: At) {
        let _ = from;
    }

    /// How many elements an uninterpreted sort has, where that is fixed for the whole run.
    fn universe(&self, sort: Sort) -> Option<u32> {
        let _ = sort;
        None
    }

    /// The value of a term that the interpreter cannot evaluate (a quantifier over the integers,
    /// say), given the values of the variables in it and in the definitions that it uses; `None` if
    /// it is not known. It must be exact, and fit to every answer of [`ValueSource::value`], also to
    /// questions about functions that have not been asked yet.
    fn compute(&mut self, terms: &Terms, term: Term, values: &FxHashMap<Var, Value>) -> Option<Value> {
        let _ = (terms, term, values);
        None
    }
}

/// Always the default value of the sort (zero, false …) and the first target.
#[derive(Clone, Copy, Debug, Default)]
pub struct Defaults;

impl ValueSource for Defaults {
    fn value(&mut self, terms: &Terms, query: &Query) -> Option<Value> {
        terms.default_value(query.sort)
    }

    fn choose(&mut self, _among: usize, _at: At) -> Option<usize> {
        Some(0)
    }
}

/// Pseudo-random values, small ones mostly; the same seed gives the same run.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A source that is determined by the seed.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// The next number (splitmix64).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    /// A small number mostly, a large one sometimes.
    fn integer(&mut self) -> i64 {
        match self.below(16) {
            0..=5 => self.below(3) as i64 - 1,
            6..=12 => self.below(21) as i64 - 10,
            13 | 14 => self.below(2001) as i64 - 1000,
            _ => self.next() as i64 >> self.below(48),
        }
    }

    fn of_sort(&mut self, terms: &Terms, sort: Sort, depth: u32, budget: &mut u32) -> Option<Value> {
        *budget = budget.saturating_sub(1);
        let depth = if *budget == 0 { MAX_DEPTH } else { depth };
        Some(match terms.sort_kind(sort) {
            SortKind::Bool => Value::Bool(self.below(2) == 1),
            SortKind::Int => Value::int(self.integer()),
            SortKind::Real => {
                let half = dashu_ratio::RBig::from_parts(self.integer().into(), (1 + self.below(2)).into());
                Value::real(half)
            }
            SortKind::RoundingMode => Value::RoundingMode(RoundingMode::ALL[self.below(5) as usize]),
            SortKind::BitVec(w) => Value::bv(w, self.bits(w)),
            SortKind::Float { exp, sig } => {
                Value::Float(lariat_term::Float::from_bits(exp, sig, self.bits(exp.saturating_add(sig))))
            }
            SortKind::Uninterpreted(_) => Value::Elem(sort, self.below(4) as u32),
            SortKind::Array(_, element) if depth < MAX_DEPTH => {
                let element = self.of_sort(terms, element, depth + 1, budget)?;
                let SortKind::Array(index, _) = terms.sort_kind(sort) else { return None };
                Value::array(ArrayValue::constant(sort, terms.domain(index, &|_| None), element))
            }
            SortKind::Datatype(d) if depth < MAX_DEPTH => {
                let ctors = terms.ctors(d);
                let c = *ctors.get(self.below(ctors.len() as u64) as usize)?;
                let fields: Option<Vec<Value>> =
                    terms.ctor_fields(c).iter().map(|f| self.of_sort(terms, f.sort, depth + 1, budget)).collect();
                Value::data(c, fields?)
            }
            SortKind::Array(..) | SortKind::Datatype(_) | SortKind::Builtin(_) => return terms.default_value(sort),
        })
    }

    /// Few bits, all ones or random ones.
    fn bits(&mut self, width: u32) -> dashu_int::UBig {
        let all = || (dashu_int::UBig::ONE << width as usize) - dashu_int::UBig::ONE;
        match self.below(8) {
            0..=3 => self.below(16).into(),
            4 => all(),
            5 => dashu_int::UBig::ONE << (width as usize - 1),
            _ => {
                let bytes: Vec<u8> = (0..width.div_ceil(64)).flat_map(|_| self.next().to_le_bytes()).collect();
                dashu_int::UBig::from_le_bytes(&bytes) & all()
            }
        }
    }
}

/// Nesting of random arrays and datatypes, beyond which defaults are taken.
const MAX_DEPTH: u32 = 4;

/// The same for the number of parts: a datatype with many fields is large at any depth.
const MAX_PARTS: u32 = 10_000;

impl ValueSource for Random {
    fn value(&mut self, terms: &Terms, query: &Query) -> Option<Value> {
        self.of_sort(terms, query.sort, 0, &mut { MAX_PARTS })
    }

    fn choose(&mut self, among: usize, _at: At) -> Option<usize> {
        Some(self.below(among as u64) as usize)
    }
}

/// Answers given in advance: by name where there are some for the name, else in the order they are
/// asked for, else by another source (if there is none, the run is stuck).
#[derive(Default)]
pub struct Recorded<'a> {
    values: VecDeque<Value>,
    choices: VecDeque<usize>,
    named: FxHashMap<String, VecDeque<Value>>,
    otherwise: Option<&'a mut dyn ValueSource>,
}

impl<'a> Recorded<'a> {
    /// No answers yet.
    pub fn new() -> Recorded<'a> {
        Recorded::default()
    }

    /// What to ask when the answers are used up.
    pub fn otherwise(mut self, source: &'a mut dyn ValueSource) -> Recorded<'a> {
        self.otherwise = Some(source);
        self
    }

    /// Adds the next value.
    pub fn value(&mut self, v: Value) {
        self.values.push_back(v);
    }

    /// Adds the next choice of a target.
    pub fn choice(&mut self, target: usize) {
        self.choices.push_back(target);
    }

    /// Adds the next value for a name ([`Query::name`]).
    pub fn named(&mut self, name: &str, v: Value) {
        self.named.entry(name.to_string()).or_default().push_back(v);
    }
}

impl ValueSource for Recorded<'_> {
    fn value(&mut self, terms: &Terms, query: &Query) -> Option<Value> {
        let named = self.named.get_mut(query.name).and_then(VecDeque::pop_front);
        named.or_else(|| self.values.pop_front()).or_else(|| self.otherwise.as_mut()?.value(terms, query))
    }

    fn choose(&mut self, among: usize, at: At) -> Option<usize> {
        self.choices.pop_front().or_else(|| self.otherwise.as_mut()?.choose(among, at))
    }
}

/// Is this a value of the sort?
pub(super) fn fits(terms: &Terms, v: &Value, sort: Sort) -> bool {
    match (v, terms.sort_kind(sort)) {
        (Value::Bool(_), SortKind::Bool)
        | (Value::Int(_), SortKind::Int)
        | (Value::Real(_), SortKind::Real)
        | (Value::RoundingMode(_), SortKind::RoundingMode) => true,
        (Value::BitVec(b), SortKind::BitVec(w)) => b.width() == w,
        (Value::Float(f), SortKind::Float { exp, sig }) => f.exp() == exp && f.sig() == sig,
        (Value::Array(a), SortKind::Array(..)) => a.sort() == sort,
        (Value::Elem(s, _), SortKind::Uninterpreted(_)) => *s == sort,
        (Value::Data(d), SortKind::Datatype(t)) => terms.ctor_datatype(d.ctor()) == t,
        _ => false,
    }
}
