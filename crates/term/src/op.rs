//! Operators: what a node of the term graph does with its arguments.
//!
//! The names and meanings are those of SMT-LIB 2.6 (division by zero included: `bvudiv` by zero is
//! all ones, `bvurem` by zero the first operand; integer and real division by zero are *any* value,
//! that is a fixed but unknown function of the dividend). Implication, `>=`, `bvsub` and the like
//! are not operators: the builders reduce them to the ones here.

use crate::{
    sort::{CtorId, Sort},
    store::{Func, Symbol, Var},
};

/// An interned numeral: an Int, Real, BitVec or Float value of the store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConstId(pub(crate) u32);

/// Interned binder data of a quantifier or lambda.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BinderId(pub(crate) u32);

/// What a quantifier or lambda binds. The body and the trigger terms are the node's arguments:
/// first the body, then all terms of the triggers in order.
///
/// Inside, the *last* variable is `Bound` index 0, the one before it index 1, and so on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Binder {
    /// Names (for printing only) and sorts of the bound variables, outermost first.
    pub vars: Vec<(Symbol, Sort)>,
    /// The triggers, each a group of the following arguments.
    pub triggers: Vec<Trigger>,
    /// The instantiation weight given by the user, if any.
    pub weight: Option<u32>,
}

/// One trigger of a quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Trigger {
    /// How many argument terms belong to it.
    pub len: u32,
    /// A negative trigger (`:no-pattern`); its length is one.
    pub negative: bool,
}

/// IEEE rounding modes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RoundingMode {
    /// Round to nearest, ties to even.
    Rne,
    /// Round to nearest, ties away from zero.
    Rna,
    /// Round toward positive.
    Rtp,
    /// Round toward negative.
    Rtn,
    /// Round toward zero.
    Rtz,
}

impl RoundingMode {
    /// All five, in SMT-LIB's order.
    pub const ALL: [RoundingMode; 5] =
        [RoundingMode::Rne, RoundingMode::Rna, RoundingMode::Rtp, RoundingMode::Rtn, RoundingMode::Rtz];
}

/// The operator of a term. Each fixes, with its arguments, the sort of the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // one-to-one with SMT-LIB, unless said otherwise
pub enum Op {
    // Leaves
    True,
    False,
    /// An Int, Real, BitVec or Float numeral.
    Const(ConstId),
    RoundingMode(RoundingMode),
    /// The n-th element of an uninterpreted sort; different numbers are different elements.
    Elem(Sort, u32),
    /// A free variable (a program variable, a placeholder, an assumption literal …).
    Var(Var),
    /// The de Bruijn index of a bound variable.
    Bound(u32, Sort),
    /// Application of a declared function.
    App(Func),

    // Core
    Not,
    /// At least two arguments.
    And,
    /// At least two arguments.
    Or,
    /// Two arguments of one sort (equivalence on Booleans; structural on floats: NaN = NaN, -0 ≠ +0).
    Eq,
    /// At least two arguments of one sort, pairwise different.
    Distinct,
    Ite,

    // Int and Real (both arguments of one of the two sorts)
    /// At least two arguments.
    Add,
    /// At least two arguments.
    Mul,
    /// Euclidean division of integers.
    IntDiv,
    /// Euclidean remainder (never negative).
    IntMod,
    RealDiv,
    Le,
    Lt,
    ToReal,
    /// Floor.
    ToInt,
    IsInt,
    /// `base ^ exponent` of reals or integers, evaluated for literal exponents only.
    Pow,

    // BitVec
    /// Two arguments, the first the high bits.
    Concat,
    /// Bits `hi` down to `lo`.
    Extract {
        hi: u32,
        lo: u32,
    },
    ZeroExt(u32),
    SignExt(u32),
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvSmod,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    /// Unsigned value as an integer (`bv2nat` / `ubv_to_int`).
    BvToNat,
    /// An integer modulo 2^n as a bit-vector (`int2bv` / `int_to_bv`).
    IntToBv(u32),

    // Float
    /// The float with these bits (an IEEE interchange pattern).
    FpFromBits {
        exp: u32,
        sig: u32,
    },
    /// Arguments: rounding mode, float of another format.
    FpFromFp {
        exp: u32,
        sig: u32,
    },
    /// Arguments: rounding mode, real.
    FpFromReal {
        exp: u32,
        sig: u32,
    },
    /// Arguments: rounding mode, signed bit-vector.
    FpFromSbv {
        exp: u32,
        sig: u32,
    },
    /// Arguments: rounding mode, unsigned bit-vector.
    FpFromUbv {
        exp: u32,
        sig: u32,
    },
    /// Arguments: rounding mode, float. Out of range: any value (a fixed unknown function).
    FpToUbv(u32),
    /// Arguments: rounding mode, float. Out of range: any value (a fixed unknown function).
    FpToSbv(u32),
    /// Infinities and NaN: any value (a fixed unknown function).
    FpToReal,
    /// The interchange bit pattern; NaN gives the canonical quiet NaN.
    FpToBits,
    FpAbs,
    FpNeg,
    /// Arguments: rounding mode, two floats.
    FpAdd,
    /// Arguments: rounding mode, two floats.
    FpSub,
    /// Arguments: rounding mode, two floats.
    FpMul,
    /// Arguments: rounding mode, two floats.
    FpDiv,
    /// Arguments: rounding mode, three floats: `x * y + z`, rounded once.
    FpFma,
    /// Arguments: rounding mode, float.
    FpSqrt,
    FpRem,
    /// Arguments: rounding mode, float.
    FpRoundToIntegral,
    /// Of two zeros of different sign: either (a fixed unknown function).
    FpMin,
    /// Of two zeros of different sign: either (a fixed unknown function).
    FpMax,
    FpLe,
    FpLt,
    /// IEEE equality: NaN differs from itself, the zeros are equal.
    FpEq,
    FpIsNormal,
    FpIsSubnormal,
    FpIsZero,
    FpIsInfinite,
    FpIsNan,
    FpIsNegative,
    FpIsPositive,

    // Array
    Select,
    Store,
    /// The array (of this array sort) that maps every index to the argument.
    ConstArray(Sort),

    // Datatypes
    Ctor(CtorId),
    /// Field number; applied to another constructor: any value (a fixed unknown function).
    Selector(CtorId, u32),
    /// Is the argument built by this constructor?
    Tester(CtorId),

    // Binders: the arguments are the body, then the trigger terms
    Forall(BinderId),
    Exists(BinderId),
    /// An array given by its elements; binds exactly one variable and has no triggers.
    Lambda(BinderId),
}
