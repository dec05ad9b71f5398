//! The textual form of a program: readable, and read back exactly.
//!
//! [`print()`] and [`parse`] are inverse: parsing what was printed gives the same program (names, source
//! names, locations, kinds, messages, orders), and printing that gives the same text. So two programs
//! are equal if their texts are ([`print()`] depends on the program alone, not on the history of its
//! term store: sorts, datatypes and functions are listed by name, and only those in use; arguments of
//! commutative operators are ordered by what they are).
//!
//! ```text
//! file "a.bpl"
//! sort Ref
//! datatype List { nil, cons(hd: Int, tl: List) }
//! function f (Int Ref) Bool
//! function len (Int) Int builtin "str.len"
//! const N: Int "N" @0:1:7
//! global x: Int
//! define sq (n: Int) := (* n n) @0:2:1
//! axiom (> N 0) @0:3:1
//! assertion #0 user "x is small" @0:9:3
//! proc main(a: Int, b: Bool) -> (r: Int) @0:5:1 {
//!   local t: Int
//! start:
//!   x := (+ x 1), t := a @0:6:3
//!   assume (< x N)
//!   box other(t, (not b)) -> (r) @0:7:3
//!   branch b then more else done
//! more:
//!   havoc x, t
//!   goto more, done
//! done:
//!   assert #0 (< x 10) @0:9:3
//!   return
//! }
//! loop main/more in main (x: Int) -> (x: Int) { … }
//! entry main
//! ```
//!
//! What is used must be declared above, except that datatypes which follow each other may use each other,
//! and regions and blocks may be anywhere.
//!
//! Sorts and terms are SMT-LIB's. `stop` is a `goto` without targets. A name with odd characters stands
//! in bars, as does one that is a keyword here; what bars cannot hold is escaped as in
//! [`lariat_term::smtlib::encode_name`]. `@file:line:column` is a location, `"…"` after a variable its
//! name in the source, `;` starts a comment. `#n` numbers the assertions from 0 on. `havoc ()` and `:=`
//! havoc and assign nothing.

mod canon;
mod lexer;
mod names;
mod parse;
mod print;
mod scope;
mod show;

use std::fmt;

pub use parse::parse;
pub use print::print;
pub use show::{dot, tree};

/// Words with a meaning of their own: a name like that is put in bars.
const KEYWORDS: [&str; 27] = [
    "file",
    "sort",
    "datatype",
    "function",
    "builtin",
    "const",
    "global",
    "define",
    "axiom",
    "assertion",
    "proc",
    "loop",
    "in",
    "entry",
    "local",
    "assume",
    "assert",
    "havoc",
    "box",
    "goto",
    "stop",
    "branch",
    "then",
    "else",
    "return",
    "->",
    "=",
];

/// Something the parser did not expect, and where (from 1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TextError {}
