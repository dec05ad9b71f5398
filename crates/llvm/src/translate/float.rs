//! Floats as numbers and as bit patterns.
//!
//! Arithmetic is that of the solver's floats, which have one NaN. Where the program can see patterns
//! ([`crate::module::Module::float_bits`]), values are patterns: `float_number` gives what such a value means, and `float_value`
//! the pattern of a result. Signs are bits: `fneg`, `fabs` and `copysign` change nothing else, of a NaN neither.
//!
//! Which NaN an operation gives is open in IEEE 754, C and LLVM. Here it is what processors and compilers do: one of the
//! operands that are NaN, made quiet; or, where none is, the NaN without payload, with either sign.

use dashu_int::UBig;
use lariat_term::{Op, Sort, Term};

use super::{
    body::Body,
    value::{self, Value},
};
use crate::module::{FloatKind, TypeId, TypeKind};

/// A float as a value of the program, and its format.
#[derive(Clone, Copy)]
pub(super) struct Float {
    pub value: Term,
    pub kind: FloatKind,
}

impl Body<'_, '_> {
    /// The format of a float, or of the elements of a vector of floats.
    pub fn float_kind(&self, ty: TypeId) -> Option<FloatKind> {
        match self.t.module.ty(ty).kind {
            TypeKind::Float(kind) => Some(kind),
            TypeKind::Vector(element, _) => self.float_kind(element),
            _ => None,
        }
    }

    /// What a float means.
    pub fn float_number(&mut self, float: Float) -> Option<Term> {
        match self.t.module.float_bits {
            true => value::decode_float(self.t.terms, float.value, float.kind),
            false => Some(float.value),
        }
    }

    /// The value of a number that an operation computed of these operands.
    pub fn float_value(&mut self, number: Term, kind: FloatKind, operands: &[Float]) -> Option<Term> {
        if !self.t.module.float_bits {
            return Some(number);
        }
        let bits = value::encode_float(self.t.terms, number, kind);
        let nan = self.t.terms.mk(Op::FpIsNan, &[number]);
        if nan == self.t.terms.bool(false) {
            return Some(bits);
        }
        let pattern = self.nan_of(kind, operands)?;
        Some(self.t.terms.ite(nan, pattern, bits))
    }

    /// The value of a number that is no NaN.
    pub fn exact_value(&mut self, number: Term, kind: FloatKind) -> Term {
        match self.t.module.float_bits {
            true => value::encode_float(self.t.terms, number, kind),
            false => number,
        }
    }

    /// The NaN that an operation gives whose result is one.
    fn nan_of(&mut self, kind: FloatKind, operands: &[Float]) -> Option<Term> {
        let bit = self.t.terms.bv_sort(1);
        let room = payload_bits(kind)?;
        let mut sign = None;
        let mut payload = self.t.terms.bv(room, 0u32);
        let mut none = self.t.terms.bool(true);
        let (yes, no) = (self.t.terms.bool(true), self.t.terms.bool(false));
        for &operand in operands.iter().rev() {
            let number = self.float_number(operand)?;
            let nan = self.t.terms.mk(Op::FpIsNan, &[number]);
            if nan == no {
                continue;
            }
            let taken = match none == yes {
                true => nan,
                false => {
                    let choice = self.fresh("nan", Sort::BOOL);
                    let free = self.t.terms.or(&[none, choice]);
                    self.t.terms.and(&[nan, free])
                }
            };
            let width = value::float_width(operand.kind);
            let own = self.t.terms.extract(width - 1, width - 1, operand.value);
            let other = sign.unwrap_or_else(|| self.fresh("nan", bit));
            sign = Some(self.t.terms.ite(taken, own, other));
            let own = self.payload(operand, room)?;
            payload = self.t.terms.ite(taken, own, payload);
            let some = self.t.terms.not(nan);
            none = self.t.terms.and(&[none, some]);
        }
        let sign = sign.unwrap_or_else(|| self.fresh("nan", bit));
        let fixed = value::float_width(kind) - 1 - room;
        let ones = self.t.terms.bv(fixed, UBig::ones(fixed as usize));
        let high = self.t.terms.mk(Op::Concat, &[sign, ones]);
        Some(self.t.terms.mk(Op::Concat, &[high, payload]))
    }

