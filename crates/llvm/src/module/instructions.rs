//! Instructions and their operands.

use super::{BlockId, ConstId, DebugVarId, FuncId, Gep, InstId, Loc, TypeId};

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
        /// The difference of two pointers in the source, in bytes.
        distance: bool,
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
