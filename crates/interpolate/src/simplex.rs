//! The general simplex method for conjunctions of linear constraints over the rationals, with Farkas certificates.
//!
//! In: constraints. Out: a point that satisfies them, or multiples of some whose sum is a contradiction (rules HYP, COMB and CONTRA of
//! *Abstractions from proofs*, figure 3). Every different linear form is a row; a constraint is a bound of its row. Rows and the basis are
//! kept from check to check, bounds are not. Bland's rule makes it end.

use std::{collections::BTreeMap, ops::ControlFlow};

use dashu_base::Signed;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;

use crate::{
    linear::{Constraint, Linear, Relation, Unknown},
    stop::Stop,
};

/// A rational plus a multiple of an infinitesimal, for strict bounds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Delta(pub RBig, pub RBig);

impl Delta {
    fn add(&mut self, other: &Delta, factor: &RBig) {
        self.0 += &other.0 * factor;
        if !other.1.is_zero() {
            self.1 += &other.1 * factor;
        }
    }

    fn minus(&self, other: &Delta) -> Delta {
        Delta(&self.0 - &other.0, &self.1 - &other.1)
    }

    fn divided(&self, by: &RBig) -> Delta {
        Delta(&self.0 / by, &self.1 / by)
    }
}

/// A bound, and the multiple of the constraint that it is.
#[derive(Clone, Debug)]
struct Bound {
    value: Delta,
    constraint: usize,
    multiple: RBig,
}

/// Multiples of constraints, by their numbers, whose sum is a contradiction. Only those of equations may be negative.
pub type Certificate = Vec<(usize, RBig)>;

/// What a check gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Feasibility {
    /// There is a point; see [`Simplex::value`].
    Feasible,
    /// There is none.
    Infeasible(Certificate),
    /// The time is over.
    Stopped,
}

/// A tableau. Columns are the unknowns and the rows' own variables.
#[derive(Clone, Debug, Default)]
pub struct Simplex {
    columns: FxHashMap<Unknown, usize>,
    /// The row variables by their forms (without constant, primitive, the first coefficient positive).
    forms: FxHashMap<Vec<(Unknown, RBig)>, usize>,
    /// Basic variables, each as a sum of others.
    rows: BTreeMap<usize, BTreeMap<usize, RBig>>,
    values: Vec<Delta>,
    lower: Vec<Option<Bound>>,
    upper: Vec<Option<Bound>>,
}

impl Simplex {
    fn column(&mut self, u: Unknown) -> usize {
        if let Some(&c) = self.columns.get(&u) {
            return c;
        }
        let c = self.fresh();
        self.columns.insert(u, c);
        c
    }

    fn fresh(&mut self) -> usize {
        self.values.push(Delta::default());
        self.lower.push(None);
        self.upper.push(None);
        self.values.len() - 1
    }

    /// The variable of a form, and the factor by which the form is a multiple of it.
    fn form(&mut self, linear: &Linear) -> (usize, RBig) {
        let mut factor = linear.primitive_factor();
        if linear.leads_negative() {
            factor = -factor;
        }
        let inverse = &RBig::ONE / &factor;
        let terms: Vec<(Unknown, RBig)> = linear.terms.iter().map(|(u, c)| (*u, c * &factor)).collect();
        if let [(u, _)] = terms[..] {
            return (self.column(u), inverse);
        }
        if let Some(&v) = self.forms.get(&terms) {
            return (v, inverse);
        }
        let mut row = BTreeMap::new();
        let mut value = Delta::default();
        for (u, c) in &terms {
            let column = self.column(*u);
            value.add(&self.values[column], c);
            match self.rows.get(&column) {
                Some(basic) => {
                    let basic: Vec<_> = basic.iter().map(|(k, d)| (*k, d * c)).collect();
                    basic.into_iter().for_each(|(k, d)| increase(&mut row, k, d));
                }
                None => increase(&mut row, column, c.clone()),
            }
        }
        let v = self.fresh();
        self.values[v] = value;
        self.rows.insert(v, row);
        self.forms.insert(terms, v);
        (v, inverse)
    }

