//! IEEE 754 binary floating point of any format, computed exactly and rounded once.
//!
//! A finite number is decoded to `(-1)^neg * mant * 2^exp` with big integers; every operation finds
//! the exact result (or enough bits of it and whether more follow) and [`Float::round`] turns it
//! back. Formats beyond [`MAX_EXP`] or [`MAX_SIG`] are not computed with ([`Float::small`]): their
//! exact results may have astronomically many digits. Operations on bits alone work for all.

use std::cmp::Ordering;

use dashu_base::{BitTest, DivRem, Sign, SquareRootRem};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::op::RoundingMode;

/// A floating-point value as its IEEE interchange pattern; there is one NaN (quiet, positive,
/// payload zero).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Float {
    pub(crate) exp: u32,
    pub(crate) sig: u32,
    pub(crate) bits: UBig,
}

/// Largest exponent width that is computed with.
const MAX_EXP: u32 = 20;
/// Largest significand width that is computed with.
const MAX_SIG: u32 = 1 << 16;

/// What a float is, decoded.
#[derive(Clone, Debug)]
enum Class {
    Nan,
    Inf(bool),
    Zero(bool),
    Finite(Finite),
}

/// `(-1)^neg * mant * 2^exp`, not zero.
#[derive(Clone, Debug)]
struct Finite {
    neg: bool,
    mant: UBig,
    exp: i64,
}

impl Float {
    /// The float with this interchange pattern; every NaN pattern gives the one NaN.
    /// Bits beyond the format's width are dropped.
    pub fn from_bits(exp: u32, sig: u32, mut bits: UBig) -> Float {
        if bits.bit_len() > (exp + sig) as usize {
            bits.clear_high_bits((exp + sig) as usize);
        }
        let f = Float { exp, sig, bits };
        if f.is_nan() { Float::nan(exp, sig) } else { f }
    }

    /// Not a number.
    pub fn nan(exp: u32, sig: u32) -> Float {
        Float { exp, sig, bits: UBig::ones(exp as usize + 1) << (sig as usize - 2) }
    }

    /// An infinity.
    pub fn infinity(exp: u32, sig: u32, neg: bool) -> Float {
        Float { exp, sig, bits: UBig::ones(exp as usize) << (sig as usize - 1) }.with_sign(neg)
    }

    /// A zero.
    pub fn zero(exp: u32, sig: u32, neg: bool) -> Float {
        Float { exp, sig, bits: UBig::ZERO }.with_sign(neg)
    }

    fn largest(exp: u32, sig: u32, neg: bool) -> Float {
        let bits = (UBig::ones(exp as usize) << (sig as usize - 1)) - UBig::ONE;
        Float { exp, sig, bits }.with_sign(neg)
    }

    fn with_sign(mut self, neg: bool) -> Float {
        let top = self.sign_position();
        if neg {
            self.bits.set_bit(top);
        } else {
            self.bits.clear_bit(top);
        }
        self
    }

    fn sign_position(&self) -> usize {
        (self.exp + self.sig) as usize - 1
    }

    /// Exponent bits.
    pub fn exp(&self) -> u32 {
        self.exp
    }

    /// Significand bits, hidden bit included.
    pub fn sig(&self) -> u32 {
        self.sig
    }

    /// The interchange pattern.
    pub fn bits(&self) -> &UBig {
        &self.bits
    }

    /// Is the format small enough for exact computation?
    pub(crate) fn small(exp: u32, sig: u32) -> bool {
        exp <= MAX_EXP && sig <= MAX_SIG
    }

    fn sign(&self) -> bool {
        self.bits.bit(self.sign_position())
    }

    fn magnitude(&self) -> UBig {
        let mut m = self.bits.clone();
        m.clear_bit(self.sign_position());
        m
    }

    fn biased(&self) -> UBig {
        self.magnitude() >> (self.sig as usize - 1)
    }

    fn fraction(&self) -> UBig {
        let mut f = self.bits.clone();
        f.clear_high_bits(self.sig as usize - 1);
        f
    }

