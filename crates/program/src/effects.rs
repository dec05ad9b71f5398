//! Side effects: which globals a region and the regions it boxes may change or read, and whether an assertion inside can fail
//! at all.
//!
//! One pass over the call graph's strongly connected components, callees first, so each region's
//! own statements are read once, and what regions of one component have in common is there once.

use std::sync::Arc;

use lariat_term::{Terms, Var};
use rustc_hash::FxHashMap;

use crate::{
    graph::{on_cycles, strongly_connected},
    ir::{Program, Region, RegionId, StmtKind},
    walk::FreeVars,
};

/// For each region, the globals that an instance of it may change (or also read).
#[derive(Clone, Debug)]
pub struct Effects {
    globals: Vec<Var>,
    sets: Sets,
    component: Vec<u32>,
}

/// What a region may do to the rest of the program, as lists.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RegionEffects {
    /// Globals it may change, in the order of the program's declarations.
    pub modifies: Vec<Var>,
    /// Globals it may read or change, in the order of the program's declarations.
    pub uses: Vec<Var>,
    /// Is there an assertion in it?
    pub asserts: bool,
}

/// A set of globals for each component: a bit per global, `words` words per component.
#[derive(Clone, Debug)]
struct Sets {
    bits: Vec<u64>,
    words: usize,
}

impl Sets {
    fn new(globals: usize, components: usize) -> Sets {
        let words = globals.div_ceil(64);
        Sets { bits: vec![0; words * components], words }
    }

    fn add(&mut self, component: usize, global: usize) {
        self.bits[component * self.words + global / 64] |= 1 << (global % 64);
    }

    /// What a callee does, its caller does.
    fn absorb(&mut self, component: usize, callee: usize) {
        for w in 0..self.words {
            self.bits[component * self.words + w] |= self.bits[callee * self.words + w];
        }
    }

    fn of(&self, component: usize) -> &[u64] {
        self.bits.get(component * self.words..(component + 1) * self.words).unwrap_or_default()
    }

    fn vars<'a>(&'a self, component: usize, globals: &'a [Var]) -> impl Iterator<Item = Var> + 'a {
        self.of(component).iter().enumerate().flat_map(move |(w, &word)| {
            let set = (0..64).filter(move |b| word >> b & 1 == 1);
            set.filter_map(move |b| globals.get(w * 64 + b).copied())
        })
    }
}

impl Effects {
    /// Computes the effects of every region.
    pub fn new(program: &Program) -> Effects {
        let globals: Vec<Var> = program.globals.iter().map(|d| d.var).collect();
        let index: FxHashMap<Var, usize> = globals.iter().enumerate().map(|(i, &v)| (v, i)).collect();
        let components = Components::new(program);
        let mut changes = Sets::new(globals.len(), components.count);
        components.for_each_callees_first(program, |c, region, callees| {
            for s in region.blocks.iter().flat_map(|b| &b.stmts) {
                s.kind.for_each_target(|v| {
                    if let Some(&g) = index.get(&v) {
                        changes.add(c, g);
                    }
                });
            }
            callees.iter().for_each(|&d| changes.absorb(c, d));
        });
        Effects { globals, sets: changes, component: components.component }
    }

    /// The globals that an instance of each region may read or change.
    pub(crate) fn uses(&self, program: &Program, terms: &Terms, vars: &mut FreeVars) -> Effects {
        let index: FxHashMap<Var, usize> = self.globals.iter().enumerate().map(|(i, &v)| (v, i)).collect();
        let mut uses = self.sets.clone();
        Components::new(program).for_each_callees_first(program, |c, region, callees| {
            for block in &region.blocks {
                block.for_each_term(|t| {
                    vars.of(terms, t).iter().filter_map(|v| index.get(v)).for_each(|&g| uses.add(c, g));
                });
            }
            callees.iter().for_each(|&d| uses.absorb(c, d));
        });
        Effects { globals: self.globals.clone(), sets: uses, component: self.component.clone() }
    }

    /// The effects of each region as lists, with what it reads; those of one component share one.
    pub fn lists(program: &Program, terms: &Terms) -> Vec<Arc<RegionEffects>> {
        let changes = Effects::new(program);
        let uses = changes.uses(program, terms, &mut FreeVars::default());
        let components = Components::new(program);
        let mut asserts = vec![false; components.count];
        components.for_each_callees_first(program, |c, region, callees| {
            let mut stmts = region.blocks.iter().flat_map(|b| &b.stmts);
            asserts[c] |=
                stmts.any(|s| matches!(s.kind, StmtKind::Assert { .. })) || callees.iter().any(|&d| asserts[d]);
        });
        let list = |c: usize| RegionEffects {
            modifies: changes.sets.vars(c, &changes.globals).collect(),
            uses: uses.sets.vars(c, &changes.globals).collect(),
            asserts: asserts[c],
        };
        let lists: Vec<Arc<RegionEffects>> = (0..components.count).map(|c| Arc::new(list(c))).collect();
        components.component.into_iter().map(|c| lists[c as usize].clone()).collect()
    }

    /// The globals that the region may change, as a set: a bit for each, in the program's order.
    pub fn set(&self, region: RegionId) -> &[u64] {
        self.sets.of(self.component_of(region))
    }

    /// The globals that the region may change, in the program's order.
    pub fn of(&self, region: RegionId) -> impl Iterator<Item = Var> + '_ {
        self.sets.vars(self.component_of(region), &self.globals)
    }

    fn component_of(&self, region: RegionId) -> usize {
        self.component.get(region.index()).map_or(0, |&c| c as usize)
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

    /// Visits all regions, each with its component and with those other ones that it boxes, each once. These are complete: all of
    /// their regions were visited before.
    fn for_each_callees_first(&self, program: &Program, mut visit: impl FnMut(usize, &Region, &[usize])) {
        for r in &self.order {
            let region = &program.regions[r.index()];
            let own = self.component[r.index()] as usize;
            let mut callees: Vec<usize> = region.callees().map(|c| self.component[c.index()] as usize).collect();
            callees.sort_unstable();
            callees.dedup();
            callees.retain(|&c| c != own);
            visit(own, region, &callees);
        }
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
