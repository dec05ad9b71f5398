//! Calls.

use lariat_program::{AssertKind, StmtKind, VarDecl};
use lariat_term::{Op, Sort, Term, Var};

use super::{
    body::Body,
    strings::Room,
    value::{self, Pointer, Value},
};
use crate::{
    assembly::Assembly,
    library::{self, Semantics},
    memory::{Maker, Target, Variable},
    module::{Callee, Const, FuncId, Function, Inst, InstId, InstKind, Operand, TypeId, TypeKind},
    trace::{Check, is_model},
};

/// Calls that do not fit the function's type are undefined; a machine passes what happens to be in its registers.
const OTHER_TYPES: &str = "a call with arguments or a result of other types";

/// An argument of a call.
#[derive(Clone)]
pub(super) struct Arg {
    pub value: Value,
    pub ty: TypeId,
    pub operand: Operand,
    /// Passed by a hidden copy of this type.
    pub byval: Option<TypeId>,
    /// The alignment of that copy.
    pub align: u32,
    /// The array that it points into, where that counts.
    pub room: Option<Room>,
}

impl Body<'_, '_> {
    pub fn call(&mut self, id: InstId, inst: &Inst) {
        let InstKind::Call { callee, args, arg_types, byval, aligns, .. } = &inst.kind else { return };
        self.calling = id;
        let mut given = Vec::with_capacity(args.len());
        let rooms = self.rooms(&inst.kind);
        for (i, &operand) in args.iter().enumerate() {
            let value = self.value(operand);
            let byval = byval.get(i).copied().flatten();
            let align = aligns.get(i).copied().unwrap_or(0);
            let room = rooms.get(i).cloned().flatten();
            given.push(Arg { value, ty: arg_types[i], operand, byval, align, room });
        }
        let result = match callee {
            Callee::Asm(template, constraints) => {
                self.operands_done();
                self.assembly(&Assembly::new(template, constraints), &given, inst.ty)
            }
            Callee::Function(f) => {
                self.operands_done();
                self.call_function(*f, given, id, inst.ty)
            }
            Callee::Pointer(operand) => match self.direct(*operand) {
                Some(f) => {
                    self.operands_done();
                    self.call_function(f, given, id, inst.ty)
                }
                None => self.call_pointer(*operand, given, id, inst.ty),
            },
        };
        self.define(id, result);
    }

    /// The function that a constant address names.
    fn direct(&self, operand: Operand) -> Option<FuncId> {
        let Operand::Const(c) = operand else { return None };
        match self.t.module.constant(c) {
            Const::Function(f) => Some(*f),
            _ => None,
        }
    }

