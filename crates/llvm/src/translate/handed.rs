//! Strings and streams that are handed to the C library, as the table has them: a string is read to its end, and a stream
//! is open.
//!
//! An open stream is an object that lives; closing it ends its life. The three that are there at the start are global
//! variables, whose life nobody follows: a ghost map `stream.closed` says which streams were closed, where the program
//! closes any.

use lariat_program::{AssertKind, Loc};
use lariat_term::{Sort, Term};

use super::{
    Translator,
    body::Body,
    call::Arg,
    value::{Pointer, Value},
};
use crate::{
    library::{self, Operation, STREAMS},
    memory::Maker,
    module::{FuncId, InstId, Operand, TypeKind},
};

impl Translator<'_> {
    /// Which streams were closed, if some may be.
    pub(super) fn declare_closed(&mut self, reachable: &[bool]) {
        let closes = |f: &crate::module::Function| library::operation(self.module, f) == Some(Operation::Close);
        let any = self.module.functions.iter().zip(reachable).any(|(f, reached)| *reached && closes(f));
        if any && self.options.properties.deref {
            let object = self.object_sort();
            let sort = self.terms.array_sort(object, Sort::BOOL);
            self.lifetimes.closed = Some(self.global("stream.closed", sort, None, Loc::NONE));
        }
    }

    /// The objects of the streams that are open at the start.
    fn first_streams(&mut self) -> Vec<Term> {
        let globals = self.module.globals.iter().enumerate();
        let streams = globals.filter(|(_, global)| STREAMS.contains(&global.name.as_str()));
        let sites = streams.filter_map(|(g, _)| self.memory.site(Maker::Global(crate::module::GlobalId(g as u32))));
        let objects: Vec<u32> = sites.map(|site| self.objects[site.index()]).filter(|&object| object != 0).collect();
        objects.into_iter().map(|object| self.object_term(object)).collect()
    }
}

impl Body<'_, '_> {
    /// Checks the strings and streams that a function is given.
    pub fn check_handed(&mut self, f: FuncId, args: &[Arg], id: InstId) {
        let function = &self.t.module.functions[f.index()];
        for handed in library::handed(self.t.module, function) {
            let Some(arg) = args.get(handed.argument) else { continue };
            let Value::Ptr(pointer) = arg.value else { continue };
            if handed.stream {
                self.check_stream(&function.name, pointer, handed.optional);
                self.use_stream(arg, id);
            } else {
                self.read_string(&function.name, arg, handed.optional, id);
            }
        }
    }

    /// Checks that a stream is open.
    fn check_stream(&mut self, name: &str, stream: Pointer, optional: bool) {
        let null = self.t.object_term(0);
        let is_null = self.t.terms.eq(stream.object, null);
        let (deref, properties) = (self.t.options.properties.deref, &self.t.options.properties);
        if !optional && (deref || properties.null) {
            let kind = if deref { AssertKind::Deref } else { AssertKind::Null };
            let given = self.t.terms.not(is_null);
            self.check(kind, Some(format!("{name} is given a null stream")), given);
        }
        let Some(sizes) = self.t.lifetimes.size.filter(|_| deref) else { return };
        let (sizes, none) = (self.term(sizes), self.t.offset_term(0));
        let size = self.t.terms.select(sizes, stream.object);
        let mut open = vec![self.t.terms.ne(size, none), is_null];
        for first in self.t.first_streams() {
            open.push(self.t.terms.eq(stream.object, first));
        }
        let mut open = self.t.terms.or(&open);
        if let Some(closed) = self.t.lifetimes.closed {
            let closed = self.term(closed);
            let closed = self.t.terms.select(closed, stream.object);
            let still = self.t.terms.not(closed);
            open = self.t.terms.and(&[open, still]);
        }
        self.check(AssertKind::Deref, Some(format!("{name} is given a stream that is not open")), open);
    }

    /// Streams may use memory of the program.
    fn use_stream(&mut self, stream: &Arg, id: InstId) {
        let Some(user) = self.t.stream_used.filter(|f| self.t.regions[f.index()].is_some()) else { return };
        if let Some(void) = self.t.type_named(&TypeKind::Void) {
            self.box_function(user, vec![stream.clone()], id, void);
        }
    }

    /// The stream is not open any more.
    pub fn close_stream(&mut self, stream: Pointer) {
        if let Some(var) = self.t.lifetimes.closed {
            let (closed, yes, null) = (self.term(var), self.t.terms.bool(true), self.t.object_term(0));
            let new = self.t.terms.store(closed, stream.object, yes);
            let is_null = self.t.terms.eq(stream.object, null);
            let new = self.t.terms.ite(is_null, closed, new);
            self.assign(vec![(var, new)]);
        }
        self.objects_die(&[stream.object]);
    }

    /// Reads a string to its end; there is nothing to see in a literal.
    fn read_string(&mut self, name: &str, arg: &Arg, optional: bool, id: InstId) {
        if self.t.module.is_literal(arg.operand) {
            return;
        }
        let Some(reader) = self.t.read_string.filter(|f| self.t.regions[f.index()].is_some()) else { return };
        let [_, flag] = &self.t.module.functions[reader.index()].params[..] else { return };
        let (Some(void), TypeKind::Int(width)) = (self.t.type_named(&TypeKind::Void), &self.t.module.ty(flag.ty).kind)
        else {
            return;
        };
        let flags = u32::from(optional) * library::OPTIONAL + u32::from(arg.room.is_some()) * library::MEASURED;
        let value = Value::Term(self.t.terms.bv(*width, flags));
        let flags = Arg { value, ty: flag.ty, operand: Operand::None, room: None, ..arg.clone() };
        self.call_reader(reader, name, vec![arg.clone(), flags], id, void);
    }
}
