//! Floating point against two other implementations: the compiler's software floats for all
//! rounding modes, and the machine's own.

use dashu_int::{IBig, UBig};
use lariat_term::{Float, NotFixed, Op, RoundingMode, Terms, Value, fold};
use rustc_apfloat::{
    Float as ApFloat, FloatConvert, Round,
    ieee::{Double, Half, Quad, Single},
};

/// A small deterministic generator.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Bits of a format, with the special patterns and close neighbours often.
    fn float(&mut self, exp: u32, sig: u32, near: u128) -> u128 {
        let width = exp + sig;
        let mask = u128::MAX >> (128 - width);
        let random = (u128::from(self.next()) << 64 | u128::from(self.next())) & mask;
        let inf = ((1u128 << exp) - 1) << (sig - 1);
        let one = ((1u128 << (exp - 1)) - 1) << (sig - 1);
        let sign = random & (1 << (width - 1));
        let magnitude = match self.next() % 16 {
            0 => 0,
            1 => inf,
            2 => inf | 1 << (sig - 2),
            3 => 1,
            4 => inf - 1,
            5 => random & ((1 << (sig - 1)) - 1),
            6 => one,
            7 => one + (random & 7),
            8 => (near & !(1 << (width - 1))) ^ (random & 3),
            9 => near & !(1 << (width - 1)),
            10 => one + (u128::from(self.next() % 64) << (sig - 1)),
            11 => 1 << (sig - 1),
            12 => (near & inf) | (random & ((1 << (sig - 1)) - 1)),
            _ => random,
        };
        sign | (magnitude & !(1 << (width - 1)))
    }
}

fn apply(op: Op, args: &[Value]) -> Result<Value, NotFixed> {
    fold::apply(&Terms::new(), op, args, &|_| None)
}

fn value(exp: u32, sig: u32, bits: u128) -> Value {
    Value::Float(Float::from_bits(exp, sig, UBig::from(bits)))
}

const MODES: [(RoundingMode, Round); 5] = [
    (RoundingMode::Rne, Round::NearestTiesToEven),
    (RoundingMode::Rna, Round::NearestTiesToAway),
    (RoundingMode::Rtp, Round::TowardPositive),
    (RoundingMode::Rtn, Round::TowardNegative),
    (RoundingMode::Rtz, Round::TowardZero),
];

