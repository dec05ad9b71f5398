//! Floats: the functions on them whose result is exact, and the rounding mode.

use lariat_term::{Op, RoundingMode, Term};

use super::{
    body::Body,
    call::Arg,
    float::Float,
    value::{self, Value},
};
use crate::module::{FloatKind, TypeId, TypeKind};

/// The operation of a function of the C library on floats that is exact, by the name without the
/// suffix of its type.
pub(super) fn exact_math(name: &str) -> Option<&str> {
    let base = name.strip_prefix("__builtin_").unwrap_or(name);
    const KNOWN: [&str; 19] = [
        "fabs",
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
        "nearbyint",
        "sqrt",
        "fmin",
        "fmax",
        "copysign",
        "fma",
        "isnan",
        "isinf",
        "finite",
        "signbit",
        "isfinite",
        "isnormal",
        "fpclassify",
    ];
    let found = |text: &str| KNOWN.iter().copied().find(|&known| known == text);
    found(base).or_else(|| base.strip_suffix(['f', 'l']).and_then(found)).or(match base {
        "__isnan" | "__isnanf" | "__isnanl" => Some("isnan"),
        "__isinf" | "__isinff" | "__isinfl" => Some("isinf"),
        "__finite" | "__finitef" | "__finitel" => Some("finite"),
        "__signbit" | "__signbitf" | "__signbitl" => Some("signbit"),
        "__fpclassify" | "__fpclassifyf" | "__fpclassifyl" => Some("fpclassify"),
        _ => None,
    })
}

/// What a function of CBMC asks of a float: the name of the function of the C library, and whether the argument is a
/// `float` (a caller without a declaration passes a `double`).
pub(super) fn classifies(what: &str) -> Option<(&'static str, bool)> {
    const KNOWN: [(&str, &str); 5] = [
        ("isnan", "isnan"),
        ("isinf", "isinf"),
        ("isfinite", "isfinite"),
        ("isnormal", "isnormal"),
        ("sign", "signbit"),
    ];
    KNOWN.iter().find_map(|(name, base)| match what.strip_prefix(name)? {
        "f" => Some((*base, true)),
        "d" | "ld" => Some((*base, false)),
        _ => None,
    })
}

/// The bits of the rounding mode in what `fesetround` takes, and what each value of them means: the mode, and its
/// number in `FLT_ROUNDS`.
const MODE_BITS: (u32, u32) = (11, 10);
const MODES: [(RoundingMode, u32); 4] =
    [(RoundingMode::Rne, 1), (RoundingMode::Rtn, 3), (RoundingMode::Rtp, 2), (RoundingMode::Rtz, 0)];

impl Body<'_, '_> {
    /// The rounding mode at this place.
    pub fn rounding(&mut self) -> Term {
        let modes = MODES.map(|(mode, _)| self.t.terms.rounding_mode(mode));
        self.by_mode(modes)
    }

    /// What the rounding mode chooses, in the order of [`MODES`].
    fn by_mode(&mut self, choices: [Term; 4]) -> Term {
        let Some(var) = self.t.rounding else { return choices[0] };
        let current = self.term(var);
        let mut result = choices[0];
        for (i, choice) in choices.into_iter().enumerate().skip(1) {
            let number = self.t.terms.bv(2, i as u32);
            let same = self.t.terms.eq(current, number);
            result = self.t.terms.ite(same, choice, result);
        }
        result
    }

    /// The rounding mode as `FLT_ROUNDS` has it.
    pub fn flt_rounds(&mut self, width: u32) -> Term {
        let numbers = MODES.map(|(_, number)| self.t.terms.bv(width, number));
        self.by_mode(numbers)
    }

    /// `fegetround`.
    pub fn get_rounding(&mut self, ty: TypeId) -> Value {
        let TypeKind::Int(width) = self.t.module.ty(ty).kind else { return Value::Void };
        let numbers = [0u32, 1, 2, 3].map(|bits| self.t.terms.bv(width, bits << MODE_BITS.1));
        Value::Term(self.by_mode(numbers))
    }