    /// Looks for a point that satisfies all constraints but those that are disequations, which are passed over.
    pub fn check(&mut self, constraints: &[Constraint], stop: &Stop) -> Feasibility {
        self.lower.iter_mut().for_each(|b| *b = None);
        self.upper.iter_mut().for_each(|b| *b = None);
        for (i, c) in constraints.iter().enumerate() {
            if let ControlFlow::Break(conflict) = self.assert(i, c) {
                return Feasibility::Infeasible(conflict);
            }
        }
        for v in 0..self.values.len() {
            if !self.rows.contains_key(&v) {
                let bound = match (&self.lower[v], &self.upper[v]) {
                    (Some(l), _) if self.values[v] < l.value => l.value.clone(),
                    (_, Some(u)) if self.values[v] > u.value => u.value.clone(),
                    _ => continue,
                };
                self.update(v, bound);
            }
        }
        loop {
            if stop.is_over() {
                return Feasibility::Stopped;
            }
            let violated = self.rows.keys().copied().find_map(|v| match (&self.lower[v], &self.upper[v]) {
                (Some(l), _) if self.values[v] < l.value => Some((v, true)),
                (_, Some(u)) if self.values[v] > u.value => Some((v, false)),
                _ => None,
            });
            let Some((basic, too_low)) = violated else { return Feasibility::Feasible };
            let row = &self.rows[&basic];
            // Can the sum grow (or fall) by moving this variable?
            let movable = row.iter().find(|(k, c)| {
                let up = c.is_positive() == too_low;
                let limit = if up { &self.upper[**k] } else { &self.lower[**k] };
                limit.as_ref().is_none_or(|b| if up { self.values[**k] < b.value } else { self.values[**k] > b.value })
            });
            match movable {
                Some((&k, _)) => self.pivot(basic, k, too_low),
                None => return Feasibility::Infeasible(self.explain(basic, too_low)),
            }
        }
    }

