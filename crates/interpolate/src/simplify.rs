//! Interpolants that a person can read: two inequalities are an equation, what another part implies is left out.
//!
//! Only equivalent formulas come out, so that whatever holds of the given one (the sequence is inductive) holds of the result.

use dashu_ratio::RBig;
use lariat_term::{Op, Term, Terms};
use rustc_hash::FxHashMap;

use crate::{
    linear::{Constraint, Linear, Relation},
    problem::{Problem, is_number},
};

/// The formula without what is superfluous in its conjunctions and disjunctions.
pub fn simplify(p: &Problem, terms: &mut Terms, t: Term) -> Term {
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    let mut stack = vec![(t, false)];
    while let Some((t, done)) = stack.pop() {
        let op = terms.op(t);
        if !matches!(op, Op::And | Op::Or | Op::Not) {
            let new = cancel(terms, t);
            map.insert(t, new);
            continue;
        }
        if !done {
            if !map.contains_key(&t) {
                stack.push((t, true));
                stack.extend(terms.args(t).iter().map(|&a| (a, false)));
            }
            continue;
        }
        let args: Vec<Term> = terms.args(t).iter().map(|a| map[a]).collect();
        let new = match op {
            Op::Not => terms.not(args[0]),
            _ => {
                let mut flat = Vec::new();
                for a in args {
                    if terms.op(a) == op { flat.extend_from_slice(terms.args(a)) } else { flat.push(a) }
                }
                join(p, terms, op == Op::And, flat)
            }
        };
        map.insert(t, new);
    }
    map[&t]
}

/// An equation of sums of bit-vectors without the summands that both have.
fn cancel(terms: &mut Terms, t: Term) -> Term {
    if terms.op(t) != Op::Eq || terms.bv_width(terms.args(t)[0]).is_none() {
        return t;
    }
    let sides = [terms.args(t)[0], terms.args(t)[1]];
    let [mut a, mut b] = sides.map(|s| if terms.op(s) == Op::BvAdd { terms.args(s).to_vec() } else { vec![s] });
    let before = a.len();
    a.retain(|x| match b.iter().position(|y| y == x) {
        Some(k) => {
            b.remove(k);
            false
        }
        None => true,
    });
    if a.len() == before {
        return t;
    }
    let zero = terms.bv_width(sides[0]).map(|w| terms.bv(w, 0u8));
    let sum = |terms: &mut Terms, all: &[Term]| match all {
        [] => zero,
        [one] => Some(*one),
        _ => Some(terms.mk(Op::BvAdd, all)),
    };
    match (sum(terms, &a), sum(terms, &b)) {
        (Some(a), Some(b)) => terms.eq(a, b),
        _ => t,
    }
}

/// As [`simplify`], for formulas that came from elsewhere.
pub fn tidy(terms: &mut Terms, found: Vec<Term>) -> Vec<Term> {
    let mut p = Problem::empty(1);
    for t in terms.post_order(&found) {
        if terms.loose(t) == 0 && matches!(terms.op(t), Op::Le | Op::Lt | Op::Eq) {
            for a in terms.args(t).to_vec() {
                if is_number(terms, a) {
                    p.linear(terms, a);
                }
            }
        }
    }
    found.into_iter().map(|t| simplify(&p, terms, t)).collect()
}

/// The unknowns' coefficients, the first being positive, and what is known of their sum: by `sign`, an upper or a lower bound.
struct Bounds {
    form: Linear,
    integers: bool,
    upper: Option<(RBig, bool)>,
    lower: Option<(RBig, bool)>,
    equal: Vec<RBig>,
    different: Vec<RBig>,
}

/// A conjunction, or a disjunction (which is one of negations, negated).
fn join(p: &Problem, terms: &mut Terms, and: bool, args: Vec<Term>) -> Term {
    let mut rest = Vec::new();
    let mut groups: Vec<Bounds> = Vec::new();
    for a in args {
        let c = match constraint(p, terms, a) {
            Some(c) => {
                if and {
                    c
                } else {
                    c.negated()
                }
            }
            None => {
                rest.push(a);
                continue;
            }
        };
        let integers = p.integers(&c.linear);
        match c.normal(integers) {
            Ok(c) => note(&mut groups, c, integers),
            Err(true) => {}
            Err(false) => return terms.bool(!and),
        }
    }
    let mut out = Vec::new();
    for g in groups {
        let Some(all) = g.constraints() else { return terms.bool(!and) };
        for c in all {
            out.push(p.term(terms, if and { c } else { c.negated() }));
        }
    }
    out.extend(rest);
    absorb(terms, and, &mut out);
    if and { terms.and(&out) } else { terms.or(&out) }
}

