//! The syntax of Boogie: source text to [`Ast`] and back.
//!
//! [`Ast`] and its parts are described in the module [`ast`].

pub mod arena;
pub mod ast;
mod float;
mod intern;
mod walk;

pub use arena::{Arena, Id, Slice};
pub use ast::*;
pub use float::{FloatLit, FloatValue};
pub use intern::{Interner, Name};
pub use walk::{ExprWalk, Step};

/// How deep the parts of a program may nest: parentheses, statements, types and so on.
///
/// Chains of operators do not count.
pub const MAX_DEPTH: usize = 2000;

/// The largest width of a bit-vector.
pub const MAX_BV_WIDTH: u32 = 1 << 24;
