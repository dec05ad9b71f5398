//! Engines that live here: unfolding, which has its own crate, alone and with contracts by Houdini, concrete execution, and random runs of the interpreter. Those that prove programs from
//! Horn clauses are in [`lariat_horn::engines`].

mod concrete;
mod houdini;
mod random_runs;
mod unfolding;

pub(crate) use concrete::Concrete;
pub(crate) use houdini::Houdini;
pub(crate) use random_runs::RandomRuns;
pub(crate) use unfolding::{Question, ShowUnfolding, Unfold, UnfoldSession};
