//! Intrinsics of LLVM.

use lariat_program::AssertKind;
use lariat_term::{Op, Term};

use super::{
    arithmetic,
    body::Body,
    call::Arg,
    comparison,
    value::{self, Pointer, Value},
};
use crate::{
    library::FloatFunction,
    memory::Convention,
    module::{BinaryOp, IntPredicate, Operand, TypeId, TypeKind},
};

impl Body<'_, '_> {
    /// The effect and result of an intrinsic, by its name without `llvm.`.
    pub fn intrinsic(&mut self, name: &str, args: &[Arg], ty: TypeId) -> Value {
        let first = || args.first().map_or(Value::Void, |arg| arg.value.clone());
        let base = name.split('.').next().unwrap_or("");
        if let Some(function) = FloatFunction::of_intrinsic(base) {
            return self.math(function, base, args, ty);
        }
        match base {
            "dbg" | "lifetime" | "donothing" | "prefetch" | "var" | "va_end" | "invariant" | "pseudoprobe"
            | "sideeffect" => Value::Void,
            "assume" => {
                if let Value::Term(cond) = first() {
                    self.check_defined("what is declared to hold does not", cond);
                }
                Value::Void
            }
            "experimental" if name.starts_with("experimental.noalias.") => Value::Void,
            "experimental" if name.starts_with("experimental.constrained.") => {
                // The words about rounding and exceptions at the end are no values.
                let values = args.iter().take_while(|arg| arg.operand != Operand::None).count();
                self.intrinsic(&name["experimental.constrained.".len()..], &args[..values], ty)
            }
            "stacksave" => self.stack_save(ty),
            "stackrestore" => {
                self.stack_restore(args);
                Value::Void
            }
            "expect" | "annotation" | "ptr" | "launder" | "strip" | "ssa" | "threadlocal" => first(),
            "trap" | "debugtrap" | "ubsantrap" => {
                self.reach_trap(&format!("llvm.{base}"), args.first().map(|arg| arg.operand));
                Value::Void
            }
            "memcpy" | "memmove" => {
                let never = self.t.terms.bool(false);
                let volatile = !matches!(args.get(3).map(|arg| &arg.value), Some(Value::Term(term)) if *term == never);
                if volatile && self.t.options.volatile_input {
                    self.unsupported("a volatile read of an address or a structure as an input");
                }
                self.copy_call(base, args, base == "memcpy");
                Value::Void
            }
            "memset" => {
                self.fill_call(base, args);
                Value::Void
            }
            "va_start" => {
                self.va_start(args);
                Value::Void
            }
            "va_copy" => {
                if let [to, from, ..] = args
                    && let (Value::Ptr(p), Value::Ptr(q)) = (&to.value, &from.value)
                {
                    let bytes = if self.t.module.pointer_bits == 64 { 24 } else { 4 };
                    let bytes = self.t.offset_term(bytes);
                    self.copy(*p, self.target(to.operand), *q, self.target(from.operand), bytes);
                }
                Value::Void
            }
            "is" if name.starts_with("is.constant") => Value::Term(self.t.terms.bool(false)),
            "is" if name.starts_with("is.fpclass") => self.fpclass(args),
            "objectsize" => {
                let least = args.get(1).is_some_and(|arg| arg.value == Value::Term(self.t.terms.bool(true)));
                let TypeKind::Int(width) = self.t.module.ty(ty).kind else { return Value::Void };
                let bits = if least { dashu_int::UBig::ZERO } else { dashu_int::UBig::ones(width as usize) };
                Value::Term(self.t.terms.bv(width, bits))
            }
            "ptrmask" => match (first(), args.get(1).map(|arg| &arg.value)) {
                // Objects are aligned to whatever is asked for.
                (Value::Ptr(p), Some(Value::Term(mask))) => {
                    let mask = value::resize(self.t.terms, *mask, self.t.module.pointer_bits, true);
                    let offset = self.t.terms.mk(Op::BvAnd, &[p.offset, mask]);
                    Value::Ptr(Pointer { object: p.object, offset })
                }
                _ => Value::Void,
            },
            "get" | "flt" if name.contains("rounding") || name.contains("rounds") => {
                let TypeKind::Int(width) = self.t.module.ty(ty).kind else { return Value::Void };
                Value::Term(self.flt_rounds(width))
            }
            "readcyclecounter" => self.any(ty),
            // Where a machine keeps its stack and its code.
            "returnaddress" | "frameaddress" | "addressofreturnaddress" | "sponentry" => {
                self.approximate(&format!("the intrinsic {name}"));
                self.any(ty)
            }
            "sadd" | "uadd" | "ssub" | "usub" | "smul" | "umul" if name.contains("with.overflow") => {
                self.with_overflow(base, args)
            }
            "sadd" | "uadd" | "ssub" | "usub" if name.contains(".sat.") => {
                let result = self.elementwise(args, &mut |body, args| body.saturating(base, args));
                self.or_unsupported(result, name, ty)
            }
            "vector" if let Some(rest) = name.strip_prefix("vector.reduce.") => {
                let result = self.reduce(rest.split('.').next().unwrap_or(""), args, ty);
                self.or_unsupported(result, name, ty)
            }
            "abs" | "smax" | "smin" | "umax" | "umin" | "bswap" | "bitreverse" | "ctpop" | "ctlz" | "cttz" | "fshl"
            | "fshr" => {
                let result = self.elementwise(args, &mut |body, args| body.bits(base, args));
                self.or_unsupported(result, name, ty)
            }
            _ => self.or_unsupported(None, name, ty),
        }
    }

