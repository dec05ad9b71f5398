//! The proof-producing decision procedure: search, theory, and the rules that read interpolants off the refutation.

use lariat_smt::{Interpolants, Interpolator, Interrupter, Limits, Nesting, SolverError};
use lariat_term::{Term, Terms};

use crate::{
    check,
    problem::Problem,
    rules,
    sat::Lit,
    stop::{Control, Stop},
    theory::{Outcome, Theory},
    tree::Tree,
};

/// Interpolants from proofs of its own, for linear arithmetic over integers and rationals with equality and uninterpreted functions.
///
/// Integers are decided by rounding, by their equations and by cases, of which there are only so many. Other operators are taken for
/// uninterpreted functions. Where that does not do, the answer is [`Interpolants::Unknown`].
///
/// ```
/// use lariat_interpolate::ProofInterpolator;
/// use lariat_smt::{Interpolants, Interpolator};
/// use lariat_term::{Sort, Terms};
///
/// let mut t = Terms::new();
/// let (x, y, z) = (t.var("x", Sort::INT), t.var("y", Sort::INT), t.var("z", Sort::INT));
/// // x ≤ y ∧ y ≤ z, and z < x: figure 4 of the paper.
/// let (a, b, c) = (t.le(x, y), t.le(y, z), t.lt(z, x));
/// let parts = [t.and(&[a, b]), c];
/// let x_le_z = t.le(x, z);
/// let found = ProofInterpolator::new().sequence(&mut t, &parts)?;
/// assert_eq!(found, Interpolants::Sequence(vec![x_le_z]));
/// # Ok::<(), lariat_smt::SolverError>(())
/// ```
pub struct ProofInterpolator {
    control: Control,
}

impl Default for ProofInterpolator {
    fn default() -> Self {
        ProofInterpolator::new()
    }
}

impl ProofInterpolator {
    /// One without limits.
    pub fn new() -> ProofInterpolator {
        ProofInterpolator { control: Control::new() }
    }

    fn solve(&mut self, terms: &mut Terms, parts: &[Term], tree: Tree) -> Result<Interpolants, SolverError> {
        check::accept(terms, parts)?;
        let stop = self.control.start();
        let mut problem = Problem::new(terms, parts, tree);
        let mut theory = Theory::default();
        let decided = decide(&mut problem, &mut theory, terms, &stop);
        match decided {
            Decision::Refuted => {}
            Decision::Model => return Ok(Interpolants::Satisfiable),
            Decision::Unknown(why) => return Ok(Interpolants::Unknown(why)),
        }
        let Some(found) = rules::interpolants(&problem, &theory, terms, &stop) else {
            return Ok(Interpolants::Unknown("out of time".into()));
        };
        if cfg!(debug_assertions) {
            check::refuse_wrong(self.name(), terms, parts, &problem.tree, &found)?;
        }
        Ok(Interpolants::Sequence(found))
    }
}

/// How many contradictions of the theory are looked at before it is left to others, which may see what is the same in many paths.
const LEMMAS: usize = 1500;

enum Decision {
    Refuted,
    Model,
    Unknown(String),
}

fn decide(p: &mut Problem, theory: &mut Theory, terms: &mut Terms, stop: &Stop) -> Decision {
    loop {
        if stop.is_over() {
            return Decision::Unknown("out of time".into());
        }
        if !p.sat.propagate(stop) {
            return Decision::Refuted;
        }
        let full = p.sat.is_satisfied() && theory.wanted.iter().all(|&v| p.sat.value(Lit::new(v, true)).is_some());
        if theory.lemmas.len() > LEMMAS {
            return Decision::Unknown("too many paths".into());
        }
        match theory.check(p, terms, full, stop) {
            Outcome::Progress => {}
            Outcome::GaveUp(why) => return Decision::Unknown(why),
            Outcome::Consistent if full && p.exact => return Decision::Model,
            Outcome::Consistent if full => {
                return Decision::Unknown("no refutation in linear arithmetic with uninterpreted functions".into());
            }
            Outcome::Consistent => _ = p.sat.decide(&theory.wanted),
        }
    }
}

impl Interpolator for ProofInterpolator {
    fn name(&self) -> &str {
        "proof"
    }

    fn sequence(&mut self, terms: &mut Terms, parts: &[Term]) -> Result<Interpolants, SolverError> {
        self.solve(terms, parts, Tree::sequence(parts.len()))
    }

    fn scoped(&mut self, terms: &mut Terms, parts: &[Term], nesting: &Nesting) -> Result<Interpolants, SolverError> {
        let tree = check::tree(parts, nesting)?;
        self.solve(terms, parts, tree)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.control.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        self.control.interrupter()
    }
}
