//! Functions without a body: intrinsics of LLVM, the verification functions, and the part of the C
//! library that is known here.

use lariat_program::AssertKind;
use lariat_term::{Op, Sort, SortKind, Term};

use super::{
    Undefined,
    body::Body,
    call::Arg,
    float::Float,
    inst,
    life::Storage,
    math::{classifies, exact_math},
    value::{self, Pointer, Value},
};
use crate::{
    memory::{Convention, Maker},
    models::{self, Known},
    module::{BinaryOp, Const, FuncId, Function, InstId, IntPredicate, Operand, TypeId, TypeKind},
};

/// What a new object holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fresh {
    /// Nothing that a program may use.
    Unset,
    /// Whatever it is, it may be used.
    Any,
    /// Zeros.
    Zero,
}

/// Functions that end the execution.
const ENDS: [&str; 8] =
    ["abort", "exit", "_exit", "_Exit", "quick_exit", "__builtin_trap", "__builtin_unreachable", "panic"];

/// Functions that a failed assertion calls.
const ASSERTS: [&str; 6] =
    ["__assert_fail", "__assert", "__assert_rtn", "__assert_perror_fail", "_assert", "__assertfail"];

/// Is the function of this name known to the translation?
pub fn is_known(name: &str) -> bool {
    name.starts_with("llvm.")
        || verifier_name(name).is_some()
        || ENDS.contains(&name)
        || ASSERTS.contains(&name)
        || name.starts_with("__ubsan_handle_")
        || matches!(
            name,
            "malloc"
                | "calloc"
                | "realloc"
                | "free"
                | "memcpy"
                | "memmove"
                | "memset"
                | "reach_error"
                | "alloca"
                | "valloc"
                | "__lariat_outside"
                | "__lariat_destructors"
                | "fesetround"
                | "fegetround"
        )
        || exact_math(name).is_some()
}

/// What a function asks of the verifier, by the name without its prefix: the competition's, or that of
/// another verifier. A plain `assert` is one that was used without its header.
fn verifier_name(name: &str) -> Option<&str> {
    let prefixes = ["__VERIFIER_", "__CPROVER_", "__ESBMC_"];
    let what = prefixes.iter().find_map(|p| name.strip_prefix(p));
    what.or((name == "assert").then_some(name))
}

/// What a function expects as an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pointer,
    Number,
}

/// What the functions expect that change memory, whatever the program declares.
fn parameters(name: &str) -> &'static [Kind] {
    use Kind::{Number, Pointer};
    match name {
        "malloc" | "valloc" | "alloca" | "__builtin_alloca" | "__lariat_outside" => &[Number],
        "calloc" => &[Number, Number],
        "realloc" => &[Pointer, Number],
        "free" | "cfree" => &[Pointer],
        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => &[Pointer, Pointer, Number],
        "memset" | "__memset_chk" => &[Pointer, Number, Number],
        _ => &[],
    }
}

impl Body<'_, '_> {
    /// The arguments as a known function takes them; `None` if there are too few, or they are not to be found where
    /// the function looks.
    fn expected(&mut self, name: &str, args: &[Arg]) -> Option<Vec<Arg>> {
        let mut args = args.to_vec();
        for (i, kind) in parameters(name).iter().enumerate() {
            let arg = args.get_mut(i)?;
            if arg.byval.is_some() {
                return None;
            }
            arg.value = match (kind, arg.value.clone()) {
                (Kind::Pointer, Value::Ptr(pointer)) => Value::Ptr(pointer),
                (Kind::Number, Value::Ptr(pointer)) => {
                    Value::Term(self.pointer_bits(pointer, self.target(arg.operand)))
                }
                (_, Value::Term(term)) => {
                    self.t.terms.bv_width(term)?;
                    let bits = |body: &mut Self| {
                        let bits = value::resize(body.t.terms, term, body.t.module.pointer_bits, false);
                        value::int_to_pointer(body.t.module, body.t.terms, bits)
                    };
                    if *kind == Kind::Pointer { Value::Ptr(bits(self)) } else { Value::Term(term) }
                }
                _ => return None,
            };
        }
        Some(args)
    }