    /// A call through a pointer: one branch for each function that it may point to.
    fn call_pointer(&mut self, operand: Operand, args: Vec<Arg>, id: InstId, ty: TypeId) -> Value {
        let pointer = self.pointer(operand);
        self.operands_done();
        let (Some(pointer), Some(func)) = (pointer, self.func) else {
            self.unsupported("a call through something that is no pointer");
            return self.any(ty);
        };
        let Value::Ptr(pointer) = self.frozen(&Value::Ptr(pointer)) else { return Value::Void };
        // Each branch starts from the same values.
        let args: Vec<Arg> = args.into_iter().map(|arg| Arg { value: self.frozen(&arg.value), ..arg }).collect();
        self.save(|t, var| t.mutable.contains(&var));
        let callees = self.t.memory.callees(func, id).to_vec();
        let mut sorts = Vec::new();
        if value::sorts(self.t.module, self.t.terms, ty, &mut sorts).is_none() {
            self.unsupported("a result of a type that is not supported");
            return Value::Void;
        }
        let results: Vec<Var> = sorts.into_iter().map(|sort| self.local("result", sort)).collect();
        let join = self.block("join");
        for callee in self.dispatch(callees, pointer, &args, ty, &results, join) {
            let Some(cond) = self.points_to(pointer, callee) else { continue };
            let (yes, no) = (self.block("callee"), self.block("other"));
            self.branch(cond, yes, no);
            self.current = yes;
            let result = self.call_function(callee, args.clone(), id, ty);
            let mut leaves = Vec::new();
            result.leaves(&mut leaves);
            if leaves.len() == results.len() && !results.is_empty() {
                self.assign(results.iter().copied().zip(leaves).collect());
            }
            self.goto(join);
            self.current = no;
        }
        let mut fits = Vec::new();
        for misfit in self.t.memory.misfits(func, id).to_vec() {
            let Some(object) = self.t.object_of(Maker::Function(misfit)) else { continue };
            let object = self.t.object_term(object);
            fits.push(self.t.terms.ne(pointer.object, object));
        }
        let fits = self.t.terms.and(&fits);
        self.supported_if(fits, "a call of a function that takes another number of arguments");
        if self.t.options.properties.deref {
            let never = self.t.terms.bool(false);
            let about = Check::Call { object: pointer.object, through: self.pointer_text(operand) };
            let message = Some("the pointer points to no function".into());
            self.check_about(AssertKind::Deref, message, never, Some(about));
            self.stop();
        } else {
            self.approximate("a call through a pointer to no known function");
            let result = self.any(ty);
            let mut leaves = Vec::new();
            result.leaves(&mut leaves);
            if leaves.len() == results.len() && !results.is_empty() {
                self.assign(results.iter().copied().zip(leaves).collect());
            }
            self.goto(join);
        }
        self.current = join;
        // Its state depends on the function; it counts as set.
        self.settled.moved.remove(&id);
        let leaves: Vec<Term> = results.into_iter().map(|var| self.term(var)).collect();
        value::build(self.t.module, ty, &mut leaves.into_iter()).unwrap_or(Value::Void)
    }

    /// Calls a function, defined or not; the result is of the type that the call expects.
    pub fn call_function(&mut self, f: FuncId, args: Vec<Arg>, id: InstId, ty: TypeId) -> Value {
        let function = &self.t.module.functions[f.index()];
        if self.t.options.properties.error_calls.contains(&function.source) {
            let never = self.t.terms.bool(false);
            self.check(AssertKind::User, Some(format!("{} is called", function.source)), never);
            self.stop();
            return self.any(ty);
        }
        self.check_handed(f, &args, id);
        match self.t.regions[f.index()] {
            Some(_) => match library::of(self.t.module, function) {
                Some(row) if matches!(row.semantics, Semantics::Output(_)) && self.is_model(function) => {
                    self.output(f, row, args, id, ty)
                }
                _ => self.call_model(f, args, id, ty),
            },
            None => {
                self.unreadable(f);
                let value = self.library(f, &args, id, ty);
                self.result_as(value, id, ty)
            }
        }
    }

    pub fn is_model(&self, function: &Function) -> bool {
        self.t.module.files.get(function.loc.file as usize).is_some_and(|file| is_model(file))
    }

    /// What a library function returns, as the call expects it.
    fn result_as(&mut self, value: Value, id: InstId, ty: TypeId) -> Value {
        if !self.is_used(id) {
            return Value::Void;
        }
        let mut sorts = Vec::new();
        let known = value::sorts(self.t.module, self.t.terms, ty, &mut sorts).is_some();
        let mut leaves = Vec::new();
        value.leaves(&mut leaves);
        let given: Vec<_> = leaves.iter().map(|&leaf| self.t.terms.sort(leaf)).collect();
        if known && given == sorts { value } else { self.in_register(value, ty, None) }
    }

