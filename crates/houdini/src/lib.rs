//! Houdini: of many candidate contracts, the largest set that holds together.
//!
//! A contract of a region (a procedure or a loop) has what holds wherever the region is entered, what holds wherever it returns, and
//! states from which nothing fails in it (CORRAL, section 4.2). [`candidates`](candidates::candidates) guesses many of them; [`infer`] drops those that a
//! local query about one region refutes, taking the others for granted, until no query does. What is left is inductive: by induction over the
//! length of executions, all of it holds. Loops are regions, so that what holds where a loop is entered is a loop invariant.
//!
//! In: a [`Program`](lariat_program::Program) whose regions are acyclic, and an entry. Out: [`Contracts`], which an unfolding asserts of the
//! calls that it has not looked into, and a certificate states.

mod candidates;
mod contracts;
mod infer;
mod related;

pub use candidates::candidates;
pub use contracts::{Contracts, RegionContract};
pub use infer::{Inferred, infer};
