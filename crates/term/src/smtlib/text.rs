//! Operators, sorts, names and numerals as SMT-LIB text: the pieces that [`super::print`] and
//! [`super::script`] put together.

use std::fmt::Write;

use dashu_int::UBig;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    op::{Op, RoundingMode},
    smtlib::names::{encode_name, quote_symbol},
    sort::{CtorId, Sort, SortKind},
    store::{Func, Term, Terms, Var},
    value::{Float, Value},
};

/// For whom text is written. They differ where the standard says nothing:
///
/// | | `Standard` | `Z3` | `Cvc5` |
/// |---|---|---|---|
/// | integers and bit-vectors | `int_to_bv`, `ubv_to_int` | `int2bv`, `bv2nat` | `int2bv`, `bv2nat` |
/// | bits of a float | `fp.to_bits` | `fp.to_ieee_bv`, NaN apart | `fp.to_ieee_bv` |
/// | element 3 of the sort `S` | `(as @elem!3 S)` | a constant `S~elem~3` | a constant `S~elem~3` |
/// | a solver's own function | by the name in the store | by the solver's name | by the solver's name |
///
/// Lambdas are `(lambda ((x S)) …)` and powers `^` in all three.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Dialect {
    /// What [`Terms::parse_term`] reads back to the identical term.
    #[default]
    Standard,
    /// Z3.
    Z3,
    /// cvc5.
    Cvc5,
}

/// Whatever has a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Thing {
    Sort(Sort),
    Var(Var),
    Func(Func),
    Ctor(CtorId),
    Selector(CtorId, u32),
    Elem(Sort, u32),
    /// A term that a script has given a name.
    Shared(Term),
}

/// The symbols of things, as written; where there is none, the plain one holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameTable {
    pub(crate) symbols: FxHashMap<Thing, String>,
    /// Symbols (without bars) that bound variables must not have.
    pub(crate) taken: FxHashSet<String>,
}

impl NameTable {
    /// Writes the symbol of a thing.
    pub(crate) fn write(&self, terms: &Terms, thing: Thing, out: &mut String) {
        match self.symbols.get(&thing) {
            Some(s) => out.push_str(s),
            None => out.push_str(&quote_symbol(&plain_symbol(terms, thing))),
        }
    }
}

/// The symbol (without bars) that a thing has by its name alone.
pub(crate) fn plain_symbol(terms: &Terms, thing: Thing) -> String {
    match thing {
        Thing::Sort(s) => match terms.sort_kind(s) {
            SortKind::Uninterpreted(name) => encode_name(terms.name(name)),
            SortKind::Datatype(d) => encode_name(terms.datatype_name(d)),
            _ => String::new(),
        },
        Thing::Var(v) => encode_name(terms.var_name(v)),
        Thing::Func(f) => encode_name(terms.name(terms.func_decl(f).name)),
        Thing::Ctor(c) => encode_name(terms.ctor_name(c)),
        Thing::Selector(c, i) => {
            let name = terms.ctor_fields(c)[i as usize].name;
            let siblings = terms.ctors(terms.ctor_datatype(c));
            let has = |&d: &CtorId| terms.ctor_fields(d).iter().any(|f| f.name == name);
            let symbol = encode_name(terms.name(name));
            if siblings.iter().filter(|d| has(d)).count() < 2 {
                return symbol;
            }
            let number = siblings.iter().position(|&d| d == c).unwrap_or(0);
            format!("{symbol}~{number}")
        }
        Thing::Elem(s, n) => format!("{}~elem~{n}", plain_symbol(terms, Thing::Sort(s))),
        Thing::Shared(t) => format!("?{}", t.index()),
    }
}

/// Writes a sort.
pub(crate) fn write_sort(terms: &Terms, names: &NameTable, sort: Sort, out: &mut String) {
    // `Err` is text between sorts.
    let mut work = vec![Ok(sort)];
    while let Some(next) = work.pop() {
        let s = match next {
            Ok(s) => s,
            Err(text) => {
                out.push_str(text);
                continue;
            }
        };
        match terms.sort_kind(s) {
            SortKind::Bool => out.push_str("Bool"),
            SortKind::Int => out.push_str("Int"),
            SortKind::Real => out.push_str("Real"),
            SortKind::RoundingMode => out.push_str("RoundingMode"),
            SortKind::BitVec(w) => _ = write!(out, "(_ BitVec {w})"),
            SortKind::Float { exp, sig } => _ = write!(out, "(_ FloatingPoint {exp} {sig})"),
            SortKind::Array(i, e) => {
                out.push_str("(Array ");
                work.extend([Err(")"), Ok(e), Err(" "), Ok(i)]);
            }
            SortKind::Builtin(text) => out.push_str(terms.name(text)),
            SortKind::Uninterpreted(_) | SortKind::Datatype(_) => names.write(terms, Thing::Sort(s), out),
        }
    }
}

