//! Object lifetimes in a run: sizes, and where objects have ended.

use lariat_program::Loc;
use lariat_source::StepKind;
use lariat_term::{Value, Var};
use rustc_hash::FxHashMap;

use super::{
    ThingKind,
    source_trace::{Builder, changes, number},
};

/// Maps with more entries than this are not compared as a whole.
const MAX_ENTRIES: usize = 4096;

/// What is known of the objects of a run.
#[derive(Default)]
pub(super) struct Lives {
    /// The last size of each object that was not 0.
    pub size: FxHashMap<u64, u64>,
    /// Objects that do not live any more, and where they ended.
    pub ended: FxHashMap<u64, Loc>,
}

impl Builder<'_> {
    /// Follows the maps from objects to their sizes and to whether they are allocated blocks.
    pub(super) fn follow_lives(
        &mut self,
        var: Var,
        new: &Value,
        old: Option<&Value>,
        written: &[Vec<Value>],
        loc: Loc,
    ) {
        let (is_size, is_heap) = (self.legend.sizes == Some(var), self.legend.blocks == Some(var));
        let (true, Value::Array(new)) = (is_size || is_heap, new) else { return };
        let objects: Vec<Value> = match (written, old) {
            ([], Some(Value::Array(old))) if old.entries().count() <= MAX_ENTRIES => changes(old, new),
            ([], _) if new.entries().count() <= MAX_ENTRIES => {
                new.entries().map(|(object, _)| object.clone()).collect()
            }
            ([], _) => return,
            (written, _) => written.iter().filter_map(|path| path.first().cloned()).collect(),
        };
        for object in objects {
            let (Some(object), value) = (number(&object), new.get(&object)) else { continue };
            match value {
                Value::Bool(true) => _ = self.lives.ended.remove(&object),
                Value::Bool(false) if self.was_allocated(object, old) => self.freed(object, loc),
                _ => match number(value) {
                    Some(0) if is_size && self.lives.size.contains_key(&object) => {
                        let loc = self.seen_at(loc);
                        self.lives.ended.entry(object).or_insert(loc);
                    }
                    Some(size) if is_size && size != 0 => {
                        self.lives.size.insert(object, size);
                        self.lives.ended.remove(&object);
                    }
                    _ => {}
                },
            }
        }
    }

    fn was_allocated(&self, object: u64, old: Option<&Value>) -> bool {
        let Some(Value::Array(old)) = old else { return false };
        old.get(&Value::bv(32, object)) == &Value::Bool(true)
    }

    fn freed(&mut self, object: u64, loc: Loc) {
        let seen = self.seen_at(loc);
        self.lives.ended.insert(object, seen);
        let heap = self.thing(object).is_some_and(|thing| self.legend.things[thing].kind == ThingKind::Heap);
        if heap && self.visible().is_some() {
            self.flush();
            self.open_call();
            let (block, _) = self.place(object);
            self.add(loc, StepKind::Free { block });
        }
    }
}