    /// `fesetround`: sets the mode and gives 0, or changes nothing.
    pub fn set_rounding(&mut self, args: &[Arg], ty: TypeId) -> Value {
        let (Some(Value::Term(wanted)), Some(var), TypeKind::Int(result)) =
            (args.first().map(|arg| &arg.value), self.t.rounding, &self.t.module.ty(ty).kind)
        else {
            self.unsupported("the function fesetround");
            return self.any(ty);
        };
        let (wanted, result) = (*wanted, *result);
        let Some(width) = self.t.terms.bv_width(wanted).filter(|&width| width > MODE_BITS.0) else {
            self.unsupported("the function fesetround");
            return self.any(ty);
        };
        let bits = self.t.terms.extract(MODE_BITS.0, MODE_BITS.1, wanted);
        let back = value::resize(self.t.terms, bits, width, false);
        let shift = self.t.terms.bv(width, MODE_BITS.1);
        let back = self.t.terms.mk(Op::BvShl, &[back, shift]);
        let known = self.t.terms.eq(back, wanted);
        let old = self.term(var);
        let new = self.t.terms.ite(known, bits, old);
        let (done, failed) = (self.t.terms.bv(result, 0u32), self.t.terms.bv(result, 1u32));
        let value = self.t.terms.ite(known, done, failed);
        self.assign(vec![(var, new)]);
        Value::Term(value)
    }

    /// Whether a float is of a kind; see [`classifies`].
    pub fn classify(&mut self, base: &str, narrow: bool, args: &[Arg], ty: TypeId) -> Option<Term> {
        let Arg { value: Value::Term(value), ty: from, .. } = *args.first()? else { return None };
        let mut float = Float { value, kind: self.float_kind(from)? };
        if narrow && float.kind != FloatKind::Single {
            // It was a `float` before it was passed.
            float = Float { value: self.float_cast(float, FloatKind::Single)?, kind: FloatKind::Single };
        }
        match (base, &self.t.module.ty(ty).kind) {
            (_, TypeKind::Int(1)) => None,
            // Any number that is not zero.
            ("isinf", &TypeKind::Int(width)) => {
                let number = self.float_number(float)?;
                let infinite = self.t.terms.mk(Op::FpIsInfinite, &[number]);
                Some(value::bool_to_bv(self.t.terms, infinite, width))
            }
            _ => self.math_term(base, &[float], ty),
        }
    }

    /// Functions on floats whose result is exact; of vectors, element by element.
    pub fn math(&mut self, name: &str, args: &[Arg], ty: TypeId) -> Value {
        let kind = args.first().and_then(|arg| self.float_kind(arg.ty));
        let same = args.iter().all(|arg| self.t.module.ty(arg.ty).kind == self.t.module.ty(args[0].ty).kind);
        let values: Vec<&Value> = args.iter().map(|arg| &arg.value).collect();
        let kind = kind.filter(|_| same);
        let result =
            kind.and_then(|kind| self.each_float(&values, kind, &mut |body, floats| body.math_term(name, floats, ty)));
        result.unwrap_or_else(|| {
            self.approximate(&format!("the function {name}"));
            self.any(ty)
        })
    }

    fn math_term(&mut self, name: &str, floats: &[Float], ty: TypeId) -> Option<Term> {
        match *floats {
            [a] => self.math1(name, a, ty),
            [a, b] => self.math2(name, a, b),
            [a, b, c] => self.math3(name, a, b, c),
            _ => None,
        }
    }

    fn math1(&mut self, name: &str, float: Float, ty: TypeId) -> Option<Term> {
        let (mode, a) = (self.rounding(), self.float_number(float)?);
        let terms = &mut self.t.terms;
        let mode = match name {
            "floor" => terms.rounding_mode(RoundingMode::Rtn),
            "ceil" => terms.rounding_mode(RoundingMode::Rtp),
            "trunc" => terms.rounding_mode(RoundingMode::Rtz),
            "round" => terms.rounding_mode(RoundingMode::Rna),
            "roundeven" => terms.rounding_mode(RoundingMode::Rne),
            _ => mode,
        };
        let result = match name {
            "fabs" => {
                let positive = terms.bv(1, 0u32);
                return Some(self.with_sign(float, positive));
            }
            "floor" | "ceil" | "trunc" | "round" | "roundeven" | "rint" | "nearbyint" => {
                terms.mk(Op::FpRoundToIntegral, &[mode, a])
            }
            "sqrt" => terms.mk(Op::FpSqrt, &[mode, a]),
            _ => return self.class_number(name, float, a, ty),
        };
        self.float_value(result, float.kind, &[float])
    }

