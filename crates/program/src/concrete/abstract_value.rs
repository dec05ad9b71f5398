//! Values of concrete execution.

use std::{cell::RefCell, rc::Rc};

use lariat_term::{ArrayValue, Float, Sort, SortKind, Terms, Value};
use rustc_hash::FxHashMap;

/// A value, or none that is known.
#[derive(Clone, Debug, Default)]
pub(super) enum AbstractValue {
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
    default: AbstractValue,
    entries: FxHashMap<u64, AbstractValue>,
    /// Where elements that were never written come from, instead of the default.
    drawn: Option<Rc<DrawnArray>>,
}

/// An array of pseudo-random elements. Those that were looked at are remembered.
#[derive(Debug)]
struct DrawnArray {
    seed: u64,
    element: Shape,
    /// Words that the program compares with.
    constants: Rc<[u64]>,
    read: RefCell<FxHashMap<u64, AbstractValue>>,
}

/// What values of a sort look like.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A bit-vector, or a Boolean (one bit).
    Word(u32),
    Int,
    /// Exponent and significand.
    Float(u32, u32),
    Array(Rc<Shape>),
}

impl Shape {
    /// The shape of a sort that has one; nesting is bounded.
    pub fn of(terms: &Terms, mut sort: Sort) -> Option<Shape> {
        let mut arrays = 0;
        let mut shape = loop {
            match terms.sort_kind(sort) {
                SortKind::Bool => break Shape::Word(1),
                SortKind::BitVec(width) if width <= 64 => break Shape::Word(width),
                SortKind::Int => break Shape::Int,
                SortKind::Float { exp, sig } if exp + sig <= 64 => break Shape::Float(exp, sig),
                SortKind::Array(index, element) if arrays < 4 && is_word(terms, index) => {
                    arrays += 1;
                    sort = element;
                }
                _ => return None,
            }
        };
        (0..arrays).for_each(|_| shape = Shape::Array(Rc::new(shape.clone())));
        Some(shape)
    }

    /// How many bits values have; those of integers and arrays are words.
    pub fn width(&self) -> u64 {
        match self {
            Shape::Word(width) => u64::from(*width),
            Shape::Float(exp, sig) => u64::from(exp + sig),
            Shape::Int | Shape::Array(_) => 64,
        }
    }

    /// The value of this shape that a word stands for: its bits; an array is pseudo-random, but for that of zero, which has zeros everywhere.
    /// Elements may be among the constants.
    pub fn cell(&self, word: u64, constants: &Rc<[u64]>) -> AbstractValue {
        match self {
            Shape::Word(width) => AbstractValue::Word(word & super::code::ones(*width)),
            Shape::Int => AbstractValue::Word(word),
            &Shape::Float(exp, sig) => {
                let bits = word & super::code::ones(exp + sig);
                AbstractValue::of(Value::Float(Float::from_bits(exp, sig, bits.into())))
            }
            Shape::Array(element) if word == 0 => AbstractValue::constant(element.cell(0, constants)),
            Shape::Array(element) => {
                let drawn = DrawnArray {
                    seed: word,
                    element: (**element).clone(),
                    constants: constants.clone(),
                    read: RefCell::default(),
                };
                AbstractValue::Array(Rc::new(Array { drawn: Some(Rc::new(drawn)), ..Array::default() }))
            }
        }
    }
}

fn is_word(terms: &Terms, sort: Sort) -> bool {
    matches!(terms.sort_kind(sort), SortKind::Bool | SortKind::Int)
        || matches!(terms.sort_kind(sort), SortKind::BitVec(width) if width <= 64)
}

