//! Z3's operators as constants, by the shape of their arguments.

use std::ffi::c_uint;

use z3_sys::*;

type Nullary = unsafe extern "C" fn(Z3_context) -> Option<Z3_ast>;
type One = unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>;
type Two = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>;
type Three = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;
type Four = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;
type Many = unsafe extern "C" fn(Z3_context, c_uint, *const Z3_ast) -> Option<Z3_ast>;
type Indexed = unsafe extern "C" fn(Z3_context, c_uint, Z3_ast) -> Option<Z3_ast>;
type Converted = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_sort) -> Option<Z3_ast>;
type Rounded = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, c_uint) -> Option<Z3_ast>;

/// An operator of Z3, by the shape of its arguments. The constants below are the only values.
#[derive(Clone, Copy)]
pub(crate) enum Operator {
    Nullary(NullaryFn),
    One(OneFn),
    Two(TwoFn),
    Three(ThreeFn),
    Four(FourFn),
    Many(ManyFn),
}

macro_rules! function_kinds {
    ($($name:ident = $type:ident),*) => { $(
        /// A function of Z3; only this module makes them.
        #[derive(Clone, Copy)]
        pub(crate) struct $name(pub(super) $type);
    )* };
}
function_kinds!(
    NullaryFn = Nullary,
    OneFn = One,
    TwoFn = Two,
    ThreeFn = Three,
    FourFn = Four,
    ManyFn = Many,
    IndexedFn = Indexed,
    ConvertedFn = Converted,
    RoundedFn = Rounded
);

macro_rules! operators {
    ($shape:ident $wrap:ident: $($name:ident = $f:ident),* $(,)?) => {
        impl Operator { $( pub(crate) const $name: Operator = Operator::$shape($wrap($f)); )* }
    };
}
operators!(Nullary NullaryFn: TRUE = Z3_mk_true, FALSE = Z3_mk_false, RNE = Z3_mk_fpa_rne, RNA = Z3_mk_fpa_rna,
    RTP = Z3_mk_fpa_rtp, RTN = Z3_mk_fpa_rtn, RTZ = Z3_mk_fpa_rtz);
operators!(One OneFn: NOT = Z3_mk_not, TO_REAL = Z3_mk_int2real, TO_INT = Z3_mk_real2int, IS_INT = Z3_mk_is_int,
    BV_NOT = Z3_mk_bvnot, BV_NEG = Z3_mk_bvneg, FP_ABS = Z3_mk_fpa_abs, FP_NEG = Z3_mk_fpa_neg,
    FP_TO_REAL = Z3_mk_fpa_to_real, FP_TO_BITS = Z3_mk_fpa_to_ieee_bv, FP_IS_NORMAL = Z3_mk_fpa_is_normal,
    FP_IS_SUBNORMAL = Z3_mk_fpa_is_subnormal, FP_IS_ZERO = Z3_mk_fpa_is_zero,
    FP_IS_INFINITE = Z3_mk_fpa_is_infinite, FP_IS_NAN = Z3_mk_fpa_is_nan, FP_IS_NEGATIVE = Z3_mk_fpa_is_negative,
    FP_IS_POSITIVE = Z3_mk_fpa_is_positive);
operators!(Two TwoFn: EQ = Z3_mk_eq, IMPLIES = Z3_mk_implies, DIV = Z3_mk_div, MOD = Z3_mk_mod, LE = Z3_mk_le,
    LT = Z3_mk_lt, POWER = Z3_mk_power, CONCAT = Z3_mk_concat, BV_AND = Z3_mk_bvand, BV_OR = Z3_mk_bvor,
    BV_XOR = Z3_mk_bvxor, BV_ADD = Z3_mk_bvadd, BV_MUL = Z3_mk_bvmul, BV_UDIV = Z3_mk_bvudiv,
    BV_UREM = Z3_mk_bvurem, BV_SDIV = Z3_mk_bvsdiv, BV_SREM = Z3_mk_bvsrem, BV_SMOD = Z3_mk_bvsmod,
    BV_SHL = Z3_mk_bvshl, BV_LSHR = Z3_mk_bvlshr, BV_ASHR = Z3_mk_bvashr, BV_ULT = Z3_mk_bvult,
    BV_ULE = Z3_mk_bvule, BV_SLT = Z3_mk_bvslt, BV_SLE = Z3_mk_bvsle, FP_SQRT = Z3_mk_fpa_sqrt,
    FP_REM = Z3_mk_fpa_rem, FP_ROUND = Z3_mk_fpa_round_to_integral, FP_MIN = Z3_mk_fpa_min,
    FP_MAX = Z3_mk_fpa_max, FP_LE = Z3_mk_fpa_leq, FP_LT = Z3_mk_fpa_lt, FP_EQ = Z3_mk_fpa_eq,
    SELECT = Z3_mk_select);
operators!(Three ThreeFn: ITE = Z3_mk_ite, STORE = Z3_mk_store, FP_ADD = Z3_mk_fpa_add,
    FP_SUB = Z3_mk_fpa_sub, FP_MUL = Z3_mk_fpa_mul, FP_DIV = Z3_mk_fpa_div);
operators!(Four FourFn: FP_FMA = Z3_mk_fpa_fma);
operators!(Many ManyFn: AND = Z3_mk_and, OR = Z3_mk_or, DISTINCT = Z3_mk_distinct, ADD = Z3_mk_add, MUL = Z3_mk_mul);

impl IndexedFn {
    pub(crate) const ZERO_EXT: IndexedFn = IndexedFn(Z3_mk_zero_ext);
    pub(crate) const SIGN_EXT: IndexedFn = IndexedFn(Z3_mk_sign_ext);
    pub(crate) const INT_TO_BV: IndexedFn = IndexedFn(Z3_mk_int2bv);
}

impl ConvertedFn {
    pub(crate) const FROM_FP: ConvertedFn = ConvertedFn(Z3_mk_fpa_to_fp_float);
    pub(crate) const FROM_REAL: ConvertedFn = ConvertedFn(Z3_mk_fpa_to_fp_real);
    pub(crate) const FROM_SIGNED: ConvertedFn = ConvertedFn(Z3_mk_fpa_to_fp_signed);
    pub(crate) const FROM_UNSIGNED: ConvertedFn = ConvertedFn(Z3_mk_fpa_to_fp_unsigned);
}

impl RoundedFn {
    pub(crate) const TO_UBV: RoundedFn = RoundedFn(Z3_mk_fpa_to_ubv);
    pub(crate) const TO_SBV: RoundedFn = RoundedFn(Z3_mk_fpa_to_sbv);
}
