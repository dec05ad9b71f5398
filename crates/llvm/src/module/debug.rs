//! Variables and types of the source, as the debug information describes them.

use super::{DebugTypeId, Loc};

/// A variable of the source.
#[derive(Clone, Debug)]
pub struct DebugVar {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Option<DebugTypeId>,
    /// Where it is declared.
    pub loc: Loc,
    /// It is a parameter.
    pub parameter: bool,
}

/// A type of the source.
#[derive(Clone, Debug)]
pub struct DebugType {
    /// Its name (a typedef's own), possibly empty.
    pub name: String,
    /// What it is.
    pub kind: DebugTypeKind,
    /// Its size in bits.
    pub bits: u64,
}

/// The kinds of source type.
#[derive(Clone, Debug)]
pub enum DebugTypeKind {
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A character, signed or not.
    Char {
        /// Is it signed?
        signed: bool,
    },
    /// A Boolean.
    Bool,
    /// A floating-point number.
    Float,
    /// A pointer.
    Pointer(Option<DebugTypeId>),
    /// A typedef or a qualified type.
    Alias(Option<DebugTypeId>),
    /// A structure.
    Struct(Vec<Member>),
    /// A union.
    Union(Vec<Member>),
    /// An array and its number of elements, if known.
    Array(Option<DebugTypeId>, Option<u64>),
    /// An enumeration: names and values.
    Enum(Vec<(String, i64)>),
    /// A function and the type of its result, unless that is void.
    Function(Option<DebugTypeId>),
    /// Anything else.
    Other,
}

/// A member of a structure or union of the source.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its type.
    pub ty: Option<DebugTypeId>,
    /// The bit at which it starts.
    pub start: u64,
    /// Its size in bits: that of its type, but for bit-fields.
    pub bits: u64,
}
