//! Side effects: which globals a region and everything it boxes may read or change, and whether an
//! assertion inside can fail at all.
//!
//! One walk over the strongly connected components of the box graph, callees first, so the cost is
//! linear in the program plus the size of the result.

use lariat_program::{Program, RegionId, StmtKind, Terminator};
use lariat_term::{Terms, Var};
use rustc_hash::FxHashMap;

/// What a region may do to the rest of the program.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Globals it may change, in the order of the program's declarations.
    pub modifies: Vec<Var>,
    /// Globals it may read or change, in the order of the program's declarations.
    pub uses: Vec<Var>,
    /// Is there an assertion in it?
    pub asserts: bool,
}

impl Effects {
    /// The effects of each region, by its index.
    pub fn of(program: &Program, terms: &Terms) -> Vec<Effects> {
        let globals: FxHashMap<Var, u32> = program.globals.iter().enumerate().map(|(i, g)| (g.var, i as u32)).collect();
        let local: Vec<Sets> = program.regions.iter().map(|r| Sets::of_region(r, terms, &globals)).collect();
        let callees: Vec<Vec<u32>> = program.regions.iter().map(callees).collect();
        let mut total: Vec<Option<usize>> = vec![None; local.len()];
        let mut components: Vec<Sets> = Vec::new();
        for component in components_bottom_up(&callees) {
            let mut sets = Sets::default();
            for &r in &component {
                sets.absorb(&local[r as usize]);
                for &c in &callees[r as usize] {
                    if let Some(done) = total[c as usize] {
                        sets.absorb(&components[done]);
                    }
                }
            }
            sets.normalize();
            for &r in &component {
                total[r as usize] = Some(components.len());
            }
            components.push(sets);
        }
        let vars = |ids: &[u32]| ids.iter().map(|&i| program.globals[i as usize].var).collect();
        total
            .iter()
            .map(|c| match c {
                Some(c) => {
                    let sets = &components[*c];
                    Effects { modifies: vars(&sets.modifies), uses: vars(&sets.uses), asserts: sets.asserts }
                }
                None => Effects::default(),
            })
            .collect()
    }
}

/// Which regions can box themselves, directly or through others; by region.
pub fn recursive_regions(program: &Program) -> Vec<bool> {
    let callees: Vec<Vec<u32>> = program.regions.iter().map(callees).collect();
    let mut recursive = vec![false; callees.len()];
    for component in components_bottom_up(&callees) {
        let cyclic = component.len() > 1 || component.iter().any(|&r| callees[r as usize].contains(&r));
        component.iter().for_each(|&r| recursive[r as usize] = cyclic);
    }
    recursive
}

/// Sorted positions of globals.
#[derive(Clone, Default)]
struct Sets {
    modifies: Vec<u32>,
    uses: Vec<u32>,
    asserts: bool,
}

impl Sets {
    fn of_region(region: &lariat_program::Region, terms: &Terms, globals: &FxHashMap<Var, u32>) -> Sets {
        let mut sets = Sets::default();
        let mut roots = Vec::new();
        for block in &region.blocks {
            for stmt in &block.stmts {
                match &stmt.kind {
                    StmtKind::Assume(t) => roots.push(*t),
                    StmtKind::Assert { cond, .. } => {
                        sets.asserts = true;
                        roots.push(*cond);
                    }
                    StmtKind::Assign(pairs) => {
                        for (v, t) in pairs {
                            sets.modifies.extend(globals.get(v));
                            roots.push(*t);
                        }
                    }
                    StmtKind::Havoc(vars) => sets.modifies.extend(vars.iter().filter_map(|v| globals.get(v))),
                    StmtKind::Box { args, results, .. } => {
                        roots.extend(args);
                        sets.modifies.extend(results.iter().filter_map(|v| globals.get(v)));
                    }
                }
            }
            if let Terminator::Branch { cond, .. } = block.next {
                roots.push(cond);
            }
        }
        sets.uses.extend(terms.free_vars(&roots).iter().filter_map(|v| globals.get(v)));
        sets.normalize();
        sets
    }

    fn absorb(&mut self, other: &Sets) {
        self.modifies.extend(&other.modifies);
        self.uses.extend(&other.uses);
        self.asserts |= other.asserts;
    }

    fn normalize(&mut self) {
        self.modifies.sort_unstable();
        self.modifies.dedup();
        self.uses.extend(&self.modifies);
        self.uses.sort_unstable();
        self.uses.dedup();
    }
}

fn callees(region: &lariat_program::Region) -> Vec<u32> {
    let mut out: Vec<u32> = region
        .blocks
        .iter()
        .flat_map(|b| &b.stmts)
        .filter_map(|s| match s.kind {
            StmtKind::Box { callee: RegionId(c), .. } => Some(c),
            _ => None,
        })
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// Strongly connected components, callees before callers (Tarjan's algorithm with its own stack).
fn components_bottom_up(edges: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let n = edges.len();
    let (mut number, mut low, mut on_stack) = (vec![NEW; n], vec![0; n], vec![false; n]);
    let (mut stack, mut out, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if number[root] != NEW {
            continue;
        }
        let mut work = vec![(root, 0usize)];
        while let Some(&mut (v, ref mut i)) = work.last_mut() {
            if *i == 0 {
                (number[v], low[v], on_stack[v]) = (next, next, true);
                next += 1;
                stack.push(v as u32);
            }
            if let Some(&w) = edges[v].get(*i) {
                *i += 1;
                let w = w as usize;
                if number[w] == NEW {
                    work.push((w, 0));
                } else if on_stack[w] {
                    low[v] = low[v].min(number[w]);
                }
                continue;
            }
            work.pop();
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[v]);
            }
            if low[v] == number[v] {
                let at = stack.iter().rposition(|&w| w as usize == v).unwrap_or(0);
                let component = stack.split_off(at);
                component.iter().for_each(|&w| on_stack[w as usize] = false);
                out.push(component);
            }
        }
    }
    out
}
