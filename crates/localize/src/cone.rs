//! Where `auto` begins: the globals in the cone of influence of the assertions that count, as far as it is near.

use lariat_program::{AssertId, Program, Region, RegionId, StmtKind, Terminator};
use lariat_term::{Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many globals of branches are taken in if the conditions read few.
const FEW: usize = 4;

/// The globals that the condition of a counting assertion reads, also through locals of the same region; and those that a branch just before it reads,
/// if that are no more than twice as many. Nothing, if it is more than half of the globals: what matters among them is soon found.
pub fn cone(program: &Program, terms: &Terms, entry: RegionId, asserts: &[AssertId]) -> FxHashSet<Var> {
    let globals: FxHashSet<Var> = program.globals.iter().map(|d| d.var).collect();
    let (mut read, mut decided) = (FxHashSet::default(), FxHashSet::default());
    for r in program.reached(entry) {
        let region = &program.regions[r.index()];
        let (conditions, branches) = roots(region, asserts);
        through_locals(region, terms, conditions, &globals, &mut read);
        through_locals(region, terms, branches, &globals, &mut decided);
    }
    let most = (2 * read.len()).max(FEW);
    let both: FxHashSet<Var> = read.union(&decided).copied().collect();
    if both.len() <= most {
        read = both;
    }
    if 2 * read.len() > globals.len() { FxHashSet::default() } else { read }
}

/// The conditions of assertions that count, and those of branches just before them.
fn roots(region: &Region, asserts: &[AssertId]) -> (Vec<Term>, Vec<Term>) {
    let mut checked = vec![false; region.blocks.len()];
    let (mut conditions, mut branches) = (Vec::new(), Vec::new());
    for (b, block) in region.blocks.iter().enumerate() {
        for s in &block.stmts {
            if let StmtKind::Assert { id, cond } = s.kind
                && asserts.binary_search(&id).is_ok()
            {
                conditions.push(cond);
                checked[b] = true;
            }
        }
    }
    for block in &region.blocks {
        if let Terminator::Branch { cond, .. } = block.next
            && block.next.successors().any(|b| checked[b.index()])
        {
            branches.push(cond);
        }
    }
    (conditions, branches)
}

fn through_locals(
    region: &Region,
    terms: &Terms,
    mut roots: Vec<Term>,
    globals: &FxHashSet<Var>,
    found: &mut FxHashSet<Var>,
) {
    if roots.is_empty() {
        return;
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
