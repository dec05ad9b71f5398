//! Minimal correction sets of the blocking constraints: which open nodes must be let in, and no more,
//! so that the error condition can hold (F-Soft, section IV, algorithm 2).
//!
//! The constraints are "this open node neither returns nor fails". Two algorithms:
//! - by assumptions: the nodes that a model of the over-query enters are a correction set; it is made minimal by
//!   queries, either one constraint at a time, or by asking for any further constraint at once ("clause D");
//! - by the solver's own weighted MaxSAT: the constraints that an optimal model violates are a correction set of
//!   the least weight, hence a minimal one.

use lariat_smt::{Answer, Model};
use lariat_term::{Evaluator, Term, Value};
use rustc_hash::FxHashSet;

use crate::{
    instance::NodeId,
    unfolding::{EngineError, Unfolding},
};

/// How a correction set is made minimal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum McsAlgorithm {
    /// Tries to block one more node at a time.
    Linear,
    /// Asks whether any of the remaining nodes can be blocked, all at once.
    ClauseD,
}

/// A set of blocked nodes that grows, and the candidates that are not blocked yet.
struct Growth {
    blocked: Vec<NodeId>,
    candidates: Vec<NodeId>,
}

impl Unfolding<'_> {
    /// A minimal set of open nodes whose blocking constraints must be removed, found from a model of
    /// the over-query with the nodes past the bound blocked. Those that come first in the order are kept out of
    /// it where there is a choice. `require` is a further condition on the models.
    pub(crate) fn correction_set(
        &mut self,
        model: &Model,
        search: McsAlgorithm,
        require: Option<Term>,
        order: &dyn Fn(NodeId) -> u64,
    ) -> Result<Vec<NodeId>, EngineError> {
        let mut candidates = self.open_on_path(model)?;
        candidates.sort_by_cached_key(|&n| (order(n), n));
        let inside: FxHashSet<NodeId> = candidates.iter().copied().collect();
        let blocked = self.open().iter().copied().filter(|n| !inside.contains(n)).collect();
        let mut growth = Growth { blocked, candidates };
        // The model enters nodes past the bound, too, though it does not need them.
        self.keep_blocked(&mut growth, model)?;
        let mut set = match search {
            McsAlgorithm::Linear => self.grow_one_by_one(growth, require)?,
            McsAlgorithm::ClauseD => self.grow_by_clause(growth, require)?,
        };
        set.sort_unstable();
        Ok(set)
    }

    /// The correction set of the least total weight, where the solver can optimise. All open nodes that have no
    /// weight are blocked.
    pub(crate) fn lightest_correction_set(
        &mut self,
        weights: &[(NodeId, u64)],
    ) -> Result<Option<Vec<NodeId>>, EngineError> {
        let weighed: FxHashSet<NodeId> = weights.iter().map(|&(n, _)| n).collect();
        let others: Vec<NodeId> = self.open().iter().copied().filter(|n| !weighed.contains(n)).collect();
        let Some(model) = self.lightest(&others, weights)? else { return Ok(None) };
        let nodes: Vec<NodeId> = weights.iter().map(|&(n, _)| n).collect();
        let mut set: Vec<NodeId> = self.violated(&model, &nodes)?.into_iter().collect();
        set.sort_unstable();
        Ok(Some(set))
    }

    fn grow_one_by_one(&mut self, mut g: Growth, require: Option<Term>) -> Result<Vec<NodeId>, EngineError> {
        let mut set = Vec::new();
        while !g.candidates.is_empty() {
            let n = g.candidates.remove(0);
            let try_blocked: Vec<NodeId> = g.blocked.iter().copied().chain([n]).collect();
            match self.ask_blocked(&try_blocked, require)? {
                Answer::Sat(model) => {
                    g.blocked = try_blocked;
                    self.keep_blocked(&mut g, &model)?;
                }
                // Not known to be avoidable is not avoidable.
                Answer::Unsat(_) | Answer::Unknown(_) => set.push(n),
            }
        }
        Ok(set)
    }

    fn grow_by_clause(&mut self, mut g: Growth, require: Option<Term>) -> Result<Vec<NodeId>, EngineError> {
        while !g.candidates.is_empty() {
            let any = self.any_blocked(&g.candidates);
            let both: Vec<Term> = require.into_iter().chain([any]).collect();
            let both = self.terms.and(&both);
            match self.ask_blocked(&g.blocked.clone(), Some(both))? {
                Answer::Sat(model) => self.keep_blocked(&mut g, &model)?,
                Answer::Unsat(_) | Answer::Unknown(_) => break,
            }
        }
        Ok(g.candidates)
    }

    /// Blocks the candidates that a model does not need: it satisfies their constraints, though it may enter them
    /// after its error, or does not enter them at all.
    fn keep_blocked(&mut self, g: &mut Growth, model: &Model) -> Result<(), EngineError> {
        let entered: FxHashSet<NodeId> = self.open_on_path(model)?.into_iter().collect();
        let needed = self.violated(model, &g.candidates)?;
        let (candidates, blocked) = g.candidates.iter().partition(|n| entered.contains(n) && needed.contains(n));
        g.candidates = candidates;
        g.blocked.extend::<Vec<NodeId>>(blocked);
        Ok(())
    }

    /// The nodes of these whose blocking constraints a model violates.
    fn violated(&mut self, model: &Model, nodes: &[NodeId]) -> Result<FxHashSet<NodeId>, EngineError> {
        let constraints: Vec<(NodeId, Term)> = nodes.iter().map(|&n| (n, self.blocking(n))).collect();
        let mut evaluator = Evaluator::new(self.terms, model.get(self.terms)?);
        let violated = constraints.into_iter().filter(|&(_, t)| evaluator.eval(t) != Ok(Value::Bool(true)));
        Ok(violated.map(|(n, _)| n).collect())
    }

    /// One of these nodes is blocked, as a term that can be assumed.
    pub(crate) fn any_blocked(&mut self, nodes: &[NodeId]) -> Term {
        let blocks: Vec<Term> = nodes.iter().map(|&n| self.blocking(n)).collect();
        self.terms.or(&blocks)
    }

    /// Each of these sets has a node that is blocked, as a term that can be assumed.
    pub(crate) fn avoid(&mut self, sets: &[Vec<NodeId>]) -> Term {
        let each: Vec<Term> = sets.iter().map(|s| self.any_blocked(s)).collect();
        self.terms.and(&each)
    }

    /// Is this a correction set of which every node is needed, as far as the solver can tell?
    pub(crate) fn is_minimal(&mut self, set: &[NodeId]) -> Result<bool, EngineError> {
        // A check is not part of what is counted.
        let stats = self.stats.clone();
        let inside: FxHashSet<NodeId> = set.iter().copied().collect();
        let others: Vec<NodeId> = self.open().iter().copied().filter(|n| !inside.contains(n)).collect();
        let mut minimal = !self.ask_blocked(&others, None)?.is_unsat();
        for &n in set {
            let more: Vec<NodeId> = others.iter().copied().chain([n]).collect();
            minimal = minimal && !self.ask_blocked(&more, None)?.is_sat();
        }
        self.stats = stats;
        Ok(minimal)
    }
}
