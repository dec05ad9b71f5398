//! Strategies: which open nodes to expand next. One type each, a few lines of decision.

mod inertial;

use lariat_smt::Model;

use crate::{
    engine::{Engine, EngineError, Unasked},
    instance::NodeId,
    relevance::Amount,
};

pub use inertial::{Correction, Inertial};

/// A strategy by its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StrategyKind {
    /// [`Stratified`]
    #[default]
    Stratified,
    /// [`Eager`]
    Eager,
    /// [`Naive`]
    Naive,
    /// [`DontCare`], one node a round
    Dcr,
    /// [`DontCare`], all nodes
    DcrPlus,
    /// [`Inertial`]
    Inertial,
}

impl StrategyKind {
    /// All strategies.
    pub const ALL: [StrategyKind; 6] = {
        use StrategyKind::*;
        [Stratified, Eager, Naive, Dcr, DcrPlus, Inertial]
    };

    /// The strategy itself.
    pub fn make(self) -> Box<dyn Strategy> {
        match self {
            StrategyKind::Stratified => Box::new(Stratified),
            StrategyKind::Eager => Box::new(Eager),
            StrategyKind::Naive => Box::new(Naive),
            StrategyKind::Dcr => Box::new(DontCare(Amount::One)),
            StrategyKind::DcrPlus => Box::new(DontCare(Amount::All)),
            StrategyKind::Inertial => Box::new(Inertial(Correction::Cheapest)),
        }
    }

    /// What may be expanded without a query: strategies that choose what to look into must not be
    /// given calls just because they are always made.
    pub fn unasked(self) -> Unasked {
        match self {
            StrategyKind::Stratified | StrategyKind::Eager => Unasked::All,
            _ => Unasked::Loops,
        }
    }
}

/// Decides which open nodes to expand. It sees the unfolding and a model, and never builds terms.
pub trait Strategy {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// Is the under-query asked? A strategy without it finds a real error when it has nothing to
    /// expand for a model of the over-query.
    fn asks_under(&self) -> bool {
        true
    }

    /// Nodes to expand before any question is asked; called until it gives none.
    fn before(&mut self, engine: &Engine<'_>, bound: u32) -> Vec<NodeId> {
        let _ = (engine, bound);
        Vec::new()
    }

    /// Nodes to expand, given a model of the over-query in which the nodes past the bound are
    /// blocked. None: no open node matters to the model, so it is a real error.
    fn choose(&mut self, engine: &mut Engine<'_>, model: &Model, bound: u32) -> Result<Vec<NodeId>, EngineError>;
}

/// CORRAL's stratified inlining (figure 2, line 18): the open nodes on the model's path.
pub struct Stratified;

impl Strategy for Stratified {
    fn name(&self) -> &'static str {
        "stratified"
    }

    fn choose(&mut self, engine: &mut Engine<'_>, model: &Model, _: u32) -> Result<Vec<NodeId>, EngineError> {
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

    fn choose(&mut self, engine: &mut Engine<'_>, model: &Model, _: u32) -> Result<Vec<NodeId>, EngineError> {
        engine.open_on_path(model)
    }
}

/// Structural abstraction without selection: every open node that the error condition mentions.
pub struct Naive;

impl Strategy for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn asks_under(&self) -> bool {
        false
    }

    fn choose(&mut self, engine: &mut Engine<'_>, _: &Model, bound: u32) -> Result<Vec<NodeId>, EngineError> {
        Ok(engine.cone(bound))
    }
}

/// Calysto's structural refinement: what the don't-care walk reaches, one node a round (`dcr`) or
/// all of them (`dcr+`).
pub struct DontCare(pub Amount);

impl Strategy for DontCare {
    fn name(&self) -> &'static str {
        match self.0 {
            Amount::One => "dcr",
            Amount::All => "dcr+",
        }
    }

    fn asks_under(&self) -> bool {
        false
    }

    fn choose(&mut self, engine: &mut Engine<'_>, model: &Model, bound: u32) -> Result<Vec<NodeId>, EngineError> {
        engine.relevant(model, self.0, bound)
    }
}
