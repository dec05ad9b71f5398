//! Objects of a run and pointers to them, by the names that a reader of the source knows.

use lariat_program::Loc;
use lariat_source::Named;
use lariat_term::{BitVec, Value};

use super::super::types::{self, strip};
use super::super::{Thing, ThingKind, values};
use super::Builder;
use crate::module::{DebugTypeId, DebugTypeKind};

/// An object that a pointer of the run points to.
#[derive(Clone)]
pub(super) struct Made {
    thing: usize,
    name: String,
    /// The type of its content: for allocated memory, that of the first pointer to it that has one.
    ty: Option<DebugTypeId>,
    loc: Loc,
    /// The name was shown together with its origin.
    pub shown: bool,
}

impl Builder<'_> {
    pub(super) fn make(&mut self, thing: usize, object: &Value, loc: Loc) {
        // What is not made in this execution has no number.
        if let Some(object) = number(object).filter(|&n| n != 0) {
            let copy = self.copies.entry(thing).or_insert(0);
            *copy += 1;
            let copy = *copy;
            self.name(object, thing, copy, loc);
        }
    }

    /// Gives an object its name.
    fn name(&mut self, object: u64, thing: usize, copy: u32, loc: Loc) {
        let info = &self.legend.things[thing];
        // Memory that a model allocates is known by whoever called the model.
        let (loc, allocator) = match self.hidden_call() {
            Some(frame) => (frame.loc, frame.function.clone()),
            None => (if info.loc == Loc::NONE { loc } else { info.loc }, info.name.clone()),
        };
        let name = match (info.kind, &info.function) {
            (ThingKind::Heap, _) => {
                self.heap += 1;
                let name = format!("{allocator}#{}", self.heap);
                self.trace.objects.push(Named { name: name.clone(), loc });
                name
            }
            (ThingKind::Variable, Some(function)) if copy > 1 => format!("{function}::{}#{copy}", info.name),
            (ThingKind::Variable, Some(function)) => format!("{function}::{}", info.name),
            _ => info.name.clone(),
        };
        let shown = info.kind != ThingKind::Heap;
        self.made.insert(object, Made { thing, name, ty: info.ty, loc, shown });
    }

    /// What an object is.
    pub(in crate::trace) fn thing(&self, object: u64) -> Option<usize> {
        self.made.get(&object).map(|m| m.thing).or_else(|| self.legend.objects.get(&object).copied())
    }

    /// The object that is watched for leaks.
    pub(in crate::trace) fn lost(&mut self) -> Option<(u64, Named)> {
        let watched = number(self.globals.get(&self.legend.watched?)?)?;
        self.object(watched).map(|made| (watched, Named { name: made.name.clone(), loc: made.loc }))
    }

    /// Where an object was made or declared.
    pub(in crate::trace) fn made_at(&mut self, object: u64) -> Loc {
        self.object(object).map_or(Loc::NONE, |made| made.loc)
    }

    fn object(&mut self, object: u64) -> Option<&mut Made> {
        if !self.made.contains_key(&object) {
            let thing = *self.legend.objects.get(&object)?;
            self.name(object, thing, 1, self.at);
        }
        self.made.get_mut(&object)
    }

    /// An object as what is assigned to, and the type of its content. A variable of the running function has
    /// its plain name.
    pub(in crate::trace) fn place(&mut self, object: u64) -> (String, Option<DebugTypeId>) {
        let Some(made) = self.object(object).cloned() else { return (format!("object{object}"), None) };
        let info = &self.legend.things[made.thing];
        let running = self.visible().map(|i| &self.frames[i].function);
        let own = info.function.is_some() && running == info.function.as_ref();
        let name = if own && info.kind == ThingKind::Variable { info.name.clone() } else { made.name };
        (name, made.ty)
    }

    /// A value as its type says: one value, or the halves of a pointer.
    pub(super) fn text(&mut self, parts: &[Value], ty: Option<DebugTypeId>) -> String {
        let types = &self.legend.types;
        let target = ty.map(|ty| &types[strip(types, ty).index()].kind).and_then(|kind| match kind {
            DebugTypeKind::Pointer(target) => Some(*target),
            _ => None,
        });
        match parts {
            [Value::BitVec(object), Value::BitVec(offset)] if object.width() == 32 => {
                let offset = i64::try_from(offset.to_signed()).unwrap_or(0);
                self.pointer(u64::try_from(object.bits()).unwrap_or(0), offset, target.flatten())
            }
            [Value::BitVec(bits)] if target.is_some() && bits.width() == self.legend.pointer_bits => {
                let split = self.legend.offset_bits as usize;
                let object = u64::try_from(&(bits.bits().clone() >> split)).unwrap_or(0);
                let offset = extract(bits, 0, split as u64);
                let offset = if bits.width() == 64 { offset.to_signed() } else { offset.bits().clone().into() };
                self.pointer(object, i64::try_from(offset).unwrap_or(0), target.flatten())
            }
            [value] => values::scalar(types, value, ty),
            _ => {
                let parts: Vec<String> = parts.iter().map(|part| values::scalar(types, part, None)).collect();
                format!("{{{}}}", parts.join(", "))
            }
        }
    }

    fn pointer(&mut self, object: u64, offset: i64, target: Option<DebugTypeId>) -> String {
        let shift = self.legend.offset_bits;
        let types = &self.legend.types;
        let is_char = |ty: DebugTypeId| matches!(types[strip(types, ty).index()].kind, DebugTypeKind::Char { .. });
        let content = target.filter(|&ty| types::bits(types, ty) > 0);
        let things = &self.legend.things;
        let place = self.program.files.as_slice();
        let running = self.visible().map(|i| self.frames[i].function.clone());
        let Some(made) = self.object(object) else {
            return match (object, offset) {
                (0, 0) => "NULL".into(),
                _ => format!("{:#x}", (object << shift).wrapping_add(offset as u64)),
            };
        };
        // Characters may be just bytes, until something better is known.
        if made.ty.is_none_or(is_char) && offset == 0 && things[made.thing].kind == ThingKind::Heap {
            made.ty = content.or(made.ty);
        }
        let and = if things[made.thing].kind == ThingKind::Literal { "" } else { "&" };
        let (name, ty, heap) = (made.name.clone(), made.ty, things[made.thing].kind == ThingKind::Heap);
        let own = |f: &String| running.as_ref() == Some(f);
        let name = match (&things[made.thing], name.contains('#')) {
            (Thing { kind: ThingKind::Variable, function: Some(f), name, .. }, false) if own(f) => name.clone(),
            _ => name,
        };
        // The streams of the library are known by the pointers to them.
        if let (0, Some(stream)) = (offset, name.strip_prefix("lariat_").and_then(|n| n.strip_suffix("_file"))) {
            return stream.to_owned();
        }
        let part = ty.filter(|_| offset > 0).and_then(|ty| types::part(types, ty, offset as u64, target, heap));
        let mut text = match (offset, part) {
            (0, _) => format!("{and}{name}"),
            (_, Some(part)) => format!("{and}{name}{part}"),
            _ => format!("{and}{name}{offset:+}"),
        };
        let Some(made) = self.made.get_mut(&object) else { return text };
        if !std::mem::replace(&mut made.shown, true)
            && let Some(file) = place.get(made.loc.file.index())
        {
            text.push_str(&format!(" (at {file}:{})", made.loc.line));
        }
        text
    }
}

pub(in crate::trace) fn number(value: &Value) -> Option<u64> {
    u64::try_from(value.as_bv()?.bits()).ok()
}

pub(super) fn extract(bits: &BitVec, from: u64, count: u64) -> BitVec {
    BitVec::new(count as u32, bits.bits().clone() >> from as usize)
}
