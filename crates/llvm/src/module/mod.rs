//! An LLVM module as plain data: all that the later stages need, and nothing of LLVM's own objects.
//!
//! No optimisation has run: variables of C are still stack slots, and the only phis are those that
//! clang makes for `&&`, `||` and `?:`. Layout facts (sizes, offsets) are LLVM's own.

mod debug;
mod instructions;
mod walk;

use lariat_term::ids;

pub use debug::{DebugType, DebugTypeKind, DebugVar, Member};
pub use instructions::{BinaryOp, Callee, CastOp, FloatOp, FloatPredicate, Inst, InstKind, IntPredicate, Operand};

ids! {
    /// A type of a module.
    TypeId;
    /// A constant of a module.
    ConstId;
    /// A global variable of a module.
    GlobalId;
    /// A function of a module, defined or only declared.
    FuncId;
    /// A block of a function.
    BlockId;
    /// An instruction of a function.
    InstId;
    /// A variable of the source, as the debug information describes it.
    DebugVarId;
    /// A type of the source, as the debug information describes it.
    DebugTypeId;
}

/// A block of the source in which variables are declared; 0 is the outermost one of a function, or nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ScopeId(pub u32);

impl ScopeId {
    /// The outermost block of a function.
    pub const NONE: ScopeId = ScopeId(0);
}

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Names of source files.
    pub files: Vec<String>,
    /// The width of a pointer in bits: 32 or 64.
    pub pointer_bits: u32,
    /// All types that occur, each once.
    pub types: Vec<Type>,
    /// All constants that occur.
    pub constants: Vec<Const>,
    /// Global variables.
    pub globals: Vec<Global>,
    /// Functions; intrinsics (`llvm.…`) among them.
    pub functions: Vec<Function>,
    /// Variables of the source.
    pub debug_vars: Vec<DebugVar>,
    /// Types of the source.
    pub debug_types: Vec<DebugType>,
    /// The block around each block of the source (the first is number 1).
    pub scopes: Vec<ScopeId>,
    /// Functions with a constant whose computation was undefined, where nothing here shows it.
    pub undefined_constants: Vec<FuncId>,
    /// The program can tell floats with different bit patterns apart that are the same number: NaNs (see `floats`).
    pub float_bits: bool,
    /// What runs before the entry, in this order.
    pub constructors: Vec<FuncId>,
    /// What runs when the program ends, in this order.
    pub destructors: Vec<FuncId>,
    /// What happens at the start and has no form here, in words.
    pub unreadable: Vec<String>,
    /// Functions that do something else than what stands here: what has no form here, in words.
    pub unreadable_functions: Vec<(FuncId, String)>,
}

/// A type with its layout in memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// How many bytes one value takes in an array (the distance of neighbours); 0 if it has no size.
    pub size: u64,
    /// How many bytes a store of it writes.
    pub store_size: u64,
    /// The alignment in bytes.
    pub align: u32,
}

/// The kinds of type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// No value.
    Void,
    /// An integer of so many bits.
    Int(u32),
    /// A floating-point number.
    Float(FloatKind),
    /// A pointer.
    Ptr,
    /// An array.
    Array(TypeId, u64),
    /// A vector of fixed length.
    Vector(TypeId, u64),
    /// A structure: its members and the byte at which each starts.
    Struct(Vec<(TypeId, u64)>),
    /// A function: result, parameters, and whether more arguments may follow.
    Function(TypeId, Vec<TypeId>, bool),
    /// Anything else (metadata, labels, tokens, scalable vectors, opaque structures), by its name.
    Other(String),
}

/// The floating-point formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatKind {
    Half,
    BFloat,
    Single,
    Double,
    X86Extended,
    Quad,
    /// A pair of doubles; has no IEEE semantics.
    PpcPair,
}

/// A constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Const {
    /// An integer, as little-endian 64-bit words; its type is an `Int`.
    Int(TypeId, Vec<u64>),
    /// A floating-point number by its bit pattern, as little-endian 64-bit words.
    Float(TypeId, Vec<u64>),
    /// The null pointer.
    Null,
    /// Zero of any type (`zeroinitializer`).
    Zero(TypeId),
    /// `undef`, or a `poison` that is no integer: the part of an aggregate that is not there yet.
    Undef(TypeId),
    /// `poison` in the place of an integer: what the compiler makes of `1 / 0` and `1 << 32`.
    Poison(TypeId),
    /// An array, vector or structure, member by member.
    Aggregate(TypeId, Vec<ConstId>),
    /// An array of bytes (an array of `i8`), such as a string literal.
    Bytes(TypeId, Vec<u8>),
    /// The address of a global variable.
    Global(GlobalId),
    /// The address of a function.
    Function(FuncId),
    /// The address of a label (`&&label`).
    Label(FuncId, BlockId),
    /// An address computed from another one.
    Gep(Gep<ConstId>),
    /// A conversion.
    Cast(CastOp, ConstId, TypeId),
    /// An integer operation.
    Binary(BinaryOp, ConstId, ConstId),
    /// Anything else, by its text.
    Other(TypeId, String),
}

