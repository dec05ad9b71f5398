//! Interpolants from a refutation, for every cut from the same one (*Abstractions from proofs*, section 3).
//!
//! For a cut, an atom is of the first side if it occurs in parts of that side only. Each clause of the proof has a partial interpolant:
//! - HYP: a clause of the first side, its literals that are not of the first side only; another, `true`.
//! - COMB and CONTRA: of a sum, the share of the first side. Equations give an equation. Shares that have no unknown in common are two formulas.
//!   Of a chain of equal terms, the equations that the first side contributes, each between two terms that the other side knows.
//! - A contradiction that only a solver sees: what the other procedures of this crate make of its literals.
//! - RES: a disjunction if the atom is of the first side, otherwise a conjunction.
//!
//! As the proof is the same for all cuts, what comes out is inductive along the tree: for the theory's lemmas because shares add up, for resolution
//! because the atom's side changes at one node only.

use dashu_base::Gcd;
use dashu_int::UBig;
use dashu_ratio::RBig;
use lariat_smt::Interpolants;
use lariat_term::{Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    core, diophantine, horn,
    linear::{Constraint, Linear, Relation},
    problem::Problem,
    sat::{Clause, ClauseId, Lit, Origin},
    simplify,
    stop::Stop,
    theory::{Lemma, Sum, Theory, below_zero},
};

/// The interpolants of a refuted problem, one for each cut of its tree; `None` if the time is over.
pub fn interpolants(p: &Problem, theory: &Theory, terms: &mut Terms, stop: &Stop) -> Option<Vec<Term>> {
    let refutation = p.sat.refutation()?;
    let used = used_clauses(p, refutation);
    let homes = homes(p, used.iter().map(|&c| &p.sat.clauses()[c]));
    let mut foreign = FxHashMap::default();
    for &c in &used {
        if let Origin::Lemma(k) = p.sat.clauses()[c].origin
            && let Lemma::Foreign(lits) = &theory.lemmas[k]
        {
            foreign.insert(k, path(p, terms, &homes, lits, stop)?);
        }
    }
    let mut out = Vec::new();
    for cut in p.tree.cuts() {
        if stop.is_over() {
            return None;
        }
        out.push(match *cut {
            None => terms.bool(true),
            Some(node) => {
                let rules = Rules { p, theory, homes: &homes, foreign: &foreign, node };
                let raw = rules.derive(terms, &used, refutation);
                simplify::simplify(p, terms, raw)
            }
        });
    }
    Some(out)
}

/// For each atom, the root of the least subtree that has all clauses with it.
fn homes<'a>(p: &Problem, clauses: impl Iterator<Item = &'a Clause>) -> Vec<usize> {
    let mut homes: Vec<Option<usize>> = vec![None; p.atoms.len()];
    for clause in clauses {
        if let Origin::Part(part) = clause.origin {
            for l in &clause.lits {
                let home = &mut homes[l.var()];
                *home = Some(home.map_or(part, |h| p.tree.join(&[h, part])));
            }
        }
    }
    homes.into_iter().zip(&p.places).map(|(home, &place)| home.unwrap_or(place)).collect()
}

/// Interpolants, for each cut, of literals that a solver refutes; `None` if none are found.
fn path(p: &Problem, terms: &mut Terms, homes: &[usize], lits: &[Lit], stop: &Stop) -> Option<Vec<Term>> {
    let mut parts = vec![Vec::new(); p.tree.len()];
    for &l in lits {
        parts[homes[l.var()]].extend(p.literal_term(terms, l));
    }
    let parts: Vec<Term> = parts.iter().map(|all| terms.and(all)).collect();
    for by in [core::interpolants, horn::interpolants] {
        if let Ok(Interpolants::Sequence(found)) = by(terms, &parts, &p.tree, stop) {
            return Some(found);
        }
    }
    None
}

