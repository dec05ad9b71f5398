//! Source traces: runs of translated programs in terms of C.
//!
//! The translation leaves a [`Legend`] beside the program: what its variables and the numbers of its
//! objects stand for in the source. It is a [`Tracer`](lariat_program::Tracer), which shows a run as a reader of the source knows it:
//! calls with their arguments, assignments to variables, members and elements with values as their
//! types say, pointers with the names of their objects, and the inputs in order.

mod failure;
mod lives;
mod source_trace;
pub(crate) mod types;
mod values;

use lariat_program::{AssertId, Loc};
use lariat_term::Var;
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use failure::{Access, Check, WRITES_CONSTANT};
pub(crate) use types::{leaves, path, strip};
pub(crate) use values::literal;

use crate::module::{DebugType, DebugTypeId};

/// What the variables and objects of a translated program stand for.
#[derive(Clone, Debug, Default)]
pub struct Legend {
    /// Types of the source.
    pub(crate) types: Vec<DebugType>,
    /// The width of a pointer, and how many of its bits are the offset if it is an integer.
    pub(crate) pointer_bits: u32,
    pub(crate) offset_bits: u32,
    pub(crate) vars: FxHashMap<Var, Meaning>,
    /// Variables of the whole program.
    pub(crate) globals: FxHashSet<Var>,
    pub(crate) cells: Vec<CellLegend>,
    /// What objects can be; those that are made while the program runs refer to it.
    pub(crate) things: Vec<Thing>,
    /// Things with a constant number, by this number.
    pub(crate) objects: FxHashMap<u64, usize>,
    /// Names in the source of functions that are called otherwise here.
    pub(crate) renamed: FxHashMap<String, String>,
    /// The variable with the number of the object that is lost, where that fails.
    pub(crate) watched: Option<Var>,
    /// The maps from objects to their sizes, and to whether they are allocated blocks.
    pub(crate) sizes: Option<Var>,
    pub(crate) blocks: Option<Var>,
    /// What checks are about.
    pub(crate) checks: FxHashMap<AssertId, Check>,
}

/// What a variable of the program is.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// One of the variables of a cell, by its position there.
    Cell(usize, usize),
    /// The number of a new object.
    Made(usize),
    /// A parameter of a function, or one half of it.
    Param { name: String, ty: Option<DebugTypeId>, half: Option<Half> },
    /// The result of a function, or one half of it.
    Result { ty: Option<DebugTypeId>, half: Option<Half> },
    /// An input: how the program asks for it.
    Input { what: String, ty: Option<DebugTypeId> },
}

/// A half of a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Half {
    Object,
    Offset,
}

/// A part of memory.
#[derive(Clone, Debug)]
pub(crate) struct CellLegend {
    pub vars: Vec<Var>,
    pub place: Where,
    /// How many bytes an element (a value or a unit) has.
    pub size: u64,
    /// A sequence of integers, not values.
    pub units: bool,
}

/// Which memory a cell is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Where {
    /// Variables for the bytes of an object from an offset on.
    Scalar { object: u64, offset: u64 },
    /// A map from the offsets of an object.
    Object(u64),
    /// A map from objects and offsets.
    Map,
}

/// Something that has an address.
#[derive(Clone, Debug)]
pub(crate) struct Thing {
    /// Its name, or that of the function that allocates it, or its text.
    pub name: String,
    pub kind: ThingKind,
    /// The type of its content.
    pub ty: Option<DebugTypeId>,
    /// The function that it belongs to.
    pub function: Option<String>,
    /// Where it is declared or made.
    pub loc: Loc,
}

/// The kinds of thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ThingKind {
    Variable,
    Function,
    Literal,
    Heap,
    Other,
}

/// How the names of regions begin that only choose the function which a pointer points to.
pub(crate) const DISPATCH: &str = "dispatch@";

/// Is this a file of the models of library functions?
pub(crate) fn is_model(file: &str) -> bool {
    file.starts_with("<models>/")
}
