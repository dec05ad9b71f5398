//! The rules of the simplifier, each with a name, so that it can be counted, and proved by a solver.

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A rule of the simplifier: both sides are equal under every interpretation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Rule {
            $($(#[$doc])* $name,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &'static [Rule] = &[$(Rule::$name,)*];
        }
    };
}

rules! {
    // Any operator
    /// An operator on values is a value.
    ConstFold,
    /// The arguments of a commutative operator are sorted.
    Commute,

    // Not
    /// `not not a` is `a`.
    NotNot,
    /// `not (a <= b)` is `b < a`.
    NotLe,
    /// `not (a < b)` is `b <= a`.
    NotLt,
    /// `not (a <u b)` is `b <=u a`, and so on for the four bit-vector comparisons.
    NotBvCompare,

    // And, Or
    /// A small conjunction inside a conjunction is spliced in.
    AndFlatten,
    /// `a and true` is `a`.
    AndNeutral,
    /// `a and false` is `false`.
    AndAbsorb,
    /// `a and a` is `a`.
    AndDuplicate,
    /// `a and not a` is `false`.
    AndComplement,
    /// A small disjunction inside a disjunction is spliced in.
    OrFlatten,
    /// `a or false` is `a`.
    OrNeutral,
    /// `a or true` is `true`.
    OrAbsorb,
    /// `a or a` is `a`.
    OrDuplicate,
    /// `a or not a` is `true`.
    OrComplement,

    // Eq, Distinct
    /// `a = a` is `true`.
    EqReflexive,
    /// `a = true` is `a`.
    EqTrue,
    /// `a = false` is `not a`.
    EqFalse,
    /// `a = not a` is `false`.
    EqComplement,
    /// `not a = not b` is `a = b`.
    EqNots,
    /// Terms of different constructors are different.
    EqCtorClash,
    /// Terms of one constructor are equal if their fields are.
    EqCtor,
    /// `ite(c, v, w) = u` for values is `c`, `not c` or `false`.
    EqIteValues,
    /// `x + c = d` is `x = d - c`.
    EqOffset,
    /// `x + c = x + d` is `c = d`.
    EqSameBase,
    /// Extensions by the same number of bits are equal if what they extend is.
    EqExt,
    /// `zero_extend(x) = c` is `x = low bits of c`, or `false`.
    EqExtConst,
    /// `distinct(a, b)` is `not (a = b)`.
    DistinctTwo,
    /// `distinct` of twice the same is `false`.
    DistinctDuplicate,
    /// Three Booleans are not pairwise different.
    DistinctBool,

    // Ite
    /// The condition is decided.
    IteConst,
    /// Both branches are the same.
    IteSame,
    /// A negated condition swaps the branches.
    IteNot,
    /// A Boolean constant as a branch makes it a connective.
    IteBool,
    /// The condition as a branch is `true` there, or `false`.
    IteCond,
    /// A branch that asks the same condition again.
    IteNested,
    /// `ite(x = y, x, y)` is `y`.
    IteEq,
    /// A unary operator goes into the branches if they are values.
    IteUnary,

    // Int and Real
    /// A small sum inside a sum is spliced in.
    AddFlatten,
    /// The constants of a sum are added up.
    AddConsts,
    /// `x + 0` is `x`.
    AddZero,
    /// Multiples of the same term are added up.
    AddLike,
    /// A small product inside a product is spliced in.
    MulFlatten,
    /// The constants of a product are multiplied.
    MulConsts,
    /// `x * 0` is `0`.
    MulZero,
    /// `x * 1` is `x`.
    MulOne,
    /// `c * (x + d)` is `c * x + c * d`.
    MulOverOffset,
    /// Division by one.
    DivOne,
    /// The remainder by one is zero.
    ModOne,
    /// The same remainder twice is once.
    ModMod,
    /// Division by a constant is multiplication by its inverse.
    RealDivConst,
    /// `a <= a` is `true`.
    LeReflexive,
    /// `a < a` is `false`.
    LtIrreflexive,
    /// `x + c <= d` is `x <= d - c`.
    CompareOffset,
    /// `x + c <= x + d` is `c <= d`.
    CompareSameBase,
    /// `x < c` on integers is `x <= c - 1`.
    IntStrict,
    /// The floor of an integer is that integer.
    ToIntToReal,
    /// An integer is one.
    IsIntToReal,
    /// `x ^ 1` is `x`.
    PowOne,

    // BitVec
    /// `bvnot bvnot x` is `x`.
    BvNotNot,
    /// `bvneg bvneg x` is `x`.
    BvNegNeg,
    /// A small bitwise term, sum or product inside one of its kind is spliced in.
    BvFlatten,
    /// The constants of a bitwise term, sum or product are folded.
    BvConsts,
    /// The neutral element of an operator is dropped.
    BvNeutral,
    /// The absorbing element of an operator is the result.
    BvAbsorb,
    /// `x & x` and `x | x` are `x`.
    BvDuplicate,
    /// `x & ~x` is zero, `x | ~x` all ones.
    BvComplement,
    /// `x ^ x` is zero.
    BvXorSame,
    /// `x ^ ones` is `~x`.
    BvXorOnes,
    /// `x + -x` is zero.
    BvAddCancel,
    /// A mask that keeps all bits of a zero-extended term is dropped.
    BvAndMaskExt,
    /// Division by one.
    BvDivOne,
    /// The remainder by one is zero.
    BvRemOne,
    /// `bvudiv` and `bvurem` by zero are fixed.
    BvDivZero,
    /// `bvudiv` and `bvurem` by a power of two are a shift and a mask.
    BvDivPow2,
    /// A shift by zero, or of zero, changes nothing.
    BvShiftZero,
    /// A shift by at least the width leaves nothing.
    BvShiftOut,
    /// A bit-vector compared with itself.
    BvCompareSame,
    /// A comparison with the least or greatest bit-vector is decided, or an equality.
    BvCompareBound,
    /// Adjacent extracts of one term are one extract.
    ConcatExtracts,
    /// Adjacent constants in a concatenation are joined.
    ConcatConsts,
    /// Zeros in front are a zero extension.
    ConcatZero,
    /// All bits are the term itself.
    ExtractAll,
    /// An extract of an extract is one extract.
    ExtractExtract,
    /// An extract from one side of a concatenation.
    ExtractConcat,
    /// An extract of an extension.
    ExtractExt,
    /// An extract of masked bits that the mask keeps.
    ExtractMask,
    /// An extension by no bits.
    ExtZero,
    /// An extension of an extension is one extension.
    ExtExt,
    /// An integer through a bit-vector is its remainder.
    BvToNatIntToBv,
    /// A bit-vector through an integer is extended or cut.
    IntToBvBvToNat,

    // Float
    /// `fp.neg fp.neg x` is `x`.
    FpNegNeg,
    /// `fp.abs` does not see `fp.neg` and `fp.abs`.
    FpAbsSign,
    /// A classification does not see the sign, or sees it alone.
    FpClassSign,
    /// A float through its bits is itself.
    FpFromBitsToBits,
    /// A float through its bits, or else other bits.
    FpFromBitsIte,
    /// Bits with all of the exponent and the next one set are NaN.
    FpFromBitsNan,
    /// `x`, or NaN if `x` is NaN.
    IteNan,
    /// A conversion to the same format.
    FpFromFpSame,
    /// A conversion to a wider format and back.
    FpWidenNarrow,
    /// `fp.lt x x` is `false`.
    FpLtSame,
    /// `fp.min x x` and `fp.max x x` are `x`.
    FpMinSame,

    // Array
    /// Reading what was just written.
    SelectStoreSame,
    /// Reading elsewhere than was written.
    SelectStoreOther,
    /// Reading from a constant array.
    SelectConst,
    /// Reading from a choice of arrays that both give the element at once.
    SelectIte,
    /// Reading from a lambda is its body.
    SelectLambda,
    /// The later of two writes to one index counts.
    StoreOverwrite,
    /// Writing what is there already.
    StoreSelf,
    /// Writing the default of a constant array.
    StoreConst,
    /// Writes to decided different indices are sorted.
    StoreOrder,

    // Datatypes
    /// A field of a constructor term.
    SelectorCtor,
    /// Which constructor a constructor term has.
    TesterCtor,
    /// A datatype of one constructor.
    TesterSingle,
    /// Rebuilding a term of a datatype of one constructor from its fields.
    CtorSelectors,

    // Binders
    /// A quantifier over a constant body.
    QuantConst,
    /// A quantifier over a closed body.
    QuantUnused,
    /// A lambda that does not use its variable is a constant array.
    LambdaConst,
    /// `lambda x. a[x]` is `a`.
    LambdaEta,
}

/// How often each rule fired.
#[derive(Clone, Debug)]
pub(crate) struct RuleCounts([u64; Rule::ALL.len()]);

impl RuleCounts {
    pub(crate) fn new() -> RuleCounts {
        RuleCounts([0; Rule::ALL.len()])
    }

    #[inline]
    pub(crate) fn fire(&mut self, r: Rule) {
        self.0[r as usize] += 1;
    }

    pub(crate) fn get(&self, r: Rule) -> u64 {
        self.0[r as usize]
    }
}
