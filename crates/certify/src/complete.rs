//! Certificates that say more: what a pass knew of calls that it has removed is not in the certificate of its program.

use lariat_program::{BlockId, Program, RegionId, StmtKind};

use crate::certificate::{Certificate, Instance, InstanceId, Site, Treatment};

/// How many instances may be listed.
const LIMIT: usize = 2_000;

/// Lists the boxes of recursive regions in each instance that is listed, so that they are expanded once more; `false` if there are none,
/// or too many. A certificate that lists more claims no more, so whether it is a proof is for the checker to say.
pub fn expand_recursion(program: &Program, recursive: &[bool], certificate: &mut Certificate) -> bool {
    let before = certificate.instances();
    for tree in &mut certificate.trees {
        let known = tree.by_box();
        let mut regions = Vec::with_capacity(tree.instances.len());
        for at in 0..tree.instances.len() {
            let region = match tree.instances[at].boxed {
                None => Some(tree.region),
                Some((parent, site)) => {
                    let above: Option<RegionId> = regions.get(parent.index()).copied().flatten();
                    above.and_then(|above| program.callee(above, site.block, site.stmt))
                }
            };
            regions.push(region);
            let Some(region) = region else { continue };
            let id = InstanceId(at as u32);
            for (b, block) in program.regions[region.index()].blocks.iter().enumerate() {
                for (s, stmt) in block.stmts.iter().enumerate() {
                    let site = Site { block: BlockId(b as u32), stmt: s as u32 };
                    let StmtKind::Box { callee, .. } = stmt.kind else { continue };
                    if recursive.get(callee.index()) == Some(&true) && !known.contains_key(&(id, site)) {
                        tree.instances.push(Instance { boxed: Some((id, site)), treatment: Treatment::Expand });
                    }
                }
            }
        }
    }
    (before + 1..=LIMIT).contains(&certificate.instances())
}
