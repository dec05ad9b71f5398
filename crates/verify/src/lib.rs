//! From a program to a verdict.
//!
//! In: a program with loops as regions, the entries to check and a budget. Out: a [`Report`] with
//! one [`Verdict`], the fate of each assertion, and counters.
//!
//! What always holds:
//! - a bug is reported only after the concrete interpreter has run into the same assertion on the
//!   program as it was given ([`replay`]);
//! - time-outs, solver failures and bounds are never rounded up to [`Verdict::Safe`];
//! - the same program and options give the same report.

mod each;
mod lift;
mod options;
mod oracle;
mod prove;
pub mod prover;
mod replay;
mod report;
mod run;
mod trial;
mod unsupported;
mod vacuity;
mod view;

pub use lariat_unfold::{StrategyKind, strategy::Correction};
pub use options::{Arith, EngineKind, Options, Targets};
pub use oracle::Oracle;
pub use prover::Prover;
pub use replay::{ReplayError, Trust, replay};
pub use report::{Bug, Cut, Fate, Incident, Report, Verdict};
pub use run::{Progress, verify};
pub use vacuity::Vacuity;
