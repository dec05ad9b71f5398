//! The loop forest of a graph, after Havlak (1997) and Tarjan (1974): near-linear, by a depth-first
//! numbering and union-find.
//!
//! A graph whose blocks are all reachable goes in. If it is reducible, out comes each natural loop
//! with its header and its parent, outer loops before inner ones.

use crate::cfg::Cfg;

/// No loop.
pub(crate) const NONE: u32 = u32::MAX;

/// The natural loops of a reducible graph.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    /// The header of each loop; a loop's parent has a smaller index.
    pub header: Vec<u32>,
    /// The loop around each loop, or [`NONE`].
    pub parent: Vec<u32>,
    /// The innermost loop of each block (its own for a header), or [`NONE`].
    pub innermost: Vec<u32>,
    /// Interval numbering of the loop tree, for [`Forest::contains`].
    first: Vec<u32>,
    last: Vec<u32>,
}

/// A loop is entered past its header: the graph is irreducible.
#[derive(Debug)]
pub(crate) struct SecondEntry;

impl Forest {
    /// Finds the loops.
    pub fn new(cfg: &Cfg) -> Result<Forest, SecondEntry> {
        let n = cfg.len();
        let dfs = cfg.dfs();
        if !dfs.cyclic {
            return Ok(Forest { innermost: vec![NONE; n], ..Forest::default() });
        }
        let mut merged: Vec<u32> = (0..n as u32).collect();
        let mut stamp = vec![NONE; n];
        let mut loop_of_header = vec![NONE; n];
        let mut f = Forest { innermost: vec![NONE; n], ..Forest::default() };
        let mut body: Vec<u32> = Vec::new();
        // Innermost headers come last in preorder, so their loops are merged before the outer ones.
        for &w in dfs.order.iter().rev() {
            body.clear();
            let mut is_header = false;
            for &v in cfg.pred(w) {
                if !dfs.ancestor(w, v) {
                    continue;
                }
                is_header = true;
                let v = find(&mut merged, v);
                if v != w && stamp[v as usize] != w {
                    stamp[v as usize] = w;
                    body.push(v);
                }
            }
            if !is_header {
                continue;
            }
            let mut i = 0;
            while i < body.len() {
                let x = body[i];
                i += 1;
                for &y in cfg.pred(x) {
                    let y = find(&mut merged, y);
                    if y == x {
                        continue;
                    }
                    if !dfs.ancestor(w, y) {
                        return Err(SecondEntry);
                    }
                    if y != w && stamp[y as usize] != w {
                        stamp[y as usize] = w;
                        body.push(y);
                    }
                }
            }
            let this = f.header.len() as u32;
            f.header.push(w);
            f.parent.push(NONE);
            loop_of_header[w as usize] = this;
            f.innermost[w as usize] = this;
            for &x in &body {
                merged[x as usize] = w;
                match loop_of_header[x as usize] {
                    NONE => f.innermost[x as usize] = this,
                    inner => f.parent[inner as usize] = this,
                }
            }
        }
        f.outer_first();
        Ok(f)
    }

    /// Reverses the numbering (found inside out) and numbers the tree.
    fn outer_first(&mut self) {
        let k = self.header.len() as u32;
        let flip = |l: &mut u32| {
            if *l != NONE {
                *l = k - 1 - *l;
            }
        };
        self.header.reverse();
        self.parent.reverse();
        self.parent.iter_mut().for_each(flip);
        self.innermost.iter_mut().for_each(flip);
        // Subtree sizes, then intervals: a child's is cut from its parent's, left to right.
        let mut size = vec![1u32; k as usize];
        for l in (0..k as usize).rev() {
            if self.parent[l] != NONE {
                size[self.parent[l] as usize] += size[l];
            }
        }
        let mut next_root = 0;
        let mut next_child = vec![0; k as usize];
        self.first = vec![0; k as usize];
        self.last = vec![0; k as usize];
        for l in 0..k as usize {
            let next = match self.parent[l] {
                NONE => &mut next_root,
                p => &mut next_child[p as usize],
            };
            let first = *next;
            *next += size[l];
            self.first[l] = first;
            self.last[l] = first + size[l] - 1;
            next_child[l] = first + 1;
        }
    }

    /// Number of loops.
    pub fn len(&self) -> usize {
        self.header.len()
    }

    /// Is the block in the loop (inner loops included)?
    pub fn contains(&self, l: u32, block: u32) -> bool {
        let inner = self.innermost[block as usize];
        inner != NONE && {
            let at = self.first[inner as usize];
            self.first[l as usize] <= at && at <= self.last[l as usize]
        }
    }

    /// Does the block start a loop? Which one?
    pub fn headed_by(&self, block: u32) -> Option<u32> {
        let l = self.innermost[block as usize];
        (l != NONE && self.header[l as usize] == block).then_some(l)
    }
}

fn find(merged: &mut [u32], mut v: u32) -> u32 {
    while merged[v as usize] != v {
        merged[v as usize] = merged[merged[v as usize] as usize];
        v = merged[v as usize];
    }
    v
}
