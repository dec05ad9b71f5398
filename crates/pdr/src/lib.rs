//! Property-directed reachability (IC3) on bits.
//!
//! Linear Horn clauses of a task ([`lariat_horn`]) become a transition system over bits (`system`), its formulas circuits (`circuit`), and a SAT solver
//! (`sat`) answers the questions of IC3 (`search`). It goes where states are many and relations between their bits are few: hardware designs, protocols, state
//! machines; arithmetic is as hard for it as for a SAT solver.
//!
//! In: a [`Task`](lariat_engine::Task). Out: a bug candidate, a proof, or nothing. What always holds:
//! - the transition system has at least the executions of the clauses: what is no operation on bits may be anything;
//! - nothing is trusted: an invariant is checked as those of other engines are, and an execution is replayed.
//!
//! *Chosen*: `batsat` (a MiniSat in Rust) as the SAT solver. *By hand*: bit-blasting and IC3, which no library has for our terms.

mod circuit;
mod engine;
mod relation;
mod sat;
mod search;
mod system;

pub use engine::Pdr;
