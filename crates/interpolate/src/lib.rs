//! Craig interpolants of infeasible traces, from proofs and otherwise.
//!
//! In: the parts of an unsatisfiable formula, one a step of a trace, perhaps with calls and returns. Out: a formula for each place between
//! two parts that says, of the symbols that both sides have, what the first side must keep so that the second stays impossible
//! (*Abstractions from proofs*, Henzinger, Jhala, Majumdar and McMillan, sections 3 and 5). All behind the trait
//! [`Interpolator`]; [`interpolator`] opens one by name:
//!
//! - `proof` ([`ProofInterpolator`]): a decision procedure of our own for linear arithmetic with uninterpreted functions that keeps its
//!   proof (`sat`, `theory`, `simplex`, `diophantine`, `congruence`), from which all cuts are read (`rules`); with a solver's help for paths that it
//!   leaves open, and with invariants of whole blocks from the first paths (`inductive`);
//! - `core` ([`CoreInterpolator`]): post-conditions along a minimised core, for bit-vectors and arrays;
//! - `horn` ([`HornInterpolator`]): Spacer; `cvc5` ([`Cvc5Interpolator`]): the program, if it is there;
//! - `auto` ([`AutoInterpolator`]): `proof`, `horn` and `core`, one after the other.
//!
//! What always holds: an interpolant is an interpolant. In debug builds (and by [`check`] in tests) Z3 says whether each follows from the one
//! before and its part, the last contradicts the last part, and only shared symbols occur.

mod arrays;
mod auto;
pub mod check;
mod congruence;
mod core;
mod cvc5;
mod diophantine;
mod horn;
mod inductive;
mod linear;
mod problem;
mod prove;
mod rules;
mod sat;
mod simplex;
mod simplify;
mod stop;
mod theory;
mod tree;

pub use auto::AutoInterpolator;
pub use core::CoreInterpolator;
pub use cvc5::Cvc5Interpolator;
pub use horn::HornInterpolator;
use lariat_smt::{Interpolator, SolverError};
pub use prove::ProofInterpolator;

/// The names that [`interpolator`] takes.
pub const NAMES: [&str; 5] = ["auto", "proof", "core", "horn", "cvc5"];

/// Opens an interpolator by its name.
///
/// ```
/// assert_eq!(lariat_interpolate::interpolator("auto")?.name(), "auto");
/// assert!(lariat_interpolate::interpolator("magic").is_err());
/// # Ok::<(), lariat_smt::SolverError>(())
/// ```
pub fn interpolator(name: &str) -> Result<Box<dyn Interpolator>, SolverError> {
    Ok(match name {
        "auto" => Box::new(AutoInterpolator::new()),
        "proof" => Box::new(ProofInterpolator::new()),
        "core" => Box::new(CoreInterpolator::new()),
        "horn" => Box::new(HornInterpolator::new()),
        "cvc5" => Box::new(Cvc5Interpolator::default()),
        _ => {
            let what = format!("`{name}`: an interpolator is one of {}", NAMES.join(", "));
            return Err(SolverError::Unsupported { solver: "Lariat".into(), what });
        }
    })
}
