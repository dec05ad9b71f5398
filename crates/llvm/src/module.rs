//! An LLVM module as plain data: all that the later stages need, and nothing of LLVM's own objects.
//!
//! No optimisation has run: variables of C are still stack slots, and the only phis are those that
//! clang makes for `&&`, `||` and `?:`. Layout facts (sizes, offsets) are LLVM's own.

use lariat_term::ids;

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

/// A value that an instruction uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// What an instruction of the same function computed.
    Inst(InstId),
    /// A parameter of the function.
    Param(u32),
    /// A constant.
    Const(ConstId),
    /// Metadata or another thing that is no value.
    None,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// What it does.
    pub kind: InstKind,
    /// The type of its result (`Void` if it has none).
    pub ty: TypeId,
    /// Where it stands in the source.
    pub loc: Loc,
}

/// The instructions.
#[derive(Clone, Debug)]
pub enum InstKind {
    /// Integer arithmetic, element by element on vectors.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// Left side.
        lhs: Operand,
        /// Right side.
        rhs: Operand,
        /// Signed overflow is undefined (so the source has a signed operation).
        nsw: bool,
        /// Unsigned overflow is undefined.
        nuw: bool,
        /// A remainder is undefined.
        exact: bool,
    },
    /// Floating-point arithmetic.
    FloatBinary {
        /// The operation.
        op: FloatOp,
        /// Left side.
        lhs: Operand,
        /// Right side.
        rhs: Operand,
    },
    /// Changes the sign of a float.
    FloatNeg(Operand),
    /// Compares integers or pointers.
    IntCompare {
        /// The comparison.
        op: IntPredicate,
        /// Left side.
        lhs: Operand,
        /// Right side.
        rhs: Operand,
    },
    /// Compares floats.
    FloatCompare {
        /// The comparison.
        op: FloatPredicate,
        /// Left side.
        lhs: Operand,
        /// Right side.
        rhs: Operand,
    },
    /// Converts to the type of the instruction.
    Cast {
        /// How.
        op: CastOp,
        /// What.
        value: Operand,
    },
    /// `cond ? yes : no`, element by element if the condition is a vector.
    Select {
        /// The condition.
        cond: Operand,
        /// Taken if it holds.
        yes: Operand,
        /// Taken if it does not.
        no: Operand,
    },
    /// The value that belongs to the block that control came from.
    Phi(Vec<(BlockId, Operand)>),
    /// A new object on the stack: `count` elements of type `ty`.
    Alloca {
        /// The element type.
        ty: TypeId,
        /// How many.
        count: Operand,
        /// Its alignment in bytes.
        align: u32,
    },
    /// Reads a value of the instruction's type.
    Load {
        /// Where.
        ptr: Operand,
        /// May change by itself.
        volatile: bool,
        /// Is atomic.
        atomic: bool,
        /// The alignment in bytes that it relies on.
        align: u32,
    },
    /// Writes a value.
    Store {
        /// Where.
        ptr: Operand,
        /// What.
        value: Operand,
        /// The type of the value.
        ty: TypeId,
        /// May be seen from outside.
        volatile: bool,
        /// Is atomic.
        atomic: bool,
        /// The alignment in bytes that it relies on.
        align: u32,
    },
    /// Computes an address.
    Gep(Gep<Operand>),
    /// Calls a function.
    Call {
        /// Whom.
        callee: Callee,
        /// The arguments.
        args: Vec<Operand>,
        /// The types of the arguments.
        arg_types: Vec<TypeId>,
        /// For arguments passed `byval`: the type of the hidden copy. For places that inline assembly is given: the
        /// type of what is there.
        byval: Vec<Option<TypeId>>,
        /// The alignments that are asked for (`align`); 0 where none is.
        aligns: Vec<u32>,
        /// The function type that the call assumes.
        ty: TypeId,
    },
    /// A member of an aggregate.
    ExtractValue {
        /// The aggregate.
        value: Operand,
        /// Its type.
        ty: TypeId,
        /// The path to the member.
        path: Vec<u32>,
    },
    /// An aggregate with a member replaced.
    InsertValue {
        /// The aggregate.
        value: Operand,
        /// The new member.
        member: Operand,
        /// The path to the member.
        path: Vec<u32>,
    },
    /// An element of a vector.
    ExtractElement {
        /// The vector.
        vector: Operand,
        /// Its type.
        ty: TypeId,
        /// Which.
        index: Operand,
    },
    /// A vector with an element replaced.
    InsertElement {
        /// The vector.
        vector: Operand,
        /// The new element.
        element: Operand,
        /// Which.
        index: Operand,
    },
    /// Elements of two vectors in a new order; `None` is undefined.
    ShuffleVector {
        /// First vector.
        first: Operand,
        /// Second vector.
        second: Operand,
        /// The type of both.
        ty: TypeId,
        /// Positions in the concatenation of both.
        mask: Vec<Option<u32>>,
    },
    /// Fixes an undefined value to one value.
    Freeze(Operand),
    /// The next variable argument.
    VaArg(Operand),
    /// Atomic read-modify-write, by the operation's name (`add`, `xchg`, …).
    AtomicUpdate {
        /// The operation.
        op: String,
        /// Where.
        ptr: Operand,
        /// The operand.
        value: Operand,
    },
    /// Atomic compare-and-exchange; yields the old value and whether it was stored.
    CompareExchange {
        /// Where.
        ptr: Operand,
        /// Expected.
        expected: Operand,
        /// New.
        new: Operand,
    },
    /// A memory fence.
    Fence,
    /// A variable of the source has this value (or lives at this address) from here on.
    DebugValue {
        /// The variable.
        var: DebugVarId,
        /// Its value or its address; `Operand::None` if unknown.
        value: Operand,
        /// The operand is the address of the variable (`llvm.dbg.declare`).
        address: bool,
    },
    /// Control goes on there.
    Jump(BlockId),
    /// Control goes on at one of two blocks.
    Branch {
        /// The condition.
        cond: Operand,
        /// Taken if it holds.
        yes: BlockId,
        /// Taken if it does not.
        no: BlockId,
    },
    /// Control goes on where the value says.
    Switch {
        /// The value.
        value: Operand,
        /// Constants and their blocks.
        cases: Vec<(ConstId, BlockId)>,
        /// For all other values.
        default: BlockId,
    },
    /// Jumps to a computed label, one of these.
    IndirectJump {
        /// The address.
        address: Operand,
        /// Where it may lead.
        targets: Vec<BlockId>,
    },
    /// Returns, with a value or without (`Operand::None`).
    Return(Operand),
    /// Never reached, or undefined if it is.
    Unreachable,
    /// Anything else (exceptions, exotic calls), by its opcode's name; if `targets` is not empty or
    /// it ends a block, it is a terminator.
    Unsupported {
        /// The name of the opcode.
        opcode: String,
        /// Where control may go on.
        targets: Vec<BlockId>,
    },
}

