//! The syntax of Boogie: source text to [`Ast`] and back.
//!
//! [`parse`] reads a file into an [`Ast`], whose parts are described in the module [`ast`];
//! [`print`](fn@print) writes it back.

pub mod arena;
pub mod ast;
mod float;
mod intern;
mod lexer;
mod parser;
mod print;
mod token;
mod walk;

pub use arena::{Arena, Id, Slice};
pub use ast::*;
pub use float::{FloatLit, FloatValue};
pub use intern::{Interner, Name};
pub use parser::parse;
pub use print::{print, print_decl, print_expr, print_type};
pub use walk::{ExprWalk, Step};

#[cfg(test)]
mod tests;

/// How deep the parts of a program may nest: parentheses, statements, types and so on.
///
/// Chains of operators do not count.
pub const MAX_DEPTH: usize = 2000;

/// The largest width of a bit-vector.
pub const MAX_BV_WIDTH: u32 = 1 << 24;

/// The largest number of bits of the significand or exponent of a float.
pub const MAX_FLOAT_BITS: u32 = 1 << 16;

/// How many characters a numeric literal may have.
pub const MAX_LITERAL_LEN: usize = 1 << 20;

/// The largest exponent, and minus the smallest one, of a real literal.
pub const MAX_DECIMAL_EXPONENT: u32 = 100_000;
