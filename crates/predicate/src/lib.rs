//! Lazy predicate abstraction, refined by interpolants (*Abstractions from proofs*, Henzinger, Jhala, Majumdar, McMillan, POPL 2004).
//!
//! The Horn clauses of a task ([`lariat_horn`]) are explored with facts that are cubes over predicates (`reachability`, `abstraction`).
//! Where an error follows, its `trace` formula says whether an execution takes it: if so, the execution is a bug
//! ([`lariat_horn::candidate`]); if not, `interpolants` at each step are new predicates for the relation of that step alone (`precision`), and only what
//! depends on these facts is explored anew.
//!
//! Blocks are large: relations stand at loop heads, after loops, and where recursive procedures are entered and return; what is between them is one
//! formula. A recursive procedure's returned relation is over its parameters at the time of the call, so predicates about it are
//! polymorphic in the caller (section 5.2).
//!
//! In: a [`Task`](lariat_engine::Task). Out: a bug candidate, a proof, or nothing. What always holds:
//! - the facts of a relation together are an invariant, whatever predicates were chosen; the proof is checked as those of other engines;
//! - interpolants are not trusted: predicates of any origin keep the abstraction sound.

mod abstraction;
mod drawing;
mod engine;
mod interpolants;
mod places;
mod precision;
mod reachability;
mod saved;
mod thresholds;
mod trace;

pub use engine::{Blocks, Exploration, PredicateAbstraction, Settings, Statistics};
pub use places::Place;
pub use precision::{Precision, Scope};
pub use saved::{Tracked, write as write_predicates};