    /// What an intrinsic gives, if it could be translated.
    fn or_unsupported(&mut self, result: Option<Value>, name: &str, ty: TypeId) -> Value {
        result.unwrap_or_else(|| {
            self.unsupported(&format!("the intrinsic {name}"));
            self.any(ty)
        })
    }

    /// The list of variable arguments starts at their object.
    fn va_start(&mut self, args: &[Arg]) {
        let (Some(arguments), Some(list)) = (self.varargs, args.first()) else {
            self.unsupported("va_start");
            return;
        };
        let Value::Ptr(p) = list.value else { return };
        let Some(function) = self.function() else { return };
        let start = self.t.memory.convention.start(self.t.module, function);
        let target = self.target(list.operand);
        let pointer_type = self.t.type_named(&TypeKind::Ptr);
        let int_type = self.t.type_named(&TypeKind::Int(32));
        let wide = self.t.module.pointer_bits == 64;
        if let Some(ty) = pointer_type {
            let at = if wide { 8 } else { 0 };
            let (slot, there) = (self.moved(p, at), self.moved_target(target, at));
            let overflow = self.moved(arguments, start.overflow);
            self.store(slot, there, &Value::Ptr(overflow), ty);
            if self.t.memory.convention == Convention::Registers {
                let (slot, there) = (self.moved(p, 16), self.moved_target(target, 16));
                self.store(slot, there, &Value::Ptr(arguments), ty);
            }
        }
        if wide && let Some(ty) = int_type {
            for (at, used) in [(0, start.integers), (4, start.floats)] {
                let used = self.t.terms.bv(32, used);
                let (p, target) = (self.moved(p, at), self.moved_target(target, at));
                self.store(p, target, &Value::Term(used), ty);
            }
        }
    }

    fn with_overflow(&mut self, base: &str, args: &[Arg]) -> Value {
        let values: Vec<Value> = args.iter().map(|arg| arg.value.clone()).collect();
        let [Value::Term(a), Value::Term(b)] = values[..] else { return Value::Void };
        let (a, b) = (self.looked_at(args[0].operand, a), self.looked_at(args[1].operand, b));
        let op = match &base[1..] {
            "add" => BinaryOp::Add,
            "sub" => BinaryOp::Sub,
            _ => BinaryOp::Mul,
        };
        if let Some(about) = arithmetic::about(op, a, b).filter(|_| base.starts_with('s')) {
            self.operations.insert(self.calling, about);
        }
        let terms = &mut self.t.terms;
        let result = arithmetic::binary(terms, op, a, b);
        let fits = match (base.starts_with('s'), terms.bv_width(a)) {
            (true, _) => arithmetic::no_overflow(terms, op, a, b),
            (false, Some(width)) => {
                let (x, y) = (value::resize(terms, a, 2 * width, false), value::resize(terms, b, 2 * width, false));
                let wide = arithmetic::binary(terms, op, x, y);
                let narrow = value::resize(terms, result, 2 * width, false);
                terms.eq(wide, narrow)
            }
            (false, None) => return Value::Void,
        };
        let overflow = terms.not(fits);
        Value::Many(vec![Value::Term(result), Value::Term(overflow)])
    }

