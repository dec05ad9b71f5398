//! What every operator does with values: the one place that both the simplifier's constant folding
//! and the evaluator use.
//!
//! In: an operator and the values of its arguments, which fit it. Out: the value, or why there is
//! none: SMT-LIB leaves it open ([`NotFixed::Unspecified`]; an interpretation decides), it is not worth
//! computing ([`NotFixed::TooBig`]), or the operator has no meaning on values alone
//! ([`NotFixed::NoValue`]: variables, functions, binders, ill-sorted arguments).

use std::{cmp::Ordering, sync::Arc};

use dashu_base::{BitTest, DivEuclid, RemEuclid};
use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::{
    op::{Op, RoundingMode},
    sort::{Sort, SortKind},
    store::Terms,
    value::{ArrayValue, BitVec, Float, MAX_ARRAY_NESTING, Value},
};

/// Why an operator has no value for some arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NotFixed {
    /// The result is a fixed but unknown function of the arguments: division by zero and the like.
    Unspecified,
    /// The result is fixed, but too big to be computed.
    TooBig,
    /// The operator is no function of values, or the arguments do not fit it.
    NoValue,
}

/// Numbers of more bits than this are not computed.
const MAX_BITS: usize = 1 << 24;

/// Universes of uninterpreted sorts that are not fixed.
pub(crate) fn no_universe(_: Sort) -> Option<u32> {
    None
}

/// `op` applied to values. `universe` tells how many elements an uninterpreted sort has, where that
/// is fixed (it matters to arrays over such sorts).
pub fn apply(terms: &Terms, op: Op, args: &[Value], universe: &dyn Fn(Sort) -> Option<u32>) -> Result<Value, NotFixed> {
    match op {
        Op::True => Ok(Value::Bool(true)),
        Op::False => Ok(Value::Bool(false)),
        Op::Const(c) => Ok(terms.const_value(c).clone()),
        Op::RoundingMode(m) => Ok(Value::RoundingMode(m)),
        Op::Elem(s, n) => Ok(Value::Elem(s, n)),
        Op::Var(_) | Op::Bound(..) | Op::App(_) | Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) => {
            Err(NotFixed::NoValue)
        }
        Op::Not | Op::And | Op::Or | Op::Eq | Op::Distinct | Op::Ite => core(op, args).ok_or(NotFixed::NoValue),
        Op::Select | Op::Store | Op::ConstArray(_) => array(terms, op, args, universe),
        Op::Ctor(c) => {
            if args.iter().any(|a| a.array_nesting() >= MAX_ARRAY_NESTING) {
                return Err(NotFixed::TooBig);
            }
            Ok(Value::data(c, args.to_vec()))
        }
        Op::Selector(c, i) => match args {
            [Value::Data(d)] if d.ctor() == c => d.fields().get(i as usize).cloned().ok_or(NotFixed::NoValue),
            [Value::Data(_)] => Err(NotFixed::Unspecified),
            _ => Err(NotFixed::NoValue),
        },
        Op::Tester(c) => match args {
            [Value::Data(d)] => Ok(Value::Bool(d.ctor() == c)),
            _ => Err(NotFixed::NoValue),
        },
        _ => match args {
            [Value::Int(_), ..] => integer(op, args),
            [Value::Real(_), ..] => real(op, args),
            [Value::BitVec(_), ..] => bit_vector(op, args),
            [Value::Float(_), ..] => float(op, args),
            [Value::RoundingMode(m), rest @ ..] => rounded(op, *m, rest),
            _ => Err(NotFixed::NoValue),
        },
    }
}

fn core(op: Op, args: &[Value]) -> Option<Value> {
    Some(match (op, args) {
        (Op::Not, [Value::Bool(b)]) => Value::Bool(!b),
        (Op::And, _) => Value::Bool(booleans(args)?.all(|b| b)),
        (Op::Or, _) => Value::Bool(booleans(args)?.any(|b| b)),
        (Op::Eq, [a, b]) => Value::Bool(a == b),
        (Op::Distinct, _) => {
            let mut sorted: Vec<&Value> = args.iter().collect();
            sorted.sort_unstable();
            Value::Bool(sorted.windows(2).all(|w| w[0] != w[1]))
        }
        (Op::Ite, [Value::Bool(c), a, b]) => if *c { a } else { b }.clone(),
        _ => return None,
    })
}

fn booleans(args: &[Value]) -> Option<impl Iterator<Item = bool> + '_> {
    let ok = args.iter().all(|a| matches!(a, Value::Bool(_)));
    ok.then(|| args.iter().map(|a| matches!(a, Value::Bool(true))))
}

