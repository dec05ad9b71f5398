//! SMT solvers behind one trait.
//!
//! In: [`Term`](lariat_term::Term)s to assert and to assume. Out: an [`Answer`] with a [`Model`] or
//! a core. [`Z3Solver`] is Z3 in this process, [`ProcessSolver`]
//! any solver that reads SMT-LIB, [`LazyArrays`] picks a solver by what the query has and does arrays
//! itself where that pays; [`solvers`] finds and opens them by name.
//!
//! What always holds: a solver that fails, dies, hangs or talks nonsense is an error value, never a
//! panic and never an answer. In debug builds every model is evaluated on every assertion and
//! every core is given to a fresh solver; an answer that does not pass is an error, too.

pub mod arrays;
mod base;
mod interpolator;
mod interrupt;
mod model;
mod process;
mod query;
mod solver;
pub mod solvers;
mod z3;

pub use arrays::LazyArrays;
pub use interpolator::{Interpolants, Interpolator, Nesting};
pub use interrupt::{Interrupter, Running, WeakInterrupter};
pub use model::Model;
pub use process::{Command, ProcessSolver};
pub use solver::{Answer, Core, Declaration, Limits, Logic, Reason, Soft, Solver, SolverError, Stats, Unsound};
pub use z3::{HornAnswer, Z3Horn, Z3Solver, catch_crashes, crash, exit_at_once, version as z3_version};
