//! What statements change: variables, members and elements, with their values before and after.

use std::collections::BTreeSet;

use dashu_int::UBig;
use lariat_program::Loc;
use lariat_source::StepKind;
use lariat_term::{ArrayValue, BitVec, Value, Var};

use super::super::types::{self, leaves, strip};
use super::super::{Half, Meaning, ThingKind, Where, is_model};
use super::objects::{extract, number};
use super::{Argument, Builder};
use crate::module::DebugTypeKind;

/// How many changes of one statement are shown.
const MAX_CHANGES: usize = 32;

/// An element of a cell that is assigned.
pub(super) struct Waiting {
    cell: usize,
    object: u64,
    offset: u64,
    /// What it was, if that is known.
    old: Option<Value>,
    /// It is not assigned, but read without having been.
    unset: bool,
}

impl Builder<'_> {
    pub(super) fn store(&mut self, var: Var, value: &Value) -> Option<Value> {
        let own = !self.legend.globals.contains(&var);
        let table = match self.frames.last_mut() {
            Some(frame) if own => &mut frame.values,
            _ => &mut self.globals,
        };
        table.insert(var, value.clone())
    }

    fn value(&self, var: Var) -> Option<&Value> {
        match self.frames.last() {
            Some(frame) if !self.legend.globals.contains(&var) => frame.values.get(&var),
            _ => self.globals.get(&var),
        }
    }

    /// A variable has a value that was never assigned.
    pub(super) fn find(&mut self, var: Var, value: &Value, loc: Loc) {
        self.move_to(loc);
        self.store(var, value);
        if let Some(&Meaning::Cell(cell, part)) = self.legend.vars.get(&var)
            && let Where::Scalar { object, offset } = self.legend.cells[cell].place
            && self.hidden_call().is_none()
        {
            if self.waiting.iter().any(|w| !w.unset) {
                self.flush();
            }
            let legend = &self.legend.cells[cell];
            let offset = if legend.units { offset + part as u64 * legend.size } else { offset };
            self.wait_for(cell, object, offset, None);
            self.waiting.iter_mut().filter(|w| w.cell == cell).for_each(|w| w.unset = true);
        }
    }

    pub(super) fn set(&mut self, var: Var, value: &Value, old: Option<&Value>, loc: Loc) {
        self.move_to(loc);
        if self.waiting.iter().any(|w| w.unset) {
            self.flush();
        }
        let before = self.store(var, value);
        let written: Vec<Vec<Value>> = self.written.extract_if(.., |w| w.0 == var).map(|w| w.1).collect();
        // What loops and calls hand on is no news, but a statement of the program may assign what was there before.
        let states = || {
            let left_open = self.any.as_ref().is_some_and(|(any, at)| any == value && *at == loc);
            old == Some(value) && self.hidden_call().is_none() && !left_open
        };
        if written.is_empty() && before.as_ref() == Some(value) && !states() {
            return;
        }
        let before = before.or_else(|| old.cloned());
        self.follow_lives(var, value, before.as_ref(), &written, loc);
        // Of a value that is assigned once more, all parts are shown.
        let before = before.filter(|before| !written.is_empty() || before != value);
        match self.legend.vars.get(&var) {
            Some(&Meaning::Cell(..)) if self.is_new_object(value, &written) => {}
            Some(&Meaning::Cell(cell, _)) if self.are_elements(cell, &written) => {
                self.change_at(cell, &written, value, before.as_ref());
            }
            Some(&Meaning::Cell(cell, part)) => self.change(cell, part, value, before),
            Some(&Meaning::Made(thing)) => self.make(thing, value, loc),
            Some(Meaning::Param { name, ty, half }) => {
                if let Some(arguments) = self.frames.last_mut().and_then(|f| f.arguments.as_mut()) {
                    match (half, arguments.last_mut()) {
                        (Some(Half::Offset), Some(last)) => last.parts.push(value.clone()),
                        _ => {
                            arguments.push(Argument { name: name.clone(), ty: *ty, parts: vec![value.clone()] });
                        }
                    }
                }
            }
            Some(Meaning::Result { ty, half }) => {
                if let Some(frame) = self.frames.last_mut() {
                    if *half != Some(Half::Offset) {
                        frame.result = Argument { ty: *ty, ..Argument::default() };
                    }
                    frame.result.parts.push(value.clone());
                    frame.end = loc;
                }
            }
            Some(Meaning::Input { .. }) | None => {}
        }
    }

    /// Takes note of an element that is assigned.
    pub(super) fn write(&mut self, var: Var, path: &[Value], loc: Loc) {
        self.move_to(loc);
        let Some(&Meaning::Cell(cell, _)) = self.legend.vars.get(&var) else { return };
        self.written.push((var, path.to_vec()));
        let path: Option<Vec<u64>> = path.iter().map(number).collect();
        match (self.legend.cells[cell].place, path.as_deref()) {
            // Of what models do again and again, only changes matter.
            (Where::Object(object), Some(&[offset])) | (Where::Map, Some(&[object, offset]))
                if self.known.insert((object, offset)) || self.hidden_call().is_none() =>
            {
                self.wait_for(cell, object, offset, None);
            }
            _ => {}
        }
    }

    /// What comes is of the statement at this place.
    fn move_to(&mut self, loc: Loc) {
        if loc != self.at {
            self.flush();
        }
        self.at = loc;
    }

    fn wait_for(&mut self, cell: usize, object: u64, offset: u64, old: Option<Value>) {
        let same = |w: &Waiting| (w.cell, w.object, w.offset) == (cell, object, offset);
        match self.waiting.iter().position(same) {
            Some(i) => self.waiting[i].old = self.waiting[i].old.take().or(old),
            // Initialisers may change very much.
            None if self.waiting.len() > 16 * MAX_CHANGES => {}
            None => self.waiting.push(Waiting { cell, object, offset, old, unset: false }),
        }
    }

    /// Do these paths lead to elements of a cell?
    fn are_elements(&self, cell: usize, paths: &[Vec<Value>]) -> bool {
        let depth = match self.legend.cells[cell].place {
            Where::Scalar { .. } => 0,
            Where::Object(_) => 1,
            Where::Map => 2,
        };
        !paths.is_empty() && paths.iter().all(|p| p.len() == depth)
    }

    /// Is this the memory of an object that is just being made, with any content?
    fn is_new_object(&self, value: &Value, paths: &[Vec<Value>]) -> bool {
        matches!((paths, &self.any), ([path], Some((any, _))) if path.len() == 1 && inside(value, path) == Some(any))
    }

    /// Takes note of those of some elements of a cell that change.
    fn change_at(&mut self, cell: usize, paths: &[Vec<Value>], new: &Value, old: Option<&Value>) {
        for path in paths {
            let (Some(old), Some(new)) = (old.and_then(|v| inside(v, path)), inside(new, path)) else { continue };
            let numbers: Option<Vec<u64>> = path.iter().map(number).collect();
            if old == new {
                continue;
            }
            if let (Where::Object(object), Some(&[offset])) | (Where::Map, Some(&[object, offset])) =
                (self.legend.cells[cell].place, numbers.as_deref())
            {
                let old = old.clone();
                self.wait_for(cell, object, offset, Some(old));
            }
        }
    }

    /// Takes note of the elements of a cell that change.
    fn change(&mut self, cell: usize, part: usize, value: &Value, old: Option<Value>) {
        let legend = &self.legend.cells[cell];
        let mut found = Vec::new();
        match legend.place {
            Where::Scalar { object, offset } => {
                let offset = if legend.units { offset + part as u64 * legend.size } else { offset };
                found.push((object, offset, old));
            }
            Where::Object(object) => {
                if let (Value::Array(new), Some(Value::Array(old))) = (value, old) {
                    let changed = changes(&old, new).into_iter();
                    found.extend(changed.filter_map(|i| Some((object, number(&i)?, Some(old.get(&i).clone())))));
                }
            }
            Where::Map => {
                if let (Value::Array(new), Some(Value::Array(old))) = (value, old) {
                    for object in changes(&old, new) {
                        let (Value::Array(new), Value::Array(old)) = (new.get(&object), old.get(&object)) else {
                            continue;
                        };
                        let Some(object) = number(&object) else { continue };
                        // All of a new object at once is no news.
                        if old.default() != new.default() {
                            continue;
                        }
                        let changed = changes(old, new).into_iter();
                        found.extend(changed.filter_map(|i| Some((object, number(&i)?, Some(old.get(&i).clone())))));
                    }
                }
            }
        }
        for (object, offset, old) in found {
            self.wait_for(cell, object, offset, old);
        }
    }

    /// The values of an element of a cell, one for each variable that has it.
    fn element(&self, cell: usize, object: u64, offset: u64) -> Option<Vec<Value>> {
        let legend = &self.legend.cells[cell];
        let index = |width: u32, n: u64| Value::bv(width, n);
        let at = |var: &Var| -> Option<Value> {
            match (legend.place, self.value(*var)?) {
                (Where::Scalar { .. }, value) => Some(value.clone()),
                (Where::Object(_), Value::Array(map)) => {
                    Some(map.get(&index(self.legend.pointer_bits, offset)).clone())
                }
                (Where::Map, Value::Array(map)) => match map.get(&index(32, object)) {
                    Value::Array(map) => Some(map.get(&index(self.legend.pointer_bits, offset)).clone()),
                    _ => None,
                },
                _ => None,
            }
        };
        match legend.place {
            Where::Scalar { offset: start, .. } if legend.units => {
                let unit = usize::try_from(offset.checked_sub(start)? / legend.size).ok()?;
                Some(vec![at(legend.vars.get(unit)?)?])
            }
            _ => legend.vars.iter().map(at).collect(),
        }
    }

    /// Shows what the statement at hand has changed.
    pub(in crate::trace) fn flush(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|w| (w.object, w.offset));
        self.open_call();
        waiting.retain(|w| self.is_shown(w.object) && !self.stores_parameter(w));
        let mut seen: BTreeSet<(u64, u64)> = BTreeSet::new();
        let (loc, mut shown, mut more) = (self.at, 0, 0);
        for Waiting { cell, object, offset, old, unset } in waiting {
            for (start, place, value) in self.change_texts(cell, object, offset, old) {
                if !seen.insert((object, start)) {
                    continue;
                }
                if shown < MAX_CHANGES {
                    match unset {
                        // Conditions have no place of their own, but variables have.
                        true => {
                            let loc = self.thing(object).map_or(loc, |t| self.legend.things[t].loc);
                            self.add(loc, StepKind::Unset { place, value });
                        }
                        false => self.add(loc, StepKind::Set { place, value }),
                    }
                    shown += 1;
                } else {
                    more += 1;
                }
            }
        }
        if more > 0 {
            self.add(loc, StepKind::More(more));
        }
    }

    /// Is it shown that an object changes? What models and the compiler need for themselves is not.
    fn is_shown(&self, object: u64) -> bool {
        if self.all {
            return true;
        }
        let Some(thing) = self.thing(object).map(|t| &self.legend.things[t]) else { return self.visible().is_some() };
        // Memory that no pointer leads to yet is just being made.
        let known = thing.kind != ThingKind::Heap || self.made.get(&object).is_some_and(|m| m.shown);
        let hidden = |function: &String| self.frames.iter().any(|f| f.hidden && f.function == *function);
        let file = self.program.files.get(thing.loc.file.index()).filter(|_| thing.loc != Loc::NONE);
        known
            && self.visible().is_some()
            && thing.kind != ThingKind::Other
            && !thing.function.as_ref().is_some_and(hidden)
            && !file.is_some_and(|f| is_model(f))
    }

    /// Does the running function only put a parameter where it lives?
    fn stores_parameter(&mut self, waiting: &Waiting) -> bool {
        let Some(thing) = self.thing(waiting.object).map(|t| &self.legend.things[t]) else { return false };
        let Some(frame) = self.frames.last_mut().filter(|f| thing.function.as_ref() == Some(&f.function)) else {
            return false;
        };
        let found = frame.parameters.iter().position(|p| *p == thing.name && waiting.offset == 0);
        found.map(|i| frame.parameters.swap_remove(i)).is_some()
    }

    /// The parts of an object that a changed element has: the first bit, the part as C writes it, and its value.
    fn change_texts(
        &mut self,
        cell: usize,
        object: u64,
        offset: u64,
        old: Option<Value>,
    ) -> Vec<(u64, String, String)> {
        let legend = &self.legend.cells[cell];
        let (size, units) = (legend.size, legend.units);
        let heap = self.thing(object).is_some_and(|t| self.legend.things[t].kind == ThingKind::Heap);
        let Some(element) = self.element(cell, object, offset) else { return Vec::new() };
        let (name, ty) = self.place(object);
        let start = offset * 8;
        let mut found = Vec::new();
        // Allocated memory may be an array of what a pointer to it says.
        let (base, prefix) = match ty.map(|ty| (ty, types::bits(&self.legend.types, ty))) {
            Some((ty, bits)) if heap && bits > 0 && !types::is_open(&self.legend.types, ty) => {
                let record = matches!(
                    self.legend.types[strip(&self.legend.types, ty).index()].kind,
                    DebugTypeKind::Struct(_) | DebugTypeKind::Union(_)
                );
                let index = start / bits;
                (index * bits, if record && index == 0 { String::new() } else { format!("[{index}]") })
            }
            _ => (0, String::new()),
        };
        let parts = ty.map(|ty| leaves(&self.legend.types, ty, start - base..start - base + size * 8));
        for leaf in parts.unwrap_or_default() {
            let first = base + leaf.start;
            let place = format!("{name}{prefix}{}", leaf.path);
            let value = match &element[..] {
                [Value::BitVec(_)] => {
                    let new = self.bits(cell, object, offset, first, leaf.bits);
                    let Some(new) = new else { continue };
                    // Of a unit that bit-fields share, only those that change.
                    if let (Some(Value::BitVec(old)), false) = (&old, units)
                        && first >= start
                        && first + leaf.bits <= start + size * 8
                        && extract(old, first - start, leaf.bits) == new
                    {
                        continue;
                    }
                    self.text(&[Value::BitVec(new)], Some(leaf.ty))
                }
                _ if first == start => self.text(&element, Some(leaf.ty)),
                _ => continue,
            };
            found.push((first, place, value));
        }
        if found.is_empty() && (ty.is_none() || units) {
            let value = self.text(&element, None);
            let place = if offset == 0 && ty.is_none() { format!("*{name}") } else { format!("*({name}+{offset})") };
            found.push((start, place, value));
        }
        found
    }

    /// Bits of an object, from the elements of a cell.
    fn bits(&self, cell: usize, object: u64, offset: u64, first: u64, bits: u64) -> Option<BitVec> {
        let legend = &self.legend.cells[cell];
        let unit = legend.size * 8;
        let width = u32::try_from(bits).ok().filter(|&w| (1..=4096).contains(&w))?;
        if !legend.units {
            let [Value::BitVec(element)] = &self.element(cell, object, offset)?[..] else { return None };
            let from = first.checked_sub(offset * 8)?;
            return (from + bits <= u64::from(element.width())).then(|| extract(element, from, bits));
        }
        // Units lie at multiples of their size from the one at hand.
        let start = offset * 8;
        let back = start.saturating_sub(first).div_ceil(unit);
        let mut at = start.checked_sub(back * unit)?;
        let skip = first.checked_sub(at)?;
        let (mut all, mut have) = (UBig::ZERO, 0u64);
        while have < skip + bits {
            let [Value::BitVec(part)] = &self.element(cell, object, at / 8)?[..] else { return None };
            all |= part.bits().clone() << have as usize;
            have += unit;
            at += unit;
        }
        Some(BitVec::new(width, all >> skip as usize))
    }
}

/// The element at a path of indices.
fn inside<'a>(mut value: &'a Value, path: &[Value]) -> Option<&'a Value> {
    for index in path {
        let Value::Array(array) = value else { return None };
        value = array.get(index);
    }
    Some(value)
}

/// The indices at which two arrays differ.
pub(in crate::trace) fn changes(old: &ArrayValue, new: &ArrayValue) -> Vec<Value> {
    let mut found = BTreeSet::new();
    let (mut a, mut b) = (old.entries().peekable(), new.entries().peekable());
    loop {
        let (index, differs) = match (a.peek(), b.peek()) {
            (Some((i, x)), Some((j, y))) if i == j => {
                let pair = ((*i).clone(), x != y);
                a.next();
                b.next();
                pair
            }
            (Some((i, x)), other) if other.is_none_or(|(j, _)| i < j) => {
                let pair = ((*i).clone(), *x != new.default());
                a.next();
                pair
            }
            (_, Some((j, y))) => {
                let pair = ((*j).clone(), *y != old.default());
                b.next();
                pair
            }
            _ => break,
        };
        if differs {
            found.insert(index);
        }
    }
    found.into_iter().collect()
}
