//! Arithmetic of bit-vectors on integers that are congruent to them.

use dashu_int::IBig;
use lariat_term::{Op, Term};

use super::{
    interval::{Interval, floor, power, window},
    translate::{Out, Translator},
};

/// Shifts of a variable by a variable are told apart up to this many distances, of a constant up to more.
const DISTANCES: u32 = 8;
const CONSTANT_DISTANCES: u32 = 64;

/// Conjunctions with a number of at most this many bits are made bit by bit.
const FEW_BITS: u32 = 4;

/// Masks may have this many runs of ones.
const RUNS: usize = 4;

impl Translator<'_> {
    // Arithmetic on congruent integers

    pub(super) fn numeral(&mut self, v: IBig) -> Out {
        Out { term: self.terms.int(v.clone()), range: Interval::point(v) }
    }

    pub(super) fn add(&mut self, x: &Out, y: &Out) -> Out {
        Out { term: self.terms.add(&[x.term, y.term]), range: x.range.add(&y.range) }
    }

    pub(super) fn sub(&mut self, x: &Out, y: &Out) -> Out {
        let minus = self.neg(y);
        self.add(x, &minus)
    }

    pub(super) fn neg(&mut self, x: &Out) -> Out {
        Out { term: self.terms.neg(x.term), range: x.range.neg() }
    }

    pub(super) fn mul(&mut self, x: &Out, y: &Out) -> Out {
        Out { term: self.terms.mul(&[x.term, y.term]), range: x.range.mul(&y.range) }
    }

    pub(super) fn scale(&mut self, x: &Out, by: &IBig) -> Out {
        let by = self.numeral(by.clone());
        self.mul(&by, x)
    }

    /// The quotient by a positive number, rounded down.
    pub(super) fn floor_div(&mut self, x: &Out, by: &IBig) -> Out {
        if *by == IBig::ONE {
            return x.clone();
        }
        let range = x.range.div(by);
        let term = match range.value() {
            Some(v) => self.terms.int(v.clone()),
            None => {
                let by = self.terms.int(by.clone());
                self.terms.mk(Op::IntDiv, &[x.term, by])
            }
        };
        Out { term, range }
    }

    pub(super) fn remainder(&mut self, x: &Out, by: &IBig) -> Out {
        let range = Interval::new(0, by - IBig::ONE);
        if x.range.within(&range) {
            return x.clone();
        }
        let by = self.terms.int(by.clone());
        Out { term: self.terms.mk(Op::IntMod, &[x.term, by]), range }
    }

    pub(super) fn unsigned(&mut self, w: u32, x: &Out) -> Out {
        self.fitted(w, &window(w, false), x)
    }

    pub(super) fn signed(&mut self, w: u32, x: &Out) -> Out {
        self.fitted(w, &window(w, true), x)
    }

    /// The congruent number in a range of `2^w` numbers.
    pub(super) fn fitted(&mut self, w: u32, range: &Interval, x: &Out) -> Out {
        let (Some((first, _)), size) = (range.bounds(), power(w)) else { return x.clone() };
        if x.range.within(range) {
            return x.clone();
        }
        if let Some((lo, hi)) = x.range.bounds() {
            let (low, high) = (floor(&(lo - first), &size), floor(&(hi - first), &size));
            if &high - &low <= IBig::from(2) {
                return self.wrap(range, &size, x, low, high);
            }
        }
        let offset = self.numeral(-first);
        let (from_zero, back) = (self.add(x, &offset), self.numeral(first.clone()));
        let rest = self.remainder(&from_zero, &size);
        self.add(&rest, &back)
    }

    /// One of few multiples of `size` is taken away: from number `low` to number `high`.
    pub(super) fn wrap(&mut self, range: &Interval, size: &IBig, x: &Out, low: IBig, mut high: IBig) -> Out {
        let Some((first, _)) = range.bounds() else { return x.clone() };
        let at = |s: &mut Self, k: &IBig| {
            let shift = s.numeral(-(k * size));
            s.add(x, &shift).term
        };
        // The unlikely ones are tested first: most often nothing is to be done.
        let mut cases = Vec::new();
        let mut low = low;
        while low < high {
            if low < IBig::ZERO {
                let end = self.terms.int(first + (&low + IBig::ONE) * size);
                cases.push((self.terms.lt(x.term, end), at(self, &low)));
                low += IBig::ONE;
            } else {
                let start = self.terms.int(first + &high * size);
                cases.push((self.terms.le(start, x.term), at(self, &high)));
                high -= IBig::ONE;
            }
        }
        let mut term = at(self, &low);
        for (cond, value) in cases.into_iter().rev() {
            term = self.terms.ite(cond, value, term);
        }
        let mut moved = x.range.add(&Interval::point(-(&low * size)));
        if !moved.within(range) {
            moved = range.clone();
        }
        Out { term, range: moved }
    }

    // Conditions

    /// Are two numbers congruent?
    pub(super) fn equal(&mut self, w: u32, x: &Out, y: &Out) -> Term {
        let size = power(w);
        if let (Some((a, b)), Some((c, d))) = (x.range.bounds(), y.range.bounds()) {
            // x - y is one of the multiples of 2^w between these.
            let (least, most) = (a - d, b - c);
            let (mut k, last) = (-floor(&-least, &size), floor(&most, &size));
            if &last - &k <= IBig::from(2) {
                let mut cases = Vec::new();
                while k <= last {
                    let shift = self.numeral(&k * &size);
                    let other = self.add(y, &shift);
                    cases.push(self.terms.eq(x.term, other.term));
                    k += IBig::ONE;
                }
                return self.terms.or(&cases);
            }
        }
        let signed = !x.range.nonnegative() || !y.range.nonnegative();
        let range = window(w, signed);
        let (x, y) = (self.fitted(w, &range, x), self.fitted(w, &range, y));
        self.terms.eq(x.term, y.term)
    }

    pub(super) fn compare(&mut self, op: Op, w: u32, x: &Out, y: &Out) -> Term {
        let strict = matches!(op, Op::BvUlt | Op::BvSlt);
        let less = |s: &mut Self, a: &Out, b: &Out| {
            let (l, h) = (&a.range, &b.range);
            // Decided by the ranges alone?
            if let (Some(ah), Some(bl)) = (&l.hi, &h.lo)
                && (ah < bl || (!strict && ah == bl))
            {
                return s.terms.bool(true);
            }
            if let (Some(al), Some(bh)) = (&l.lo, &h.hi)
                && (al > bh || (strict && al == bh))
            {
                return s.terms.bool(false);
            }
            if strict { s.terms.lt(a.term, b.term) } else { s.terms.le(a.term, b.term) }
        };
        if matches!(op, Op::BvSlt | Op::BvSle) {
            let (x, y) = (self.signed(w, x), self.signed(w, y));
            return less(self, &x, &y);
        }
        // A number that may be negative against one of the lower half: the negative ones are the large ones.
        let (all, half) = (window(w, true), Interval::new(0, power(w - 1) - IBig::ONE));
        let zero = self.numeral(IBig::ZERO);
        if x.range.within(&all) && !x.range.nonnegative() && y.range.within(&half) {
            let (natural, below) = (self.terms.le(zero.term, x.term), less(self, x, y));
            return self.terms.and(&[natural, below]);
        }
        if y.range.within(&all) && !y.range.nonnegative() && x.range.within(&half) {
            let (large, below) = (self.terms.lt(y.term, zero.term), less(self, x, y));
            return self.terms.or(&[large, below]);
        }
        let (x, y) = (self.unsigned(w, x), self.unsigned(w, y));
        less(self, &x, &y)
    }

    // Division

    pub(super) fn divide_unsigned(&mut self, op: Op, w: u32, x: &Out, y: &Out) -> Out {
        let (x, y) = (self.unsigned(w, x), self.unsigned(w, y));
        let (int, by_zero) = match op {
            Op::BvUdiv => (Op::IntDiv, self.numeral(power(w) - IBig::ONE)),
            _ => (Op::IntMod, x.clone()),
        };
        let most = match (int, &x.range.hi, &y.range.hi) {
            (Op::IntMod, Some(a), Some(b)) => a.min(&(b - IBig::ONE)).clone(),
            (_, Some(a), _) => a.clone(),
            _ => power(w) - IBig::ONE,
        };
        let range = Interval::new(0, most.max(IBig::ZERO));
        let quotient = Out { term: self.terms.mk(int, &[x.term, y.term]), range };
        self.unless_zero(&y, by_zero, quotient)
    }

    pub(super) fn divide_signed(&mut self, op: Op, w: u32, x: &Out, y: &Out) -> Out {
        let (x, y) = (self.signed(w, x), self.signed(w, y));
        let zero = self.terms.int(0);
        let int = if op == Op::BvSdiv { Op::IntDiv } else { Op::IntMod };
        // Euclidean division of a number that is not negative is what it should be.
        let up = self.terms.mk(int, &[x.term, y.term]);
        let minus = self.neg(&x);
        let down = self.terms.mk(int, &[minus.term, y.term]);
        let down = self.terms.neg(down);
        let natural = self.terms.le(zero, x.term);
        let term = match (x.range.nonnegative(), minus.range.nonnegative()) {
            (true, _) => up,
            (_, true) => down,
            _ => self.terms.ite(natural, up, down),
        };
        let mut most = x.range.magnitude().unwrap_or_else(|| power(w - 1));
        if op == Op::BvSrem
            && let Some(m) = y.range.magnitude()
        {
            most = most.min((m - IBig::ONE).max(IBig::ZERO));
        } else if let Some(c) = y.range.value().and_then(|_| y.range.magnitude()).filter(|c| *c > IBig::ZERO) {
            most /= c;
        }
        let mut range = Interval::new(-&most, most);
        if op == Op::BvSrem && x.range.nonnegative()
            || op == Op::BvSdiv && x.range.nonnegative() && y.range.nonnegative()
        {
            range.lo = Some(IBig::ZERO);
        }
        let by_zero = if op == Op::BvSdiv {
            let (one, minus) = (self.terms.int(1), self.terms.int(-1));
            Out { term: self.terms.ite(natural, minus, one), range: Interval::new(-1, 1) }
        } else {
            x
        };
        self.unless_zero(&y, by_zero, Out { term, range })
    }

    pub(super) fn unless_zero(&mut self, divisor: &Out, by_zero: Out, other: Out) -> Out {
        let zero = Interval::point(IBig::ZERO);
        if divisor.range == zero {
            return by_zero;
        }
        if divisor.range.lo.as_ref().is_some_and(|l| *l > IBig::ZERO)
            || divisor.range.hi.as_ref().is_some_and(|h| *h < IBig::ZERO)
        {
            return other;
        }
        let none = self.terms.int(0);
        let is_zero = self.terms.eq(divisor.term, none);
        Out { term: self.terms.ite(is_zero, by_zero.term, other.term), range: by_zero.range.hull(&other.range) }
    }

    // Shifts and bits

    /// `None` if there are too many distances to tell apart.
    pub(super) fn shift(&mut self, op: Op, w: u32, x: &Out, by: &Out) -> Option<Out> {
        let by = self.unsigned(w, by);
        let base = match op {
            Op::BvShl => x.clone(),
            Op::BvLshr => self.unsigned(w, x),
            _ => self.signed(w, x),
        };
        let at = |s: &mut Self, distance: u32| match op {
            Op::BvShl if distance >= w => s.numeral(IBig::ZERO),
            Op::BvShl => {
                let scaled = s.scale(&base, &power(distance));
                s.capped(w, scaled)
            }
            _ => s.floor_div(&base, &power(distance.min(w))),
        };
        let (lo, hi) = by.range.bounds()?;
        let (lo, hi) = (u32::try_from(lo).unwrap_or(w).min(w), u32::try_from(hi).unwrap_or(w).min(w));
        let limit = if base.range.value().is_some() { CONSTANT_DISTANCES } else { DISTANCES };
        if hi - lo > limit {
            return None;
        }
        let mut out = at(self, hi);
        for distance in (lo..hi).rev() {
            let (here, number) = (at(self, distance), self.terms.int(distance));
            let chosen = self.terms.eq(by.term, number);
            out = Out { term: self.terms.ite(chosen, here.term, out.term), range: here.range.hull(&out.range) };
        }
        Some(out)
    }

    /// `BvAnd`, `BvOr` or `BvXor`.
    pub(super) fn bitwise(&mut self, op: Op, w: u32, x: &Out, y: &Out) -> Out {
        for (x, y) in [(x, y), (y, x)] {
            if let Some(c) = y.range.value() {
                let c = c.clone();
                if let Some(both) = self.mask(w, x, &c) {
                    return self.either(op, w, x, y, both);
                }
            }
        }
        let flag = Interval::new(0, 1);
        if x.range.within(&flag) && y.range.within(&flag) {
            let one = self.terms.int(1);
            let (a, b) = (self.terms.eq(x.term, one), self.terms.eq(y.term, one));
            let c = match op {
                Op::BvAnd => self.terms.and(&[a, b]),
                Op::BvOr => self.terms.or(&[a, b]),
                _ => self.terms.ne(a, b),
            };
            let zero = self.terms.int(0);
            return Out { term: self.terms.ite(c, one, zero), range: flag };
        }
        let few = |r: &Interval| r.nonnegative() && r.hi.as_ref().is_some_and(|h| *h < power(FEW_BITS));
        if few(&x.range) || few(&y.range) || w <= FEW_BITS {
            let both = self.and_by_bits(x, y, w.min(FEW_BITS));
            return self.either(op, w, x, y, both);
        }
        self.conversions += 1;
        let (a, b) = (self.terms.mk(Op::IntToBv(w), &[x.term]), self.terms.mk(Op::IntToBv(w), &[y.term]));
        let term = self.terms.mk(op, &[a, b]);
        Out { term: self.terms.mk(Op::BvToNat, &[term]), range: window(w, false) }
    }

    /// The bits of either, or of one of two numbers, from those of both.
    pub(super) fn either(&mut self, op: Op, w: u32, x: &Out, y: &Out, both: Out) -> Out {
        match op {
            Op::BvAnd => both,
            _ => {
                let times = if op == Op::BvOr { 1 } else { 2 };
                let (sum, both) = (self.add(x, y), self.scale(&both, &IBig::from(times)));
                let mut out = self.sub(&sum, &both);
                if let (true, true, Some(a), Some(b)) =
                    (x.range.nonnegative(), y.range.nonnegative(), &x.range.hi, &y.range.hi)
                    && *a.max(b) < power(w)
                {
                    let bits = (0..w).find(|&k| *a.max(b) < power(k)).unwrap_or(w);
                    out.range = out.range.meet(&Interval::new(0, power(bits) - IBig::ONE));
                }
                out
            }
        }
    }

    pub(super) fn and_by_bits(&mut self, x: &Out, y: &Out, bits: u32) -> Out {
        let mut sum = self.numeral(IBig::ZERO);
        for i in 0..bits {
            let (a, b) = (self.field(x, i, 1), self.field(y, i, 1));
            let (one, zero) = (self.terms.int(1), self.terms.int(0));
            let (a, b) = (self.terms.eq(a.term, one), self.terms.eq(b.term, one));
            let both = self.terms.and(&[a, b]);
            let bit = Out { term: self.terms.ite(both, one, zero), range: Interval::new(0, 1) };
            let bit = self.scale(&bit, &power(i));
            sum = self.add(&sum, &bit);
        }
        sum
    }

    /// `len` bits from bit `lo` on, as a number.
    pub(super) fn field(&mut self, x: &Out, lo: u32, len: u32) -> Out {
        let shifted = self.floor_div(x, &power(lo));
        self.remainder(&shifted, &power(len))
    }

    /// The bits of a number that a constant has, too; `None` if the constant has too many runs of ones.
    pub(super) fn mask(&mut self, w: u32, x: &Out, c: &IBig) -> Option<Out> {
        let c = c.clone() & (power(w) - IBig::ONE);
        let (ones, zeros) = (runs(w, &c), runs(w, &(power(w) - IBig::ONE - &c)));
        let inverse = zeros.len() < ones.len();
        let taken = if inverse { zeros } else { ones };
        if taken.len() > RUNS {
            return None;
        }
        let mut sum = self.numeral(IBig::ZERO);
        for (lo, len) in taken {
            // The highest bits need not be cut off: they make a multiple of 2^w.
            let bits = if lo + len == w && !x.range.nonnegative() {
                self.floor_div(x, &power(lo))
            } else {
                self.field(x, lo, len)
            };
            let part = self.scale(&bits, &power(lo));
            sum = self.add(&sum, &part);
        }
        Some(if inverse { self.sub(x, &sum) } else { sum })
    }
}

/// The runs of ones: first bit and length.
fn runs(w: u32, c: &IBig) -> Vec<(u32, u32)> {
    let bit = |i: u32| (c >> i as usize) & IBig::ONE == IBig::ONE;
    let mut found: Vec<(u32, u32)> = Vec::new();
    for i in (0..w).filter(|&i| bit(i)) {
        match found.last_mut() {
            Some((lo, len)) if *lo + *len == i => *len += 1,
            _ => found.push((i, 1)),
        }
    }
    found
}