    fn exponent_is_ones(&self) -> bool {
        self.biased().trailing_ones() == Some(self.exp as usize)
    }

    /// Is this not a number?
    pub fn is_nan(&self) -> bool {
        self.exponent_is_ones() && !self.fraction().is_zero()
    }

    /// Is this an infinity?
    pub fn is_infinite(&self) -> bool {
        self.exponent_is_ones() && self.fraction().is_zero()
    }

    /// Is this a zero?
    pub fn is_zero(&self) -> bool {
        self.magnitude().is_zero()
    }

    /// Is this a subnormal number (not zero)?
    pub fn is_subnormal(&self) -> bool {
        self.biased().is_zero() && !self.fraction().is_zero()
    }

    /// Is this a normal number?
    pub fn is_normal(&self) -> bool {
        !self.biased().is_zero() && !self.exponent_is_ones()
    }

    /// Is the sign bit set (and this not NaN)?
    pub fn is_negative(&self) -> bool {
        self.sign() && !self.is_nan()
    }

    /// Is the sign bit clear (and this not NaN)?
    pub fn is_positive(&self) -> bool {
        !self.sign() && !self.is_nan()
    }

    pub(crate) fn neg(&self) -> Float {
        if self.is_nan() { self.clone() } else { self.clone().with_sign(!self.sign()) }
    }

    pub(crate) fn abs(&self) -> Float {
        if self.is_nan() { self.clone() } else { self.clone().with_sign(false) }
    }

