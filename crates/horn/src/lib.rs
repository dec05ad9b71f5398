//! Unbounded proofs from Horn clauses.
//!
//! A goal becomes a [`System`] of clauses over relations, one for each point of the program that matters: the
//! heads of loops and where they end, and what recursive procedures return. A proof is an interpretation of the
//! relations that satisfies the clauses. Z3's Spacer looks for one ([`prove`]); it is not trusted: the
//! interpretation becomes a [`Certificate`], one [`Claim`] a relation, and [`Certificate::check`] asks fresh
//! solvers one local question a clause.
//!
//! Before that, cheaper ways are tried: [`Tables`] of values, and [`Induction`] over a few steps with what is plainly
//! [known()] of all states. They are checked in the same way.
//!
//! In: a [`Program`] whose regions are acyclic, an entry, and which assertions count. Out: a certificate or
//! nothing. What always holds:
//! - clauses say at least as much as the program does: what Spacer does not read (functions without
//!   a definition, quantifiers) may take any value in them, and so may most of a map where clauses are about
//!   cells ([`System::cells`]);
//! - a certificate that passes its check is a proof, wherever it came from.

mod cells;
mod certificate;
mod clauses;
mod columns;
pub mod engines;
mod flat;
mod induction;
mod known;
mod partial;
mod readable;
mod solve;
mod successors;
mod tables;

pub use certificate::{Certificate, Claim};
pub use clauses::{Atom, Clause, System};
pub use induction::Induction;
pub use known::known;
pub use solve::{Found, Search, prove};
pub use tables::{Analysis, Analyzed, Tables};

use lariat_program::{AssertId, Program, RegionId};
use lariat_term::Terms;

impl System {
    /// The clauses with a few cells of each map in the place of whole maps: if these can be satisfied, so can the
    /// given ones. `None` if there are no maps, if it would be too large, or if `go_on` says so.
    pub fn cells(&self, terms: &mut Terms, go_on: &dyn Fn() -> bool) -> Option<System> {
        cells::cells(terms, self, go_on)
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
