//! Floats: the functions on them whose result is exact, and the rounding mode.

use lariat_program::Loc;
use lariat_term::{Op, RoundingMode, Term, Var};

use super::{
    Translator,
    body::Body,
    call::Arg,
    float::Float,
    value::{self, Value},
};
use crate::{
    library::{self, FloatFunction, Operation},
    module::{Const, FloatKind, Function, Operand, TypeId, TypeKind},
};

/// What a function of CBMC asks of a float, and whether the argument is a `float` (a caller without a declaration
/// passes a `double`).
pub(super) fn classifies(what: &str) -> Option<(FloatFunction, bool)> {
    const KNOWN: [(&str, FloatFunction); 5] = [
        ("isnan", FloatFunction::IsNan),
        ("isinf", FloatFunction::IsInf),
        ("isfinite", FloatFunction::IsFinite),
        ("isnormal", FloatFunction::IsNormal),
        ("sign", FloatFunction::SignBit),
    ];
    KNOWN.iter().find_map(|&(name, function)| match what.strip_prefix(name)? {
        "f" => Some((function, true)),
        "d" | "ld" => Some((function, false)),
        _ => None,
    })
}

/// The bits of the rounding mode in what `fesetround` takes, and what each value of them means: the mode, and its
/// number in `FLT_ROUNDS`.
const MODE_BITS: (u32, u32) = (11, 10);
const MODES: [(RoundingMode, u32); 4] =
    [(RoundingMode::Rne, 1), (RoundingMode::Rtn, 3), (RoundingMode::Rtp, 2), (RoundingMode::Rtz, 0)];

/// Variables of other verifiers that are the rounding mode: 0 to the nearest, 1 down, 2 up, 3 to zero, which is the order of [`MODES`].
const VARIABLES: [&str; 2] = ["__CPROVER_rounding_mode", "__ESBMC_rounding_mode"];

impl Translator<'_> {
    /// Declares the rounding mode, if the program may set it.
    pub(super) fn declare_rounding(&mut self, reachable: &[bool]) {
        let sets = |(f, reached): (&Function, &bool)| {
            *reached && library::operation(self.module, f) == Some(Operation::SetRounding)
        };
        let variable = self.module.globals.iter().any(|global| VARIABLES.contains(&global.name.as_str()));
        if variable || self.module.functions.iter().zip(reachable).any(sets) {
            let sort = self.terms.bv_sort(2);
            self.rounding = Some(self.global("fenv.rounding", sort, None, Loc::NONE));
        }
    }

    /// The rounding mode at the start.
    pub(super) fn initial_rounding(&mut self) -> Option<(Var, Term)> {
        let variable = self.module.globals.iter().find(|global| VARIABLES.contains(&global.name.as_str()));
        let mode = match variable.and_then(|global| global.init).map(|init| self.module.constant(init)) {
            Some(Const::Int(_, words)) => words.first().map_or(0, |word| word % 4),
            _ => 0,
        };
        Some((self.rounding?, self.terms.bv(2, mode)))
    }
}

impl Body<'_, '_> {
    /// Whether an operand is the address of a variable that is the rounding mode, and what is accessed is such a number.
    pub(super) fn is_rounding_mode(&self, ptr: Operand, ty: TypeId) -> bool {
        let Operand::Const(c) = ptr else { return false };
        let Const::Global(g) = self.t.module.constant(c) else { return false };
        VARIABLES.contains(&self.t.module.globals[g.index()].name.as_str())
            && matches!(self.t.module.ty(ty).kind, TypeKind::Int(width) if width > 2)
    }

    /// A variable that is the rounding mode is read.
    pub(super) fn read_rounding(&mut self, ty: TypeId) -> Value {
        let (Some(var), TypeKind::Int(width)) = (self.t.rounding, &self.t.module.ty(ty).kind) else {
            return Value::Void;
        };
        let (mode, width) = (self.term(var), *width);
        Value::Term(value::resize(self.t.terms, mode, width, false))
    }

    /// Such a variable is set.
    pub(super) fn write_rounding(&mut self, value: &Value) {
        let (Some(var), &Value::Term(mode)) = (self.t.rounding, value) else { return };
        let Some(width) = self.t.terms.bv_width(mode) else { return };
        let last = self.t.terms.bv(width, 3u32);
        let known = self.t.terms.mk(Op::BvUle, &[mode, last]);
        self.supported_if(known, "a rounding mode that is not known");
        let bits = self.t.terms.extract(1, 0, mode);
        self.assign(vec![(var, bits)]);
    }

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
    pub fn classify(&mut self, base: FloatFunction, narrow: bool, args: &[Arg], ty: TypeId) -> Option<Term> {
        let Arg { value: Value::Term(value), ty: from, .. } = *args.first()? else { return None };
        let mut float = Float { value, kind: self.float_kind(from)? };
        if narrow && float.kind != FloatKind::Single {
            // It was a `float` before it was passed.
            float = Float { value: self.float_cast(float, FloatKind::Single)?, kind: FloatKind::Single };
        }
        match (base, &self.t.module.ty(ty).kind) {
            (_, TypeKind::Int(1)) => None,
            // Any number that is not zero.
            (FloatFunction::IsInf, &TypeKind::Int(width)) => {
                let number = self.float_number(float)?;
                let infinite = self.t.terms.mk(Op::FpIsInfinite, &[number]);
                Some(value::bool_to_bv(self.t.terms, infinite, width))
            }
            _ => self.math_term(base, &[float], ty),
        }
    }

