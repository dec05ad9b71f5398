//! The steps of non-local jumps ([`crate::jumps`]): which places can be jumped to, and the jump that is under way.

use lariat_program::Loc;
use lariat_term::{Op, Sort, Term, Var};

use super::{
    Translator,
    body::Body,
    call::Arg,
    value::{self, Value},
};
use crate::{
    library::{self, JumpStep, Operation},
    module::TypeId,
};

/// The state of jumps.
#[derive(Clone, Copy)]
pub(super) struct Jumps {
    /// The number of the next place.
    next: Var,
    /// Place to whether it can be jumped to.
    open: Var,
    /// The place that is being set, or 0.
    here: Var,
    /// Where the jump goes that is under way, or 0.
    target: Var,
    /// What it brings.
    value: Var,
}

const NO_PLACE: &str = "a jump to where setjmp was not called, or its function has ended";

impl Translator<'_> {
    /// There is a state if the program sets places or jumps.
    pub(super) fn declare_jumps(&mut self, reachable: &[bool]) {
        let needs = |step| matches!(step, Operation::Jump(step) if step != JumpStep::EndAll);
        let mut functions = self.module.functions.iter().zip(reachable).filter(|(_, reached)| **reached);
        if !functions.any(|(f, _)| library::operation(self.module, f).is_some_and(needs)) {
            return;
        }
        let (word, int) = (self.offset_sort(), self.terms.bv_sort(32));
        let flags = self.terms.array_sort(word, Sort::BOOL);
        self.jumps = Some(Jumps {
            next: self.global("jump.next", word, None, Loc::NONE),
            open: self.global("jump.open", flags, None, Loc::NONE),
            here: self.global("jump.here", word, None, Loc::NONE),
            target: self.global("jump.target", word, None, Loc::NONE),
            value: self.global("jump.value", int, None, Loc::NONE),
        });
    }
}

impl Body<'_, '_> {
    /// No place is set, and nothing jumps.
    pub fn initial_jumps(&mut self) -> Vec<(Var, Term)> {
        let Some(jumps) = self.t.jumps else { return Vec::new() };
        let mut pairs = vec![(jumps.next, self.t.offset_term(1))];
        for var in [jumps.open, jumps.here, jumps.target, jumps.value] {
            let sort = self.t.terms.var_sort(var);
            pairs.push((var, value::zero(self.t.terms, sort)));
        }
        pairs
    }

    /// A step of a jump.
    pub fn jump_step(&mut self, step: JumpStep, args: &[Arg], ty: TypeId) -> Value {
        let Some(jumps) = self.t.jumps else { return self.any(ty) };
        let none = self.t.offset_term(0);
        match step {
            JumpStep::Begin => {
                let count = self.size_arg(args, 0);
                let first = self.old(jumps.next);
                let next = self.t.terms.mk(Op::BvAdd, &[first, count]);
                self.assign(vec![(jumps.next, next)]);
                Value::Term(first)
            }
            JumpStep::Set => {
                let place = self.size_arg(args, 0);
                self.set_open(jumps, place, true);
                self.assign(vec![(jumps.here, place)]);
                Value::Void
            }
            JumpStep::End => {
                let place = self.size_arg(args, 0);
                self.set_open(jumps, place, false);
                Value::Void
            }
            JumpStep::EndAll => {
                let sort = self.t.terms.var_sort(jumps.open);
                let closed = value::zero(self.t.terms, sort);
                self.assign(vec![(jumps.open, closed)]);
                Value::Void
            }
            JumpStep::Here => {
                let here = self.old(jumps.here);
                self.assign(vec![(jumps.here, none)]);
                Value::Term(here)
            }
            JumpStep::To => {
                self.begin_jump(jumps, args);
                Value::Void
            }
            JumpStep::Target => Value::Term(self.term(jumps.target)),
            JumpStep::Arrive => {
                self.assign(vec![(jumps.target, none)]);
                Value::Term(self.term(jumps.value))
            }
        }
    }

    /// The value of a variable that is about to change.
    fn old(&mut self, var: Var) -> Term {
        let term = self.term(var);
        match self.frozen(&Value::Term(term)) {
            Value::Term(term) => term,
            _ => term,
        }
    }

    fn set_open(&mut self, jumps: Jumps, place: Term, open: bool) {
        let (map, open) = (self.term(jumps.open), self.t.terms.bool(open));
        let map = self.t.terms.store(map, place, open);
        self.assign(vec![(jumps.open, map)]);
    }

    /// A jump begins. Where it leads nowhere, that is undefined, and what comes next is not known.
    fn begin_jump(&mut self, jumps: Jumps, args: &[Arg]) {
        let place = self.size_arg(args, 0);
        let open = self.term(jumps.open);
        let open = self.t.terms.select(open, place);
        if self.t.options.properties.undefined {
            self.check_defined(NO_PLACE, open);
        } else {
            self.supported_if(open, NO_PLACE);
        }
        self.assume(open);
        let value = match args.get(1).map(|arg| &arg.value) {
            Some(Value::Term(value)) => value::resize(self.t.terms, *value, 32, true),
            _ => self.t.terms.bv(32, 1u32),
        };
        self.assign(vec![(jumps.target, place), (jumps.value, value)]);
    }
}
