//! Concrete values: what terms evaluate to, what the interpreter computes with and what the
//! simplifier folds. Two values of one sort are equal exactly if `==` says so.

use std::{collections::BTreeMap, sync::Arc};

use dashu_base::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::{
    op::RoundingMode,
    sort::{CtorId, Sort},
};

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A Boolean.
    Bool(bool),
    /// An integer.
    Int(IBig),
    /// A rational number (all the reals that are ever computed).
    Real(RBig),
    /// A rounding mode.
    RoundingMode(RoundingMode),
    /// A bit-vector.
    BitVec(BitVec),
    /// A floating-point number.
    Float(Float),
    /// An array.
    Array(Arc<ArrayValue>),
    /// The n-th element of an uninterpreted sort.
    Elem(Sort, u32),
    /// A constructor applied to values.
    Data(CtorId, Arc<[Value]>),
}

/// A bit-vector value; `bits` is always below `2^width`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BitVec {
    pub(crate) width: u32,
    pub(crate) bits: UBig,
}

/// A floating-point value as its IEEE interchange pattern; there is one NaN (quiet, positive,
/// payload zero).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Float {
    pub(crate) exp: u32,
    pub(crate) sig: u32,
    pub(crate) bits: UBig,
}

/// An array value: finitely many exceptions to a default. Canonical: no entry maps to the default.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayValue {
    /// The array sort.
    pub sort: Sort,
    /// The element at every index without an entry.
    pub default: Value,
    /// The exceptions.
    pub entries: BTreeMap<Value, Value>,
}

impl BitVec {
    /// The bit-vector of this width with the value modulo `2^width`.
    pub fn new(width: u32, bits: UBig) -> BitVec {
        let bits =
            if bits.bit_len() > width as usize { bits & ((UBig::ONE << width as usize) - UBig::ONE) } else { bits };
        BitVec { width, bits }
    }

    /// The width in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned value.
    pub fn bits(&self) -> &UBig {
        &self.bits
    }
}

impl Float {
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
}
