//! The layout of groups: which accesses may touch the same bytes.
//!
//! Loads and stores give ranges of bytes. Block copies carry the ranges of one side over to the
//! other, so that both have the same layout and a copy goes cell by cell; where a block ends within
//! a range, the range is cut. Ranges that overlap then form a cell.

use std::collections::{BTreeMap, VecDeque};

use super::Content;
use super::unify::{gcd, overlapping, reduce};
use crate::module::TypeId;

/// The ranges of one group.
#[derive(Default)]
pub(super) struct Ranges {
    pub modulus: u64,
    ranges: BTreeMap<(i64, u64), Range>,
    longest: u64,
    /// Blocks that touch the group.
    blocks: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Range {
    /// The type of all accesses of exactly these bytes; `None` if they differ.
    ty: Option<TypeId>,
    written: bool,
}

/// A place in a group.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub group: usize,
    pub offset: i64,
}

/// A block operation between groups.
pub(super) struct BlockRange {
    pub to: Spot,
    pub from: Option<Spot>,
    pub bytes: Option<u64>,
}

/// A cell before it is placed.
pub(super) struct Part {
    pub offset: i64,
    pub bytes: u64,
    pub content: Content,
    pub written: bool,
}

/// So many bytes after the start of a block of unknown length, exact offsets end.
const LONG: i64 = 1 << 16;

impl Ranges {
    /// No accesses yet.
    pub fn new(modulus: u64) -> Ranges {
        Ranges { modulus, ..Ranges::default() }
    }

    /// An access of these bytes. Says if that is new.
    pub fn add(&mut self, offset: i64, bytes: u64, ty: Option<TypeId>, written: bool) -> bool {
        if bytes == 0 {
            return false;
        }
        let key = (reduce(offset, self.modulus), bytes);
        self.longest = self.longest.max(bytes);
        match self.ranges.get_mut(&key) {
            None => {
                self.ranges.insert(key, Range { ty, written });
                true
            }
            Some(old) => {
                let ty = if old.ty == ty { ty } else { None };
                let changed = (ty, written) != (old.ty, written && old.written);
                *old = Range { ty, written: written || old.written };
                changed
            }
        }
    }

    /// A block starts or ends here: ranges that go across are accessed in two pieces.
    fn cut(&mut self, at: i64) -> bool {
        let at = reduce(at, self.modulus);
        let mut crossing = Vec::new();
        overlapping(&self.ranges, self.modulus, self.longest, at, 1, |(o, n), range| {
            let before = reduce(at - o, self.modulus) as u64;
            if before > 0 && before < n {
                crossing.push((o, n, before, range.written));
            }
        });
        let mut changed = false;
        for (o, n, before, written) in crossing {
            changed |= self.add(o, before, None, written);
            changed |= self.add(at, n - before, None, written);
        }
        changed
    }

    /// The ranges that lie in a block: their distances from its start, and their lengths.
    fn within(&self, offset: i64, bytes: Option<u64>) -> Vec<(i64, u64, Range)> {
        let offset = reduce(offset, self.modulus);
        let window = bytes.unwrap_or(u64::MAX);
        let mut found = Vec::new();
        overlapping(&self.ranges, self.modulus, self.longest, offset, window, |(o, n), &range| {
            let distance = reduce(o - offset, self.modulus);
            let several = self.modulus != 0 && window > self.modulus;
            if distance >= 0 && (several || (distance as u64).saturating_add(n) <= window) {
                found.push((distance, n, range));
            }
        });
        found
    }

