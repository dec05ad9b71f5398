//! Widening with thresholds: bounds that the program compares variables with, as predicates where interpolants only count.
//!
//! Interpolants of the rounds of a loop may be `x <= 1`, `x <= 2`, …, one more for each round. Where there is such a family of predicates about what steps add constants to, the guards of clauses
//! at the relation say what may be meant: for `x < 100`, that x is at most 100. Where a family goes on, all guards are
//! thresholds at all relations that have their variables, as other loops may be what counts.

use lariat_horn::{Clause, System};
use lariat_term::{Op, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::precision::{Precision, atoms};

/// So many predicates about the same variables are a family.
const FAMILY: usize = 5;
/// From so many on, a family goes on.
const GOES_ON: usize = 2 * FAMILY;
/// So many thresholds are looked for at a relation, at most.
const MOST: usize = 12;
/// So many ways in which a step changes a variable are looked at.
const WAYS: usize = 3;

/// The families of predicates, by relation and variables.
#[derive(Default)]
pub struct Families {
    sizes: FxHashMap<(usize, Vec<Var>), usize>,
    /// Are all guards thresholds already?
    everywhere: bool,
    /// Which arguments of each relation are read.
    live: Option<Vec<Vec<bool>>>,
}

impl Families {
    /// Notes a new predicate of a relation. If it makes a family, gives the thresholds of its variables, with the relations to track them at.
    pub fn note(
        &mut self,
        terms: &mut Terms,
        system: &System,
        precision: &Precision,
        relation: usize,
        predicate: Term,
    ) -> Vec<(usize, Term)> {
        let numeral = |&t: &Term| terms.is_value(t);
        // Equations are the states of a machine as well.
        if !is_comparison(terms.op(predicate)) || !terms.post_order(&[predicate]).iter().any(numeral) {
            return Vec::new();
        }
        let mut about = terms.free_vars(&[predicate]);
        about.sort_unstable();
        let size = self.sizes.entry((relation, about.clone())).or_default();
        *size += 1;
        if !matches!(*size, FAMILY | GOES_ON) || !counts(terms, system, precision.formals(relation), relation, &about) {
            return Vec::new();
        }
        let mut found: Vec<(usize, Term)> = match *size {
            FAMILY => {
                let found = thresholds(terms, system, precision.formals(relation), relation, Some(&about));
                found.into_iter().map(|t| (relation, t)).collect()
            }
            GOES_ON if !std::mem::replace(&mut self.everywhere, true) => everywhere(terms, system, precision),
            _ => return Vec::new(),
        };
        // What is not read any more need not be known, and the reduction may have removed its changes.
        let live = self.live.get_or_insert_with(|| live(terms, system));
        found.retain(|&(at, t)| {
            let formals = precision.formals(at).iter().zip(&live[at]);
            let dead: FxHashSet<Var> = formals.filter(|(_, live)| !**live).map(|(&v, _)| v).collect();
            !terms.free_vars(&[t]).iter().any(|v| dead.contains(v))
        });
        found
    }
}

/// Does a step to a relation add a constant to one of these arguments? Where all are only set, comparisons tell the states of a machine apart.
fn counts(terms: &Terms, system: &System, formals: &[Var], relation: usize, about: &[Var]) -> bool {
    let heads = system.clauses.iter().filter_map(|c| c.head.as_ref()).filter(|h| h.relation == relation);
    let mut values = heads.flat_map(|h| formals.iter().zip(&h.args)).filter(|(f, _)| about.contains(f));
    let adds =
        |&t: &Term| matches!(terms.op(t), Op::Add | Op::BvAdd) && terms.args(t).iter().any(|&a| terms.is_value(a));
    values.any(|(_, &value)| leaves(terms, value).iter().any(adds))
}

/// By relation, the arguments that some clause reads, or hands on to where they are read.
fn live(terms: &Terms, system: &System) -> Vec<Vec<bool>> {
    let mut live: Vec<Vec<bool>> = system.relations.iter().map(|sorts| vec![false; sorts.len()]).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for clause in &system.clauses {
            let mut read = vec![clause.condition];
            if let Some(head) = &clause.head {
                read.extend(head.args.iter().zip(&live[head.relation]).filter(|(_, live)| **live).map(|(&t, _)| t));
            }
            let mut times: FxHashMap<Var, usize> = FxHashMap::default();
            let args: Vec<Term> = clause.body.iter().flat_map(|a| &a.args).copied().collect();
            args.iter().filter_map(|&t| terms.as_var(t)).for_each(|v| *times.entry(v).or_default() += 1);
            let read: FxHashSet<Var> = terms.free_vars(&read).into_iter().collect();
            for atom in &clause.body {
                for (at, &arg) in atom.args.iter().enumerate() {
                    // An argument that is no variable, or that is twice there, says something.
                    let is_read = terms.as_var(arg).is_none_or(|v| read.contains(&v) || times[&v] > 1);
                    changed |= is_read && !std::mem::replace(&mut live[atom.relation][at], true);
                }
            }
        }
    }
    live
}

