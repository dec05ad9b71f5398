//! Loops become regions, or are cut at their invariants: either way the graph becomes acyclic.
//!
//! [`extract_loops`] turns each natural loop into a region of its own that boxes itself at its end
//! (what the engines work on). [`cut_loops`] replaces each loop by its invariants, as modular
//! verification does. Both take a program at [`Stage::Graph`](crate::Stage::Graph) and leave one at
//! [`Stage::Regions`](crate::Stage::Regions); both drop unreachable blocks; both make irreducible
//! graphs reducible first, by node splitting (the private module `split`), which copies at most
//! [`SPLIT_LIMIT`] blocks a program. Time is near-linear in the size of the program and of the result.

mod candidates;
mod cut;
mod extract;
mod forest;
mod live;
mod split;

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

pub use candidates::{candidate, place_candidates};
pub use cut::{CutOptions, cut_loops};
pub use extract::extract_loops;

use crate::{
    cfg::Cfg,
    clean::remove_unreachable_with,
    ir::{Loc, Region},
};
use forest::{Forest, NONE};

/// How many blocks node splitting may add to one program.
pub const SPLIT_LIMIT: usize = 10_000;

/// A loop has several entries, and making it reducible would need too many copies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IrreducibleError {
    /// The region.
    pub region: String,
    /// The label of an entry of the loop.
    pub label: String,
    /// Where that entry stands.
    pub loc: Loc,
}

impl fmt::Display for IrreducibleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the loop at `{}` in `{}` has several entries, and giving it one would copy more than {SPLIT_LIMIT} blocks",
            self.label, self.region
        )
    }
}

impl std::error::Error for IrreducibleError {}

/// Makes labels that no block of the region has yet.
pub(crate) struct Labels {
    used: FxHashSet<String>,
    /// The last number tried for a base, so that many copies of one label stay linear.
    next: FxHashMap<String, u32>,
}

impl Labels {
    pub fn new(region: &Region) -> Labels {
        Labels { used: region.blocks.iter().map(|b| b.label.clone()).collect(), next: FxHashMap::default() }
    }

    /// For a region that gets no new blocks.
    pub fn empty() -> Labels {
        Labels { used: FxHashSet::default(), next: FxHashMap::default() }
    }

    /// `base$n` with the smallest unused `n` of at least 1.
    pub fn fresh(&mut self, base: &str) -> String {
        let n = self.next.entry(base.to_string()).or_insert(0);
        loop {
            *n += 1;
            let label = format!("{base}${n}");
            if self.used.insert(label.clone()) {
                return label;
            }
        }
    }

    /// The label itself if it is unused, else like [`Labels::fresh`].
    pub fn wish(&mut self, label: &str) -> String {
        if self.used.insert(label.to_string()) { label.to_string() } else { self.fresh(label) }
    }
}

/// Drops unreachable blocks, makes the region reducible and finds its loops.
fn prepare(region: &mut Region, budget: &mut usize) -> Result<(Cfg, Forest, Labels), IrreducibleError> {
    let cfg = remove_unreachable_with(region);
    if let Ok(forest) = Forest::new(&cfg) {
        // Without loops nothing is added to the region.
        let labels = if forest.len() == 0 { Labels::empty() } else { Labels::new(region) };
        return Ok((cfg, forest, labels));
    }
    let mut labels = Labels::new(region);
    let error = |region: &Region, block: usize| IrreducibleError {
        region: region.name.clone(),
        label: region.blocks[block].label.clone(),
        loc: block_loc(region, block),
    };
    split::make_reducible(region, &mut labels, budget).map_err(|e| error(region, e.block.index()))?;
    let cfg = Cfg::new(region);
    match Forest::new(&cfg) {
        Ok(forest) => Ok((cfg, forest, labels)),
        Err(_) => Err(error(region, 0)),
    }
}

/// The first location in a block, else the region's.
fn block_loc(region: &Region, block: usize) -> Loc {
    first_loc(region, block).unwrap_or(region.loc)
}

fn first_loc(region: &Region, block: usize) -> Option<Loc> {
    region.blocks[block].stmts.iter().map(|s| s.loc).find(|l| l.line != 0)
}

/// Where each loop stands: the first location in its header, else the smallest in its other blocks (a
/// header that only branches has none), else the region's.
fn loop_locs(region: &Region, forest: &Forest) -> Vec<Loc> {
    let mut inside: Vec<Option<Loc>> = vec![None; forest.len()];
    let smaller = |a: Option<Loc>, b: Option<Loc>| a.into_iter().chain(b).min();
    for block in 0..region.blocks.len() {
        if let Some(place) = inside.get_mut(forest.innermost[block] as usize) {
            *place = smaller(*place, first_loc(region, block));
        }
    }
    for l in (0..forest.len()).rev() {
        if forest.parent[l] != NONE {
            let parent = forest.parent[l] as usize;
            inside[parent] = smaller(inside[parent], inside[l]);
        }
    }
    let header = |l: usize| first_loc(region, forest.header[l] as usize);
    (0..forest.len()).map(|l| header(l).or(inside[l]).unwrap_or(region.loc)).collect()
}
