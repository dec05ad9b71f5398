//! Floats: the functions on them whose result is exact, and the rounding mode.

use lariat_term::{Op, RoundingMode, SortKind, Term};

use super::{
    body::Body,
    call::Arg,
    value::{self, Value},
};
use crate::module::{TypeId, TypeKind};

/// The operation of a function of the C library on floats that is exact, by the name without the
/// suffix of its type.
pub(super) fn exact_math(name: &str) -> Option<&str> {
    let base = name.strip_prefix("__builtin_").unwrap_or(name);
    const KNOWN: [&str; 18] = [
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
        let Value::Term(mut float) = args.first()?.value else { return None };
        let SortKind::Float { exp, .. } = self.t.terms.sort_kind(self.t.terms.sort(float)) else { return None };
        if narrow && exp != 8 {
            // It was a `float` before it was passed.
            let mode = self.t.terms.rounding_mode(RoundingMode::Rne);
            float = self.t.terms.mk(Op::FpFromFp { exp: 8, sig: 24 }, &[mode, float]);
        }
        match (base, &self.t.module.ty(ty).kind) {
            (_, TypeKind::Int(1)) => None,
            // Any number that is not zero.
            ("isinf", &TypeKind::Int(width)) => {
                let infinite = self.t.terms.mk(Op::FpIsInfinite, &[float]);
                Some(value::bool_to_bv(self.t.terms, infinite, width))
            }
            _ => self.math1(base, float, ty),
        }
    }

    /// Functions on floats whose result is exact.
    pub fn math(&mut self, name: &str, args: &[Arg], ty: TypeId) -> Value {
        let values: Vec<Term> = args
            .iter()
            .filter_map(|arg| match arg.value {
                Value::Term(term) => Some(term),
                _ => None,
            })
            .collect();
        let is_float =
            |body: &Self, t: &Term| matches!(body.t.terms.sort_kind(body.t.terms.sort(*t)), SortKind::Float { .. });
        let result = match values[..] {
            [a] if is_float(self, &a) => self.math1(name, a, ty),
            [a, b] if is_float(self, &a) && self.t.terms.sort(a) == self.t.terms.sort(b) => self.math2(name, a, b),
            _ => None,
        };
        match result {
            Some(term) => Value::Term(term),
            None => {
                self.approximate(&format!("the function {name}"));
                self.any(ty)
            }
        }
    }

    fn math1(&mut self, name: &str, a: Term, ty: TypeId) -> Option<Term> {
        let current = self.rounding();
        let terms = &mut self.t.terms;
        let mut round = |mode| {
            let mode = terms.rounding_mode(mode);
            terms.mk(Op::FpRoundToIntegral, &[mode, a])
        };
        Some(match name {
            "fabs" => terms.mk(Op::FpAbs, &[a]),
            "floor" => round(RoundingMode::Rtn),
            "ceil" => round(RoundingMode::Rtp),
            "trunc" => round(RoundingMode::Rtz),
            "round" => round(RoundingMode::Rna),
            "roundeven" => round(RoundingMode::Rne),
            "rint" | "nearbyint" => terms.mk(Op::FpRoundToIntegral, &[current, a]),
            "sqrt" => terms.mk(Op::FpSqrt, &[current, a]),
            "isnan" | "isinf" | "finite" | "isfinite" | "signbit" | "isnormal" | "fpclassify" => {
                let TypeKind::Int(width) = self.t.module.ty(ty).kind else { return None };
                if width == 1 {
                    return None;
                }
                let number = |terms: &mut lariat_term::Terms, n: i64| {
                    terms.number(lariat_term::Value::BitVec(lariat_term::BitVec::from_int(width, n.into())))
                };
                let (nan, infinite) = (terms.mk(Op::FpIsNan, &[a]), terms.mk(Op::FpIsInfinite, &[a]));
                let (zero, one) = (number(terms, 0), number(terms, 1));
                match name {
                    "isnan" => terms.ite(nan, one, zero),
                    "isinf" => {
                        let (minus, negative) = (number(terms, -1), terms.mk(Op::FpIsNegative, &[a]));
                        let sign = terms.ite(negative, minus, one);
                        terms.ite(infinite, sign, zero)
                    }
                    "signbit" => {
                        let negative = terms.mk(Op::FpIsNegative, &[a]);
                        terms.ite(negative, one, zero)
                    }
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
                    _ => {
                        let either = terms.or(&[nan, infinite]);
                        terms.ite(either, zero, one)
                    }
                }
            }
            _ => return None,
        })
    }

    fn math2(&mut self, name: &str, a: Term, b: Term) -> Option<Term> {
        let terms = &mut self.t.terms;
        Some(match name {
            "fmin" => terms.mk(Op::FpMin, &[a, b]),
            "fmax" => terms.mk(Op::FpMax, &[a, b]),
            "copysign" => {
                let positive = terms.mk(Op::FpAbs, &[a]);
                let negative = terms.mk(Op::FpNeg, &[positive]);
                let sign = terms.mk(Op::FpIsNegative, &[b]);
                terms.ite(sign, negative, positive)
            }
            _ => return None,
        })
    }

    /// `llvm.is.fpclass`: is the float in one of these classes?
    pub fn fpclass(&mut self, args: &[Arg]) -> Value {
        let [Arg { value: Value::Term(a), .. }, Arg { value: Value::Term(mask), .. }] = args else {
            return Value::Void;
        };
        let Some(mask) = self.number(*mask) else { return Value::Void };
        let terms = &mut self.t.terms;
        let (negative, positive) = (terms.mk(Op::FpIsNegative, &[*a]), terms.mk(Op::FpIsPositive, &[*a]));
        let mut parts = Vec::new();
        // There is one NaN; it is quiet.
        if mask & 0b11 != 0 {
            parts.push(terms.mk(Op::FpIsNan, &[*a]));
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
                let class = terms.mk(op, &[*a]);
                parts.push(terms.and(&[class, sign]));
            }
        }
        Value::Term(terms.or(&parts))
    }
}
