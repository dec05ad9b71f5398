//! Concrete values: what terms evaluate to, what the interpreter computes with and what the
//! simplifier folds.
//!
//! What always holds: two values of one sort are equal exactly if `==` says so (there is one NaN,
//! arrays are canonical), and no operation recurses over the depth of a value of a recursive
//! datatype.

mod array;
mod bitvec;
mod convert;
mod data;
mod display;
mod domain;

use std::sync::Arc;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

pub use array::ArrayValue;
pub use bitvec::BitVec;
pub use data::Data;
pub use display::ValueDisplay;
pub use domain::Domain;

pub use crate::float::Float;
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
    Data(Arc<Data>),
}

/// Arrays inside datatypes inside arrays …: deeper than this is not computed, so that dropping and
/// comparing, which do recurse over arrays, stay within any stack. (Datatypes alone may be deep.)
pub(crate) const MAX_ARRAY_NESTING: u32 = 200;

impl Value {
    /// An integer.
    pub fn int(v: impl Into<IBig>) -> Value {
        Value::Int(v.into())
    }

    /// A real number.
    pub fn real(v: impl Into<RBig>) -> Value {
        Value::Real(v.into())
    }

    /// A bit-vector, modulo `2^width`.
    pub fn bv(width: u32, v: impl Into<UBig>) -> Value {
        Value::BitVec(BitVec::new(width, v.into()))
    }

    /// A constructor applied to values of its fields' sorts.
    pub fn data(ctor: CtorId, fields: Vec<Value>) -> Value {
        Value::Data(Arc::new(Data::new(ctor, fields)))
    }

    /// An array.
    pub fn array(a: ArrayValue) -> Value {
        Value::Array(Arc::new(a))
    }

    /// The Boolean that this is.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The integer that this is.
    pub fn as_int(&self) -> Option<&IBig> {
        match self {
            Value::Int(i) => Some(i),
            _ => None,
        }
    }

    /// The bit-vector that this is.
    pub fn as_bv(&self) -> Option<&BitVec> {
        match self {
            Value::BitVec(b) => Some(b),
            _ => None,
        }
    }

    /// The array that this is.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(a) => Some(a),
            _ => None,
        }
    }

    /// How deep arrays are nested in this value (0: none).
    pub(crate) fn array_nesting(&self) -> u32 {
        match self {
            Value::Array(a) => a.nesting(),
            Value::Data(d) => d.nesting(),
            _ => 0,
        }
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}