    /// The cells. `starts` are the offsets at which objects of the group start.
    pub fn parts(&self, starts: &[i64]) -> Vec<Part> {
        // Runs of overlapping ranges: start, end, first range, last range.
        let all: Vec<((i64, u64), Range)> = self.ranges.iter().map(|(k, r)| (*k, *r)).collect();
        let mut runs: VecDeque<(i64, i64, Vec<usize>)> = VecDeque::new();
        for (k, &((offset, bytes), _)) in all.iter().enumerate() {
            let end = offset.saturating_add_unsigned(bytes);
            match runs.back_mut() {
                Some(run) if offset < run.1 => {
                    run.1 = run.1.max(end);
                    run.2.push(k);
                }
                _ => runs.push_back((offset, end, vec![k])),
            }
        }
        if self.modulus != 0 {
            // The last run may reach around to the first ones.
            let m = self.modulus as i64;
            while runs.len() > 1 && runs[runs.len() - 1].1 - m > runs[0].0 {
                let first = runs.pop_front().unwrap_or_default();
                if let Some(last) = runs.back_mut() {
                    last.1 = last.1.max(first.1 + m);
                    last.2.extend(first.2);
                }
            }
        }
        let part = |(start, end, members): (i64, i64, Vec<usize>)| {
            let length = (end - start) as u64;
            let bytes = if self.modulus == 0 { length } else { length.min(self.modulus) };
            let content = match members[..] {
                [k] if self.modulus == 0 || length <= self.modulus => all[k].1.ty.map(Content::Value),
                _ => None,
            };
            Part {
                offset: start,
                bytes,
                content: content.unwrap_or_else(|| {
                    let unit = members.iter().fold(self.modulus, |g, &k| {
                        let (offset, bytes) = all[k].0;
                        let phase = |g, start: &i64| gcd(g, offset.abs_diff(*start));
                        starts.iter().fold(gcd(g, bytes), phase)
                    });
                    Content::Units(u32::try_from(unit).unwrap_or(1))
                }),
                written: members.iter().any(|&k| all[k].1.written),
            }
        };
        runs.into_iter().map(part).collect()
    }
}

/// Carries ranges along block operations until nothing changes. An error is a group whose offsets
/// must be given up.
pub(super) fn spread(groups: &mut [Ranges], blocks: &[BlockRange]) -> Result<(), usize> {
    for (k, b) in blocks.iter().enumerate() {
        for spot in b.from.iter().chain([&b.to]) {
            groups[spot.group].blocks.push(k as u32);
        }
    }
    let mut queued = vec![true; blocks.len()];
    let mut queue: VecDeque<u32> = (0..blocks.len() as u32).collect();
    while let Some(k) = queue.pop_front() {
        queued[k as usize] = false;
        let BlockRange { to, from, bytes } = blocks[k as usize];
        if bytes == Some(0) {
            continue;
        }
        let mut changed = Vec::new();
        for spot in from.iter().chain([&to]) {
            let group = &mut groups[spot.group];
            let mut new = group.cut(spot.offset);
            if let Some(n) = bytes.and_then(|n| i64::try_from(n).ok()) {
                new |= group.cut(spot.offset.saturating_add(n));
            }
            if new {
                changed.push(spot.group);
            }
        }
        for (distance, n, range) in groups[to.group].within(to.offset, bytes) {
            if groups[to.group].add(to.offset + distance, n, range.ty, true) {
                changed.push(to.group);
            }
            if let Some(from) = from
                && groups[from.group].add(from.offset + distance, n, range.ty, false)
            {
                changed.push(from.group);
            }
            if bytes.is_none() && groups[to.group].modulus == 0 && distance > LONG && from.is_some() {
                return Err(to.group);
            }
        }
        if let Some(from) = from {
            for (distance, n, range) in groups[from.group].within(from.offset, bytes) {
                if bytes.is_none() && groups[from.group].modulus == 0 && distance > LONG {
                    return Err(from.group);
                }
                if groups[to.group].add(to.offset + distance, n, range.ty, true) {
                    changed.push(to.group);
                }
            }
        }
        changed.dedup();
        for group in changed {
            for &b in &groups[group].blocks {
                if !std::mem::replace(&mut queued[b as usize], true) {
                    queue.push_back(b);
                }
            }
        }
    }
    Ok(())
}
