//! Taint analyses over the edges of the points-to analysis: which values may carry addresses, parts of addresses, and
//! integers that become pointers. Unlike unification, they follow flows in their direction only.

use rustc_hash::FxHashSet;

use super::slots::overlapping;
use super::{Edge, FlowKind, Nodes, Ptr};

impl Nodes {
    /// Forward taint analysis, if addresses of objects with these alignments flow from these pointers; unlike targets, it
    /// follows flows in their direction only. By value: what the
    /// addresses that reach it are aligned to (0: none reaches it), and whether numbers computed from bits of addresses do.
    ///
    /// In a node whose offsets are not known pointers and integers share a slot. There, what was stored as a pointer is not what
    /// is read as an integer: C has no such accesses but for unions.
    pub fn carried(&mut self, seeds: &[(Ptr, u32)]) -> (Vec<u32>, Vec<bool>) {
        let mut apart = FxHashSet::default();
        for i in 0..self.integer_loads.len() {
            let (edge, at) = self.integer_loads[i];
            let modulus = self.modulus(at);
            if !modulus.is_multiple_of(self.word) {
                apart.insert(edge);
            }
        }
        let mut out: Vec<Vec<(u32, FlowKind)>> = vec![Vec::new(); self.parent.len()];
        for e in 0..self.edges.len() {
            let Edge { from, to, kind, .. } = self.edges[e];
            let (from, to) = (self.value(from), self.value(to));
            let kind = match kind {
                FlowKind::IntegerLoaded if !apart.contains(&(e as u32)) => FlowKind::IntegerStored,
                kind => kind,
            };
            out[from as usize].push((to, kind));
        }
        // Of addresses as integers, and as pointers.
        let mut aligned = [vec![0; self.parent.len()], vec![0; self.parent.len()]];
        let mut work: Vec<(u32, u32, bool)> = seeds.iter().map(|&(p, align)| (self.value(p), align, true)).collect();
        while let Some((node, align, pointer)) = work.pop() {
            let old = &mut aligned[usize::from(pointer)][node as usize];
            if *old == 0 || *old > align {
                *old = align;
                for &(to, kind) in &out[node as usize] {
                    let pointer = match kind {
                        FlowKind::Address | FlowKind::Either => pointer,
                        FlowKind::PointerStored => true,
                        FlowKind::IntegerStored => false,
                        FlowKind::IntegerLoaded if !pointer => false,
                        FlowKind::IntegerLoaded | FlowKind::Number => continue,
                    };
                    work.push((to, align, pointer));
                }
            }
        }
        let [integers, pointers] = aligned;
        let least = |(a, b): (u32, u32)| if a == 0 || b == 0 { a.max(b) } else { a.min(b) };
        let aligned: Vec<u32> = integers.into_iter().zip(pointers).map(least).collect();
        let mut derived = vec![false; self.parent.len()];
        let mut work: Vec<u32> = Vec::new();
        for (out, _) in out.iter().zip(&aligned).filter(|(_, align)| **align != 0) {
            let computes = |kind: FlowKind| matches!(kind, FlowKind::Either | FlowKind::Number);
            work.extend(out.iter().filter(|(_, kind)| computes(*kind)).map(|&(to, _)| to));
        }
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut derived[node as usize], true) {
                work.extend(out[node as usize].iter().map(|&(to, _)| to));
            }
        }
        (aligned, derived)
    }

    /// By value: whether it may be a part of an address, or be made of such parts, as memory is read by other sizes than it was
    /// written. That is followed in nodes with exact offsets, and in those of `roots`. Where a number of the same size is written
    /// (`numbers`: node, offset, bytes), as in a union with a tag, it is the number that is read.
    pub fn parts(
        &mut self,
        aligned: &[u32],
        roots: &FxHashSet<u32>,
        numbers: &FxHashSet<(u32, i64, u64)>,
    ) -> Vec<bool> {
        let mut pairs: Vec<(Ptr, Ptr)> = Vec::new();
        for (root, node) in self.data.iter().enumerate() {
            let root = root as u32;
            if self.parent[root as usize] != root || node.modulus != 0 && !roots.contains(&root) {
                continue;
            }
            for (&(offset, bytes), slot) in &node.slots {
                overlapping(&node.slots, node.modulus, node.longest, offset, bytes, |key, other| {
                    if key != (offset, bytes) && !numbers.contains(&(root, key.0, key.1)) {
                        pairs.push((slot.written, other.read));
                    }
                });
            }
        }
        let mut overlaps: Vec<Vec<u32>> = vec![Vec::new(); self.parent.len()];
        let mut work = Vec::new();
        for (from, to) in pairs {
            let (from, to) = (self.value(from), self.value(to));
            overlaps[from as usize].push(to);
            work.extend((aligned[from as usize] != 0).then_some(to));
        }
        if work.is_empty() {
            return Vec::new();
        }
        for e in 0..self.edges.len() {
            let Edge { from, to, kind, .. } = self.edges[e];
            if kind != FlowKind::Number {
                let (from, to) = (self.value(from), self.value(to));
                overlaps[from as usize].push(to);
            }
        }
        let mut parts = vec![false; self.parent.len()];
        while let Some(value) = work.pop() {
            if !std::mem::replace(&mut parts[value as usize], true) {
                work.extend(&overlaps[value as usize]);
            }
        }
        parts
    }

    /// The value that a pointer is, as the taint analysis has it.
    pub fn value(&mut self, p: Ptr) -> u32 {
        let mut node = p.node;
        while self.value[node as usize] != node {
            let up = self.value[self.value[node as usize] as usize];
            self.value[node as usize] = up;
            node = up;
        }
        node
    }

    /// By value: whether it flows to one of these values, or one of them flows to it.
    pub fn around(&mut self, values: &[u32]) -> Vec<bool> {
        let mut ends = Vec::with_capacity(self.edges.len());
        for e in 0..self.edges.len() {
            let Edge { from, to, kind, .. } = self.edges[e];
            let (from, to) = (self.value(from), self.value(to));
            if kind != FlowKind::Number {
                ends.push((from, to));
            }
            // What is read twice is the same value.
            if kind == FlowKind::IntegerLoaded {
                ends.push((to, from));
            }
        }
        let mut around = vec![false; self.parent.len()];
        for forward in [true, false] {
            let mut next: Vec<Vec<u32>> = vec![Vec::new(); self.parent.len()];
            for &(from, to) in &ends {
                let (a, b) = if forward { (from, to) } else { (to, from) };
                next[a as usize].push(b);
            }
            let mut seen = vec![false; self.parent.len()];
            let mut work = values.to_vec();
            while let Some(value) = work.pop() {
                if !std::mem::replace(&mut seen[value as usize], true) {
                    around[value as usize] = true;
                    work.extend(&next[value as usize]);
                }
            }
        }
        around
    }
}