/// What interpolants of the last lemmas say, for each cut of the tree: candidates for what holds on all paths.
pub fn candidates(p: &Problem, theory: &Theory, terms: &mut Terms, from: usize, stop: &Stop) -> Vec<Vec<Term>> {
    let homes = homes(p, p.sat.clauses().iter());
    let mut foreign = FxHashMap::default();
    for (k, lemma) in theory.lemmas.iter().enumerate().skip(from) {
        if let Lemma::Foreign(lits) = lemma
            && let Some(found) = path(p, terms, &homes, lits, stop)
        {
            foreign.insert(k, found);
        }
    }
    let mut out = Vec::new();
    for cut in p.tree.cuts() {
        let mut all = Vec::new();
        for lemma in (from..theory.lemmas.len()).filter(|_| cut.is_some()) {
            let rules = Rules { p, theory, homes: &homes, foreign: &foreign, node: cut.unwrap_or_default() };
            let t = rules.lemma(terms, lemma);
            match terms.op(t) {
                Op::And => all.extend_from_slice(terms.args(t)),
                Op::True | Op::False => {}
                _ => all.push(t),
            }
        }
        out.push(all);
    }
    out
}

/// The clauses that the empty one is derived from, in ascending order.
fn used_clauses(p: &Problem, refutation: ClauseId) -> Vec<ClauseId> {
    let mut used: FxHashSet<ClauseId> = FxHashSet::default();
    let mut stack = vec![refutation];
    while let Some(c) = stack.pop() {
        if used.insert(c)
            && let Origin::Resolution(first, chain) = &p.sat.clauses()[c].origin
        {
            stack.push(*first);
            stack.extend(chain.iter().map(|c| c.0));
        }
    }
    let mut used: Vec<ClauseId> = used.into_iter().collect();
    used.sort_unstable();
    used
}

struct Rules<'a> {
    p: &'a Problem,
    theory: &'a Theory,
    homes: &'a [usize],
    /// The interpolants of lemmas that a solver found, for each cut.
    foreign: &'a FxHashMap<usize, Vec<Term>>,
    node: usize,
}

