//! The precision of the abstraction: which predicates are tracked at which relation.
//!
//! Predicates are local (*Abstractions from proofs*, section 2): one that an interpolant puts at a relation is tracked there and nowhere
//! else. For comparison, they can be [global](Scope::Global): each is tracked wherever all variables that it is about are.

use lariat_horn::System;
use lariat_term::{Op, Sort, Substituter, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a new predicate is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Scope {
    /// Where the interpolant put it.
    #[default]
    Local,
    /// At all places that have its variables.
    Global,
}

/// How large a predicate may be, in nodes.
const SIZE: usize = 2_000;

/// The predicates of each relation, over variables that stand for the relation's arguments.
#[derive(Clone, Debug)]
pub struct Precision {
    formals: Vec<Vec<Var>>,
    predicates: Vec<Vec<Term>>,
    known: Vec<FxHashSet<Term>>,
    /// The variables of the program that arguments are values of, where that is known.
    named: Vec<Vec<Option<Var>>>,
    scope: Scope,
}

impl Precision {
    /// Nothing is tracked.
    pub fn new(system: &System, terms: &mut Terms, scope: Scope) -> Precision {
        let mut formals = Vec::new();
        for sorts in &system.relations {
            let vars = sorts.iter().map(|&s| terms.fresh_var("argument", s));
            let vars: Vec<Term> = vars.collect();
            formals.push(vars.iter().filter_map(|&t| terms.as_var(t)).collect());
        }
        let named = (0..formals.len()).map(|r| crate::places::variables(system, r)).collect();
        let (predicates, known) = (vec![Vec::new(); formals.len()], vec![FxHashSet::default(); formals.len()]);
        Precision { formals, predicates, known, named, scope }
    }

    /// The variables that predicates of a relation are over.
    pub fn formals(&self, relation: usize) -> &[Var] {
        &self.formals[relation]
    }

    /// The predicates of a relation, in the order in which they came; the list only grows.
    pub fn of(&self, relation: usize) -> &[Term] {
        &self.predicates[relation]
    }

    /// How many relations there are.
    pub fn relations(&self) -> usize {
        self.formals.len()
    }

    /// How many predicates there are, over all relations.
    pub fn total(&self) -> usize {
        self.predicates.iter().map(Vec::len).sum()
    }

    /// Tracks a predicate at a relation, and elsewhere if predicates are global. Says whether that is new.
    pub fn add(&mut self, terms: &mut Terms, relation: usize, predicate: Term) -> bool {
        let mut new = self.add_at(terms, relation, predicate);
        if self.scope == Scope::Global {
            for other in (0..self.formals.len()).filter(|&r| r != relation) {
                if let Some(there) = self.elsewhere(terms, relation, predicate, other) {
                    new |= self.add_at(terms, other, there);
                }
            }
        }
        new
    }

    fn add_at(&mut self, terms: &mut Terms, relation: usize, predicate: Term) -> bool {
        let predicate = positive(terms, predicate);
        if terms.is_value(predicate) || !is_small(terms, predicate) {
            return false;
        }
        let new = self.known[relation].insert(predicate);
        if new {
            self.predicates[relation].push(predicate);
        }
        new
    }

    /// A predicate of one relation over the arguments of another one that are values of the same variables.
    pub(crate) fn elsewhere(&self, terms: &mut Terms, from: usize, predicate: Term, to: usize) -> Option<Term> {
        let mut map = FxHashMap::default();
        for v in terms.free_vars(&[predicate]) {
            let at = self.formals[from].iter().position(|&f| f == v)?;
            let named = self.named[from].get(at).copied().flatten()?;
            let there = self.named[to].iter().position(|&n| n == Some(named))?;
            let there = self.formals[to][there];
            if terms.var_sort(there) != terms.var_sort(v) {
                return None;
            }
            map.insert(v, terms.var_term(there));
        }
        Some(terms.substitute(predicate, &map))
    }

    /// The predicates of a relation from the given one on, about these arguments.
    pub fn about(&self, terms: &mut Terms, relation: usize, first: usize, args: &[Term]) -> Vec<Term> {
        let map = self.formals[relation].iter().copied().zip(args.iter().copied()).collect();
        Substituter::new(terms, map).apply_all(terms, &self.predicates[relation][first..])
    }
}

/// A predicate without the negation in front of it.
fn positive(terms: &Terms, t: Term) -> Term {
    if terms.op(t) == Op::Not { terms.args(t)[0] } else { t }
}

fn is_small(terms: &Terms, t: Term) -> bool {
    let (mut seen, mut stack) = (FxHashSet::default(), vec![t]);
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            if terms.binds(t) > 0 || seen.len() > SIZE {
                return false;
            }
            stack.extend(terms.args(t));
        }
    }
    true
}

/// The variable and its value, if a predicate says what a variable is equal to.
pub(crate) fn fixes(terms: &Terms, predicate: Term) -> Option<(Var, Term)> {
    let (Op::Eq, &[a, b]) = (terms.op(predicate), terms.args(predicate)) else { return None };
    let value = |v: Term, value: Term| Some((terms.as_var(v)?, value)).filter(|_| terms.is_value(value));
    value(a, b).or_else(|| value(b, a))
}

/// The atoms that a formula is a Boolean combination of. Two bounds that are an equation together are that.
pub(crate) fn atoms(terms: &mut Terms, formula: Term) -> Vec<Term> {
    let (mut seen, mut stack, mut found) = (FxHashSet::default(), vec![formula], Vec::new());
    while let Some(t) = stack.pop() {
        if !seen.insert(t) || terms.is_value(t) {
            continue;
        }
        let mut args = terms.args(t).to_vec();
        let boolean = |&a: &Term| terms.sort(a) == Sort::BOOL;
        let connective = matches!(terms.op(t), Op::Not | Op::And | Op::Or | Op::Eq | Op::Distinct | Op::Ite)
            && args.iter().all(boolean);
        if connective {
            if terms.op(t) == Op::And {
                equations(terms, &mut args);
            }
            stack.extend(args.iter().rev());
        } else {
            found.push(t);
        }
    }
    found
}

/// Puts equations in the place of conjuncts a ≤ b and b ≤ a.
fn equations(terms: &mut Terms, conjuncts: &mut Vec<Term>) {
    let bounds = |terms: &Terms, t: Term| match (terms.op(t), terms.args(t)) {
        (Op::Le, &[a, b]) => Some((a, b)),
        _ => None,
    };
    let all: FxHashSet<(Term, Term)> = conjuncts.iter().filter_map(|&t| bounds(terms, t)).collect();
    for t in conjuncts.iter_mut() {
        if let Some((a, b)) = bounds(terms, *t)
            && all.contains(&(b, a))
        {
            *t = terms.eq(a, b);
        }
    }
    let mut seen = FxHashSet::default();
    conjuncts.retain(|&t| seen.insert(t));
}

/// The conjuncts of a formula.
pub(crate) fn conjuncts(terms: &mut Terms, formula: Term) -> Vec<Term> {
    let (mut found, mut work) = (Vec::new(), vec![formula]);
    while let Some(t) = work.pop() {
        match (terms.op(t), terms.args(t).to_vec()) {
            (Op::True, _) => {}
            (Op::And, args) => work.extend(args.iter().rev()),
            (Op::Not, args) if terms.op(args[0]) == Op::Or => {
                for a in terms.args(args[0]).to_vec().into_iter().rev() {
                    work.push(terms.not(a));
                }
            }
            _ => found.push(t),
        }
    }
    found
}