/// Whom a call calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function of the module (an intrinsic too).
    Function(FuncId),
    /// Whatever a pointer points to.
    Pointer(Operand),
    /// Inline assembly: its text and constraints.
    Asm(String, String),
}

/// Integer operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

/// Floating-point operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    /// C's `fmod`: the sign of the left side, truncating.
    Rem,
}

/// Comparisons of integers and pointers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum IntPredicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

impl IntPredicate {
    /// The same order of signed numbers.
    pub fn signed(self) -> IntPredicate {
        match self {
            IntPredicate::Ugt => IntPredicate::Sgt,
            IntPredicate::Uge => IntPredicate::Sge,
            IntPredicate::Ult => IntPredicate::Slt,
            IntPredicate::Ule => IntPredicate::Sle,
            other => other,
        }
    }
}

/// Comparisons of floats: whether each of the four outcomes makes it true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FloatPredicate {
    /// True if equal.
    pub equal: bool,
    /// True if greater.
    pub greater: bool,
    /// True if less.
    pub less: bool,
    /// True if one is NaN.
    pub unordered: bool,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    FpTrunc,
    FpExt,
    PtrToInt,
    IntToPtr,
    Bitcast,
    AddrSpace,
}

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

impl Module {
    /// Whether a block of the source lies in another one, or is it.
    pub fn is_within(&self, mut inner: ScopeId, outer: ScopeId) -> bool {
        // The outer blocks of a block have smaller numbers.
        while inner > outer {
            inner = self.scopes[inner.0 as usize - 1];
        }
        inner == outer
    }

