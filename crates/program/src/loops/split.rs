//! Node splitting: makes a graph reducible by copying blocks.
//!
//! A strongly connected part with several entries keeps one of them as its header; what the other
//! entries reach before the header is copied, and they enter the copy. The same is done inside,
//! without the header, and inside the copy. The copies may be exponentially many, so they are limited.
//! Copies keep their statements, locations and assertion ids.

use rustc_hash::FxHashMap;

use crate::{
    graph::strongly_connected,
    ir::{BlockId, Region, StmtKind},
    loops::Labels,
};

/// More copies would be needed than are allowed; the block is the entry of a loop that caused it.
#[derive(Debug)]
pub(crate) struct LimitReached {
    pub block: BlockId,
}

/// How many entries of a part are tried as its header, to find the one with the fewest copies.
const TRIED_HEADERS: usize = 8;

/// Makes the region reducible; takes what it copies from `budget`.
pub(crate) fn make_reducible(region: &mut Region, labels: &mut Labels, budget: &mut usize) -> Result<(), LimitReached> {
    let mut g = Graph::new(region);
    let mut work: Vec<Vec<u32>> = vec![(0..region.blocks.len() as u32).collect()];
    while let Some(nodes) = work.pop() {
        for part in g.components(&nodes) {
            g.mark(&part);
            let entries = g.entries(&part);
            let (header, copied) = g.choose_header(region, &entries);
            if !copied.is_empty() {
                if copied.len() > *budget {
                    return Err(LimitReached { block: BlockId(header) });
                }
                *budget -= copied.len();
                work.push(g.copy(region, labels, &copied));
            }
            work.push(part.into_iter().filter(|&v| v != header).collect());
        }
    }
    Ok(())
}

/// Adjacency that follows the copies, and scratch marks.
struct Graph {
    succ: Vec<Vec<u32>>,
    pred: Vec<Vec<u32>>,
    /// The part at hand.
    mark: Vec<u32>,
    stamp: u32,
}

impl Graph {
    fn new(region: &Region) -> Graph {
        let n = region.blocks.len();
        let succ: Vec<Vec<u32>> = region.blocks.iter().map(|b| b.next.successors().map(|s| s.0).collect()).collect();
        let mut pred = vec![Vec::new(); n];
        for (b, to) in succ.iter().enumerate() {
            for &s in to {
                pred[s as usize].push(b as u32);
            }
        }
        Graph { succ, pred, mark: vec![0; n], stamp: 0 }
    }

    fn mark(&mut self, part: &[u32]) {
        self.stamp += 1;
        for &v in part {
            self.mark[v as usize] = self.stamp;
        }
    }

    fn inside(&self, v: u32) -> bool {
        self.mark[v as usize] == self.stamp
    }

    fn entries(&self, part: &[u32]) -> Vec<u32> {
        let entered = |v: u32| v == 0 || self.pred[v as usize].iter().any(|&p| !self.inside(p));
        part.iter().copied().filter(|&v| entered(v)).collect()
    }

    /// The header that needs the fewest copies, and the blocks to copy: those the other entries
    /// reach without passing it. The region's entry cannot be redirected, so it must be the header.
    /// The entry that becomes the header: one that states an invariant, if there is one, and of these the one with the fewest copies.
    fn choose_header(&self, region: &Region, entries: &[u32]) -> (u32, Vec<u32>) {
        let candidates = if entries.contains(&0) { &[0][..] } else { &entries[..entries.len().min(TRIED_HEADERS)] };
        let states =
            |h: u32| matches!(region.blocks[h as usize].stmts.first().map(|s| &s.kind), Some(StmtKind::Assert { .. }));
        let tried = candidates.iter().map(|&h| (h, self.reached_past(h, entries)));
        let best = tried.min_by_key(|(h, copied)| (!copied.is_empty() && !states(*h), copied.len()));
        best.unwrap_or((0, Vec::new()))
    }

    fn reached_past(&self, header: u32, entries: &[u32]) -> Vec<u32> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut found: Vec<u32> = entries.iter().copied().filter(|&e| e != header && seen.insert(e)).collect();
        let mut i = 0;
        while i < found.len() {
            for &s in &self.succ[found[i] as usize] {
                if s != header && self.inside(s) && seen.insert(s) {
                    found.push(s);
                }
            }
            i += 1;
        }
        found.sort_unstable();
        found
    }

    /// Copies the blocks; edges that enter them from outside the marked part go to the copies.
    fn copy(&mut self, region: &mut Region, labels: &mut Labels, blocks: &[u32]) -> Vec<u32> {
        let base = region.blocks.len() as u32;
        let copy_of: FxHashMap<u32, u32> = blocks.iter().enumerate().map(|(i, &b)| (b, base + i as u32)).collect();
        let to_copy = |s: u32| copy_of.get(&s).copied().unwrap_or(s);
        for &b in blocks {
            let mut block = region.blocks[b as usize].clone();
            block.label = labels.fresh(&block.label);
            block.next.map_successors(|s| BlockId(to_copy(s.0)));
            let succ: Vec<u32> = block.next.successors().map(|s| s.0).collect();
            region.blocks.push(block);
            self.succ.push(succ);
            self.pred.push(Vec::new());
            self.mark.push(0);
        }
        let copies: Vec<u32> = (base..region.blocks.len() as u32).collect();
        for &c in &copies {
            for s in self.succ[c as usize].clone() {
                self.pred[s as usize].push(c);
            }
        }
        for &b in blocks {
            let (stay, moved): (Vec<u32>, Vec<u32>) =
                self.pred[b as usize].iter().copied().partition(|&p| self.inside(p));
            self.pred[b as usize] = stay;
            for &p in &moved {
                region.blocks[p as usize].next.map_successors(|s| if s.0 == b { BlockId(to_copy(b)) } else { s });
                self.succ[p as usize].iter_mut().filter(|s| **s == b).for_each(|s| *s = to_copy(b));
            }
            self.pred[to_copy(b) as usize].extend(moved);
        }
        copies
    }

    /// The strongly connected components with a cycle of the graph restricted to `nodes`.
    fn components(&mut self, nodes: &[u32]) -> Vec<Vec<u32>> {
        self.mark(nodes);
        let number: FxHashMap<u32, u32> = nodes.iter().copied().zip(0..).collect();
        let inside = |&v: &u32| self.succ[v as usize].iter().filter_map(|s| number.get(s).copied()).collect();
        let graph: Vec<Vec<u32>> = nodes.iter().map(inside).collect();
        let (order, component, _) = strongly_connected(&graph);
        let parts = order.chunk_by(|a, b| component[*a as usize] == component[*b as usize]);
        let cyclic = parts.filter(|part| part.len() > 1 || graph[part[0] as usize].contains(&part[0]));
        let named = cyclic.map(|part| part.iter().map(|&v| nodes[v as usize]).collect());
        named
            .map(|mut part: Vec<u32>| {
                part.sort_unstable();
                part
            })
            .collect()
    }
}
