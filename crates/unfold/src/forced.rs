//! Nodes that every error needs.
//!
//! The error condition is asserted, so its conjuncts hold in every model. A conjunct that is the
//! placeholder of an open node means that each error enters the node: it is expanded without a
//! query, and what its placeholder then equals is a conjunct in its turn.

use lariat_term::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    instance::{NodeId, State},
    unfolding::{EngineError, Unfolding},
};

/// How many nodes are expanded in any case before a question is asked again.
const BATCH: usize = 1000;

/// What a placeholder stands for.
#[derive(Clone, Copy)]
enum Meaning {
    /// The node is open.
    Open(NodeId),
    /// What it was found to be.
    Found(Term),
}

/// What is known to hold in every model.
#[derive(Default)]
pub(crate) struct Forced {
    /// What the placeholders π and ε stand for.
    meaning: FxHashMap<Term, Meaning>,
    /// Conjuncts that were seen.
    holds: FxHashSet<Term>,
    /// Nodes that every error needs, in the order in which that was found.
    waiting: Vec<NodeId>,
}

impl Forced {
    /// A node is open, with this π or ε.
    pub fn open(&mut self, placeholder: Term, node: NodeId) {
        self.meaning.insert(placeholder, Meaning::Open(node));
    }

    /// The node of a π or ε was expanded.
    pub fn found(&mut self, terms: &Terms, placeholder: Term, found: Term) {
        self.meaning.insert(placeholder, Meaning::Found(found));
        if self.holds.contains(&placeholder) {
            self.add(terms, found);
        }
    }

    /// A term holds in every model.
    pub fn add(&mut self, terms: &Terms, t: Term) {
        let mut work = vec![t];
        while let Some(t) = work.pop() {
            if !self.holds.insert(t) {
                continue;
            }
            match self.meaning.get(&t) {
                Some(&Meaning::Open(n)) => self.waiting.push(n),
                Some(&Meaning::Found(t)) => work.push(t),
                None if terms.op(t) == Op::And => work.extend(terms.args(t)),
                None => {}
            }
        }
    }
}

impl Unfolding<'_> {
    /// Expands the nodes within the bound that every error needs. What this brings to light is
    /// expanded too, as long as the unfolding about doubles at most: there may be no end to it, and
    /// a question may show that there is no error at all.
    pub fn expand_forced(&mut self, bound: u32) -> Result<(), EngineError> {
        let end = self.stats.expanded + (BATCH + self.nodes.len()) as u64;
        loop {
            let nodes = &self.nodes;
            self.forced.waiting.retain(|n| nodes[n.index()].state == State::Open);
            let within = |n: &NodeId| self.nodes[n.index()].cost <= bound && self.may_expand_unasked(*n);
            let mut layer: Vec<NodeId> = self.forced.waiting.iter().copied().filter(within).collect();
            layer.sort_unstable();
            layer.dedup();
            layer.truncate(end.saturating_sub(self.stats.expanded) as usize);
            if layer.is_empty() || self.must_stop().is_some() {
                return Ok(());
            }
            self.stats.unasked += layer.len() as u64;
            self.expand(&layer)?;
        }
    }
}