/// An address: `base + offset + Σ index·scale`, indices sign-extended (or cut) to the pointer's width.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Gep<V> {
    /// The address it starts from.
    pub base: V,
    /// Constant bytes to add.
    pub offset: i64,
    /// What else to add: an index and how many bytes one of it is.
    pub terms: Vec<(V, i64)>,
    /// Leaving the object is undefined.
    pub inbounds: bool,
    /// The type whose elements are indexed, as written (for fields and array bounds).
    pub element: TypeId,
    /// Per index as written: the array length that it must stay below, if it selects an element of
    /// an array with a known length (`a[i]`); in the order of `terms`.
    pub lengths: Vec<Option<u64>>,
    /// Whether one of the constant indices, which are part of `offset`, is outside of its array.
    pub overrun: Overrun,
    /// The part of an object that the address lies in, as far as the types say so.
    pub within: Within,
}

/// The part of an object that an address lies in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Within {
    /// That of the address it is computed from.
    Base,
    /// None with an end of its own: all of the object.
    Object,
    /// An array, or a single character.
    Part {
        /// The innermost array.
        inner: Part,
        /// The outermost array of arrays, if it is one.
        outer: Option<Part>,
    },
}

/// An array, seen from an address in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    /// Its size in bytes.
    pub bytes: u64,
    /// Constant bytes from its start to the address.
    pub offset: i64,
    /// The last so many terms of the address count from its start, too.
    pub terms: usize,
}

/// Where an index is outside of its array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Overrun {
    /// It is not.
    #[default]
    None,
    /// Just past the end: a valid address, but nothing to access.
    End,
    /// Elsewhere.
    Beyond,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// The symbol.
    pub name: String,
    /// The type of its content.
    pub ty: TypeId,
    /// Its content at the start; `None` if it is defined elsewhere.
    pub init: Option<ConstId>,
    /// Never written.
    pub constant: bool,
    /// The alignment in bytes.
    pub align: u32,
    /// Each thread has its own.
    pub thread_local: bool,
    /// Its address is null if no file defines it.
    pub weak: bool,
    /// The variable of the source, if it is one (string literals are not).
    pub debug: Option<DebugVarId>,
    /// May share its address with another constant (`unnamed_addr`): a string literal.
    pub unnamed: bool,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The symbol.
    pub name: String,
    /// Its name in the source: the symbol, unless several files have a `static` function of this name.
    pub source: String,
    /// Its type, a `Function`.
    pub ty: TypeId,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Has variable arguments.
    pub varargs: bool,
    /// The blocks, the entry first; none if the function is only declared.
    pub blocks: Vec<Block>,
    /// All instructions; blocks refer to them.
    pub insts: Vec<Inst>,
    /// Where it starts.
    pub loc: Loc,
    /// What it returns, says the source; `None` if that is not known, or nothing.
    pub result: Option<DebugTypeId>,
    /// Never returns, says its declaration.
    pub noreturn: bool,
    /// Its address is null if no file defines it.
    pub weak: bool,
    /// Never returns a value that is undefined (`noundef`); a structure in registers may have undefined parts.
    pub result_defined: bool,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its type.
    pub ty: TypeId,
    /// Passed by a hidden copy (`byval`): the type of the copy.
    pub byval: Option<TypeId>,
    /// The alignment that is asked for (`align`); 0 if none is.
    pub align: u32,
    /// Points to where the caller wants the result (`sret`): the type of the result.
    pub sret: Option<TypeId>,
    /// The name in the IR, possibly empty.
    pub name: String,
    /// Extended with its sign (`signext`); only for display.
    pub signed: bool,
    /// Is never undefined (`noundef`); a structure in registers may have undefined parts.
    pub defined: bool,
}

/// A straight piece of code.
#[derive(Clone, Debug)]
pub struct Block {
    /// The label, possibly empty.
    pub label: String,
    /// The C label that starts here (from the debug information), such as `ERROR`.
    pub source_label: Option<String>,
    /// The block of the source that the label stands in.
    pub label_scope: ScopeId,
    /// Its instructions: a range of the function's `insts`, terminator last.
    pub insts: std::ops::Range<u32>,
}

/// A position in the source; line 0 means "nowhere".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Loc {
    /// Index into the module's files.
    pub file: u32,
    /// Line, from one.
    pub line: u32,
    /// Column, from one.
    pub column: u32,
    /// The block of the source around it.
    pub scope: ScopeId,
}