fn integer(op: Op, args: &[Value]) -> Result<Value, NotFixed> {
    let ints = || args.iter().map(|a| a.as_int().ok_or(NotFixed::NoValue));
    let bits: usize = ints().map(|i| Ok(i?.bit_len())).sum::<Result<usize, NotFixed>>()?;
    if bits > MAX_BITS {
        return Err(NotFixed::TooBig);
    }
    Ok(match (op, args) {
        (Op::Add, _) => Value::Int(ints().try_fold(IBig::ZERO, |s, i| Ok(s + i?))?),
        (Op::Mul, _) => Value::Int(ints().try_fold(IBig::ONE, |s, i| Ok(s * i?))?),
        (Op::IntDiv | Op::IntMod, [Value::Int(_), Value::Int(b)]) if b.is_zero() => return Err(NotFixed::Unspecified),
        (Op::IntDiv, [Value::Int(a), Value::Int(b)]) => Value::Int(a.div_euclid(b)),
        (Op::IntMod, [Value::Int(a), Value::Int(b)]) => Value::Int(IBig::from(a.rem_euclid(b))),
        (Op::Le, [a, b]) => Value::Bool(a <= b),
        (Op::Lt, [a, b]) => Value::Bool(a < b),
        (Op::ToReal, [Value::Int(a)]) => Value::Real(RBig::from(a.clone())),
        (Op::Pow, [Value::Int(a), Value::Int(b)]) => {
            if *b < IBig::ZERO || (a.is_zero() && b.is_zero()) {
                return Err(NotFixed::Unspecified);
            }
            Value::Int(power(a, b)?)
        }
        (Op::IntToBv(n), [Value::Int(a)]) => Value::BitVec(BitVec::from_int(n, a.clone())),
        _ => return Err(NotFixed::NoValue),
    })
}

/// `a ^ b` for `b >= 0`.
fn power(a: &IBig, b: &IBig) -> Result<IBig, NotFixed> {
    if a.bit_len() <= 1 {
        // -1, 0 and 1, whatever the exponent.
        let odd = b.bit(0);
        return Ok(match (a.is_zero(), *a < IBig::ZERO) {
            (true, _) if b.is_zero() => IBig::ONE,
            (true, _) => IBig::ZERO,
            (_, true) if odd => IBig::NEG_ONE,
            _ => IBig::ONE,
        });
    }
    match usize::try_from(b) {
        Ok(n) if n.saturating_mul(a.bit_len()) <= MAX_BITS => Ok(a.pow(n)),
        _ => Err(NotFixed::TooBig),
    }
}

fn real(op: Op, args: &[Value]) -> Result<Value, NotFixed> {
    let reals = || {
        args.iter().map(|a| match a {
            Value::Real(r) => Ok(r),
            _ => Err(NotFixed::NoValue),
        })
    };
    let size = |r: &RBig| r.numerator().bit_len() + r.denominator().bit_len();
    let bits: usize = reals().map(|r| Ok(size(r?))).sum::<Result<usize, NotFixed>>()?;
    if bits > MAX_BITS {
        return Err(NotFixed::TooBig);
    }
    Ok(match (op, args) {
        (Op::Add, _) => Value::Real(reals().try_fold(RBig::ZERO, |s, r| Ok(s + r?))?),
        (Op::Mul, _) => Value::Real(reals().try_fold(RBig::ONE, |s, r| Ok(s * r?))?),
        (Op::RealDiv, [_, Value::Real(b)]) if b.is_zero() => return Err(NotFixed::Unspecified),
        (Op::RealDiv, [Value::Real(a), Value::Real(b)]) => Value::Real(a / b),
        (Op::Le, [a, b]) => Value::Bool(a <= b),
        (Op::Lt, [a, b]) => Value::Bool(a < b),
        (Op::ToInt, [Value::Real(a)]) => Value::Int(a.floor()),
        (Op::IsInt, [Value::Real(a)]) => Value::Bool(a.is_int()),
        (Op::Pow, [Value::Real(a), Value::Real(b)]) => {
            if !b.is_int() || (a.is_zero() && *b <= RBig::ZERO) {
                return Err(NotFixed::Unspecified);
            }
            let (negative, exponent) = match b.numerator() {
                n if *n < IBig::ZERO => (true, -n.clone()),
                n => (false, n.clone()),
            };
            let num = power(a.numerator(), &exponent)?;
            let den = power(&IBig::from(a.denominator().clone()), &exponent)?;
            Value::Real(if negative { RBig::from_parts_signed(den, num) } else { RBig::from_parts_signed(num, den) })
        }
        _ => return Err(NotFixed::NoValue),
    })
}

