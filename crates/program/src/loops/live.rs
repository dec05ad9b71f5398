//! What passes into and out of each loop: per variable, a backward search from its uses.
//!
//! The work per variable is proportional to its live range, so the whole is linear in the number of
//! (variable, block) pairs that are live: no iteration to a fixed point, however deep the nest.

use lariat_term::{Terms, Var};
use rustc_hash::FxHashMap;

use super::forest::{Forest, NONE};
use crate::{
    cfg::Cfg,
    ir::{Region, Terminator, VarDecl},
    walk::FreeVars,
};

/// An exit "target" that stands for a return of the procedure.
pub(crate) const RETURN: u32 = u32::MAX;

/// The interface of one loop; variables are positions in [`Interfaces::decls`], ascending.
#[derive(Default)]
pub(crate) struct Interface {
    /// Live at the header and mentioned in the loop.
    pub inputs: Vec<u32>,
    /// Changed in the loop and live at one of its exits.
    pub outputs: Vec<u32>,
    /// Where control leaves to, ascending: blocks outside, and [`RETURN`].
    pub exits: Vec<u32>,
}

/// The interfaces of all loops of a region.
pub(crate) struct Interfaces {
    /// The region's variables: inputs, outputs, locals, each once.
    pub decls: Vec<VarDecl>,
    /// One per loop.
    pub loops: Vec<Interface>,
    /// The variables that each block mentions.
    pub mentioned: Vec<Vec<u32>>,
}

/// Per variable, the blocks that matter.
#[derive(Default, Clone)]
struct Uses {
    /// Read before any write.
    exposed: Vec<u32>,
    written: Vec<u32>,
    /// Read or written.
    mentioned: Vec<u32>,
    is_output: bool,
}

impl Interfaces {
    pub fn new(region: &Region, cfg: &Cfg, forest: &Forest, terms: &Terms, free: &mut FreeVars) -> Interfaces {
        let mut decls: Vec<VarDecl> = Vec::new();
        let mut index: FxHashMap<Var, u32> = FxHashMap::default();
        let mut uses: Vec<Uses> = Vec::new();
        for (list, is_output) in [(&region.inputs, false), (&region.outputs, true), (&region.locals, false)] {
            for d in list {
                let i = *index.entry(d.var).or_insert_with(|| {
                    decls.push(d.clone());
                    uses.push(Uses::default());
                    decls.len() as u32 - 1
                });
                uses[i as usize].is_output |= is_output;
            }
        }
        let mentioned = collect(region, terms, free, &index, &mut uses);
        let mut loops: Vec<Interface> = (0..forest.len()).map(|_| Interface::default()).collect();
        exits(region, forest, &mut loops);
        // Both are stamped with the variable's number.
        let mut live = vec![NONE; cfg.len()];
        let mut marked = vec![NONE; forest.len()];
        let mut work = Vec::new();
        let mut found = Vec::new();
        for (v, u) in uses.iter().enumerate() {
            let v = v as u32;
            climb(&u.mentioned, forest, v, &mut marked, &mut found);
            if found.is_empty() {
                continue;
            }
            search(cfg, u, v, &mut live, &mut work);
            for &l in &found {
                if live[forest.header[l as usize] as usize] == v {
                    loops[l as usize].inputs.push(v);
                }
                marked[l as usize] = NONE;
            }
            climb(&u.written, forest, v, &mut marked, &mut found);
            for &l in &found {
                let leaves = |&t: &u32| if t == RETURN { u.is_output } else { live[t as usize] == v };
                if loops[l as usize].exits.iter().any(leaves) {
                    loops[l as usize].outputs.push(v);
                }
            }
        }
        Interfaces { decls, loops, mentioned }
    }
}

