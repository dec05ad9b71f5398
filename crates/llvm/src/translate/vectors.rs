//! Intrinsics on vectors: what is done to each element, reductions to one value, and saturating arithmetic.

use lariat_term::{Op, Sort, Term};

use super::{
    arithmetic,
    body::Body,
    call::Arg,
    value::{self, Value},
};
use crate::{
    library::FloatFunction,
    module::{BinaryOp, FloatOp, TypeId},
};

impl Body<'_, '_> {
    /// An operation on integers, element by element if the first argument is a vector. Arguments that are no vectors,
    /// such as flags, are the same for all elements.
    pub fn elementwise(&mut self, args: &[Arg], f: &mut dyn FnMut(&mut Self, &[Arg]) -> Option<Term>) -> Option<Value> {
        let Some(Value::Many(first)) = args.first().map(|arg| &arg.value) else {
            return f(self, args).map(Value::Term);
        };
        let mut members = Vec::with_capacity(first.len());
        for i in 0..first.len() {
            let mut row = args.to_vec();
            for arg in &mut row {
                if let Value::Many(elements) = &arg.value {
                    arg.value = elements.get(i)?.clone();
                }
            }
            members.push(Value::Term(f(self, &row)?));
        }
        Some(Value::Many(members))
    }

    /// `llvm.vector.reduce.*`, by its last word.
    pub fn reduce(&mut self, name: &str, args: &[Arg], ty: TypeId) -> Option<Value> {
        let (start, vector) = match args {
            [vector] => (None, vector),
            [start, vector] => (Some(start.value.clone()), vector),
            _ => return None,
        };
        let Value::Many(members) = vector.value.clone() else { return None };
        let mut members = members.into_iter();
        // In order, as an addition of floats without licence to change it is.
        let first = start.or_else(|| members.next())?;
        let mut result = first;
        for member in members {
            result = self.combine(name, result, member, vector, ty)?;
        }
        Some(result)
    }

    fn combine(&mut self, name: &str, a: Value, b: Value, vector: &Arg, ty: TypeId) -> Option<Value> {
        let float = match name {
            "fadd" => Some(FloatOp::Add),
            "fmul" => Some(FloatOp::Mul),
            _ => None,
        };
        if let (Some(op), Some(kind)) = (float, self.float_kind(ty)) {
            return self.each_float(&[&a, &b], kind, &mut |body, floats| body.float_binary(op, floats));
        }
        let function = FloatFunction::of_reduction(name);
        let arg = |value| Arg { value, ty, operand: vector.operand, byval: None, align: 0, room: None };
        if let Some(function) = function {
            return Some(self.math(function, name, &[arg(a), arg(b)], ty));
        }
        let (Value::Term(a), Value::Term(b)) = (a, b) else { return None };
        let (x, y) = (self.looked_at(vector.operand, a), self.looked_at(vector.operand, b));
        let op = match name {
            "add" => Some(BinaryOp::Add),
            "mul" => Some(BinaryOp::Mul),
            "and" => Some(BinaryOp::And),
            "or" => Some(BinaryOp::Or),
            "xor" => Some(BinaryOp::Xor),
            _ => None,
        };
        let truth = self.t.terms.sort(x) == Sort::BOOL;
        let term = match (op, name) {
            (Some(op), _) if truth => {
                let (x, y) = (value::bool_to_bv(self.t.terms, x, 1), value::bool_to_bv(self.t.terms, y, 1));
                let bit = arithmetic::binary(self.t.terms, op, x, y);
                value::bv_to_bool(self.t.terms, bit)
            }
            (Some(op), _) => arithmetic::binary(self.t.terms, op, x, y),
            (None, "smax" | "smin" | "umax" | "umin") if !truth => {
                self.bits(name, &[arg(Value::Term(x)), arg(Value::Term(y))])?
            }
            _ => return None,
        };
        Some(Value::Term(term))
    }

    /// `llvm.sadd.sat` and its relatives: the nearest number that the type has.
    pub fn saturating(&mut self, base: &str, args: &[Arg]) -> Option<Term> {
        let [Value::Term(a), Value::Term(b)] = [args.first()?.value.clone(), args.get(1)?.value.clone()] else {
            return None;
        };
        let (a, b) = (self.looked_at(args[0].operand, a), self.looked_at(args[1].operand, b));
        let op = match &base[1..] {
            "add" => BinaryOp::Add,
            "sub" => BinaryOp::Sub,
            _ => return None,
        };
        let terms = &mut self.t.terms;
        let width = terms.bv_width(a)?;
        let result = arithmetic::binary(terms, op, a, b);
        let smallest = arithmetic::smallest(terms, width);
        let zero = terms.bv(width, 0u32);
        if base.starts_with('s') {
            let fits = arithmetic::no_overflow(terms, op, a, b);
            let largest = terms.mk(Op::BvNot, &[smallest]);
            // Beyond the range lies what the first number is already close to.
            let negative = terms.mk(Op::BvSlt, &[a, zero]);
            let limit = terms.ite(negative, smallest, largest);
            return Some(terms.ite(fits, result, limit));
        }
        let (fits, limit) = match op {
            BinaryOp::Add => (terms.mk(Op::BvUle, &[a, result]), terms.mk(Op::BvNot, &[zero])),
            _ => (terms.mk(Op::BvUle, &[b, a]), zero),
        };
        Some(terms.ite(fits, result, limit))
    }
}