    /// The innermost block of the source that two others lie in.
    pub fn common_scope(&self, mut a: ScopeId, mut b: ScopeId) -> ScopeId {
        while a != b {
            let outer = if a > b { &mut a } else { &mut b };
            *outer = self.scopes[outer.0 as usize - 1];
        }
        a
    }

    /// The size of the largest object: what a difference of two pointers can express. An allocation beyond it does
    /// not succeed, as with the C libraries of the platforms.
    pub fn largest_object(&self) -> u64 {
        (1 << (self.pointer_bits - 1)) - 1
    }

    /// The size of a global variable; `None` if it is declared without one (`extern int a[];`) and defined elsewhere.
    pub fn global_size(&self, global: GlobalId) -> Option<u64> {
        let global = &self.globals[global.index()];
        let size = self.ty(global.ty).size;
        (size > 0 || global.init.is_some()).then_some(size)
    }

    /// A type.
    pub fn ty(&self, t: TypeId) -> &Type {
        &self.types[t.index()]
    }

    /// A constant.
    pub fn constant(&self, c: ConstId) -> &Const {
        &self.constants[c.index()]
    }

    /// The function of this name, defined or declared.
    pub fn function(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().position(|f| f.name == name).map(|i| FuncId(i as u32))
    }
}

impl Module {
    /// The text that an operand points to, if it is a constant.
    pub fn literal(&self, operand: Operand) -> Option<&[u8]> {
        let Operand::Const(c) = operand else { return None };
        let Const::Global(g) = self.constant(c) else { return None };
        let global = &self.globals[g.index()];
        match self.constant(global.init.filter(|_| global.constant)?) {
            Const::Bytes(_, text) => Some(text),
            _ => None,
        }
    }

    /// Whether an operand points to a constant string.
    pub fn is_literal(&self, operand: Operand) -> bool {
        self.literal(operand).is_some_and(|text| text.contains(&0))
    }

    /// Weak references to what neither a file nor the library defines become null: calls of such a function are calls
    /// through the null pointer. The library has `provided` functions (by index), and variables.
    pub fn resolve_weak(&mut self, provided: &[bool], variable: impl Fn(&str) -> bool) {
        let (functions, globals) = (&self.functions, &self.globals);
        let no_function = |f: &FuncId| {
            let function = &functions[f.index()];
            function.weak && !function.is_defined() && !provided[f.index()]
        };
        let missing = |c: &Const| match c {
            Const::Function(f) => no_function(f),
            Const::Global(g) => {
                let g = &globals[g.index()];
                g.weak && g.init.is_none() && !variable(&g.name)
            }
            _ => false,
        };
        self.constants.iter_mut().filter(|c| missing(c)).for_each(|c| *c = Const::Null);
        let gone: Vec<bool> = (0..functions.len() as u32).map(|f| no_function(&FuncId(f))).collect();
        if !gone.contains(&true) {
            return;
        }
        let null = ConstId(self.constants.len() as u32);
        self.constants.push(Const::Null);
        for inst in self.functions.iter_mut().flat_map(|f| &mut f.insts) {
            if let InstKind::Call { callee, .. } = &mut inst.kind
                && matches!(callee, Callee::Function(f) if gone[f.index()])
            {
                *callee = Callee::Pointer(Operand::Const(null));
            }
        }
    }
}

impl Function {
    /// Whether a stack slot is one that each activation has from its start. What the source itself allocates
    /// (`alloca`, variable-length arrays) has a place there.
    pub fn is_entry_slot(&self, slot: InstId) -> bool {
        let at_entry = self.blocks.first().is_some_and(|entry| entry.insts.contains(&slot.0));
        at_entry && self.inst(slot).loc.line == 0
    }

