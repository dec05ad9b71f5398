//! Which objects a pointer may point to, and how their memory is laid out in variables and maps.
//!
//! A unification-based points-to analysis over the whole module. Every pointer value (also an
//! integer that came from a pointer) has a *target*: a *group* of objects and an offset in them.
//! Groups that may overlap are unified. Within a group offsets are counted modulo the group's
//! `modulus`: 0 while all offsets are exact; the common divisor of all strides and differences once
//! they are not, so that an array of structures keeps its fields apart. Objects of one group need
//! not lie over each other with their first bytes: each has its `start` in the group.
//!
//! The accesses of a group fall into *cells*: classes of byte ranges that may overlap. Accesses in
//! different cells never touch the same byte, so each cell has its own variable or map.

mod addresses;
mod arguments;
mod cells;
mod constraints;
mod layout;
mod lifetimes;
mod objects;
mod unify;

use lariat_term::ids;
use rustc_hash::FxHashMap;

use crate::module::{ConstId, FuncId, GlobalId, InstId, Module, Operand, TypeId, TypeKind};
pub use arguments::{Convention, Variable};
use constraints::Constraints;
use layout::Layout;
pub(crate) use lifetimes::{SlotScope, slot_scopes};
pub(crate) use objects::{repeated_blocks, successors};
pub(crate) use unify::reduce;

ids! {
    /// A place of the program that makes objects.
    SiteId;
    /// A group of objects that pointers do not tell apart.
    GroupId;
    /// A part of the memory of a group.
    CellId;
}

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
    /// Memory that comes from outside: `argv`, what undefined functions return, and what their
    /// memory and that of undefined globals points to. There is one such site for each group that
    /// such memory may be in.
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
    /// The offset in the group of their first byte, modulo the group's modulus; 0 if they are alone.
    pub start: i64,
    /// At any time at most one of them is alive, so a constant can name it: globals, functions,
    /// stack slots (also hidden copies and variable arguments) that are made once in each activation
    /// of a function that is not recursive, and heap objects that are made once in a run. Where lifetimes are told apart,
    /// no pointer outlives one of them.
    pub single: bool,
    /// A stack slot that only its own function's loads, stores and block operations use, directly or
    /// through constant and variable offsets: its address is never stored, passed (but `byval`),
    /// returned, compared or converted. It is alone in its group, and made once in an activation. Each instance of the function then has its own variables for it, recursive or not.
    pub local: bool,
}

/// A group of objects.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Where its objects come from.
    pub sites: Vec<SiteId>,
    /// Its cells, by ascending offset.
    pub cells: Vec<CellId>,
    /// Offsets are known modulo this; 0: exactly; 1: not at all.
    pub modulus: u64,
    /// Its objects may change by other means than accesses: undefined functions, inline assembly and the like.
    pub escaped: bool,
    /// What its memory leads to, where undefined functions or inline assembly may change memory.
    pub stored: Vec<Stored>,
}

/// An address that is stored in the memory of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stored {
    /// Its offset in the group, modulo the group's modulus.
    pub offset: i64,
    /// In how many bytes it is stored: those of a pointer, or others that it is made of or part of.
    pub bytes: u64,
    /// What it points to.
    pub target: Target,
}

/// A part of the memory of a group that accesses outside it never touch.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The group.
    pub group: GroupId,
    /// The offset of its first byte in the group, modulo the group's modulus.
    pub offset: i64,
    /// How many bytes it spans (one period of it, if the modulus is not 0; it may reach beyond the
    /// modulus and around to offset 0).
    pub bytes: u64,
    /// What is stored in it.
    pub content: Content,
    /// How it is represented.
    pub place: Representation,
    /// It may change: an access writes it, or an undefined function or inline assembly may.
    pub written: bool,
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
pub enum Representation {
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
    /// The offset in the group, modulo the group's modulus.
    pub offset: i64,
}

/// What is around a module.
#[derive(Clone, Copy, Default, Debug)]
pub struct Outside<'a> {
    /// Functions that are called from outside: their arguments come from there. So do those of `main`, and of
    /// functions that nobody calls.
    pub entries: &'a [FuncId],
    /// The functions without a body (by index) that may change whatever they are given.
    pub changing: &'a [bool],
}

