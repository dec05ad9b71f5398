//! Sets of values of bit-vectors: intervals and known bits; and which values of its only variable decide a comparison.

use lariat_term::{Op, SortKind, Term, Terms, Var};

/// How wide bit-vectors may be.
const WIDTH: u32 = 64;
/// How many intervals there may be.
const INTERVALS: usize = 64;
/// How many bits may be compared together.
const BITS: u32 = 8;

/// A set of unsigned values of a width: intervals with both ends, in ascending order, with something between them; of these, the
/// values with certain bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Values {
    width: u32,
    intervals: Vec<(u128, u128)>,
    ones: u128,
    zeros: u128,
}

/// For which values of a variable a comparison holds, and for which it does not: the values of each list are those of its sets together.
pub(super) struct Decided {
    pub var: Var,
    pub yes: Vec<Values>,
    pub no: Vec<Values>,
}

/// The largest value of a width.
fn largest(width: u32) -> u128 {
    (1 << width) - 1
}

impl Values {
    /// All values of a variable; `None` if it is no bit-vector that words can hold.
    pub fn all(terms: &Terms, v: Var) -> Option<Values> {
        match terms.sort_kind(terms.var_sort(v)) {
            SortKind::BitVec(width) if width <= WIDTH => Some(Values::of(width, vec![(0, largest(width))])),
            _ => None,
        }
    }

    /// The multiples of a power of two that a variable can have.
    pub fn multiples(terms: &Terms, v: Var, power: u32) -> Option<Values> {
        let all = Values::all(terms, v)?;
        Some(Values { zeros: largest(power.min(all.width)), ..all })
    }

