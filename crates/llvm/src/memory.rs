//! Which objects a pointer may point to, and how their memory is laid out in variables and maps.
//!
//! A unification-based points-to analysis over the whole module, in one pass. Every pointer value
//! (also an integer that came from a pointer) has a *target*: a *group* of objects and an offset in
//! them. Groups that may overlap are unified. Within a group offsets are counted modulo the group's
//! `modulus`: 0 while all offsets are exact; the common divisor of all strides and differences once
//! they are not, so that an array of structures keeps its fields apart.
//!
//! The accesses of a group fall into *cells*: classes of byte ranges that may overlap. Accesses in
//! different cells never touch the same byte, so each cell has its own variable or map.

use crate::module::{FuncId, GlobalId, InstId, Module, Operand, TypeId};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in its vector.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A place of the program that makes objects.
    SiteId
);
id!(
    /// A group of objects that pointers do not tell apart.
    GroupId
);
id!(
    /// A part of the memory of a group.
    CellId
);

/// What makes objects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Maker {
    /// A global variable.
    Global(GlobalId),
    /// A function (as the target of a function pointer).
    Function(FuncId),
    /// A stack slot.
    Alloca(FuncId, InstId),
    /// The hidden copy of a `byval` parameter, made at each call.
    Copy(FuncId, u32),
    /// A call of an allocating function.
    Heap(FuncId, InstId),
    /// The variable arguments of a call of this function.
    VarArgs(FuncId),
    /// Memory that comes from outside: `argv`, what undefined functions return, undefined globals.
    Outside,
}

/// A maker of objects and what is known of them.
#[derive(Clone, Debug)]
pub struct Site {
    /// What makes them.
    pub maker: Maker,
    /// Their size in bytes, if it is always the same.
    pub size: Option<u64>,
    /// Their group.
    pub group: GroupId,
    /// At any time at most one of them is alive, so a constant can name it: globals, functions, and
    /// stack slots in the entry block of functions that are not recursive.
    pub single: bool,
    /// A stack slot that only its own function's loads and stores use, directly or through constant
    /// and variable offsets: its address is never stored, passed, returned, compared or converted.
    /// Each instance of the function then has its own variables for it, recursive or not.
    pub local: bool,
}

/// A group of objects.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Where its objects come from.
    pub sites: Vec<SiteId>,
    /// Its cells.
    pub cells: Vec<CellId>,
    /// Offsets are known modulo this; 0: exactly; 1: not at all.
    pub modulus: u64,
}

/// A part of the memory of a group that accesses outside it never touch.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The group.
    pub group: GroupId,
    /// The byte offset of its first byte, modulo the group's modulus.
    pub offset: u64,
    /// How many bytes it spans (one period of it, if the modulus is not 0).
    pub bytes: u64,
    /// What is stored in it.
    pub content: Content,
    /// How it is represented.
    pub place: Place,
    /// No access writes it after its initialisation (a constant table or string literal).
    pub constant: bool,
}

/// What a cell stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// All accesses read or write one whole value of this type (an integer, float or pointer).
    Value(TypeId),
    /// Accesses differ; all start at multiples of so many bytes (within the object) and are so many
    /// bytes long, or a multiple: memory is a sequence of integers of that size.
    Units(u32),
}

/// How a cell is represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// One object (the site is `single` or `local`) at exact offsets: one variable for a value, one
    /// variable for each unit.
    Scalar(SiteId),
    /// One object (the site is `single` or `local`): one map from byte offsets to values.
    Object(SiteId),
    /// Many objects: a map from objects to maps from byte offsets to values.
    Map,
}

/// What a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The group.
    pub group: GroupId,
    /// The offset in the objects, modulo the group's modulus.
    pub offset: u64,
}

/// The result of the analysis.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// What makes objects.
    pub sites: Vec<Site>,
    /// Groups of objects.
    pub groups: Vec<Group>,
    /// Parts of groups.
    pub cells: Vec<Cell>,
}

impl Memory {
    /// Analyses a module. Only functions that `reachable` says (by index) can run are looked at.
    pub fn new(module: &Module, reachable: &[bool]) -> Memory {
        let _ = (module, reachable);
        unimplemented!("written by its own author")
    }

    /// The site of a global, a function, a stack slot or an allocating call.
    pub fn site(&self, maker: Maker) -> Option<SiteId> {
        self.sites.iter().position(|s| s.maker == maker).map(|i| SiteId(i as u32))
    }

    /// What an operand of a function points to, if it is a pointer (or an integer that carries one)
    /// that may point to anything.
    pub fn target(&self, function: FuncId, operand: Operand) -> Option<Target> {
        let _ = (function, operand);
        unimplemented!("written by its own author")
    }

    /// The cells that an access of `bytes` bytes at a target touches: exactly one for a load or store
    /// that the analysis has seen; all that overlap for block operations such as `memcpy`
    /// (`bytes` = `None`: an unknown number, all cells of the group).
    pub fn cells(&self, target: Target, bytes: Option<u64>) -> Vec<CellId> {
        let _ = (target, bytes);
        unimplemented!("written by its own author")
    }

    /// The functions that an indirect call may call.
    pub fn callees(&self, function: FuncId, call: InstId) -> &[FuncId] {
        let _ = (function, call);
        unimplemented!("written by its own author")
    }
}