    /// The effect and result of a function without a body.
    pub fn library(&mut self, f: FuncId, args: &[Arg], id: InstId, ty: TypeId) -> Value {
        let function = &self.t.module.functions[f.index()];
        let name = function.name.as_str();
        if let Some(intrinsic) = name.strip_prefix("llvm.") {
            return self.intrinsic(intrinsic, args, ty);
        }
        if ASSERTS.contains(&name) {
            if self.t.options.properties.asserts {
                let never = self.t.terms.bool(false);
                self.check(AssertKind::User, None, never);
            }
            self.stop();
            return self.any(ty);
        }
        if name.starts_with("__ubsan_handle_") && name.ends_with("_abort") {
            self.reach_trap(name, None);
            return self.any(ty);
        }
        if ENDS.contains(&name) {
            if name.ends_with("xit") {
                self.check_leaks_at_exit();
            }
            self.stop();
            return self.any(ty);
        }
        if let Some(what) = verifier_name(name) {
            return self.verifier(function, what, args, ty);
        }
        if let Some(math) = exact_math(name) {
            let math = math.to_owned();
            return self.math(&math, args, ty);
        }
        let Some(expected) = self.expected(name, args) else {
            self.unsupported(&format!("a call of {name} with other arguments than it takes"));
            return self.any(ty);
        };
        let args = &expected[..];
        match name {
            "malloc" | "valloc" | "alloca" | "__builtin_alloca" | "__lariat_outside" => {
                let size = self.size_arg(args, 0);
                let heap = matches!(name, "malloc" | "valloc");
                let content = if name == "__lariat_outside" { Fresh::Any } else { Fresh::Unset };
                let never = self.t.terms.bool(false);
                self.allocate(id, size, if heap { Storage::Heap } else { Storage::Stack }, content, never)
            }
            "calloc" => {
                let (count, size) = (self.size_arg(args, 0), self.size_arg(args, 1));
                let bytes = self.t.terms.mk(Op::BvMul, &[count, size]);
                let fails = self.product_overflows(count, size);
                self.allocate(id, bytes, Storage::Heap, Fresh::Zero, fails)
            }
            "realloc" => self.reallocate(args, id),
            "__lariat_destructors" => {
                for destructor in self.t.module.destructors.clone() {
                    self.box_function(destructor, Vec::new(), id, ty);
                }
                Value::Void
            }
            "free" | "cfree" => {
                self.free(args);
                Value::Void
            }
            "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => {
                self.copy_call(args, name.contains("memcpy"));
                args.first().map_or(Value::Void, |arg| arg.value.clone())
            }
            "memset" | "__memset_chk" => {
                self.fill_call(args);
                args.first().map_or(Value::Void, |arg| arg.value.clone())
            }
            "reach_error" => {
                self.stop();
                self.any(ty)
            }
            "fesetround" => self.set_rounding(args, ty),
            "fegetround" => self.get_rounding(ty),
            _ => {
                self.arguments_are_set(args);
                if name.contains("printf") && args.iter().any(|arg| self.converts(arg.operand, b"n") == Some(true)) {
                    self.unsupported(&format!("{name} with %n"));
                }
                match models::known(name).filter(|_| models::is_meant(self.t.module, function)) {
                    Some(Known::Any | Known::Output(_)) => {
                        let result = self.result_of(function, id, ty);
                        self.assume_range(name, &result);
                        return result;
                    }
                    Some(what @ (Known::Number | Known::Unsupported | Known::Model(_))) => {
                        // A model says what it is about.
                        let said = args.first().filter(|_| name.starts_with("__lariat_"));
                        let said = said.and_then(|arg| self.literal(arg.operand)).map(String::from_utf8_lossy);
                        let about = said.map_or_else(
                            || format!("the function {name}"),
                            |text| text.trim_end_matches('\0').to_owned(),
                        );
                        if what == Known::Number {
                            self.approximate(&about);
                        } else {
                            self.unsupported(&about);
                        }
                        return self.any(ty);
                    }
                    None => {}
                }
                self.t.undefined.insert(name.to_owned());
                if self.t.options.undefined == Undefined::Error {
                    let never = self.t.terms.bool(false);
                    self.check(AssertKind::User, Some(format!("{name} is called, which is not defined")), never);
                }
                let result = self.result_of(function, id, ty);
                self.undefined_call(f, args);
                if function.noreturn {
                    self.stop();
                }
                result
            }
        }
    }

    /// What a function returns that no model covers: an input only if somebody looks at it.
    fn result_of(&mut self, function: &Function, id: InstId, ty: TypeId) -> Value {
        if self.is_used(id) { self.asked(function, "any", ty) } else { self.any(ty) }
    }

    /// What the library promises of a result that may be anything else.
    fn assume_range(&mut self, name: &str, result: &Value) {
        let (Some((least, most)), &Value::Term(value)) = (models::range(name), result) else { return };
        let Some(width) = self.t.terms.bv_width(value) else { return };
        let [least, most] = [least, most]
            .map(|n| self.t.terms.number(lariat_term::Value::BitVec(lariat_term::BitVec::from_int(width, n.into()))));
        let parts = [self.t.terms.mk(Op::BvSle, &[least, value]), self.t.terms.mk(Op::BvSle, &[value, most])];
        let within = self.t.terms.and(&parts);
        self.assume(within);
    }

    /// What a function returns of which nothing more is known.
    fn asked(&mut self, function: &Function, name: &str, ty: TypeId) -> Value {
        let source = self.t.draft.input_type(function);
        self.input(ty, name, &format!("{}()", function.name), source)
    }

    fn verifier(&mut self, function: &Function, what: &str, args: &[Arg], ty: TypeId) -> Value {
        let name = function.name.as_str();
        match what {
            "assume" | "assert" | "precondition" | "postcondition" => {
                match self.truth(args) {
                    Some(cond) if what == "assume" => self.assume(cond),
                    Some(cond) if self.t.options.properties.asserts => self.check(AssertKind::User, None, cond),
                    Some(_) => {}
                    None => self.unsupported(&format!("a call of {name} without a value that is true or false")),
                }
                Value::Void
            }
            "error" => {
                self.stop();
                self.any(ty)
            }
            "atomic_begin" | "atomic_end" => Value::Void,
            "input" | "output" if name.starts_with("__CPROVER_") => Value::Void,
            "nondet_memory" if name.starts_with("__VERIFIER_") => match args {
                [Arg { value: Value::Ptr(p), operand, .. }, Arg { value: Value::Term(_), .. }] => {
                    let bytes = self.size_arg(args, 1);
                    self.check_write(*operand, *p, bytes);
                    self.scramble(*p, self.target(*operand), bytes);
                    Value::Void
                }
                _ => self.not_known(name, ty),
            },
            // Values are honoured; what is to happen to memory is not known.
            _ if what.starts_with("nondet_") && !args.iter().any(|arg| matches!(arg.value, Value::Ptr(_))) => {
                let value = self.asked(function, "input", ty);
                if let ("nondet_bool" | "nondet__Bool", Value::Term(term)) = (what, &value)
                    && let Some(width) = self.t.terms.bv_width(*term)
                {
                    let one = self.t.terms.bv(width, 1u32);
                    let bit = self.t.terms.mk(Op::BvUle, &[*term, one]);
                    self.assume(bit);
                }
                value
            }
            _ if name.starts_with("__CPROVER_") && classifies(what).is_some() => {
                let result = classifies(what).and_then(|(base, narrow)| self.classify(base, narrow, args, ty));
                result.map_or_else(|| self.not_known(name, ty), Value::Term)
            }
            // It means something that is not known here.
            _ => self.not_known(name, ty),
        }
    }

    fn not_known(&mut self, name: &str, ty: TypeId) -> Value {
        self.unsupported(&format!("the function {name}"));
        self.any(ty)
    }

    /// Whether the first argument is not zero.
    fn truth(&mut self, args: &[Arg]) -> Option<Term> {
        let arg = args.first()?;
        match arg.value {
            Value::Term(value) if let Some(kind) = self.float_kind(arg.ty) => {
                let number = self.float_number(Float { value, kind })?;
                let zero = self.t.terms.mk(Op::FpIsZero, &[number]);
                Some(self.t.terms.not(zero))
            }
            Value::Term(term) => {
                let sort = self.t.terms.sort(term);
                match self.t.terms.sort_kind(sort) {
                    SortKind::Bool => Some(term),
                    SortKind::BitVec(_) => {
                        let zero = value::zero(self.t.terms, sort);
                        Some(self.t.terms.ne(term, zero))
                    }
                    _ => None,
                }
            }
            Value::Ptr(pointer) => {
                let (object, offset) = (self.t.object_term(0), self.t.offset_term(0));
                let same = [self.t.terms.ne(pointer.object, object), self.t.terms.ne(pointer.offset, offset)];
                Some(self.t.terms.or(&same))
            }
            _ => None,
        }
    }

    fn size_arg(&mut self, args: &[Arg], i: usize) -> Term {
        let width = self.t.module.pointer_bits;
        match args.get(i).map(|arg| &arg.value) {
            Some(Value::Term(term)) if self.t.terms.bv_width(*term).is_some() => {
                value::resize(self.t.terms, *term, width, false)
            }
            _ => {
                let sort = self.t.offset_sort();
                self.fresh("any", sort)
            }
        }
    }

    /// The text that an argument points to, if it is a constant.
    fn literal(&self, operand: Operand) -> Option<&[u8]> {
        let Operand::Const(c) = operand else { return None };
        let Const::Global(g) = self.t.module.constant(c) else { return None };
        let global = &self.t.module.globals[g.index()];
        match self.t.module.constant(global.init.filter(|_| global.constant)?) {
            Const::Bytes(_, text) => Some(text),
            _ => None,
        }
    }

    /// Whether an argument is a format with one of these conversions; `None` if it is not known.
    fn converts(&self, operand: Operand, letters: &[u8]) -> Option<bool> {
        let mut rest = self.literal(operand)?.iter();
        while rest.any(|&c| c == b'%') {
            // Flags, width, precision and length stand before the letter.
            let letter = rest.find(|c| !b"-+ #0123456789.*'hlqjztL".contains(c));
            if letter.is_some_and(|c| letters.contains(c)) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Calls the model of a function for output, if it prints strings. Whatever it returns may be anything.
    pub fn output(&mut self, f: FuncId, format: Option<usize>, args: Vec<Arg>, id: InstId, ty: TypeId) -> Value {
        let text = match format.map(|i| args.get(i)) {
            Some(Some(format)) => self.converts(format.operand, b"snS") != Some(false),
            Some(None) => false,
            None => true,
        };
        if text {
            self.box_function(f, args, id, ty);
        }
        let function = &self.t.module.functions[f.index()];
        let result = self.result_of(function, id, ty);
        self.assume_range(&function.name, &result);
        result
    }

    // Memory

    /// Whether the product of two sizes is none that an object can have.
    fn product_overflows(&mut self, a: Term, b: Term) -> Term {
        let width = self.t.module.pointer_bits;
        let most = self.t.module.largest_object();
        for (known, other) in [(a, b), (b, a)] {
            if let Some(number) = self.number(known) {
                let limit = self.t.terms.bv(width, most.checked_div(number).unwrap_or(most));
                return self.t.terms.mk(Op::BvUlt, &[limit, other]);
            }
        }
        let wide = |body: &mut Self, term| value::resize(body.t.terms, term, 2 * width, false);
        let (a, b) = (wide(self, a), wide(self, b));
        let product = self.t.terms.mk(Op::BvMul, &[a, b]);
        let limit = self.t.terms.bv(2 * width, most);
        self.t.terms.mk(Op::BvUlt, &[limit, product])
    }

    /// A new object, or null if `fails` says so (or any allocation may fail).
    fn allocate(&mut self, id: InstId, bytes: Term, storage: Storage, content: Fresh, fails: Term) -> Value {
        let Some(func) = self.func else { return Value::Void };
        let maker = Maker::Heap(func, id);
        let may_fail = self.t.options.malloc_may_fail && storage == Storage::Heap;
        self.t.allocates |= storage == Storage::Heap;
        let mut fails = fails;
        let largest = self.t.module.largest_object();
        if storage == Storage::Heap && self.number(bytes).is_some_and(|bytes| bytes > largest) {
            fails = self.t.terms.bool(true);
        } else if may_fail {
            let largest = self.t.offset_term(largest as i64);
            let too_large = self.t.terms.mk(Op::BvUlt, &[largest, bytes]);
            fails = self.t.terms.or(&[fails, too_large]);
        } else if fails == self.t.terms.bool(false) {
            self.assume_at_most(bytes, largest);
        }
        let site = self.t.memory.site(maker);
        let number = site.map_or(0, |site| self.t.objects[site.index()]);
        let pointer = if number != 0 {
            let object = self.t.object_term(number);
            self.live(object, bytes, storage);
            Pointer { object, offset: self.t.offset_term(0) }
        } else {
            let thing = self.t.thing(maker);
            self.new_object(bytes, storage, thing)
        };
        if let Some(site) = site {
            let target = self.t.memory.start(site);
            self.mark_object(target, pointer.object, content != Fresh::Unset);
            if content == Fresh::Zero {
                self.clear_object(Some(target), pointer.object);
            }
        }
        if may_fail {
            let too = self.fresh("malloc.fails", Sort::BOOL);
            fails = self.t.terms.or(&[fails, too]);
        }
        if fails != self.t.terms.bool(false) {
            self.not_allocated_if(fails, pointer.object);
            let null = Pointer { object: self.t.object_term(0), offset: self.t.offset_term(0) };
            return self.select(&Value::Term(fails), &Value::Ptr(null), &Value::Ptr(pointer));
        }
        Value::Ptr(pointer)
    }

    fn reallocate(&mut self, args: &[Arg], id: InstId) -> Value {
        let bytes = self.size_arg(args, 1);
        let Some(Value::Ptr(old)) = args.first().map(|arg| arg.value.clone()) else { return Value::Void };
        let Value::Ptr(old) = self.frozen(&Value::Ptr(old)) else { return Value::Void };
        let Value::Term(bytes) = self.frozen(&Value::Term(bytes)) else { return Value::Void };
        self.check_free(old);
        // With the size 0, the C library frees the block and makes no new one.
        let (null, zero) = (self.t.object_term(0), self.t.offset_term(0));
        let freed = [self.t.terms.eq(bytes, zero), self.t.terms.ne(old.object, null)];
        let freed = self.t.terms.and(&freed);
        if !self.t.options.malloc_may_fail && self.number(bytes).is_none() {
            self.assume_at_most(bytes, self.t.module.largest_object());
        }
        let Value::Ptr(new) = self.allocate(id, bytes, Storage::Heap, Fresh::Unset, freed) else { return Value::Void };
        // The old block stays if there is no new one.
        let done = self.t.terms.ne(new.object, null);
        let done = self.t.terms.or(&[done, freed]);
        self.release(old, done);
        let site = self.func.and_then(|f| self.t.memory.site(Maker::Heap(f, id)));
        if let Some(site) = site {
            let target = self.t.memory.start(site);
            self.copy_object(Some(target), new.object, old.object);
        }
        Value::Ptr(new)
    }

    fn free(&mut self, args: &[Arg]) {
        if let Some(Value::Ptr(pointer)) = args.first().map(|arg| arg.value.clone()) {
            self.check_free(pointer);
            let always = self.t.terms.bool(true);
            self.release(pointer, always);
        }
    }

    /// Copies memory; the two sides may not overlap if they have to be `apart`.
    fn copy_call(&mut self, args: &[Arg], apart: bool) {
        let bytes = self.size_arg(args, 2);
        let [to, from, ..] = args else { return };
        let (Value::Ptr(p), Value::Ptr(q)) = (&to.value, &from.value) else { return };
        self.check_write(to.operand, *p, bytes);
        self.check_access(from.operand, *q, bytes);
        let (to, from) = (self.target(to.operand), self.target(from.operand));
        if apart {
            self.check_overlap((*p, to), (*q, from), bytes);
        }
        self.copy(*p, to, *q, from, bytes);
    }

    fn fill_call(&mut self, args: &[Arg]) {
        let bytes = self.size_arg(args, 2);
        let [to, byte, ..] = args else { return };
        let (Value::Ptr(p), Value::Term(byte)) = (&to.value, &byte.value) else { return };
        let byte = value::resize(self.t.terms, *byte, 8, false);
        self.check_write(to.operand, *p, bytes);
        self.fill(*p, self.target(to.operand), byte, bytes);
    }

    // Intrinsics

    fn intrinsic(&mut self, name: &str, args: &[Arg], ty: TypeId) -> Value {
        let first = || args.first().map_or(Value::Void, |arg| arg.value.clone());
        let base = name.split('.').next().unwrap_or("");
        match base {
            "dbg" | "lifetime" | "assume" | "donothing" | "prefetch" | "var" | "va_end" | "invariant"
            | "pseudoprobe" | "sideeffect" => Value::Void,
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
                self.copy_call(args, base == "memcpy");
                Value::Void
            }
            "memset" => {
                self.fill_call(args);
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
            "fabs" | "floor" | "ceil" | "trunc" | "rint" | "nearbyint" | "round" | "roundeven" | "sqrt"
            | "copysign" | "fma" | "fmuladd" => self.math(base, args, ty),
            "minnum" => self.math("fmin", args, ty),
            "maxnum" => self.math("fmax", args, ty),
            "abs" | "smax" | "smin" | "umax" | "umin" | "bswap" | "bitreverse" | "ctpop" | "ctlz" | "cttz" | "fshl"
            | "fshr" => match self.bits(base, args) {
                Some(term) => Value::Term(term),
                None => {
                    self.unsupported(&format!("the intrinsic {name}"));
                    self.any(ty)
                }
            },
            _ => {
                self.unsupported(&format!("the intrinsic {name}"));
                self.any(ty)
            }
        }
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
        let terms = &mut self.t.terms;
        let result = inst::binary(terms, op, a, b);
        let fits = match (base.starts_with('s'), terms.bv_width(a)) {
            (true, _) => inst::no_overflow(terms, op, a, b),
            (false, Some(width)) => {
                let (x, y) = (value::resize(terms, a, 2 * width, false), value::resize(terms, b, 2 * width, false));
                let wide = inst::binary(terms, op, x, y);
                let narrow = value::resize(terms, result, 2 * width, false);
                terms.eq(wide, narrow)
            }
            (false, None) => return Value::Void,
        };
        let overflow = terms.not(fits);
        Value::Many(vec![Value::Term(result), Value::Term(overflow)])
    }

    /// Bit manipulation.
    fn bits(&mut self, name: &str, args: &[Arg]) -> Option<Term> {
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
            let smallest = inst::smallest(self.t.terms, width);
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
            let first = inst::compare(terms, op, a, b);
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

impl super::Translator<'_> {
    /// The type of this kind, if the module has it.
    pub(super) fn type_named(&self, kind: &TypeKind) -> Option<TypeId> {
        self.module.types.iter().position(|ty| ty.kind == *kind).map(|i| TypeId(i as u32))
    }
}
