//! Functions without a body: what a call does and returns, as the table of the C library ([`crate::library`]) has it.

use lariat_program::AssertKind;
use lariat_term::{Op, Sort, Term};

use super::{
    Undefined,
    address::Nowhere,
    body::Body,
    call::Arg,
    float::Float,
    printed::Printed,
    value::{self, Value},
    verifier::verifier_name,
};
use crate::{
    library::{self, Operation, Parameter, Returns, Row, Semantics},
    module::{FuncId, Function, InstId, Module, Operand, TypeId, TypeKind},
    trace::Check,
};

/// What the names of functions start with that a compiler knows. If they are still there, clang did not know them.
const COMPILERS: &str = "__builtin_";

/// Is it known what this function does, if it has no body, or that this is not known?
pub fn is_known(module: &Module, function: &Function) -> bool {
    ["llvm.", "__ubsan_handle_", COMPILERS].iter().any(|prefix| function.name.starts_with(prefix))
        || verifier_name(&function.name).is_some()
        || library::of(module, function).is_some()
}

impl Body<'_, '_> {
    /// The arguments as an operation takes them; `None` if there are too few, or they are not to be found where
    /// the function looks.
    fn expected(&mut self, operation: Operation, args: &[Arg]) -> Option<Vec<Arg>> {
        let mut args = args.to_vec();
        for (i, kind) in operation.parameters().into_iter().enumerate() {
            let arg = args.get_mut(i)?;
            if arg.byval.is_some() {
                return None;
            }
            arg.value = match (kind, arg.value.clone()) {
                (Parameter::Pointer, Value::Ptr(pointer)) => Value::Ptr(pointer),
                (Parameter::Number, Value::Ptr(pointer)) => {
                    Value::Term(self.pointer_bits(pointer, self.target(arg.operand)))
                }
                (_, Value::Term(term)) => {
                    self.t.terms.bv_width(term)?;
                    let bits = |body: &mut Self| {
                        let bits = value::resize(body.t.terms, term, body.t.module.pointer_bits, false);
                        value::int_to_pointer(body.t.module, body.t.terms, bits)
                    };
                    if kind == Parameter::Pointer { Value::Ptr(bits(self)) } else { Value::Term(term) }
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
        let mut args = args.to_vec();
        for arg in &mut args {
            if let Value::Term(term) = arg.value {
                arg.value = Value::Term(self.part_seen(arg.operand, term));
            }
        }
        let args = &args[..];
        if let Some(intrinsic) = name.strip_prefix("llvm.") {
            return self.intrinsic(intrinsic, args, ty);
        }
        if name.starts_with("__ubsan_handle_") && name.ends_with("_abort") {
            self.reach_trap(name, None);
            return self.any(ty);
        }
        let row = library::of(self.t.module, function);
        if let Some(row) = row
            && let Semantics::Builtin(operation) = row.semantics
        {
            return self.builtin(operation, row, function, args, id, ty);
        }
        if let Some(what) = verifier_name(name) {
            return self.verifier(function, what, args, ty);
        }
        if row.is_none() && name.starts_with(COMPILERS) {
            self.unsupported(&format!("the function {name}"));
            return self.any(ty);
        }
        self.arguments_are_set(args);
        let Some(row) = row else { return self.unknown_function(f, args, id, ty) };
        match row.semantics {
            Semantics::Output(format) => {
                let format = format.and_then(|i| args.get(i));
                let writes = format.map(|arg| self.converts(arg.operand, b"n"));
                if writes == Some(Some(true)) {
                    self.unsupported(&format!("{name} with %n"));
                }
                // What is not read cannot tell; only what it is given can be written.
                let behind = args.get(function.params.len().min(args.len())..).unwrap_or(&[]);
                let given = !function.varargs || behind.iter().any(|arg| matches!(arg.value, Value::Ptr(_)));
                self.t.unread_formats |= writes == Some(None) && given;
                self.result_of(function, Some(row), args, id, ty)
            }
            Semantics::Effectless => self.result_of(function, Some(row), args, id, ty),
            Semantics::Approximate => {
                self.approximate(&format!("the function {name}"));
                self.result_of(function, Some(row), args, id, ty)
            }
            Semantics::Unsupported | Semantics::Model(_) | Semantics::Builtin(_) => {
                self.unsupported(&format!("the function {name}"));
                self.any(ty)
            }
        }
    }

    /// A function of which nothing is known.
    fn unknown_function(&mut self, f: FuncId, args: &[Arg], id: InstId, ty: TypeId) -> Value {
        let function = &self.t.module.functions[f.index()];
        let name = &function.name;
        self.t.undefined.insert(name.clone());
        if self.t.options.undefined == Undefined::Error {
            let never = self.t.terms.bool(false);
            self.check(AssertKind::User, Some(format!("{name} is called, which is not defined")), never);
        }
        let result = self.result_of(function, None, args, id, ty);
        self.undefined_call(f, args);
        if function.noreturn {
            self.stop();
        }
        result
    }

    /// An operation that is called as this function.
    fn builtin(
        &mut self,
        operation: Operation,
        row: &Row,
        function: &Function,
        args: &[Arg],
        id: InstId,
        ty: TypeId,
    ) -> Value {
        let name = function.name.as_str();
        let Some(args) = self.expected(operation, args) else {
            self.unsupported(&format!("a call of {name} with other arguments than it takes"));
            return self.any(ty);
        };
        let first = || args.first().map_or(Value::Void, |arg| arg.value.clone());
        match operation {
            Operation::Allocate(sizes, block) => self.allocation(row, &args, sizes, block, id),
            Operation::Reallocate(sizes) => self.reallocation(row, &args, sizes, id),
            Operation::Free => {
                self.free(&args);
                Value::Void
            }
            Operation::Close => {
                if let Value::Ptr(stream) = first() {
                    self.close_stream(stream);
                }
                Value::Void
            }
            Operation::Copy { overlap } => {
                self.copy_call(name, &args, !overlap);
                first()
            }
            Operation::Fill => {
                self.fill_call(name, &args);
                first()
            }
            Operation::Havoc => {
                let bytes = self.size_arg(&args, 1);
                if let Some(Arg { value: Value::Ptr(p), operand, .. }) = args.first() {
                    self.check_write(*operand, *p, bytes);
                    self.scramble(*p, self.target(*operand), bytes);
                }
                Value::Void
            }
            Operation::HavocObject => {
                if let Some(Arg { value: Value::Ptr(p), operand, .. }) = args.first() {
                    let (one, p) = (self.t.offset_term(1), *p);
                    self.check_write(*operand, p, one);
                    self.no_register(p, self.target(*operand), one);
                    match self.target(*operand) {
                        Some(target) => self.change_object(p, target),
                        None => self.nowhere(p, Nowhere::Write),
                    }
                }
                Value::Void
            }
            Operation::Extent(reach) => {
                self.note_extent(reach, &args);
                Value::Void
            }
            Operation::Apart => {
                self.check_apart(&args);
                Value::Void
            }
            Operation::Readable => {
                let bytes = self.size_arg(&args, 1);
                if let Some(Arg { value: Value::Ptr(p), operand, .. }) = args.first() {
                    self.check_block(*operand, *p, bytes);
                }
                Value::Void
            }
            Operation::Room => match args.first() {
                Some(Arg { value: Value::Ptr(p), operand, .. }) => Value::Term(self.room_behind(*operand, *p)),
                _ => self.any(ty),
            },
            Operation::Terminator => match args.first() {
                Some(Arg { value: Value::Ptr(p), operand, .. }) => Value::Term(self.terminator_behind(*operand, *p)),
                _ => self.any(ty),
            },
            Operation::Terminated { .. } => {
                let bytes = self.size_arg(&args, 1);
                if let Some(Arg { value: Value::Ptr(p), .. }) = args.first() {
                    self.note_terminator(*p, bytes);
                }
                Value::Void
            }
            Operation::Peek => match args.first() {
                Some(Arg { value: Value::Ptr(p), operand, .. }) => self.load(*p, self.target(*operand), ty),
                _ => self.any(ty),
            },
            Operation::Argument(k) => args.get(k).map_or(Value::Void, |arg| arg.value.clone()),
            Operation::Exit { .. } => {
                self.check_leaks_at_exit();
                self.stop();
                self.any(ty)
            }
            Operation::Abort => {
                self.stop();
                self.any(ty)
            }
            Operation::AssertionFails => {
                if self.t.options.properties.asserts {
                    let never = self.t.terms.bool(false);
                    let text = args.first().and_then(|arg| self.t.module.literal(arg.operand)).map(text_of);
                    self.check_about(AssertKind::User, text.clone(), never, text.map(Check::Assertion));
                }
                self.stop();
                self.any(ty)
            }
            Operation::Float(math) => {
                let result = self.math(math, name, &args, ty);
                if row.errno
                    && let Some(outside) = self.is_below_zero(&args)
                {
                    self.set_errno(outside, Some(library::EDOM), id);
                }
                result
            }
            Operation::GetRounding => self.get_rounding(ty),
            Operation::SetRounding => self.set_rounding(&args, ty),
            Operation::Destructors => {
                for destructor in self.t.module.destructors.clone() {
                    self.box_function(destructor, Vec::new(), id, ty);
                }
                Value::Void
            }
            Operation::Jump(step) => self.jump_step(step, &args, ty),
            Operation::Approximate | Operation::Unsupported => {
                let said = args.first().and_then(|arg| self.t.module.literal(arg.operand)).map(String::from_utf8_lossy);
                let what =
                    said.map_or_else(|| format!("the function {name}"), |text| text.trim_end_matches('\0').to_owned());
                match operation {
                    Operation::Approximate => self.approximate(&what),
                    _ => self.unsupported(&what),
                }
                self.any(ty)
            }
        }
    }

    // Results

    /// What a function returns that has no model: an input only if somebody looks at it. Where the table says what may
    /// be returned, nothing else is.
    fn result_of(&mut self, function: &Function, row: Option<&Row>, args: &[Arg], id: InstId, ty: TypeId) -> Value {
        let used = self.is_used(id);
        let value = if used { self.asked(function, "any", ty) } else { self.any(ty) };
        let Some(row) = row else { return value };
        let documented = match &value {
            Value::Term(result) if used => self.assume_documented(row, args, *result),
            _ => None,
        };
        let bad = self.bad_descriptor(row, args);
        if let (Some(bad), Some(failed)) = (bad, documented) {
            let opposite = self.t.terms.not(bad);
            let cond = self.t.terms.or(&[opposite, failed]);
            self.assume(cond);
        }
        if row.errno {
            let fails = documented.unwrap_or_else(|| self.fresh("fails", Sort::BOOL));
            self.set_errno(fails, None, id);
            if let Some(bad) = bad {
                self.set_errno(bad, Some(library::EBADF), id);
            }
        }
        value
    }

    /// Whether a call is given a number below zero as a descriptor.
    fn bad_descriptor(&mut self, row: &Row, args: &[Arg]) -> Option<Term> {
        let Value::Term(descriptor) = args.first().filter(|_| row.descriptor)?.value else { return None };
        let width = self.t.terms.bv_width(descriptor)?;
        let zero = self.t.terms.bv(width, 0u32);
        Some(self.t.terms.mk(Op::BvSlt, &[descriptor, zero]))
    }

    /// What a function returns of which nothing more is known.
    pub fn asked(&mut self, function: &Function, name: &str, ty: TypeId) -> Value {
        let source = self.t.draft.input_type(function);
        self.input(ty, name, &format!("{}()", function.name), source)
    }

    /// A call returns only what its documentation says. Whether it has failed, if that can be seen.
    fn assume_documented(&mut self, row: &Row, args: &[Arg], result: Term) -> Option<Term> {
        let width = self.t.terms.bv_width(result).filter(|&width| width >= 32)?;
        let number = |body: &mut Self, n: i64| {
            let number = lariat_term::BitVec::from_int(width, n.into());
            body.t.terms.number(lariat_term::Value::BitVec(number))
        };
        let zero = number(self, 0);
        let negative = self.t.terms.mk(Op::BvSlt, &[result, zero]);
        match row.returns {
            Returns::Any => None,
            Returns::Between(least, most) => {
                let least_number = number(self, least);
                let mut cond = self.t.terms.mk(Op::BvSle, &[least_number, result]);
                if most < i64::MAX >> (64 - width.min(64)) {
                    let most = number(self, most);
                    let below = self.t.terms.mk(Op::BvSle, &[result, most]);
                    cond = self.t.terms.and(&[cond, below]);
                }
                self.assume(cond);
                (least < 0).then_some(negative)
            }
            Returns::Printed => {
                let Semantics::Output(Some(format)) = row.semantics else { return Some(negative) };
                let Printed { least, exact } =
                    self.printed(args, format, width).unwrap_or(Printed { least: zero, exact: false });
                let op = if exact { Op::Eq } else { Op::BvSle };
                let whole = self.t.terms.mk(op, &[least, result]);
                let cond = self.t.terms.or(&[whole, negative]);
                self.assume(cond);
                if !exact {
                    let printed = self.t.terms.not(negative);
                    self.approximate_if(printed, "the number of characters that are printed");
                }
                Some(negative)
            }
            Returns::Character(k) => {
                let Value::Term(character) = args.get(k)?.value else { return None };
                self.t.terms.bv_width(character).filter(|&bits| bits >= 8)?;
                let byte = self.t.terms.extract(7, 0, character);
                let byte = value::resize(self.t.terms, byte, width, false);
                let end = number(self, -1);
                let cond = [self.t.terms.eq(result, byte), self.t.terms.eq(result, end)];
                let cond = self.t.terms.or(&cond);
                self.assume(cond);
                Some(negative)
            }
        }
    }

    /// Where a call fails, `errno` is this number, or any positive one, if the program looks at it.
    pub fn set_errno(&mut self, fails: Term, number: Option<i64>, id: InstId) {
        let Some(setter) = self.t.set_errno.filter(|f| self.t.regions[f.index()].is_some()) else { return };
        let Some(param) = self.t.module.functions[setter.index()].params.first() else { return };
        let (Some(void), TypeKind::Int(width)) = (self.t.type_named(&TypeKind::Void), &self.t.module.ty(param.ty).kind)
        else {
            return;
        };
        // Negative for this number, 1 for any.
        let code = number.map_or(1, |number| -number);
        let code = lariat_term::BitVec::from_int(*width, code.into());
        let code = self.t.terms.number(lariat_term::Value::BitVec(code));
        let none = self.t.terms.bv(*width, 0u32);
        let value = Value::Term(self.t.terms.ite(fails, code, none));
        let failed = Arg { value, ty: param.ty, operand: Operand::None, byval: None, align: 0, room: None };
        self.box_function(setter, vec![failed], id, void);
    }

    /// Whether the first argument is a float below zero.
    fn is_below_zero(&mut self, args: &[Arg]) -> Option<Term> {
        let Arg { value: Value::Term(value), ty, .. } = *args.first()? else { return None };
        let kind = self.float_kind(ty)?;
        let number = self.float_number(Float { value, kind })?;
        let zero = self.t.terms.mk(Op::FpIsZero, &[number]);
        let parts = [self.t.terms.mk(Op::FpIsNegative, &[number]), self.t.terms.not(zero)];
        Some(self.t.terms.and(&parts))
    }

    // Arguments

    pub fn size_arg(&mut self, args: &[Arg], i: usize) -> Term {
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

    /// Whether an argument is a format with one of these conversions; `None` if it is not known.
    fn converts(&self, operand: Operand, letters: &[u8]) -> Option<bool> {
        let mut rest = self.t.module.literal(operand)?.iter();
        while rest.any(|&c| c == b'%') {
            let letter = rest.find(|&&c| !is_modifier(c));
            if letter.is_some_and(|c| letters.contains(c)) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Calls the model of a function for output, if it prints strings.
    pub fn output(&mut self, f: FuncId, row: &Row, args: Vec<Arg>, id: InstId, ty: TypeId) -> Value {
        let Semantics::Output(format) = row.semantics else { return Value::Void };
        let text = match format.map(|i| args.get(i)) {
            Some(Some(format)) => self.converts(format.operand, b"snS") != Some(false),
            Some(None) => false,
            None => true,
        };
        if text {
            self.call_model(f, args.clone(), id, ty);
        }
        let function = &self.t.module.functions[f.index()];
        self.result_of(function, Some(row), &args, id, ty)
    }

    // Memory

    /// Copies memory; the two sides may not overlap if they have to be `apart`.
    pub fn copy_call(&mut self, name: &str, args: &[Arg], apart: bool) {
        let bytes = self.size_arg(args, 2);
        let [to, from, ..] = args else { return };
        let (Value::Ptr(p), Value::Ptr(q)) = (&to.value, &from.value) else { return };
        self.check_block_write(to.operand, *p, bytes);
        self.check_block(from.operand, *q, bytes);
        self.check_block_room(name, to, bytes);
        self.check_block_room(name, from, bytes);
        let (to, from) = (self.target(to.operand), self.target(from.operand));
        if apart {
            self.check_overlap((*p, to), (*q, from), bytes);
        }
        self.copy(*p, to, *q, from, bytes);
    }

    pub fn fill_call(&mut self, name: &str, args: &[Arg]) {
        let bytes = self.size_arg(args, 2);
        let [to, byte, ..] = args else { return };
        let (Value::Ptr(p), Value::Term(byte)) = (&to.value, &byte.value) else { return };
        let byte = value::resize(self.t.terms, *byte, 8, false);
        self.check_block_write(to.operand, *p, bytes);
        self.check_block_room(name, to, bytes);
        self.fill(*p, self.target(to.operand), byte, bytes);
    }
}

impl super::Translator<'_> {
    /// The type of this kind, if the module has it.
    pub(super) fn type_named(&self, kind: &TypeKind) -> Option<TypeId> {
        self.module.types.iter().position(|ty| ty.kind == *kind).map(|i| TypeId(i as u32))
    }
}

/// Flags, width, precision and length stand before the letter of a conversion.
pub(super) fn is_modifier(c: u8) -> bool {
    b"-+ #0123456789.*$'hlqjztL".contains(&c)
}

/// The text of a literal.
pub(super) fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.split(|&c| c == 0).next().unwrap_or_default()).into_owned()
}
