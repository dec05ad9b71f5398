//! The Boogie front end: Boogie source text in, a [`lariat_program`] program out.
//!
//! The stages; none uses a later one:
//!
//! 1. [`syntax`]: text → tokens → [`syntax::Ast`], with recovery, so that one run reports several
//!    independent errors; and back to text with [`syntax::print`](fn@syntax::print).
//! 2. [`check`]: names and types; the result is a [`typed::Typed`] beside the tree.
//! 3. [`lower`]: these two, and never text, to regions and terms; every type becomes ground.
//!
//! [`analyze::analyze`] does the first two for the files of a program, [`compile::compile`] all.
//!
//! Every piece of text has a place in a [`lariat_source::SourceMap`], and [`lariat_source::Diagnostics`] is what every
//! stage reports problems with. No stage panics on any input, and none of them does IO.

pub mod analyze;
pub mod check;
pub mod compile;
pub mod lower;
mod mono;
pub mod syntax;
pub mod typed;
pub mod types;
