//! Functions of verifiers: the competition's, CBMC's and ESBMC's, and ours, which candidates for loop invariants are made of
//! (`driver::clang` defines the macros, and [`lariat_program::place_candidates`] tells what becomes of them).

use lariat_program::AssertKind;
use lariat_term::{Op, SortKind, Term};

use super::{
    body::Body,
    builtin::text_of,
    call::Arg,
    float::Float,
    math::classifies,
    value::{self, Value},
};
use crate::{
    library::{self, Operation},
    module::{Function, Module, TypeId, TypeKind},
};

/// What a function asks of the verifier, by the name without its prefix: the competition's, or that of
/// another verifier. A plain `assert` is one that was used without its header.
pub(super) fn verifier_name(name: &str) -> Option<&str> {
    let prefixes = ["__VERIFIER_", "__CPROVER_", "__ESBMC_", "__LARIAT_"];
    let what = prefixes.iter().find_map(|p| name.strip_prefix(p));
    what.or((name == "assert").then_some(name))
}

/// Whether a function asks for the size of an object, or depends on it as `realloc` does.
pub(crate) fn asks_size(module: &Module, f: &Function) -> bool {
    verifier_name(&f.name).is_some_and(|what| matches!(what, "object_size" | "r_ok" | "w_ok" | "rw_ok"))
        || matches!(library::operation(module, f), Some(Operation::Reallocate(_)))
}

impl Body<'_, '_> {
    /// The effect and result of such a function.
    pub fn verifier(&mut self, function: &Function, what: &str, args: &[Arg], ty: TypeId) -> Value {
        let name = function.name.as_str();
        match what {
            "assume" | "assert" | "precondition" | "postcondition" => {
                match self.truth(args) {
                    Some(cond) if what == "assume" => self.assume(cond),
                    Some(cond) if self.t.options.properties.asserts => {
                        let said = args.get(1).and_then(|arg| self.t.module.literal(arg.operand)).map(text_of);
                        self.check(AssertKind::User, said, cond);
                    }
                    Some(_) => {}
                    None => self.unsupported(&format!("a call of {name} without a value that is true or false")),
                }
                Value::Void
            }
            "error" => {
                self.stop();
                self.any(ty)
            }
            "candidate" if name.starts_with("__LARIAT_") => {
                let marker = self.t.candidate_marker();
                let marker = self.term(marker);
                match &self.t.module.ty(ty).kind {
                    TypeKind::Int(1) => Value::Term(marker),
                    TypeKind::Int(width) => Value::Term(value::bool_to_bv(self.t.terms, marker, *width)),
                    _ => self.not_known(name, ty),
                }
            }
            "holds" if name.starts_with("__LARIAT_") => {
                if let Some(cond) = self.truth(args) {
                    self.state_candidate(cond);
                }
                Value::Void
            }
            "object_size" | "pointer_offset" | "same_object" | "POINTER_OBJECT" | "r_ok" | "w_ok" | "rw_ok" => {
                self.about_pointers(what, args, ty).unwrap_or_else(|| self.not_known(name, ty))
            }
            "atomic_begin" | "atomic_end" => Value::Void,
            // A goal, output, and hints how to search: nothing happens.
            "input" | "output" | "printf" | "cover" if name.starts_with("__CPROVER_") => self.any(ty),
            "cover" | "unroll" | "yield" | "loop_invariant" if name.starts_with("__ESBMC_") => self.any(ty),
            // Values are honoured; what is to happen to memory is not known.
            _ if what.starts_with("nondet_") && !args.iter().any(|arg| matches!(arg.value, Value::Ptr(_))) => {
                self.asked(function, "input", ty)
            }
            _ if !name.starts_with("__VERIFIER_") && classifies(what).is_some() => {
                let result = classifies(what).and_then(|(base, narrow)| self.classify(base, narrow, args, ty));
                result.map_or_else(|| self.not_known(name, ty), Value::Term)
            }
            // It means something that is not known here.
            _ => self.not_known(name, ty),
        }
    }

    /// CBMC's questions about pointers; nothing where sizes are not known.
    fn about_pointers(&mut self, what: &str, args: &[Arg], ty: TypeId) -> Option<Value> {
        let TypeKind::Int(width) = self.t.module.ty(ty).kind else { return None };
        let Arg { value: Value::Ptr(p), operand, .. } = args.first()? else { return None };
        let (p, operand) = (*p, *operand);
        let truth = |body: &mut Self, cond: Term| match width {
            1 => cond,
            width => value::bool_to_bv(body.t.terms, cond, width),
        };
        Some(Value::Term(match what {
            "pointer_offset" => value::resize(self.t.terms, p.offset, width, true),
            "POINTER_OBJECT" => value::resize(self.t.terms, p.object, width, false),
            "same_object" => {
                let Value::Ptr(q) = args.get(1)?.value else { return None };
                let same = self.t.terms.eq(p.object, q.object);
                truth(self, same)
            }
            "object_size" => {
                let size = self.pointed_size(operand, p)?;
                value::resize(self.t.terms, size, width, false)
            }
            _ => {
                self.t.lifetimes.size?;
                let bytes = match args.len() {
                    2 => self.size_arg(args, 1),
                    // Without a size, CBMC means that of what the pointer points to, which is not known here.
                    _ => return None,
                };
                let room = self.room_behind(operand, p);
                let fits = self.t.terms.mk(Op::BvUle, &[bytes, room]);
                truth(self, fits)
            }
        }))
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
}
