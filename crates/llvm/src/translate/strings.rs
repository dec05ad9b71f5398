//! The property `strings`: library functions stay inside of the arrays that they are given.
//!
//! Whether the memory of an object is left shows at the accesses, in the models of these functions or where the
//! translation does what they do. That a function leaves the array that it is given (`x.name`) and stays in the object shows
//! at the call: models say how far they have gone in each argument ([`Operation::Extent`](crate::library::Operation)), in
//! ghost variables that the call compares with the size of the array.

use lariat_program::{AssertKind, Loc};
use lariat_term::{Op, Term, Var};

use super::{
    Translator,
    body::Body,
    call::Arg,
    parts::{Array, EnclosingArrays, Parts},
    value::{self, Pointer, Value},
};
use crate::{
    library::{self, Operation, Reach},
    module::{Callee, FuncId, InstId, InstKind, Module, Operand, TypeId},
    trace::is_model,
};

/// The arguments of a call that are looked at.
const ARGUMENTS: usize = 12;

/// How far the function called last has gone in each of its arguments, in bytes.
#[derive(Default)]
pub(super) struct Extents {
    strings: Vec<Var>,
    blocks: Vec<Var>,
    /// The functions whose arguments are looked at: models that say how far they go, blocks that the translation copies or
    /// fills, and functions that are handed strings.
    watched: Vec<bool>,
}

impl Extents {
    fn of(&self, reach: Reach) -> &[Var] {
        match reach {
            Reach::String => &self.strings,
            Reach::Block => &self.blocks,
        }
    }
}

/// The array that an argument points into, seen from there.
#[derive(Clone)]
pub(super) struct Room {
    /// For strings: its size, and the bytes from its start.
    string: Option<(u64, Term)>,
    /// The same for blocks.
    block: Option<(u64, Term)>,
    name: Option<String>,
}

/// Whether a model says how far it goes (or others `say` it), and calls no function of the program, which might say so of its
/// own calls.
fn reports(module: &Module, f: FuncId, mut says: bool) -> bool {
    let (mut seen, mut stack) = (vec![f], vec![f]);
    while let Some(g) = stack.pop() {
        for inst in &module.functions[g.index()].insts {
            match inst.kind {
                InstKind::Call { callee: Callee::Pointer(_), .. } => return false,
                InstKind::Call { callee: Callee::Function(callee), .. } => {
                    let function = &module.functions[callee.index()];
                    says |= matches!(library::operation(module, function), Some(Operation::Extent(_)));
                    if function.is_defined() && !seen.contains(&callee) {
                        seen.push(callee);
                        stack.push(callee);
                    }
                }
                _ => {}
            }
        }
    }
    says
}

/// Whether the arguments of a function are looked at.
fn is_watched(module: &Module, f: FuncId) -> bool {
    let function = &module.functions[f.index()];
    let handed = !library::handed(module, function).is_empty();
    if function.is_defined() {
        return is_of_models(module, f) && reports(module, f, handed);
    }
    handed || library::operation(module, function).is_some_and(Operation::is_block)
}

impl Translator<'_> {
    pub(super) fn declare_extents(&mut self) {
        if self.options.properties.strings {
            let sort = self.offset_sort();
            let mut vars = |kind: &str| {
                (0..ARGUMENTS).map(|k| self.global(&format!("strings.{kind}.{k}"), sort, None, Loc::NONE)).collect()
            };
            let (strings, blocks) = (vars("extent"), vars("block"));
            let functions = (0..self.module.functions.len() as u32).map(FuncId);
            let watched = functions.map(|f| is_watched(self.module, f)).collect();
            self.extents = Extents { strings, blocks, watched };
        }
    }
}

impl Body<'_, '_> {
    /// The arrays that the arguments of a call point into, if somebody wants to know.
    fn places(&self, kind: &InstKind) -> Vec<Option<EnclosingArrays>> {
        let (InstKind::Call { callee: Callee::Function(f), args, .. }, Some(func)) = (kind, self.func) else {
            return Vec::new();
        };
        if self.in_model || self.t.extents.watched.get(f.index()) != Some(&true) {
            return Vec::new();
        }
        let parts = Parts { module: self.t.module, names: &self.t.names, func };
        args.iter().map(|&arg| parts.find(arg)).collect()
    }

    /// What a call needs to know where in an array its arguments point.
    pub fn place_operands(&self, kind: &InstKind) -> Vec<Operand> {
        let arrays = self.places(kind).into_iter().flatten().flat_map(|place| [place.inner, place.outer]);
        arrays.flatten().flat_map(|array| array.terms).map(|(operand, _)| operand).collect()
    }

    /// The arrays that the arguments of a call point into.
    pub fn rooms(&mut self, kind: &InstKind) -> Vec<Option<Room>> {
        let places = self.places(kind);
        let room = |body: &mut Self, place: EnclosingArrays| {
            let string = place.inner.and_then(|array| body.distance(&array));
            let block = place.outer.and_then(|array| body.distance(&array));
            Room { string, block, name: place.name }
        };
        places.into_iter().map(|place| place.map(|place| room(self, place))).collect()
    }

    /// The size of an array, and how far an address lies behind its start.
    fn distance(&mut self, array: &Array) -> Option<(u64, Term)> {
        let width = self.t.module.pointer_bits;
        let mut distance = self.t.offset_term(array.offset);
        for &(operand, scale) in &array.terms {
            let index = self.scalar(operand)?;
            self.t.terms.bv_width(index)?;
            let index = value::resize(self.t.terms, index, width, true);
            let scale = self.t.offset_term(scale);
            let part = self.t.terms.mk(Op::BvMul, &[index, scale]);
            distance = self.t.terms.mk(Op::BvAdd, &[distance, part]);
        }
        let Value::Term(distance) = self.frozen(&Value::Term(distance)) else { return None };
        Some((array.bytes, distance))
    }

