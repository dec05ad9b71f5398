//! The loop that all strategies share (CORRAL, figure 2): under, over, expand; and the recursion
//! bound, raised only when a proof needs a blocked node.

use lariat_smt::{Answer, Model, Reason};

use crate::{
    instance::NodeId,
    queries::Over,
    strategy::{Step, Strategy},
    unfolding::{EngineError, Unfolding},
};

/// How an unfolding ended.
#[derive(Debug)]
pub enum CheckResult {
    /// A real error, by this model.
    Unsafe(Model),
    /// No execution fails, whatever the bound.
    Safe,
    /// No execution fails that stays within the bound.
    Bounded(Bound),
    /// No answer, but what the solver proposed when it gave up may be an error.
    Candidate(Model, Reason),
    /// No answer.
    Unknown(Reason),
}

/// A bound and what it cut off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// How often a region may occur on a stack.
    pub bound: u32,
    /// The blocked nodes that the proof needs.
    pub cut: Vec<NodeId>,
}

/// Runs a strategy to the end, or goes on where an earlier run paused. `progress` is called
/// before each round with the current bound.
pub fn check(
    unfolding: &mut Unfolding<'_>,
    strategy: &mut dyn Strategy,
    progress: &mut dyn FnMut(&Unfolding<'_>, u32),
) -> Result<CheckResult, EngineError> {
    loop {
        let bound = unfolding.bound;
        progress(unfolding, bound);
        unfolding.expand_forced(bound)?;
        loop {
            let nodes = strategy.before(unfolding, bound);
            if nodes.is_empty() {
                break;
            }
            if let Some(reason) = unfolding.must_stop() {
                return Ok(CheckResult::Unknown(reason));
            }
            unfolding.expand(&nodes)?;
        }
        let mut candidate = None;
        if strategy.asks_under() {
            match unfolding.under()? {
                Answer::Sat(model) => return Ok(CheckResult::Unsafe(model)),
                Answer::Unsat(core) if core.is_empty() => return Ok(CheckResult::Safe),
                Answer::Unsat(_) => {}
                // The over-query may still be decided.
                Answer::Unknown(Reason::Incomplete(_)) => candidate = unfolding.candidate(),
                Answer::Unknown(reason) => return Ok(CheckResult::Unknown(reason)),
            }
        }
        match unfolding.over(&unfolding.past(bound))? {
            Over::Unknown(reason) => {
                // Expanding more is never wrong, so a proposal can say where.
                let step = unfolding.candidate().map(|model| strategy.choose(unfolding, &model, bound));
                let nodes = if let Some(Ok(Step::Expand(nodes))) = step { nodes } else { Vec::new() };
                let nodes: Vec<NodeId> = nodes.into_iter().filter(|&n| unfolding.node(n).cost <= bound).collect();
                if nodes.is_empty() {
                    return Ok(match candidate {
                        Some(model) => CheckResult::Candidate(model, reason),
                        None => CheckResult::Unknown(reason),
                    });
                }
                unfolding.expand(&nodes)?;
            }
            Over::Unsat(cut) => {
                // The cheapest node of the core must be let in before anything can change.
                let Some(next) = cut.iter().map(|&n| unfolding.node(n).cost).min() else {
                    return Ok(CheckResult::Safe);
                };
                if let Some(bound) = unfolding.limits.bound.filter(|&max| next > max) {
                    return Ok(CheckResult::Bounded(Bound { bound, cut }));
                }
                unfolding.bound = next;
            }
            Over::Sat(model) => match strategy.choose(unfolding, &model, bound)? {
                Step::Refined => {}
                Step::Expand(nodes) => {
                    let within = |nodes: Vec<NodeId>| -> Vec<NodeId> {
                        nodes.into_iter().filter(|&n| unfolding.node(n).cost <= bound).collect()
                    };
                    let mut nodes = within(nodes);
                    if nodes.is_empty() {
                        nodes = within(unfolding.open_on_path(&model)?);
                    }
                    if nodes.is_empty() {
                        // A model without an open node on its path is a real error that the
                        // under-query did not decide.
                        return Ok(CheckResult::Unsafe(model));
                    }
                    unfolding.expand(&nodes)?;
                }
            },
        }
    }
}
