//! Side effects: which globals a region and everything it boxes may read or change, and whether an
//! assertion inside can fail at all.
//!
//! One walk over the strongly connected components of the box graph, callees first, so the cost is
//! linear in the program plus the size of the result.

use lariat_program::{Components, Program, StmtKind, Terminator};
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
        let Components { order, component, count } = Components::new(program);
        let mut components: Vec<Sets> = vec![Sets::default(); count];
        for r in order {
            let own = component[r.index()] as usize;
            let mut sets = std::mem::take(&mut components[own]);
            sets.absorb(&local[r.index()]);
            for callee in program.regions[r.index()].callees() {
                let of_callee = component[callee.index()] as usize;
                if of_callee != own {
                    sets.absorb(&components[of_callee]);
                }
            }
            sets.normalize();
            components[own] = sets;
        }
        let vars = |ids: &[u32]| ids.iter().map(|&i| program.globals[i as usize].var).collect();
        component
            .iter()
            .map(|&c| {
                let sets = &components[c as usize];
                Effects { modifies: vars(&sets.modifies), uses: vars(&sets.uses), asserts: sets.asserts }
            })
            .collect()
    }
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
