//! Interpretations: what variables, functions and the corners that SMT-LIB leaves open mean.
//!
//! [`Model`] is the plain one (tables); whoever decides lazily (a concrete interpreter, say)
//! implements [`Interpretation`] itself.

use rustc_hash::FxHashMap;

use crate::{
    op::Op,
    sort::Sort,
    store::{Func, Terms, Var},
    value::{BitVec, Value},
};

/// What the evaluator asks. Answers must not change while an [`Evaluator`](crate::Evaluator) lives.
pub trait Interpretation {
    /// The value of a free variable.
    fn var(&self, terms: &Terms, v: Var) -> Option<Value>;

    /// The value of a declared function at some arguments.
    fn func(&self, terms: &Terms, f: Func, args: &[Value]) -> Option<Value>;

    /// The value of an operator where it is an unknown function of its arguments
    /// ([`NotFixed::Unspecified`](crate::NotFixed::Unspecified)): division by zero and the like.
    fn open(&self, terms: &Terms, op: Op, args: &[Value]) -> Option<Value> {
        open_default(terms, op, args)
    }

    /// How many elements an uninterpreted sort has, where that is fixed. (Array values over such
    /// sorts must have been made with the same universe.)
    fn universe(&self, sort: Sort) -> Option<u32> {
        let _ = sort;
        None
    }
}

/// The value of an open corner if nobody decided it: zero, or the first argument of `fp.min`.
pub fn open_default(terms: &Terms, op: Op, args: &[Value]) -> Option<Value> {
    match op {
        Op::FpMin | Op::FpMax => args.first().cloned(),
        Op::IntDiv | Op::IntMod => Some(Value::int(0)),
        Op::RealDiv | Op::FpToReal => terms.default_value(Sort::REAL),
        Op::Pow => match args.first()? {
            Value::Int(_) => Some(Value::int(0)),
            _ => terms.default_value(Sort::REAL),
        },
        Op::FpToUbv(n) | Op::FpToSbv(n) => Some(Value::BitVec(BitVec::zero(n))),
        Op::Selector(c, i) => terms.default_value(terms.ctor_fields(c).get(i as usize)?.sort),
        _ => None,
    }
}

/// A function as a table.
#[derive(Clone, Default, Debug)]
pub struct FuncTable {
    /// The value at the arguments listed.
    pub entries: FxHashMap<Vec<Value>, Value>,
    /// The value everywhere else, if there is one.
    pub default: Option<Value>,
}

/// A finite description of an interpretation.
#[derive(Clone, Default, Debug)]
pub struct Model {
    vars: FxHashMap<Var, Value>,
    funcs: FxHashMap<Func, FuncTable>,
    open: FxHashMap<(Op, Vec<Value>), Value>,
    universes: FxHashMap<Sort, u32>,
    complete: bool,
}

impl Model {
    /// A model that knows nothing: every variable and function is missing.
    pub fn new() -> Model {
        Model::default()
    }

    /// A model in which what is not set has the default value of its sort.
    pub fn complete() -> Model {
        Model { complete: true, ..Model::default() }
    }

    /// Does what is not set have the default value of its sort?
    pub fn set_complete(&mut self, complete: bool) {
        self.complete = complete;
    }

    /// Sets a variable's value.
    pub fn set(&mut self, v: Var, value: Value) {
        self.vars.insert(v, value);
    }

    /// A variable's value, as set.
    pub fn get(&self, v: Var) -> Option<&Value> {
        self.vars.get(&v)
    }

    /// Forgets a variable's value.
    pub fn remove(&mut self, v: Var) -> Option<Value> {
        self.vars.remove(&v)
    }

    /// The variables that are set, in no order.
    pub fn vars(&self) -> impl Iterator<Item = (Var, &Value)> {
        self.vars.iter().map(|(&v, value)| (v, value))
    }

    /// Sets a function.
    pub fn set_func(&mut self, f: Func, table: FuncTable) {
        self.funcs.insert(f, table);
    }

    /// A function's table, as set.
    pub fn get_func(&self, f: Func) -> Option<&FuncTable> {
        self.funcs.get(&f)
    }

    /// A function's table, to fill.
    pub fn func_mut(&mut self, f: Func) -> &mut FuncTable {
        self.funcs.entry(f).or_default()
    }

    /// The value of a function at all arguments that its table does not list.
    pub fn func_otherwise(&self, terms: &Terms, f: Func) -> Option<Value> {
        let default = self.funcs.get(&f).and_then(|t| t.default.clone());
        default.or_else(|| self.completion(terms, terms.func_decl(f).result))
    }

    /// The functions that are set, in no order.
    pub fn funcs(&self) -> impl Iterator<Item = (Func, &FuncTable)> {
        self.funcs.iter().map(|(&f, table)| (f, table))
    }

    /// Sets the value of an operator at arguments where SMT-LIB leaves it open.
    pub fn set_open(&mut self, op: Op, args: Vec<Value>, value: Value) {
        self.open.insert((op, args), value);
    }

    /// The open corners that are set, in no order.
    pub fn open_entries(&self) -> impl Iterator<Item = (Op, &[Value], &Value)> {
        self.open.iter().map(|((op, args), value)| (*op, args.as_slice(), value))
    }

    /// Sets how many elements an uninterpreted sort has.
    pub fn set_universe(&mut self, sort: Sort, elements: u32) {
        self.universes.insert(sort, elements);
    }

    fn completion(&self, terms: &Terms, sort: Sort) -> Option<Value> {
        if self.complete { terms.default_value_in(sort, &|s| self.universe(s)) } else { None }
    }
}

impl Interpretation for Model {
    fn var(&self, terms: &Terms, v: Var) -> Option<Value> {
        self.vars.get(&v).cloned().or_else(|| self.completion(terms, terms.var_sort(v)))
    }

    fn func(&self, terms: &Terms, f: Func, args: &[Value]) -> Option<Value> {
        let listed = self.funcs.get(&f).and_then(|t| t.entries.get(args).cloned());
        listed.or_else(|| self.func_otherwise(terms, f))
    }

    fn open(&self, terms: &Terms, op: Op, args: &[Value]) -> Option<Value> {
        if !self.open.is_empty()
            && let Some(v) = self.open.get(&(op, args.to_vec()))
        {
            return Some(v.clone());
        }
        open_default(terms, op, args)
    }

    fn universe(&self, sort: Sort) -> Option<u32> {
        self.universes.get(&sort).copied()
    }
}