    /// Those in intervals, which may overlap.
    fn of(width: u32, mut intervals: Vec<(u128, u128)>) -> Values {
        intervals.sort_unstable();
        let mut merged: Vec<(u128, u128)> = Vec::new();
        for (low, high) in intervals {
            match merged.last_mut() {
                Some(last) if low <= last.1 + 1 => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        Values { width, intervals: merged, ones: 0, zeros: 0 }
    }

    /// Those with certain bits.
    fn with_bits(width: u32, ones: u128, zeros: u128) -> Values {
        Values { ones, zeros, ..Values::of(width, vec![(0, largest(width))]) }
    }

    /// What is in both.
    pub fn intersection(&self, other: &Values) -> Values {
        let mut both = Vec::new();
        for &(low, high) in &self.intervals {
            for &(from, to) in &other.intervals {
                if low.max(from) <= high.min(to) {
                    both.push((low.max(from), high.min(to)));
                }
            }
        }
        let (ones, zeros) = (self.ones | other.ones, self.zeros | other.zeros);
        if ones & zeros != 0 {
            both.clear();
        }
        Values { ones, zeros, ..Values::of(self.width, both) }
    }

    /// What is in none of the intervals.
    fn outside(&self) -> Values {
        let mut gaps = Vec::new();
        let mut next = 0;
        for &(low, high) in &self.intervals {
            if low > next {
                gaps.push((next, low - 1));
            }
            next = high + 1;
        }
        if next <= largest(self.width) {
            gaps.push((next, largest(self.width)));
        }
        Values::of(self.width, gaps)
    }

    /// The smallest one that is not below a number.
    fn first(&self, from: u128) -> Option<u128> {
        self.intervals.iter().find_map(|&(low, high)| self.fitting(low.max(from)).filter(|&v| v <= high))
    }

    /// The smallest number, not below another, with the known bits.
    fn fitting(&self, from: u128) -> Option<u128> {
        let known = self.ones | self.zeros;
        let wrong = (from ^ self.ones) & known;
        if wrong == 0 {
            return Some(from);
        }
        // It has the bits above some position, a one there where `from` has none, and below that as few ones as may be.
        let raised = |i: &u32| from >> i & 1 == 0 && self.zeros >> i & 1 == 0 && wrong >> i >> 1 == 0;
        let at = (0..self.width).find(raised)?;
        let above = from >> at | 1;
        Some(above << at | self.ones & ((1 << at) - 1))
    }

    /// All of them, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u128> + '_ {
        std::iter::successors(self.first(0), |v| self.first(v + 1))
    }

    /// Are there more than so many?
    pub fn more_than(&self, number: usize) -> bool {
        self.iter().nth(number).is_some()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.first(0).is_none()
    }

    /// The only one.
    pub fn only(&self) -> Option<u128> {
        self.first(0).filter(|v| self.first(v + 1).is_none())
    }

    /// Each plus a number, modulo the width.
    fn plus(&self, number: u128) -> Values {
        let all = largest(self.width);
        let mut moved = Vec::new();
        for &(low, high) in &self.intervals {
            let (low, high) = (low + number, high + number);
            match (low > all, high > all) {
                (false, true) => moved.extend([(low, all), (0, high & all)]),
                _ => moved.push((low & all, high & all)),
            }
        }
        Values::of(self.width, moved)
    }

    /// Each negated bit by bit.
    fn not(&self) -> Values {
        let all = largest(self.width);
        Values::of(self.width, self.intervals.iter().map(|(low, high)| (all - high, all - low)).collect())
    }
}

/// Which values of the only variable of a comparison decide it; `None` if it is no such comparison.
pub(super) fn decided(terms: &Terms, atom: Term) -> Option<Decided> {
    let &[a, b] = terms.args(atom) else { return None };
    let (value, t, first) = match (number(terms, a), number(terms, b)) {
        (Some(value), None) => (value, b, false),
        (None, Some(value)) => (value, a, true),
        (None, None) if terms.op(atom) == Op::Eq => return cut(terms, a, b).or_else(|| cut(terms, b, a)),
        _ => return None,
    };
    let width = width(terms, t)?;
    let all = largest(width);
    // Signed numbers are in the order of unsigned ones, once this is added to them.
    let half = 1 << (width - 1);
    let op = terms.op(atom);
    if op == Op::Eq
        && let Some(decided) = bits(terms, t, value)
    {
        return Some(decided);
    }
    let signed = matches!(op, Op::BvSlt | Op::BvSle);
    let value = if signed { (value + half) & all } else { value };
    let interval = match (op, first) {
        (Op::Eq, _) => Some((value, value)),
        (Op::BvUlt | Op::BvSlt, true) => value.checked_sub(1).map(|high| (0, high)),
        (Op::BvUlt | Op::BvSlt, false) => (value < all).then_some((value + 1, all)),
        (Op::BvUle | Op::BvSle, true) => Some((0, value)),
        (Op::BvUle | Op::BvSle, false) => Some((value, all)),
        _ => return None,
    };
    let values = Values::of(width, interval.into_iter().collect());
    let (var, yes) = before(terms, t, if signed { values.plus(half) } else { values })?;
    Some(Decided { var, no: vec![yes.outside()], yes: vec![yes] })
}

/// `t = whole`, where `t` has the lower bits of a variable and otherwise zeros, and `whole` is that variable.
fn cut(terms: &Terms, t: Term, whole: Term) -> Option<Decided> {
    let (var, width) = (terms.as_var(whole)?, width(terms, whole)?);
    match (terms.op(t), terms.args(t)) {
        (Op::ZeroExt(_), &[part]) => match (terms.op(part), terms.args(part)) {
            (Op::Extract { hi, lo: 0 }, &[inner]) if inner == whole => {
                let yes = Values::of(width, vec![(0, largest(hi + 1))]);
                Some(Decided { var, no: vec![yes.outside()], yes: vec![yes] })
            }
            _ => None,
        },
        _ => None,
    }
}

/// A comparison of some bits of a variable with a value: the others are masked, or cut off.
fn bits(terms: &Terms, t: Term, value: u128) -> Option<Decided> {
    let (var, mask, value) = match (terms.op(t), terms.args(t)) {
        (Op::BvAnd, &[a, b]) => {
            let (mask, inner) = number(terms, a).map(|m| (m, b)).or_else(|| Some((number(terms, b)?, a)))?;
            (terms.as_var(inner)?, mask, value)
        }
        (Op::Extract { hi, lo }, &[inner]) => (terms.as_var(inner)?, largest(hi + 1) & !((1 << lo) - 1), value << lo),
        _ => return None,
    };
    let width = width(terms, terms_var(terms, t))?;
    if value & !mask != 0 {
        return Some(Decided { var, yes: Vec::new(), no: vec![Values::all(terms, var)?] });
    }
    let yes = Values::with_bits(width, value, mask & !value);
    if mask.count_ones() > BITS {
        return None;
    }
    // The lowest bit that differs tells how.
    let (mut no, mut below) = (Vec::new(), 0);
    for i in (0..width).filter(|i| mask >> i & 1 == 1) {
        let bit: u128 = 1 << i;
        let (ones, zeros) = (value & below, !value & below);
        no.push(if value & bit == 0 {
            Values::with_bits(width, ones | bit, zeros)
        } else {
            Values::with_bits(width, ones, zeros | bit)
        });
        below |= bit;
    }
    Some(Decided { var, yes: vec![yes], no })
}

/// The argument of a term that is no number.
fn terms_var(terms: &Terms, t: Term) -> Term {
    terms.args(t).iter().copied().find(|&a| !terms.is_value(a)).unwrap_or(t)
}

/// The variable that a term is made of, if it has a value for each of the variable's, and different ones.
pub(super) fn source(terms: &Terms, mut t: Term) -> Option<Var> {
    loop {
        if let Some(v) = terms.as_var(t) {
            return Some(v);
        }
        t = match (terms.op(t), terms.args(t)) {
            (Op::ZeroExt(_) | Op::SignExt(_) | Op::BvNot | Op::BvNeg, &[inner]) => inner,
            (Op::BvAdd, &[a, b]) if number(terms, a).is_some() => b,
            (Op::BvAdd, &[a, b]) if number(terms, b).is_some() => a,
            _ => return None,
        };
    }
}

/// For which values of its only variable a term has one of these values.
pub(super) fn before(terms: &Terms, mut t: Term, mut values: Values) -> Option<(Var, Values)> {
    loop {
        if let Some(v) = terms.as_var(t) {
            return Some((v, values));
        }
        if values.intervals.len() > INTERVALS || values.ones | values.zeros != 0 {
            return None;
        }
        (t, values) = match (terms.op(t), terms.args(t)) {
            (Op::ZeroExt(_), &[inner]) => (inner, narrowed(terms, inner, &values)?),
            (Op::SignExt(_), &[inner]) => {
                // As if it were extended with zeros, with half of the range added to both.
                let half = 1 << (width(terms, inner)? - 1);
                let narrowed = narrowed(terms, inner, &values.plus(half))?;
                (inner, narrowed.plus(half))
            }
            (Op::BvNot, &[inner]) => (inner, values.not()),
            (Op::BvNeg, &[inner]) => (inner, values.not().plus(1)),
            (Op::BvAdd, &[a, b]) => {
                let (number, inner) = match (number(terms, a), number(terms, b)) {
                    (Some(n), _) => (n, b),
                    (None, Some(n)) => (n, a),
                    (None, None) => return None,
                };
                (inner, values.plus(largest(values.width) + 1 - number))
            }
            _ => return None,
        };
    }
}

/// Those that a narrower term can have.
fn narrowed(terms: &Terms, inner: Term, values: &Values) -> Option<Values> {
    let inside = width(terms, inner)?;
    let range = Values::of(values.width, vec![(0, largest(inside))]);
    Some(Values { width: inside, ..values.intersection(&range) })
}

fn width(terms: &Terms, t: Term) -> Option<u32> {
    terms.bv_width(t).filter(|&w| (1..=WIDTH).contains(&w))
}

/// The value of a bit-vector that words can hold.
pub(super) fn number(terms: &Terms, t: Term) -> Option<u128> {
    let Op::Const(c) = terms.op(t) else { return None };
    terms.const_value(c).as_bv().and_then(|b| u128::try_from(b.bits()).ok())
}