    /// The functions that say of which kind a float is.
    fn class_number(&mut self, name: &str, float: Float, a: Term, ty: TypeId) -> Option<Term> {
        let TypeKind::Int(width) = self.t.module.ty(ty).kind else { return None };
        if width == 1 {
            return None;
        }
        let sign = self.sign_bit(float)?;
        let terms = &mut self.t.terms;
        let number = |terms: &mut lariat_term::Terms, n: i64| {
            terms.number(lariat_term::Value::BitVec(lariat_term::BitVec::from_int(width, n.into())))
        };
        let (nan, infinite) = (terms.mk(Op::FpIsNan, &[a]), terms.mk(Op::FpIsInfinite, &[a]));
        let (zero, one) = (number(terms, 0), number(terms, 1));
        Some(match name {
            "isnan" => terms.ite(nan, one, zero),
            "isinf" => {
                let (minus, negative) = (number(terms, -1), terms.mk(Op::FpIsNegative, &[a]));
                let sign = terms.ite(negative, minus, one);
                terms.ite(infinite, sign, zero)
            }
            "signbit" => value::resize(terms, sign, width, false),
            "isnormal" => {
                let normal = terms.mk(Op::FpIsNormal, &[a]);
                terms.ite(normal, one, zero)
            }
            "fpclassify" => {
                let (is_zero, subnormal) = (terms.mk(Op::FpIsZero, &[a]), terms.mk(Op::FpIsSubnormal, &[a]));
                let [two, three, four] = [2, 3, 4].map(|n| number(terms, n));
                let rest = terms.ite(subnormal, three, four);
                let rest = terms.ite(is_zero, two, rest);
                let rest = terms.ite(infinite, one, rest);
                terms.ite(nan, zero, rest)
            }
            "finite" | "isfinite" => {
                let either = terms.or(&[nan, infinite]);
                terms.ite(either, zero, one)
            }
            _ => return None,
        })
    }

    fn math2(&mut self, name: &str, a: Float, b: Float) -> Option<Term> {
        if name == "copysign" {
            let sign = self.sign_bit(b)?;
            return Some(self.with_sign(a, sign));
        }
        let op = match name {
            "fmin" => Op::FpMin,
            "fmax" => Op::FpMax,
            _ => return None,
        };
        let (x, y) = (self.float_number(a)?, self.float_number(b)?);
        let result = self.t.terms.mk(op, &[x, y]);
        self.float_value(result, a.kind, &[a, b])
    }

    fn math3(&mut self, name: &str, a: Float, b: Float, c: Float) -> Option<Term> {
        let mode = self.rounding();
        let (x, y, z) = (self.float_number(a)?, self.float_number(b)?, self.float_number(c)?);
        let result = match name {
            "fma" => self.t.terms.mk(Op::FpFma, &[mode, x, y, z]),
            "fmuladd" => {
                let product = self.t.terms.mk(Op::FpMul, &[mode, x, y]);
                self.t.terms.mk(Op::FpAdd, &[mode, product, z])
            }
            _ => return None,
        };
        self.float_value(result, a.kind, &[a, b, c])
    }

    /// `llvm.is.fpclass`: is the float in one of these classes?
    pub fn fpclass(&mut self, args: &[Arg]) -> Value {
        let [float, Arg { value: Value::Term(mask), .. }] = args else { return Value::Void };
        let (Some(mask), Some(kind)) = (self.number(*mask), self.float_kind(float.ty)) else { return Value::Void };
        let result =
            self.each_float(&[&float.value], kind, &mut |body, floats| body.in_classes(*floats.first()?, mask));
        result.unwrap_or(Value::Void)
    }

    fn in_classes(&mut self, float: Float, mask: u64) -> Option<Term> {
        let a = self.float_number(float)?;
        let (nan, quiet) = self.quiet(float)?;
        let terms = &mut self.t.terms;
        let (negative, positive) = (terms.mk(Op::FpIsNegative, &[a]), terms.mk(Op::FpIsPositive, &[a]));
        let signalling = terms.not(quiet);
        let mut parts = Vec::new();
        match mask & 0b11 {
            0 => {}
            1 => parts.push(terms.and(&[nan, signalling])),
            2 => parts.push(terms.and(&[nan, quiet])),
            _ => parts.push(nan),
        }
        let classes = [
            (2, Op::FpIsInfinite, negative),
            (3, Op::FpIsNormal, negative),
            (4, Op::FpIsSubnormal, negative),
            (5, Op::FpIsZero, negative),
            (6, Op::FpIsZero, positive),
            (7, Op::FpIsSubnormal, positive),
            (8, Op::FpIsNormal, positive),
            (9, Op::FpIsInfinite, positive),
        ];
        for (bit, op, sign) in classes {
            if mask & (1 << bit) != 0 {
                let class = terms.mk(op, &[a]);
                parts.push(terms.and(&[class, sign]));
            }
        }
        Some(terms.or(&parts))
    }
}
