//! Conjunctions of candidates that are inductive along the tree: from the paths of a proof to whole blocks.
//!
//! A search that sees one path at a time needs as many contradictions as there are paths. But what refutes one path often holds of all of them.
//! So the parts of the paths' interpolants are candidates, and from part to part those are kept that follow from what was kept before
//! (Cartesian predicate abstraction of the trace). If the last part contradicts what is left, those that this needs are interpolants, and
//! such as a person can read.

use lariat_smt::{Answer, Solver, SolverError, Z3Solver};
use lariat_term::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{stop::Stop, tree::Tree};

/// The parts, each with a solver that knows it.
pub struct Blocks {
    solvers: Vec<Option<Z3Solver>>,
    /// What each node's solver is told: its part, and the parts of calls below it.
    facts: Vec<Vec<Term>>,
    /// The nodes whose claims each node starts from.
    below: Vec<Vec<usize>>,
}

impl Blocks {
    /// Nothing is asked yet.
    pub fn new(parts: &[Term], tree: &Tree) -> Blocks {
        let n = parts.len();
        let (mut facts, mut below): (Vec<Vec<Term>>, Vec<Vec<usize>>) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for i in 0..n {
            facts[i].push(parts[i]);
            let above = tree.parent(i);
            if above == i {
                continue;
            }
            if matches!(tree.cuts().get(i), Some(None)) {
                // Behind a call nothing is claimed: all is left to who is above.
                let (facts_of_call, below_call) = (std::mem::take(&mut facts[i]), std::mem::take(&mut below[i]));
                facts[above].extend(facts_of_call);
                below[above].extend(below_call);
            } else {
                below[above].push(i);
            }
        }
        Blocks { solvers: (0..n).map(|_| None).collect(), facts, below }
    }

    fn refuted(
        &mut self,
        terms: &Terms,
        i: usize,
        with: &[Term],
        stop: &Stop,
    ) -> Result<Option<Vec<Term>>, SolverError> {
        if stop.is_over() {
            return Ok(None);
        }
        if self.solvers[i].is_none() {
            let mut solver = Z3Solver::new(None)?;
            solver.set_checking(false);
            for &t in &self.facts[i] {
                solver.assert(terms, t)?;
            }
            stop.watch(&solver.interrupter());
            self.solvers[i] = Some(solver);
        }
        let Some(solver) = &mut self.solvers[i] else { return Ok(None) };
        solver.set_limits(stop.limits());
        Ok(match solver.check(terms, with)? {
            Answer::Unsat(core) => Some(core),
            _ => None,
        })
    }

    /// Interpolants that are conjunctions of these candidates, given for each cut; `None` if there are none or it takes too long.
    pub fn interpolants(
        &mut self,
        terms: &mut Terms,
        tree: &Tree,
        candidates: &[Vec<Term>],
        stop: &Stop,
    ) -> Result<Option<Vec<Term>>, SolverError> {
        let n = self.facts.len();
        // For each node, what holds behind it and what of the claims before it this needs.
        let mut kept: Vec<FxHashMap<Term, Vec<Term>>> = vec![FxHashMap::default(); n];
        let mut order: Vec<Vec<Term>> = vec![Vec::new(); n];
        let mut needed: Vec<FxHashSet<Term>> = vec![FxHashSet::default(); n];
        for i in 0..n {
            if self.facts[i].is_empty() {
                continue;
            }
            let known: Vec<Term> = self.below[i].iter().flat_map(|&j| order[j].clone()).collect();
            if i + 1 == n {
                let Some(core) = self.refuted(terms, i, &known, stop)? else { return Ok(None) };
                for &j in &self.below[i] {
                    needed[j].extend(core.iter().filter(|t| kept[j].contains_key(t)));
                }
                continue;
            }
            for &c in &candidates[i] {
                if kept[i].contains_key(&c) {
                    continue;
                }
                let not = terms.not(c);
                let with: Vec<Term> = known.iter().copied().chain([not]).collect();
                if let Some(core) = self.refuted(terms, i, &with, stop)? {
                    kept[i].insert(c, core);
                    order[i].push(c);
                }
            }
        }
        for i in (0..n - 1).rev() {
            for t in std::mem::take(&mut needed[i]) {
                if let Some(core) = kept[i].get(&t) {
                    for &j in &self.below[i] {
                        needed[j].extend(core.iter().filter(|t| kept[j].contains_key(t)));
                    }
                }
                needed[i].insert(t);
            }
        }
        let mut out = Vec::new();
        for (i, cut) in tree.cuts().iter().enumerate() {
            let all: Vec<Term> = order[i].iter().copied().filter(|t| cut.is_some() && needed[i].contains(t)).collect();
            out.push(terms.and(&all));
        }
        Ok(Some(out))
    }
}
