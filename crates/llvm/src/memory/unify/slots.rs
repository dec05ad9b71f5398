//! What is stored in the memory of nodes: slots, and copies of blocks of memory.

use std::collections::BTreeMap;

use super::{ALIGNED, ARBITRARY, Copy, FlowKind, HOLDS_OUTSIDE, Nodes, OUTSIDE, Ptr, Slot, Task, USED, gcd, reduce};

impl Nodes {
    /// Memory is copied.
    pub fn copy(&mut self, to: Ptr, from: Ptr, bytes: Option<u64>) {
        let id = self.copies.len() as u32;
        self.copies.push(Copy { to, from, bytes });
        self.copy_queued.push(true);
        for p in [to, from] {
            let root = self.find(p.node).0;
            self.data[root as usize].copies.push(id);
            self.flag(p, USED);
        }
        self.tasks.push_back(Task::Copy(id));
    }

    /// What is stored in the bytes that `p` points to.
    pub fn slot(&mut self, p: Ptr, bytes: u64) -> Slot {
        let p = self.normal(p);
        match self.data[p.node as usize].slots.get(&(p.offset, bytes)) {
            Some(&slot) => slot,
            None => {
                let slot = Slot { written: self.fresh(), read: self.fresh() };
                self.flow(slot.written, slot.read, 0);
                self.insert(p.node, p.offset, bytes, slot);
                slot
            }
        }
    }

    /// What is stored in the node of a pointer: where in it, how many bytes, and what it points to.
    pub fn stored(&mut self, p: Ptr) -> Vec<(Ptr, u64, Ptr)> {
        let root = self.find(p.node).0;
        let slots = self.data[root as usize].slots.iter();
        let both = |slot: &Slot| [slot.written, slot.read];
        let stored = slots.flat_map(|(&(offset, bytes), slot)| both(slot).map(|to| (offset, bytes, to)));
        stored.map(|(offset, bytes, to)| (Ptr { node: root, offset }, bytes, to)).collect()
    }

    /// What is read from the memory that a pointer points to.
    pub fn contents(&mut self, p: Ptr) -> Vec<Ptr> {
        let root = self.find(p.node).0;
        self.data[root as usize].slots.values().map(|slot| slot.read).collect()
    }

    /// Puts a slot into a node, where it meets other slots.
    pub(super) fn insert(&mut self, root: u32, offset: i64, bytes: u64, slot: Slot) {
        let node = &mut self.data[root as usize];
        let modulus = node.modulus;
        let offset = reduce(offset, modulus);
        if let Some(&other) = node.slots.get(&(offset, bytes)) {
            self.unify(other.written, slot.written);
            self.unify(other.read, slot.read);
            return;
        }
        let mut meets = Vec::new();
        overlapping(&node.slots, modulus, node.longest, offset, bytes, |_, &other| meets.push(other));
        node.slots.insert((offset, bytes), slot);
        node.longest = node.longest.max(bytes);
        let flags = node.flags;
        if flags & (HOLDS_OUTSIDE | ARBITRARY) != 0 {
            self.flag(slot.read, held(flags));
        }
        for function in self.data[root as usize].escapes.clone() {
            self.escape_stored(bytes, slot, function);
        }
        if bytes >= self.word {
            for function in self.data[root as usize].holds.clone() {
                self.join(self.given(function), slot.read, ALIGNED);
            }
        }
        for other in meets {
            self.join(slot.written, other.read, 1);
            self.join(other.written, slot.read, 1);
        }
        self.requeue_copies(root);
    }

    /// An edge between two slots, once.
    pub(super) fn join(&mut self, from: Ptr, to: Ptr, stride: u64) {
        if self.joined.insert((from.node, to.node, stride)) {
            // A part of an address is none; see `parts`.
            self.flow_as(
                from,
                to,
                stride,
                if matches!(stride, 0 | ALIGNED) { FlowKind::Address } else { FlowKind::Number },
            );
        }
    }

