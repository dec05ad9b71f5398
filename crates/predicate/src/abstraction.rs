//! Abstract post-conditions of clauses: Boolean predicate abstraction by all-sat under assumptions, Cartesian where that has too many cubes.
//!
//! Each large clause has a solver of its own, which is told the clause once, and each predicate of its relations once. Small clauses take turns with one
//! solver, which is told them each time: to make a solver takes longer than that. A question is then a set of
//! assumptions: the cubes at the body, and that none of the cubes that are known at the head holds. So only what is new is listed, and where nothing
//! is, one question shows it; its core says which of the known cubes cover the step.

use std::rc::Rc;

use lariat_engine::Budget;
use lariat_horn::System;
use lariat_smt::{Answer, Solver, SolverError};
use lariat_term::{Sort, Substituter, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::precision::{Precision, fixes};

/// How many cubes a step may lead to before they are put into one (Cartesian abstraction).
const CUBES: usize = 48;
/// How many clauses have a solver at a time.
const SOLVERS: usize = 300;
/// Clauses with at most so many nodes are small.
const SMALL: usize = 200;

/// A conjunction of predicates of a relation and of negated ones, by their number: what is not mentioned may be either. Sorted.
pub type Cube = Rc<[(u32, bool)]>;

/// A clause with the cubes that hold at its body.
#[derive(Clone, Copy, Debug)]
pub struct Applied<'a> {
    /// The clause.
    pub clause: usize,
    /// A cube for each atom of its body.
    pub premises: &'a [Cube],
    /// Cubes that are known at its head.
    pub known: &'a [Cube],
}

/// What a clause leads to.
#[derive(Clone, Debug)]
pub enum Post {
    /// One of some cubes; none if the clause cannot be applied. A clause without a head leads to an empty cube if it may be applied.
    Cubes {
        /// The new ones.
        found: Vec<Cube>,
        /// Which of those that were known.
        covering: Vec<usize>,
    },
    /// The budget is used up.
    Paused,
}

/// Computes abstract post-conditions, and remembers them.
pub struct Abstraction {
    contexts: FxHashMap<usize, Context>,
    /// The solver of small clauses.
    shared: Option<Box<dyn Solver>>,
    /// What clauses lead to from some cubes, with so many predicates at the head, where that is known in full.
    memo: FxHashMap<(usize, Vec<Cube>, usize), Vec<Cube>>,
    /// Cubes of relations without literals that follow from others.
    essential: FxHashMap<(usize, Cube), Cube>,
    solver: String,
    /// How many questions solvers were asked.
    pub queries: u64,
}

/// How questions about a clause are asked.
struct Context {
    /// A solver that knows the clause; small ones have none.
    own: Option<Box<dyn Solver>>,
    /// The predicates about the atoms of the body.
    body: Vec<Vec<Term>>,
    /// Variables that stand for the predicates about the head.
    head: Vec<Term>,
    /// That they do.
    meaning: Vec<Term>,
    /// That a cube at the head does not hold.
    blocked: FxHashMap<Cube, Term>,
}

impl Abstraction {
    /// Questions go to solvers of this name.
    pub fn new(solver: &str) -> Abstraction {
        let (contexts, memo, essential) = Default::default();
        Abstraction { contexts, shared: None, memo, essential, solver: solver.to_owned(), queries: 0 }
    }

