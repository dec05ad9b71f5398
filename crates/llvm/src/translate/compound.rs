//! Compound assignments to `_Atomic` variables that clang computes otherwise than C.
//!
//! clang takes an atomic type for one without a sign and, where it stores, for one that is no `_Bool`: `s /= 2` extends a negative
//! `_Atomic short` by zeros, `i *= d` takes a negative `_Atomic int` for a large number, `i += d` cuts `d` before it adds, and
//! `b |= 2` stores a 2 in an `_Atomic _Bool`. LLVM IR does not say which type the variable has. So each check here allows the values
//! for which both readings agree; what is left is not supported.

use lariat_term::{Op, Term};

use super::{body::Body, float::Float, value::Value};
use crate::module::{CastOp, Const, Inst, InstId, InstKind, Operand, TypeKind};

const WHAT: &str = "a compound assignment to an `_Atomic` variable that clang computes otherwise than C";

impl Body<'_, '_> {
    fn defined_by(&self, operand: Operand) -> Option<&Inst> {
        match operand {
            Operand::Inst(inst) => Some(self.function()?.inst(inst)),
            _ => None,
        }
    }

    fn converted(&self, operand: Operand, wanted: CastOp) -> Option<Operand> {
        match self.defined_by(operand)?.kind {
            InstKind::Cast { op, value } if op == wanted => Some(value),
            _ => None,
        }
    }

    /// The values that the variable of a compound assignment may have had: the operand is what clang's loop expects to find there, and
    /// reads again where it does not.
    fn old_values(&self, operand: Operand) -> Option<Vec<Operand>> {
        let InstKind::Phi(incoming) = &self.defined_by(operand)?.kind else { return None };
        let found = |&(_, mut value): &(_, Operand)| {
            // An `_Atomic _Bool` is cut to its bit and extended again.
            while let Some(InstKind::Cast { value: inner, .. }) = self.defined_by(value).map(|inst| &inst.kind) {
                value = *inner;
            }
            let Some(InstKind::ExtractValue { value, .. }) = self.defined_by(value).map(|inst| &inst.kind) else {
                return false;
            };
            let exchange = self.defined_by(*value).map(|inst| &inst.kind);
            matches!(exchange, Some(InstKind::CompareExchange { expected, .. }) if *expected == operand)
        };
        incoming.iter().any(found).then(|| incoming.iter().map(|&(_, value)| value).collect())
    }

    /// Before a conversion: of the old value, or of the new one.
    pub(super) fn check_compound_cast(&mut self, id: InstId, op: CastOp, operand: Operand) {
        match op {
            CastOp::ZExt | CastOp::UiToFp if self.old_values(operand).is_some() => {
                let Some(old) = self.scalar(operand) else { return };
                let Some(width) = self.t.terms.bv_width(old) else { return };
                let zero = self.t.terms.bv(width, 0u64);
                let fits = self.t.terms.mk(Op::BvSle, &[zero, old]);
                self.supported_if(fits, WHAT);
            }
            CastOp::FpToUi => {
                // clang puts the update right behind.
                let next = self.function().and_then(|function| function.insts.get(id.index() + 1));
                let Some(next) = next.map(|next| next.kind.clone()) else { return };
                match next {
                    InstKind::AtomicUpdate { value, .. } if value == Operand::Inst(id) => self.unsupported(WHAT),
                    InstKind::CompareExchange { expected, new, .. }
                        if new == Operand::Inst(id) && self.old_values(expected).is_some() =>
                    {
                        self.check_compound_float(operand);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// A float that becomes the new value must be none that a signed type holds and an unsigned one does not. (Those that fit an
    /// unsigned type only are checked below: the new value is negative then.)
    fn check_compound_float(&mut self, operand: Operand) {
        let kind = self.type_of(operand).and_then(|ty| self.float_kind(ty));
        let number = match (kind, self.value(operand)) {
            (Some(kind), Value::Term(value)) => self.float_number(Float { value, kind }),
            _ => None,
        };
        let fits = number.map(|number| {
            let negative = self.t.terms.mk(Op::FpIsNegative, &[number]);
            let zero = self.t.terms.mk(Op::FpIsZero, &[number]);
            let positive = self.t.terms.not(negative);
            self.t.terms.or(&[positive, zero])
        });
        let fits = fits.unwrap_or_else(|| self.t.terms.bool(false));
        self.supported_if(fits, WHAT);
    }

    /// Before the new value is stored, where it was expected to find the old one.
    pub(super) fn check_compound_store(&mut self, expected: Operand, new: Operand) {
        let Some(old) = self.old_values(expected) else { return };
        let is_bit = |operand: Operand| {
            let bit = self.converted(operand, CastOp::ZExt);
            bit.is_some_and(|bit| self.type_of(bit).is_some_and(|ty| self.t.module.ty(ty).kind == TypeKind::Int(1)))
        };
        let fits = if old.into_iter().all(is_bit) {
            // Any number but 0 is `true` in C, and so is 0.5.
            if self.converted(new, CastOp::FpToUi).is_some() {
                return self.unsupported(WHAT);
            }
            let whole = self.converted(new, CastOp::Trunc).unwrap_or(new);
            self.scalar(whole).map(|whole| self.at_most(whole, 1))
        } else if self.converted(new, CastOp::FpToUi).is_some() {
            self.scalar(new).and_then(|new| {
                let width = self.t.terms.bv_width(new)?;
                let zero = self.t.terms.bv(width, 0u64);
                Some(self.t.terms.mk(Op::BvSle, &[zero, new]))
            })
        } else {
            return;
        };
        if let Some(fits) = fits {
            self.supported_if(fits, WHAT);
        }
    }

    /// Before an update by one instruction: what is added has no value if it was a negative constant with a fraction.
    pub(super) fn check_compound_update(&mut self, value: Operand) {
        if let Operand::Const(c) = value
            && matches!(self.t.module.constant(c), Const::Poison(_) | Const::Undef(_))
        {
            self.unsupported(WHAT);
        }
    }

    fn at_most(&mut self, number: Term, limit: u64) -> Term {
        let Some(width) = self.t.terms.bv_width(number) else { return self.t.terms.bool(true) };
        let limit = self.t.terms.bv(width, limit);
        self.t.terms.mk(Op::BvUle, &[number, limit])
    }
}
