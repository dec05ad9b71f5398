//! Proofs for every bound from constrained Horn clauses.
//!
//! A goal becomes a [`System`] of clauses over relations, one for each point of the program that matters: the
//! heads of loops and where they end, and what recursive procedures return. A proof is an interpretation of the
//! relations that satisfies the clauses: inductive invariants and summaries. They come from
//! - Z3's Spacer (`spacer`: property-directed reachability),
//! - explicit-value analysis with predicates where values are too many (`explicit_values`, `predicates`),
//! - k-induction (`k_induction`), strengthened by invariants that are inferred in Houdini's way (`invariants`),
//! - the source itself, where it states loop invariants (`annotations`),
//! - any of these over a few cells of each map in the place of the map (`cell_abstraction`).
//!
//! Each is an engine ([`engines`]). None is trusted: what it finds is checked by fresh solvers, one local question a clause
//! ([`Solution::check`] and its like).
//!
//! In: a [`Program`] whose regions are acyclic, an entry, and which assertions count. Out: a solution or
//! nothing. What always holds:
//! - clauses say at least as much as the program does: what Spacer does not read (functions without
//!   a definition, quantifiers) may take any value in them, and so may most of a map where clauses are about
//!   cells ([`System::cells`]);
//! - a solution that passes its check is a proof, wherever it came from.

mod affine;
mod annotations;
mod bits;
mod case_splits;
mod cell_abstraction;
mod certificate;
mod clauses;
pub mod engines;
mod executions;
mod explicit_values;
mod fragment;
mod inline;
mod invariants;
mod k_induction;
mod partial;
mod positions;
mod predicates;
mod solution;
mod spacer;
mod statements;
mod successors;

pub use annotations::Rejection;
pub use clauses::{Atom, Clause, System};
pub use executions::{Taken, candidate};
pub use explicit_values::{Analysis, Analyzed, Tables};
pub use invariants::infer_invariants;
pub use k_induction::Induction;
pub use positions::{Origin, Position};
pub use solution::{Claim, Solution};
pub use spacer::{SpacerAnswer, SpacerMode, prove};

use lariat_program::{AssertId, Program, RegionId};
use lariat_term::Terms;

impl System {
    /// The clauses with a few cells of each map in the place of whole maps: if these can be satisfied, so can the
    /// given ones. `None` if there are no maps, if it would be too large, or if `go_on` says so.
    pub fn cells(&self, terms: &mut Terms, go_on: &dyn Fn() -> bool) -> Option<System> {
        cell_abstraction::cells(terms, self, go_on)
    }
}

/// What to prove: no execution from `entry` fails an assertion that counts.
#[derive(Clone, Copy)]
pub struct Goal<'a> {
    /// The program.
    pub program: &'a Program,
    /// Where executions start.
    pub entry: RegionId,
    /// Does this assertion count?
    pub counts: &'a dyn Fn(AssertId) -> bool,
    /// Asked now and then while clauses are made: are they still wanted?
    pub go_on: &'a dyn Fn() -> bool,
}
