//! The abstract reachability tree: facts about relations, each derived by a clause from others, until nothing new follows or an
//! error does (lazy abstraction).
//!
//! A fact is a relation with a cube over its predicates. One that another fact of its relation covers is not followed. Where clauses are linear,
//! facts are the nodes of a tree, each below the one that it was derived from; a clause with several atoms (a recursive call) derives from several.
//! A refinement takes back the facts that are to become more precise, with all that was derived from them; the others stay.

use std::{collections::VecDeque, rc::Rc};

use lariat_engine::Budget;
use lariat_horn::System;
use lariat_smt::SolverError;
use lariat_term::Terms;
use rustc_hash::FxHashSet;

use crate::{
    abstraction::{Abstraction, Applied, Cube, Post},
    precision::Precision,
};

/// How many facts there may be at a time.
const FACTS: usize = 20_000;

/// The number of a fact.
pub type FactId = usize;

/// At most so many facts of a relation are asked about at once whether they cover a step: the newest.
const KNOWN: usize = 500;

/// A clause and the facts that its body is about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Derivation {
    /// The clause.
    pub clause: usize,
    /// A fact for each atom.
    pub premises: Rc<[FactId]>,
}

/// What may hold at a relation.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The relation.
    pub relation: usize,
    /// Which predicates hold, and which do not.
    pub cube: Cube,
    /// How it was found.
    pub by: Derivation,
    /// How many predicates the relation had then.
    pub tracked: usize,
    /// Does it count, or was it taken back?
    pub live: bool,
    /// What else would have led to it.
    covers: Vec<Derivation>,
    /// What was derived from it.
    dependents: Vec<FactId>,
}

impl Fact {
    /// What else would have led to it.
    pub fn covers(&self) -> &[Derivation] {
        &self.covers
    }
}

/// How a search ended.
#[derive(Debug)]
pub enum Explored {
    /// Nothing new follows, and no error does.
    Closed,
    /// An error follows.
    Error(Derivation),
    /// There are too many facts.
    TooMany,
    /// The budget is used up; the search can go on.
    Paused,
}

/// The facts that were found.
#[derive(Debug)]
pub struct Tree {
    /// All facts, also those that were taken back.
    pub facts: Vec<Fact>,
    /// The live facts of each relation.
    of: Vec<Vec<FactId>>,
    /// What is to be followed, each once.
    work: VecDeque<Derivation>,
    waiting: FxHashSet<Derivation>,
    /// Where relations are used: clause and position in its body, by relation.
    users: Vec<Vec<(usize, usize)>>,
    live: usize,
}

impl Tree {
    /// Only what follows from nothing is to be followed.
    pub fn new(system: &System) -> Tree {
        let mut users = vec![Vec::new(); system.relations.len()];
        let mut first = Vec::new();
        for (number, clause) in system.clauses.iter().enumerate() {
            for (at, atom) in clause.body.iter().enumerate() {
                users[atom.relation].push((number, at));
            }
            if clause.body.is_empty() {
                first.push(Derivation { clause: number, premises: Rc::from([]) });
            }
        }
        let of = vec![Vec::new(); system.relations.len()];
        let (facts, work, waiting) = Default::default();
        let mut tree = Tree { facts, of, work, waiting, users, live: 0 };
        first.into_iter().for_each(|derivation| tree.later(derivation));
        tree
    }

    /// Something is to be followed before all else.
    fn next(&mut self, derivation: Derivation) {
        if self.waiting.insert(derivation.clone()) {
            self.work.push_front(derivation);
        }
    }

    /// Something is to be followed in its turn.
    fn later(&mut self, derivation: Derivation) {
        if self.waiting.insert(derivation.clone()) {
            self.work.push_back(derivation);
        }
    }

    /// How many facts count.
    pub fn size(&self) -> usize {
        self.live
    }

    /// The facts about a relation that count.
    pub fn of(&self, relation: usize) -> impl Iterator<Item = &Fact> {
        self.of[relation].iter().map(|&f| &self.facts[f])
    }