/// A vector of strings that `main` is given: the arguments, or the environment.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// The number of the parameter.
    pub parameter: usize,
    /// The group of the vector of pointers.
    pub vector: GroupId,
    /// The groups of the strings that these lead to.
    pub strings: Vec<GroupId>,
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
    /// How variable arguments are passed.
    pub convention: Convention,
    site_of: FxHashMap<Maker, SiteId>,
    /// By function: the targets of its parameters, then of its instructions.
    targets: Vec<Vec<Option<Target>>>,
    parameters: Vec<usize>,
    constants: FxHashMap<ConstId, Target>,
    /// By function, like `targets`: what the addresses that a value may carry are aligned to; 0 if it carries none.
    addresses: Vec<Vec<u32>>,
    constant_addresses: FxHashMap<ConstId, u32>,
    /// By function: the values that may be parts of addresses. Empty if there are none.
    parts: Vec<Vec<bool>>,
    /// By function: the values that may be numbers computed from bits of addresses.
    derived: Vec<Vec<bool>>,
    /// By function: the values that may be integers that no address flows to and that become pointers. Empty if there are none.
    wild: Vec<Vec<bool>>,
    /// The vectors of strings that `main` is given and uses.
    pub arguments: Vec<Arguments>,
    /// Some pointers come from outside.
    pub outside: bool,
    callees: FxHashMap<(FuncId, InstId), Vec<FuncId>>,
    misfits: FxHashMap<(FuncId, InstId), Vec<FuncId>>,
}

impl Memory {
    /// Analyses a module. Only functions that `reachable` says (by index) can run are looked at; functions without a
    /// body change nothing.
    pub fn new(module: &Module, reachable: &[bool]) -> Memory {
        Memory::with_outside(module, reachable, Outside::default(), false)
    }

    /// The same for a module with such surroundings. With `lifetimes`, the objects of a stack slot are told apart if a
    /// pointer may outlive one of them; otherwise a pointer to one that is gone may lead to the next.
    pub fn with_outside(module: &Module, reachable: &[bool], outside: Outside<'_>, lifetimes: bool) -> Memory {
        let mut constraints = Constraints::new(module, reachable, outside);
        loop {
            constraints.settle();
            let mut layout = Layout::new(&mut constraints);
            match layout.spread(module, &mut constraints) {
                Ok(()) => return layout.finish(module, constraints, lifetimes),
                Err(node) => constraints.collapse(node),
            }
        }
    }

    /// The site of a global, a function, a stack slot or an allocating call; `None` if nothing that
    /// runs mentions it.
    pub fn site(&self, maker: Maker) -> Option<SiteId> {
        self.site_of.get(&maker).copied()
    }

    /// Where the objects of a site start.
    pub fn start(&self, site: SiteId) -> Target {
        let site = &self.sites[site.index()];
        Target { group: site.group, offset: site.start }
    }

    /// What an operand of a function points to, if it is a pointer (or an integer that carries one)
    /// through which memory is accessed. Pointers that are only passed about, compared or freed may
    /// have no target.
    pub fn target(&self, function: FuncId, operand: Operand) -> Option<Target> {
        let f = function.index();
        match operand {
            Operand::None => None,
            Operand::Const(c) => self.constants.get(&c).copied(),
            Operand::Param(k) => self.targets.get(f)?.get(k as usize).copied().flatten(),
            Operand::Inst(i) => self.targets.get(f)?.get(self.parameters[f] + i.index()).copied().flatten(),
        }
    }

    /// If an operand may carry the address of an object (as a pointer, an integer or a part of one): what all
    /// objects that it may lead to are aligned to. `None` if it is a plain number, or null.
    pub fn address(&self, function: FuncId, operand: Operand) -> Option<u32> {
        let f = function.index();
        let align = match operand {
            Operand::None => None,
            Operand::Const(c) => self.constant_addresses.get(&c),
            Operand::Param(k) => self.addresses.get(f).and_then(|a| a.get(k as usize)),
            Operand::Inst(i) => self.addresses.get(f).and_then(|a| a.get(self.parameters[f] + i.index())),
        };
        align.copied().filter(|&align| align != 0)
    }