    /// Bit manipulation.
    pub fn bits(&mut self, name: &str, args: &[Arg]) -> Option<Term> {
        let Value::Term(a) = args.first()?.value else { return None };
        let a = self.looked_at(args.first()?.operand, a);
        let width = self.t.terms.bv_width(a)?;
        let second = match args.get(1) {
            Some(Arg { value: Value::Term(b), operand, .. }) => Some(self.looked_at(*operand, *b)),
            _ => None,
        };
        // `abs` of the smallest number, or the zeros in front of or behind no bit at all.
        let partial = second == Some(self.t.terms.bool(true));
        if partial && name == "abs" && self.t.options.properties.overflow {
            let smallest = arithmetic::smallest(self.t.terms, width);
            let fits = self.t.terms.ne(a, smallest);
            self.check(AssertKind::Overflow, None, fits);
        }
        let zero = self.t.terms.bv(width, 0u32);
        let mut none = self.t.terms.bv(width, width);
        if partial && matches!(name, "ctlz" | "cttz") {
            let some = self.t.terms.ne(a, zero);
            self.check_defined("zero has neither a first nor a last bit that is set", some);
            if !self.t.options.properties.undefined {
                let sort = self.t.terms.bv_sort(width);
                none = self.fresh("undefined", sort);
            }
        }
        let terms = &mut self.t.terms;
        let pick = |terms: &mut lariat_term::Terms, op, b: Term| {
            let first = comparison::compare(terms, op, a, b);
            terms.ite(first, a, b)
        };
        Some(match name {
            "abs" => {
                let negative = terms.mk(Op::BvSlt, &[a, zero]);
                let minus = terms.mk(Op::BvNeg, &[a]);
                terms.ite(negative, minus, a)
            }
            "smax" => pick(terms, IntPredicate::Sgt, second?),
            "smin" => pick(terms, IntPredicate::Slt, second?),
            "umax" => pick(terms, IntPredicate::Ugt, second?),
            "umin" => pick(terms, IntPredicate::Ult, second?),
            "bswap" | "bitreverse" => {
                let step = if name == "bswap" { 8 } else { 1 };
                let mut result: Option<Term> = None;
                for i in 0..width / step {
                    let part = terms.extract((i + 1) * step - 1, i * step, a);
                    result = Some(match result {
                        Some(high) => terms.mk(Op::Concat, &[high, part]),
                        None => part,
                    });
                }
                result?
            }
            "ctpop" => {
                let mut sum = zero;
                for i in 0..width {
                    let bit = terms.extract(i, i, a);
                    let bit = value::resize(terms, bit, width, false);
                    sum = terms.mk(Op::BvAdd, &[sum, bit]);
                }
                sum
            }
            "ctlz" | "cttz" => {
                let mut result = none;
                // From the bit that matters least to the one that matters most.
                for i in 0..width {
                    let (bit, distance) =
                        if name == "ctlz" { (i, width - 1 - i) } else { (width - 1 - i, width - 1 - i) };
                    let set = terms.extract(bit, bit, a);
                    let one = terms.bv(1, 1u32);
                    let set = terms.eq(set, one);
                    let distance = terms.bv(width, distance);
                    result = terms.ite(set, distance, result);
                }
                result
            }
            "fshl" | "fshr" => {
                let Some(Value::Term(by)) = args.get(2).map(|arg| arg.value.clone()) else { return None };
                let b = second?;
                let modulus = terms.bv(width, width);
                let by = terms.mk(Op::BvUrem, &[by, modulus]);
                let both = terms.mk(Op::Concat, &[a, b]);
                let by = value::resize(terms, by, 2 * width, false);
                if name == "fshl" {
                    let shifted = terms.mk(Op::BvShl, &[both, by]);
                    terms.extract(2 * width - 1, width, shifted)
                } else {
                    let shifted = terms.mk(Op::BvLshr, &[both, by]);
                    terms.extract(width - 1, 0, shifted)
                }
            }
            _ => return None,
        })
    }
}
