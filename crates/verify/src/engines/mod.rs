//! Engines that live here: unfolding, which has its own crate, and random runs of the interpreter. Those that prove programs from
//! Horn clauses are in [`lariat_horn::engines`].

mod random_runs;
mod unfolding;

pub(crate) use random_runs::RandomRuns;
pub(crate) use unfolding::{Question, ShowUnfolding, Unfold, UnfoldSession};
