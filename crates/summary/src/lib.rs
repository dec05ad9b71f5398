//! Summaries of regions, computed once, locally, without looking into their boxes.
//!
//! This is LocSummarize of the inertial-refinement paper (section III): a forward pass over the
//! acyclic blocks of a region carries a path condition ψ and a map σ from variables to terms, and
//! merges both path-sensitively where paths join. Each box leaves *placeholders*: π for "it
//! returns", ε for "an assertion inside it fails", λ for each value it may change.
//!
//! In: a [`Program`](lariat_program::Program) whose regions are acyclic. Out: one [`Summary`] a
//! region, as terms over the region's inputs, the globals it uses, its open choices and its
//! placeholders. What always holds: for given values of all these, at most one path is taken, so the
//! conditions of two edges into a block exclude each other.

mod define;
mod path;
mod relevant;
mod rounds;
mod select;
mod summarize;

pub use define::Definitions;
pub use rounds::Counter;
pub use summarize::{BoxSite, Choice, ChoiceVar, Decision, ErrorCondition, Summaries, Summary};