fn against_apfloat<F>(exp: u32, sig: u32, cases: usize)
where
    F: ApFloat + FloatConvert<Half> + FloatConvert<Single> + FloatConvert<Double> + FloatConvert<Quad>,
{
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15 ^ u64::from(sig));
    let show = |x: F| value(exp, sig, x.to_bits());
    let mut near = 0;
    for _ in 0..cases {
        let bits = [(); 3].map(|()| {
            near = rng.float(exp, sig, near);
            near
        });
        let [a, b, c] = bits.map(F::from_bits);
        let [x, y, z] = bits.map(|b| value(exp, sig, b));
        for (m, round) in MODES {
            let mode = Value::RoundingMode(m);
            let check = |op: Op, args: &[&Value], expected: Value| {
                let args: Vec<Value> = std::iter::once(&mode).chain(args.iter().copied()).cloned().collect();
                assert_eq!(apply(op, &args), Ok(expected), "{op:?} {args:?}");
            };
            check(Op::FpAdd, &[&x, &y], show(a.add_r(b, round).value));
            check(Op::FpSub, &[&x, &y], show(a.sub_r(b, round).value));
            check(Op::FpMul, &[&x, &y], show(a.mul_r(b, round).value));
            check(Op::FpDiv, &[&x, &y], show(a.div_r(b, round).value));
            check(Op::FpFma, &[&x, &y, &z], show(a.mul_add_r(b, c, round).value));
            check(Op::FpRoundToIntegral, &[&x], show(a.round_to_integral(round).value));
            let mut loses = false;
            let half: Half = a.convert_r(round, &mut loses).value;
            check(Op::FpFromFp { exp: 5, sig: 11 }, &[&x], value(5, 11, half.to_bits()));
            let single: Single = a.convert_r(round, &mut loses).value;
            check(Op::FpFromFp { exp: 8, sig: 24 }, &[&x], value(8, 24, single.to_bits()));
            let double: Double = a.convert_r(round, &mut loses).value;
            check(Op::FpFromFp { exp: 11, sig: 53 }, &[&x], value(11, 53, double.to_bits()));
            let quad: Quad = a.convert_r(round, &mut loses).value;
            check(Op::FpFromFp { exp: 15, sig: 113 }, &[&x], value(15, 113, quad.to_bits()));

            let n = u128::from(rng.next()) << (rng.next() % 64) >> (rng.next() % 64);
            check(Op::FpFromUbv { exp, sig }, &[&Value::bv(128, n)], show(F::from_u128_r(n, round).value));
            let s = n as i128;
            let signed = Value::bv(128, s as u128);
            check(Op::FpFromSbv { exp, sig }, &[&signed], show(F::from_i128_r(s, round).value));
            for width in [8u32, 13, 64] {
                let args = [mode.clone(), x.clone()];
                let mut exact = false;
                let u = a.to_u128_r(width as usize, round, &mut exact);
                let expected = if u.status.contains(rustc_apfloat::Status::INVALID_OP) {
                    Err(NotFixed::Unspecified)
                } else {
                    Ok(Value::bv(width, u.value))
                };
                assert_eq!(apply(Op::FpToUbv(width), &args), expected, "to_ubv {width} {args:?}");
                let i = a.to_i128_r(width as usize, round, &mut exact);
                let expected = if i.status.contains(rustc_apfloat::Status::INVALID_OP) {
                    Err(NotFixed::Unspecified)
                } else {
                    let mask = u128::MAX >> (128 - width);
                    Ok(Value::bv(width, i.value as u128 & mask))
                };
                assert_eq!(apply(Op::FpToSbv(width), &args), expected, "to_sbv {width} {args:?}");
            }
        }
        assert_eq!(apply(Op::FpRem, &[x.clone(), y.clone()]), Ok(show(a.ieee_rem(b).value)), "rem {x:?} {y:?}");
        let bool = |op: Op, args: &[&Value], expected: bool| {
            let args: Vec<Value> = args.iter().copied().cloned().collect();
            assert_eq!(apply(op, &args), Ok(Value::Bool(expected)), "{op:?} {args:?}");
        };
        bool(Op::FpLt, &[&x, &y], a < b);
        bool(Op::FpLe, &[&x, &y], a <= b);
        bool(Op::FpEq, &[&x, &y], a == b);
        bool(Op::FpIsNan, &[&x], a.is_nan());
        bool(Op::FpIsInfinite, &[&x], a.is_infinite());
        bool(Op::FpIsZero, &[&x], a.is_zero());
        bool(Op::FpIsNormal, &[&x], a.is_normal());
        bool(Op::FpIsSubnormal, &[&x], a.is_denormal());
        bool(Op::FpIsNegative, &[&x], !a.is_nan() && a.is_negative());
        bool(Op::FpIsPositive, &[&x], !a.is_nan() && !a.is_negative());
        if !(a.is_zero() && b.is_zero()) {
            assert_eq!(apply(Op::FpMin, &[x.clone(), y.clone()]), Ok(show(a.min(b))));
            assert_eq!(apply(Op::FpMax, &[x.clone(), y.clone()]), Ok(show(a.max(b))));
        }
        assert_eq!(apply(Op::FpNeg, std::slice::from_ref(&x)), Ok(show(-a)));
        assert_eq!(apply(Op::FpAbs, std::slice::from_ref(&x)), Ok(show(a.abs())));
        // To a real and back is the identity but for the sign of zero.
        match apply(Op::FpToReal, std::slice::from_ref(&x)) {
            Ok(r) => {
                let mode = Value::RoundingMode(RoundingMode::Rtz);
                let back = apply(Op::FpFromReal { exp, sig }, &[mode, r]);
                assert_eq!(back, Ok(if a.is_zero() { value(exp, sig, 0) } else { x }));
            }
            Err(e) => assert!(!a.is_finite() && e == NotFixed::Unspecified),
        }
    }
}

#[test]
fn half_precision_agrees_with_apfloat() {
    against_apfloat::<Half>(5, 11, 3000);
}

#[test]
fn single_precision_agrees_with_apfloat() {
    against_apfloat::<Single>(8, 24, 3000);
}

#[test]
fn double_precision_agrees_with_apfloat() {
    against_apfloat::<Double>(11, 53, 2000);
}

