//! The proof-producing decision procedure: search, theory, and the rules that read interpolants off the refutation.

use lariat_smt::{Interpolants, Interpolator, Interrupter, Limits, Nesting, SolverError};
use lariat_term::{Term, Terms};

use crate::{
    check,
    core::{self, Needed, Refuter},
    inductive::Blocks,
    problem::{Problem, is_path},
    rules,
    sat::Lit,
    simplify::simplify,
    stop::{Control, Stop},
    theory::{Consistency, Theory},
    tree::Tree,
};

/// Interpolants from proofs of its own, for linear arithmetic over integers and rationals with equality and uninterpreted functions.
///
/// Integers are decided by rounding, by their equations and by cases, of which there are only so many. Other operators are taken for
/// uninterpreted functions. Where that does not do, a solver is asked about single paths, and post-conditions are their interpolants.
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
    rules_only: bool,
}

impl Default for ProofInterpolator {
    fn default() -> Self {
        ProofInterpolator::new()
    }
}

impl ProofInterpolator {
    /// One without limits.
    pub fn new() -> ProofInterpolator {
        ProofInterpolator { control: Control::new(), rules_only: false }
    }

    /// One that decides all by itself, and reads interpolants off the whole refutation, as the paper does, even where conjunctions of what
    /// refutes a few paths would do.
    pub fn rules_only() -> ProofInterpolator {
        ProofInterpolator { rules_only: true, ..ProofInterpolator::new() }
    }

    fn solve(&mut self, terms: &mut Terms, parts: &[Term], tree: Tree) -> Result<Interpolants, SolverError> {
        check::accept(terms, parts)?;
        let stop = self.control.start();
        // What the contradiction does not need only leads the search astray; on a single path there is no search.
        let needed = match self.rules_only || is_path(terms, parts) {
            true => None,
            false => match core::needed(terms, parts, &mut Refuter::hasty(stop.clone())?)? {
                Needed::Parts(needed) => Some(needed),
                Needed::Satisfiable => return Ok(Interpolants::Satisfiable),
                Needed::Unknown => None,
            },
        };
        let needed: Vec<Term> = match needed {
            Some(all) => all.iter().map(|facts| terms.and(facts)).collect(),
            None => parts.to_vec(),
        };
        let mut problem = Problem::new(terms, &needed, tree);
        let mut theory = Theory::default();
        let mut paths = (!self.rules_only).then(|| Paths::new(&needed, &problem));
        let decided = decide(&mut problem, &mut theory, terms, &mut paths, &stop)?;
        let found = match decided {
            Decision::Model => return Ok(Interpolants::Satisfiable),
            Decision::Unknown(why) => return Ok(Interpolants::Unknown(why)),
            Decision::Found(found) => Some(found.into_iter().map(|t| simplify(&problem, terms, t)).collect()),
            Decision::Refuted => rules::interpolants(&problem, &theory, terms, &stop),
        };
        let Some(found) = found else { return Ok(Interpolants::Unknown("no interpolants of a path".into())) };
        if cfg!(debug_assertions) {
            check::refuse_wrong(self.name(), terms, parts, &problem.tree, &found)?;
        }
        Ok(Interpolants::Sequence(found))
    }
}

/// The paths that were refuted so far, and what may hold of the others, too.
struct Paths {
    blocks: Blocks,
    candidates: Vec<Vec<Term>>,
    /// How many lemmas the candidates are from.
    seen: usize,
    /// At how many lemmas to look again.
    next: usize,
}

impl Paths {
    fn new(parts: &[Term], p: &Problem) -> Paths {
        Paths { blocks: Blocks::new(parts, &p.tree), candidates: vec![Vec::new(); parts.len() - 1], seen: 0, next: 1 }
    }

    fn interpolants(
        &mut self,
        p: &Problem,
        theory: &Theory,
        terms: &mut Terms,
        stop: &Stop,
    ) -> Result<Option<Vec<Term>>, SolverError> {
        let new = rules::candidates(p, theory, terms, self.seen, stop);
        (self.seen, self.next) = (theory.lemmas.len(), theory.lemmas.len() * 2);
        for (all, new) in self.candidates.iter_mut().zip(new) {
            all.extend(new.into_iter().filter(|t| !all.contains(t)).collect::<Vec<_>>());
        }
        self.blocks.interpolants(terms, &p.tree, &self.candidates, stop)
    }
}

/// How many contradictions of the theory are looked at before it is left to others, which may see what is the same in many paths.
const LEMMAS: usize = 1500;

/// From so many candidates at a cut on, they are no longer looked at: they do not get at what paths have in common.
const CANDIDATES: usize = 40;

enum Decision {
    Refuted,
    Found(Vec<Term>),
    Model,
    Unknown(String),
}

fn decide(
    p: &mut Problem,
    theory: &mut Theory,
    terms: &mut Terms,
    paths: &mut Option<Paths>,
    stop: &Stop,
) -> Result<Decision, SolverError> {
    let own = paths.is_none();
    let unknown = |why: &str| Ok(Decision::Unknown(why.into()));
    loop {
        if stop.is_over() {
            return unknown("out of time");
        }
        if !p.sat.propagate(stop) {
            return Ok(Decision::Refuted);
        }
        // Only where there are other paths left.
        if let Some(some) = paths
            && theory.lemmas.len() >= some.next
        {
            if let Some(found) = some.interpolants(p, theory, terms, stop)? {
                return Ok(Decision::Found(found));
            }
            if some.candidates.iter().any(|c| c.len() > CANDIDATES) {
                *paths = None;
            }
        }
        let full = p.sat.is_satisfied() && theory.wanted.iter().all(|&v| p.sat.value(Lit::new(v, true)).is_some());
        if theory.lemmas.len() > LEMMAS {
            return unknown("too many paths");
        }
        match theory.check(p, terms, full, stop) {
            Consistency::Progress => {}
            Consistency::Consistent if !full => _ = p.sat.decide(&theory.wanted),
            Consistency::Consistent if p.exact => return Ok(Decision::Model),
            Consistency::GaveUp(why) if stop.is_over() || own => return Ok(Decision::Unknown(why)),
            Consistency::Consistent if own => {
                return unknown("no refutation in linear arithmetic with uninterpreted functions");
            }
            Consistency::Consistent | Consistency::GaveUp(_) => match theory.ask(p, terms, stop)? {
                Consistency::Progress => {}
                Consistency::Consistent => return Ok(Decision::Model),
                Consistency::GaveUp(why) => return Ok(Decision::Unknown(why)),
            },
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
