//! Inertial refinement (F-Soft, algorithm 2): resists new regions. Only when no error exists with all
//! open nodes blocked are nodes let in, and then a minimal correction set of the blocking constraints.

use lariat_program::RegionId;
use lariat_smt::{Answer, Model};
use rustc_hash::FxHashMap;

use super::{Step, Strategy};
use crate::{
    correction::McsAlgorithm,
    instance::NodeId,
    unfolding::{EngineError, Unfolding},
};

/// How many correction sets are compared.
const SETS: usize = 3;

/// How the correction sets are found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Correction {
    /// The first one, by trying one node at a time.
    Linear,
    /// The first one, by asking for any further blocked node at once.
    ClauseD,
    /// The cheapest one of several that are found so.
    #[default]
    Cheapest,
    /// The cheapest one of all, by the solver's weighted MaxSAT. Where the solver has none, or gives up, the first
    /// one.
    MaxSat,
}

impl Correction {
    /// All ways.
    pub const ALL: [Correction; 4] =
        [Correction::Linear, Correction::ClauseD, Correction::Cheapest, Correction::MaxSat];
}

/// Inertial refinement.
pub struct Inertial {
    correction: Correction,
    costs: Costs,
}

impl Inertial {
    /// The strategy with one of the ways to find correction sets.
    pub fn new(correction: Correction) -> Inertial {
        Inertial { correction, costs: Costs::default() }
    }
}

impl Strategy for Inertial {
    fn name(&self) -> &'static str {
        "inertial"
    }

    fn choose(&mut self, unfolding: &mut Unfolding<'_>, model: &Model, bound: u32) -> Result<Step, EngineError> {
        let set = match self.correction {
            Correction::Linear => unfolding.correction_set(model, McsAlgorithm::Linear, None, &in_order)?,
            Correction::ClauseD => unfolding.correction_set(model, McsAlgorithm::ClauseD, None, &in_order)?,
            Correction::Cheapest => {
                let costs = self.costs.of_open(unfolding, bound);
                cheapest(unfolding, model, bound, &costs)?
            }
            Correction::MaxSat => {
                let costs = self.costs.of_open(unfolding, bound);
                match unfolding.lightest_correction_set(&costs)? {
                    Some(set) => set,
                    None => unfolding.correction_set(model, McsAlgorithm::ClauseD, None, &in_order)?,
                }
            }
        };
        if set.is_empty() {
            // The error that needs no open node is another one, which the under-query did not find.
            return unfolding.open_on_path(model).map(Step::Expand);
        }
        if cfg!(debug_assertions) && !unfolding.is_minimal(&set)? {
            debug_assert!(unfolding.must_stop().is_some(), "the correction set is not minimal");
        }
        unfolding.stats.correction_sizes.push(set.len() as u32);
        Ok(Step::Expand(set))
    }
}

fn in_order(_: NodeId) -> u64 {
    0
}

/// Looks for some correction sets, each of which leaves out a node of every one before it.
fn cheapest(
    unfolding: &mut Unfolding<'_>,
    model: &Model,
    bound: u32,
    costs: &[(NodeId, u64)],
) -> Result<Vec<NodeId>, EngineError> {
    let least = costs.iter().map(|&(_, c)| c).min().unwrap_or(0);
    let costs: FxHashMap<NodeId, u64> = costs.iter().copied().collect();
    let cost = |n: NodeId| costs.get(&n).copied().unwrap_or(u64::MAX);
    let total = |set: &[NodeId]| set.iter().map(|&n| cost(n)).fold(0, u64::saturating_add);
    // What is expensive is left out first.
    let order = |n: NodeId| u64::MAX - cost(n);
    let first = unfolding.correction_set(model, McsAlgorithm::ClauseD, None, &order)?;
    let mut best = (total(&first), first.clone());
    let mut before = vec![first];
    // No set costs less than the cheapest node.
    while before.len() < SETS && best.0 > least {
        let require = unfolding.avoid(&before);
        let blocked = unfolding.past(bound);
        let Answer::Sat(model) = unfolding.ask_blocked(&blocked, Some(require))? else { break };
        let set = unfolding.correction_set(&model, McsAlgorithm::ClauseD, Some(require), &order)?;
        if total(&set) < best.0 {
            best = (total(&set), set.clone());
        }
        before.push(set);
    }
    Ok(best.1)
}

/// What it costs to let nodes in.
#[derive(Default)]
struct Costs {
    /// How much there is to look at in a region and all that it may enter.
    sizes: FxHashMap<RegionId, u64>,
}

impl Costs {
    /// The costs of the open nodes within the bound: the size of what can be below, more the deeper the node lies,
    /// and twice as much if the region was never looked into.
    fn of_open(&mut self, unfolding: &Unfolding<'_>, bound: u32) -> Vec<(NodeId, u64)> {
        let within = unfolding.open().iter().copied().filter(|&n| unfolding.node(n).cost <= bound);
        within
            .map(|n| {
                let node = unfolding.node(n);
                let size = *self.sizes.entry(node.region).or_insert_with(|| size(unfolding, node.region));
                let known = unfolding.stats().regions.get(node.region.index()).is_some_and(|&times| times > 0);
                let news = if known { 1 } else { 2 };
                (n, size.saturating_mul(u64::from(node.depth.max(1))).saturating_mul(news))
            })
            .collect()
    }
}

fn size(unfolding: &Unfolding<'_>, region: RegionId) -> u64 {
    let program = unfolding.program();
    let below = program.reached(region);
    let blocks = below.iter().flat_map(|r| &program.regions[r.index()].blocks);
    blocks.map(|b| b.stmts.len() as u64 + 1).sum()
}