    pub fn box_function(&mut self, f: FuncId, args: Vec<Arg>, id: InstId, ty: TypeId) -> Value {
        let function = &self.t.module.functions[f.index()];
        let Some(region) = self.t.regions[f.index()] else { return Value::Void };
        let copies = args.iter().any(|arg| arg.byval.is_some()) || function.varargs;
        let args: Vec<Arg> = match copies {
            // Making copies changes memory that other arguments may mention.
            true => args.into_iter().map(|arg| Arg { value: self.frozen(&arg.value), ..arg }).collect(),
            false => args,
        };
        let mut terms = Vec::new();
        // Objects that are there during the call only.
        let mut hidden = Vec::new();
        for (i, param) in function.params.iter().enumerate() {
            let value = match args.get(i) {
                Some(arg) => match (param.byval, arg.byval) {
                    (Some(copied), _) => {
                        let copy = self.byval_copy(f, i, arg, copied);
                        hidden.push(copy.object);
                        Value::Ptr(copy)
                    }
                    (None, Some(_)) => self.other_type(param.ty),
                    (None, None) => self.as_passed(arg, param.ty),
                },
                // Nothing was put there: it may hold any number.
                None if matches!(self.t.module.ty(param.ty).kind, TypeKind::Int(_)) => self.any(param.ty),
                None => self.other_type(param.ty),
            };
            value.leaves(&mut terms);
        }
        if function.varargs {
            let pointer = self.pass_varargs(f, args.get(function.params.len()..).unwrap_or(&[]));
            terms.extend([pointer.object, pointer.offset]);
            hidden.push(pointer.object);
        }
        let carried = self.t.carried[f.index()].clone();
        for (i, &bytes) in carried.params.iter().enumerate() {
            let operand = args.get(i).map_or(Operand::None, |arg| arg.operand);
            terms.extend(self.carried_state(operand, bytes));
        }
        terms.extend(self.pass_held(f));
        let callee = &self.t.program.regions[region.index()];
        let wanted: Vec<_> = callee.inputs.iter().map(|d: &VarDecl| self.t.terms.var_sort(d.var)).collect();
        let outputs: Vec<_> = callee.outputs.iter().map(|d| self.t.terms.var_sort(d.var)).collect();
        let given: Vec<_> = terms.iter().map(|&term| self.t.terms.sort(term)).collect();
        if given != wanted {
            self.unsupported("a call with arguments of other types");
            return self.any(ty);
        }
        let results: Vec<Var> = outputs.into_iter().map(|sort| self.local("result", sort)).collect();
        self.save(|t, var| t.globals.contains(&var));
        self.push(StmtKind::Box { callee: region, args: terms, results: results.clone() });
        self.objects_die(&hidden);
        let mut leaves: Vec<Term> = results.into_iter().map(|var| self.term(var)).collect();
        if self.t.missing_returns[f.index()].is_some()
            && let Some(returned) = leaves.pop()
            && self.is_used(id)
        {
            self.check_defined("the result of a function is used that it does not return", returned);
        }
        if carried.result != 0
            && let Some(state) = leaves.pop()
        {
            self.returned_state(id, state);
        }
        let Some(own) = self.t.result_type(f) else { return self.any(ty) };
        if self.t.module.ty(ty).kind == TypeKind::Void || !self.is_used(id) {
            return Value::Void;
        }
        let value = value::build(self.t.module, own, &mut leaves.into_iter()).unwrap_or(Value::Void);
        self.convert(value, own, ty, Operand::None)
    }

    /// An argument where another type is expected.
    pub fn as_passed(&mut self, arg: &Arg, ty: TypeId) -> Value {
        self.convert(arg.value.clone(), arg.ty, ty, arg.operand)
    }

    /// A value where another type is expected (calls without a fitting prototype).
    fn convert(&mut self, value: Value, from: TypeId, to: TypeId, operand: Operand) -> Value {
        if self.t.module.ty(from).kind == self.t.module.ty(to).kind {
            return value;
        }
        self.in_register(value, to, self.target(operand))
    }

