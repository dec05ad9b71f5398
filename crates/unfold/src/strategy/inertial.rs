//! Inertial refinement (F-Soft, algorithm 2): resists new regions. Only when no error exists with all
//! open nodes blocked are nodes let in, and then a minimal correction set of the blocking constraints.

use lariat_smt::Model;

use super::{Step, Strategy};
use crate::{
    correction::Search,
    engine::{Engine, EngineError, Over},
    instance::NodeId,
};

/// How many correction sets are compared.
const SETS: usize = 3;

/// How the correction sets are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Correction {
    /// The first one, by trying one node at a time.
    Linear,
    /// The first one, by asking for any further blocked node at once.
    ClauseD,
    /// The cheapest one of several.
    Cheapest,
}

/// Inertial refinement.
pub struct Inertial(pub Correction);

impl Strategy for Inertial {
    fn name(&self) -> &'static str {
        "inertial"
    }

    fn choose(&mut self, engine: &mut Engine<'_>, model: &Model, bound: u32) -> Result<Step, EngineError> {
        let search = if self.0 == Correction::Linear { Search::Linear } else { Search::ClauseD };
        let mut best = engine.correction_set(model, search, None, &weight)?;
        if self.0 == Correction::Cheapest && best.len() > 1 {
            best = cheapest(engine, best, search, bound)?;
        }
        if cfg!(debug_assertions) && !engine.is_minimal(&best)? {
            debug_assert!(engine.must_stop().is_some(), "the correction set is not minimal");
        }
        engine.stats.correction_sizes.push(best.len() as u32);
        Ok(Step::Expand(best))
    }
}

/// Looks for other correction sets, each of which leaves out a node of every one before it.
fn cheapest(
    engine: &mut Engine<'_>,
    first: Vec<NodeId>,
    search: Search,
    bound: u32,
) -> Result<Vec<NodeId>, EngineError> {
    let total = |engine: &Engine<'_>, set: &[NodeId]| set.iter().map(|&n| weight(engine, n)).sum::<u64>();
    let mut best = (total(engine, &first), first.clone());
    let mut before = vec![first];
    while before.len() < SETS {
        let require = engine.avoid(&before);
        let blocked: Vec<NodeId> = engine.past(bound);
        let Over::Sat(model) = engine.over_with(&blocked, Some(require))? else { break };
        let set = engine.correction_set(&model, search, Some(require), &weight)?;
        let cost = total(engine, &set);
        if cost < best.0 {
            best = (cost, set.clone());
        }
        before.push(set);
    }
    Ok(best.1)
}

/// What it costs to let a node in: the size of its region, more the deeper it lies.
fn weight(engine: &Engine<'_>, n: NodeId) -> u64 {
    let node = engine.node(n);
    let blocks = &engine.program().regions[node.region.index()].blocks;
    let statements: usize = blocks.iter().map(|b| b.stmts.len() + 1).sum();
    statements as u64 * u64::from(node.cost)
}
