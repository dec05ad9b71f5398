//! Invariants that the source states, as candidates: which of them hold wherever their loop starts a round (Houdini).
//!
//! All are assumed, and one that a clause does not keep is dropped, until those that are left are inductive together. Nothing depends
//! on what the source says: claims that are left satisfy the clauses, which is checked.

use lariat_program::{AssertId, AssertKind, Program, RegionId, StmtKind, candidate};
use lariat_smt::{Answer, Solver, SolverError};
use lariat_term::{Op, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    clauses::{Atom, Clause, System},
    solution::Solution,
};

/// Why a candidate was dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rejection {
    /// It may not hold where the loop is entered, for all that is known there.
    Entered,
    /// A round may not keep it, though it holds at its start together with the other candidates.
    NotKept,
    /// The solver does not know.
    Unknown,
}

/// Candidates that are inductive together, and the others.
pub(crate) struct Kept {
    /// What is left.
    pub claims: Solution,
    /// How many candidates are left.
    pub count: usize,
    /// Those that were dropped, and why.
    pub rejected: Vec<(AssertId, Rejection)>,
}

/// Opens a solver for one question.
pub(crate) type NewSolver<'a> = &'a mut dyn FnMut() -> Result<Box<dyn Solver>, SolverError>;

/// Drops what the clauses do not keep; `None` if nothing is stated, or if `go_on` says so.
pub(crate) fn keep(
    system: &System,
    terms: &mut Terms,
    open: NewSolver<'_>,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<Kept>, SolverError> {
    let mut search = Houdini::new(system, terms);
    if search.candidates.iter().flatten().all(|(assertion, _)| assertion.is_none()) {
        return Ok(None);
    }
    let leads = reaches(system);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for clause in &system.clauses {
            let Some(head) = &clause.head else { continue };
            let inside = clause.body.iter().any(|a| leads[head.relation].contains(&a.relation));
            let why = if inside { Rejection::NotKept } else { Rejection::Entered };
            while !search.candidates[head.relation].is_empty() {
                if !go_on() {
                    return Ok(None);
                }
                if !search.weaken(terms, clause, head, why, open)? {
                    break;
                }
                changed = true;
            }
        }
    }
    Ok(Some(search.kept(system, terms)))
}

/// By relation, those that can be reached from it over clauses, itself among them.
fn reaches(system: &System) -> Vec<FxHashSet<usize>> {
    let mut next = vec![Vec::new(); system.relations.len()];
    for clause in &system.clauses {
        if let Some(head) = &clause.head {
            clause.body.iter().for_each(|a| next[a.relation].push(head.relation));
        }
    }
    let from = |start: usize| {
        let (mut seen, mut work) = (FxHashSet::from_iter([start]), vec![start]);
        while let Some(r) = work.pop() {
            work.extend(next[r].iter().copied().filter(|&n| seen.insert(n)));
        }
        seen
    };
    (0..system.relations.len()).map(from).collect()
}

struct Houdini {
    /// By relation: its parameters, and what is still claimed of them.
    claims: Solution,
    candidates: Vec<Vec<(Option<AssertId>, Term)>>,
    rejected: Vec<(AssertId, Rejection)>,
}

impl Houdini {
    fn new(system: &System, terms: &mut Terms) -> Houdini {
        let claims = Solution::nothing(system, terms);
        let mut candidates = vec![Vec::new(); system.relations.len()];
        for stated in &system.stated {
            let atom = &stated.fails.body[0];
            let args: Option<Vec<Var>> = atom.args.iter().map(|&t| terms.as_var(t)).collect();
            let Some(args) = args else { continue };
            let params = &claims.claims[atom.relation].params;
            let map: FxHashMap<Var, Term> =
                args.iter().zip(params).map(|(&v, &param)| (v, terms.var_term(param))).collect();
            let claim = terms.not(stated.fails.condition);
            // One that is about more (a cell that is not there, say) is none.
            if map.len() == args.len() && terms.free_vars(&[claim]).iter().all(|v| map.contains_key(v)) {
                let claim = terms.substitute(claim, &map);
                candidates[atom.relation].push((stated.assertion, claim));
            }
        }
        Houdini { claims, candidates, rejected: Vec::new() }
    }

    /// What is claimed of an atom, one by one.
    fn says(&self, terms: &mut Terms, atom: &Atom) -> Vec<Term> {
        let params = &self.claims.claims[atom.relation].params;
        let map: FxHashMap<Var, Term> = params.iter().copied().zip(atom.args.iter().copied()).collect();
        let claims: Vec<Term> = self.candidates[atom.relation].iter().map(|&(_, t)| t).collect();
        terms.substitute_all(&claims, &map)
    }