/// Writes a numeral.
pub(crate) fn write_value(v: &Value, out: &mut String) {
    match v {
        Value::Int(n) => {
            if n < &dashu_int::IBig::ZERO {
                let _ = write!(out, "(- {})", -n.clone());
            } else {
                let _ = write!(out, "{n}");
            }
        }
        Value::Real(r) => write_real(r, out),
        Value::BitVec(b) => write_bits(b.width(), b.bits(), out),
        Value::Float(f) => write_float(f, out),
        // Other values are terms of their own operators, never numerals.
        other => _ = write!(out, "{other:?}"),
    }
}

fn write_real(r: &RBig, out: &mut String) {
    let negative = r < &RBig::ZERO;
    if negative {
        out.push_str("(- ");
    }
    let (n, d) = (r.numerator().clone(), r.denominator());
    let n = if negative { -n } else { n };
    if *d == UBig::ONE {
        let _ = write!(out, "{n}.0");
    } else {
        let _ = write!(out, "(/ {n}.0 {d}.0)");
    }
    if negative {
        out.push(')');
    }
}

/// Wider numerals are written by their value: their digits would mostly be zeros.
const DIGITS: u32 = 1 << 12;

/// Writes a bit-vector.
pub(crate) fn write_bits(width: u32, bits: &UBig, out: &mut String) {
    if width > DIGITS {
        let _ = write!(out, "(_ bv{bits} {width})");
    } else if width.is_multiple_of(4) {
        let _ = write!(out, "#x{:0>1$}", bits.in_radix(16).to_string(), width as usize / 4);
    } else {
        let _ = write!(out, "#b{:0>1$}", bits.in_radix(2).to_string(), width as usize);
    }
}

fn write_float(f: &Float, out: &mut String) {
    let (exp, sig) = (f.exp(), f.sig());
    let man = (sig - 1) as usize;
    let mask = |n: usize| (UBig::ONE << n) - UBig::ONE;
    let fraction = f.bits() & mask(man);
    let exponent = (f.bits() >> man) & mask(exp as usize);
    let sign = f.bits() >> (man + exp as usize);
    let (all_ones, no_fraction) = (exponent == mask(exp as usize), fraction == UBig::ZERO);
    let plus = if sign == UBig::ZERO { '+' } else { '-' };
    if all_ones && !no_fraction {
        let _ = write!(out, "(_ NaN {exp} {sig})");
    } else if all_ones {
        let _ = write!(out, "(_ {plus}oo {exp} {sig})");
    } else if no_fraction && exponent == UBig::ZERO {
        let _ = write!(out, "(_ {plus}zero {exp} {sig})");
    } else {
        let _ = write!(out, "(fp #b{sign} #b{:0>1$} ", exponent.in_radix(2).to_string(), exp as usize);
        let _ = write!(out, "#b{:0>1$})", fraction.in_radix(2).to_string(), man);
    }
}

/// The canonical NaN of a format as bits.
pub(crate) fn nan_bits(exp: u32, sig: u32) -> UBig {
    ((UBig::ONE << (exp + 1) as usize) - UBig::ONE) << (sig - 2) as usize
}