#[test]
fn square_roots_and_double_arithmetic_agree_with_the_machine() {
    let mut rng = Rng(77);
    let rne = Value::RoundingMode(RoundingMode::Rne);
    let mut near = 0;
    for _ in 0..5000 {
        let a = rng.float(11, 53, near);
        let b = rng.float(11, 53, a);
        near = b;
        let (x, y) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
        let (vx, vy) = (value(11, 53, a), value(11, 53, b));
        let show = |f: f64| Ok(value(11, 53, u128::from(f.to_bits())));
        assert_eq!(apply(Op::FpSqrt, &[rne.clone(), vx.clone()]), show(x.sqrt()), "sqrt {x}");
        assert_eq!(apply(Op::FpAdd, &[rne.clone(), vx.clone(), vy.clone()]), show(x + y));
        assert_eq!(apply(Op::FpMul, &[rne.clone(), vx.clone(), vy.clone()]), show(x * y));
        assert_eq!(apply(Op::FpDiv, &[rne.clone(), vx.clone(), vy.clone()]), show(x / y));
        let s = rng.float(8, 24, a >> 32);
        let f = f32::from_bits(s as u32);
        let root = value(8, 24, u128::from(f.sqrt().to_bits()));
        assert_eq!(apply(Op::FpSqrt, &[rne.clone(), value(8, 24, s)]), Ok(root), "sqrt {f}");
    }
}

#[test]
fn directed_square_roots_bracket_the_root() {
    let mut rng = Rng(5);
    for _ in 0..2000 {
        let bits = rng.float(5, 11, 0) & 0x7fff;
        let x = value(5, 11, bits);
        let real = |v: &Value| match apply(Op::FpToReal, std::slice::from_ref(v)) {
            Ok(Value::Real(r)) => Some(r),
            _ => None,
        };
        let Some(exact) = real(&x) else { continue };
        let root = |m| apply(Op::FpSqrt, &[Value::RoundingMode(m), x.clone()]).unwrap();
        let (down, up) = (root(RoundingMode::Rtn), root(RoundingMode::Rtp));
        assert_eq!(down, root(RoundingMode::Rtz));
        let (lo, hi) = (real(&down).unwrap(), real(&up).unwrap());
        assert!(&lo * &lo <= exact && exact <= &hi * &hi, "sqrt of {bits:#x}");
        let (Value::Float(d), Value::Float(u)) = (&down, &up) else { panic!("floats") };
        assert!(u.bits() - d.bits() <= UBig::ONE, "adjacent: {d:?} {u:?}");
    }
}

#[test]
fn reals_round_like_decimal_literals() {
    let rne = Value::RoundingMode(RoundingMode::Rne);
    let mut rng = Rng(9);
    for _ in 0..2000 {
        let digits = rng.next() >> (rng.next() % 60);
        let places = (rng.next() % 340) as usize;
        let expected: f64 = format!("{digits}e-{places}").parse().unwrap();
        let real = dashu_ratio::RBig::from_parts(IBig::from(digits), UBig::from(10u8).pow(places));
        let got = apply(Op::FpFromReal { exp: 11, sig: 53 }, &[rne.clone(), Value::Real(real)]);
        assert_eq!(got, Ok(value(11, 53, u128::from(expected.to_bits()))), "{digits}e-{places}");
    }
}

#[test]
fn absurd_formats_are_not_computed() {
    let rne = Value::RoundingMode(RoundingMode::Rne);
    let one = Value::real(IBig::ONE);
    assert_eq!(apply(Op::FpFromReal { exp: 40, sig: 3 }, &[rne.clone(), one]), Err(NotFixed::TooBig));
    let tiny = value(60, 4, 1);
    assert_eq!(apply(Op::FpToReal, std::slice::from_ref(&tiny)), Err(NotFixed::TooBig));
    assert_eq!(apply(Op::FpAdd, &[rne, tiny.clone(), tiny.clone()]), Err(NotFixed::TooBig));
    assert_eq!(apply(Op::FpIsSubnormal, &[tiny]), Ok(Value::Bool(true)));
}

#[test]
fn zeros_of_different_sign_leave_min_and_max_open() {
    let (plus, minus) = (value(5, 11, 0), value(5, 11, 0x8000));
    assert_eq!(apply(Op::FpMin, &[plus.clone(), minus.clone()]), Err(NotFixed::Unspecified));
    assert_eq!(apply(Op::FpMax, &[minus.clone(), plus.clone()]), Err(NotFixed::Unspecified));
    assert_eq!(apply(Op::FpMax, &[minus.clone(), minus.clone()]), Ok(minus));
}
