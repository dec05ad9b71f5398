//! Concrete execution with unknown values, path by path.
//!
//! A program with loops as regions goes in, and an [`Explorer`] runs it from an entry. Inputs, choices and variables that were never
//! set are *unknown*; what is computed from an unknown value is unknown, and where a branch depends on one, both ways are followed, each
//! for itself. So the paths that are followed cover all executions: if none of them fails an assertion, none does. This proves
//! programs whose control depends on few inputs, however many rounds their loops take (explicit-state exploration without any merging).
//! A failure is certain only on a path that depends on nothing unknown.
//!
//! Words, not terms, are computed with: bit-vectors of up to 64 bits, Booleans and small integers are one machine word each, arrays are
//! hash tables that are updated in place, and expressions are code for a register machine.
//!
//! What always holds: an unknown value stands for every value; a constraint on one (an assumption, an axiom) is left out. Both only add
//! executions.
//!
//! The same machine makes random runs ([`RandomSearch`]): there, what is left open is drawn, and states that look new are kept, to go on from them
//! (coverage-guided fuzzing with saved states).

mod abstract_value;
mod code;
mod explorer;
mod inputs;
mod machine;
mod search;

pub use explorer::{Call, Explored, Explorer};
pub use inputs::{Decided, Decisions};
pub use search::{RandomSearch, Searched};