    /// What a clause leads to, and which of the cubes that are known at its head cover what is not new.
    pub fn post(
        &mut self,
        terms: &mut Terms,
        system: &System,
        precision: &Precision,
        budget: &Budget,
        Applied { clause: number, premises, known }: Applied<'_>,
    ) -> Result<Post, SolverError> {
        let clause = &system.clauses[number];
        if let Some(all) = known.iter().position(|cube| cube.is_empty()) {
            return Ok(Post::Cubes { found: Vec::new(), covering: vec![all] });
        }
        let tracked = clause.head.as_ref().map_or(0, |h| precision.of(h.relation).len());
        let key = (number, premises.to_vec(), tracked);
        if let Some(found) = self.memo.get(&key) {
            return Ok(Post::Cubes { found: found.clone(), covering: Vec::new() });
        }
        let premises: Vec<Cube> = (clause.body.iter().zip(premises))
            .map(|(atom, cube)| self.essential(terms, precision, atom.relation, cube))
            .collect();
        let known: Vec<Cube> = match &clause.head {
            Some(head) => known.iter().map(|cube| self.essential(terms, precision, head.relation, cube)).collect(),
            None => Vec::new(),
        };
        if !self.contexts.contains_key(&number) {
            let own = match terms.dag_size(&[clause.condition]) <= SMALL {
                true => None,
                false => {
                    if self.contexts.values().filter(|c| c.own.is_some()).count() >= SOLVERS {
                        self.contexts.retain(|_, context| context.own.is_none());
                    }
                    let mut solver = budget.open(&self.solver)?;
                    solver.assert(terms, clause.condition)?;
                    Some(solver)
                }
            };
            let (head, meaning, blocked) = Default::default();
            self.contexts
                .insert(number, Context { own, body: vec![Vec::new(); clause.body.len()], head, meaning, blocked });
        }
        if self.shared.is_none() {
            self.shared = Some(budget.open(&self.solver)?);
        }
        let (Some(context), Some(shared)) = (self.contexts.get_mut(&number), &mut self.shared) else {
            return Ok(Post::Paused);
        };
        for (known, atom) in context.body.iter_mut().zip(&clause.body) {
            known.extend(precision.about(terms, atom.relation, known.len(), &atom.args));
        }
        if let Some(head) = &clause.head {
            for predicate in precision.about(terms, head.relation, context.head.len(), &head.args) {
                let proxy = terms.fresh_var("predicate", Sort::BOOL);
                let same = terms.eq(proxy, predicate);
                if let Some(own) = &mut context.own {
                    own.assert(terms, same)?;
                }
                context.head.push(proxy);
                context.meaning.push(same);
            }
        }
        let mut assumed = Vec::new();
        for (predicates, cube) in context.body.iter().zip(&premises) {
            for &(i, holds) in cube.iter() {
                let t = predicates[i as usize];
                assumed.push(if holds { t } else { terms.not(t) });
            }
        }
        if assumed.contains(&terms.bool(false)) {
            self.memo.insert(key, Vec::new());
            return Ok(Post::Cubes { found: Vec::new(), covering: Vec::new() });
        }
        assumed.retain(|&t| t != terms.bool(true));
        let given = assumed.len();
        for cube in &known {
            let blocked = context.blocked(terms, cube);
            assumed.push(blocked);
        }
        let asked = context.ask(shared, terms, clause.condition, &assumed, tracked, budget);
        let found = match asked {
            Ok((found, queries)) => {
                self.queries += queries;
                found
            }
            Err(error) => {
                // What the solver was told is not known.
                self.contexts.remove(&number);
                self.shared = None;
                return Err(error);
            }
        };
        let (found, core) = match found {
            Some(found) => found,
            None if budget.used_up().is_some() => return Ok(Post::Paused),
            // Nothing is known.
            None => (vec![Cube::from([])], Vec::new()),
        };
        let covering: Vec<usize> = (0..known.len()).filter(|&i| core.contains(&assumed[given + i])).collect();
        if covering.is_empty() {
            self.memo.insert(key, found.clone());
        }
        Ok(Post::Cubes { found, covering })
    }

    /// The same cube, without the literals that are plain from what it says variables are equal to.
    fn essential(&mut self, terms: &mut Terms, precision: &Precision, relation: usize, cube: &Cube) -> Cube {
        let key = (relation, cube.clone());
        if let Some(known) = self.essential.get(&key) {
            return known.clone();
        }
        let predicates = precision.of(relation);
        let mut values: FxHashMap<Var, Term> = FxHashMap::default();
        let mut fixed = FxHashSet::default();
        for &(i, _) in cube.iter().filter(|(_, holds)| *holds) {
            if let Some((v, value)) = fixes(terms, predicates[i as usize])
                && !values.contains_key(&v)
            {
                values.insert(v, value);
                fixed.insert(i);
            }
        }
        let literals = if values.is_empty() {
            cube.clone()
        } else {
            let mut known = Substituter::new(terms, values);
            let mut follows = |terms: &mut Terms, i: u32, holds: bool| {
                known.apply(terms, predicates[i as usize]) == terms.bool(holds)
            };
            cube.iter().copied().filter(|&(i, holds)| fixed.contains(&i) || !follows(terms, i, holds)).collect()
        };
        self.essential.insert(key, literals.clone());
        literals
    }
}

