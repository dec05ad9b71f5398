//! Sorts, interned in the [`Terms`](crate::Terms) store: equal sorts have equal ids.

use crate::store::Symbol;

/// An interned sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Sort(pub(crate) u32);

impl Sort {
    /// The Booleans.
    pub const BOOL: Sort = Sort(0);
    /// The mathematical integers.
    pub const INT: Sort = Sort(1);
    /// The real numbers.
    pub const REAL: Sort = Sort(2);
    /// The five IEEE rounding modes.
    pub const ROUNDING_MODE: Sort = Sort(3);

    /// The position of this sort in its store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a sort is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SortKind {
    /// The Booleans.
    Bool,
    /// The mathematical integers.
    Int,
    /// The real numbers.
    Real,
    /// The five IEEE rounding modes.
    RoundingMode,
    /// Bit-vectors of a width of at least one.
    BitVec(u32),
    /// IEEE binary floating point: exponent bits, and significand bits with the hidden one.
    Float {
        /// Exponent bits (8 for single precision).
        exp: u32,
        /// Significand bits, hidden bit included (24 for single precision).
        sig: u32,
    },
    /// Total maps from an index sort to an element sort (SMT arrays; lambdas have this sort too).
    Array(Sort, Sort),
    /// A sort about which nothing is known but that it is not empty.
    Uninterpreted(Symbol),
    /// A solver's own sort that Lariat passes through by its SMT-LIB text, such as `(Seq Int)`.
    Builtin(Symbol),
    /// An algebraic datatype.
    Datatype(DatatypeId),
}

/// A declared algebraic datatype.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DatatypeId(pub(crate) u32);

/// A constructor of a datatype.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CtorId(pub(crate) u32);

/// A named field of a constructor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The selector's name.
    pub name: Symbol,
    /// The field's sort.
    pub sort: Sort,
}

/// Why an operator cannot be applied to some arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortError(pub String);

impl std::fmt::Display for SortError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SortError {}