fn bit_vector(op: Op, args: &[Value]) -> Result<Value, NotFixed> {
    let bvs = || args.iter().map(|a| a.as_bv().ok_or(NotFixed::NoValue));
    let (first, rest) = match args {
        [Value::BitVec(a), rest @ ..] => (a, rest),
        _ => return Err(NotFixed::NoValue),
    };
    let all = |f: fn(&BitVec, &BitVec) -> BitVec| -> Result<Value, NotFixed> {
        Ok(Value::BitVec(bvs().skip(1).try_fold(first.clone(), |s, b| Ok(f(&s, b?)))?))
    };
    match (op, rest) {
        (Op::BvAnd, _) => return all(BitVec::and),
        (Op::BvOr, _) => return all(BitVec::or),
        (Op::BvXor, _) => return all(BitVec::xor),
        (Op::BvAdd, _) => return all(BitVec::add),
        (Op::BvMul, _) => return all(BitVec::mul),
        _ => {}
    }
    let bv = |b: BitVec| Ok(Value::BitVec(b));
    match (op, first, rest) {
        (Op::Concat, a, [Value::BitVec(b)]) => bv(a.concat(b)),
        (Op::Extract { hi, lo }, a, []) => bv(a.extract(hi, lo)),
        (Op::ZeroExt(n), a, []) => bv(a.zero_ext(n)),
        (Op::SignExt(n), a, []) => bv(a.sign_ext(n)),
        (Op::BvNot, a, []) => bv(a.not()),
        (Op::BvNeg, a, []) => bv(a.neg()),
        (Op::BvUdiv, a, [Value::BitVec(b)]) => bv(a.udivrem(b).0),
        (Op::BvUrem, a, [Value::BitVec(b)]) => bv(a.udivrem(b).1),
        (Op::BvSdiv, a, [Value::BitVec(b)]) => bv(a.sdiv(b)),
        (Op::BvSrem, a, [Value::BitVec(b)]) => bv(a.srem(b)),
        (Op::BvSmod, a, [Value::BitVec(b)]) => bv(a.smod(b)),
        (Op::BvShl, a, [Value::BitVec(b)]) => bv(a.shl(b)),
        (Op::BvLshr, a, [Value::BitVec(b)]) => bv(a.lshr(b)),
        (Op::BvAshr, a, [Value::BitVec(b)]) => bv(a.ashr(b)),
        (Op::BvUlt, a, [Value::BitVec(b)]) => Ok(Value::Bool(a.bits < b.bits)),
        (Op::BvUle, a, [Value::BitVec(b)]) => Ok(Value::Bool(a.bits <= b.bits)),
        (Op::BvSlt, a, [Value::BitVec(b)]) => Ok(Value::Bool(a.slt(b))),
        (Op::BvSle, a, [Value::BitVec(b)]) => Ok(Value::Bool(!b.slt(a))),
        (Op::BvToNat, a, []) => Ok(Value::Int(IBig::from(a.bits.clone()))),
        (Op::FpFromBits { exp, sig }, a, []) => Ok(Value::Float(Float::from_bits(exp, sig, a.bits.clone()))),
        _ => Err(NotFixed::NoValue),
    }
}

fn float(op: Op, args: &[Value]) -> Result<Value, NotFixed> {
    let float = |f: Float| Ok(Value::Float(f));
    let bool = |b: bool| Ok(Value::Bool(b));
    match args {
        [Value::Float(a)] => match op {
            Op::FpToReal if !Float::small(a.exp, a.sig) => Err(NotFixed::TooBig),
            Op::FpToReal => a.to_real().map(Value::Real).ok_or(NotFixed::Unspecified),
            Op::FpToBits => Ok(Value::BitVec(BitVec::new(a.exp + a.sig, a.bits.clone()))),
            Op::FpAbs => float(a.abs()),
            Op::FpNeg => float(a.neg()),
            Op::FpIsNormal => bool(a.is_normal()),
            Op::FpIsSubnormal => bool(a.is_subnormal()),
            Op::FpIsZero => bool(a.is_zero()),
            Op::FpIsInfinite => bool(a.is_infinite()),
            Op::FpIsNan => bool(a.is_nan()),
            Op::FpIsNegative => bool(a.is_negative()),
            Op::FpIsPositive => bool(a.is_positive()),
            _ => Err(NotFixed::NoValue),
        },
        [Value::Float(a), Value::Float(b)] => match op {
            Op::FpRem if !Float::small(a.exp, a.sig) => Err(NotFixed::TooBig),
            Op::FpRem => float(a.rem(b)),
            Op::FpMin => a.min_max(b, Ordering::Less).map(Value::Float).ok_or(NotFixed::Unspecified),
            Op::FpMax => a.min_max(b, Ordering::Greater).map(Value::Float).ok_or(NotFixed::Unspecified),
            Op::FpLe => bool(a.compare(b).is_some_and(Ordering::is_le)),
            Op::FpLt => bool(a.compare(b).is_some_and(Ordering::is_lt)),
            Op::FpEq => bool(a.compare(b).is_some_and(Ordering::is_eq)),
            _ => Err(NotFixed::NoValue),
        },
        _ => Err(NotFixed::NoValue),
    }
}

