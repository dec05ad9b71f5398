//! Abstract post-conditions of clauses: Boolean predicate abstraction by all-sat under assumptions, Cartesian where that has too many cubes.
//!
//! Each clause has a solver of its own, which is told the clause once, and each predicate of its relations once. A question is then a set of
//! assumptions: the cubes at the body.

use std::rc::Rc;

use lariat_engine::Budget;
use lariat_horn::System;
use lariat_smt::{Answer, Solver, SolverError};
use lariat_term::{Sort, Term, Terms};
use rustc_hash::FxHashMap;

use crate::precision::Precision;

/// How many cubes a step may lead to before they are put into one (Cartesian abstraction).
const CUBES: usize = 48;
/// How many clauses have a solver at a time.
const SOLVERS: usize = 300;

/// A conjunction of predicates of a relation and of negated ones, by their number: what is not mentioned may be either. Sorted.
pub type Cube = Rc<[(u32, bool)]>;

/// What a clause leads to.
#[derive(Clone, Debug)]
pub enum Post {
    /// One of these; none if the clause cannot be applied. A clause without a head leads to an empty cube if it may be applied.
    Cubes(Vec<Cube>),
    /// The budget is used up.
    Paused,
}

/// Computes abstract post-conditions, and remembers them.
pub struct Abstraction {
    contexts: FxHashMap<usize, Context>,
    memo: FxHashMap<(usize, Vec<Cube>, usize), Vec<Cube>>,
    solver: String,
    /// How many questions solvers were asked.
    pub queries: u64,
}

/// A solver that knows a clause.
struct Context {
    solver: Box<dyn Solver>,
    /// The predicates about the atoms of the body.
    body: Vec<Vec<Term>>,
    /// Variables that stand for the predicates about the head.
    head: Vec<Term>,
}

impl Abstraction {
    /// Questions go to solvers of this name.
    pub fn new(solver: &str) -> Abstraction {
        let (contexts, memo) = Default::default();
        Abstraction { contexts, memo, solver: solver.to_owned(), queries: 0 }
    }

    /// What a clause leads to where its body has these cubes.
    pub fn post(
        &mut self,
        terms: &mut Terms,
        system: &System,
        precision: &Precision,
        budget: &Budget,
        number: usize,
        premises: &[Cube],
    ) -> Result<Post, SolverError> {
        let clause = &system.clauses[number];
        let tracked = clause.head.as_ref().map_or(0, |h| precision.of(h.relation).len());
        let key = (number, premises.to_vec(), tracked);
        if let Some(known) = self.memo.get(&key) {
            return Ok(Post::Cubes(known.clone()));
        }
        if !self.contexts.contains_key(&number) {
            if self.contexts.len() >= SOLVERS {
                self.contexts.clear();
            }
            let mut solver = budget.open(&self.solver)?;
            solver.assert(terms, clause.condition)?;
            let body = vec![Vec::new(); clause.body.len()];
            self.contexts.insert(number, Context { solver, body, head: Vec::new() });
        }
        let Some(context) = self.contexts.get_mut(&number) else { return Ok(Post::Paused) };
        context.solver.set_limits(budget.solver_limits());
        for (known, atom) in context.body.iter_mut().zip(&clause.body) {
            known.extend(precision.about(terms, atom.relation, known.len(), &atom.args));
        }
        if let Some(head) = &clause.head {
            for predicate in precision.about(terms, head.relation, context.head.len(), &head.args) {
                let proxy = terms.fresh_var("predicate", Sort::BOOL);
                let same = terms.eq(proxy, predicate);
                context.solver.assert(terms, same)?;
                context.head.push(proxy);
            }
        }
        let mut assumed = Vec::new();
        for (predicates, cube) in context.body.iter().zip(premises) {
            for &(i, holds) in cube.iter() {
                let t = predicates[i as usize];
                assumed.push(if holds { t } else { terms.not(t) });
            }
        }
        if assumed.contains(&terms.bool(false)) {
            self.memo.insert(key, Vec::new());
            return Ok(Post::Cubes(Vec::new()));
        }
        assumed.retain(|&t| t != terms.bool(true));
        let before = context.solver.statistics().queries;
        let depth = context.solver.depth();
        let found = context.cubes(terms, &assumed, tracked);
        self.queries += context.solver.statistics().queries.saturating_sub(before);
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                // What it was told is not known.
                self.contexts.remove(&number);
                return Err(error);
            }
        };
        let open = context.solver.depth().saturating_sub(depth);
        context.solver.pop(open)?;
        let cubes = match found {
            Some(cubes) => cubes,
            None if budget.used_up().is_some() => return Ok(Post::Paused),
            // Nothing is known.
            None => vec![Cube::from([])],
        };
        self.memo.insert(key, cubes.clone());
        Ok(Post::Cubes(cubes))
    }
}