    /// A function on floats, called by this name; of vectors, element by element.
    pub fn math(&mut self, function: FloatFunction, name: &str, args: &[Arg], ty: TypeId) -> Value {
        let kind = args.first().and_then(|arg| self.float_kind(arg.ty));
        let same = args.iter().all(|arg| self.t.module.ty(arg.ty).kind == self.t.module.ty(args[0].ty).kind);
        let values: Vec<&Value> = args.iter().map(|arg| &arg.value).collect();
        let kind = kind.filter(|_| same);
        let result = kind
            .and_then(|kind| self.each_float(&values, kind, &mut |body, floats| body.math_term(function, floats, ty)));
        result.unwrap_or_else(|| {
            self.approximate(&format!("the function {name}"));
            self.any(ty)
        })
    }

    fn math_term(&mut self, function: FloatFunction, floats: &[Float], ty: TypeId) -> Option<Term> {
        match *floats {
            [a] => self.math1(function, a, ty),
            [a, b] => self.math2(function, a, b),
            [a, b, c] => self.math3(function, a, b, c),
            _ => None,
        }
    }

    fn math1(&mut self, function: FloatFunction, float: Float, ty: TypeId) -> Option<Term> {
        let (mode, a) = (self.rounding(), self.float_number(float)?);
        let terms = &mut self.t.terms;
        let mode = match function {
            FloatFunction::Floor => terms.rounding_mode(RoundingMode::Rtn),
            FloatFunction::Ceil => terms.rounding_mode(RoundingMode::Rtp),
            FloatFunction::Trunc => terms.rounding_mode(RoundingMode::Rtz),
            FloatFunction::Round => terms.rounding_mode(RoundingMode::Rna),
            FloatFunction::RoundEven => terms.rounding_mode(RoundingMode::Rne),
            _ => mode,
        };
        let result = match function {
            FloatFunction::Abs => {
                let positive = terms.bv(1, 0u32);
                return Some(self.with_sign(float, positive));
            }
            FloatFunction::Floor
            | FloatFunction::Ceil
            | FloatFunction::Trunc
            | FloatFunction::Round
            | FloatFunction::RoundEven
            | FloatFunction::Rint => terms.mk(Op::FpRoundToIntegral, &[mode, a]),
            FloatFunction::Sqrt => terms.mk(Op::FpSqrt, &[mode, a]),
            _ => return self.class_number(function, float, a, ty),
        };
        self.float_value(result, float.kind, &[float])
    }

    /// The functions that say of which kind a float is.
    fn class_number(&mut self, function: FloatFunction, float: Float, a: Term, ty: TypeId) -> Option<Term> {
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
        Some(match function {
            FloatFunction::IsNan => terms.ite(nan, one, zero),
            FloatFunction::IsInf => {
                let (minus, negative) = (number(terms, -1), terms.mk(Op::FpIsNegative, &[a]));
                let sign = terms.ite(negative, minus, one);
                terms.ite(infinite, sign, zero)
            }
            FloatFunction::SignBit => value::resize(terms, sign, width, false),
            FloatFunction::IsNormal => {
                let normal = terms.mk(Op::FpIsNormal, &[a]);
                terms.ite(normal, one, zero)
            }
            FloatFunction::Classify => {
                let (is_zero, subnormal) = (terms.mk(Op::FpIsZero, &[a]), terms.mk(Op::FpIsSubnormal, &[a]));
                let [two, three, four] = [2, 3, 4].map(|n| number(terms, n));
                let rest = terms.ite(subnormal, three, four);
                let rest = terms.ite(is_zero, two, rest);
                let rest = terms.ite(infinite, one, rest);
                terms.ite(nan, zero, rest)
            }
            FloatFunction::IsFinite => {
                let either = terms.or(&[nan, infinite]);
                terms.ite(either, zero, one)
            }
            _ => return None,
        })
    }

    fn math2(&mut self, function: FloatFunction, a: Float, b: Float) -> Option<Term> {
        if function == FloatFunction::CopySign {
            let sign = self.sign_bit(b)?;
            return Some(self.with_sign(a, sign));
        }
        let op = match function {
            FloatFunction::Min => Op::FpMin,
            FloatFunction::Max => Op::FpMax,
            _ => return None,
        };
        let (x, y) = (self.float_number(a)?, self.float_number(b)?);
        let result = self.t.terms.mk(op, &[x, y]);
        self.float_value(result, a.kind, &[a, b])
    }

    fn math3(&mut self, function: FloatFunction, a: Float, b: Float, c: Float) -> Option<Term> {
        let mode = self.rounding();
        let (x, y, z) = (self.float_number(a)?, self.float_number(b)?, self.float_number(c)?);
        let result = match function {
            FloatFunction::FusedMulAdd => self.t.terms.mk(Op::FpFma, &[mode, x, y, z]),
            FloatFunction::MulAdd => {
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
