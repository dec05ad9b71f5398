//! Unbounded proofs from Horn clauses.
//!
//! Each region's summary is a Horn clause over two relations a region: *returns* (from these inputs
//! it may return these values) and *fails* (from these inputs an assertion inside may fail). A proof
//! is an interpretation of the relations in which the entry does not fail. Z3's Spacer looks for one
//! ([`prove`]); it is not trusted: the interpretation becomes a [`Certificate`], one [`Claim`] a region,
//! and [`Certificate::check`] asks fresh solvers one local question a region.
//!
//! In: a [`Program`] whose regions are acyclic, an entry, and which assertions
//! count. Out: a certificate or nothing. What always holds:
//! - clauses say at least as much as the program does: what Spacer does not read (functions without
//!   a definition, quantifiers) may take any value in them;
//! - a certificate that passes its check is a proof, wherever it came from.

mod certificate;
mod clauses;
mod solve;

pub use certificate::{Certificate, Claim};
pub use solve::prove;

use lariat_program::{AssertId, Program, RegionId};

/// What to prove: no execution from `entry` fails an assertion that counts.
#[derive(Clone, Copy)]
pub struct Goal<'a> {
    /// The program.
    pub program: &'a Program,
    /// Where executions start.
    pub entry: RegionId,
    /// Does this assertion count?
    pub counts: &'a dyn Fn(AssertId) -> bool,
}
