//! Values of concrete execution.

use std::rc::Rc;

use lariat_term::{SortKind, Value};
use rustc_hash::FxHashMap;

/// A value, or none that is known.
#[derive(Clone, Debug, Default)]
pub(super) enum Cell {
    /// Any value.
    #[default]
    Unknown,
    /// A Boolean (0 or 1), a bit-vector of up to 64 bits, or an integer that fits into 64 (two's complement).
    Word(u64),
    /// An array.
    Array(Rc<Array>),
    /// Any other value.
    Other(Rc<Value>),
}

/// An array: exceptions to a default. Both may be unknown.
#[derive(Clone, Debug, Default)]
pub(super) struct Array {
    default: Cell,
    entries: FxHashMap<u64, Cell>,
}

impl Cell {
    pub fn bool(b: bool) -> Cell {
        Cell::Word(u64::from(b))
    }

    /// The cell of a value that is no array.
    pub fn of(value: Value) -> Cell {
        let word = match &value {
            Value::Bool(b) => Some(u64::from(*b)),
            Value::BitVec(b) if b.width() <= 64 => u64::try_from(b.bits()).ok(),
            Value::Int(i) => i64::try_from(i).ok().map(|i| i as u64),
            _ => None,
        };
        word.map_or_else(|| Cell::Other(Rc::new(value)), Cell::Word)
    }

    /// The value of a cell of this sort; none for arrays and unknown ones.
    pub fn value(&self, kind: SortKind) -> Option<Value> {
        match (self, kind) {
            (Cell::Word(w), SortKind::Bool) => Some(Value::Bool(*w != 0)),
            (Cell::Word(w), SortKind::BitVec(width)) => Some(Value::bv(width, *w)),
            (Cell::Word(w), SortKind::Int) => Some(Value::int(*w as i64)),
            (Cell::Other(v), _) => Some((**v).clone()),
            _ => None,
        }
    }

    pub fn word(&self) -> Option<u64> {
        match self {
            Cell::Word(w) => Some(*w),
            _ => None,
        }
    }

    /// An array with one element everywhere.
    pub fn constant(element: Cell) -> Cell {
        Cell::Array(Rc::new(Array { default: element, entries: FxHashMap::default() }))
    }

    /// The element at a path of indices, from the outside in.
    pub fn element<'c>(&'c self, path: impl Iterator<Item = &'c Cell>) -> Cell {
        let mut cell = self;
        for index in path {
            let (Cell::Array(array), Cell::Word(i)) = (cell, index) else { return Cell::Unknown };
            cell = array.entries.get(i).unwrap_or(&array.default);
        }
        cell.clone()
    }

    /// Replaces the element at a path of indices. Says whether there is a new entry.
    pub fn store<'c>(&mut self, mut path: impl Iterator<Item = &'c Cell>, element: Cell) -> bool {
        let mut cell = self;
        let mut grows = false;
        loop {
            let Some(index) = path.next() else {
                *cell = element;
                return grows;
            };
            // Anywhere: no element is known any more.
            let Cell::Word(i) = index else {
                *cell = Cell::Unknown;
                return false;
            };
            if !matches!(cell, Cell::Array(_)) {
                *cell = Cell::Array(Rc::default());
            }
            let Cell::Array(array) = cell else { return false };
            let array = Rc::make_mut(array);
            let default = &array.default;
            cell = array.entries.entry(*i).or_insert_with(|| {
                grows = true;
                default.clone()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_read_and_unknown_indices_make_all_unknown() {
        let (one, two, any) = (Cell::Word(1), Cell::Word(2), Cell::Unknown);
        let mut a = Cell::Unknown;
        assert!(a.store([&one, &two].into_iter(), Cell::Word(7)));
        assert!(!a.store([&one, &two].into_iter(), Cell::Word(8)));
        let copy = a.clone();
        a.store([&one, &one].into_iter(), Cell::Word(9));
        assert_eq!(a.element([&one, &two].into_iter()).word(), Some(8));
        assert_eq!(a.element([&one, &one].into_iter()).word(), Some(9));
        assert_eq!(copy.element([&one, &one].into_iter()).word(), None);
        a.store([&one, &any].into_iter(), Cell::Word(3));
        assert_eq!(a.element([&one, &two].into_iter()).word(), None);
        assert_eq!(copy.element([&one, &two].into_iter()).word(), Some(8));
        assert_eq!(Cell::constant(Cell::Word(4)).element([&two].into_iter()).word(), Some(4));
    }
}
