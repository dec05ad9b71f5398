//! Completes certificates: what a pass knew of calls and loops that it has decided is not in the certificate of its program.

use lariat_program::{BlockId, Program, RegionId, RegionKind, StmtKind};
use lariat_term::Term;

use crate::{
    certificate::{Certificate, Instance, InstanceId, Site, Treatment},
    check::regions,
};

/// How many instances may be listed.
const LIMIT: usize = 2_000;

/// Lists the boxes of recursive regions in each instance that is listed, so that they are expanded once more; `false` if there are none,
/// or too many. A certificate that lists more claims no more, so whether it is a proof is for the checker to say.
pub fn expand_recursion(program: &Program, recursive: &[bool], certificate: &mut Certificate) -> bool {
    let before = certificate.instances();
    for tree in &mut certificate.trees {
        let Ok(regions) = regions(program, tree) else { return false };
        let known = tree.by_box();
        for (at, region) in regions.into_iter().enumerate() {
            let Some(region) = region else { continue };
            let id = InstanceId(at as u32);
            let has_invariant = tree.instances[at].treatment.invariant().is_some();
            for (site, callee) in boxes(program, region) {
                if recursive.get(callee.index()) == Some(&true)
                    && !(has_invariant && callee == region)
                    && !known.contains_key(&(id, site))
                {
                    tree.instances.push(Instance { boxed: Some((id, site)), treatment: Treatment::Expand });
                }
            }
        }
    }
    (before + 1..=LIMIT).contains(&certificate.instances())
}

/// Gives each loop whose rounds are listed the invariant `truth` in their place; `false` if there is none. Where a pass has decided what is
/// asserted in a loop, that holds in each round by itself.
pub fn trivial_invariants(program: &Program, truth: Term, certificate: &mut Certificate) -> bool {
    let mut changed = false;
    let symbols = &mut certificate.symbols;
    for (number, tree) in certificate.trees.iter_mut().enumerate() {
        let Ok(regions) = regions(program, tree) else { return false };
        // The instances that stay, by their numbers before.
        let mut kept: Vec<Option<InstanceId>> = Vec::with_capacity(tree.instances.len());
        let mut instances: Vec<Instance> = Vec::with_capacity(tree.instances.len());
        let mut loops = false;
        for (&(mut instance), &region) in tree.instances.iter().zip(&regions) {
            if let Some((parent, site)) = instance.boxed {
                let is_loop =
                    region.is_some_and(|r| matches!(program.regions[r.index()].kind, RegionKind::Loop { .. }));
                let is_next_round = is_loop && regions.get(parent.index()) == Some(&region);
                let above = kept.get(parent.index()).copied().flatten().filter(|_| !is_next_round);
                let Some(above) = above else {
                    kept.push(None);
                    continue;
                };
                instance.boxed = Some((above, site));
                if is_loop && instance.treatment == Treatment::Expand {
                    instance.treatment = Treatment::Invariant(truth);
                    loops = true;
                }
            }
            kept.push(Some(InstanceId(instances.len() as u32)));
            instances.push(instance);
        }
        let stays = |instance: InstanceId| kept.get(instance.index()).copied().flatten();
        // What is claimed about rounds that are not listed any more would be about nothing.
        if loops && symbols.iter().filter(|(_, s)| s.tree == number).all(|(_, s)| stays(s.instance).is_some()) {
            for (_, symbol) in symbols.iter_mut().filter(|(_, s)| s.tree == number) {
                symbol.instance = stays(symbol.instance).unwrap_or(symbol.instance);
            }
            tree.instances = instances;
            changed = true;
        }
    }
    changed
}

/// The boxes of a region.
fn boxes(program: &Program, region: RegionId) -> impl Iterator<Item = (Site, RegionId)> + '_ {
    program.regions[region.index()].blocks.iter().enumerate().flat_map(|(b, block)| {
        block.stmts.iter().enumerate().filter_map(move |(s, stmt)| match stmt.kind {
            StmtKind::Box { callee, .. } => Some((Site { block: BlockId(b as u32), stmt: s as u32 }, callee)),
            _ => None,
        })
    })
}