impl Rules<'_> {
    fn is_first(&self, l: Lit) -> bool {
        self.p.tree.is_below(self.homes[l.var()], self.node)
    }

    fn derive(&self, terms: &mut Terms, used: &[ClauseId], refutation: ClauseId) -> Term {
        let mut partial: FxHashMap<ClauseId, Term> = FxHashMap::default();
        for &c in used {
            let clause = &self.p.sat.clauses()[c];
            let t = match &clause.origin {
                Origin::Part(part) if self.p.tree.is_below(*part, self.node) => {
                    let shared: Vec<Lit> = clause.lits.iter().copied().filter(|&l| !self.is_first(l)).collect();
                    let shared: Vec<Term> = shared.iter().filter_map(|&l| self.p.literal_term(terms, l)).collect();
                    terms.or(&shared)
                }
                Origin::Part(_) => terms.bool(true),
                Origin::Lemma(lemma) => self.lemma(terms, *lemma),
                Origin::Resolution(first, chain) => {
                    let mut t = partial[first];
                    for (other, v) in chain {
                        let both = [t, partial[other]];
                        let is_first = self.p.tree.is_below(self.homes[*v], self.node);
                        t = if is_first { terms.or(&both) } else { terms.and(&both) };
                    }
                    t
                }
            };
            partial.insert(c, t);
        }
        partial[&refutation]
    }

    fn lemma(&self, terms: &mut Terms, number: usize) -> Term {
        match &self.theory.lemmas[number] {
            // Only candidates can be without.
            Lemma::Foreign(_) => self.foreign.get(&number).map_or_else(|| terms.bool(true), |all| all[self.node]),
            Lemma::Farkas(sum) => self.share(terms, sum, None),
            Lemma::Split { lit, below, above } => {
                let first = self.is_first(*lit);
                let mut sides = Vec::new();
                for ((sum, multiple), sign) in [(below, 1), (above, -1)] {
                    let extra = self.p.meaning(*lit).filter(|_| first).map(|c| {
                        let linear = c.linear.clone().times(&RBig::from(sign));
                        (below_zero(self.p, linear, true), multiple.clone())
                    });
                    sides.push(self.share(terms, sum, extra));
                }
                let t = if first { terms.or(&sides) } else { terms.and(&sides) };
                simplify::simplify(self.p, terms, t)
            }
            Lemma::Divisibility(sum) => {
                let mut total = Linear::default();
                for (l, multiple) in sum.iter().filter(|(l, _)| self.is_first(*l)) {
                    if let Some(c) = self.p.meaning(*l) {
                        total.add(&c.linear, multiple);
                    }
                }
                self.is_integer(terms, &total)
            }
            Lemma::Chain { nodes, edges, closing } => {
                let closed_first = closing.is_some_and(|l| self.is_first(l));
                // The longest stretches of edges that are not of the closing literal's side.
                let mut equal = Vec::new();
                let mut start = 0;
                for (k, &edge) in edges.iter().enumerate() {
                    if self.is_first(edge) == closed_first {
                        start = k + 1;
                    } else if edges.get(k + 1).is_none_or(|&next| self.is_first(next) == closed_first) {
                        equal.push(terms.eq(nodes[start], nodes[k + 1]));
                    }
                }
                let all = terms.and(&equal);
                if closed_first { terms.not(all) } else { all }
            }
        }
    }

    /// What the first side contributes to a sum.
    fn share(&self, terms: &mut Terms, sum: &Sum, extra: Option<(Constraint, RBig)>) -> Term {
        let of_first = sum.iter().filter(|(l, _)| self.is_first(*l));
        let mut all: Vec<(Constraint, RBig)> =
            of_first.filter_map(|(l, m)| self.p.meaning(*l).map(|c| (c.clone(), m.clone()))).collect();
        all.extend(extra);
        // Each share with the unknowns that its summands have.
        let mut shares: Vec<(Constraint, FxHashSet<u32>)> = Vec::new();
        for (c, multiple) in all {
            let mut share = (
                Constraint { linear: c.linear.clone().times(&multiple), relation: c.relation },
                c.linear.terms.iter().map(|t| t.0).collect::<FxHashSet<u32>>(),
            );
            for k in (0..shares.len()).rev() {
                if shares[k].1.is_disjoint(&share.1) {
                    continue;
                }
                let mut other = shares.remove(k);
                // The smaller goes into the larger: shares can be as long as the trace.
                if other.1.len() > share.1.len() {
                    std::mem::swap(&mut share, &mut other);
                }
                share.0.linear.add(&other.0.linear, &RBig::ONE);
                share.0.relation = weaker(share.0.relation, other.0.relation);
                share.1.extend(other.1);
            }
            shares.push(share);
        }
        let shares: Vec<Term> = shares.into_iter().map(|(c, _)| self.p.term(terms, c)).collect();
        terms.and(&shares)
    }

    /// A form, modulo integers, is an integer.
    fn is_integer(&self, terms: &mut Terms, linear: &Linear) -> Term {
        let mut rest = diophantine::fraction(linear);
        if rest.is_constant() {
            return terms.bool(rest.constant.is_int());
        }
        let mut modulus = UBig::ONE;
        for c in rest.terms.iter().map(|(_, c)| c).chain([&rest.constant]) {
            let d = c.denominator();
            modulus = &modulus / (&modulus).gcd(d) * d;
        }
        let m = RBig::from(modulus);
        rest = rest.times(&m);
        // (rest + c) mod m = 0 reads better as rest mod m = m − c.
        let constant = std::mem::take(&mut rest.constant);
        let remainder = if constant.is_zero() { constant } else { &m - constant };
        let sum = self.p.number(terms, &rest, Sort::INT);
        let m = terms.int(m.numerator().clone());
        let remainder = terms.int(remainder.numerator().clone());
        let is = terms.mk(Op::IntMod, &[sum, m]);
        terms.eq(is, remainder)
    }
}

/// The relation of a sum.
fn weaker(a: Relation, b: Relation) -> Relation {
    match (a, b) {
        (Relation::Lt, _) | (_, Relation::Lt) => Relation::Lt,
        (Relation::Eq, Relation::Eq) => Relation::Eq,
        _ => Relation::Le,
    }
}