    /// Calls a model, and checks how far it has gone in its arguments.
    pub fn call_model(&mut self, f: FuncId, args: Vec<Arg>, id: InstId, ty: TypeId) -> Value {
        let name = self.t.module.functions[f.index()].source.clone();
        self.call_reader(f, &name, args, id, ty)
    }

    /// The same for a model that does a part of what the function of this name does.
    pub fn call_reader(&mut self, f: FuncId, name: &str, args: Vec<Arg>, id: InstId, ty: TypeId) -> Value {
        let rooms: Vec<_> = args.iter().map(|arg| arg.room.clone()).take(ARGUMENTS).collect();
        if self.t.extents.strings.is_empty() || rooms.iter().all(Option::is_none) {
            return self.box_function(f, args, id, ty);
        }
        let none = self.t.offset_term(0);
        let vars = |body: &Self, k: usize| [Reach::String, Reach::Block].map(|reach| body.t.extents.of(reach)[k]);
        let known: Vec<usize> = (0..rooms.len()).filter(|&k| rooms[k].is_some()).collect();
        let reset = known.iter().flat_map(|&k| vars(self, k)).map(|var| (var, none)).collect();
        self.assign(reset);
        let result = self.box_function(f, args, id, ty);
        for (k, room) in rooms.iter().enumerate() {
            let Some(room) = room else { continue };
            for reach in [Reach::String, Reach::Block] {
                let var = self.t.extents.of(reach)[k];
                let bytes = self.term(var);
                self.check_room(name, room, reach, bytes);
            }
        }
        result
    }

    /// Checks that so many bytes of a string or block are in its array.
    pub fn check_room(&mut self, name: &str, room: &Room, reach: Reach, bytes: Term) {
        let array = if reach == Reach::String { room.string } else { room.block };
        let Some((size, distance)) = array else { return };
        let (all, none) = (self.t.offset_term(size as i64), self.t.offset_term(0));
        let left = self.t.terms.bv_sub(all, distance);
        let fits = [self.t.terms.mk(Op::BvUle, &[distance, all]), self.t.terms.mk(Op::BvUle, &[bytes, left])];
        let fits = self.t.terms.and(&fits);
        let nothing = self.t.terms.eq(bytes, none);
        let cond = self.t.terms.or(&[nothing, fits]);
        let unit = if size == 1 { "byte" } else { "bytes" };
        let array = match &room.name {
            Some(name) if reach == Reach::String || room.string.is_some_and(|(inner, _)| inner == size) => {
                format!("`{name}`, an array of {size} {unit}")
            }
            _ => format!("an array of {size} {unit}"),
        };
        self.check(AssertKind::String, Some(format!("{name} goes beyond {array}")), cond);
    }

    /// Checks that a block that a function is given lies in its array.
    pub fn check_block_room(&mut self, name: &str, arg: &Arg, bytes: Term) {
        if let Some(room) = &arg.room {
            self.check_room(name, room, Reach::Block, bytes);
        }
    }

    /// A model says how far it has gone in one of its arguments.
    pub fn note_extent(&mut self, reach: Reach, args: &[Arg]) {
        let bytes = self.size_arg(args, 1);
        let Some(Value::Term(which)) = args.first().map(|arg| arg.value.clone()) else { return };
        let Some(width) = self.t.terms.bv_width(which) else { return };
        let mut pairs = Vec::new();
        for (k, var) in self.t.extents.of(reach).to_vec().into_iter().enumerate() {
            let number = self.t.terms.bv(width, k as u64);
            let this = self.t.terms.eq(which, number);
            if this != self.t.terms.bool(false) {
                let old = self.term(var);
                pairs.push((var, self.t.terms.ite(this, bytes, old)));
            }
        }
        self.assign(pairs);
    }

    /// Checks that two blocks of these sizes do not overlap.
    pub fn check_apart(&mut self, args: &[Arg]) {
        let [to, _, from, _] = args else { return };
        let (Value::Ptr(p), Value::Ptr(q)) = (to.value.clone(), from.value.clone()) else { return };
        if !self.t.options.properties.strings {
            return;
        }
        let (n, m) = (self.size_arg(args, 1), self.size_arg(args, 3));
        let zero = self.t.offset_term(0);
        let ends = |body: &mut Self, p: Pointer, n: Term| body.t.terms.mk(Op::BvAdd, &[p.offset, n]);
        let (p_end, q_end) = (ends(self, p, n), ends(self, q, m));
        let apart = [
            self.t.terms.ne(p.object, q.object),
            self.t.terms.eq(n, zero),
            self.t.terms.eq(m, zero),
            self.t.terms.mk(Op::BvSle, &[p_end, q.offset]),
            self.t.terms.mk(Op::BvSle, &[q_end, p.offset]),
        ];
        let apart = self.t.terms.or(&apart);
        self.check(AssertKind::String, Some("source and destination overlap".into()), apart);
    }

    /// What an access outside of memory is, if it counts: in the program, or in what library functions do.
    pub fn access_kind(&self, library: bool) -> Option<AssertKind> {
        let properties = &self.t.options.properties;
        if properties.deref {
            Some(AssertKind::Deref)
        } else {
            (properties.strings && (library || self.in_model)).then_some(AssertKind::String)
        }
    }
}

/// Whether a function is a model of a library function.
pub(super) fn is_of_models(module: &Module, f: FuncId) -> bool {
    let file = module.functions[f.index()].loc.file;
    module.files.get(file as usize).is_some_and(|file| is_model(file))
}