    pub(super) fn do_copy(&mut self, id: u32) {
        self.copy_queued[id as usize] = false;
        let Copy { to, from, bytes } = self.copies[id as usize];
        self.normal(to);
        let (from, to) = (self.normal(from), self.normal(to));
        // What nobody has looked at in the source may be looked at in the copy.
        let held = self.flags(from) & HOLDS_OUTSIDE;
        if held & !self.flags(to) != 0 {
            self.set_flags(to.node, held);
        }
        for function in self.data[from.node as usize].holds.clone() {
            self.set_hold(to.node, function);
        }
        let (m_from, m_to) = (self.modulus(from), self.modulus(to));
        let several = |m: u64| m != 0 && bytes.is_none_or(|n| n > m);
        if several(m_from) || several(m_to) {
            // One period of a side meets several of the other: both get the same.
            if m_from != m_to {
                let m = gcd(m_from, m_to);
                self.set_modulus(from.node, m);
                let to = self.normal(to);
                self.set_modulus(to.node, m);
                return self.requeue_copy(id);
            }
        }
        if from.node == to.node && bytes.is_none() && from.offset != to.offset {
            let before = m_from;
            self.set_modulus(from.node, from.offset.abs_diff(to.offset));
            if self.modulus(from) != before {
                return self.requeue_copy(id);
            }
        }
        let mut found = Vec::new();
        let node = &self.data[from.node as usize];
        let window = bytes.unwrap_or(u64::MAX);
        overlapping(&node.slots, m_from, node.longest, from.offset, window, |(offset, len), &slot| {
            found.push((offset, len, slot));
        });
        for (offset, len, slot) in found {
            let mut distance = offset - from.offset;
            if m_from != 0 {
                // The nearest place that overlaps the window.
                distance = reduce(distance, m_from);
                if (distance as u64) >= window {
                    distance -= m_from as i64;
                }
            }
            if bytes.is_none() && self.modulus(to) == 0 && distance > 1 << 16 {
                self.set_modulus(to.node, 1);
                return self.requeue_copy(id);
            }
            let target = self.slot(to.plus(distance), len);
            self.join(slot.read, target.written, 0);
        }
    }

    pub(super) fn requeue_copies(&mut self, root: u32) {
        for &c in &self.data[root as usize].copies {
            if !std::mem::replace(&mut self.copy_queued[c as usize], true) {
                self.tasks.push_back(Task::Copy(c));
            }
        }
    }

    fn requeue_copy(&mut self, id: u32) {
        if !std::mem::replace(&mut self.copy_queued[id as usize], true) {
            self.tasks.push_back(Task::Copy(id));
        }
    }
}

/// What the flags of a node say about what is stored in it.
pub(super) fn held(flags: u8) -> u8 {
    let mut held = 0;
    if flags & HOLDS_OUTSIDE != 0 {
        held |= OUTSIDE;
    }
    if flags & ARBITRARY != 0 {
        held |= ARBITRARY;
    }
    held
}

/// Calls `meet` for each entry of an ordered map of ranges that overlaps the given range.
pub(in crate::memory) fn overlapping<V>(
    ranges: &BTreeMap<(i64, u64), V>,
    modulus: u64,
    longest: u64,
    offset: i64,
    bytes: u64,
    mut meet: impl FnMut((i64, u64), &V),
) {
    if bytes == 0 {
        return;
    }
    if modulus != 0 && longest.saturating_add(bytes) >= modulus {
        for (&(o, n), v) in ranges {
            let after = reduce(o - offset, modulus) as u64;
            let before = reduce(offset - o, modulus) as u64;
            if after < bytes || before < n {
                meet((o, n), v);
            }
        }
        return;
    }
    let low = offset.saturating_sub_unsigned(longest);
    let high = offset.saturating_add_unsigned(bytes);
    let mut span = |shift: i64| {
        for (&(o, n), v) in ranges.range((low + shift, 0)..(high + shift, 0)) {
            if o.saturating_add_unsigned(n) > offset + shift {
                meet((o, n), v);
            }
        }
    };
    span(0);
    if modulus != 0 {
        span(modulus as i64);
        span(-(modulus as i64));
    }
}