/// Fills `uses` and returns the variables that each block mentions.
fn collect(
    region: &Region,
    terms: &Terms,
    free: &mut FreeVars,
    index: &FxHashMap<Var, u32>,
    uses: &mut [Uses],
) -> Vec<Vec<u32>> {
    let outputs: Vec<u32> = region.outputs.iter().map(|d| index[&d.var]).collect();
    let mut read = vec![NONE; uses.len()];
    let mut written = vec![NONE; uses.len()];
    let mut all = Vec::with_capacity(region.blocks.len());
    for (b, block) in region.blocks.iter().enumerate() {
        let b = b as u32;
        let mut mentioned = Vec::new();
        let mut read_var = |v: u32, written: &[u32], mentioned: &mut Vec<u32>, counts: bool| {
            let i = v as usize;
            if read[i] != b && written[i] != b {
                read[i] = b;
                uses[i].exposed.push(b);
                if counts {
                    mentioned.push(v);
                }
            }
        };
        for s in &block.stmts {
            s.kind.for_each_term(|t| {
                for v in free.of(terms, t).iter().filter_map(|v| index.get(v)) {
                    read_var(*v, &written, &mut mentioned, true);
                }
            });
            s.kind.for_each_target(|v| {
                if let Some(&v) = index.get(&v)
                    && std::mem::replace(&mut written[v as usize], b) != b
                {
                    mentioned.push(v);
                }
            });
        }
        match block.next {
            Terminator::Branch { cond, .. } => {
                for v in free.of(terms, cond).iter().filter_map(|v| index.get(v)) {
                    read_var(*v, &written, &mut mentioned, true);
                }
            }
            // The outputs are read at a return, but that alone does not put them into a loop.
            Terminator::Return => outputs.iter().for_each(|&v| read_var(v, &written, &mut mentioned, false)),
            Terminator::Goto(_) => {}
        }
        mentioned.sort_unstable();
        mentioned.dedup();
        for &v in &mentioned {
            uses[v as usize].mentioned.push(b);
            if written[v as usize] == b {
                uses[v as usize].written.push(b);
            }
        }
        all.push(mentioned);
    }
    all
}

/// Where each loop is left to.
fn exits(region: &Region, forest: &Forest, loops: &mut [Interface]) {
    let mut known = rustc_hash::FxHashSet::default();
    for (b, block) in region.blocks.iter().enumerate() {
        let returns = (block.next == Terminator::Return).then_some(RETURN);
        for target in block.next.successors().map(|s| s.0).chain(returns) {
            let mut l = forest.innermost[b];
            // Once an exit is known, it is known to all loops further out that it leaves.
            while l != NONE && (target == RETURN || !forest.contains(l, target)) && known.insert((l, target)) {
                loops[l as usize].exits.push(target);
                l = forest.parent[l as usize];
            }
        }
    }
    for l in loops {
        l.exits.sort_unstable();
    }
}

/// The loops around some blocks, each once.
fn climb(blocks: &[u32], forest: &Forest, stamp: u32, marked: &mut [u32], found: &mut Vec<u32>) {
    found.clear();
    for &b in blocks {
        let mut l = forest.innermost[b as usize];
        while l != NONE && std::mem::replace(&mut marked[l as usize], stamp) != stamp {
            found.push(l);
            l = forest.parent[l as usize];
        }
    }
}

/// Stamps the blocks at whose start the variable is live.
fn search(cfg: &Cfg, uses: &Uses, v: u32, live: &mut [u32], work: &mut Vec<u32>) {
    // A block that writes stops the search, unless it reads first; mark it for now.
    const STOP: u32 = u32::MAX - 1;
    let before: Vec<u32> = uses.written.iter().map(|&b| std::mem::replace(&mut live[b as usize], STOP)).collect();
    for &b in &uses.exposed {
        live[b as usize] = v;
        work.push(b);
    }
    while let Some(b) = work.pop() {
        for &p in cfg.pred(b) {
            if live[p as usize] != v && live[p as usize] != STOP {
                live[p as usize] = v;
                work.push(p);
            }
        }
    }
    for (&b, old) in uses.written.iter().zip(before) {
        if live[b as usize] == STOP {
            live[b as usize] = old;
        }
    }
}
