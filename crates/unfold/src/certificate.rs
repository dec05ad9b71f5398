//! An unfolding as a certificate, and as a plan for another unfolding of the same regions.

use lariat_certify::{Certificate, Instance, InstanceId, Site, Treatment, Tree};
use lariat_program::RegionId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    instance::{NodeId, State},
    unfolding::{EngineError, Unfolding},
};

impl Unfolding<'_> {
    /// The instances that are expanded, or of whose summaries something was used (strategy `infer`). If there is a proof,
    /// they are enough for it.
    pub fn certificate(&mut self) -> Certificate {
        let entry: RegionId = self.node(self.root()).region;
        let mut certificate = Certificate::new(entry);
        let specified: FxHashSet<NodeId> = self.specified.iter().map(|s| s.node).collect();
        let instances = &mut certificate.trees[0].instances;
        let mut ids = vec![Some(Tree::FIRST)];
        for n in (1..self.len() as u32).map(NodeId) {
            let boxed = self.boxed(n).and_then(|(parent, block, stmt)| {
                let site = Site { block, stmt: stmt as u32 };
                ids[parent.index()].map(|parent| (parent, site))
            });
            let id = boxed.filter(|_| self.node(n).state == State::Expanded || specified.contains(&n)).map(|boxed| {
                instances.push(Instance { boxed: Some(boxed), treatment: Treatment::Expand });
                InstanceId(instances.len() as u32 - 1)
            });
            ids.push(id);
        }
        self.state_contracts(&mut certificate);
        certificate
    }

    /// Expands the instances that a tree lists, as far as there are boxes for them.
    pub fn expand_tree(&mut self, tree: &Tree) -> Result<(), EngineError> {
        let mut nodes: Vec<Option<NodeId>> = Vec::with_capacity(tree.instances.len());
        let mut children: FxHashMap<NodeId, FxHashMap<Site, NodeId>> = FxHashMap::default();
        for instance in &tree.instances {
            if self.must_stop().is_some() {
                return Ok(());
            }
            let Some((parent, site)) = instance.boxed else {
                nodes.push(Some(self.root()));
                continue;
            };
            let Some(parent) = nodes.get(parent.index()).copied().flatten() else {
                nodes.push(None);
                continue;
            };
            let below = children.entry(parent).or_insert_with(|| {
                let below = self.node(parent).children.iter();
                below.filter_map(|&c| self.boxed(c).map(|(_, block, s)| (Site { block, stmt: s as u32 }, c))).collect()
            });
            let node = below.get(&site).copied();
            if let Some(n) = node.filter(|&n| self.node(n).state == State::Open) {
                self.expand(&[n])?;
            }
            nodes.push(node);
        }
        Ok(())
    }
}