/// Writes what is applied: a name, `(_ name indices)` or `(as name sort)`. Leaves and binders have
/// forms of their own.
pub(crate) fn write_head(terms: &Terms, names: &NameTable, dialect: Dialect, op: Op, out: &mut String) {
    let standard = dialect == Dialect::Standard;
    let _ = match op {
        Op::App(f) => {
            match terms.func_decl(f).builtin {
                Some(builtin) if !standard => out.push_str(terms.name(builtin)),
                _ => names.write(terms, Thing::Func(f), out),
            }
            Ok(())
        }
        Op::Extract { hi, lo } => write!(out, "(_ extract {hi} {lo})"),
        Op::ZeroExt(n) => write!(out, "(_ zero_extend {n})"),
        Op::SignExt(n) => write!(out, "(_ sign_extend {n})"),
        Op::IntToBv(n) => write!(out, "(_ {} {n})", if standard { "int_to_bv" } else { "int2bv" }),
        Op::FpFromBits { exp, sig }
        | Op::FpFromFp { exp, sig }
        | Op::FpFromReal { exp, sig }
        | Op::FpFromSbv { exp, sig } => write!(out, "(_ to_fp {exp} {sig})"),
        Op::FpFromUbv { exp, sig } => write!(out, "(_ to_fp_unsigned {exp} {sig})"),
        Op::FpToUbv(n) => write!(out, "(_ fp.to_ubv {n})"),
        Op::FpToSbv(n) => write!(out, "(_ fp.to_sbv {n})"),
        Op::ConstArray(s) => {
            out.push_str("(as const ");
            write_sort(terms, names, s, out);
            out.push(')');
            Ok(())
        }
        Op::Ctor(c) => {
            names.write(terms, Thing::Ctor(c), out);
            Ok(())
        }
        Op::Selector(c, i) => {
            names.write(terms, Thing::Selector(c, i), out);
            Ok(())
        }
        Op::Tester(c) => {
            out.push_str("(_ is ");
            names.write(terms, Thing::Ctor(c), out);
            out.push(')');
            Ok(())
        }
        Op::BvToNat => out.write_str(if standard { "ubv_to_int" } else { "bv2nat" }),
        Op::FpToBits => out.write_str(if standard { "fp.to_bits" } else { "fp.to_ieee_bv" }),
        _ => out.write_str(plain_op(op)),
    };
}

/// The long name of a rounding mode.
pub(crate) fn rounding_mode_name(m: RoundingMode) -> &'static str {
    match m {
        RoundingMode::Rne => "roundNearestTiesToEven",
        RoundingMode::Rna => "roundNearestTiesToAway",
        RoundingMode::Rtp => "roundTowardPositive",
        RoundingMode::Rtn => "roundTowardNegative",
        RoundingMode::Rtz => "roundTowardZero",
    }
}

/// The operators that are one word.
fn plain_op(op: Op) -> &'static str {
    match op {
        Op::True => "true",
        Op::False => "false",
        Op::RoundingMode(m) => rounding_mode_name(m),
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Eq => "=",
        Op::Distinct => "distinct",
        Op::Ite => "ite",
        Op::Add => "+",
        Op::Mul => "*",
        Op::IntDiv => "div",
        Op::IntMod => "mod",
        Op::RealDiv => "/",
        Op::Le => "<=",
        Op::Lt => "<",
        Op::ToReal => "to_real",
        Op::ToInt => "to_int",
        Op::IsInt => "is_int",
        Op::Pow => "^",
        Op::Concat => "concat",
        Op::BvNot => "bvnot",
        Op::BvNeg => "bvneg",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvAdd => "bvadd",
        Op::BvMul => "bvmul",
        Op::BvUdiv => "bvudiv",
        Op::BvUrem => "bvurem",
        Op::BvSdiv => "bvsdiv",
        Op::BvSrem => "bvsrem",
        Op::BvSmod => "bvsmod",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvUlt => "bvult",
        Op::BvUle => "bvule",
        Op::BvSlt => "bvslt",
        Op::BvSle => "bvsle",
        Op::FpToReal => "fp.to_real",
        Op::FpAbs => "fp.abs",
        Op::FpNeg => "fp.neg",
        Op::FpAdd => "fp.add",
        Op::FpSub => "fp.sub",
        Op::FpMul => "fp.mul",
        Op::FpDiv => "fp.div",
        Op::FpFma => "fp.fma",
        Op::FpSqrt => "fp.sqrt",
        Op::FpRem => "fp.rem",
        Op::FpRoundToIntegral => "fp.roundToIntegral",
        Op::FpMin => "fp.min",
        Op::FpMax => "fp.max",
        Op::FpLe => "fp.leq",
        Op::FpLt => "fp.lt",
        Op::FpEq => "fp.eq",
        Op::FpIsNormal => "fp.isNormal",
        Op::FpIsSubnormal => "fp.isSubnormal",
        Op::FpIsZero => "fp.isZero",
        Op::FpIsInfinite => "fp.isInfinite",
        Op::FpIsNan => "fp.isNaN",
        Op::FpIsNegative => "fp.isNegative",
        Op::FpIsPositive => "fp.isPositive",
        Op::Select => "select",
        Op::Store => "store",
        Op::Forall(_) => "forall",
        Op::Exists(_) => "exists",
        Op::Lambda(_) => "lambda",
        // All others have indices, symbols or a dialect.
        _ => "",
    }
}