    /// Has a body?
    pub fn is_defined(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// An instruction.
    pub fn inst(&self, i: InstId) -> &Inst {
        &self.insts[i.index()]
    }

    /// The instructions of a block, in order.
    pub fn block_insts(&self, b: BlockId) -> impl Iterator<Item = (InstId, &Inst)> + '_ {
        self.blocks[b.index()].insts.clone().map(|i| (InstId(i), &self.insts[i as usize]))
    }
}

/// Walks over the values that an instruction uses, to read or to replace them.
macro_rules! walk_operands {
    ($kind:expr, $f:expr) => {
        match $kind {
            InstKind::Binary { lhs, rhs, .. }
            | InstKind::FloatBinary { lhs, rhs, .. }
            | InstKind::IntCompare { lhs, rhs, .. }
            | InstKind::FloatCompare { lhs, rhs, .. } => [lhs, rhs].into_iter().for_each($f),
            InstKind::FloatNeg(value)
            | InstKind::Cast { value, .. }
            | InstKind::Freeze(value)
            | InstKind::VaArg(value)
            | InstKind::ExtractValue { value, .. }
            | InstKind::DebugValue { value, .. }
            | InstKind::Switch { value, .. }
            | InstKind::Return(value) => $f(value),
            InstKind::Select { cond, yes, no } => [cond, yes, no].into_iter().for_each($f),
            InstKind::Phi(incoming) => incoming.into_iter().for_each(|(_, operand)| $f(operand)),
            InstKind::Alloca { count, .. } => $f(count),
            InstKind::Load { ptr, .. } => $f(ptr),
            InstKind::Store { ptr, value, .. } | InstKind::AtomicUpdate { ptr, value, .. } => {
                [ptr, value].into_iter().for_each($f);
            }
            InstKind::Gep(Gep { base, terms, .. }) => {
                $f(base);
                terms.into_iter().for_each(|(index, _)| $f(index));
            }
            InstKind::Call { callee, args, .. } => {
                if let Callee::Pointer(pointer) = callee {
                    $f(pointer);
                }
                args.into_iter().for_each($f);
            }
            InstKind::InsertValue { value, member, .. } => [value, member].into_iter().for_each($f),
            InstKind::ExtractElement { vector, index, .. } => [vector, index].into_iter().for_each($f),
            InstKind::InsertElement { vector, element, index } => [vector, element, index].into_iter().for_each($f),
            InstKind::ShuffleVector { first, second, .. } => [first, second].into_iter().for_each($f),
            InstKind::CompareExchange { ptr, expected, new } => [ptr, expected, new].into_iter().for_each($f),
            InstKind::Branch { cond, .. } => $f(cond),
            InstKind::IndirectJump { address, .. } => $f(address),
            InstKind::Fence | InstKind::Jump(_) | InstKind::Unreachable | InstKind::Unsupported { .. } => {}
        }
    };
}

impl InstKind {
    /// Calls `f` for each value that the instruction uses.
    pub fn operands(&self, f: &mut dyn FnMut(Operand)) {
        let mut each = |operand: &Operand| f(*operand);
        walk_operands!(self, &mut each);
    }

    /// Calls `f` for each value that the instruction uses, to replace it.
    pub fn operands_mut(&mut self, f: &mut dyn FnMut(&mut Operand)) {
        walk_operands!(self, &mut *f);
    }

    /// Where control may go on after it, if it ends a block.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            InstKind::Jump(to) => vec![*to],
            InstKind::Branch { yes, no, .. } => vec![*yes, *no],
            InstKind::Switch { cases, default, .. } => {
                cases.iter().map(|(_, to)| *to).chain(std::iter::once(*default)).collect()
            }
            InstKind::IndirectJump { targets, .. } | InstKind::Unsupported { targets, .. } => targets.clone(),
            _ => Vec::new(),
        }
    }
}