/// Cubes, and the assumptions under which there are no others.
type NewCubes = (Vec<Cube>, Vec<Term>);

impl Context {
    /// The cubes of the first predicates of the head under some assumptions, and how many questions that took.
    fn ask(
        &mut self,
        shared: &mut Box<dyn Solver>,
        terms: &mut Terms,
        condition: Term,
        assumed: &[Term],
        tracked: usize,
        budget: &Budget,
    ) -> Result<(Option<NewCubes>, u64), SolverError> {
        let small = self.own.is_none();
        let solver = &mut **self.own.as_mut().unwrap_or(shared);
        solver.set_limits(budget.solver_limits());
        let (depth, before) = (solver.depth(), solver.statistics().queries);
        if small {
            solver.push()?;
            for &t in [condition].iter().chain(&self.meaning[..tracked]) {
                solver.assert(terms, t)?;
            }
        }
        let found = cubes(solver, terms, &self.head[..tracked], assumed)?;
        solver.pop(solver.depth().saturating_sub(depth))?;
        Ok((found, solver.statistics().queries.saturating_sub(before)))
    }

    /// That a cube at the head does not hold.
    fn blocked(&mut self, terms: &mut Terms, cube: &Cube) -> Term {
        if let Some(&known) = self.blocked.get(cube) {
            return known;
        }
        let head = |&(i, holds): &(u32, bool)| (self.head[i as usize], holds);
        let literals: Vec<Term> =
            cube.iter().map(head).map(|(t, holds)| if holds { terms.not(t) } else { t }).collect();
        let blocked = terms.or(&literals);
        self.blocked.insert(cube.clone(), blocked);
        blocked
    }
}

/// The cubes of some predicates under some assumptions; `None` if the solver does not know. A scope may be left open.
fn cubes(
    solver: &mut dyn Solver,
    terms: &mut Terms,
    predicates: &[Term],
    assumed: &[Term],
) -> Result<Option<NewCubes>, SolverError> {
    let mut full: Vec<Vec<bool>> = Vec::new();
    let core = loop {
        let model = match solver.check(terms, assumed)? {
            Answer::Sat(model) => model,
            Answer::Unsat(core) => break core,
            Answer::Unknown(_) => return Ok(None),
        };
        let mut values = Vec::with_capacity(predicates.len());
        for &proxy in predicates {
            values.push(model.is_true(terms, proxy)?);
        }
        if full.is_empty() {
            if predicates.is_empty() {
                return Ok(Some((vec![Cube::from([])], Vec::new())));
            }
            solver.push()?;
        }
        let other = differs(terms, predicates, &values, &vec![true; predicates.len()]);
        full.push(values);
        if full.len() >= CUBES {
            return cartesian(solver, terms, predicates, assumed, &full);
        }
        solver.assert(terms, other)?;
    };
    Ok(Some((merge(full), core)))
}

/// A predicate among these has another value.
fn differs(terms: &mut Terms, predicates: &[Term], values: &[bool], among: &[bool]) -> Term {
    let others = predicates.iter().zip(values).zip(among).filter(|(_, among)| **among);
    let others: Vec<Term> = others.map(|((&t, &holds), _)| if holds { terms.not(t) } else { t }).collect();
    terms.or(&others)
}

