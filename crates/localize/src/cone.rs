//! Where `auto` begins: the globals in the cone of the assertions that count.

use lariat_program::{AssertId, Program, Region, RegionId, StmtKind, Terminator};
use lariat_term::{Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// The globals that the condition of a counting assertion reads, or a branch just before it; also through locals of the same region.
pub fn cone(program: &Program, terms: &Terms, entry: RegionId, asserts: &[AssertId]) -> FxHashSet<Var> {
    let globals: FxHashSet<Var> = program.globals.iter().map(|d| d.var).collect();
    let mut found = FxHashSet::default();
    for r in program.reached(entry) {
        region(&program.regions[r.index()], terms, asserts, &globals, &mut found);
    }
    found
}

fn region(
    region: &Region,
    terms: &Terms,
    asserts: &[AssertId],
    globals: &FxHashSet<Var>,
    found: &mut FxHashSet<Var>,
) {
    let mut checked = vec![false; region.blocks.len()];
    let mut roots: Vec<Term> = Vec::new();
    for (b, block) in region.blocks.iter().enumerate() {
        for s in &block.stmts {
            if let StmtKind::Assert { id, cond } = s.kind
                && asserts.binary_search(&id).is_ok()
            {
                roots.push(cond);
                checked[b] = true;
            }
        }
    }
    if roots.is_empty() {
        return;
    }
    for block in &region.blocks {
        if let Terminator::Branch { cond, .. } = block.next
            && block.next.successors().any(|b| checked[b.index()])
        {
            roots.push(cond);
        }
    }
    let mut values: FxHashMap<Var, Vec<Term>> = FxHashMap::default();
    for s in region.blocks.iter().flat_map(|b| &b.stmts) {
        if let StmtKind::Assign(pairs) = &s.kind {
            let locals = pairs.iter().filter(|(v, _)| !globals.contains(v));
            locals.for_each(|&(v, t)| values.entry(v).or_default().push(t));
        }
    }
    let mut seen: FxHashSet<Var> = FxHashSet::default();
    while !roots.is_empty() {
        let mut next = Vec::new();
        for v in terms.free_vars(&roots) {
            if globals.contains(&v) {
                found.insert(v);
            } else if seen.insert(v) {
                next.extend(values.remove(&v).into_iter().flatten());
            }
        }
        roots = next;
    }
}
