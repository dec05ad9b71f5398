//! Unfolding: region instances in one incremental
//! solver context, and two queries over it.
//!
//! A *node* is an instance of a region. It is *open* while its placeholders π, ε and λ are free, and
//! *expanded* once its summary is instantiated with the actual inputs and asserted to equal the
//! placeholders. Nothing is ever retracted or asserted twice; a query blocks nodes by assumptions.
//!
//! - *under*: every open node is blocked. A model is a real bug.
//! - *over*: only nodes past the recursion bound are blocked. If there is no model, no execution
//!   fails; if moreover the core names no blocked node, that holds for every bound.
//!
//! A [`Strategy`] only says which open nodes to expand when the over-query has a model (CORRAL,
//! figure 2; F-Soft, algorithm 2; Calysto, algorithms 2 and 3).

mod certificate;
mod check;
mod correction;
mod demand;
mod forced;
mod instance;
mod limits;
pub mod path;
mod queries;
mod relevance;
mod specification;
mod stats;
pub mod strategy;
mod summary_facts;
mod target;
mod unfolding;

pub use check::{Bound, CheckResult, check};
pub use instance::{Node, NodeId, State};
pub use limits::{Limits, Unasked};
pub use queries::Over;
pub use relevance::Amount;
pub use specification::Specification;
pub use stats::{Queries, QueryKind, Stats};
pub use strategy::{Strategy, StrategyKind};
pub use target::Target;
pub use unfolding::{EngineError, Unfolding};
