//! Arenas: the tree's nodes live in a few vectors and refer to each other by 32-bit numbers.
//!
//! So a tree of any depth is dropped in a few steps, a reference is four bytes, and a later stage
//! keeps what it learns about a node in a vector of its own, indexed by the node's number.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::ops::Index;

/// The number of a node of type `T` in its arena.
pub struct Id<T>(NonZeroU32, PhantomData<fn() -> T>);

impl<T> Id<T> {
    /// The position in the arena, counted from 0.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The id with this position. Positions stay below `u32::MAX` since every node takes at least
    /// one byte of source text.
    pub fn from_index(index: usize) -> Id<T> {
        let number = NonZeroU32::new((index as u32).wrapping_add(1));
        Id(number.unwrap_or(NonZeroU32::MAX), PhantomData)
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Id<T> {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Id<T>) -> bool {
        self.0 == other.0
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Id<T>) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Id<T>) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}
impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index())
    }
}

/// A run of neighbours in the arena of `T`.
pub struct Slice<T> {
    start: u32,
    len: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Slice<T> {
    /// The run without elements.
    pub const EMPTY: Slice<T> = Slice { start: 0, len: 0, of: PhantomData };

    /// How many elements there are.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether there is no element.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The numbers of the elements, in order.
    pub fn ids(self) -> impl DoubleEndedIterator<Item = Id<T>> + ExactSizeIterator {
        (self.start as usize..self.start as usize + self.len as usize).map(Id::from_index)
    }

    /// The number of the `index`-th element.
    pub fn id(self, index: usize) -> Option<Id<T>> {
        (index < self.len()).then(|| Id::from_index(self.start as usize + index))
    }
}

impl<T> Clone for Slice<T> {
    fn clone(&self) -> Slice<T> {
        *self
    }
}
impl<T> Copy for Slice<T> {}
impl<T> PartialEq for Slice<T> {
    fn eq(&self, other: &Slice<T>) -> bool {
        (self.start, self.len) == (other.start, other.len)
    }
}
impl<T> Eq for Slice<T> {}
impl<T> Default for Slice<T> {
    fn default() -> Slice<T> {
        Slice::EMPTY
    }
}
impl<T> fmt::Debug for Slice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}+{}", self.start, self.len)
    }
}

/// The vector that the nodes of type `T` live in.
#[derive(Clone, Debug)]
pub struct Arena<T>(Vec<T>);

impl<T> Default for Arena<T> {
    fn default() -> Arena<T> {
        Arena(Vec::new())
    }
}

impl<T> Arena<T> {
    /// Adds a node.
    pub fn push(&mut self, node: T) -> Id<T> {
        self.0.push(node);
        Id::from_index(self.0.len() - 1)
    }

    /// Adds a run of nodes.
    pub fn extend(&mut self, nodes: impl IntoIterator<Item = T>) -> Slice<T> {
        let start = self.0.len();
        self.0.extend(nodes);
        match self.0.len() - start {
            0 => Slice::EMPTY,
            len => Slice { start: start as u32, len: len as u32, of: PhantomData },
        }
    }

    /// Gives back room that was kept for more nodes.
    pub fn shrink_to_fit(&mut self) {
        self.0.shrink_to_fit();
    }

    /// How many nodes there are, which is also the length of a table indexed by [`Id::index`].
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All nodes with their numbers.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Id<T>, &T)> {
        let nodes = self.0.iter().enumerate();
        nodes.map(|(index, node)| (Id::from_index(index), node))
    }
}

impl<T> Index<Id<T>> for Arena<T> {
    type Output = T;
    fn index(&self, id: Id<T>) -> &T {
        &self.0[id.index()]
    }
}

impl<T> Index<Slice<T>> for Arena<T> {
    type Output = [T];
    fn index(&self, slice: Slice<T>) -> &[T] {
        &self.0[slice.start as usize..slice.start as usize + slice.len as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_slices_are_small_and_find_their_nodes() {
        assert_eq!(size_of::<Option<Id<String>>>(), 4);
        assert_eq!(size_of::<Slice<String>>(), 8);
        let mut arena = Arena::default();
        let a = arena.push("a");
        let run = arena.extend(["b", "c"]);
        assert_eq!(arena[a], "a");
        assert_eq!(arena[run], ["b", "c"]);
        assert_eq!(run.id(1).map(|id| arena[id]), Some("c"));
        assert_eq!(run.id(2), None);
        assert_eq!(run.ids().map(Id::index).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(arena.extend([]), Slice::EMPTY);
        assert_eq!(arena[Slice::EMPTY], [] as [&str; 0]);
    }
}
