//! The Boogie front end: Boogie source text in, a [`lariat_program`] program out.
//!
//! The stages, each of which only looks back at the one before it:
//!
//! 1. [`syntax`]: text → tokens → [`syntax::Ast`], with recovery, so that one run reports several
//!    independent errors.
//! 2. [`check`]: names and types; the result is a [`typed::Typed`] beside the tree.
//! 3. Lowering works on these two and never on text.
//!
//! [`analyze::analyze`] does the first two for the files of a program.
//!
//! [`span`] gives every piece of text a place in a [`span::SourceMap`], and [`diag`] is what every
//! stage reports problems with. No stage panics on any input, and none of them does IO.

pub mod analyze;
pub mod check;
pub mod diag;
pub mod lower;
mod mono;
pub mod span;
pub mod syntax;
pub mod typed;
pub mod types;
