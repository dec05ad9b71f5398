//! Array values: finitely many exceptions to a default, in a persistent map, so that a copy is one
//! pointer and a store is logarithmic also where the old array is still in use.
//!
//! Canonical form: no entry maps to the default. Where the index sort is finite, one function has
//! several defaults to choose from; the most frequent element (the smallest of those) is taken. As
//! long as entries cover less than half of the domain that is the present default, so the rule
//! costs nothing for the arrays that matter.

use std::{
    cmp::Ordering,
    collections::BTreeMap,
    hash::{Hash, Hasher},
    sync::Arc,
};

use rpds::RedBlackTreeMapSync;

use super::{Domain, MAX_ARRAY_NESTING, Value};
use crate::sort::Sort;

/// An array value.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    sort: Sort,
    /// The indices there are.
    domain: Arc<Domain>,
    default: Value,
    entries: RedBlackTreeMapSync<Value, Value>,
    nesting: u32,
}

impl ArrayValue {
    /// The array of this array sort with one element everywhere. `domain` is that of the index sort
    /// ([`Terms::domain`](crate::Terms::domain)).
    pub fn constant(sort: Sort, domain: Arc<Domain>, element: Value) -> ArrayValue {
        let nesting = element.array_nesting().saturating_add(1);
        ArrayValue { sort, domain, default: element, entries: RedBlackTreeMapSync::new_sync(), nesting }
    }

    /// The array sort.
    pub fn sort(&self) -> Sort {
        self.sort
    }

    /// The element at every index without an entry.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// How many indices differ from the default.
    pub fn len(&self) -> usize {
        self.entries.size()
    }

    /// Is this a constant array?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The exceptions to the default, by ascending index.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }

    /// The element at an index.
    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Replaces the element at one index.
    pub fn set(&mut self, index: Value, element: Value) {
        self.nesting = self.nesting.max(index.array_nesting().max(element.array_nesting()).saturating_add(1));
        if element == self.default {
            self.entries.remove_mut(&index);
        } else {
            self.entries.insert_mut(index, element);
        }
        self.normalise();
    }

    pub(crate) fn nesting(&self) -> u32 {
        self.nesting
    }

    /// Is the value nested too deep to be worked with? See [`MAX_ARRAY_NESTING`].
    pub(crate) fn too_deep(&self) -> bool {
        self.nesting > MAX_ARRAY_NESTING
    }

    fn normalise(&mut self) {
        let Some(size) = self.domain.size() else { return };
        let entries = self.entries.size() as u64;
        if entries < size.saturating_sub(entries) {
            return;
        }
        let mut counts: BTreeMap<&Value, u64> = BTreeMap::new();
        if entries < size {
            counts.insert(&self.default, size - entries);
        }
        for (_, v) in self.entries.iter() {
            *counts.entry(v).or_default() += 1;
        }
        // The smallest of the most frequent: `max_by_key` takes the last of equals.
        let Some(best) = counts.iter().rev().max_by_key(|&(_, &n)| n).map(|(&v, _)| v.clone()) else { return };
        if best == self.default {
            return;
        }
        let entries = (0..size).filter_map(|i| {
            let index = self.domain.nth(i)?;
            let element = self.get(&index).clone();
            (element != best).then_some((index, element))
        });
        self.entries = entries.collect();
        self.default = best;
    }
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        std::ptr::eq(self, other)
            || self.sort == other.sort && self.default == other.default && self.entries == other.entries
    }
}

impl Eq for ArrayValue {}

impl Hash for ArrayValue {
    fn hash<H: Hasher>(&self, h: &mut H) {
        self.sort.hash(h);
        self.default.hash(h);
        self.entries.hash(h);
    }
}

impl PartialOrd for ArrayValue {
    fn partial_cmp(&self, other: &ArrayValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ArrayValue {
    fn cmp(&self, other: &ArrayValue) -> Ordering {
        self.sort
            .cmp(&other.sort)
            .then_with(|| self.default.cmp(&other.default))
            .then_with(|| self.entries.cmp(&other.entries))
    }
}