/// The one cube of what all have in common (Cartesian abstraction), where some are known.
fn cartesian(
    solver: &mut dyn Solver,
    terms: &mut Terms,
    predicates: &[Term],
    assumed: &[Term],
    known: &[Vec<bool>],
) -> Result<Option<NewCubes>, SolverError> {
    let values = &known[0];
    let mut common: Vec<bool> = (0..values.len()).map(|i| known.iter().all(|k| k[i] == values[i])).collect();
    solver.pop(1)?;
    solver.push()?;
    let mut core = Vec::new();
    while common.contains(&true) {
        // Each model takes away a predicate at least.
        let other = differs(terms, predicates, values, &common);
        solver.assert(terms, other)?;
        match solver.check(terms, assumed)? {
            Answer::Sat(model) => {
                for (i, &proxy) in predicates.iter().enumerate() {
                    common[i] &= model.is_true(terms, proxy)? == values[i];
                }
            }
            Answer::Unsat(needed) => {
                core = needed;
                break;
            }
            Answer::Unknown(_) => return Ok(None),
        }
    }
    let cube = (0..values.len()).filter(|&i| common[i]).map(|i| (i as u32, values[i])).collect();
    Ok(Some((vec![cube], core)))
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
    use lariat_horn::{Atom, Clause};

    use super::*;
    use crate::precision::Scope;

    #[test]
    fn valuations_that_differ_in_one_predicate_are_one_cube() {
        let cubes = merge(vec![vec![true, true], vec![true, false], vec![false, false]]);
        let cubes: Vec<Vec<(u32, bool)>> = cubes.iter().map(|c| c.to_vec()).collect();
        assert_eq!(cubes, [vec![(0, true)], vec![(0, false), (1, false)]]);
        let all = merge(vec![vec![true, true], vec![true, false], vec![false, false], vec![false, true]]);
        assert_eq!(all.len(), 1);
        assert!(all[0].is_empty());
    }

    /// From 0 or 1, one more; of the argument it is known whether it is 0, 1 or 2.
    fn counter(terms: &mut Terms) -> (System, Precision) {
        let x = terms.var("x", Sort::INT);
        let [zero, one] = [0, 1].map(|i| terms.int(i));
        let (low, high, next) = (terms.le(zero, x), terms.le(x, one), terms.add(&[x, one]));
        let at = |arg| Atom { relation: 0, args: vec![arg] };
        let clause = Clause { body: vec![at(x)], condition: terms.and(&[low, high]), head: Some(at(next)) };
        let system = System::of_clauses(vec![vec![Sort::INT]], vec![clause]);
        let mut precision = Precision::new(&system, terms, Scope::Local);
        let formal = terms.var_term(precision.formals(0)[0]);
        for i in 0..3 {
            let value = terms.int(i);
            let is = terms.eq(formal, value);
            precision.add(terms, 0, is);
        }
        (system, precision)
    }

    fn is(value: u32) -> Cube {
        (0..3).map(|i| (i, i == value)).collect()
    }

    #[test]
    fn only_new_cubes_are_listed_and_those_that_cover_the_others_are_named() {
        let mut terms = Terms::new();
        let (system, precision) = counter(&mut terms);
        let mut abstraction = Abstraction::new("z3");
        let mut post = |known: &[Cube]| {
            let applied = Applied { clause: 0, premises: &[Cube::from([])], known };
            match abstraction.post(&mut terms, &system, &precision, &Budget::default(), applied).unwrap() {
                Post::Cubes { found, covering } => (found, covering),
                Post::Paused => panic!("there is no limit"),
            }
        };
        let (new, covering) = post(&[is(0), is(1)]);
        assert!(new == [is(2)] && covering.contains(&1));
        assert_eq!(post(&[is(2), is(1)]), (vec![], vec![0, 1]));
        assert_eq!(post(&[Cube::from([])]), (vec![], vec![0]));
        let (all, covering) = post(&[]);
        assert_eq!((all.len(), covering.len()), (2, 0));
    }

    #[test]
    fn what_an_equation_says_already_is_not_essential() {
        let mut terms = Terms::new();
        let (_, precision) = counter(&mut terms);
        let mut abstraction = Abstraction::new("z3");
        let mut essential = |cube: &Cube| abstraction.essential(&mut terms, &precision, 0, cube).to_vec();
        assert_eq!(essential(&is(1)), [(1, true)]);
        assert_eq!(essential(&is(7)), is(7).to_vec());
        // A contradiction stays one.
        assert_eq!(essential(&Cube::from([(0, true), (1, true)])), [(0, true), (1, true)]);
    }
}