    /// IEEE comparison: `None` if one is NaN; the zeros are equal.
    pub(crate) fn compare(&self, other: &Float) -> Option<Ordering> {
        if self.is_nan() || other.is_nan() {
            return None;
        }
        if self.is_zero() && other.is_zero() {
            return Some(Ordering::Equal);
        }
        Some(match (self.sign(), other.sign()) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.magnitude().cmp(&other.magnitude()),
            (true, true) => other.magnitude().cmp(&self.magnitude()),
        })
    }

    /// The lesser (or the greater); `None` for zeros of different sign, where either may be meant.
    pub(crate) fn min_max(&self, other: &Float, want: Ordering) -> Option<Float> {
        if self.is_zero() && other.is_zero() && self.sign() != other.sign() {
            return None;
        }
        Some(match self.compare(other) {
            None if self.is_nan() => other.clone(),
            Some(o) if o != want && o.is_ne() => other.clone(),
            _ => self.clone(),
        })
    }

    /// Decodes; the format must be [`Float::small`].
    fn class(&self) -> Class {
        if self.is_nan() {
            return Class::Nan;
        }
        let neg = self.sign();
        if self.is_infinite() {
            return Class::Inf(neg);
        }
        let bias = (1i64 << (self.exp - 1)) - 1;
        let biased = i64::try_from(&self.biased()).unwrap_or(0);
        let mut mant = self.fraction();
        if biased > 0 {
            mant.set_bit(self.sig as usize - 1);
        }
        if mant.is_zero() {
            return Class::Zero(neg);
        }
        let exp = biased.max(1) - bias - (i64::from(self.sig) - 1);
        Class::Finite(Finite { neg, mant, exp })
    }

    /// The float nearest to `(-1)^neg * (mant + tail) * 2^exp`, where `0 < tail < 1` if `sticky` (and
    /// zero otherwise). With `sticky`, `mant` must have at least two bits more than the format.
    fn round(format: (u32, u32), mode: RoundingMode, v: Finite, sticky: bool) -> Float {
        let (e, p) = format;
        let emax = (1i64 << (e - 1)) - 1;
        let emin = 1 - emax;
        let top = v.exp + v.mant.bit_len() as i64 - 1;
        // The exponent of the last place, subnormals included.
        let last = top.max(emin) - (i64::from(p) - 1);
        let (mut n, mut last) = (round_at(mode, v.neg, v.mant, last - v.exp, sticky), last);
        if n.bit_len() > p as usize {
            n >>= 1usize;
            last += 1;
        }
        if n.bit_len() < p as usize {
            return Float { exp: e, sig: p, bits: n }.with_sign(v.neg); // subnormal or zero
        }
        let exponent = last + i64::from(p) - 1;
        if exponent > emax {
            let to_infinity = match mode {
                RoundingMode::Rne | RoundingMode::Rna => true,
                RoundingMode::Rtp => !v.neg,
                RoundingMode::Rtn => v.neg,
                RoundingMode::Rtz => false,
            };
            return if to_infinity { Float::infinity(e, p, v.neg) } else { Float::largest(e, p, v.neg) };
        }
        n.clear_bit(p as usize - 1);
        let biased = UBig::from((exponent + emax) as u64) << (p as usize - 1);
        Float { exp: e, sig: p, bits: biased | n }.with_sign(v.neg)
    }

    fn format(&self) -> (u32, u32) {
        (self.exp, self.sig)
    }

    fn nan_like(&self) -> Float {
        Float::nan(self.exp, self.sig)
    }

    /// The sign of a sum that is exactly zero, of summands of different sign.
    fn zero_sum(format: (u32, u32), mode: RoundingMode) -> Float {
        Float::zero(format.0, format.1, mode == RoundingMode::Rtn)
    }

    pub(crate) fn add(&self, mode: RoundingMode, other: &Float) -> Float {
        Float::sum(self.format(), mode, self.class(), other.class())
    }

    fn sum(format: (u32, u32), mode: RoundingMode, a: Class, b: Class) -> Float {
        let (e, s) = format;
        match (a, b) {
            (Class::Nan, _) | (_, Class::Nan) => Float::nan(e, s),
            (Class::Inf(a), Class::Inf(b)) if a != b => Float::nan(e, s),
            (Class::Inf(neg), _) | (_, Class::Inf(neg)) => Float::infinity(e, s, neg),
            (Class::Zero(a), Class::Zero(b)) if a == b => Float::zero(e, s, a),
            (Class::Zero(_), Class::Zero(_)) => Float::zero_sum(format, mode),
            (Class::Zero(_), Class::Finite(v)) | (Class::Finite(v), Class::Zero(_)) => {
                Float::round(format, mode, v, false)
            }
            (Class::Finite(a), Class::Finite(b)) => {
                let exp = a.exp.min(b.exp);
                let sum = a.aligned(exp) + b.aligned(exp);
                if sum.is_zero() {
                    return Float::zero_sum(format, mode);
                }
                let (sign, mant) = sum.into_parts();
                Float::round(format, mode, Finite { neg: sign == Sign::Negative, mant, exp }, false)
            }
        }
    }

    pub(crate) fn mul(&self, mode: RoundingMode, other: &Float) -> Float {
        match product(self.class(), other.class()) {
            Class::Nan => self.nan_like(),
            Class::Inf(neg) => Float::infinity(self.exp, self.sig, neg),
            Class::Zero(neg) => Float::zero(self.exp, self.sig, neg),
            Class::Finite(v) => Float::round(self.format(), mode, v, false),
        }
    }

    /// `self * y + z`, rounded once.
    pub(crate) fn fma(&self, mode: RoundingMode, y: &Float, z: &Float) -> Float {
        Float::sum(self.format(), mode, product(self.class(), y.class()), z.class())
    }

    pub(crate) fn div(&self, mode: RoundingMode, other: &Float) -> Float {
        let (e, s) = self.format();
        match (self.class(), other.class()) {
            (Class::Nan, _) | (_, Class::Nan) | (Class::Inf(_), Class::Inf(_)) | (Class::Zero(_), Class::Zero(_)) => {
                self.nan_like()
            }
            (Class::Inf(a), b) => Float::infinity(e, s, a != b.neg()),
            (a, Class::Inf(b)) => Float::zero(e, s, a.neg() != b),
            (Class::Zero(a), b) => Float::zero(e, s, a != b.neg()),
            (a, Class::Zero(b)) => Float::infinity(e, s, a.neg() != b),
            (Class::Finite(a), Class::Finite(b)) => {
                Float::quotient((e, s), mode, a.neg != b.neg, a.mant, &b.mant, a.exp - b.exp)
            }
        }
    }

    /// `(-1)^neg * num / den * 2^exp`, rounded; neither is zero.
    fn quotient(format: (u32, u32), mode: RoundingMode, neg: bool, num: UBig, den: &UBig, exp: i64) -> Float {
        let up = (format.1 as usize + 3 + den.bit_len()).saturating_sub(num.bit_len());
        let (q, r) = (num << up).div_rem(den);
        Float::round(format, mode, Finite { neg, mant: q, exp: exp - up as i64 }, !r.is_zero())
    }

    pub(crate) fn sqrt(&self, mode: RoundingMode) -> Float {
        match self.class() {
            Class::Nan => self.nan_like(),
            Class::Zero(_) | Class::Inf(false) => self.clone(),
            Class::Inf(true) | Class::Finite(Finite { neg: true, .. }) => self.nan_like(),
            Class::Finite(v) => {
                let mut up = (2 * (self.sig as usize + 3)).saturating_sub(v.mant.bit_len());
                if (v.exp - up as i64) % 2 != 0 {
                    up += 1;
                }
                let (root, rest) = (v.mant << up).sqrt_rem();
                let exp = (v.exp - up as i64) / 2;
                Float::round(self.format(), mode, Finite { neg: false, mant: root, exp }, !rest.is_zero())
            }
        }
    }

    /// IEEE remainder: `self - other * n` with `n` the integer nearest to the quotient, ties to even.
    pub(crate) fn rem(&self, other: &Float) -> Float {
        let (a, b) = match (self.class(), other.class()) {
            (Class::Nan | Class::Inf(_), _) | (_, Class::Nan | Class::Zero(_)) => return self.nan_like(),
            (Class::Zero(_), _) | (_, Class::Inf(_)) => return self.clone(),
            (Class::Finite(a), Class::Finite(b)) => (a, b),
        };
        let exp = a.exp.min(b.exp);
        let (x, y) = (a.mant << (a.exp - exp) as usize, b.mant << (b.exp - exp) as usize);
        let (n, r) = x.div_rem(&y);
        let twice = &r << 1usize;
        let (neg, mant) = match twice.cmp(&y) {
            Ordering::Less => (a.neg, r),
            Ordering::Equal if !n.bit(0) => (a.neg, r),
            _ => (!a.neg, y - r),
        };
        if mant.is_zero() {
            return Float::zero(self.exp, self.sig, a.neg);
        }
        Float::round(self.format(), RoundingMode::Rne, Finite { neg, mant, exp }, false)
    }

    pub(crate) fn round_to_integral(&self, mode: RoundingMode) -> Float {
        match self.class() {
            Class::Finite(v) if v.exp < 0 => {
                let neg = v.neg;
                let mant = round_at(mode, neg, v.mant, -v.exp, false);
                if mant.is_zero() {
                    return Float::zero(self.exp, self.sig, neg);
                }
                Float::round(self.format(), mode, Finite { neg, mant, exp: 0 }, false)
            }
            _ => self.clone(),
        }
    }

    /// The integer that this rounds to; `None` for infinities and NaN.
    pub(crate) fn to_integer(&self, mode: RoundingMode) -> Option<IBig> {
        match self.class() {
            Class::Nan | Class::Inf(_) => None,
            Class::Zero(_) => Some(IBig::ZERO),
            Class::Finite(v) => {
                let mant = round_at(mode, v.neg, v.mant, -v.exp, false);
                Some(IBig::from_parts(if v.neg { Sign::Negative } else { Sign::Positive }, mant))
            }
        }
    }

    /// The number that this is; `None` for infinities and NaN.
    pub(crate) fn to_real(&self) -> Option<RBig> {
        match self.class() {
            Class::Nan | Class::Inf(_) => None,
            Class::Zero(_) => Some(RBig::ZERO),
            Class::Finite(v) => {
                let num = IBig::from_parts(if v.neg { Sign::Negative } else { Sign::Positive }, v.mant);
                Some(if v.exp >= 0 {
                    RBig::from(num << v.exp as usize)
                } else {
                    RBig::from_parts(num, UBig::ONE << v.exp.unsigned_abs() as usize)
                })
            }
        }
    }

    /// In another format.
    pub(crate) fn convert(&self, exp: u32, sig: u32, mode: RoundingMode) -> Float {
        match self.class() {
            Class::Nan => Float::nan(exp, sig),
            Class::Inf(neg) => Float::infinity(exp, sig, neg),
            Class::Zero(neg) => Float::zero(exp, sig, neg),
            Class::Finite(v) => Float::round((exp, sig), mode, v, false),
        }
    }

    pub(crate) fn from_real(exp: u32, sig: u32, mode: RoundingMode, v: &RBig) -> Float {
        let (sign, num) = v.numerator().clone().into_parts();
        if num.is_zero() {
            return Float::zero(exp, sig, false);
        }
        Float::quotient((exp, sig), mode, sign == Sign::Negative, num, v.denominator(), 0)
    }

    pub(crate) fn from_integer(exp: u32, sig: u32, mode: RoundingMode, v: IBig) -> Float {
        let (sign, mant) = v.into_parts();
        if mant.is_zero() {
            return Float::zero(exp, sig, false);
        }
        Float::round((exp, sig), mode, Finite { neg: sign == Sign::Negative, mant, exp: 0 }, false)
    }
}

