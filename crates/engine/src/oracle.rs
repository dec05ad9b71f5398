//! Values of terms that cannot be evaluated, by a solver.
//!
//! In: a term, the values of its variables and a model for its functions. Out: its value, if a fresh
//! solver *proves* that it is the only one. All that is said about the model to the solver is true of
//! it, and an answer is accepted only if its opposite is unsatisfiable; so what is left out (a table
//! that is too long, a recursive definition, division by zero) can cost an answer, but not make it
//! wrong.

use lariat_program::Program;
use lariat_smt::Answer;
use lariat_summary::Definitions;
use lariat_term::{Binder, Func, Interpretation, Model, Op, Sort, SortKind, Term, Terms, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Budget;

/// Steps of the solver for one question.
const RESOURCES: u64 = 3_000_000;

/// Tables of functions and universes of sorts with more entries than this are not written out.
const MAX_ENTRIES: usize = 512;

/// Answers questions about one model.
pub struct Oracle<'a> {
    /// The program.
    pub program: &'a Program,
    /// The model.
    pub model: &'a Model,
    /// As [`solvers::open`] takes it.
    solver: &'a str,
    budget: &'a Budget,
    store: Option<Store>,
}

/// A copy of the term store, to build questions in.
struct Store {
    terms: Terms,
    /// How many terms the original had.
    copied: usize,
    definitions: Definitions,
    defined: FxHashSet<Func>,
}

impl<'a> Oracle<'a> {
    /// An oracle that has not been asked anything yet.
    pub fn new(program: &'a Program, model: &'a Model, solver: &'a str, budget: &'a Budget) -> Oracle<'a> {
        Oracle { program, model, solver, budget, store: None }
    }

    /// The value that a model without an opinion stands for.
    pub fn default_value(&self, terms: &Terms, sort: Sort) -> Option<Value> {
        terms.default_value_in(sort, &|s| self.model.universe(s))
    }

    /// The value of a term of `terms`, where `value` knows its variables.
    pub fn compute(&mut self, terms: &Terms, t: Term, value: &dyn Fn(Var) -> Option<Value>) -> Option<Value> {
        if self.store.as_ref().is_none_or(|s| s.copied != terms.len()) {
            let mut copy = terms.clone();
            let definitions = Definitions::new(self.program, &mut copy);
            let defined = self.program.functions.iter().map(|d| d.func).collect();
            self.store = Some(Store { terms: copy, copied: terms.len(), definitions, defined });
        }
        let mut store = self.store.take()?;
        let t = store.definitions.expand(&mut store.terms, t);
        let known: Vec<(Var, Value)> =
            store.terms.free_vars(&[t]).into_iter().filter_map(|v| Some((v, value(v)?))).collect();
        let map: FxHashMap<Var, Term> = known.iter().map(|(v, value)| (*v, store.terms.value_term(value))).collect();
        let t = store.terms.substitute(t, &map);
        let t = self.interpret(&mut store, t);
        let found = self.ask(&mut store.terms, t);
        self.store = Some(store);
        found
    }

    /// The term with the model's tables in place of functions, and without triggers (which may
    /// mention those functions, and need not be followed by a proof).
    fn interpret(&self, store: &mut Store, t: Term) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for old in store.terms.post_order(&[t]) {
            let mut args: Vec<Term> = store.terms.args(old).iter().map(|a| done[a]).collect();
            let op = store.terms.op(old);
            let new = match op {
                Op::App(f) if !store.defined.contains(&f) => self.look_up(&mut store.terms, f, &args),
                Op::Forall(b) | Op::Exists(b) | Op::Lambda(b) => {
                    let binder = Binder { triggers: Vec::new(), ..store.terms.binder(b).clone() };
                    let b = store.terms.intern_binder(binder);
                    args.truncate(1);
                    let op = match op {
                        Op::Forall(_) => Op::Forall(b),
                        Op::Exists(_) => Op::Exists(b),
                        _ => Op::Lambda(b),
                    };
                    store.terms.mk(op, &args)
                }
                _ => store.terms.mk(op, &args),
            };
            done.insert(old, new);
        }
        done[&t]
    }

    /// A function's table as nested cases.
    fn look_up(&self, terms: &mut Terms, f: Func, args: &[Term]) -> Term {
        let decl = terms.func_decl(f);
        let (builtin, result) = (decl.builtin.is_some(), decl.result);
        let entries = self.model.get_func(f).map(|t| &t.entries);
        if builtin || entries.is_some_and(|e| e.len() > MAX_ENTRIES) {
            return terms.app(f, args);
        }
        let otherwise = self.model.func_otherwise(terms, f).or_else(|| self.default_value(terms, result));
        let mut cases = match otherwise {
            Some(v) => terms.value_term(&v),
            None => terms.app(f, args),
        };
        let mut entries: Vec<(&Vec<Value>, &Value)> = entries.into_iter().flatten().collect();
        entries.sort_by_cached_key(|(at, _)| format!("{at:?}"));
        for (at, value) in entries {
            let equal: Vec<Term> = args
                .iter()
                .zip(at)
                .map(|(&a, v)| {
                    let v = terms.value_term(v);
                    terms.eq(a, v)
                })
                .collect();
            let (here, value) = (terms.and(&equal), terms.value_term(value));
            cases = terms.ite(here, value, cases);
        }
        cases
    }

    fn ask(&self, terms: &mut Terms, t: Term) -> Option<Value> {
        if let Some(v) = terms.term_value(t) {
            return Some(v);
        }
        let facts = self.universes(terms, t);
        if terms.sort(t) == Sort::BOOL {
            let not = terms.not(t);
            if self.check(terms, &facts, not)?.is_unsat() {
                return Some(Value::Bool(true));
            }
            return self.check(terms, &facts, t)?.is_unsat().then_some(Value::Bool(false));
        }
        let sort = terms.sort(t);
        let candidate = terms.fresh_var("value", sort);
        let is = terms.eq(candidate, t);
        let Answer::Sat(model) = self.check(terms, &facts, is)? else { return None };
        let value = model.value(terms, candidate).ok()?;
        let value_term = terms.value_term(&value);
        let differs = terms.ne(t, value_term);
        self.check(terms, &facts, differs)?.is_unsat().then_some(value)
    }

    /// That the sorts of a term have only the elements that the model knows.
    fn universes(&self, terms: &mut Terms, t: Term) -> Vec<Term> {
        let sorts: Vec<Sort> = terms.used_sorts(&[t]);
        let mut facts = Vec::new();
        for s in sorts {
            let Some(n) = self.model.universe(s).filter(|&n| (n as usize) <= MAX_ENTRIES) else { continue };
            if !matches!(terms.sort_kind(s), SortKind::Uninterpreted(_)) {
                continue;
            }
            let x = terms.bound(0, s);
            let is: Vec<Term> = (0..n)
                .map(|i| {
                    let e = terms.value_term(&Value::Elem(s, i));
                    terms.eq(x, e)
                })
                .collect();
            let any = terms.or(&is);
            facts.push(terms.forall_bound(&[("x", s)], &[], any));
        }
        facts
    }

    fn check(&self, terms: &Terms, facts: &[Term], t: Term) -> Option<Answer> {
        if self.budget.used_up().is_some() {
            return None;
        }
        let mut solver = self.budget.open(self.solver).ok()?;
        solver.set_limits(lariat_smt::Limits { resource: Some(RESOURCES), ..self.budget.solver_limits() });
        for &t in facts.iter().chain([&t]) {
            solver.assert(terms, t).ok()?;
        }
        solver.check(terms, &[]).ok()
    }
}