    /// Drops what a clause does not keep; whether that was anything.
    fn weaken(
        &mut self,
        terms: &mut Terms,
        clause: &Clause,
        head: &Atom,
        why: Rejection,
        open: NewSolver<'_>,
    ) -> Result<bool, SolverError> {
        let mut assumed = vec![clause.condition];
        for atom in &clause.body {
            assumed.extend(self.says(terms, atom));
        }
        let wanted = self.says(terms, head);
        let mut ask = |terms: &mut Terms, wanted: &[Term]| {
            let all = terms.and(wanted);
            let not = terms.not(all);
            let question = terms.and(&[&assumed[..], &[not]].concat());
            if question == terms.bool(false) {
                return Ok(None);
            }
            let mut solver = open()?;
            solver.assert(terms, question)?;
            solver.check(terms, &[]).map(Some)
        };
        let (yes, no) = (terms.bool(true), terms.bool(false));
        let mut dropped: Vec<Option<Rejection>> = vec![None; wanted.len()];
        match ask(terms, &wanted)? {
            None | Some(Answer::Unsat(_)) => return Ok(false),
            Some(Answer::Sat(model)) => {
                for (drop, &t) in dropped.iter_mut().zip(&wanted) {
                    let value = model.value(terms, t).map_or(yes, |v| terms.value_term(&v));
                    *drop = (value == no).then_some(why);
                }
            }
            Some(Answer::Unknown(_)) => {}
        }
        if dropped.iter().all(Option::is_none) {
            // Each by itself: for all of them together the solver does not know, or does not say.
            for (drop, &t) in dropped.iter_mut().zip(&wanted) {
                *drop = match ask(terms, &[t])? {
                    None | Some(Answer::Unsat(_)) => None,
                    Some(Answer::Sat(_)) => Some(why),
                    Some(Answer::Unknown(_)) => Some(Rejection::Unknown),
                };
            }
        }
        let all = std::mem::take(&mut self.candidates[head.relation]);
        for ((assertion, claim), drop) in all.into_iter().zip(dropped) {
            match drop {
                Some(why) => self.rejected.extend(assertion.map(|a| (a, why))),
                None => self.candidates[head.relation].push((assertion, claim)),
            }
        }
        Ok(self.candidates[head.relation].len() < wanted.len())
    }

    fn kept(mut self, system: &System, terms: &mut Terms) -> Kept {
        let mut count = 0;
        for relation in 0..system.relations.len() {
            let claims: Vec<Term> = self.candidates[relation].iter().map(|&(_, t)| t).collect();
            count += self.candidates[relation].iter().filter(|(assertion, _)| assertion.is_some()).count();
            self.claims.claims[relation].holds = terms.and(&claims);
        }
        self.rejected.sort_unstable();
        self.rejected.dedup_by_key(|(assertion, _)| *assertion);
        Kept { claims: self.claims, count, rejected: self.rejected }
    }
}

/// What the source claims of each start of a round of a loop: invariants that come first in it.
pub(crate) fn stated_at_head(program: &Program, terms: &mut Terms, region: RegionId) -> Vec<(AssertId, Term)> {
    let mut stated = Vec::new();
    let stmts = program.regions[region.index()].blocks.first().map_or(&[][..], |b| &b.stmts);
    for (i, stmt) in stmts.iter().enumerate() {
        match &stmt.kind {
            StmtKind::Assert { id, cond } => {
                let claim = match (program.assertions[id.index()].kind, i.checked_sub(1).map(|i| &stmts[i])) {
                    (AssertKind::Candidate, Some(before)) => candidate(terms, before, stmt).unwrap_or(*cond),
                    (AssertKind::Invariant | AssertKind::Candidate, _) => *cond,
                    _ => continue,
                };
                stated.extend(conjuncts(terms, claim).into_iter().map(|claim| (*id, claim)));
            }
            StmtKind::Assume(_) | StmtKind::Havoc(_) => {}
            StmtKind::Assign(_) | StmtKind::Box { .. } => break,
        }
    }
    stated
}

/// The parts of a conjunction, also of one that was computed step by step (`a ? b : false`).
pub(crate) fn conjuncts(terms: &mut Terms, t: Term) -> Vec<Term> {
    let (mut parts, mut work) = (Vec::new(), vec![t]);
    let no = terms.bool(false);
    while let Some(t) = work.pop() {
        match (terms.op(t), &terms.args(t).to_vec()[..]) {
            (Op::And, args) => work.extend(args.iter().rev()),
            (Op::Ite, &[c, a, b]) if b == no => work.extend([a, c]),
            (Op::Ite, &[c, a, b]) if a == no => {
                let c = terms.not(c);
                work.extend([b, c]);
            }
            (Op::Not, &[a]) if terms.op(a) == Op::Or => {
                let args = terms.args(a).to_vec();
                work.extend(args.iter().rev().map(|&a| terms.not(a)));
            }
            _ => parts.push(t),
        }
    }
    parts
}
