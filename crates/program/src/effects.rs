//! Side effects: which globals a region and the regions it boxes may change.
//!
//! One pass over the call graph's strongly connected components, callees first, so each region's
//! own statements are read once.

use lariat_term::Var;
use rustc_hash::FxHashMap;

use crate::{
    graph::{on_cycles, strongly_connected},
    ir::{Program, Region, RegionId, StmtKind},
};

/// For each region, the globals that an instance of it may change.
#[derive(Clone, Debug)]
pub struct Effects {
    globals: Vec<Var>,
    /// A bit per global, `words` words per component.
    bits: Vec<u64>,
    words: usize,
    component: Vec<u32>,
}

impl Effects {
    /// Computes the effects of every region.
    pub fn new(program: &Program) -> Effects {
        let globals: Vec<Var> = program.globals.iter().map(|d| d.var).collect();
        let index: FxHashMap<Var, usize> = globals.iter().enumerate().map(|(i, &v)| (v, i)).collect();
        let words = globals.len().div_ceil(64);
        let Components { order, component, count } = Components::new(program);
        let mut bits = vec![0u64; words * count];
        // Callees' components come first, so their bits are complete when a caller reads them.
        for RegionId(r) in order {
            let c = component[r as usize] as usize;
            for s in program.regions[r as usize].blocks.iter().flat_map(|b| &b.stmts) {
                s.kind.for_each_target(|v| {
                    if let Some(&g) = index.get(&v) {
                        bits[c * words + g / 64] |= 1 << (g % 64);
                    }
                });
                if let StmtKind::Box { callee, .. } = s.kind {
                    let d = component[callee.index()] as usize;
                    if d != c {
                        for w in 0..words {
                            bits[c * words + w] |= bits[d * words + w];
                        }
                    }
                }
            }
        }
        Effects { globals, bits, words, component }
    }

    /// The globals that the region may change, as a set: a bit for each, in the program's order.
    pub fn set(&self, region: RegionId) -> &[u64] {
        let c = self.component.get(region.index()).map_or(0, |&c| c as usize);
        self.bits.get(c * self.words..(c + 1) * self.words).unwrap_or_default()
    }

    /// The globals that the region may change, in the program's order.
    pub fn of(&self, region: RegionId) -> impl Iterator<Item = Var> + '_ {
        self.set(region).iter().enumerate().flat_map(move |(w, &word)| {
            let set = (0..64).filter(move |b| word >> b & 1 == 1);
            set.filter_map(move |b| self.globals.get(w * 64 + b).copied())
        })
    }
}

/// The strongly connected components of the graph of boxes.
#[derive(Clone, Debug)]
pub struct Components {
    /// All regions, those of one component together, and callees' components before callers'.
    pub order: Vec<RegionId>,
    /// The component of each region.
    pub component: Vec<u32>,
    /// How many components there are.
    pub count: usize,
}

impl Components {
    /// The components of a program.
    pub fn new(program: &Program) -> Components {
        let callees: Vec<Vec<u32>> = program.regions.iter().map(callees_of).collect();
        let (order, component, count) = strongly_connected(&callees);
        Components { order: order.into_iter().map(RegionId).collect(), component, count }
    }
}

/// Which regions can box themselves, directly or through others; by region.
pub fn recursive_regions(program: &Program) -> Vec<bool> {
    let callees: Vec<Vec<u32>> = program.regions.iter().map(callees_of).collect();
    on_cycles(&callees)
}

fn callees_of(region: &Region) -> Vec<u32> {
    region.callees().map(|c| c.0).collect()
}

impl Region {
    /// The regions that it boxes, once for each box.
    pub fn callees(&self) -> impl Iterator<Item = RegionId> + '_ {
        self.blocks.iter().flat_map(|b| &b.stmts).filter_map(|s| match s.kind {
            StmtKind::Box { callee, .. } => Some(callee),
            _ => None,
        })
    }
}
