//! What an unfolding may use.

use lariat_engine::Budget;

/// What is expanded without a query because it is certainly reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unasked {
    /// Loops and procedures.
    #[default]
    All,
    /// Loops only: how often they run is then known.
    Loops,
}

/// What an unfolding may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Time, memory, and a signal that stops it.
    pub budget: Budget,
    /// How many nodes may be expanded without a query each time that one is asked for.
    pub eager_nodes: u32,
    /// Which nodes are expanded so.
    pub unasked: Unasked,
    /// No node of a higher cost is ever expanded.
    pub bound: Option<u32>,
    /// How many queries may be asked.
    pub queries: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { budget: Budget::default(), eager_nodes: 20_000, unasked: Unasked::All, bound: None, queries: None }
    }
}