    /// Whether a value may be a number that was computed from the bits of an address.
    pub fn derived(&self, function: FuncId, operand: Operand) -> bool {
        self.holds(&self.derived, function, operand)
    }

    /// Whether a value may be a part of an address as memory holds it, or be made of such parts.
    pub fn part(&self, function: FuncId, operand: Operand) -> bool {
        self.holds(&self.parts, function, operand)
    }

    /// Whether a value may be an integer that no address flows to, and that is used as a pointer.
    pub fn wild(&self, function: FuncId, operand: Operand) -> bool {
        self.holds(&self.wild, function, operand)
    }

    fn holds(&self, values: &[Vec<bool>], function: FuncId, operand: Operand) -> bool {
        let f = function.index();
        let index = match operand {
            Operand::None | Operand::Const(_) => return false,
            Operand::Param(k) => k as usize,
            Operand::Inst(i) => self.parameters[f] + i.index(),
        };
        values.get(f).and_then(|d| d.get(index)).copied().unwrap_or(false)
    }

    /// The cells that an access of `bytes` bytes at a target touches: exactly one for a load or store
    /// that the analysis has seen; all that overlap for block operations such as `memcpy`
    /// (`bytes` = `None`: an unknown number, all cells of the group).
    pub fn cells(&self, target: Target, bytes: Option<u64>) -> Vec<CellId> {
        let group = &self.groups[target.group.index()];
        let Some(bytes) = bytes else { return group.cells.clone() };
        let offset = reduce(target.offset, group.modulus);
        let touches = |c: &Cell| {
            let after = reduce(c.offset.wrapping_sub(offset), group.modulus);
            let before = reduce(offset.wrapping_sub(c.offset), group.modulus);
            after >= 0 && (after as u64) < bytes || before >= 0 && (before as u64) < c.bytes
        };
        if group.modulus != 0 {
            return group.cells.iter().copied().filter(|c| touches(&self.cells[c.index()])).collect();
        }
        // Cells are disjoint and ascending, so those that overlap are neighbours.
        let end = |c: &CellId| {
            let cell = &self.cells[c.index()];
            cell.offset.saturating_add_unsigned(cell.bytes)
        };
        let first = group.cells.partition_point(|c| end(c) <= offset);
        group.cells[first..].iter().copied().take_while(|c| touches(&self.cells[c.index()])).collect()
    }

    /// The functions that an indirect call may call.
    pub fn callees(&self, function: FuncId, call: InstId) -> &[FuncId] {
        self.callees.get(&(function, call)).map_or(&[], Vec::as_slice)
    }

    /// The functions that the pointer of an indirect call may point to, but that take fewer or more arguments than
    /// the call passes.
    pub fn misfits(&self, function: FuncId, call: InstId) -> &[FuncId] {
        self.misfits.get(&(function, call)).map_or(&[], Vec::as_slice)
    }
}

/// The scalar values (integers, floats, pointers) that a load or store of a type reads or writes,
/// with the byte at which each starts. `None` if there are too many, or the type is none that can be
/// loaded.
pub fn leaves(module: &Module, ty: TypeId) -> Option<Vec<(u64, TypeId)>> {
    const MOST: usize = 1 << 12;
    let mut found = Vec::new();
    let mut stack = vec![(0, ty)];
    while let Some((offset, ty)) = stack.pop() {
        match &module.ty(ty).kind {
            TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Ptr => found.push((offset, ty)),
            TypeKind::Array(e, n) | TypeKind::Vector(e, n) => {
                if *n > MOST as u64 {
                    return None;
                }
                stack.extend((0..*n).rev().map(|k| (offset + k * module.ty(*e).size, *e)));
            }
            TypeKind::Struct(members) => stack.extend(members.iter().rev().map(|m| (offset + m.1, m.0))),
            TypeKind::Void | TypeKind::Function(..) | TypeKind::Other(_) => return None,
        }
        if found.len() + stack.len() > MOST {
            return None;
        }
    }
    Some(found)
}
