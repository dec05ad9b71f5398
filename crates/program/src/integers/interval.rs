//! Intervals of integers.

use dashu_int::IBig;

/// The integers between two bounds, both included; `None` is no bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub lo: Option<IBig>,
    pub hi: Option<IBig>,
}

impl Interval {
    pub const ALL: Interval = Interval { lo: None, hi: None };

    pub fn new(lo: impl Into<IBig>, hi: impl Into<IBig>) -> Interval {
        Interval { lo: Some(lo.into()), hi: Some(hi.into()) }
    }

    pub fn point(v: IBig) -> Interval {
        Interval { lo: Some(v.clone()), hi: Some(v) }
    }

    /// The one number in it.
    pub fn value(&self) -> Option<&IBig> {
        self.lo.as_ref().filter(|_| self.lo == self.hi)
    }

    pub fn bounds(&self) -> Option<(&IBig, &IBig)> {
        Some((self.lo.as_ref()?, self.hi.as_ref()?))
    }

    pub fn within(&self, other: &Interval) -> bool {
        let low = other.lo.as_ref().is_none_or(|o| self.lo.as_ref().is_some_and(|l| l >= o));
        let high = other.hi.as_ref().is_none_or(|o| self.hi.as_ref().is_some_and(|h| h <= o));
        low && high
    }

    pub fn nonnegative(&self) -> bool {
        self.lo.as_ref().is_some_and(|l| *l >= IBig::ZERO)
    }

    pub fn add(&self, other: &Interval) -> Interval {
        let sum = |a: &Option<IBig>, b: &Option<IBig>| Some(a.as_ref()? + b.as_ref()?);
        Interval { lo: sum(&self.lo, &other.lo), hi: sum(&self.hi, &other.hi) }
    }

    pub fn neg(&self) -> Interval {
        Interval { lo: self.hi.as_ref().map(|h| -h), hi: self.lo.as_ref().map(|l| -l) }
    }

    pub fn mul(&self, other: &Interval) -> Interval {
        let (Some((a, b)), Some((c, d))) = (self.bounds(), other.bounds()) else { return Interval::ALL };
        let mut all = [a * c, a * d, b * c, b * d];
        all.sort();
        let [lo, _, _, hi] = all;
        Interval::new(lo, hi)
    }

    /// Quotients, rounded down, by a positive number.
    pub fn div(&self, by: &IBig) -> Interval {
        let floor = |v: &Option<IBig>| v.as_ref().map(|v| floor(v, by));
        Interval { lo: floor(&self.lo), hi: floor(&self.hi) }
    }

    pub fn hull(&self, other: &Interval) -> Interval {
        let least = |a: &Option<IBig>, b: &Option<IBig>| Some(a.as_ref()?.min(b.as_ref()?).clone());
        let most = |a: &Option<IBig>, b: &Option<IBig>| Some(a.as_ref()?.max(b.as_ref()?).clone());
        Interval { lo: least(&self.lo, &other.lo), hi: most(&self.hi, &other.hi) }
    }

    /// What is in both; of two that share nothing, the first.
    pub fn meet(&self, other: &Interval) -> Interval {
        let pick = |a: &Option<IBig>, b: &Option<IBig>, first: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if (a > b) == first { a.clone() } else { b.clone() }),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let met = Interval { lo: pick(&self.lo, &other.lo, true), hi: pick(&self.hi, &other.hi, false) };
        if met.bounds().is_some_and(|(l, h)| l > h) { self.clone() } else { met }
    }

    /// The largest distance from zero.
    pub fn magnitude(&self) -> Option<IBig> {
        let (l, h) = self.bounds()?;
        let (l, h) = (if *l < IBig::ZERO { -l } else { l.clone() }, if *h < IBig::ZERO { -h } else { h.clone() });
        Some(l.max(h))
    }
}

/// The quotient by a positive number, rounded down.
pub(super) fn floor(v: &IBig, by: &IBig) -> IBig {
    let (q, r) = (v / by, v % by);
    if r < IBig::ZERO { q - IBig::ONE } else { q }
}

/// `2^n`.
pub(super) fn power(n: u32) -> IBig {
    IBig::ONE << n as usize
}

/// The unsigned or signed numbers of a width.
pub(super) fn window(width: u32, signed: bool) -> Interval {
    let lo = if signed { -power(width - 1) } else { IBig::ZERO };
    let hi = &lo + power(width) - IBig::ONE;
    Interval::new(lo, hi)
}
