//! What relations are claimed to be, and the check that the claims satisfy the clauses.

use lariat_smt::{Solver, SolverError};
use lariat_term::{Term, Terms, Var};
use rustc_hash::FxHashMap;

use crate::clauses::{Atom, Clause, System};

/// What is claimed of a relation.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The arguments.
    pub params: Vec<Var>,
    /// The relation holds of them only if this does.
    pub holds: Term,
}

/// A claim for each relation of a system.
#[derive(Clone, Debug)]
pub struct Solution {
    /// By the relation's index.
    pub claims: Vec<Claim>,
}

impl Solution {
    /// Nothing is claimed.
    pub fn nothing(system: &System, terms: &mut Terms) -> Solution {
        let mut claims = Vec::new();
        for sorts in &system.relations {
            let params: Vec<Term> = sorts.iter().map(|&s| terms.fresh_var("arg", s)).collect();
            let params = params.iter().filter_map(|&t| terms.as_var(t)).collect();
            claims.push(Claim { params, holds: terms.bool(true) });
        }
        Solution { claims }
    }

    /// Do the claims satisfy the clauses? One question a clause, each to a solver of its own.
    pub fn check(
        &self,
        system: &System,
        terms: &mut Terms,
        open: &mut dyn FnMut() -> Result<Box<dyn Solver>, SolverError>,
    ) -> Result<bool, SolverError> {
        self.satisfies(system.clauses.iter(), terms, open)
    }

    /// As [`check`](Solution::check), of some of the clauses.
    pub(crate) fn satisfies<'a>(
        &self,
        clauses: impl Iterator<Item = &'a Clause>,
        terms: &mut Terms,
        open: &mut dyn FnMut() -> Result<Box<dyn Solver>, SolverError>,
    ) -> Result<bool, SolverError> {
        for clause in clauses {
            let mut facts = vec![clause.condition];
            for atom in &clause.body {
                facts.push(self.says(terms, atom));
            }
            if let Some(head) = &clause.head {
                let head = self.says(terms, head);
                facts.push(terms.not(head));
            }
            let question = terms.and(&facts);
            if question == terms.bool(false) {
                continue;
            }
            let mut solver = open()?;
            solver.assert(terms, question)?;
            if !solver.check(terms, &[])?.is_unsat() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The clauses for states of which the claims hold only. If the claims satisfy the given clauses, whatever satisfies these does so
    /// [together](Solution::and) with them.
    pub(crate) fn restrict(&self, system: &System, terms: &mut Terms) -> System {
        let mut restricted = system.clone();
        for clause in &mut restricted.clauses {
            let mut facts = vec![clause.condition];
            for atom in &clause.body {
                facts.push(self.says(terms, atom));
            }
            clause.condition = terms.and(&facts);
        }
        restricted
    }

    /// Both claims of each relation.
    pub(crate) fn and(mut self, terms: &mut Terms, other: &Solution) -> Solution {
        for (relation, claim) in self.claims.iter_mut().enumerate() {
            let args = claim.params.iter().map(|&v| terms.var_term(v)).collect();
            let more = other.says(terms, &Atom { relation, args });
            claim.holds = terms.and(&[claim.holds, more]);
        }
        self
    }

    /// What is claimed of these arguments.
    pub(crate) fn says(&self, terms: &mut Terms, atom: &Atom) -> Term {
        let claim = &self.claims[atom.relation];
        let map: FxHashMap<Var, Term> = claim.params.iter().copied().zip(atom.args.iter().copied()).collect();
        terms.substitute(claim.holds, &map)
    }
}
