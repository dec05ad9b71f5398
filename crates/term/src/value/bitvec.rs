//! Bit-vector values of any width, with SMT-LIB's operations.

use dashu_base::{BitTest, DivRem, Sign};
use dashu_int::{IBig, UBig};

/// A bit-vector value; `bits` is always below `2^width`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BitVec {
    pub(crate) width: u32,
    pub(crate) bits: UBig,
}

impl BitVec {
    /// The bit-vector of this width with the value modulo `2^width`.
    pub fn new(width: u32, mut bits: UBig) -> BitVec {
        if bits.bit_len() > width as usize {
            bits.clear_high_bits(width as usize);
        }
        BitVec { width, bits }
    }

    /// The bit-vector of this width congruent to an integer modulo `2^width`.
    pub fn from_int(width: u32, v: IBig) -> BitVec {
        let (sign, magnitude) = v.into_parts();
        let b = BitVec::new(width, magnitude);
        if sign == Sign::Negative { b.neg() } else { b }
    }

    /// All bits set.
    pub fn ones(width: u32) -> BitVec {
        BitVec { width, bits: UBig::ones(width as usize) }
    }

    /// No bit set.
    pub fn zero(width: u32) -> BitVec {
        BitVec { width, bits: UBig::ZERO }
    }

    /// The width in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned value.
    pub fn bits(&self) -> &UBig {
        &self.bits
    }

    /// The two's complement value.
    pub fn to_signed(&self) -> IBig {
        let v = IBig::from(self.bits.clone());
        if self.sign_bit() { v - (IBig::ONE << self.width as usize) } else { v }
    }

    /// The most significant bit.
    pub fn sign_bit(&self) -> bool {
        self.bits.bit(self.width as usize - 1)
    }

    /// Is no bit set?
    pub fn is_zero(&self) -> bool {
        self.bits.is_zero()
    }

    /// Are all bits set?
    pub fn is_ones(&self) -> bool {
        self.bits.trailing_ones() == Some(self.width as usize)
    }

    pub(crate) fn concat(&self, low: &BitVec) -> BitVec {
        let bits = (&self.bits << low.width as usize) | &low.bits;
        BitVec { width: self.width + low.width, bits }
    }

    pub(crate) fn extract(&self, hi: u32, lo: u32) -> BitVec {
        BitVec::new(hi - lo + 1, &self.bits >> lo as usize)
    }

    pub(crate) fn zero_ext(&self, n: u32) -> BitVec {
        BitVec { width: self.width + n, bits: self.bits.clone() }
    }

    pub(crate) fn sign_ext(&self, n: u32) -> BitVec {
        if !self.sign_bit() {
            return self.zero_ext(n);
        }
        let high = UBig::ones(n as usize) << self.width as usize;
        BitVec { width: self.width + n, bits: high | &self.bits }
    }

    pub(crate) fn not(&self) -> BitVec {
        BitVec { width: self.width, bits: UBig::ones(self.width as usize) ^ &self.bits }
    }

    pub(crate) fn neg(&self) -> BitVec {
        if self.is_zero() {
            return self.clone();
        }
        BitVec { width: self.width, bits: (UBig::ONE << self.width as usize) - &self.bits }
    }

    pub(crate) fn and(&self, b: &BitVec) -> BitVec {
        BitVec { width: self.width, bits: &self.bits & &b.bits }
    }

    pub(crate) fn or(&self, b: &BitVec) -> BitVec {
        BitVec { width: self.width, bits: &self.bits | &b.bits }
    }

    pub(crate) fn xor(&self, b: &BitVec) -> BitVec {
        BitVec { width: self.width, bits: &self.bits ^ &b.bits }
    }

    pub(crate) fn add(&self, b: &BitVec) -> BitVec {
        BitVec::new(self.width, &self.bits + &b.bits)
    }

    pub(crate) fn mul(&self, b: &BitVec) -> BitVec {
        BitVec::new(self.width, &self.bits * &b.bits)
    }

    /// Quotient and remainder; by zero: all ones, and the dividend.
    pub(crate) fn udivrem(&self, b: &BitVec) -> (BitVec, BitVec) {
        if b.is_zero() {
            return (BitVec::ones(self.width), self.clone());
        }
        let (q, r) = (&self.bits).div_rem(&b.bits);
        (BitVec { width: self.width, bits: q }, BitVec { width: self.width, bits: r })
    }

    fn abs(&self) -> BitVec {
        if self.sign_bit() { self.neg() } else { self.clone() }
    }

    fn neg_if(self, c: bool) -> BitVec {
        if c { self.neg() } else { self }
    }

    pub(crate) fn sdiv(&self, b: &BitVec) -> BitVec {
        self.abs().udivrem(&b.abs()).0.neg_if(self.sign_bit() != b.sign_bit())
    }

    pub(crate) fn srem(&self, b: &BitVec) -> BitVec {
        self.abs().udivrem(&b.abs()).1.neg_if(self.sign_bit())
    }

    pub(crate) fn smod(&self, b: &BitVec) -> BitVec {
        let r = self.srem(b);
        if r.is_zero() || self.sign_bit() == b.sign_bit() { r } else { r.add(b) }
    }

    /// The shift distance, if it is below the width.
    fn distance(&self) -> Option<usize> {
        usize::try_from(&self.bits).ok().filter(|&d| d < self.width as usize)
    }

    pub(crate) fn shl(&self, b: &BitVec) -> BitVec {
        match b.distance() {
            Some(d) => BitVec::new(self.width, &self.bits << d),
            None => BitVec::zero(self.width),
        }
    }

    pub(crate) fn lshr(&self, b: &BitVec) -> BitVec {
        match b.distance() {
            Some(d) => BitVec { width: self.width, bits: &self.bits >> d },
            None => BitVec::zero(self.width),
        }
    }

    pub(crate) fn ashr(&self, b: &BitVec) -> BitVec {
        if self.sign_bit() { self.not().lshr(b).not() } else { self.lshr(b) }
    }

    /// Less than, as two's complement numbers.
    pub(crate) fn slt(&self, b: &BitVec) -> bool {
        match (self.sign_bit(), b.sign_bit()) {
            (true, false) => true,
            (false, true) => false,
            _ => self.bits < b.bits,
        }
    }
}
