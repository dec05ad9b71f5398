//! From a program to a verdict.
//!
//! In: a program with loops as regions, the entries to check and a budget. Out: a [`Report`] with
//! one [`Verdict`], the fate of each assertion, and counters.
//!
//! What always holds:
//! - a bug is reported only after the concrete interpreter has run into the same assertion on the
//!   program as it was given ([`replay`]);
//! - time-outs, solver failures and bounds are never rounded up to [`Verdict::Safe`];
//! - two engines that contradict each other make no verdict ([`Report::contradiction`]).
//!
//! Which engine answers first depends on the machine, so that of several bugs another one may be found. Verdicts that are
//! reached within the limits do not depend on it.

mod contracts;
mod each;
mod engines;
mod existential;
mod options;
mod passes;
mod portfolio;
mod replay;
mod report;
mod run;
mod schedule;
mod search;
mod unsupported;
mod vacuity;
mod validate;

pub mod alone;

pub use contracts::{Contracts, Procedure, Source, contracts};
pub use existential::{Assignment, existential};
pub use lariat_engine::Oracle;
pub use lariat_horn::Rejection;
pub use lariat_localize::{MinimizerKind, Track};
pub use lariat_unfold::{StrategyKind, strategy::Correction};
pub use options::{Arith, Options, Targets};
pub use replay::{ReplayError, Trust, replay};
pub use report::{Bug, Certified, Cut, Fate, Incident, Report, Tracking, Verdict};
pub use run::{Progress, verify};
pub use schedule::{Engines, Row, SCHEDULE, engines, row};
pub use vacuity::Vacuity;