fn note(groups: &mut Vec<Bounds>, c: Constraint, integers: bool) {
    let flip = c.linear.leads_negative();
    let linear = if flip { c.linear.times(&RBig::from(-1)) } else { c.linear };
    let limit = -linear.constant.clone();
    let form = Linear { constant: RBig::ZERO, ..linear };
    let k = groups.iter().position(|g| g.form == form).unwrap_or_else(|| {
        groups.push(Bounds { form, integers, upper: None, lower: None, equal: vec![], different: vec![] });
        groups.len() - 1
    });
    let g = &mut groups[k];
    let strict = c.relation == Relation::Lt;
    match c.relation {
        Relation::Eq => g.equal.push(limit),
        Relation::Ne => g.different.push(limit),
        // A strict bound is the tighter one of two at the same place.
        _ if flip => {
            if g.lower.as_ref().is_none_or(|(l, s)| limit > *l || limit == *l && strict && !s) {
                g.lower = Some((limit, strict));
            }
        }
        _ => {
            if g.upper.as_ref().is_none_or(|(u, s)| limit < *u || limit == *u && strict && !s) {
                g.upper = Some((limit, strict));
            }
        }
    }
}

impl Bounds {
    /// What is left to say; `None` if it cannot be.
    fn constraints(mut self) -> Option<Vec<Constraint>> {
        if let (Some((l, false)), Some((u, false))) = (&self.lower, &self.upper)
            && l == u
        {
            self.equal.push(l.clone());
        }
        if let Some(value) = self.equal.first().cloned() {
            let above = |(l, strict): &(RBig, bool)| value > *l || value == *l && !strict;
            let below = |(u, strict): &(RBig, bool)| value < *u || value == *u && !strict;
            let fits = self.equal.iter().all(|v| *v == value)
                && self.different.iter().all(|v| *v != value)
                && self.lower.iter().all(above)
                && self.upper.iter().all(below);
            return fits.then(|| vec![self.make(value, Relation::Eq, false)]);
        }
        self.different.sort();
        self.different.dedup();
        // A value that is excluded at the rim of a bound moves it, and one outside says nothing.
        let one = RBig::ONE;
        for v in self.different.clone() {
            match &mut self.lower {
                Some((l, _)) if v == *l && self.integers => *l += &one,
                Some((l, strict)) if v == *l => *strict = true,
                _ => {}
            }
        }
        for v in self.different.iter().rev() {
            match &mut self.upper {
                Some((u, _)) if v == u && self.integers => *u -= &one,
                Some((u, strict)) if v == u => *strict = true,
                _ => {}
            }
        }
        let (lower, upper) = (self.lower.clone(), self.upper.clone());
        if let (Some((l, ls)), Some((u, us))) = (&lower, &upper) {
            if l > u || l == u && (*ls || *us) {
                return None;
            }
            if l == u {
                return Some(vec![self.make(l.clone(), Relation::Eq, false)]);
            }
        }
        let mut out = Vec::new();
        let relation = |strict| if strict { Relation::Lt } else { Relation::Le };
        if let Some((l, strict)) = &lower {
            out.push(self.make(l.clone(), relation(*strict), true));
        }
        if let Some((u, strict)) = &upper {
            out.push(self.make(u.clone(), relation(*strict), false));
        }
        for v in &self.different {
            let inside = lower.as_ref().is_none_or(|(l, _)| v > l) && upper.as_ref().is_none_or(|(u, _)| v < u);
            if inside {
                out.push(self.make(v.clone(), Relation::Ne, false));
            }
        }
        Some(out)
    }

    fn make(&self, limit: RBig, relation: Relation, lower: bool) -> Constraint {
        let linear = Linear { constant: -limit, ..self.form.clone() };
        Constraint { linear: if lower { linear.times(&RBig::from(-1)) } else { linear }, relation }
    }
}

/// A term as a constraint over unknowns that are known already.
fn constraint(p: &Problem, terms: &Terms, t: Term) -> Option<Constraint> {
    let (atom, positive) = match terms.op(t) {
        Op::Not => (terms.args(t)[0], false),
        _ => (t, true),
    };
    let relation = match terms.op(atom) {
        Op::Le => Relation::Le,
        Op::Lt => Relation::Lt,
        Op::Eq => Relation::Eq,
        _ => return None,
    };
    let args = terms.args(atom);
    let linear = p.known_linear(terms, args[0])?.minus(&p.known_linear(terms, args[1])?);
    let c = Constraint { linear, relation };
    Some(if positive { c } else { c.negated() })
}

/// Leaves out what is there twice, and what has another part as its part: `a ∧ (a ∨ b)` is `a`.
fn absorb(terms: &mut Terms, and: bool, args: &mut Vec<Term>) {
    let inner = if and { Op::Or } else { Op::And };
    let all = args.clone();
    let mut seen = rustc_hash::FxHashSet::default();
    args.retain(|&a| {
        let absorbed = terms.op(a) == inner && terms.args(a).iter().any(|b| all.contains(b));
        !absorbed && seen.insert(a)
    });
    // In the others, parts that contradict what is given beside them: a ∧ (¬a ∨ b) is a ∧ b.
    let all = args.clone();
    for a in args.iter_mut() {
        if terms.op(*a) != inner {
            continue;
        }
        let parts = terms.args(*a).to_vec();
        let mut kept = Vec::new();
        for b in parts.iter().copied() {
            let not = terms.not(b);
            if !all.contains(&not) {
                kept.push(b);
            }
        }
        if kept.len() < parts.len() {
            *a = if and { terms.or(&kept) } else { terms.and(&kept) };
        }
    }
}