impl Context {
    /// The cubes of the first predicates of the head under some assumptions; `None` if the solver does not know. A scope may be left open.
    fn cubes(&mut self, terms: &mut Terms, assumed: &[Term], tracked: usize) -> Result<Option<Vec<Cube>>, SolverError> {
        let mut full: Vec<Vec<bool>> = Vec::new();
        loop {
            let model = match self.solver.check(terms, assumed)? {
                Answer::Sat(model) => model,
                Answer::Unsat(_) => break,
                Answer::Unknown(_) => return Ok(None),
            };
            let mut values = Vec::with_capacity(tracked);
            for &proxy in &self.head[..tracked] {
                values.push(model.is_true(terms, proxy)?);
            }
            if full.is_empty() {
                if tracked == 0 {
                    return Ok(Some(vec![Cube::from([])]));
                }
                self.solver.push()?;
            }
            let differs = self.differs(terms, &values, &vec![true; tracked]);
            full.push(values);
            if full.len() >= CUBES {
                return self.cartesian(terms, assumed, &full);
            }
            self.solver.assert(terms, differs)?;
        }
        Ok(Some(merge(full)))
    }

    /// A predicate among these has another value.
    fn differs(&self, terms: &mut Terms, values: &[bool], among: &[bool]) -> Term {
        let others = self.head.iter().zip(values).zip(among).filter(|(_, among)| **among);
        let others: Vec<Term> = others.map(|((&t, &holds), _)| if holds { terms.not(t) } else { t }).collect();
        terms.or(&others)
    }

    /// The one cube of what all have in common (Cartesian abstraction), where some are known.
    fn cartesian(
        &mut self,
        terms: &mut Terms,
        assumed: &[Term],
        known: &[Vec<bool>],
    ) -> Result<Option<Vec<Cube>>, SolverError> {
        let values = &known[0];
        let mut common: Vec<bool> = (0..values.len()).map(|i| known.iter().all(|k| k[i] == values[i])).collect();
        self.solver.pop(1)?;
        self.solver.push()?;
        while common.contains(&true) {
            // Each model takes away a predicate at least.
            let differs = self.differs(terms, values, &common);
            self.solver.assert(terms, differs)?;
            match self.solver.check(terms, assumed)? {
                Answer::Sat(model) => {
                    for (i, &proxy) in self.head[..values.len()].iter().enumerate() {
                        common[i] &= model.is_true(terms, proxy)? == values[i];
                    }
                }
                Answer::Unsat(_) => break,
                Answer::Unknown(_) => return Ok(None),
            }
        }
        let cube = (0..values.len()).filter(|&i| common[i]).map(|i| (i as u32, values[i])).collect();
        Ok(Some(vec![cube]))
    }
}

/// The same set of valuations as few cubes: two that differ in one predicate are one without it.
fn merge(full: Vec<Vec<bool>>) -> Vec<Cube> {
    let mut cubes: Vec<Vec<Option<bool>>> = full.into_iter().map(|c| c.into_iter().map(Some).collect()).collect();
    let mut merged = true;
    while merged {
        merged = false;
        let mut i = 0;
        while i < cubes.len() {
            let mate = (i + 1..cubes.len()).find_map(|j| Some((j, single_difference(&cubes[i], &cubes[j])?)));
            match mate {
                Some((j, at)) => {
                    cubes.swap_remove(j);
                    cubes[i][at] = None;
                    merged = true;
                }
                None => i += 1,
            }
        }
    }
    let literals = |cube: &Vec<Option<bool>>| {
        cube.iter().enumerate().filter_map(|(i, value)| Some((i as u32, (*value)?))).collect::<Cube>()
    };
    cubes.iter().map(literals).collect()
}

/// The only position in which two cubes differ, if both have a value there.
fn single_difference(a: &[Option<bool>], b: &[Option<bool>]) -> Option<usize> {
    let mut differing = (0..a.len()).filter(|&i| a[i] != b[i]);
    let (first, second) = (differing.next()?, differing.next());
    (second.is_none() && a[first].is_some() && b[first].is_some()).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valuations_that_differ_in_one_predicate_are_one_cube() {
        let cubes = merge(vec![vec![true, true], vec![true, false], vec![false, false]]);
        let cubes: Vec<Vec<(u32, bool)>> = cubes.iter().map(|c| c.to_vec()).collect();
        assert_eq!(cubes, [vec![(0, true)], vec![(0, false), (1, false)]]);
        let all = merge(vec![vec![true, true], vec![true, false], vec![false, false], vec![false, true]]);
        assert_eq!(all.len(), 1);
        assert!(all[0].is_empty());
    }
}
