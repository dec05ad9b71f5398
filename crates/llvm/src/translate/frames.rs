//! Stack frames: the lifetimes of objects that are made in the middle of a function, by `alloca` and for variable-length
//! arrays.
//!
//! There may be any number of them, so that their ends cannot be recorded one by one. Each belongs to a *frame*, and
//! frames end: that of a function where it returns, and one that `llvm.stacksave` begins where `llvm.stackrestore`
//! ends it (clang puts these around the block of a variable-length array). A frame has a number that no object has; what
//! `llvm.stacksave` gives is a pointer made of the number of the new frame and that of the one before.

use lariat_program::Loc;
use lariat_term::{Sort, Term, Var};

use super::{
    Translator,
    body::Body,
    call::Arg,
    value::{self, Pointer, Value},
};
use crate::{
    memory::{Maker, SiteId, Target},
    module::{InstId, TypeId},
};

/// Where frames are recorded.
#[derive(Clone, Copy)]
pub(super) struct Frames {
    /// Object to the number of its frame; 0 if it has none.
    of: Var,
    /// Frame to whether it has ended.
    ended: Var,
}

impl Translator<'_> {
    /// Whether the objects of a site belong to frames.
    fn is_framed(&self, site: SiteId) -> bool {
        let site = &self.memory.sites[site.index()];
        let Maker::Alloca(f, slot) = site.maker else { return false };
        let at_entry = self.module.functions[f.index()].is_entry_slot(slot);
        !(site.local || at_entry && site.size.is_some())
    }

    pub(super) fn declare_frames(&mut self) {
        if !(0..self.memory.sites.len() as u32).any(|site| self.is_framed(SiteId(site))) {
            return;
        }
        let object = self.object_sort();
        let (numbers, flags) = (self.terms.array_sort(object, object), self.terms.array_sort(object, Sort::BOOL));
        let of = self.global("object.frame", numbers, None, Loc::NONE);
        let ended = self.global("frame.ended", flags, None, Loc::NONE);
        self.lifetimes.frames = Some(Frames { of, ended });
    }
}

impl Body<'_, '_> {
    /// No object has a frame at the start.
    pub fn initial_frames(&mut self) -> Vec<(Var, Term)> {
        let Some(frames) = self.t.lifetimes.frames else { return Vec::new() };
        [frames.of, frames.ended]
            .into_iter()
            .map(|var| {
                let sort = self.t.terms.var_sort(var);
                (var, value::zero(self.t.terms, sort))
            })
            .collect()
    }

    /// The frame of the function begins, if it makes objects on its way.
    pub fn frame_begins(&mut self) {
        let (Some(func), Some(f), Some(_)) = (self.func, self.function(), self.t.lifetimes.frames) else { return };
        let mut sites = (0..f.insts.len() as u32).filter_map(|i| self.t.memory.site(Maker::Alloca(func, InstId(i))));
        if sites.any(|site| self.t.is_framed(site)) {
            let sort = self.t.object_sort();
            let var = self.local("frame", sort);
            self.t.mutable.insert(var);
            self.next_number(var);
            self.frame = Some(var);
        }
    }

    /// The frame of the function ends.
    pub fn frame_ends(&mut self) {
        if let Some(var) = self.frame {
            let frame = self.term(var);
            self.end_frame(frame);
        }
    }

    fn end_frame(&mut self, frame: Term) {
        let Some(frames) = self.t.lifetimes.frames else { return };
        let (ended, yes) = (self.term(frames.ended), self.t.terms.bool(true));
        let ended = self.t.terms.store(ended, frame, yes);
        self.assign(vec![(frames.ended, ended)]);
    }

    /// An object is made: it belongs to the frame at hand.
    pub fn put_in_frame(&mut self, slot: InstId, object: Term) {
        let (Some(frames), Some(var), Some(func)) = (self.t.lifetimes.frames, self.frame, self.func) else { return };
        let Some(site) = self.t.memory.site(Maker::Alloca(func, slot)) else { return };
        if self.t.is_framed(site) {
            let (of, frame) = (self.term(frames.of), self.term(var));
            let of = self.t.terms.store(of, object, frame);
            self.assign(vec![(frames.of, of)]);
        }
    }

    /// Whether the frame of an object has not ended.
    pub fn frame_is_there(&mut self, target: Option<Target>, object: Term) -> Term {
        let (Some(frames), Some(target)) = (self.t.lifetimes.frames, target) else { return self.t.terms.bool(true) };
        if !self.t.memory.groups[target.group.index()].sites.iter().any(|&site| self.t.is_framed(site)) {
            return self.t.terms.bool(true);
        }
        let (of, ended) = (self.term(frames.of), self.term(frames.ended));
        let frame = self.t.terms.select(of, object);
        let ended = self.t.terms.select(ended, frame);
        self.t.terms.not(ended)
    }

    /// `llvm.stacksave`: a new frame begins.
    pub fn stack_save(&mut self, ty: TypeId) -> Value {
        let Some(var) = self.frame else { return self.any(ty) };
        let old = self.term(var);
        let Value::Term(old) = self.frozen(&Value::Term(old)) else { return Value::Void };
        self.next_number(var);
        let new = self.term(var);
        let Value::Term(object) = self.frozen(&Value::Term(new)) else { return Value::Void };
        let offset = value::resize(self.t.terms, old, self.t.module.pointer_bits, false);
        Value::Ptr(Pointer { object, offset })
    }

    /// `llvm.stackrestore`: the frame ends, and the one before is at hand again.
    pub fn stack_restore(&mut self, args: &[Arg]) {
        let (Some(var), Some(Value::Ptr(saved))) = (self.frame, args.first().map(|arg| arg.value.clone())) else {
            return;
        };
        self.end_frame(saved.object);
        let old = value::resize(self.t.terms, saved.offset, value::OBJECT_BITS, false);
        self.assign(vec![(var, old)]);
    }
}
