//! The control-flow graph of a region as flat arrays, and walks over it without recursion.

use crate::{graph::reverse_postorder, ir::Region};

/// "Not reached" in [`Cfg::preorder`].
pub(crate) const UNREACHED: u32 = u32::MAX;

/// Successors and predecessors of each block; an edge that occurs twice is listed twice.
pub(crate) struct Cfg {
    succ: Csr,
    pred: Csr,
}

struct Csr {
    start: Vec<u32>,
    to: Vec<u32>,
}

impl Csr {
    fn new(n: usize, edges: &[(u32, u32)], flip: bool) -> Csr {
        let key = |e: &(u32, u32)| if flip { (e.1, e.0) } else { *e };
        let mut start = vec![0u32; n + 1];
        for e in edges {
            start[key(e).0 as usize + 1] += 1;
        }
        for i in 0..n {
            start[i + 1] += start[i];
        }
        let mut fill = start.clone();
        let mut to = vec![0; edges.len()];
        for e in edges {
            let (from, target) = key(e);
            to[fill[from as usize] as usize] = target;
            fill[from as usize] += 1;
        }
        Csr { start, to }
    }

    fn of(&self, v: u32) -> &[u32] {
        &self.to[self.start[v as usize] as usize..self.start[v as usize + 1] as usize]
    }
}

/// A depth-first numbering from the entry.
pub(crate) struct Dfs {
    /// Blocks in the order they were reached.
    pub order: Vec<u32>,
    /// Position in `order`, or [`UNREACHED`].
    pub pre: Vec<u32>,
    /// The largest position among the block's descendants.
    pub last: Vec<u32>,
    /// Was there an edge to an ancestor?
    pub cyclic: bool,
}

impl Dfs {
    /// Is `a` an ancestor of `b` (or `b` itself) in the depth-first tree?
    pub fn ancestor(&self, a: u32, b: u32) -> bool {
        let p = self.pre[b as usize];
        self.pre[a as usize] <= p && p <= self.last[a as usize]
    }
}

impl Cfg {
    /// The graph of a region whose successors are all in range.
    pub fn new(region: &Region) -> Cfg {
        let mut edges = Vec::with_capacity(region.blocks.len() * 2);
        for (i, b) in region.blocks.iter().enumerate() {
            edges.extend(b.next.successors().map(|s| (i as u32, s.0)));
        }
        let n = region.blocks.len();
        Cfg { succ: Csr::new(n, &edges, false), pred: Csr::new(n, &edges, true) }
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.succ.start.len() - 1
    }

    /// Successors of a block.
    pub fn succ(&self, b: u32) -> &[u32] {
        self.succ.of(b)
    }

    /// Predecessors of a block.
    pub fn pred(&self, b: u32) -> &[u32] {
        self.pred.of(b)
    }

    /// The reached blocks of an acyclic graph, each after all its predecessors.
    pub fn topological(&self) -> Vec<u32> {
        let successors = |b: usize| self.succ(b as u32).iter().map(|&s| s as usize);
        reverse_postorder(self.len(), successors).into_iter().map(|b| b as u32).collect()
    }

    /// Depth-first from block 0.
    pub fn dfs(&self) -> Dfs {
        let n = self.len();
        let mut d = Dfs { order: Vec::with_capacity(n), pre: vec![UNREACHED; n], last: vec![0; n], cyclic: false };
        if n == 0 {
            return d;
        }
        let mut open = vec![false; n];
        let mut stack: Vec<(u32, u32)> = vec![(0, 0)];
        while let Some(top) = stack.last_mut() {
            let (b, i) = *top;
            if i == 0 {
                d.pre[b as usize] = d.order.len() as u32;
                d.order.push(b);
                open[b as usize] = true;
            }
            match self.succ(b).get(i as usize) {
                Some(&s) => {
                    top.1 += 1;
                    if d.pre[s as usize] == UNREACHED {
                        stack.push((s, 0));
                    } else {
                        d.cyclic |= open[s as usize];
                    }
                }
                None => {
                    d.last[b as usize] = d.order.len() as u32 - 1;
                    open[b as usize] = false;
                    stack.pop();
                }
            }
        }
        d
    }
}
