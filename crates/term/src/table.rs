//! The hash table behind hash-consing: from the hash of a node to its number.
//!
//! In go hashes and numbers, out come the numbers whose hash is the same; the store compares the nodes.
//! Nothing is ever taken out. What always holds: the number of slots is a power of two, at least a
//! quarter of them are free, and a number is found between the slot that its hash names and the next
//! free one.
//!
//! Each slot has the hash beside the number, so that neither looking up nor growing visits nodes that are
//! not wanted, and a look-up in a large table costs one miss of the cache instead of two.

/// The number that marks a free slot.
const FREE: u32 = u32::MAX;

/// From hashes to numbers below `u32::MAX`.
#[derive(Clone)]
pub(crate) struct Table {
    /// Hash and number.
    slots: Vec<(u32, u32)>,
    /// How far a mixed hash is shifted to name a slot.
    shift: u32,
    len: usize,
}

impl Table {
    pub fn new() -> Table {
        Table { slots: vec![(0, FREE); 16], shift: 64 - 4, len: 0 }
    }

    /// The slot where the search for a hash starts. Neighbours in hash are spread out, since a run of
    /// full slots is what makes a search long.
    #[inline]
    fn start(&self, hash: u32) -> usize {
        (u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    /// The number with this hash that `is_it` accepts.
    #[inline]
    pub fn find(&self, hash: u32, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = self.start(hash);
        loop {
            let (other, number) = self.slots[at & mask];
            if number == FREE {
                return None;
            }
            if other == hash && is_it(number) {
                return Some(number);
            }
            at += 1;
        }
    }

    /// Adds a number that is not there.
    #[inline]
    pub fn insert(&mut self, hash: u32, number: u32) {
        debug_assert!(number != FREE);
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        self.len += 1;
        self.put(hash, number);
    }

    #[inline]
    fn put(&mut self, hash: u32, number: u32) {
        let mask = self.slots.len() - 1;
        let mut at = self.start(hash);
        while self.slots[at & mask].1 != FREE {
            at += 1;
        }
        self.slots[at & mask] = (hash, number);
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![(0, FREE); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, larger);
        self.shift -= 1;
        for (hash, number) in old {
            if number != FREE {
                self.put(hash, number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_hash_and_no_other() {
        let mut table = Table::new();
        // Many hashes more than once, and runs that go around the end.
        let hash = |n: u32| (n / 3).wrapping_mul(0x0101_0001) ^ (n % 3 / 2);
        for n in 0..5000 {
            assert_eq!(table.find(hash(n), |other| other == n), None);
            table.insert(hash(n), n);
        }
        for n in 0..5000 {
            assert_eq!(table.find(hash(n), |other| other == n), Some(n));
            table.find(hash(n), |other| {
                assert_eq!(hash(other), hash(n));
                false
            });
        }
        assert_eq!(table.find(hash(6000), |_| true), None);
    }
}
