//! Strategies: which open nodes to expand next. One type each, a few lines of decision.

use lariat_smt::Model;

use crate::{
    engine::{Engine, EngineError},
    instance::NodeId,
};

/// Decides which open nodes to expand. It sees the unfolding and a model, and never builds terms.
pub trait Strategy {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// Nodes to expand before any question is asked; called until it gives none.
    fn before(&mut self, engine: &Engine<'_>, bound: u32) -> Vec<NodeId> {
        let _ = (engine, bound);
        Vec::new()
    }

    /// Nodes to expand, given a model of the over-query. Nodes past the bound are blocked in it.
    fn choose(&mut self, engine: &Engine<'_>, model: &Model) -> Result<Vec<NodeId>, EngineError>;
}

/// CORRAL's stratified inlining (figure 2, line 18): the open nodes on the model's path.
pub struct Stratified;

impl Strategy for Stratified {
    fn name(&self) -> &'static str {
        "stratified"
    }

    fn choose(&mut self, engine: &Engine<'_>, model: &Model) -> Result<Vec<NodeId>, EngineError> {
        engine.open_on_path(model)
    }
}

/// Static inlining: everything within the bound, before the first question.
pub struct Eager;

impl Strategy for Eager {
    fn name(&self) -> &'static str {
        "eager"
    }

    fn before(&mut self, engine: &Engine<'_>, bound: u32) -> Vec<NodeId> {
        engine.open().iter().copied().filter(|&n| engine.node(n).cost <= bound).collect()
    }

    fn choose(&mut self, engine: &Engine<'_>, model: &Model) -> Result<Vec<NodeId>, EngineError> {
        engine.open_on_path(model)
    }
}