/// A number that looks random (splitmix64).
pub(super) fn scramble(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl DrawnArray {
    fn element(&self, index: u64) -> AbstractValue {
        let mut read = self.read.borrow_mut();
        read.entry(index).or_insert_with(|| self.element.cell(self.word(index), &self.constants)).clone()
    }

    /// Numbers as text, other text, small numbers, what the program compares with, or anything, by the seed.
    fn word(&self, index: u64) -> u64 {
        let random = scramble(self.seed ^ scramble(index));
        let (kind, random) = (random % 16, random >> 4);
        if let Shape::Array(_) = self.element {
            return random | 1;
        }
        match (self.seed % 5, kind) {
            (0, 0) | (1, 0 | 1) | (2, 0..=7) => 0,
            (0, 1 | 2) => u64::from(b'-'),
            (0, _) => u64::from(b'0') + random % 10,
            (1, _) => u64::from(b' ') + random % 95,
            (2, _) => random % 16,
            (3, 0..=11) => self.constants.get(random as usize % self.constants.len().max(1)).copied().unwrap_or(0),
            (3, _) => random % 256,
            _ => scramble(random),
        }
    }
}

impl Array {
    fn element(&self, index: u64) -> AbstractValue {
        match (self.entries.get(&index), &self.drawn) {
            (Some(cell), _) => cell.clone(),
            (None, Some(drawn)) => drawn.element(index),
            (None, None) => self.default.clone(),
        }
    }
}

impl AbstractValue {
    pub fn bool(b: bool) -> AbstractValue {
        AbstractValue::Word(u64::from(b))
    }

    /// A value that is no array.
    pub fn of(value: Value) -> AbstractValue {
        let word = match &value {
            Value::Bool(b) => Some(u64::from(*b)),
            Value::BitVec(b) if b.width() <= 64 => u64::try_from(b.bits()).ok(),
            Value::Int(i) => i64::try_from(i).ok().map(|i| i as u64),
            _ => None,
        };
        word.map_or_else(|| AbstractValue::Other(Rc::new(value)), AbstractValue::Word)
    }

    /// The value of this sort that was drawn, with those elements of arrays that were looked at; `None` if there is none.
    pub fn drawn(&self, terms: &Terms, sort: Sort) -> Option<Value> {
        match (self, terms.sort_kind(sort)) {
            (AbstractValue::Array(array), SortKind::Array(index, element)) => {
                let default = terms.default_value(element)?;
                let mut value = ArrayValue::constant(sort, terms.domain(index, &|_| None), default);
                if let Some(drawn) = &array.drawn {
                    for (&i, cell) in &*drawn.read.borrow() {
                        let index = AbstractValue::Word(i).value(terms.sort_kind(index))?;
                        value.set(index, cell.drawn(terms, element)?);
                    }
                }
                Some(Value::array(value))
            }
            (_, kind) => self.value(kind),
        }
    }

    /// A number for what is held, as far as another function tells words apart. Large arrays are left out.
    pub fn digest(&self, classify: &dyn Fn(u64) -> u64) -> u64 {
        const LARGE: usize = 32;
        match self {
            AbstractValue::Word(w) => classify(*w),
            AbstractValue::Array(array) if array.entries.len() <= LARGE => {
                array.entries.iter().fold(0u64, |sum, (i, cell)| {
                    let element = match cell {
                        AbstractValue::Array(part) if part.entries.len() <= LARGE => {
                            part.entries.iter().fold(1u64, |sum, (j, cell)| {
                                let inner = cell.word().map_or(0, classify);
                                sum.wrapping_add(scramble(scramble(*j) ^ inner))
                            })
                        }
                        cell => cell.word().map_or(0, classify),
                    };
                    sum.wrapping_add(scramble(scramble(classify(*i)) ^ element))
                })
            }
            _ => 0,
        }
    }

    /// How many entries an array has.
    pub fn entries(&self) -> usize {
        if let AbstractValue::Array(array) = self { array.entries.len() } else { 0 }
    }

    /// The exact value, of this sort; none for arrays and unknown ones.
    pub fn value(&self, kind: SortKind) -> Option<Value> {
        match (self, kind) {
            (AbstractValue::Word(w), SortKind::Bool) => Some(Value::Bool(*w != 0)),
            (AbstractValue::Word(w), SortKind::BitVec(width)) => Some(Value::bv(width, *w)),
            (AbstractValue::Word(w), SortKind::Int) => Some(Value::int(*w as i64)),
            (AbstractValue::Other(v), _) => Some((**v).clone()),
            _ => None,
        }
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, AbstractValue::Unknown)
    }

    pub fn word(&self) -> Option<u64> {
        match self {
            AbstractValue::Word(w) => Some(*w),
            _ => None,
        }
    }

    /// An array with one element everywhere.
    pub fn constant(element: AbstractValue) -> AbstractValue {
        AbstractValue::Array(Rc::new(Array { default: element, ..Array::default() }))
    }

    /// The element at a path of indices, from the outside in.
    pub fn element<'c>(&'c self, path: impl Iterator<Item = &'c AbstractValue>) -> AbstractValue {
        let mut cell = self;
        let mut path = path.peekable();
        while let Some(index) = path.next() {
            let (AbstractValue::Array(array), AbstractValue::Word(i)) = (cell, index) else {
                return AbstractValue::Unknown;
            };
            cell = match (array.entries.get(i), &array.drawn) {
                (Some(cell), _) => cell,
                (None, None) => &array.default,
                (None, Some(_)) if path.peek().is_none() => return array.element(*i),
                (None, Some(_)) => {
                    // Of arrays in arrays, at most a few deep.
                    let part = array.element(*i);
                    return path.fold(part, |part, index| part.element([index].into_iter()));
                }
            };
        }
        cell.clone()
    }

    /// Replaces the element at a path of indices. Says whether there is a new entry.
    pub fn store<'c>(&mut self, mut path: impl Iterator<Item = &'c AbstractValue>, element: AbstractValue) -> bool {
        let mut cell = self;
        let mut grows = false;
        loop {
            let Some(index) = path.next() else {
                *cell = element;
                return grows;
            };
            // Anywhere: no element is known any more.
            let AbstractValue::Word(i) = index else {
                *cell = AbstractValue::Unknown;
                return false;
            };
            if !matches!(cell, AbstractValue::Array(_)) {
                *cell = AbstractValue::Array(Rc::default());
            }
            let AbstractValue::Array(array) = cell else { return false };
            let array = Rc::make_mut(array);
            let (default, drawn) = (&array.default, &array.drawn);
            cell = array.entries.entry(*i).or_insert_with(|| {
                grows = true;
                drawn.as_ref().map_or_else(|| default.clone(), |drawn| drawn.element(*i))
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_read_and_unknown_indices_make_all_unknown() {
        let (one, two, any) = (AbstractValue::Word(1), AbstractValue::Word(2), AbstractValue::Unknown);
        let mut a = AbstractValue::Unknown;
        assert!(a.store([&one, &two].into_iter(), AbstractValue::Word(7)));
        assert!(!a.store([&one, &two].into_iter(), AbstractValue::Word(8)));
        let copy = a.clone();
        a.store([&one, &one].into_iter(), AbstractValue::Word(9));
        assert_eq!(a.element([&one, &two].into_iter()).word(), Some(8));
        assert_eq!(a.element([&one, &one].into_iter()).word(), Some(9));
        assert_eq!(copy.element([&one, &one].into_iter()).word(), None);
        a.store([&one, &any].into_iter(), AbstractValue::Word(3));
        assert_eq!(a.element([&one, &two].into_iter()).word(), None);
        assert_eq!(copy.element([&one, &two].into_iter()).word(), Some(8));
        assert_eq!(AbstractValue::constant(AbstractValue::Word(4)).element([&two].into_iter()).word(), Some(4));
    }
}
