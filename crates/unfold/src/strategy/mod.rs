//! Strategies: which open nodes to expand next. One type each, a few lines of decision.

mod auto;
mod inertial;
mod infer;

use lariat_smt::{Model, Solver, SolverError};

use crate::{
    instance::NodeId,
    limits::Unasked,
    relevance::Amount,
    unfolding::{EngineError, Unfolding},
};

pub use auto::Auto;
pub use inertial::{Correction, Inertial};
pub use infer::Infer;

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
    Inertial(Correction),
    /// [`Infer`]
    Infer,
    /// [`Auto`]
    Auto,
}

impl StrategyKind {
    /// All strategies.
    pub const ALL: [StrategyKind; 8] = {
        use StrategyKind::*;
        [Stratified, Eager, Naive, Dcr, DcrPlus, Inertial(Correction::Cheapest), Infer, Auto]
    };

    /// The strategy itself; `solver` opens a solver for those that ask questions of their own.
    pub fn make(
        self,
        solver: &dyn Fn() -> Result<Box<dyn Solver>, SolverError>,
    ) -> Result<Box<dyn Strategy>, SolverError> {
        Ok(match self {
            StrategyKind::Stratified => Box::new(Stratified),
            StrategyKind::Eager => Box::new(Eager),
            StrategyKind::Naive => Box::new(Naive),
            StrategyKind::Dcr => Box::new(DontCare(Amount::One)),
            StrategyKind::DcrPlus => Box::new(DontCare(Amount::All)),
            StrategyKind::Inertial(correction) => Box::new(Inertial::new(correction)),
            StrategyKind::Infer => Box::new(Infer::new(solver()?)),
            StrategyKind::Auto => Box::new(Auto::default()),
        })
    }

    /// What may be expanded without a query: strategies that choose what to look into must not be
    /// given calls just because they are always made.
    pub fn unasked(self) -> Unasked {
        match self {
            StrategyKind::Stratified | StrategyKind::Eager | StrategyKind::Auto => Unasked::All,
            _ => Unasked::Loops,
        }
    }
}

/// What to do about a model of the over-query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Expand these nodes. None: no open node matters to the model, so it is a real error.
    Expand(Vec<NodeId>),
    /// The strategy asserted something that rules the model out.
    Refined,
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
    fn before(&mut self, unfolding: &Unfolding<'_>, bound: u32) -> Vec<NodeId> {
        let _ = (unfolding, bound);
        Vec::new()
    }

    /// What to do about a model of the over-query in which the nodes past the bound are blocked.
    fn choose(&mut self, unfolding: &mut Unfolding<'_>, model: &Model, bound: u32) -> Result<Step, EngineError>;
}

/// CORRAL's stratified inlining (figure 2, line 18): the open nodes on the model's path.
pub struct Stratified;

impl Strategy for Stratified {
    fn name(&self) -> &'static str {
        "stratified"
    }

    fn choose(&mut self, unfolding: &mut Unfolding<'_>, model: &Model, _: u32) -> Result<Step, EngineError> {
        unfolding.open_on_path(model).map(Step::Expand)
    }
}

/// Static inlining: everything within the bound, before the first question.
pub struct Eager;

impl Strategy for Eager {
    fn name(&self) -> &'static str {
        "eager"
    }

    fn before(&mut self, unfolding: &Unfolding<'_>, bound: u32) -> Vec<NodeId> {
        unfolding.open().iter().copied().filter(|&n| unfolding.node(n).cost <= bound).collect()
    }

    fn choose(&mut self, unfolding: &mut Unfolding<'_>, model: &Model, _: u32) -> Result<Step, EngineError> {
        unfolding.open_on_path(model).map(Step::Expand)
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

    fn choose(&mut self, unfolding: &mut Unfolding<'_>, _: &Model, bound: u32) -> Result<Step, EngineError> {
        Ok(Step::Expand(unfolding.cone(bound)))
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

    fn choose(&mut self, unfolding: &mut Unfolding<'_>, model: &Model, bound: u32) -> Result<Step, EngineError> {
        unfolding.relevant(model, self.0, bound).map(Step::Expand)
    }
}
