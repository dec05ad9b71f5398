//! Certificates: proofs as plain data, and a checker that needs no engine.
//!
//! A [`Certificate`] says why no execution from an entry fails an assertion that counts: which boxes of loops and of recursive
//! procedures are taken to be what their body does, which loops have which invariant, and which procedures have which contract. [`check`]
//! derives the conditions for that from the program as the front end gave it, and asks a solver, one question for each place
//! that has an invariant.
//!
//! In: a [`Program`](lariat_program::Program) whose regions are acyclic, and a certificate, wherever it comes from. Out: whether the
//! certificate proves the program. What always holds:
//! - the checker uses no engine, no reduction and no clauses: symbolic execution of its own (`execute`), and solvers; only definitions
//!   of functions are put in place by code that engines use, too ([`lariat_summary::Definitions`]);
//! - whatever a certificate does not speak about may do anything: a box that it leaves out may change all that its region can change, and must
//!   not be reached if something in it could fail.

mod certificate;
mod check;
mod complete;
mod execute;
mod json;
mod map_back;
mod paths;

pub use certificate::{Certificate, Contract, Event, Instance, InstanceId, Site, Symbol, Treatment, Tree};
pub use check::{Checked, Goal, OpenSolver, check};
pub use complete::{expand_recursion, trivial_invariants};
pub use json::{ReadError, read, write};
pub use map_back::map_back;
