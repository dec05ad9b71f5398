//! Undefined behaviour that sanitizers report: conversions of floats, builtins outside of their domain, places that are
//! never to be reached, copies that overlap. Also the traps that the driver asks clang for.

use lariat_program::AssertKind;
use lariat_term::{Op, RoundingMode, SortKind, Term, Terms};

use super::{
    body::Body,
    value::{self, Pointer, Value},
};
use crate::{
    memory::{Target, reduce},
    module::{BlockId, Callee, Const, Function, Gep, InstId, InstKind, Operand, TypeKind},
    trace::Check,
};

impl Body<'_, '_> {
    /// What has gone wrong where clang calls a function of its sanitizers, if that is asked for.
    fn trap(&self, name: &str, kind: Option<Operand>) -> Option<AssertKind> {
        let properties = &self.t.options.properties;
        let overflow = properties.overflow.then_some(AssertKind::Overflow);
        match name {
            "__ubsan_handle_divrem_overflow_minimal_abort" => properties.division.then_some(AssertKind::Division),
            "__ubsan_handle_shift_out_of_bounds_minimal_abort" => properties.shift.then_some(AssertKind::Shift),
            "llvm.ubsantrap" => {
                let Operand::Const(kind) = kind? else { return None };
                let kind = match self.t.module.constant(kind) {
                    Const::Int(_, words) => words.first().copied()?,
                    Const::Zero(_) => 0,
                    _ => return None,
                };
                // The numbers of clang's handlers: +, / and %, *, unary -, <<, binary -; of floats; of lengths of arrays.
                match kind {
                    0 | 3 | 12 | 13 | 20 | 21 => overflow,
                    5 => properties.float_cast.then_some(AssertKind::Cast),
                    24 => properties.bounds.then_some(AssertKind::Bounds),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What has gone wrong where a block starts with a trap that the driver asks for.
    pub fn trap_block(&self, f: &Function, block: BlockId) -> Option<AssertKind> {
        let first = f.blocks[block.index()].insts.clone().next()?;
        let InstKind::Call { callee: Callee::Function(g), args, .. } = &f.insts[first as usize].kind else {
            return None;
        };
        self.trap(&self.t.module.functions[g.index()].name, args.first().copied())
    }

    /// A call of such a function ends the execution.
    pub fn reach_trap(&mut self, name: &str, kind: Option<Operand>) {
        if let Some(kind) = self.trap(name, kind) {
            let never = self.t.terms.bool(false);
            self.check(kind, None, never);
        }
        self.stop();
    }

    /// Checks that undefined behaviour of another kind does not occur.
    pub fn check_defined(&mut self, what: &str, cond: Term) {
        if self.t.options.properties.undefined {
            self.check(AssertKind::Undefined, Some(what.to_owned()), cond);
        }
    }

    /// Checks that two pointers that are ordered point into the same object.
    pub fn check_order(&mut self, p: Pointer, q: Pointer) {
        if self.t.options.properties.pointer_compare {
            self.check_same_object(p, q);
        }
    }

    /// Checks that two pointers point into the same object. Null and other numbers are no objects: how far a
    /// pointer is from them is asked on every platform.
    fn check_same_object(&mut self, p: Pointer, q: Pointer) {
        // Functions of the library take what they are given.
        let model = self.function().is_some_and(|f| self.is_model(f));
        if !model {
            let same = self.t.terms.eq(p.object, q.object);
            let numbers = [p, q].map(|pointer| self.is_plain_number(pointer));
            let same = self.t.terms.or(&[same, numbers[0], numbers[1]]);
            self.check_about(AssertKind::SameObject, None, same, Some(Check::Pair(p.object, q.object)));
        }
    }

    /// Checks that two pointers that are subtracted, as the integers that clang makes of them, point into the same object.
    pub fn check_distance(&mut self, lhs: Operand, rhs: Operand) {
        if !self.t.options.properties.pointer_subtract {
            return;
        }
        let mut pointer = |operand: Operand| {
            self.pointer_behind(operand).or_else(|| match self.value(operand) {
                Value::Term(number) => Some(value::int_to_pointer(self.t.module, self.t.terms, number)),
                _ => None,
            })
        };
        if let (Some(p), Some(q)) = (pointer(lhs), pointer(rhs)) {
            self.check_same_object(p, q);
        }
    }

    /// The end of a block that control never reaches, says the compiler: behind `__builtin_unreachable` and calls of
    /// functions that never return.
    pub fn reach_unreachable(&mut self) {
        if !self.is_dead() {
            let never = self.t.terms.bool(false);
            self.check_defined("control reaches what is declared unreachable", never);
        }
    }

    /// Finds the addresses that are accessed in the block that computes them: what is wrong with them shows there.
    pub fn find_dereferenced(&mut self, f: &Function) {
        if !self.t.options.properties.null {
            return;
        }
        let mut accessed = vec![false; f.insts.len()];
        for block in &f.blocks {
            for i in block.insts.clone().rev() {
                let ptr = match f.insts[i as usize].kind {
                    InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. } => ptr,
                    InstKind::Gep(ref gep) if accessed[i as usize] => gep.base,
                    _ => continue,
                };
                if let Operand::Inst(inst) = ptr {
                    accessed[inst.index()] |= block.insts.contains(&inst.0);
                }
            }
        }
        self.dereferenced = accessed;
    }

    /// Checks that an address is not computed from the null pointer: that of a member, or another one.
    pub fn check_address(&mut self, id: InstId, gep: &Gep<Operand>, address: &Value) {
        let accessed =
            |operand| matches!(operand, Operand::Inst(i) if self.dereferenced.get(i.index()) != Some(&false));
        if !self.t.options.properties.null || !gep.inbounds || accessed(Operand::Inst(id)) || accessed(gep.base) {
            return;
        }
        let (Some(base), Value::Ptr(address)) = (self.pointer(gep.base), address) else { return };
        let (object, start) = (self.t.object_term(0), self.t.offset_term(0));
        let mut defined = vec![self.t.terms.ne(base.object, object), self.t.terms.ne(base.offset, start)];
        let member = gep.terms.is_empty() && matches!(self.t.module.ty(gep.element).kind, TypeKind::Struct(_));
        if !member {
            defined.push(self.t.terms.eq(address.offset, start));
        }
        let defined = self.t.terms.or(&defined);
        self.check(AssertKind::Null, Some("an address is computed from it".into()), defined);
    }

    /// Checks that an integer type holds what is left of a float without its fraction.
    pub fn check_float_cast(&mut self, float: Term, width: u32, signed: bool) {
        if !self.t.options.properties.float_cast {
            return;
        }
        let terms = &mut self.t.terms;
        let SortKind::Float { exp, sig } = terms.sort_kind(terms.sort(float)) else { return };
        let mode = terms.rounding_mode(RoundingMode::Rne);
        let number = |terms: &mut Terms, bits: dashu_int::UBig| {
            let bits = terms.bv(width + 1, bits);
            terms.mk(Op::FpFromUbv { exp, sig }, &[mode, bits])
        };
        // The first number above the range is a power of two, and so is the last one of a signed range below zero.
        let power = if signed { width - 1 } else { width };
        let limit = dashu_int::UBig::ONE << power as usize;
        let mut parts = Vec::new();
        if power < 1 << (exp - 1) {
            // What is below, and still is in the range without its fraction.
            let (below, strict) = match signed {
                true if sig < width => (number(terms, limit.clone()), false),
                true => (number(terms, limit.clone() + 1u32), true),
                false => (number(terms, dashu_int::UBig::ONE), true),
            };
            let limit = number(terms, limit);
            let below = terms.mk(Op::FpNeg, &[below]);
            parts.push(terms.mk(if strict { Op::FpLt } else { Op::FpLe }, &[below, float]));
            parts.push(terms.mk(Op::FpLt, &[float, limit]));
        } else {
            for op in [Op::FpIsNan, Op::FpIsInfinite] {
                let is = terms.mk(op, &[float]);
                parts.push(terms.not(is));
            }
            if !signed {
                let one = number(terms, dashu_int::UBig::ONE);
                let below = terms.mk(Op::FpNeg, &[one]);
                parts.push(terms.mk(Op::FpLt, &[below, float]));
            }
        }
        let fits = self.t.terms.and(&parts);
        let about = Check::FloatCast { value: float, bits: width, signed };
        self.check_about(AssertKind::Cast, None, fits, Some(about));
    }

    /// Checks that a copy does not overlap with its source. Copying something to itself does no harm, and structures
    /// are assigned like that.
    pub fn check_overlap(&mut self, to: (Pointer, Option<Target>), from: (Pointer, Option<Target>), bytes: Term) {
        let properties = &self.t.options.properties;
        let kind = if properties.undefined { AssertKind::Undefined } else { AssertKind::String };
        if !(properties.undefined || properties.strings) || !self.may_overlap(to.1, from.1, bytes) {
            return;
        }
        let (p, q) = (to.0, from.0);
        let none = self.t.offset_term(0);
        let terms = &mut self.t.terms;
        let (there, back) = (terms.bv_sub(q.offset, p.offset), terms.bv_sub(p.offset, q.offset));
        let behind = terms.mk(Op::BvSle, &[none, there]);
        let distance = terms.ite(behind, there, back);
        let apart = [
            terms.ne(p.object, q.object),
            terms.eq(p.offset, q.offset),
            terms.eq(bytes, none),
            terms.mk(Op::BvUle, &[bytes, distance]),
        ];
        let apart = terms.or(&apart);
        self.check(kind, Some("source and destination of memcpy overlap".into()), apart);
    }

    /// Whether two copies of so many bytes can overlap at all without being the same.
    fn may_overlap(&self, to: Option<Target>, from: Option<Target>, bytes: Term) -> bool {
        let (Some(to), Some(from)) = (to, from) else { return false };
        if to.group != from.group {
            return false;
        }
        let modulus = self.t.memory.groups[to.group.index()].modulus;
        let small = self.number(bytes).is_some_and(|bytes| bytes <= modulus);
        !(small && reduce(to.offset.wrapping_sub(from.offset), modulus) == 0)
    }
}
