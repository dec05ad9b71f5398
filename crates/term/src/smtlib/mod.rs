//! The SMT-LIB 2.6 language: reading and writing terms as text.
//!
//! One language serves three users: the textual form of programs, scripts for solver processes and
//! their answers, and the front ends' attributes that name a solver's operator. Printing in
//! [`Dialect::Standard`] and parsing gives the identical term.
//!
//! | module | holds |
//! |---|---|
//! | `names` | how names of a program become SMT-LIB symbols and back |
//! | `lexer` | tokens and S-expressions with byte offsets; balance of a stream |
//! | `apply` | operators by their SMT-LIB name ([`Terms::apply_smt`]) |
//! | `env`, `parse` | what symbols mean; from S-expressions to terms and sorts |
//! | `text`, `print` | operators, sorts and numerals as text; terms as text with `let` |
//! | `script` | declarations and assertions for solvers |
//!
//! Nothing here recurses over the depth of its input, and every malformed input is an error value.
//!
//! [`Terms::apply_smt`]: crate::Terms::apply_smt

mod apply;
mod env;
mod lexer;
mod names;
mod parse;
mod print;
mod script;
mod text;

pub use apply::MAX_WIDTH;
pub use env::{Entity, Env, Resolver};
pub use lexer::{Balance, Lexer, SExpr, SExprs, SyntaxError, Token, TokenKind};
pub use names::{decode_name, encode_name, quote_symbol};
pub use parse::{Definition, Parser};
pub use print::Display;
pub use script::Printer;
pub use text::Dialect;