impl Class {
    /// The sign bit (of NaN: any).
    fn neg(&self) -> bool {
        match self {
            Class::Nan => false,
            Class::Inf(neg) | Class::Zero(neg) => *neg,
            Class::Finite(v) => v.neg,
        }
    }
}

impl Finite {
    /// The signed mantissa for the exponent `exp`, which is not above this one's.
    fn aligned(self, exp: i64) -> IBig {
        let sign = if self.neg { Sign::Negative } else { Sign::Positive };
        IBig::from_parts(sign, self.mant << (self.exp - exp) as usize)
    }
}

fn product(a: Class, b: Class) -> Class {
    let neg = a.neg() != b.neg();
    match (a, b) {
        (Class::Nan, _) | (_, Class::Nan) => Class::Nan,
        (Class::Inf(_), Class::Zero(_)) | (Class::Zero(_), Class::Inf(_)) => Class::Nan,
        (Class::Inf(_), _) | (_, Class::Inf(_)) => Class::Inf(neg),
        (Class::Zero(_), _) | (_, Class::Zero(_)) => Class::Zero(neg),
        (Class::Finite(a), Class::Finite(b)) => {
            Class::Finite(Finite { neg, mant: a.mant * b.mant, exp: a.exp + b.exp })
        }
    }
}

/// `(mant + tail) / 2^shift` as an integer, rounded; `0 < tail < 1` if `sticky`.
fn round_at(mode: RoundingMode, neg: bool, mant: UBig, shift: i64, sticky: bool) -> UBig {
    if shift <= 0 {
        return mant << shift.unsigned_abs() as usize;
    }
    let shift = usize::try_from(shift).unwrap_or(usize::MAX);
    let (half, rest) = if shift > mant.bit_len() {
        (false, true)
    } else {
        let low_zeros = mant.trailing_zeros().unwrap_or(0);
        (mant.bit(shift - 1), sticky || low_zeros < shift - 1)
    };
    let n = mant >> shift.min(1 << 40);
    let up = match mode {
        RoundingMode::Rne => half && (rest || n.bit(0)),
        RoundingMode::Rna => half,
        RoundingMode::Rtp => !neg && (half || rest),
        RoundingMode::Rtn => neg && (half || rest),
        RoundingMode::Rtz => false,
    };
    if up { n + UBig::ONE } else { n }
}