    fn assert(&mut self, i: usize, c: &Constraint) -> ControlFlow<Certificate> {
        let one = RBig::ONE;
        if c.relation == Relation::Ne {
            return ControlFlow::Continue(());
        }
        if c.linear.is_constant() {
            let k = &c.linear.constant;
            let multiple = match c.relation {
                Relation::Le if k > &RBig::ZERO => one,
                Relation::Lt if k >= &RBig::ZERO => one,
                Relation::Eq if !k.is_zero() => &one / k,
                _ => return ControlFlow::Continue(()),
            };
            return ControlFlow::Break(vec![(i, multiple)]);
        }
        let (v, factor) = self.form(&c.linear);
        let multiple = &one / &factor;
        let limit = -(&c.linear.constant * &multiple);
        let strict = c.relation == Relation::Lt;
        if c.relation == Relation::Eq || factor.is_positive() {
            let slack = if strict { RBig::from(-1) } else { RBig::ZERO };
            let value = Delta(limit.clone(), slack);
            if self.upper[v].as_ref().is_none_or(|b| value < b.value) {
                self.upper[v] = Some(Bound { value, constraint: i, multiple: multiple.clone() });
            }
        }
        if c.relation == Relation::Eq || factor.is_negative() {
            let slack = if strict { one } else { RBig::ZERO };
            let value = Delta(limit, slack);
            if self.lower[v].as_ref().is_none_or(|b| value > b.value) {
                self.lower[v] = Some(Bound { value, constraint: i, multiple: -multiple });
            }
        }
        match (&self.lower[v], &self.upper[v]) {
            (Some(l), Some(u)) if l.value > u.value => {
                ControlFlow::Break(vec![(l.constraint, l.multiple.clone()), (u.constraint, u.multiple.clone())])
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Moves a variable that is not basic.
    fn update(&mut self, v: usize, value: Delta) {
        let change = value.minus(&self.values[v]);
        for (basic, row) in &self.rows {
            if let Some(c) = row.get(&v) {
                self.values[*basic].add(&change, c);
            }
        }
        self.values[v] = value;
    }

    /// Exchanges a basic variable with another, so that it is at the bound that it violates.
    fn pivot(&mut self, basic: usize, other: usize, too_low: bool) {
        let bound = if too_low { &self.lower[basic] } else { &self.upper[basic] };
        let Some(bound) = bound.as_ref().map(|b| b.value.clone()) else { return };
        let Some(mut row) = self.rows.remove(&basic) else { return };
        let Some(c) = row.remove(&other) else { return };
        let change = bound.minus(&self.values[basic]).divided(&c);
        self.values[basic] = bound;
        let mut moved = self.values[other].clone();
        moved.add(&change, &RBig::ONE);
        self.values[other] = moved;
        // other = (basic − rest) / c
        let inverse = &RBig::ONE / &c;
        let minus = -inverse.clone();
        row.values_mut().for_each(|a| *a *= &minus);
        row.insert(basic, inverse);
        for (b, r) in &mut self.rows {
            let Some(a) = r.remove(&other) else { continue };
            self.values[*b].add(&change, &a);
            for (k, d) in &row {
                increase(r, *k, d * &a);
            }
        }
        self.rows.insert(other, row);
    }

    /// Why the bound of a basic variable cannot be met.
    fn explain(&self, basic: usize, too_low: bool) -> Certificate {
        let mut sum: BTreeMap<usize, RBig> = BTreeMap::new();
        let mut add = |bound: &Option<Bound>, factor: RBig| {
            if let Some(b) = bound {
                *sum.entry(b.constraint).or_default() += &b.multiple * factor;
            }
        };
        add(if too_low { &self.lower[basic] } else { &self.upper[basic] }, RBig::ONE);
        for (k, c) in &self.rows[&basic] {
            let up = c.is_positive() == too_low;
            let size = if c.is_negative() { -c.clone() } else { c.clone() };
            add(if up { &self.upper[*k] } else { &self.lower[*k] }, size);
        }
        sum.into_iter().filter(|(_, c)| !c.is_zero()).collect()
    }

    /// The value of a linear form at the point of the last check, as far as it is known.
    pub fn value(&self, linear: &Linear) -> Delta {
        let mut value = Delta(linear.constant.clone(), RBig::ZERO);
        for (u, c) in &linear.terms {
            if let Some(&column) = self.columns.get(u) {
                value.add(&self.values[column], c);
            }
        }
        value
    }
}

fn increase(row: &mut BTreeMap<usize, RBig>, k: usize, by: RBig) {
    let sum = row.entry(k).or_default();
    *sum += by;
    if sum.is_zero() {
        row.remove(&k);
    }
}

/// Do these multiples sum up to a contradiction?
#[cfg(test)]
pub fn is_contradiction(constraints: &[Constraint], certificate: &Certificate) -> bool {
    let mut sum = Linear::default();
    let mut strict = false;
    for (i, m) in certificate {
        let c = &constraints[*i];
        if c.relation == Relation::Ne || (c.relation != Relation::Eq && m <= &RBig::ZERO) {
            return false;
        }
        strict |= c.relation == Relation::Lt;
        sum.add(&c.linear, m);
    }
    let equations = certificate.iter().all(|(i, _)| constraints[*i].relation == Relation::Eq);
    let k = &sum.constant;
    sum.is_constant() && (k > &RBig::ZERO || strict && k.is_zero() || equations && !k.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constraint(terms: &[(Unknown, i32)], constant: i32, relation: Relation) -> Constraint {
        let terms = terms.iter().map(|&(u, c)| (u, RBig::from(c))).collect();
        Constraint { linear: Linear { terms, constant: RBig::from(constant) }, relation }
    }

    #[test]
    fn figure_4() {
        // x ≤ y, y ≤ z, z < x
        let all = [
            constraint(&[(0, 1), (1, -1)], 0, Relation::Le),
            constraint(&[(1, 1), (2, -1)], 0, Relation::Le),
            constraint(&[(0, -1), (2, 1)], 1, Relation::Le),
        ];
        let mut s = Simplex::default();
        let Feasibility::Infeasible(c) = s.check(&all, &Stop::never()) else { panic!() };
        assert!(is_contradiction(&all, &c));
        assert_eq!(s.check(&all[..2], &Stop::never()), Feasibility::Feasible);
    }

    #[test]
    fn random_systems_have_points_or_certificates() {
        let mut seed = 7u64;
        let mut next = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        let (mut feasible, mut infeasible) = (0, 0);
        let mut s = Simplex::default();
        for round in 0..2000 {
            if round % 20 == 0 {
                s = Simplex::default();
            }
            let n = 3 + next(6);
            let all: Vec<Constraint> = (0..n)
                .map(|_| {
                    let mut l = Linear::constant(RBig::from(next(9) as i32 - 4));
                    for u in 0..5 {
                        if next(2) == 0 {
                            l.add(&Linear::unknown(u), &RBig::from(next(7) as i32 - 3));
                        }
                    }
                    let relation = [Relation::Le, Relation::Lt, Relation::Eq][next(3) as usize];
                    Constraint { linear: l, relation }
                })
                .collect();
            match s.check(&all, &Stop::never()) {
                Feasibility::Feasible => {
                    feasible += 1;
                    for c in &all {
                        let v = s.value(&c.linear);
                        let zero = Delta::default();
                        assert!(match c.relation {
                            Relation::Le => v <= zero,
                            Relation::Lt => v < zero,
                            _ => v == zero,
                        });
                    }
                }
                Feasibility::Infeasible(c) => {
                    infeasible += 1;
                    assert!(is_contradiction(&all, &c), "{all:?} {c:?}");
                }
                Feasibility::Stopped => panic!(),
            }
        }
        assert!(feasible > 100 && infeasible > 100, "{feasible} {infeasible}");
    }
}