    /// What a NaN carries, in so many bits: conversions keep the first ones.
    fn payload(&mut self, nan: Float, room: u32) -> Option<Term> {
        let own = payload_bits(nan.kind)?;
        if room <= own {
            return Some(self.t.terms.extract(own - 1, own - room, nan.value));
        }
        let payload = self.t.terms.extract(own - 1, 0, nan.value);
        let zeros = self.t.terms.bv(room - own, 0u32);
        Some(self.t.terms.mk(Op::Concat, &[payload, zeros]))
    }

    /// The sign of a float as one bit.
    pub fn sign_bit(&mut self, float: Float) -> Option<Term> {
        if self.t.module.float_bits {
            let width = value::float_width(float.kind);
            return Some(self.t.terms.extract(width - 1, width - 1, float.value));
        }
        let negative = self.t.terms.mk(Op::FpIsNegative, &[float.value]);
        Some(value::bool_to_bv(self.t.terms, negative, 1))
    }

    /// A float with another sign. Without patterns, where nobody sees it, NaN has none.
    pub fn with_sign(&mut self, float: Float, sign: Term) -> Term {
        if !self.t.module.float_bits {
            let positive = self.t.terms.mk(Op::FpAbs, &[float.value]);
            let negative = self.t.terms.mk(Op::FpNeg, &[positive]);
            let sign = value::bv_to_bool(self.t.terms, sign);
            return self.t.terms.ite(sign, negative, positive);
        }
        let width = value::float_width(float.kind);
        let rest = self.t.terms.extract(width - 2, 0, float.value);
        self.t.terms.mk(Op::Concat, &[sign, rest])
    }

    /// `-x`.
    pub fn float_neg(&mut self, float: Float) -> Option<Term> {
        if !self.t.module.float_bits {
            return Some(self.t.terms.mk(Op::FpNeg, &[float.value]));
        }
        let sign = self.sign_bit(float)?;
        let sign = self.t.terms.mk(Op::BvNot, &[sign]);
        Some(self.with_sign(float, sign))
    }

    /// Whether a float is a NaN, and a quiet one.
    pub fn quiet(&mut self, float: Float) -> Option<(Term, Term)> {
        let number = self.float_number(float)?;
        let nan = self.t.terms.mk(Op::FpIsNan, &[number]);
        if !self.t.module.float_bits {
            return Some((nan, self.t.terms.bool(true)));
        }
        let room = payload_bits(float.kind)?;
        let bit = self.t.terms.extract(room, room, float.value);
        Some((nan, value::bv_to_bool(self.t.terms, bit)))
    }

    /// Applies an operation to floats, or to the elements of vectors of them.
    pub fn each_float(
        &mut self,
        values: &[&Value],
        kind: FloatKind,
        f: &mut dyn FnMut(&mut Self, &[Float]) -> Option<Term>,
    ) -> Option<Value> {
        if let Some(Value::Many(first)) = values.first() {
            let mut members = Vec::with_capacity(first.len());
            for i in 0..first.len() {
                let row: Option<Vec<&Value>> = values
                    .iter()
                    .map(|value| match value {
                        Value::Many(members) => members.get(i),
                        _ => None,
                    })
                    .collect();
                members.push(self.each_float(&row?, kind, f)?);
            }
            return Some(Value::Many(members));
        }
        let floats: Option<Vec<Float>> = values
            .iter()
            .map(|value| match value {
                Value::Term(value) => Some(Float { value: *value, kind }),
                _ => None,
            })
            .collect();
        Some(Value::Term(f(self, &floats?)?))
    }
}

/// How many bits of a NaN are free: not its sign, not the exponent, and not the bit that makes it quiet.
fn payload_bits(kind: FloatKind) -> Option<u32> {
    Some(value::float_format(kind)?.1 - 2)
}
