//! Variable abstraction (localization reduction) with counterexample-guided refinement: CORRAL, section 3.
//!
//! Most globals of a program do not matter to a given assertion, and slicing removes only those that *cannot* matter. Here, a program is
//! proved with a set T of *tracked* globals: assignments to the others are left out, and what reads them may be anything (figure 3,
//! [`Abstraction`]). A C program's memory groups, ghost maps and cells are globals, too. Locals are never abstracted.
//!
//! The loop ([`Localizer`]): abstract the program, unfold it, and if there is a counterexample, follow its [`Path`] in the program itself. Either
//! it is a bug there, or a [`Minimizer`] finds a minimal set of further variables that refutes it, and the next round tracks them as well.
//!
//! What always holds:
//! - the abstract program has the regions and blocks of the given one by number, and each of its executions fails the same assertions: a proof of
//!   it is a proof of the given program, with the same instances expanded;
//! - tracking more never allows more executions, in the program as well as on a path. The minimisers rely on that;
//! - a bug is a model of a path of the given program with everything tracked.

mod abstraction;
mod atoms;
mod cone;
mod encode;
mod engine;
mod localizer;
mod minimize;
mod path;
mod track;

pub use abstraction::Abstraction;
pub use cone::cone;
pub use encode::{Concrete, Parameterized, Reencoded};
pub use engine::{Localize, Settings};
pub use localizer::{Compared, Localized, Localizer, Stats};
pub use minimize::{Check, HRefine, Linear, Minimal, Minimizer, MinimizerKind, VcRefine, is_minimal};
pub use path::{Path, Step};
pub use track::{Track, UnknownVariable, shown_name};