    /// A pointer or an integer as one of another type: the low bits. Whatever else there is in a register may be
    /// anything, and so may all that does not travel in the same kind of register.
    fn in_register(&mut self, value: Value, to: TypeId, target: Option<Target>) -> Value {
        let module = self.t.module;
        let width = match module.ty(to).kind {
            TypeKind::Void => return Value::Void,
            TypeKind::Int(width) => width,
            TypeKind::Ptr => module.pointer_bits,
            _ => return self.other_type(to),
        };
        let term = match value {
            // The low bits of an address are not known.
            Value::Ptr(pointer) if width >= module.pointer_bits => self.pointer_bits(pointer, target),
            Value::Term(term) if self.t.terms.sort(term) == Sort::BOOL => value::bool_to_bv(self.t.terms, term, 8),
            Value::Term(term) if self.t.terms.bv_width(term).is_some() => term,
            _ => return self.other_type(to),
        };
        let old = self.t.terms.bv_width(term).unwrap_or(width);
        let bits = if width > old && self.t.terms.is_value(term) {
            // Such as 0 for a null pointer: a machine clears the rest of a register that it loads a number into.
            value::resize(self.t.terms, term, width, false)
        } else if width > old {
            self.approximate(OTHER_TYPES);
            let sort = self.t.terms.bv_sort(width - old);
            let high = self.fresh("any", sort);
            self.t.terms.mk(Op::Concat, &[high, term])
        } else {
            term
        };
        match module.ty(to).kind {
            TypeKind::Ptr => Value::Ptr(value::int_to_pointer(module, self.t.terms, bits)),
            _ if width == 1 => Value::Term(value::bv_to_bool(self.t.terms, bits)),
            _ => Value::Term(value::resize(self.t.terms, bits, width, false)),
        }
    }

    /// What a function finds where it expects a value that nobody has put there.
    fn other_type(&mut self, ty: TypeId) -> Value {
        self.approximate(OTHER_TYPES);
        self.any(ty)
    }

    /// The hidden copy of an argument.
    fn byval_copy(&mut self, f: FuncId, param: usize, arg: &Arg, ty: TypeId) -> Pointer {
        let size = self.t.module.ty(ty).size;
        let bytes = self.t.offset_term(size as i64);
        let maker = Maker::Copy(f, param as u32);
        let copy = self.make_object(maker, bytes);
        let target = self.site_target(maker);
        match (&arg.value, arg.byval) {
            (Value::Ptr(from), Some(given)) if self.t.module.ty(given).size >= size => {
                self.copy(copy, target, *from, self.target(arg.operand), bytes);
            }
            _ => self.approximate(OTHER_TYPES),
        }
        copy
    }

    /// The start of the objects of a maker.
    pub fn site_target(&self, maker: Maker) -> Option<Target> {
        Some(self.t.memory.start(self.t.memory.site(maker)?))
    }

    /// Puts the variable arguments of a call into a new object, as the callee will look for them: one
    /// after the other, as the calling convention has them on the stack.
    fn pass_varargs(&mut self, f: FuncId, args: &[Arg]) -> Pointer {
        let passed: Vec<Variable> =
            args.iter().map(|arg| Variable { ty: arg.ty, byval: arg.byval, align: arg.align }).collect();
        let (module, convention) = (self.t.module, self.t.memory.convention);
        let (places, size) = convention.places(module, &module.functions[f.index()], &passed);
        let maker = Maker::VarArgs(f);
        let bytes = self.t.offset_term(size as i64);
        let object = match self.t.memory.site(maker) {
            Some(_) => self.make_object(maker, bytes),
            None => Pointer { object: self.t.object_term(0), offset: self.t.offset_term(0) },
        };
        let start = self.site_target(maker);
        for (arg, at) in args.iter().zip(places) {
            let (pointer, target) = (self.moved(object, at), self.moved_target(start, at));
            match (arg.byval, &arg.value) {
                (Some(ty), Value::Ptr(from)) => {
                    let bytes = self.t.offset_term(self.t.module.ty(ty).size as i64);
                    self.copy(pointer, target, *from, self.target(arg.operand), bytes);
                }
                (_, value) => self.store(pointer, target, value, arg.ty),
            }
        }
        object
    }
}