/// The operators whose first argument is a rounding mode.
fn rounded(op: Op, m: RoundingMode, args: &[Value]) -> Result<Value, NotFixed> {
    let too_big = match op {
        Op::FpFromFp { exp, sig }
        | Op::FpFromReal { exp, sig }
        | Op::FpFromSbv { exp, sig }
        | Op::FpFromUbv { exp, sig } => !Float::small(exp, sig),
        _ => false,
    };
    if too_big || matches!(args.first(), Some(Value::Float(a)) if !Float::small(a.exp, a.sig)) {
        return Err(NotFixed::TooBig);
    }
    let float = |f: Float| Ok(Value::Float(f));
    match (op, args) {
        (Op::FpFromFp { exp, sig }, [Value::Float(a)]) => float(a.convert(exp, sig, m)),
        (Op::FpFromReal { exp, sig }, [Value::Real(a)]) => float(Float::from_real(exp, sig, m, a)),
        (Op::FpFromSbv { exp, sig }, [Value::BitVec(a)]) => float(Float::from_integer(exp, sig, m, a.to_signed())),
        (Op::FpFromUbv { exp, sig }, [Value::BitVec(a)]) => {
            float(Float::from_integer(exp, sig, m, IBig::from(a.bits.clone())))
        }
        (Op::FpToUbv(n), [Value::Float(a)]) => match a.to_integer(m) {
            Some(i) if i >= IBig::ZERO && i.bit_len() <= n as usize => Ok(Value::BitVec(BitVec::from_int(n, i))),
            _ => Err(NotFixed::Unspecified),
        },
        (Op::FpToSbv(n), [Value::Float(a)]) => match a.to_integer(m) {
            // -2^(n-1) is the one number of n bits that fits.
            Some(i) if (i.clone() + IBig::from(i < IBig::ZERO)).bit_len() < n as usize => {
                Ok(Value::BitVec(BitVec::from_int(n, i)))
            }
            _ => Err(NotFixed::Unspecified),
        },
        (Op::FpAdd, [Value::Float(a), Value::Float(b)]) => float(a.add(m, b)),
        (Op::FpSub, [Value::Float(a), Value::Float(b)]) => float(a.add(m, &b.neg())),
        (Op::FpMul, [Value::Float(a), Value::Float(b)]) => float(a.mul(m, b)),
        (Op::FpDiv, [Value::Float(a), Value::Float(b)]) => float(a.div(m, b)),
        (Op::FpFma, [Value::Float(a), Value::Float(b), Value::Float(c)]) => float(a.fma(m, b, c)),
        (Op::FpSqrt, [Value::Float(a)]) => float(a.sqrt(m)),
        (Op::FpRoundToIntegral, [Value::Float(a)]) => float(a.round_to_integral(m)),
        _ => Err(NotFixed::NoValue),
    }
}

fn array(terms: &Terms, op: Op, args: &[Value], universe: &dyn Fn(Sort) -> Option<u32>) -> Result<Value, NotFixed> {
    let checked = |a: Arc<ArrayValue>| if a.too_deep() { Err(NotFixed::TooBig) } else { Ok(Value::Array(a)) };
    match (op, args) {
        (Op::Select, [Value::Array(a), i]) => Ok(a.get(i).clone()),
        (Op::Store, [Value::Array(a), i, v]) => {
            let mut a = a.clone();
            Arc::make_mut(&mut a).set(i.clone(), v.clone());
            checked(a)
        }
        (Op::ConstArray(s), [v]) => match terms.sort_kind(s) {
            SortKind::Array(index, _) => {
                checked(Arc::new(ArrayValue::constant(s, terms.domain(index, universe), v.clone())))
            }
            _ => Err(NotFixed::NoValue),
        },
        _ => Err(NotFixed::NoValue),
    }
}
