//! Conversions between integers, pointers and floats.

use lariat_term::{Op, RoundingMode, Term, Terms};

use super::{
    body::Body,
    float::Float,
    value::{self, Value},
};
use crate::module::{CastOp, FloatKind, Operand, TypeId, TypeKind};

/// A conversion between integers.
pub(super) fn int_cast(terms: &mut Terms, op: CastOp, term: Term, width: u32) -> Term {
    match (terms.bv_width(term), op) {
        (None, CastOp::SExt) if width > 1 => {
            let bit = value::bool_to_bv(terms, term, 1);
            value::resize(terms, bit, width, true)
        }
        (None, _) if width > 1 => value::bool_to_bv(terms, term, width),
        (None, _) => term,
        (Some(_), _) if width == 1 => value::bv_to_bool(terms, term),
        (Some(_), op) => value::resize(terms, term, width, op == CastOp::SExt),
    }
}

impl Body<'_, '_> {
    pub(super) fn cast(&mut self, op: CastOp, operand: Operand, ty: TypeId) -> Value {
        let value = self.value(operand);
        let from = self.type_of(operand);
        self.cast_value(op, value, from, ty, operand)
    }

    fn cast_value(&mut self, op: CastOp, value: Value, from: Option<TypeId>, to: TypeId, operand: Operand) -> Value {
        let module = self.t.module;
        let kind = &module.ty(to).kind;
        if op == CastOp::Bitcast {
            let Some(from) = from else { return Value::Void };
            return match value {
                Value::Ptr(_) if *kind == TypeKind::Ptr => value,
                _ => {
                    let bits = value::to_bits(module, self.t.terms, &value, from);
                    let result = bits.and_then(|bits| value::from_bits(module, self.t.terms, bits, to));
                    result.unwrap_or(Value::Void)
                }
            };
        }
        if let (Value::Many(members), TypeKind::Vector(element, _)) = (&value, kind) {
            let inner = from.and_then(|from| match module.ty(from).kind {
                TypeKind::Vector(inner, _) => Some(inner),
                _ => None,
            });
            let all = members.iter().map(|member| self.cast_value(op, member.clone(), inner, *element, operand));
            return Value::Many(all.collect());
        }
        match (op, value) {
            (CastOp::AddrSpace, value) => value,
            (CastOp::PtrToInt, Value::Ptr(pointer)) => {
                let TypeKind::Int(width) = *kind else { return Value::Void };
                let bits = if width < module.pointer_bits {
                    self.looked_at_pointer(pointer, self.address(operand).unwrap_or(1))
                } else {
                    self.pointer_bits(pointer, self.target(operand))
                };
                Value::Term(int_cast(self.t.terms, CastOp::ZExt, bits, width))
            }
            (CastOp::IntToPtr, Value::Term(term)) => {
                let bits = int_cast(self.t.terms, CastOp::ZExt, term, module.pointer_bits);
                self.address_again(operand, bits);
                Value::Ptr(value::int_to_pointer(module, self.t.terms, bits))
            }
            (CastOp::Trunc | CastOp::ZExt | CastOp::SExt, Value::Term(term)) => {
                let TypeKind::Int(width) = *kind else { return Value::Void };
                let narrow = op == CastOp::Trunc && width < module.pointer_bits;
                let term = if narrow { self.looked_at(operand, term) } else { term };
                Value::Term(int_cast(self.t.terms, op, term, width))
            }
            (CastOp::FpToUi | CastOp::FpToSi, Value::Term(value)) => {
                let TypeKind::Int(width) = *kind else { return Value::Void };
                let kind = from.and_then(|from| self.float_kind(from));
                let Some(number) = kind.and_then(|kind| self.float_number(Float { value, kind })) else {
                    return Value::Void;
                };
                self.check_float_cast(number, width, op == CastOp::FpToSi);
                let mode = self.t.terms.rounding_mode(RoundingMode::Rtz);
                let op = if op == CastOp::FpToUi { Op::FpToUbv(width) } else { Op::FpToSbv(width) };
                let bits = self.t.terms.mk(op, &[mode, number]);
                Value::Term(if width == 1 { value::bv_to_bool(self.t.terms, bits) } else { bits })
            }
            (CastOp::UiToFp | CastOp::SiToFp, Value::Term(term)) => {
                let TypeKind::Float(format) = *kind else { return Value::Void };
                let Some((exp, sig)) = value::float_format(format) else { return Value::Void };
                let mode = self.rounding();
                let term = self.looked_at(operand, term);
                let bits = match self.t.terms.bv_width(term) {
                    Some(_) => term,
                    None => value::bool_to_bv(self.t.terms, term, 1),
                };
                let signed = op == CastOp::SiToFp;
                let op = if signed { Op::FpFromSbv { exp, sig } } else { Op::FpFromUbv { exp, sig } };
                let number = self.t.terms.mk(op, &[mode, bits]);
                Value::Term(self.exact_value(number, format))
            }
            (CastOp::FpTrunc | CastOp::FpExt, Value::Term(value)) => {
                let TypeKind::Float(format) = *kind else { return Value::Void };
                let from = from.and_then(|from| self.float_kind(from)).map(|kind| Float { value, kind });
                from.and_then(|from| self.float_cast(from, format)).map_or(Value::Void, Value::Term)
            }
            _ => Value::Void,
        }
    }

    /// A float in another format.
    pub fn float_cast(&mut self, float: Float, to: FloatKind) -> Option<Term> {
        let (exp, sig) = value::float_format(to)?;
        let (mode, number) = (self.rounding(), self.float_number(float)?);
        let number = self.t.terms.mk(Op::FpFromFp { exp, sig }, &[mode, number]);
        self.float_value(number, to, &[float])
    }
}