/// The thresholds of all relations, each at all relations that have its variables.
fn everywhere(terms: &mut Terms, system: &System, precision: &Precision) -> Vec<(usize, Term)> {
    let mut found: Vec<Vec<Term>> = vec![Vec::new(); precision.relations()];
    for from in 0..precision.relations() {
        for t in thresholds(terms, system, precision.formals(from), from, None) {
            for (to, there) in found.iter_mut().enumerate().filter(|(_, there)| there.len() < 2 * MOST) {
                let t = if to == from { Some(t) } else { precision.elsewhere(terms, from, t, to) };
                there.extend(t.filter(|t| !there.contains(t)));
            }
        }
    }
    found.into_iter().enumerate().flat_map(|(to, all)| all.into_iter().map(move |t| (to, t))).collect()
}

/// The bounds of some arguments of a relation, or of all, in the guards of clauses about it, from both sides.
fn thresholds(
    terms: &mut Terms,
    system: &System,
    formals: &[Var],
    relation: usize,
    about: Option<&[Var]>,
) -> Vec<Term> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    for clause in &system.clauses {
        let views = views(terms, clause, formals, relation);
        if views.is_empty() {
            continue;
        }
        let guards = atoms(terms, clause.condition);
        // What is asserted may be an invariant, whatever it is about.
        let asserted = clause.head.is_none();
        for guard in guards {
            let equation = asserted && terms.op(guard) == Op::Eq;
            if !(is_comparison(terms.op(guard)) || equation) {
                continue;
            }
            let vars = terms.free_vars(&[guard]);
            for view in &views {
                if vars.is_empty() || !vars.iter().all(|v| view.contains_key(v)) {
                    continue;
                }
                let bound = terms.substitute(guard, view);
                let fits = |about: &[Var]| terms.free_vars(&[bound]).iter().any(|v| about.contains(v));
                if !asserted && !about.is_none_or(fits) {
                    continue;
                }
                let (op, args) = (terms.op(bound), terms.args(bound).to_vec());
                let other = match is_comparison(op) {
                    true => terms.mk(op, &[args[1], args[0]]),
                    false => bound,
                };
                found.extend([bound, other].into_iter().filter(|&t| seen.insert(t)));
                if found.len() >= MOST {
                    return found;
                }
            }
        }
    }
    found
}

/// What variables of a clause are in terms of the arguments of a relation: those before the clause if it is in the body, and those after it if it is the head.
fn views(terms: &mut Terms, clause: &Clause, formals: &[Var], relation: usize) -> Vec<FxHashMap<Var, Term>> {
    let formals: Vec<Term> = formals.iter().map(|&v| terms.var_term(v)).collect();
    let mut views = Vec::new();
    for atom in clause.body.iter().filter(|a| a.relation == relation) {
        let vars = atom.args.iter().map(|&t| terms.as_var(t));
        views.push(vars.zip(&formals).filter_map(|(v, &f)| Some((v?, f))).collect());
    }
    let Some(head) = clause.head.as_ref().filter(|h| h.relation == relation) else { return views };
    let mut before: FxHashMap<Var, Vec<Term>> = FxHashMap::default();
    for (&arg, &formal) in head.args.iter().zip(&formals) {
        for leaf in leaves(terms, arg) {
            if let Some((v, value)) = inverse(terms, leaf, formal) {
                before.entry(v).or_default().push(value);
            }
        }
    }
    for way in 0..WAYS {
        if before.values().any(|values| values.len() > way) {
            views.push(before.iter().map(|(&v, values)| (v, values[way.min(values.len() - 1)])).collect());
        }
    }
    views
}

/// The values that a conditional expression may have.
fn leaves(terms: &Terms, value: Term) -> Vec<Term> {
    let (mut found, mut stack, mut seen) = (Vec::new(), vec![value], FxHashSet::default());
    while let Some(t) = stack.pop() {
        match (terms.op(t), terms.args(t)) {
            _ if !seen.insert(t) || found.len() >= 2 * WAYS => {}
            (Op::Ite, &[_, yes, no]) => stack.extend([no, yes]),
            _ => found.push(t),
        }
    }
    found
}

/// A variable, and its value in terms of what is one with a constant added.
fn inverse(terms: &mut Terms, t: Term, is: Term) -> Option<(Var, Term)> {
    if let Some(v) = terms.as_var(t) {
        return Some((v, is));
    }
    let (op @ (Op::Add | Op::BvAdd), &[a, b]) = (terms.op(t), terms.args(t)) else { return None };
    let (v, constant) = match (terms.as_var(a), terms.as_var(b)) {
        (Some(v), None) => (v, b),
        (None, Some(v)) => (v, a),
        _ => return None,
    };
    if !terms.is_value(constant) {
        return None;
    }
    Some((v, if op == Op::Add { terms.sub(is, constant) } else { terms.bv_sub(is, constant) }))
}

fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Le | Op::Lt | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
}
