//! Where strings of unknown text end: a ghost map from objects to the place of a terminator, for models that look for the first
//! place in a string.
//!
//! A model that makes a string from outside (`getenv`, `fgets`) or copies one notes where it ends. Who looks for the end later
//! knows a place where the terminator may still be, and reads it: if it is 0, the first one is there or before, and can be
//! chosen instead of searched. What the map says is therefore never believed, and no write has to change it. There is no
//! map in programs without such strings: what is known is searched. So are arguments of `main`, which have no such note: with a choice
//! for each of them, questions become too hard for solvers.

use lariat_program::Loc;
use lariat_term::{Op, Term};

use super::{Translator, body::Body, value::Pointer};
use crate::{
    library::{self, Operation},
    module::{Function, Operand},
};

impl Translator<'_> {
    /// The map, if strings of unknown text are made.
    pub(super) fn declare_terminators(&mut self, reachable: &[bool]) {
        let unknown = Some(Operation::Terminated { unknown: true });
        let makes = |f: &Function| library::operation(self.module, f) == unknown;
        let made = self.module.functions.iter().zip(reachable).any(|(f, reached)| *reached && makes(f));
        let searches = |f: &Function| library::operation(self.module, f) == Some(Operation::Terminator);
        let searched = self.module.functions.iter().zip(reachable).any(|(f, reached)| *reached && searches(f));
        if searched && made {
            let (object, offset) = (self.object_sort(), self.offset_sort());
            let sort = self.terms.array_sort(object, offset);
            self.lifetimes.terminators = Some(self.global("string.end", sort, None, Loc::NONE));
        }
    }
}

impl Body<'_, '_> {
    /// How many bytes there are from an address to the end of a string that was there, with its terminator; 0 if none is known. All
    /// of them are in the object.
    pub fn terminator_behind(&mut self, operand: Operand, p: Pointer) -> Term {
        let none = self.t.offset_term(0);
        let Some(ends) = self.t.lifetimes.terminators else { return none };
        let ends = self.term(ends);
        let end = self.t.terms.select(ends, p.object);
        let mut known = vec![self.t.terms.mk(Op::BvUlt, &[p.offset, end])];
        let distance = self.t.terms.bv_sub(end, p.offset);
        if self.t.lifetimes.size.is_some() {
            let room = self.room_behind(operand, p);
            known.push(self.t.terms.mk(Op::BvUle, &[distance, room]));
        }
        let known = self.t.terms.and(&known);
        self.t.terms.ite(known, distance, none)
    }

    /// A string has its terminator so many bytes behind an address.
    pub fn note_terminator(&mut self, p: Pointer, bytes: Term) {
        let Some(var) = self.t.lifetimes.terminators else { return };
        let one = self.t.offset_term(1);
        let end = self.t.terms.mk(Op::BvAdd, &[p.offset, bytes, one]);
        let ends = self.term(var);
        let ends = self.t.terms.store(ends, p.object, end);
        self.assign(vec![(var, ends)]);
    }
}
