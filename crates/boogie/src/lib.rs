//! The Boogie front end: Boogie source text in, a [`lariat_program`] program out.
//!
//! The stages, each of which only looks back at the one before it:
//!
//! 1. [`syntax`]: text → tokens → [`syntax::Ast`], with recovery, so that one run reports several
//!    independent errors; and back to text with [`syntax::print`](fn@syntax::print).
//! 2. [`check`]: names and types; the result is a [`typed::Typed`] beside the tree.
//! 3. [`lower`]: these two, and never text, to regions and terms; every type becomes ground.
//!
//! [`analyze::analyze`] does the first two for the files of a program, [`compile::compile`] all.
//!
//! [`span`] gives every piece of text a place in a [`span::SourceMap`], and [`diag`] is what every
//! stage reports problems with. No stage panics on any input, and none of them does IO.

pub mod analyze;
pub mod check;
pub mod compile;
pub mod diag;
pub mod lower;
mod mono;
pub mod span;
pub mod syntax;
pub mod typed;
pub mod types;
