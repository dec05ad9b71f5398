//! Linear forms with rational coefficients over numbered unknowns.

use std::cmp::Ordering;

use dashu_base::{Gcd, Signed};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// The number of an unknown: a variable, or a term that arithmetic does not look into.
pub type Unknown = u32;

/// `Σ coefficient · unknown + constant`, with unknowns in ascending order and no coefficient zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Linear {
    /// The coefficients.
    pub terms: Vec<(Unknown, RBig)>,
    /// The constant.
    pub constant: RBig,
}

/// How a linear form compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// At most zero.
    Le,
    /// Less than zero.
    Lt,
    /// Zero.
    Eq,
    /// Not zero.
    Ne,
}

/// A linear form compared with zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Constraint {
    /// The form.
    pub linear: Linear,
    /// What it is.
    pub relation: Relation,
}

impl Linear {
    /// A constant.
    pub fn constant(constant: RBig) -> Linear {
        Linear { terms: Vec::new(), constant }
    }

    /// An unknown.
    pub fn unknown(u: Unknown) -> Linear {
        Linear { terms: vec![(u, RBig::ONE)], constant: RBig::ZERO }
    }

    /// Adds a multiple of another.
    pub fn add(&mut self, other: &Linear, factor: &RBig) {
        if factor.is_zero() {
            return;
        }
        self.constant += &other.constant * factor;
        let mut out = Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut mine = std::mem::take(&mut self.terms).into_iter().peekable();
        let mut theirs = other.terms.iter().peekable();
        loop {
            let order = match (mine.peek(), theirs.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => a.0.cmp(&b.0),
            };
            match order {
                Ordering::Less => out.extend(mine.next()),
                Ordering::Greater => out.extend(theirs.next().map(|(u, c)| (*u, c * factor))),
                Ordering::Equal => {
                    if let (Some((u, a)), Some((_, b))) = (mine.next(), theirs.next()) {
                        let c = a + b * factor;
                        if !c.is_zero() {
                            out.push((u, c));
                        }
                    }
                }
            }
        }
        self.terms = out;
    }

    /// A multiple.
    pub fn times(mut self, factor: &RBig) -> Linear {
        if factor.is_zero() {
            return Linear::default();
        }
        self.terms.iter_mut().for_each(|(_, c)| *c *= factor);
        self.constant *= factor;
        self
    }

    /// The difference.
    pub fn minus(mut self, other: &Linear) -> Linear {
        self.add(other, &RBig::from(-1));
        self
    }

    /// Has it no unknowns?
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// The positive factor that makes the coefficients integers without a common divisor; one for constants.
    pub fn primitive_factor(&self) -> RBig {
        let mut divisor = UBig::ZERO;
        let mut multiple = UBig::ONE;
        for (_, c) in &self.terms {
            let d = c.denominator();
            multiple = &multiple / (&multiple).gcd(d) * d;
        }
        for (_, c) in &self.terms {
            let n = (c * RBig::from(multiple.clone())).numerator().clone();
            let n = n.into_parts().1;
            divisor = if divisor.is_zero() { n } else { divisor.gcd(n) };
        }
        if divisor.is_zero() { RBig::ONE } else { RBig::from_parts(IBig::from(multiple), divisor) }
    }

    /// Is the first coefficient negative?
    pub fn leads_negative(&self) -> bool {
        self.terms.first().is_some_and(|(_, c)| c.is_negative())
    }
}

impl Constraint {
    /// In a form that is the same for equivalent constraints, as far as scaling and, where all unknowns are integers, rounding
    /// can tell: `Ok` with the truth if there is nothing left to know.
    pub fn normal(mut self, integers: bool) -> Result<Constraint, bool> {
        if self.linear.is_constant() {
            let sign = self.linear.constant.cmp(&RBig::ZERO);
            return Err(match self.relation {
                Relation::Le => sign != Ordering::Greater,
                Relation::Lt => sign == Ordering::Less,
                Relation::Eq => sign == Ordering::Equal,
                Relation::Ne => sign != Ordering::Equal,
            });
        }
        let factor = self.linear.primitive_factor();
        self.linear = self.linear.times(&factor);
        if integers {
            match self.relation {
                Relation::Lt => {
                    // e + c < 0 with an integer e: e + floor(c) + 1 <= 0.
                    self.linear.constant = RBig::from(self.linear.constant.floor() + IBig::ONE);
                    self.relation = Relation::Le;
                }
                Relation::Le => self.linear.constant = RBig::from(self.linear.constant.ceil()),
                Relation::Eq | Relation::Ne if !self.linear.constant.is_int() => {
                    return Err(self.relation == Relation::Ne);
                }
                _ => {}
            }
        }
        if matches!(self.relation, Relation::Eq | Relation::Ne) && self.linear.leads_negative() {
            self.linear = self.linear.times(&RBig::from(-1));
        }
        Ok(self)
    }

    /// The opposite.
    pub fn negated(&self) -> Constraint {
        let minus = || self.linear.clone().times(&RBig::from(-1));
        let (linear, relation) = match self.relation {
            Relation::Le => (minus(), Relation::Lt),
            Relation::Lt => (minus(), Relation::Le),
            Relation::Eq => (self.linear.clone(), Relation::Ne),
            Relation::Ne => (self.linear.clone(), Relation::Eq),
        };
        Constraint { linear, relation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(terms: &[(Unknown, i32)], constant: i32) -> Linear {
        Linear { terms: terms.iter().map(|&(u, c)| (u, RBig::from(c))).collect(), constant: RBig::from(constant) }
    }

    #[test]
    fn integers_are_rounded() {
        let c = Constraint { linear: linear(&[(0, 2), (1, -4)], 3), relation: Relation::Le };
        assert_eq!(c.clone().normal(true).unwrap().linear, linear(&[(0, 1), (1, -2)], 2));
        let c = Constraint { relation: Relation::Eq, ..c };
        assert_eq!(c.normal(true), Err(false));
        let c = Constraint { linear: linear(&[(0, 1)], 0), relation: Relation::Lt };
        assert_eq!(c.normal(true).unwrap(), Constraint { linear: linear(&[(0, 1)], 1), relation: Relation::Le });
        let c = Constraint { linear: linear(&[(0, -2), (1, 1)], 2), relation: Relation::Ne };
        assert_eq!(c.normal(true).unwrap().linear, linear(&[(0, 2), (1, -1)], -2));
    }

    #[test]
    fn sums_cancel() {
        let mut a = linear(&[(0, 1), (2, 3)], 1);
        a.add(&linear(&[(0, 2), (1, 1)], 5), &RBig::from_parts((-1).into(), 2u8.into()));
        assert_eq!(a.terms.iter().map(|t| t.0).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(a.constant, RBig::from_parts((-3).into(), 2u8.into()));
    }
}