    /// Follows clauses until there is nothing more to follow, or an error.
    pub fn explore(
        &mut self,
        terms: &mut Terms,
        system: &System,
        precision: &Precision,
        abstraction: &mut Abstraction,
        budget: &Budget,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Explored, SolverError> {
        while let Some(derivation) = self.work.pop_front() {
            self.waiting.remove(&derivation);
            if derivation.premises.iter().any(|&p| !self.facts[p].live) {
                continue;
            }
            let cubes: Vec<Cube> = derivation.premises.iter().map(|&p| self.facts[p].cube.clone()).collect();
            let at_head = system.clauses[derivation.clause].head.as_ref().map_or(&[][..], |h| &self.of[h.relation]);
            let known: Vec<FactId> = at_head[at_head.len().saturating_sub(KNOWN)..].to_vec();
            let known_cubes: Vec<Cube> = known.iter().map(|&f| self.facts[f].cube.clone()).collect();
            let applied = Applied { clause: derivation.clause, premises: &cubes, known: &known_cubes };
            let post = match go_on() {
                true => abstraction.post(terms, system, precision, budget, applied),
                false => Ok(Post::Paused),
            };
            let (found, covering) = match post {
                Ok(Post::Cubes { found, covering }) => (found, covering),
                other => {
                    self.next(derivation);
                    return other.map(|_| Explored::Paused);
                }
            };
            let Some(head) = &system.clauses[derivation.clause].head else {
                if found.is_empty() {
                    continue;
                }
                // Asked again once the facts are more precise.
                self.next(derivation.clone());
                return Ok(Explored::Error(derivation));
            };
            for i in covering {
                self.cover(known[i], &derivation);
            }
            let tracked = precision.of(head.relation).len();
            for cube in found {
                self.add(system, head.relation, cube, &derivation, tracked);
            }
            if self.live > FACTS {
                return Ok(Explored::TooMany);
            }
        }
        Ok(Explored::Closed)
    }

    fn add(&mut self, system: &System, relation: usize, cube: Cube, by: &Derivation, tracked: usize) {
        let covered = self.of[relation].iter().copied().find(|&f| covers(&self.facts[f].cube, &cube));
        if let Some(by_fact) = covered {
            self.cover(by_fact, by);
            return;
        }
        let id = self.facts.len();
        for &premise in by.premises.iter() {
            self.facts[premise].dependents.push(id);
        }
        let (covers, dependents) = Default::default();
        self.facts.push(Fact { relation, cube, by: by.clone(), tracked, live: true, covers, dependents });
        self.of[relation].push(id);
        self.live += 1;
        for i in 0..self.users[relation].len() {
            let (clause, at) = self.users[relation][i];
            self.follow(system, clause, at, id);
        }
    }

    /// A fact covers what a step leads to, or a part of that.
    fn cover(&mut self, fact: FactId, step: &Derivation) {
        let covers = &mut self.facts[fact].covers;
        if !covers.contains(step) {
            covers.push(step.clone());
        }
    }

    /// Has a clause followed from a new fact at a position of its body, together with all facts that there are at the others.
    fn follow(&mut self, system: &System, clause: usize, at: usize, new: FactId) {
        let body = &system.clauses[clause].body;
        let mut all: Vec<Vec<FactId>> = vec![Vec::new()];
        for (i, atom) in body.iter().enumerate() {
            let known = &self.of[atom.relation];
            // Where the new one stands at several positions, each combination comes once.
            let choices: Vec<FactId> = match i.cmp(&at) {
                std::cmp::Ordering::Equal => vec![new],
                std::cmp::Ordering::Less => known.iter().copied().filter(|&f| f != new).collect(),
                std::cmp::Ordering::Greater => known.clone(),
            };
            all = all.iter().flat_map(|c| choices.iter().map(move |&f| [&c[..], &[f]].concat())).collect();
        }
        for premises in all {
            let derivation = Derivation { clause, premises: premises.into() };
            // An error is what is looked for.
            match system.clauses[clause].head {
                None => self.next(derivation),
                Some(_) => self.later(derivation),
            }
        }
    }

    /// Takes a fact back, with all that was derived from it. What led to it, and what it covers, is followed again.
    pub fn take_back(&mut self, fact: FactId) {
        let mut stack = vec![fact];
        while let Some(id) = stack.pop() {
            let fact = &mut self.facts[id];
            if !fact.live {
                continue;
            }
            fact.live = false;
            self.live -= 1;
            let again = std::mem::take(&mut fact.covers);
            stack.append(&mut fact.dependents);
            let (by, relation) = (fact.by.clone(), fact.relation);
            self.of[relation].retain(|&f| f != id);
            self.next(by);
            again.into_iter().for_each(|step| self.later(step));
        }
    }
}

/// Does the first cube hold wherever the second one does?
fn covers(general: &Cube, special: &Cube) -> bool {
    let mut rest = special.iter();
    general.iter().all(|literal| rest.any(|l| l == literal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_with_fewer_literals_covers_one_with_more() {
        let cube = |literals: &[(u32, bool)]| Cube::from(literals);
        let (one, both) = (cube(&[(1, true)]), cube(&[(0, false), (1, true)]));
        assert!(covers(&one, &both) && !covers(&both, &one) && covers(&cube(&[]), &one));
        assert!(!covers(&cube(&[(1, false)]), &both));
    }
}
