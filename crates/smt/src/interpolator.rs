//! What every interpolating procedure offers: the [`Interpolator`] trait and the data that goes in and out.
//!
//! It stands next to [`Solver`](crate::Solver) so that who refines by interpolants need not know who computes them.

use lariat_term::{Term, Terms};

use crate::{Interrupter, Limits, SolverError};

/// Interpolants of an unsatisfiable sequence of formulas.
///
/// A symbol is a free variable or a declared function. All terms given to one interpolator must come from one
/// [`Terms`] store, or from clones of it that only grew.
pub trait Interpolator: Send {
    /// The interpolator's name, such as `auto`.
    fn name(&self) -> &str;

    /// For parts φ1 … φn whose conjunction is unsatisfiable: n − 1 formulas ψ1 … ψn−1, where ψi has only symbols that both
    /// φ1 … φi and φi+1 … φn have, φ1 ⇒ ψ1, ψi ∧ φi+1 ⇒ ψi+1, and ψn−1 ∧ φn is unsatisfiable (an inductive sequence).
    fn sequence(&mut self, terms: &mut Terms, parts: &[Term]) -> Result<Interpolants, SolverError> {
        self.scoped(terms, parts, &Nesting::default())
    }

    /// Well-scoped interpolants of a trace with calls (*Abstractions from proofs*, section 5.2): n − 1 formulas, ψi for the
    /// place behind part i. It is implied by the parts of the frame that this place is in, from the frame's first part up to part i
    /// (with the whole of calls that have returned), contradicts all the others, and has only symbols that both sides have.
    /// Behind a call it is `true`; behind a return, what held before the call with the call's part, what held at the end of the callee and
    /// the return's part imply it.
    ///
    /// Without calls it is [`Interpolator::sequence`].
    fn scoped(&mut self, terms: &mut Terms, parts: &[Term], nesting: &Nesting) -> Result<Interpolants, SolverError>;

    /// Sets the limits of each following call. Time is that of the whole call; the other limits are those of each check
    /// of a solver that is used.
    fn set_limits(&mut self, limits: Limits);

    /// A handle that stops a call from another thread; it then gives [`Interpolants::Unknown`].
    fn interrupter(&self) -> Interrupter;
}

/// The answer of [`Interpolator::sequence`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Interpolants {
    /// One formula for each place between two parts.
    Sequence(Vec<Term>),
    /// The parts have a common model, so there are none.
    Satisfiable,
    /// None were found; why.
    Unknown(String),
}

/// Which parts of a trace are calls and returns.
///
/// The part of a call (which says what the arguments are) and that of its return (which says where the result goes) belong to the
/// caller's frame; what is between them is the callee's. Calls are properly nested.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Nesting {
    /// For each call, in the order of their parts: the number of its part, and that of its return, if there is one.
    pub calls: Vec<(usize, Option<usize>)>,
}
